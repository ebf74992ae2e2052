// Bytes in, one file per asset out: <folder>/<first two hex characters>/<sha256>. A file appears whole or not at all:
// it is written aside, synced, and renamed. Only the owner may read it. Damage is found by hashing the bytes again.
import { fstatSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, stat, unlink, utimes } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Asset, AssetId } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import { assetId, hashOf, newHash } from './hash.ts';
import type { AssetStore } from './store.ts';

const chunkBytes = 192 * 1024; // whole triples, so base64 never has to carry bytes from one chunk to the next

export type StoredFile = { id: AssetId; size: number; modified: number };

/** What is stored, or what was found damaged and set aside; there, `modified` is when that was. */
export type Place = 'stored' | 'damaged';

/** What those who look after a folder of assets need besides the store. */
export type FileAssets = AssetStore & {
  /** The size of what is stored, without reading it. */
  size(id: AssetId): Promise<number | undefined>;
  /** Reads all of it and compares it with its name. */
  verify(id: AssetId): Promise<'whole' | 'missing' | 'damaged'>;
  /** Moves a damaged file out of the way, so that the same bytes can be stored anew. Nothing is deleted. */
  setAside(id: AssetId): Promise<void>;
  /** At once, so that it can be done under a lock. */
  remove(id: AssetId, place?: Place): void;
  list(place?: Place): AsyncIterable<StoredFile>;
  /** Removes what writers that died have left behind; gives back how many files that were. */
  sweep(): Promise<number>;
};

/** The store that survives the process; many processes may share one folder. */
export function fileAssets(folder: string): FileAssets {
  const aside = join(folder, writing);
  const pathOf = (id: AssetId): string | undefined => {
    const hash = hashOf(id);
    return hash === undefined ? undefined : join(folder, hash.slice(0, 2), hash);
  };
  let losses = 0;

  return {
    async put(bytes, about): Promise<Asset> {
      const id = assetId(bytes);
      const path = pathOf(id);
      if (path === undefined) throw new SightlineError('bug', `${id} is not the name of an asset.`);
      if ((await sizeOf(path)) !== bytes.length) await write(path, bytes, aside);
      return { id, size: bytes.length, ...about };
    },
    async has(id) {
      const path = pathOf(id);
      // A conversation that goes on asks this of all its media: a promise of the file system costs ten times as much.
      return path !== undefined && statSync(path, { throwIfNoEntry: false }) !== undefined;
    },
    async get(id) {
      const path = pathOf(id);
      return path === undefined ? undefined : await unlessMissing(readFile(path));
    },
    async *stream(id, { reuse = false } = {}) {
      const path = pathOf(id);
      const file = path === undefined ? undefined : await unlessMissing(open(path, 'r'));
      if (file === undefined) {
        losses++; // somebody else has removed it
        throw new SightlineError('storage', `The asset ${id} is gone.`);
      }
      const buffers = reuse ? [spare.pop() ?? newChunk(), spare.pop() ?? newChunk()] : [];
      let left = fstatSync(file.fd).size;
      let turn = 0;
      const readOn = (): Promise<Uint8Array> => {
        const buffer = buffers[turn++ % 2] ?? newChunk(Math.min(left, chunkBytes));
        const chunk = chunkOf(file, buffer.subarray(0, left));
        left -= Math.min(left, buffer.length);
        return chunk;
      };
      let next = readOn();
      try {
        for (;;) {
          const chunk = await next;
          const last = left === 0 || chunk.length === 0;
          if (!last) next = readOn(); // while the reader works on this one
          if (chunk.length > 0) yield chunk;
          if (!last) continue;
          if (spare.length < mostSpare) spare.push(...buffers); // whoever stops early may still look at them
          return;
        }
      } finally {
        await next.catch(() => undefined); // a read that nobody waits for any more must end before its file is closed
        await file.close();
      }
    },
    async size(id) {
      const path = pathOf(id);
      return path === undefined ? undefined : await sizeOf(path);
    },
    async verify(id) {
      const path = pathOf(id);
      const file = path === undefined ? undefined : await unlessMissing(open(path, 'r'));
      if (file === undefined) return 'missing';
      const hash = newHash();
      try {
        for (let chunk = await chunkOf(file); chunk.length > 0; chunk = await chunkOf(file)) hash.update(chunk);
      } finally {
        await file.close();
      }
      return hash.digest('hex') === hashOf(id) ? 'whole' : 'damaged';
    },
    async setAside(id) {
      const [path, hash] = [pathOf(id), hashOf(id)];
      if (path === undefined || hash === undefined) return;
      await mkdir(join(folder, damaged), { recursive: true, mode: 0o700 });
      await unlessMissing(rename(path, join(folder, damaged, hash)));
      await unlessMissing(utimes(join(folder, damaged, hash), new Date(), new Date()));
      losses++;
    },
    remove(id, place = 'stored') {
      const [path, hash] = [pathOf(id), hashOf(id)];
      if (path === undefined || hash === undefined) return;
      rmSync(place === 'stored' ? path : join(folder, damaged, hash), { force: true });
      if (place === 'stored') losses++;
    },
    losses: () => losses,
    async *list(place = 'stored') {
      const shards = place === 'stored' ? ((await unlessMissing(readdir(folder))) ?? []) : [damaged];
      for (const shard of shards) {
        if (place === 'stored' && !/^[0-9a-f]{2}$/.test(shard)) continue;
        for (const hash of (await unlessMissing(readdir(join(folder, shard)))) ?? []) {
          const found = /^[0-9a-f]{64}$/.test(hash) ? await unlessMissing(stat(join(folder, shard, hash))) : undefined;
          if (found?.isFile()) yield { id: `sha256:${hash}`, size: found.size, modified: found.mtimeMs };
        }
      }
    },
    async sweep() {
      const names = (await unlessMissing(readdir(aside))) ?? [];
      const left = names.filter((name) => /^\d+-[0-9a-f-]{36}$/.test(name) && !isRunning(Number.parseInt(name, 10)));
      await Promise.all(left.map((name) => unlessMissing(unlink(join(aside, name)))));
      return left.length;
    },
  };
}

