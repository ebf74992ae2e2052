// The bytes of jobs and results lie in a file that exists in memory only, has no name, and is open in parent and child:
// through the channel between them they would go in many small pieces. Where there is no such file, they do.
import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

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
const mostBytes = 256 * 1024 * 1024;
/** So much of the memory is kept for the next job. */
const keptBytes = 32 * 1024 * 1024;
/** How deep in a message bytes may lie. */
const deepest = 6;
/** Linux's word for a file without a name. */
const unnamed = 0o20_000_000 | constants.O_DIRECTORY;

/** A new one, for a child to come. */
export function newShared(): Shared {
  const isNode = !('Deno' in globalThis) && process.versions.bun === undefined; // others may hand no descriptors on
  if (process.platform !== 'linux' || !isNode) return notShared;
  try {
    return sharedIn(openSync('/dev/shm', constants.O_RDWR | unnamed, 0o600));
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
        if (!(bytes instanceof Uint8Array) || bytes.length < fewBytes || end + bytes.length > mostBytes) return bytes;
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
      let end = 0;
      const taken = mapped(value, (place) => {
        if (!(place instanceof BigUint64Array)) return place;
        const [at, length] = [Number(place[0]), Number(place[1])];
        end = Math.max(end, at + length);
        return bytesAt(file, at, length);
      });
      if (end > keptBytes) ftruncateSync(file, 0);
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
    return false; // the memory is full, or what a program may have of it
  }
}

function bytesAt(file: number, at: number, length: number): Uint8Array {
  if (length > mostBytes) throw new RangeError('more bytes than anybody hands over');
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
  for (let done = 0; done < length;) {
    const read = readSync(file, bytes, done, length - done, at + done);
    if (read === 0) throw new RangeError('bytes that were handed over are gone');
    done += read;
  }
  return bytes;
}

/** The same value with other things in place of its typed arrays. */
function mapped(value: unknown, instead: (one: ArrayBufferView) => unknown, depth = deepest): unknown {
  if (ArrayBuffer.isView(value)) return instead(value);
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((one) => mapped(one, instead, depth - 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapped(one, instead, depth - 1)]));
}
