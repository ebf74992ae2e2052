// The log as a file of lines, for places without SQLite. Every change is one line of JSON that is on disk before it
// counts; opening reads them all into the log in memory, which answers every question. One process writes at a time.
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { isRecord } from '../../content/json.ts';
import { SightlineError } from '../../content/refusal.ts';
import { closed, explained } from './database.ts';
import type { EntryId } from '../entry.ts';
import type { EntryLog, NewRow } from './port.ts';
import { memoryLog } from './memory.ts';

type Change = 'create' | 'append' | 'remove' | 'lease';

/** A change with what its method was given; a line that is no such thing is kept and passed over. */
type Line = [Change, ...unknown[]];

export function jsonLinesLog(file: string, readOnly: boolean): EntryLog {
  const unlock = readOnly ? () => undefined : lockFile(`${file}.lock`, file);
  try {
    return openLog(file, readOnly, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function openLog(file: string, readOnly: boolean, unlock: () => void): EntryLog {
  const memory = memoryLog();
  let last: EntryId = 0;
  let isOpen = true;
  let handle = explained(file, () => openSync(file, readOnly ? 'r' : 'a+', 0o600));
  const replay = (line: Line): void => {
    const [change, ...given] = line;
    if (change === 'append') last = Math.max(last, (given[1] as NewRow | undefined)?.id ?? 0);
    try {
      Reflect.apply(memory[change], memory, given);
    } catch {
      // a line before it is damaged; what it belongs to is not there
    }
  };
  const stored = readFileSync(handle);
  const end = stored.lastIndexOf('\n') + 1;
  if (!readOnly && end < stored.length) ftruncateSync(handle, end); // a line that was never acknowledged
  linesIn(stored).flatMap(parsed).forEach(replay);

  const write = (line: Line, durable = true): void =>
    explained(file, () => {
      if (!isOpen) throw closed(file); // the number of its handle may be another file's by now
      if (readOnly) throw Object.assign(new Error('read only'), { code: 'EROFS' });
      const before = fstatSync(handle).size;
      try {
        writeWhole(handle, `${JSON.stringify(line)}\n`);
        if (durable) fdatasyncSync(handle);
      } catch (error) {
        ftruncateSync(handle, before);
        throw error;
      }
    });

  return {
    ...memory,
    create(id, time, from) {
      write(['create', id, time, ...(from ? [from] : [])]);
      memory.create(id, time, from);
    },
    append(id, row, ...rest) {
      memory.assets(id); // throws when there is no such session
      const numbered = { ...row, id: last + 1 };
      write(['append', id, numbered, ...rest]);
      last = memory.append(id, numbered, ...rest);
      return last;
    },
    lease(asset, time, session) {
      if (session !== undefined) memory.assets(session);
      write(['lease', asset, time, ...(session === undefined ? [] : [session])], false);
      memory.lease(asset, time, session);
    },
    remove(id) {
      memory.assets(id);
      write(['remove', id]);
      memory.remove(id);
      explained(file, () => {
        const kept = without(linesIn(readFileSync(file)));
        writeFileSync(`${file}.new`, kept.map((line) => `${line}\n`).join(''), { mode: 0o600, flush: true });
        renameSync(`${file}.new`, file);
        closeSync(handle);
        handle = openSync(file, 'a+', 0o600);
      });
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(handle);
      unlock();
    },
  };
}

/** What is left of the lines when sessions that were removed take theirs along, but for what their forks share. */
function without(lines: readonly string[]): string[] {
  const changes = lines.flatMap(parsed);
  const removed = new Set(changes.flatMap(([change, id]) => (change === 'remove' ? [id] : [])));
  const forks = changes.flatMap(([change, id, , from]) =>
    change === 'create' && isRecord(from) ? [{ id, of: from['id'], upTo: Number(from['entry']) }] : [],
  );
  const shared = (id: unknown): number =>
    removed.has(id)
      ? Math.max(-1, ...forks.flatMap((fork) => (fork.of === id && shared(fork.id) >= 0 ? [fork.upTo] : [])))
      : Infinity;
  return lines.flatMap((line) => {
    const [change] = parsed(line);
    if (!change) return [line];
    const [kind, id, given] = change;
    const session = kind === 'lease' ? change[3] : id;
    if (session === undefined || shared(session) === Infinity) return [line];
    if (kind === 'lease' || shared(session) < 0) return [];
    if (kind !== 'append' || !isRecord(given) || Number(given['id']) <= shared(session)) return [line];
    // Numbers and the title stay as they were; what was said goes.
    const { firstWords: _words, ...about } = isRecord(change[3]) ? change[3] : {};
    return [JSON.stringify([kind, id, { ...given, body: '' }, about, [], []])];
  });
}

/** What stands after the last end of a line is no line. */
function linesIn(stored: Buffer): string[] {
  return stored.toString('utf8').split('\n').slice(0, -1);
}

function parsed(line: string): Line[] {
  try {
    const value: unknown = JSON.parse(line);
    const isChange = Array.isArray(value) && ['create', 'append', 'remove', 'lease'].includes(String(value[0]));
    return isChange ? [value as unknown as Line] : [];
  } catch {
    return [];
  }
}

function writeWhole(handle: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
}

/** A file with the number of the process that made it; one whose process is gone counts for nothing. */
function lockFile(path: string, file: string): () => void {
  const own = `${path}.${process.pid}`;
  // It gets its name with its number already in it: nobody ever finds one without.
  const take = (): boolean => {
    try {
      writeFileSync(own, String(process.pid), { mode: 0o600 });
      linkSync(own, path);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(own, { force: true });
    }
  };
  return explained(file, () => {
    if (!take()) {
      const owner = Number(readFileSync(path, 'utf8'));
      if (isRunning(owner)) {
        throw new SightlineError(
          'storage',
          owner === process.pid
            ? `${file} is already open in this program. Use the sessions that are open.`
            : `${file} is open in process ${owner}. Close it there, or remove ${path} if that is another program.`,
        );
      }
      rmSync(path, { force: true });
      if (!take()) throw new SightlineError('storage', `${file} is being opened by another process. Try again.`);
    }
    return () => rmSync(path, { force: true });
  });
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
