// The bytes of jobs and results lie in a file that exists in memory only, has no name, and is open in parent and child:
// through the channel between them they would go in many small pieces. Where there is no such file, they do.
import { closeSync, constants, ftruncateSync, openSync, readSync, statfsSync, writeSync } from 'node:fs';
import { types } from 'node:util';

/** One of the two reads when the other has written, and has said so through the channel. */
export type Shared = {
  /** its descriptor, for the child */
  file?: number;
  /** a value without its bytes, which are in the file then; those for which there is no room stay in it */
  put(value: object): object;
  /** the value as it was */
  take(value: unknown): unknown;
  close(): void;
};

/** Anything shorter is sent as fast as a place for it. */
const fewBytes = 16 * 1024;
/** In a container this memory is small, and browsers need it, too: more goes through the channel, and most is given back. */
const mostBytes = 16 * 1024 * 1024;
const keptBytes = 4 * 1024 * 1024;
/** How deep in a message bytes may lie. */
const deepest = 6;
/** Linux's word for a file without a name. */
const unnamed = 0o20_000_000 | constants.O_DIRECTORY;
const folder = '/dev/shm';
/** What Linux calls a file system that is in memory. */
const inMemory = 0x01021994;

/** A new one, for a child to come. */
export function newShared(): Shared {
  const isNode = !('Deno' in globalThis) && process.versions.bun === undefined; // others may hand no descriptors on
  if (process.platform !== 'linux' || !isNode) return notShared;
  try {
    if (statfsSync(folder).type !== inMemory) return notShared;
    return sharedIn(openSync(folder, constants.O_RDWR | unnamed, 0o600));
  } catch {
    return notShared;
  }
}

export const notShared: Shared = { put: (value) => value, take: (value) => value, close: () => undefined };

export function sharedIn(file: number): Shared {
  return {
    file,
    put(value) {
      let end = 0;
      const instead = (bytes: ArrayBufferView): unknown => {
        if (!types.isUint8Array(bytes) || bytes.length < fewBytes || end + bytes.length > mostBytes) return bytes;
        if (!isWritten(file, bytes, end)) return bytes;
        // What stands for bytes in the file: where they are, and how many. No job takes or gives such an array otherwise.
        const place = new BigUint64Array([BigInt(end), BigInt(bytes.length)]);
        end += bytes.length;
        return place;
      };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is mapped stays an object
      return mapped(value, instead) as object;
    },
    take(value) {
      let [end, total] = [0, 0];
      const taken = mapped(value, (place) => {
        if (!types.isBigUint64Array(place)) return place;
        const [at, length] = [Number(place[0]), Number(place[1])];
        total += length;
        if (!(total <= mostBytes)) throw new RangeError('more bytes than anybody hands over');
        end = Math.max(end, at + length);
        return bytesAt(file, at, length);
      });
      if (end > keptBytes) clear(file, 0);
      return taken;
    },
    close: () => closeSync(file),
  };
}

function isWritten(file: number, bytes: Uint8Array, at: number): boolean {
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, at + done);
    return true;
  } catch {
    clear(file, at); // the memory is full, or what a program may have of it
    return false;
  }
}

function clear(file: number, length: number): void {
  try {
    ftruncateSync(file, length);
  } catch {
    // What is not given back now is when the child ends.
  }
}

function bytesAt(file: number, at: number, length: number): Uint8Array {
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
  for (let done = 0; done < length;) {
    const read = readSync(file, bytes, done, length - done, at + done);
    if (read === 0) throw new RangeError('bytes that were handed over are gone');
    done += read;
  }
  return bytes;
}

/** The same value with other things in place of its typed arrays. What it has several times is looked at once. */
function mapped(value: unknown, instead: (one: ArrayBufferView) => unknown): unknown {
  const known = new Map<object, unknown>();
  const look = (one: unknown, depth: number): unknown => {
    if (typeof one !== 'object' || one === null || (depth === 0 && !ArrayBuffer.isView(one))) return one;
    const other = known.get(one) ?? made(one, depth);
    known.set(one, other);
    return other;
  };
  const made = (one: object, depth: number): unknown => {
    if (ArrayBuffer.isView(one)) return instead(one);
    if (Array.isArray(one)) return one.map((part) => look(part, depth - 1));
    if (!isPlain(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, look(part, depth - 1)]));
  };
  return look(value, deepest);
}

/** Also of another realm: what comes through the channel need not be of the one in which this runs. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return typeof prototype === 'object' && prototype !== null && Object.getPrototypeOf(prototype) === null;
}
