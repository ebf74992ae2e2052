// The sessions of whoever uses the program: those of the home, or of the database that its settings name.
import { readSettings } from '../config/config.ts';
import { homeFolder } from '../config/home.ts';
import { openSessions } from '../session/store.ts';
import type { SessionBounds, SessionStore } from '../session/store.ts';

/** The database that sessions are in; undefined when they are in the home. */
export function sharedStore(): string | undefined {
  return readSettings().store.sessions;
}

/** Opens them where they are. */
export function ownSessions(options: Pick<SessionBounds, 'requests'> & { readOnly?: boolean } = {}): SessionStore {
  const { sessions: url, assets, cacheBytes } = readSettings().store;
  if (url === undefined) return openSessions({ home: homeFolder(), ...options });
  const cache = cacheBytes === undefined ? {} : { cache: { maxBytes: cacheBytes } };
  return openSessions({ url, ...(assets !== undefined && { assets }), ...cache, ...options });
}
