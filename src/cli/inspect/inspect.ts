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
    const trouble = troubleWith(store);
    const { port } = flags;
    const opened = await openInspector({ store, hide, ...(port !== undefined && { port }) });
    const url = id === undefined ? opened.url : `${opened.url}/${id}`;
    say(url);
    if (trouble !== undefined) tell(styled('yellow', trouble));
    tell(styled('dim', 'Open it in your browser; it shows what is recorded, live. Ctrl-C ends it.'));
    if (flags.open && process.stdout.isTTY) void openOnDesktop(url);
    const stop = (): void => void opened.close(0);
    process.once('SIGINT', stop).once('SIGTERM', stop); // the first one no longer ends the program at once
    await opened.ended;
    if (troubleWith(store) === undefined) await store().close();
    return done;
  } catch (error) {
    return refused(asRefused(error), false);
  }
}

async function demoStore(): Promise<() => SessionStore> {
  const store = await demoSessions();
  return () => store;
}

/** How long sessions that could not be opened are left alone. */
const restMs = 1000;

/** A home may come to be while the page is open, and one that cannot be read now may be readable later; it is made by
 * nobody who only looks. */
function homeStore(): () => SessionStore {
  if (sharedStore() !== undefined) {
    const shared = ownSessions({ readOnly: true });
    return () => shared;
  }
  const home = homeFolder();
  const empty = memorySessions();
  let store: SessionStore | undefined;
  let failed: { error: unknown; until: number } | undefined;
  return () => {
    if (store) return store;
    if (!existsSync(join(home, 'sessions.db'))) return empty;
    if (failed && Date.now() < failed.until) throw failed.error;
    try {
      return (store = openSessions({ home, readOnly: true }));
    } catch (error) {
      failed = { error, until: Date.now() + restMs };
      throw error;
    }
  };
}

/** What keeps the sessions from being read; the page says it too, for as long as it lasts. */
function troubleWith(store: () => SessionStore): string | undefined {
  try {
    store();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
