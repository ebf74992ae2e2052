// Bytes, a stream or a file in, `Opened` out. Files are opened only after links are followed and the allowed folders
// checked, are checked again once they are open, read in bounded steps, and refused when they are no regular file.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { errorCode } from '../config/system.ts';
import type { Read, Refusal } from '../content/refusal.ts';
import { refuse, SightlineError } from '../content/refusal.ts';
import { safeName } from '../content/text.ts';

/** Bytes that are open for reading. `size` is known for files and bytes, claimed for responses, absent for streams. */
export type Opened = {
  name?: string;
  /** what it is declared to be */
  mediaType?: string;
  size?: number;
  /** the first bytes, fewer when there are no more */
  head(bytes: number): Promise<Uint8Array>;
  /** everything, or nothing when there is more than the bound */
  all(maxBytes: number): Promise<Uint8Array | undefined>;
  /** some bytes from the middle, where a source can be read so */
  part?: (start: number, length: number) => Promise<Uint8Array>;
  close(): Promise<void>;
};

/** `roots` are the only folders files may lie in, once links are followed; `base` is where relative paths begin. */
export type FileAccess = { roots?: readonly string[]; base?: string; signal?: AbortSignal };

/** Bytes that are already here. */
export function fromBytes(bytes: Uint8Array): Opened {
  return {
    size: bytes.length,
    head: async (length) => bytes.subarray(0, length),
    all: async (maxBytes) => (bytes.length > maxBytes ? undefined : bytes),
    close: async () => undefined,
  };
}

/** A stream, taken in only as far as it is needed; the rest of it is cancelled. */
export function fromStream(stream: ReadableStream<Uint8Array>, signal?: AbortSignal): Opened {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let [taken, done] = [0, false];
  const stop = (): void => void reader.cancel().catch(() => undefined); // its producer's trouble is no longer ours
  if (signal?.aborted === true) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  const take = async (until: number): Promise<Uint8Array> => {
    while (!done && taken < until) {
      const next = await reader.read().catch(brokeOff);
      done = next.done;
      if (next.value === undefined) continue;
      chunks.push(next.value);
      taken += next.value.length;
    }
    return Buffer.concat(chunks);
  };
  return {
    head: async (length) => (await take(length)).subarray(0, length),
    all: async (maxBytes) => {
      const bytes = await take(maxBytes + 1);
      return bytes.length > maxBytes ? undefined : bytes;
    },
    close: async () => {
      signal?.removeEventListener('abort', stop);
      if (!done) stop();
    },
  };
}

/** The failure of a producer or a disk is no bug of ours; whoever reads turns it into a refusal. */
export function brokeOff(cause: unknown): never {
  throw new SightlineError('input', 'The source broke off. Try again.', { cause });
}

/** A file by its path. What is shown of it is its name, never where it lies. */
export async function fromFile(path: string, { roots, base = process.cwd() }: FileAccess): Promise<Read<Opened>> {
  const name = safeName(basename(path));
  try {
    const real = await realpath(resolve(base, path));
    if (roots !== undefined && !(await liesIn(real, roots))) return outside(name);
    // Without following a link that appeared after the check, and without waiting for the other end of a pipe.
    const file = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    // A folder on the way may have been exchanged since: what is open now must lie inside, too.
    const inside = roots === undefined || (await isHeldTo(file, real, roots).catch(() => false));
    if (inside) return await regular(file, name);
    await file.close();
    return outside(name);
  } catch (error) {
    // What lies elsewhere is not even told apart by whether it exists.
    if (roots !== undefined && !(await liesIn(resolve(base, path), roots))) return outside(name);
    return pathRefusal(error, name, path);
  }
}

/** Whether an open file lies in the roots. The system tells where it lies, or it must still be the one at its path. */
async function isHeldTo(file: FileHandle, real: string, roots: readonly string[]): Promise<boolean> {
  const way = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (way !== undefined) return await liesIn(way, roots);
  const now = await realpath(real);
  const [opened, there] = await Promise.all([file.stat({ bigint: true }), lstat(now, { bigint: true })]);
  return opened.dev === there.dev && opened.ino === there.ino && (await liesIn(now, roots));
}

function outside(name: string): { ok: false; refusal: Refusal } {
  return refuse('not-allowed', `${name} lies outside the allowed folders`, 'Name a file inside them.');
}

async function regular(file: FileHandle, name: string): Promise<Read<Opened>> {
  const about = await file.stat();
  if (about.isFile()) {
    const part = (start: number, length: number): Promise<Uint8Array> => readUpTo(file, start, length);
    const head = (end: number): Promise<Uint8Array> => part(0, end);
    const all = async (maxBytes: number): Promise<Uint8Array | undefined> => {
      let bytes = await head(Math.min(maxBytes, about.size) + 1);
      // Files of the system, or one that is being written, hold more than their size says.
      if (bytes.length > about.size) bytes = await head(maxBytes + 1);
      return bytes.length > maxBytes ? undefined : bytes;
    };
    return { ok: true, value: { name, size: about.size, head, all, part, close: () => file.close() } };
  }
  await file.close();
  if (about.isDirectory()) return refuse('unsupported', `${name} is a folder`, 'Name a file inside it.');
  return refuse('unsupported', `${name} is no regular file`, 'Copy its content into a file, or pass it as a stream.');
}

async function readUpTo(file: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, start + filled).catch(brokeOff);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The root that a path lies in, as it is written or as its links resolve. */
export async function rootOf(path: string, roots: readonly string[]): Promise<string | undefined> {
  for (const root of roots) {
    for (const from of [resolve(root), await realpath(root).catch(() => resolve(root))]) {
      const way = relative(from, path);
      if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return from;
    }
  }
  return undefined;
}

async function liesIn(path: string, roots: readonly string[]): Promise<boolean> {
  return (await rootOf(path, roots)) !== undefined;
}

const missing = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ERR_INVALID_ARG_VALUE', 'ENXIO']);

function pathRefusal(error: unknown, name: string, path: string): { ok: false; refusal: Refusal } {
  const code = errorCode(error) ?? '';
  const isShort = path.split(sep).includes('~');
  const next = isShort ? 'Only a shell knows what ~ stands for: give the whole path.' : 'Check the path.';
  if (missing.has(code)) return refuse('not-found', `${name} does not exist`, next);
  if (code === 'EACCES' || code === 'EPERM') {
    return refuse('not-allowed', `${name} may not be read`, 'Change its permissions or name another file.');
  }
  throw new SightlineError('storage', `${name} could not be opened. Check that it is there and may be read.`, {
    cause: error,
  });
}
