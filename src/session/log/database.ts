// The one way to SQLite. Write-ahead log; a commit returns when it is on disk. What SQLite complains about leaves here
// as a sentence: what is wrong with which file, and what to do.
import { closeSync, existsSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { errorCode } from '../../config/system.ts';
import { isRecord } from '../../content/json.ts';
import { SightlineError } from '../../content/refusal.ts';
import { schemaSteps } from './migrations.ts';

/** Loaded when first needed, and without the warning of Node 22 that it is new there. */
export function sqlite(): { DatabaseSync: typeof DatabaseSync } {
  const emitWarning = process.emitWarning.bind(process) as (...given: unknown[]) => void;
  process.emitWarning = (...given: unknown[]): void => {
    if (!String(given[0]).includes('SQLite is an experimental feature')) emitWarning(...given);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

const busyMs = 10_000;
/** Who only looks waits for nobody but one that holds the whole file, and that takes its time. */
const lookMs = 2000;

/** Opens or makes the database, readable by its owner alone, in the shape of this version. */
export function openDatabase(file: string): DatabaseSync {
  return explained(file, () => {
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    const open = (alone: string): DatabaseSync => {
      const database = new (sqlite().DatabaseSync)(file, { timeout: busyMs });
      try {
        database.exec(`${alone}PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`);
        migrate(database, file);
        return database;
      } catch (error) {
        database.close();
        throw error;
      }
    };
    return unlessFull(() => open(''), () => open(withoutRoom)); // prettier-ignore
  });
}

/** What processes share about the log beside a database takes room; one that is alone can keep it in memory. */
const withoutRoom = 'PRAGMA locking_mode = EXCLUSIVE;';

function unlessFull(open: () => DatabaseSync, without: () => DatabaseSync): DatabaseSync {
  try {
    return open();
  } catch (error) {
    if (!isFull(error)) throw error;
    return without();
  }
}

/** Opens it for looking only; also on a disk that cannot be written. */
export function openForReading(file: string): DatabaseSync {
  return explained(file, () => {
    const { DatabaseSync: Database } = sqlite();
    const open = (options: { readOnly: boolean }, first: string): DatabaseSync => {
      const database = new Database(file, { ...options, timeout: lookMs });
      try {
        database.exec(first);
        if (versionOf(database) > schemaSteps.length) throw tooNew(file);
        if (database.prepare('SELECT 1 FROM sqlite_schema').get()) return database;
        database.close();
        return withoutSessions();
      } catch (error) {
        database.close();
        throw error;
      }
    };
    try {
      const alone = `${withoutRoom}PRAGMA query_only = ON;`;
      return unlessFull(() => open({ readOnly: true }, ''), () => open({ readOnly: false }, alone)); // prettier-ignore
    } catch (error) {
      // A log beside a database on such a disk cannot be opened; without one the file alone is all there is.
      if (codeOf(error) !== cantOpen || existsSync(`${file}-wal`)) throw error;
      const url = new URL(`${pathToFileURL(file).href}?immutable=1`);
      return new Database(url, { readOnly: true });
    }
  });
}

/** Stands for a database that somebody is about to fill, or could not: its disk was full. */
function withoutSessions(): DatabaseSync {
  const database = new (sqlite().DatabaseSync)(':memory:');
  migrate(database, ':memory:');
  return database;
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

function tooNew(file: string): SightlineError {
  return new SightlineError(
    'storage',
    `${file} was written by a newer version of sightline. Update sightline, or set SIGHTLINE_HOME to another folder.`,
  );
}

function migrate(database: DatabaseSync, file: string): void {
  if (versionOf(database) === schemaSteps.length) return;
  transaction(database, () => {
    const done = versionOf(database); // another process may have been quicker
    if (done > schemaSteps.length) throw tooNew(file);
    for (const step of schemaSteps.slice(done)) database.exec(step);
    database.exec(`PRAGMA user_version = ${schemaSteps.length}`);
  });
}

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** A statement that is compiled once. */
export function prepared(database: DatabaseSync, sql: string): StatementSync {
  let known = statements.get(database);
  if (!known) statements.set(database, (known = new Map()));
  let statement = known.get(sql);
  if (!statement) known.set(sql, (statement = database.prepare(sql)));
  return statement;
}

/** All of it or nothing. No reader waits for it; other writers do. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  prepared(database, 'BEGIN IMMEDIATE').run();
  try {
    const result = work();
    prepared(database, 'COMMIT').run();
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** For what others must see, but a power cut may forget: it does not wait for the disk. */
export function relaxed<T>(database: DatabaseSync, work: () => T): T {
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return work();
  } finally {
    database.exec('PRAGMA synchronous = FULL');
  }
}

const [busy, readOnly, ioError, corrupt, full, cantOpen, notADatabase] = [5, 8, 10, 11, 13, 14, 26];

/** The primary code of an error of SQLite. */
function codeOf(error: unknown): number | undefined {
  return isRecord(error) && typeof error['errcode'] === 'number' ? error['errcode'] & 0xff : undefined;
}

const [noShared, noShareds] = [4874, 5386]; // SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_SHMMAP

/** Whether it failed because somebody else writes. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === busy;
}

/** Whether it failed because the disk has no room. */
export function isFull(error: unknown): boolean {
  if (!isRecord(error)) return false;
  const { errcode, code, cause } = error;
  const isCode = codeOf(error) === full || errcode === noShared || errcode === noShareds;
  return isCode || code === 'ENOSPC' || code === 'EDQUOT' || (error instanceof SightlineError && isFull(cause));
}

/** Runs something with the database; what goes wrong there is told in words. */
export function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw inWords(file, error);
  }
}

/** The same for what takes its time. */
export async function explainedLater<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw inWords(file, error);
  }
}

