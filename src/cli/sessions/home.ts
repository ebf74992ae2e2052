// Opens the sessions of the home for one command; what the library complains about is told as a refusal.
import type { SessionStore } from '../../session/store.ts';
import { homeFolder } from '../../config/home.ts';
import type { ExitCode } from '../exit.ts';
import { ownSessions } from '../kept.ts';
import { asRefused, refused } from '../refusal.ts';
import { busy } from '../terminal.ts';

export type Flags = { json?: boolean };

type Work = (store: SessionStore, home: string) => Promise<ExitCode>;

/** For commands that only look: they make no home, and need no right to write in it. */
export function looking(flags: Flags, work: Work): Promise<ExitCode> {
  return withSessions(flags, true, work);
}

/** For commands that change something. */
export function changing(flags: Flags, work: Work): Promise<ExitCode> {
  return withSessions(flags, false, work);
}

async function withSessions(flags: Flags, readOnly: boolean, work: Work): Promise<ExitCode> {
  try {
    const home = homeFolder();
    const store = ownSessions({ readOnly });
    try {
      return await busy(readOnly ? 'looking at the sessions' : 'working on the sessions', work(store, home));
    } finally {
      await store.close();
    }
  } catch (error) {
    return refused(asRefused(error), flags.json);
  }
}