/** The folders beside the shards: files that are being written, and files that were found damaged. */
const [writing, damaged] = ['writing', 'damaged'];

/** Whether the process that named a file after itself may still be writing it. */
function isRunning(processId: number): boolean {
  if (processId === process.pid) return true;
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Chunks that nobody reads any more, for the next file. */
const spare: Uint8Array[] = [];
const mostSpare = 4;

/** A plain array of bytes: a `slice` of a `Buffer` would not be a copy. */
function newChunk(bytes = chunkBytes): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer);
}

/** The next chunk of a file, full unless the file ends. A new one each time: the reader may still hold the last. */
async function chunkOf(file: FileHandle, chunk: Uint8Array = newChunk()): Promise<Uint8Array> {
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(chunk, length);
    length += bytesRead;
    if (bytesRead === 0 || length === chunk.length) return chunk.subarray(0, length);
  }
}

async function write(path: string, bytes: Uint8Array, aside: string): Promise<void> {
  const shard = dirname(path);
  const temporary = join(aside, `${process.pid}-${crypto.randomUUID()}`);
  try {
    await mkdir(shard, { recursive: true, mode: 0o700 });
    await mkdir(aside, { recursive: true, mode: 0o700 });
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined); // it may never have been made; the first error is the one to tell
    const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new SightlineError('storage', `Could not store an asset in ${shard}${why}.`, { cause: error });
  }
  await syncFolder(shard);
  await syncFolder(dirname(shard));
}

/** Without this a crash may forget the new name although the bytes are on disk. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open a folder for syncing
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await unlessMissing(stat(path)))?.size;
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