/** What somebody hears who uses sessions after they were closed. */
export function closed(file: string, cause?: unknown): SightlineError {
  return new SightlineError('input', `${file} was closed. Open the sessions again before you use them.`, { cause });
}

/** What storing something small takes; what is larger needs as much again. */
const neededBytes = 1_000_000;

function fullDisk(file: string): string {
  const left = freeBytes(dirname(file));
  const free = left === undefined ? '' : ` (${Math.floor(left / 1000)} kB are free)`;
  const next = `Make room for at least ${neededBytes / 1e6} MB and try again`;
  return `The disk that holds ${file} is full${free}. ${next}: "sightline sessions gc" and "sessions rm" work on a full disk too. Nothing that was stored is lost.`;
}

/** What whoever runs this program may still write there. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

function inWords(file: string, error: unknown): unknown {
  const told = (what: string): SightlineError => new SightlineError('storage', what, { cause: error });
  if (!(error instanceof SightlineError) && isFull(error)) return told(fullDisk(file));
  switch (codeOf(error)) {
    case busy:
      return told(`${file} is in use by another process for too long. Try again when it is done.`);
    case readOnly:
      return told(`${file} cannot be written. Give yourself the right to write there, or set SIGHTLINE_HOME.`);
    case ioError:
      return told(`${file} could not be read or written. Check the disk and its free space.`);
    case cantOpen:
      return told(`${file} cannot be opened. Check that its folder exists and that you may write there.`);
    case corrupt:
    case notADatabase:
      return told(`${file} is damaged. Run "sightline sessions doctor --repair": it saves what can be read.`);
    case undefined:
      break;
    default:
      return error;
  }
  if (!isRecord(error) || error instanceof SightlineError) return error;
  const code = errorCode(error);
  if (code === 'ERR_INVALID_STATE') return closed(file, error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return told(`${file} cannot be written. Give yourself the right to write there, or set SIGHTLINE_HOME.`);
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return told(`The folder of ${file} is not a folder. Set SIGHTLINE_HOME to another one.`);
  if (code === 'ENOENT' && error['syscall'] === 'mkdir')
    return told(`No folder can be made at ${file}. Set SIGHTLINE_HOME to another one.`);
  return error;
}
