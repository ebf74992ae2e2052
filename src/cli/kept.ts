// The sessions of whoever uses the program: those of the home, or of the database that its settings name.
import { readSettings } from '../config/config.ts';
import type { Settings } from '../config/config.ts';
import { homeFolder } from '../config/home.ts';
import { openSessions } from '../session/store.ts';
import type { SessionBounds, SessionsOptions, SessionStore } from '../session/store.ts';

/** The database that sessions are in; undefined when they are in the home. */
export function sharedStore(): string | undefined {
  return readSettings().store.sessions;
}

/** Where they are. */
export function ownPlace({ store }: Pick<Settings, 'store'> = readSettings()): SessionsOptions {
  const { sessions: url, assets, cacheBytes } = store;
  if (url === undefined) return { home: homeFolder() };
  const cache = cacheBytes === undefined ? {} : { cache: { maxBytes: cacheBytes } };
  return { url, ...(assets !== undefined && { assets }), ...cache };
}

/** Opens them there. */
export function ownSessions(options: Pick<SessionBounds, 'requests'> & { readOnly?: boolean } = {}): SessionStore {
  return openSessions({ ...ownPlace(), ...options });
}
