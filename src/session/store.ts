// The sessions of a home: `sessions.db` with the entries, `assets/` with the bytes, `locks/` with one file per session
// that was ever written to. Many processes may use one home at once.
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FileAssets } from '../asset/files.ts';
import { fileAssets } from '../asset/files.ts';
import { assetId } from '../asset/hash.ts';
import { memoryAssets } from '../asset/memory.ts';
import type { AssetStore } from '../asset/store.ts';
import { SightlineError } from '../content/refusal.ts';
import { leasedAssets } from './assets.ts';
import { explained, openDatabase, openForReading } from './database.ts';
import type { EntryId } from './entry.ts';
import type { Collected } from './gc.ts';
import { collect } from './gc.ts';
import type { EntryLog, Found, SessionInfo } from './log.ts';
import { memoryLog } from './memory-log.ts';
import type { Ground, SessionReader } from './reader.ts';
import { infoOf, readSession } from './reader.ts';
import type { Session } from './session.ts';
import { writeSession } from './session.ts';
import { gone } from './rows.ts';
import { sqliteLog } from './sqlite-log.ts';

export type SessionStore = {
  create(about?: { title?: string; model?: string }): Promise<Session>;
  /** For writing; one process at a time. */
  open(id: string): Promise<Session>;
  /** For looking; never blocked, never blocks. */
  read(id: string): Promise<SessionReader>;
  /** A new session that shares the past up to an entry, by default all of it. */
  fork(id: string, entry?: EntryId): Promise<Session>;
  /** The full id of the one session whose id begins like this. */
  resolve(beginning: string): Promise<string>;
  /** The newest first; sessions nothing was said in are left out. */
  list(): Promise<SessionInfo[]>;
  search(text: string, limit?: number): Promise<Found[]>;
  remove(id: string): Promise<void>;
  /** All assets of the home, for the program itself. Whoever acts for a model uses the `assets` of a session. */
  readonly assets: AssetStore;
  /** Removes assets that no session needs, and empty sessions. */
  gc(): Promise<Collected>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

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
const defaultQuota = 5 * 1024 ** 3;

/** Sessions on disk. */
export function openSessions(options: SessionsOptions): SessionStore {
  const { home, quotaBytes = defaultQuota, leaseMs = hour, now = Date.now } = options;
  const [file, folder, locks] = [join(home, 'sessions.db'), join(home, 'assets'), join(home, 'locks')];
  if (options.readOnly && !existsSync(file)) return memorySessions({ now });
  if (!options.readOnly) explained(file, () => mkdirSync(home, { recursive: true, mode: 0o700 }));
  const database = options.readOnly ? openForReading(file) : openDatabase(file);
  const log = sqliteLog(database, { file, locks });
  const files = fileAssets(folder);
  if (!options.readOnly) void files.sweep().catch(() => undefined); // tidying up may fail; work goes on

  const gc = async (roomBytes = 0): Promise<Collected> => {
    for (const { id, updated } of log.list().filter(isEmpty)) if (updated <= now() - 24 * hour) log.remove(id);
    return await collect(
      database,
      { file, folder, files },
      { quotaBytes: quotaBytes - roomBytes, leaseMs, now: now() },
    );
  };
  const total = database.prepare('SELECT coalesce(sum(size), 0) AS bytes FROM asset');
  const taken = (): number => explained(file, () => Number(total.get()?.['bytes'] ?? 0));
  return sessionsOver({ log, files: withinQuota(files, { quotaBytes, taken, gc }), now, gc: () => gc() });
}

/** Sessions that end with the program. */
export function memorySessions({ now = Date.now }: { now?: () => number } = {}): SessionStore {
  const nothing: Collected = { removed: 0, bytes: 0, left: 0, leftBytes: 0 };
  return sessionsOver({ log: memoryLog(), files: memoryAssets(), now, gc: async () => nothing });
}

type Parts = { log: EntryLog; files: AssetStore; now: () => number; gc: () => Promise<Collected> };

function sessionsOver({ log, files, now, gc }: Parts): SessionStore {
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
    async remove(id) {
      const unlock = log.lock(infoOf(log, id).id); // not while somebody writes to it
      try {
        log.remove(id);
      } finally {
        unlock();
      }
    },
    assets,
    gc,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function isEmpty({ messages, forkedFrom, title }: SessionInfo): boolean {
  return messages === 0 && !forkedFrom && title === undefined;
}

/** Twelve characters that are easy to read aloud: 60 random bits. */
function newId(): string {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz';
  return Array.from({ length: 12 }, () => letters[randomInt(letters.length)]).join('');
}

type Quota = { quotaBytes: number; taken: () => number; gc: (roomBytes: number) => Promise<Collected> };

/** The store that makes room when there is none left, and says so when that did not help. */
function withinQuota(files: FileAssets, { quotaBytes, taken, gc }: Quota): FileAssets {
  return {
    ...files,
    async put(bytes, about) {
      const isOver = taken() > quotaBytes && !(await files.has(assetId(bytes))); // its lease is already counted
      if (isOver && (await gc(bytes.length)).leftBytes + bytes.length > quotaBytes) {
        throw new SightlineError(
          'storage',
          `Assets take all of the ${Math.round(quotaBytes / 1e6)} MB they may take. Remove sessions with "sightline sessions rm", or raise the quota.`,
        );
      }
      return await files.put(bytes, about);
    },
  };
}
