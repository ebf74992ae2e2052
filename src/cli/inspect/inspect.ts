// `sightline inspect`: a page that shows what models really saw, until it is interrupted.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openInspector } from '../../inspect/open.ts';
import { memorySessions, openSessions } from '../../session/store.ts';
import type { SessionStore } from '../../session/store.ts';
import { homeFolder } from '../../config/home.ts';
import { done } from '../exit.ts';
import { openOnDesktop } from '../../tui/desktop.ts';
import type { ExitCode } from '../exit.ts';
import { ownSessions, sharedStore } from '../kept.ts';
import { asRefused, refused } from '../refusal.ts';
import { hide } from '../../config/secrets.ts';
import { say, styled, tell } from '../terminal.ts';
import { demoSessions } from './demo.ts';

type InspectFlags = { port?: number; demo?: boolean; open: boolean };

/** Runs until it is told to stop. */
export async function openPage(session: string | undefined, flags: InspectFlags): Promise<ExitCode> {
  try {
    const store = flags.demo ? await demoStore() : homeStore();
    const id = session === undefined ? undefined : await store().resolve(session);
    const { port } = flags;
    const opened = await openInspector({ store, hide, ...(port !== undefined && { port }) });
    const url = id === undefined ? opened.url : `${opened.url}/${id}`;
    say(url);
    tell(styled('dim', 'Open it in your browser; it shows what is recorded, live. Ctrl-C ends it.'));
    if (flags.open && process.stdout.isTTY) void openOnDesktop(url);
    const stop = (): void => void opened.close(0);
    process.once('SIGINT', stop).once('SIGTERM', stop);
    await opened.ended;
    await store().close();
    return done;
  } catch (error) {
    return refused(asRefused(error), false);
  }
}

async function demoStore(): Promise<() => SessionStore> {
  const store = await demoSessions();
  return () => store;
}

/** A home may come to be while the page is open; it is made by nobody who only looks. */
function homeStore(): () => SessionStore {
  if (sharedStore() !== undefined) {
    const shared = ownSessions({ readOnly: true });
    return () => shared;
  }
  const home = homeFolder();
  const isThere = (): boolean => existsSync(join(home, 'sessions.db'));
  let store: SessionStore = isThere() ? openSessions({ home, readOnly: true }) : memorySessions();
  let isReal = isThere();
  return () => {
    if (!isReal && isThere()) [store, isReal] = [openSessions({ home, readOnly: true }), true];
    return store;
  };
}
