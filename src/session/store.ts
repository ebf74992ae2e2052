// The sessions of a home: `sessions.db` (or `sessions.jsonl`) with the entries, `assets/` with the bytes, `locks/` with one file per session
// that was ever written to. Many processes may use one home at once.
import { randomBytes, randomInt } from 'node:crypto';
import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileAssets } from '../asset/files.ts';
import { memoryAssets } from '../content/memory-assets.ts';
import type { AssetKeeper, AssetStore } from '../asset/store.ts';
import { isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import { leasedAssets } from './assets.ts';
import type { Storage } from './assets.ts';
import { explained, freeBytes, isFull, openDatabase, openForReading } from './log/database.ts';
import type { EntryId } from './entry.ts';
import type { Collected, CollectOptions } from './gc.ts';
import { collectAssets } from './gc.ts';
import type { Cursor, EntryLog, SearchHit, SessionInfo } from './log/port.ts';
import { gone, sessionsPerPage } from './log/port.ts';
import { thisHolder } from './log/holder.ts';
import { jsonLinesLog } from './log/json-lines.ts';
import { closeOpenCalls } from './open-calls.ts';
import { memoryLog } from './log/memory.ts';
import type { AssetId } from '../content/block.ts';
import type { UploadTable } from '../model/uploads/port.ts';
import type { Recorder } from '../record/record.ts';
import type { RequestTable } from '../record/table.ts';
import type { SessionPlace } from './move.ts';
import type { SessionParts, SessionReader } from './reader.ts';
import { infoOf, readSession } from './reader.ts';
import { recordingOver } from './recording.ts';
import type { Erased } from './removal.ts';
import { removalFrom, unusedConversations } from './removal.ts';
import type { RecordOptions } from './recording.ts';
import type { Session } from './session.ts';
import { writeSession } from './session.ts';
import { sqliteLog } from './log/sqlite.ts';
import { postgresAssets } from './log/postgres-assets.ts';
import { openPostgres } from './log/postgres-pool.ts';
import { postgresLogOver } from './log/postgres.ts';
import { s3Assets } from './s3-assets.ts';
import { makeFolder } from '../config/make-folder.ts';

/** The sessions of a home. */
export type SessionStore = {
  /** `id` and `created` are those of a session that comes from elsewhere; rejects for an id that is taken or none of ours. */
  create(about?: { title?: string; model?: string; id?: string; created?: number }): Promise<Session>;
  /** For writing; one process at a time. Whoever goes on for another machine waits: its lease lasts 15 seconds when it died. */
  open(id: string, options?: { waitMs?: number }): Promise<Session>;
  /** For looking; never blocked, never blocks. */
  read(id: string): Promise<SessionReader>;
  /** A new session that shares the past up to an entry, by default all of it. */
  fork(id: string, entry?: EntryId): Promise<Session>;
  /** The full id of the one session whose id begins like this; `last` is the newest. */
  resolve(beginning: string): Promise<string>;
  /** The newest first, at most `limit`, those that follow `before` in the list; sessions nothing was said in are left
   * out. */
  list(page?: { limit?: number; before?: Cursor }): Promise<SessionInfo[]>;
  /** Where these words were said, the newest first; with `before`, only entries before this one. */
  search(text: string, limit?: number, before?: EntryId): Promise<SearchHit[]>;
  /** A session, or a conversation that only requests tell of, with the media that nobody else needs. */
  remove(id: string): Promise<void>;
  /** Records requests that belong to no session: hand it to `sightlineFetch`, `answer` or `send`. */
  readonly recorder?: Recorder;
  /** What was asked of providers. */
  readonly requests?: RequestTable;
  /** Where uploads are written down, for all processes that use these sessions: `fileUploads({ table: store.uploads })`. */
  readonly uploads?: UploadTable;
  /** Uploaded media that no session needs any more: give them to `withdraw`. */
  unusedUploads(): Promise<ReadonlySet<AssetId>>;
  /** All assets of the home, for the program itself. Whoever acts for a model uses the `assets` of a session. */
  readonly assets: AssetStore;
  /** Asks where media are kept for one that nobody has; rejects in words when it cannot be asked. */
  ready(): Promise<void>;
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

/** How much sessions may take, and what is recorded. */
export type SessionBounds = {
  /** The most that assets may take; 5 GiB on a disk unless set, as much as there is elsewhere. */
  quotaBytes?: number;
  /** How long an asset is spared that was put and is named by no message yet; an hour unless set. */
  leaseMs?: number;
  /** What is recorded of the requests that a session's runs send. */
  requests?: RecordOptions;
  now?: () => number;
};

/** Sessions in a folder. */
export type FolderSessions = SessionBounds & {
  /** The folder; made when it is not there. */
  home: string;
  /** Looks and changes nothing; works on a disk that cannot be written. */
  readOnly?: boolean;
};

/** Sessions of many machines. */
export type SharedSessions = SessionBounds & {
  /** `postgres://name@host/database`; the password may come from `PGPASSWORD`. */
  url: string;
  /** `s3://bucket/prefix` for the bytes of media; in the database unless set. Keys come from the usual variables of AWS. */
  assets?: string;
  /** Files of this machine in front of a bucket; in the home, and 2 GiB, unless set. */
  cache?: { folder?: string; maxBytes?: number };
  /** Looks, and makes no tables. */
  readOnly?: boolean;
};

/** Where sessions are kept, and how much they may take. */
export type SessionsOptions = FolderSessions | SharedSessions;

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const defaultQuota = 5 * 1024 ** 3;

function homeOf({ home }: FolderSessions): string {
  if (typeof home === 'string' && home !== '') return home;
  throw new SightlineError(
    'input',
    "Sessions on disk need a folder: { home: '.sightline' }. memorySessions() needs none.",
  );
}

/**
 * Sessions on disk, or with `url` those of many machines in PostgreSQL.
 *
 * @example
 * await using store = openSessions({ home: '.sightline' });
 * await using session = await store.create();
 */
export function openSessions(options: SessionsOptions): SessionStore {
  const given = isRecord(options) ? options : ({} as SessionsOptions); // whoever forgot it reads what is needed
  return 'url' in given ? openShared(given) : openFolder(given);
}

/** A log and its assets, where they are: what sessions are made of, for those who move them. */
export function openPlace(options: SessionsOptions): SessionPlace & { assets: AssetKeeper } {
  if (!('url' in options)) {
    const { home, readOnly = false } = options;
    if (!readOnly) explained(home, () => makeFolder(home, 0o700));
    return { log: sqliteIn(options), assets: fileAssets(join(home, 'assets')) };
  }
  const { url, assets: bucket, cache, readOnly = false } = options;
  const database = openPostgres(url, { readOnly });
  const log = postgresLogOver(database);
  if (bucket === undefined) return { log, assets: postgresAssets(database) };
  const assets = s3Assets({ bucket, missing: (ids) => log.claims.missing(ids), ...(cache && { cache }) });
  return { log, assets };
}

function openShared(options: SharedSessions): SessionStore {
  const { url: _url, assets: _assets, cache: _cache, readOnly = false, ...bounds } = options;
  if (readOnly) bounds.requests = { record: 'off' };
  return sessionsOver({ ...openPlace(options), quotaBytes: Infinity, ...bounds });
}

function sqliteIn(options: FolderSessions): EntryLog {
  const { home, now = Date.now } = options;
  const [file, locks] = [join(home, 'sessions.db'), join(home, 'locks')];
  return sqliteLog(options.readOnly ? openForReading(file) : openDatabase(file), { file, locks, now });
}

function openFolder(options: FolderSessions): SessionStore {
  return sessionsIn(options, join(homeOf(options), 'sessions.db'), () => sqliteIn(options));
}

/**
 * Sessions on disk without SQLite: every entry is a line of one file, and one process uses a home at a time.
 *
 * @example
 * await using store = openJsonLines({ home: '.sightline' });
 */
export function openJsonLines(options: FolderSessions): SessionStore {
  const file = join(homeOf(options), 'sessions.jsonl');
  const { readOnly = false, now = Date.now } = options;
  return sessionsIn(options, file, () => jsonLinesLog(file, { readOnly, now }));
}

function sessionsIn(options: FolderSessions, file: string, open: () => EntryLog): SessionStore {
  const { home, readOnly, ...bounds } = options;
  if (readOnly && !existsSync(file)) return memorySessions(bounds.now ? { now: bounds.now } : {});
  if (readOnly) bounds.requests = { record: 'off' };
  if (!readOnly) explained(file, () => makeFolder(home, 0o700));
  const log = open();
  const assets = fileAssets(join(home, 'assets'));
  if (!readOnly) void assets.sweep().catch(() => undefined); // tidying up may fail; work goes on
  const store = sessionsOver({ log, assets, ...bounds });
  const spare = join(home, 'spare');
  if (!readOnly) keepSpare(spare);
  const onFullDisk = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!isFull(error) || !existsSync(spare)) throw error;
      rmSync(spare, { force: true });
      return await work();
    }
  };
  const gc: SessionStore['gc'] = async (what = {}) => {
    if (!what.dryRun) await assets.sweep();
    return await onFullDisk(() => store.gc(what));
  };
  return { ...store, gc, remove: (id) => onFullDisk(() => store.remove(id)) };
}

