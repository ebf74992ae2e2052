// The log as a file of lines, for places without SQLite. Every change is one line of JSON that is on disk before it
// counts; opening reads them all into the log in memory, which answers every question. One process writes at a time.
import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { shortId } from '../../content/words.ts';
import type { Disk } from '../../asset/disk.ts';
import { syncFolder, systemDisk } from '../../asset/disk.ts';
import { errorCode, isRunning } from '../../config/system.ts';
import type { AssetId } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import { SightlineError } from '../../content/refusal.ts';
import { closed, explained, explainedLater } from './database.ts';
import type { EntryId } from '../entry.ts';
import type { Change, EntryLog, NewRow, Referred } from './port.ts';
import type { KeptRow, LogChange, MemoryState } from './memory.ts';
import { logOf, memoryState } from './memory.ts';

export type JsonLinesOptions = { readOnly: boolean; now: () => number; disk?: Disk };

/** The log over a file that this process alone writes to. */
export function jsonLinesLog(file: string, { readOnly, now, disk = systemDisk }: JsonLinesOptions): EntryLog {
  const unlock = readOnly ? () => undefined : lockFile(`${file}.lock`, file);
  try {
    const whole = explained(file, () => {
      if (!readOnly) closeSync(openSync(file, 'a', 0o600));
      const stored = readFileSync(file);
      const end = stored.lastIndexOf('\n') + 1;
      if (!readOnly && end < stored.length) truncateSync(file, end); // a line that was never acknowledged
      return stored;
    });
    const state = replayed(linesIn(whole).flatMap(parsed));
    return logOf(state, { now, ...writing(file, { readOnly, disk, unlock }) });
  } catch (error) {
    unlock();
    throw error;
  }
}

function replayed(changes: readonly LogChange[]): MemoryState {
  const state = memoryState();
  for (const change of changes) replay(state, change);
  return state;
}

function replay(state: MemoryState, line: LogChange): void {
  try {
    state.apply(line[0] === 'append' ? upgraded(state, line) : line);
  } catch {
    // a line before it is damaged; what it belongs to is not there
  }
}

/** Lines of the first version hold one row, what it changes, whom it refers to, and the short ids in its words. */
type FirstAppend = ['append', string, NewRow & { id: number }, Change?, Referred[]?, string[]?];

function upgraded(state: MemoryState, line: LogChange & { 0: 'append' }): LogChange {
  if (Array.isArray(line[2])) return line;
  const [, session, row, change = {}, referred = [], shortIds = []] = line as unknown as FirstAppend;
  const held = [...state.lineOf(session).held].filter((id) => shortIds.includes(shortId(id)));
  const refers = [...referred, ...held.map((id): Referred => ({ id, size: 0, by: 'message' }))];
  return ['append', session, [{ ...row, change, refers }], 1];
}

type Writing = { readOnly: boolean; disk: Disk; unlock: () => void };

/** Writes each change behind the others. */
function writing(
  file: string,
  { readOnly, disk, unlock }: Writing,
): { keep: (change: LogChange, durable: boolean) => Promise<void>; close: () => Promise<void> } {
  let isOpen = true;
  let handle: FileHandle | undefined;
  const opened = async (): Promise<FileHandle> => {
    if (handle) return handle;
    handle = await disk.open(file, 'a+', 0o600);
    await syncFolder(disk, dirname(file)); // without this a crash may forget the file with all that is in it
    return handle;
  };
  const write = async (change: LogChange, durable: boolean): Promise<void> => {
    const lines = await opened();
    const { size } = await lines.stat();
    try {
      await lines.appendFile(`${JSON.stringify(change)}\n`);
      if (durable) await lines.datasync();
    } catch (error) {
      await lines.truncate(size);
      throw error;
    }
  };
  const rewrite = async (kept: readonly string[]): Promise<void> => {
    const fresh = await disk.open(`${file}.new`, 'w', 0o600);
    try {
      try {
        await fresh.writeFile(kept.map((line) => `${line}\n`).join(''));
        await fresh.sync();
      } finally {
        await fresh.close();
      }
      await disk.rename(`${file}.new`, file);
    } catch (error) {
      rmSync(`${file}.new`, { force: true }); // it takes room that somebody waits for
      throw error;
    }
  };
  return {
    keep: (change, durable) =>
      explainedLater(file, async () => {
        if (!isOpen) throw closed(file);
        if (readOnly) throw Object.assign(new Error('read only'), { code: 'EROFS' });
        if (change[0] !== 'remove' && change[0] !== 'requests-gone') return await write(change, durable);
        // All at once: a removal of which only the line was stored would take along what is said after it.
        await rewrite(without([...linesIn(readFileSync(file)), JSON.stringify(change)]));
        await handle?.close();
        handle = undefined; // the next change opens the new one, and syncs the folder
        await opened();
      }),
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await handle?.close();
      unlock();
    },
  };
}

