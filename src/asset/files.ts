// Bytes in, one file per asset out: <folder>/<first two hex characters>/<sha256>. A file appears whole or not at all:
// it is written under a temporary name, synced, and renamed. Only the owner may read it.
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Asset, AssetId } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import { assetId, hashOf } from './hash.ts';
import type { AssetStore } from './store.ts';

const chunkBytes = 192 * 1024; // whole triples, so base64 never has to carry bytes from one chunk to the next

/** The store that survives the process; many processes may share one folder. */
export function fileAssets(folder: string): AssetStore {
  const pathOf = (id: AssetId): string | undefined => {
    const hash = hashOf(id);
    return hash === undefined ? undefined : join(folder, hash.slice(0, 2), hash);
  };

  return {
    async put(bytes, about): Promise<Asset> {
      const id = assetId(bytes);
      const path = pathOf(id);
      if (path === undefined) throw new SightlineError('bug', `${id} is not the name of an asset.`);
      if ((await sizeOf(path)) !== bytes.length) await write(path, bytes);
      return { id, size: bytes.length, ...about };
    },
    async has(id) {
      const path = pathOf(id);
      return path !== undefined && (await sizeOf(path)) !== undefined;
    },
    async get(id) {
      const path = pathOf(id);
      return path === undefined ? undefined : await unlessMissing(readFile(path));
    },
    async *stream(id) {
      const path = pathOf(id);
      const file = path === undefined ? undefined : await unlessMissing(open(path, 'r'));
      if (file === undefined) throw new SightlineError('storage', `The asset ${id} is gone.`);
      let next = chunkOf(file);
      try {
        for (;;) {
          const chunk = await next;
          if (chunk.length === chunkBytes) next = chunkOf(file); // read on while the reader works on this one
          if (chunk.length > 0) yield chunk;
          if (chunk.length < chunkBytes) return;
        }
      } finally {
        await next.catch(() => undefined); // a read that nobody waits for any more must end before its file is closed
        await file.close();
      }
    },
  };
}

/** The next chunk of a file, full unless the file ends. A new one each time: the reader may still hold the last. */
async function chunkOf(file: FileHandle): Promise<Uint8Array> {
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(chunk, length);
    length += bytesRead;
    if (bytesRead === 0 || length === chunk.length) return chunk.subarray(0, length);
  }
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  const shard = dirname(path);
  await mkdir(shard, { recursive: true, mode: 0o700 });
  const temporary = join(shard, `.${randomUUID()}`);
  try {
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
    throw new SightlineError('storage', `Could not store an asset in ${shard}.`, { cause: error });
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
