// Bytes in, one file per asset out: <folder>/<first two hex characters>/<sha256>. A file appears whole or not at all:
// it is written aside, synced, and renamed. Only the owner may read it. Damage is found by hashing the bytes again.
import { createHash, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Asset, AssetId } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import { assetId, hashOf } from './hash.ts';
import type { AssetStore } from './store.ts';

const chunkBytes = 192 * 1024; // whole triples, so base64 never has to carry bytes from one chunk to the next

export type StoredFile = { id: AssetId; size: number; modified: number };

/** What those who look after a folder of assets need besides the store. */
export type FileAssets = AssetStore & {
  /** The size of what is stored, without reading it. */
  size(id: AssetId): Promise<number | undefined>;
  /** Reads all of it and compares it with its name. */
  verify(id: AssetId): Promise<'whole' | 'missing' | 'damaged'>;
  /** Moves a damaged file out of the way, so that the same bytes can be stored anew. Nothing is deleted. */
  setAside(id: AssetId): Promise<void>;
  remove(id: AssetId): Promise<void>;
  list(): AsyncIterable<StoredFile>;
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
      // Every turn asks this of every medium of its conversation: a promise of the file system costs ten times as much.
      return path !== undefined && statSync(path, { throwIfNoEntry: false }) !== undefined;
    },
    async get(id) {
      const path = pathOf(id);
      return path === undefined ? undefined : await unlessMissing(readFile(path));
    },
    async *stream(id, { reuse = false } = {}) {
      const path = pathOf(id);
      const file = path === undefined ? undefined : await unlessMissing(open(path, 'r'));
      if (file === undefined) throw new SightlineError('storage', `The asset ${id} is gone.`);
      const buffers = reuse ? [newChunk(), newChunk()] : [];
      let turn = 0;
      let next = chunkOf(file, buffers[turn++ % 2]);
      try {
        for (;;) {
          const chunk = await next;
          if (chunk.length === chunkBytes) next = chunkOf(file, buffers[turn++ % 2]); // read on while the reader works on this one
          if (chunk.length > 0) yield chunk;
          if (chunk.length < chunkBytes) return;
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
      const hash = createHash('sha256');
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
    },
    async remove(id) {
      const path = pathOf(id);
      if (path !== undefined) await unlessMissing(unlink(path));
    },
    async *list() {
      for (const shard of (await unlessMissing(readdir(folder))) ?? []) {
        if (!/^[0-9a-f]{2}$/.test(shard)) continue;
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

/** The next chunk of a file, full unless the file ends. A new one each time: the reader may still hold the last. */
function newChunk(): Buffer {
  return Buffer.allocUnsafeSlow(chunkBytes);
}

async function chunkOf(file: FileHandle, chunk: Buffer = newChunk()): Promise<Uint8Array> {
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(chunk, length);
    length += bytesRead;
    if (bytesRead === 0 || length === chunk.length) return chunk.subarray(0, length);
  }
}

async function write(path: string, bytes: Uint8Array, aside: string): Promise<void> {
  const shard = dirname(path);
  const temporary = join(aside, `${process.pid}-${randomUUID()}`);
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