/** What is left of the lines when sessions that were removed take theirs along, but for what their forks share. */
function without(lines: readonly string[]): string[] {
  const changes = lines.flatMap(parsed);
  const { owners, removed, forks } = ownersOf(lines);
  const shared = (session: string): number =>
    removed.has(session)
      ? Math.max(-1, ...forks.flatMap(({ own, of, upTo }) => (of === session && shared(own) >= 0 ? [upTo] : [])))
      : Infinity;
  const linesOfRequest = requestLines(lines, owners, removed);
  const { descriptions, uploads } = replayed(changes);
  const uploaded = new Set([...uploads.values()].map((row) => JSON.stringify(row)));
  return lines.flatMap((line, at) => {
    const [change] = parsed(line);
    if (!change) return [line];
    if (change[0] === 'withdrawn') return [];
    if (change[0] === 'uploaded' && !uploaded.has(JSON.stringify(change[1]))) return [];
    if (change[0] === 'described' && descriptions.get(change[1]) !== change[2]) return [];
    if (change[0].startsWith('request')) return linesOfRequest(change, line);
    const session = owners[at];
    if (session === undefined || shared(session) === Infinity) return [line];
    if (change[0] === 'lease' || change[0] === 'once' || shared(session) < 0) return [];
    if (change[0] !== 'append') return [line];
    return [JSON.stringify(unspoken(change, shared(session)))];
  });
}

type Owners = {
  /** The session that each line is of. */
  owners: readonly (string | undefined)[];
  removed: ReadonlySet<string>;
  forks: readonly { own: string; of: string; upTo: EntryId }[];
};

/** Which session each line is of: one that began under the id of a removed one is another. */
function ownersOf(lines: readonly string[]): Owners {
  const begun = new Map<string, number>();
  const named = (id: string): string => `${begun.get(id) ?? 0} ${id}`;
  const removed = new Set<string>();
  const forks: { own: string; of: string; upTo: EntryId }[] = [];
  const owners = lines.map((line) => {
    const [change] = parsed(line);
    const id = change && sessionOf(change);
    if (!change || id === undefined) return undefined;
    if (change[0] === 'remove') removed.add(named(id));
    if (change[0] !== 'create') return named(id);
    const [, , , from] = change;
    const of = from && named(from.id);
    begun.set(id, (begun.get(id) ?? 0) + 1);
    if (from && of !== undefined) forks.push({ own: named(id), of, upTo: from.entry });
    return named(id);
  });
  return { owners, removed, forks };
}

/** What is left of a line about a request: nothing where its conversation or the request itself is gone. One that was rewritten
 * stands, as it is now, where it began. */
function requestLines(
  lines: readonly string[],
  owners: Owners['owners'],
  removed: Owners['removed'],
): (change: LogChange, line: string) => string[] {
  const gone = new Set<string>();
  const newest = new Map<string, LogChange>();
  for (const [at, line] of lines.entries()) {
    const [change] = parsed(line);
    if (change?.[0] === 'requests-gone') for (const id of change[1]) gone.add(id);
    if (change?.[0] !== 'request') continue;
    if (removed.has(owners[at] ?? '')) gone.add(change[1].id);
    else gone.delete(change[1].id); // one that came back
    newest.set(change[1].id, change);
  }
  for (const id of gone) newest.delete(id);
  return (change, line) => {
    if (change[0] === 'requests-gone') return [];
    if (change[0] === 'request-end') return gone.has(change[1]) ? [] : [line];
    if (change[0] !== 'request') return [line];
    const now = newest.get(change[1].id);
    newest.delete(change[1].id); // written once
    return now ? [JSON.stringify(now)] : [];
  };
}