const spareBytes = 1024 * 1024;

/** Room that is given back when the disk is full, so that something can be removed: that writes, too. */
function keepSpare(file: string): void {
  if (existsSync(file) || (freeBytes(dirname(file)) ?? 0) < 8 * spareBytes) return;
  try {
    writeFileSync(file, randomBytes(spareBytes), { mode: 0o600 }); // zeros would take no room on some disks
  } catch {
    // without it all works but for removing on a disk that is full to its last byte
  }
}

/**
 * Sessions that end with the program.
 *
 * @example
 * await using session = await memorySessions().create();
 * await runAgent({ model, session, prompt: 'Hi.' });
 */
export function memorySessions(options: Pick<SessionBounds, 'now' | 'requests'> = {}): SessionStore {
  const { now = Date.now } = options;
  return sessionsOver({ log: memoryLog({ now }), assets: memoryAssets(), ...options });
}

/** What sessions are made of; a store that is no keeper is never collected. */
export type SessionsOver = SessionBounds & {
  log: EntryLog;
  assets: AssetStore | AssetKeeper;
};

/**
 * Sessions over a log and a store of your own; run `sightline/contract` against both.
 *
 * @example
 * await using store = sessionsOver({ log: myLog(), assets: fileAssets('assets') });
 */
export function sessionsOver(given: SessionsOver): SessionStore {
  if (!given.log?.claims || !given.assets?.put)
    throw new SightlineError('input', 'sessionsOver takes { log, assets }: an EntryLog and an AssetStore.');
  const { log, assets: files, quotaBytes = defaultQuota, leaseMs = hour, now = Date.now } = given;
  const collectMedia = async (what: Partial<CollectOptions>): Promise<Collected> =>
    'delete' in files
      ? await collectAssets(log.claims, files, { quotaBytes, leaseMs, without: [], now: now(), dryRun: false, ...what })
      : { ...nothing, damaged: nothing };
  const makeRoom: Storage['makeRoom'] = async (bytes) =>
    (await collectMedia({ quotaBytes: quotaBytes - bytes })).leftBytes;
  const storage: Storage = { claims: log.claims, files, quotaBytes, makeRoom };
  const assets = leasedAssets(storage);
  const recording = recordingOver(log.requests, assets, { ...given.requests, now });
  const parts: SessionParts = { log, storage, putHere: assets.putHere, recorder: recording?.recorder, now };
  const collectWithout = async (id: string): Promise<void> => void (await collectMedia({ without: [id] }));
  const removeWith = removalFrom({ log, files, leaseMs, now, collectWithout });
  const opened = new Set<() => Promise<void>>();
  const opens = async (id: string, waitMs = 0): Promise<Session> => {
    const session = await writeSession(id, parts, waitMs);
    const end = async (): Promise<void> => {
      await session.close();
      opened.delete(end); // nothing of a session that was closed is held on to
    };
    opened.add(end);
    return { ...session, close: end, [Symbol.asyncDispose]: end };
  };
  const close = async (): Promise<void> => {
    for (const end of opened) await end();
    await recording?.close();
    await log.close();
  };
  return {
    async create({ title, model, id = newId(), created = now() } = {}) {
      if (!isId(id)) throw new SightlineError('input', `"${id}" is no id of a session: ${idForm}.`);
      await log.create(id, created);
      const session = await opens(id);
      if (title !== undefined) await session.append({ type: 'title', title });
      if (model !== undefined) await session.append({ type: 'model', model });
      return session;
    },
    open: async (id, { waitMs = 0 } = {}) => await opens((await infoOf(log, id)).id, waitMs),
    read: async (id) => readSession((await infoOf(log, id)).id, parts),
    async fork(id, entry) {
      const rows = await log.read(id, { newest: 1, ...(entry !== undefined && { before: entry + 1 }) });
      const at = rows[0]?.id ?? 0;
      if (entry !== undefined && at !== entry)
        throw new SightlineError(
          'input',
          `Session ${id} has no entry ${entry}. See "sightline sessions show ${id} --raw".`,
        );
      const forked = newId();
      await log.create(forked, now(), { id, entry: at });
      const session = await opens(forked);
      await closeOpenCalls(session);
      return session;
    },
    async resolve(beginning) {
      if (beginning.toLowerCase() === 'last') return await newest(log); // no id has an l in it
      const found = await log.find(beginning.toLowerCase());
      const [first, second] = found;
      if (!first || beginning === '') throw gone(beginning);
      if (second && first.id !== beginning.toLowerCase())
        throw new SightlineError(
          'input',
          `Several sessions begin with ${beginning}. Write more of the id: ${found.map(({ id }) => id).join(', ')}.`,
        );
      return first.id;
    },
    list: (page) => spoken(log, page),
    search: (text, limit = 50, before) => log.search(text, { limit, ...(before !== undefined && { before }) }),
    remove: async (id) => void (await removeWith(id)),
    assets,
    ...(recording && { recorder: recording.recorder }),
    ...(log.requests && { requests: log.requests }),
    ready: async () => void (await files.get(`sha256:${'0'.repeat(64)}`)),
    ...(log.uploads && { uploads: log.uploads }),
    unusedUploads: async () => {
      const uploaded = ((await log.uploads?.rows()) ?? []).map(({ asset }) => asset);
      const needed = await log.claims.needed(uploaded);
      return new Set(uploaded.filter((id) => !needed.has(id)));
    },
    async gc({ unusedMs = Infinity, dryRun = false } = {}) {
      const old: SessionInfo[] = [];
      const erased: Erased[] = [];
      const isOld = (info: SessionInfo): boolean => info.updated <= now() - (isEmpty(info) ? day : unusedMs);
      for (const info of await sessionsThat(log, isOld)) {
        if (!(await isFree(log, info.id))) continue;
        const removed = dryRun ? nothing : await removeWith(info.id, isOld);
        if (!removed) continue;
        erased.push(removed);
        old.push(info);
      }
      if (!dryRun) await recording?.retain();
      for (const id of dryRun ? [] : await unusedConversations(log, now() - unusedMs))
        erased.push((await removeWith(id)) ?? nothing);
      const collected = await collectMedia({ without: old.map(({ id }) => id), dryRun });
      for (const { removed, bytes } of erased) {
        collected.removed += removed;
        collected.bytes += bytes;
      }
      return { ...collected, sessions: old.filter((info) => !isEmpty(info)).length };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const nothing = { removed: 0, bytes: 0, left: 0, leftBytes: 0 };

/** Whether nobody writes to it. On a full disk nobody can. */
async function isFree(log: EntryLog, id: string): Promise<boolean> {
  try {
    await log.release(await log.take(id, thisHolder()));
    return true;
  } catch (error) {
    return isFull(error);
  }
}

/** Those of a kind, found page by page: what goes meanwhile would shift the pages. */
async function sessionsThat(log: EntryLog, is: (info: SessionInfo) => boolean): Promise<SessionInfo[]> {
  const found: SessionInfo[] = [];
  for (let before: Cursor | undefined; ;) {
    const { sessions, next } = await log.list({ limit: longestPage, ...(before && { before }) });
    found.push(...sessions.filter(is));
    if (!next) return found;
    before = next;
  }
}

const longestPage = 1000;

/** Sessions in which something was said, page by page until there are enough. */
async function spoken(
  log: EntryLog,
  { limit = Infinity, before: start }: { limit?: number; before?: Cursor } = {},
): Promise<SessionInfo[]> {
  const found: SessionInfo[] = [];
  const most = Math.min(longestPage, Math.max(sessionsPerPage, limit));
  for (let before = start; ;) {
    const { sessions, next } = await log.list({ limit: most, ...(before && { before }) });
    found.push(...sessions.filter((info) => !isEmpty(info)));
    if (!next || found.length >= limit) return found.slice(0, limit);
    before = next;
  }
}

async function newest(log: EntryLog): Promise<string> {
  const [found] = await spoken(log, { limit: 1 });
  if (!found) throw new SightlineError('input', 'There is no conversation yet. Ask something first.');
  return found.id;
}

function isEmpty({ messages, forkedFrom, title }: SessionInfo): boolean {
  return messages === 0 && !forkedFrom && title === undefined;
}

const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const idForm = `twelve of the characters ${letters}`;

/** Twelve characters that are easy to read aloud: 60 random bits. */
function newId(): string {
  return Array.from({ length: 12 }, () => letters[randomInt(letters.length)]).join('');
}

/** An id names a file, too. */
function isId(id: string): boolean {
  return id.length === 12 && id.split('').every((letter) => letters.includes(letter));
}

/** What keeps us from writing there, such as `/home/ada/.sightline cannot be written`; nothing when we may. */
export function unwritable(home: string): string | undefined {
  const inside = ['sessions.db', 'assets', 'locks'].map((name) => join(home, name)).filter(isThere);
  if (isThere(home)) return [home, ...inside].map(hindrance).find((what) => what !== undefined);
  let above = dirname(home);
  while (!isThere(above) && above !== dirname(above)) above = dirname(above);
  const what = hindrance(above);
  return what === undefined ? undefined : `${home} cannot be made: ${what}`;
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function hindrance(path: string): string | undefined {
  if (!path.endsWith('.db') && !statSync(path).isDirectory()) return `${path} is no folder`;
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch {
    return `${path} cannot be written`;
  }
}
