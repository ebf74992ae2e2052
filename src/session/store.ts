// The sessions of a home: `sessions.db` (or `sessions.jsonl`) with the entries, `assets/` with the bytes, `locks/` with one file per session
// that was ever written to. Many processes may use one home at once.
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileAssets } from '../asset/files.ts';
import { memoryAssets } from '../asset/memory.ts';
import type { AssetStore } from '../asset/store.ts';
import { SightlineError } from '../content/refusal.ts';
import { leasedAssets } from './assets.ts';
import { explained, openDatabase, openForReading } from './log/database.ts';
import type { EntryId } from './entry.ts';
import type { Collected } from './gc.ts';
import { collect } from './gc.ts';
import type { EntryLog, Found, SessionInfo } from './log/port.ts';
import { jsonLinesLog } from './log/json-lines.ts';
import { memoryLog } from './log/memory.ts';
import type { Collect } from './quota.ts';
import { withinQuota } from './quota.ts';
import type { Ground, SessionReader } from './reader.ts';
import { infoOf, readSession } from './reader.ts';
import type { Session } from './session.ts';
import { writeSession } from './session.ts';
import { gone } from './log/rows.ts';
import { sqliteLog } from './log/sqlite.ts';

/** The sessions of a home. */
export type SessionStore = {
  create(about?: { title?: string; model?: string }): Promise<Session>;
  /** For writing; one process at a time. */
  open(id: string): Promise<Session>;
  /** For looking; never blocked, never blocks. */
  read(id: string): Promise<SessionReader>;
  /** A new session that shares the past up to an entry, by default all of it. */
  fork(id: string, entry?: EntryId): Promise<Session>;
  /** The full id of the one session whose id begins like this; `last` is the newest. */
  resolve(beginning: string): Promise<string>;
  /** The newest first; sessions nothing was said in are left out. */
  list(): Promise<SessionInfo[]>;
  search(text: string, limit?: number): Promise<Found[]>;
  remove(id: string): Promise<void>;
  /** All assets of the home, for the program itself. Whoever acts for a model uses the `assets` of a session. */
  readonly assets: AssetStore;
  /** Removes assets that no session needs, empty sessions, and with `unusedMs` those that were not used for so long. */
  gc(options?: GcOptions): Promise<Collected & { sessions: number }>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** What goes besides what nobody needs. */
export type GcOptions = {
  unusedMs?: number;
  /** Says what would go and removes nothing. */
  dryRun?: boolean;
};

/** Where sessions are kept, and how much they may take. */
export type SessionsOptions = {
  /** The folder; made when it is not there. */
  home: string;
  /** The most that assets may take; 5 GiB unless set. */
  quotaBytes?: number;
  /** How long an asset is spared that was put and is named by no message yet; an hour unless set. */
  leaseMs?: number;
  /** Looks and changes nothing; works on a disk that cannot be written. */
  readOnly?: boolean;
  now?: () => number;
};

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const defaultQuota = 5 * 1024 ** 3;

/** Sessions on disk. */
export function openSessions(options: SessionsOptions): SessionStore {
  const { home } = options;
  const [file, locks] = [join(home, 'sessions.db'), join(home, 'locks')];
  return sessionsIn(options, file, () => {
    const database = options.readOnly ? openForReading(file) : openDatabase(file);
    return sqliteLog(database, { file, locks });
  });
}

/** Sessions on disk without SQLite: every entry is a line of one file, and one process uses a home at a time. */
export function openJsonLines(options: SessionsOptions): SessionStore {
  const file = join(options.home, 'sessions.jsonl');
  return sessionsIn(options, file, () => jsonLinesLog(file, options.readOnly ?? false));
}

function sessionsIn(options: SessionsOptions, file: string, open: () => EntryLog): SessionStore {
  const { home, readOnly, quotaBytes = defaultQuota, leaseMs = hour, now = Date.now } = options;
  if (readOnly && !existsSync(file)) return memorySessions({ now });
  if (!readOnly) explained(file, () => mkdirSync(home, { recursive: true, mode: 0o700 }));
  const log = open();
  const files = fileAssets(join(home, 'assets'));
  if (!readOnly) void files.sweep().catch(() => undefined); // tidying up may fail; work goes on
  const collectMedia: Collect = async ({ without = [], roomBytes = 0, dryRun = false }) => {
    const bounds = { quotaBytes: quotaBytes - roomBytes, leaseMs, now: now(), dryRun };
    return await collect(log.claims(without), files, bounds);
  };
  return sessionsOver({
    log,
    files: withinQuota(files, { quotaBytes, taken: () => log.assetBytes(), collectMedia }),
    now,
    collectMedia,
  });
}

/** Sessions that end with the program. */
export function memorySessions({ now = Date.now }: { now?: () => number } = {}): SessionStore {
  const none = { removed: 0, bytes: 0, left: 0, leftBytes: 0 };
  const collectMedia: Collect = async () => ({ ...none, damaged: none });
  return sessionsOver({ log: memoryLog(), files: memoryAssets(), now, collectMedia });
}

type Parts = { log: EntryLog; files: AssetStore; now: () => number; collectMedia: Collect };

function sessionsOver({ log, files, now, collectMedia }: Parts): SessionStore {
  const assets = leasedAssets(files, async (asset) => log.lease(asset, now()));
  const ground: Ground = { log, files, putHere: assets.putHere, now };
  const opened = new Set<Session>();
  const opens = (session: Session): Session => {
    opened.add(session);
    return session;
  };
  const close = async (): Promise<void> => {
    for (const session of opened) await session.close();
    log.close();
  };
  const removeLocked = (id: string, unlock: () => void): void => {
    try {
      log.remove(id);
    } finally {
      unlock();
    }
  };
  return {
    async create({ title, model } = {}) {
      const id = newId();
      log.create(id, now());
      const session = opens(writeSession(id, ground));
      if (title !== undefined) await session.append({ type: 'title', title });
      if (model !== undefined) await session.append({ type: 'model', model });
      return session;
    },
    async open(id) {
      return opens(writeSession(infoOf(log, id).id, ground));
    },
    async read(id) {
      return readSession(infoOf(log, id).id, ground);
    },
    async fork(id, entry) {
      const rows = log.read(id, { newest: 1, ...(entry !== undefined && { before: entry + 1 }) });
      const at = rows[0]?.id ?? 0;
      if (entry !== undefined && at !== entry)
        throw new SightlineError(
          'input',
          `Session ${id} has no entry ${entry}. See "sightline sessions show ${id} --raw".`,
        );
      const forked = newId();
      log.create(forked, now(), { id, entry: at });
      return opens(writeSession(forked, ground));
    },
    async resolve(beginning) {
      if (beginning.toLowerCase() === 'last') return newest(log); // no id has an l in it
      const found = log.find(beginning.toLowerCase());
      const [first, second] = found;
      if (!first || beginning === '') throw gone(beginning);
      if (second && first.id !== beginning.toLowerCase())
        throw new SightlineError(
          'input',
          `Several sessions begin with ${beginning}. Write more of the id: ${found.map(({ id }) => id).join(', ')}.`,
        );
      return first.id;
    },
    list: async () => log.list().filter((info) => !isEmpty(info)),
    search: async (text, limit = 50) => log.search(text, limit),
    remove: async (id) => removeLocked(id, log.lock(infoOf(log, id).id)), // not while somebody writes to it
    assets,
    async gc({ unusedMs = Infinity, dryRun = false } = {}) {
      const old = log.list().filter((info) => {
        if (info.updated > now() - (isEmpty(info) ? day : unusedMs)) return false;
        const unlock = lockIfFree(log, info.id);
        if (unlock && dryRun) unlock();
        else if (unlock) removeLocked(info.id, unlock);
        return unlock !== undefined;
      });
      const collected = await collectMedia({ without: old.map(({ id }) => id), dryRun });
      return { ...collected, sessions: old.filter((info) => !isEmpty(info)).length };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Nothing for a session that somebody writes to. */
function lockIfFree(log: EntryLog, id: string): (() => void) | undefined {
  try {
    return log.lock(id);
  } catch {
    return undefined;
  }
}

function newest(log: EntryLog): string {
  const found = log.list().find((info) => !isEmpty(info));
  if (!found) throw new SightlineError('input', 'There is no conversation yet. Ask something first.');
  return found.id;
}

function isEmpty({ messages, forkedFrom, title }: SessionInfo): boolean {
  return messages === 0 && !forkedFrom && title === undefined;
}

/** Twelve characters that are easy to read aloud: 60 random bits. */
function newId(): string {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz';
  return Array.from({ length: 12 }, () => letters[randomInt(letters.length)]).join('');
}