function sessionOf(change: LogChange): string | undefined {
  if (change[0] === 'lease') return change[3];
  if (change[0] === 'request') return change[1].conversation;
  if (change[0] === 'once') return change[1].includes(' ') ? change[1].split(' ', 1)[0] : undefined;
  const [kind] = change;
  return kind === 'create' || kind === 'take' || kind === 'append' || kind === 'remove' ? change[1] : undefined;
}

/** Numbers and the title stay as they were; what was said after an entry goes. */
function unspoken(change: LogChange & { 0: 'append' }, upTo: number): unknown {
  const [kind, session, rows, ...rest] = change;
  const silent = (row: KeptRow): KeptRow => {
    if (row.id <= upTo) return row;
    const { firstWords: _words, ...about } = row.change ?? {};
    return { ...row, body: '', change: about, refers: [] };
  };
  if (Array.isArray(rows)) return [kind, session, rows.map(silent), ...rest];
  const [, , row, about] = change as unknown as FirstAppend;
  if (row.id <= upTo) return change;
  const { firstWords: _words, ...kept } = about ?? {};
  return [kind, session, { ...row, body: '' }, kept, [], []];
}

/** What stands after the last end of a line is no line. */
function linesIn(stored: Buffer): string[] {
  return stored.toString('utf8').split('\n').slice(0, -1);
}

const kinds = new Set(
  'create take append remove lease stored forget once described uploaded withdrawn request request-end requests-gone'.split(
    ' ',
  ),
);

/** A line that is no change is kept and passed over. */
function parsed(line: string): LogChange[] {
  try {
    const value: unknown = JSON.parse(line);
    if (!Array.isArray(value) || !kinds.has(String(value[0]))) return [];
    const [kind, given, ...rest] = value as unknown[];
    // The first version leased one asset at a time, and told nobody when it was stored.
    if (kind === 'lease' && isRecord(given))
      return [['lease', [given], ...rest] as unknown as LogChange, ['stored', [given['id'] as AssetId]]];
    return [value as unknown as LogChange];
  } catch {
    return [];
  }
}
/** A file with the number of the process that made it; one whose process is gone counts for nothing. */
function lockFile(path: string, file: string): () => void {
  return explained(file, () => {
    const owner = owned(path, file);
    if (owner === undefined) return () => rmSync(path, { force: true });
    throw new SightlineError(
      'storage',
      owner === process.pid
        ? `${file} is already open in this program. Use the sessions that are open.`
        : `${file} is open in process ${owner}. Close it there, or remove ${path} if that is another program.`,
    );
  });
}

/** Takes a lock, or says which process has it. The lock of a dead process is taken over by the one that first claims this
 * very lock, by its token: whoever read it as well, and comes later, finds another token in its place. */
function owned(path: string, file: string): number | undefined {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, `${process.pid} ${crypto.randomUUID()}`, { mode: 0o600 });
  try {
    linkSync(own, path); // it gets its name with its number already in it: nobody ever finds one without
    return undefined;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const [owner, token] = ownerOf(path);
    if (isRunning(owner)) return owner;
    const claim = `${path}.${token}`;
    const rival = owned(claim, file);
    if (rival !== undefined || ownerOf(path)[1] !== token) {
      if (rival === undefined) rmSync(claim, { force: true });
      throw new SightlineError('storage', `${file} is being opened by another process. Try again.`);
    }
    renameSync(own, path);
    rmSync(claim, { force: true });
    return undefined;
  } finally {
    rmSync(own, { force: true });
  }
}

/** The first version wrote no token. */
function ownerOf(path: string): [processId: number, token: string] {
  const [owner = '', token = 'first'] = existsSync(path) ? readFileSync(path, 'utf8').split(' ') : [];
  return [Number(owner), token];
}
