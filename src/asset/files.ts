// Bytes in, one file per asset out: <folder>/<first two hex characters>/<sha256>. A file appears whole or not at all:
// it is written aside, synced, and renamed. Only the owner may read it. Whoever reads one that is not what it was gets
// nothing of it: it is hashed once per process, and again when the file has changed since.
import { fstatSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { open, readdir, readFile, rename, stat, unlink, utimes } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assetGone, chunkBytes, otherBytes } from '../content/asset-store.ts';
import type { Asset, AssetId } from '../content/block.ts';
import { hashIn } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import { syncFolder, systemDisk } from './disk.ts';
import type { Disk } from './disk.ts';
import { assetId, hashOf, newHash } from './hash.ts';
import type { AssetKeeper, AssetPlace, StoredFile, StreamOptions } from './store.ts';
import { makeFolder } from '../config/make-folder.ts';
import { errorCode, isRunning } from '../config/system.ts';

/** What those who look after a folder of assets need besides the store. */
export type FileAssets = AssetKeeper & {
  /** Removes what writers that died have left behind; gives back how many files that were. */
  sweep(): Promise<number>;
};

/**
 * The store that survives the process; many processes may share one folder.
 *
 * @example
 * const assets = fileAssets('.cache/assets');
 * await prepare(transcript, { model: 'openai/gpt-5.2', assets });
 */
export function fileAssets(folder: string, disk: Disk = systemDisk): FileAssets {
  checkFolder(folder);
  const aside = join(folder, writing);
  const pathOf = (id: AssetId): string | undefined => {
    const hash = hashOf(id);
    return hash === undefined ? undefined : join(folder, hash.slice(0, 2), hash);
  };
  const { known, learn } = hashMemory();

  const setAside = async (id: AssetId): Promise<void> => {
    const [path, hash] = [pathOf(id), hashOf(id)];
    if (path === undefined || hash === undefined) return;
    makeFolder(join(folder, damaged), 0o700);
    await unlessMissing(rename(path, join(folder, damaged, hash)));
    await unlessMissing(utimes(join(folder, damaged, hash), new Date(), new Date()));
  };
  /** Whoever asks next finds it gone, on a disk that cannot be written too. */
  const discard = async (id: AssetId, found: Stats): Promise<void> => {
    learn(id, found, false);
    await setAside(id).catch(() => undefined);
  };

  /** The same bytes again heal a file that was damaged. */
  const isStored = async (id: AssetId, bytes: Uint8Array): Promise<boolean> => {
    const path = pathOf(id);
    const found = path === undefined ? undefined : await unlessMissing(stat(path));
    if (path === undefined || found?.size !== bytes.length) return false;
    if (known(id, found) === true) return true;
    const stored = await unlessMissing(readFile(path));
    const isWhole = stored !== undefined && Buffer.compare(stored, bytes) === 0;
    if (isWhole) learn(id, found, true);
    else await discard(id, found);
    return isWhole;
  };

  // A conversation that goes on asks this of all its media: a promise of the file system costs ten times as much.
  const isGone = (id: AssetId): boolean => {
    const path = pathOf(id);
    const found = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    return found === undefined || known(id, found) === false;
  };

  const verify = async (id: AssetId): Promise<'whole' | 'missing' | 'damaged'> => {
    const path = pathOf(id);
    const file = path === undefined ? undefined : await unlessMissing(open(path, 'r'));
    if (file === undefined) return 'missing';
    try {
      const isWhole = (await digestOf(file)) === hashOf(id);
      learn(id, await file.stat(), isWhole);
      return isWhole ? 'whole' : 'damaged';
    } finally {
      await file.close();
    }
  };

  return {
    async put(source, { id: wanted, ...about }): Promise<Asset> {
      const made = source instanceof Uint8Array ? assetId(source) : wanted;
      if (made !== undefined && wanted !== undefined && made !== wanted) throw otherBytes(wanted);
      if (source instanceof Uint8Array && made !== undefined && (await isStored(made, source)))
        return { id: made, size: source.length, ...about };
      const { id, size, found } = await write(source, { folder, aside, disk, wanted: made });
      learn(id, found, true);
      return { id, size, ...about };
    },
    missing: async (ids) => new Set(ids.filter(isGone)),
    async get(id, range) {
      const path = pathOf(id);
      const file = path === undefined ? undefined : await unlessMissing(open(path, 'r'));
      if (!file) return undefined;
      try {
        const found = fstatSync(file.fd);
        if (known(id, found) === false) return undefined;
        if (range) return await partOf(file, range, found.size);
        const bytes = await file.readFile();
        if (known(id, found) === true) return bytes;
        if (assetId(bytes) !== id) {
          await discard(id, found);
          return undefined;
        }
        learn(id, found, true);
        return bytes;
      } finally {
        await file.close();
      }
    },
    async *stream(id, options) {
      const path = pathOf(id);
      const file = path === undefined ? undefined : await unlessMissing(open(path, 'r'));
      if (file === undefined) throw assetGone(id);
      const found = fstatSync(file.fd);
      const isWhole = known(id, found);
      const hash = isWhole === undefined && (options?.from ?? 0) === 0 ? newHash() : undefined;
      try {
        if (isWhole === false) throw broken(id);
        // Nobody gets the end of what is not whole, so no request with it in it is ever complete.
        yield* chunksOf(file, found.size, options, async (chunk, last) => {
          hash?.update(chunk);
          if (!last || !hash) return;
          if (hash.digest('hex') === hashOf(id)) return learn(id, found, true);
          await discard(id, found);
          throw broken(id);
        });
      } finally {
        await file.close();
      }
    },
    verify,
    setAside,
    async delete(ids, place = 'stored') {
      for (const id of ids) {
        const [path, hash] = [pathOf(id), hashOf(id)];
        if (path === undefined || hash === undefined) continue;
        await unlessMissing(unlink(place === 'stored' ? path : join(folder, damaged, hash)));
      }
    },
    list: (place = 'stored') => filesIn(folder, place),
    sweep: () => sweepIn(aside),
  };
}

/** The folders beside the shards: files that are being written, and files that were found damaged. */
const [writing, damaged] = ['writing', 'damaged'];

/** Files that bear the name of a hash. */
async function* filesIn(folder: string, place: AssetPlace): AsyncGenerator<StoredFile> {
  const shards = place === 'stored' ? ((await unlessMissing(readdir(folder))) ?? []) : [damaged];
  for (const shard of shards) {
    if (place === 'stored' && !/^[0-9a-f]{2}$/.test(shard)) continue;
    for (const hash of (await unlessMissing(readdir(join(folder, shard)))) ?? []) {
      const found = /^[0-9a-f]{64}$/.test(hash) ? await unlessMissing(stat(join(folder, shard, hash))) : undefined;
      if (found?.isFile()) yield { id: `sha256:${hash}`, size: found.size, modified: found.mtimeMs };
    }
  }
}

/** What writers that died have left behind goes: each names its files after its process. */
async function sweepIn(aside: string): Promise<number> {
  const names = (await unlessMissing(readdir(aside))) ?? [];
  const left = names.filter((name) => /^\d+-[0-9a-f-]{36}$/.test(name) && !isRunning(Number.parseInt(name, 10)));
  await Promise.all(left.map((name) => unlessMissing(unlink(join(aside, name)))));
  return left.length;
}

/** Chunks that nobody reads any more, for the next file. */
const spare: Uint8Array[] = [];
const mostSpare = 4;

/** A plain array of bytes: a `slice` of a `Buffer` would not be a copy. */
function newChunk(bytes = chunkBytes): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer);
}

/** The chunks of a file, the next one read while the reader works on one; `see` looks at each before that. */
async function* chunksOf(
  file: FileHandle,
  size: number,
  { reuse = false, from = 0, signal }: StreamOptions = {},
  see: (chunk: Uint8Array, last: boolean) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const buffers = reuse ? [spare.pop() ?? newChunk(), spare.pop() ?? newChunk()] : [];
  let left = Math.max(0, size - from);
  let turn = 0;
  const readOn = (): Promise<Uint8Array> => {
    signal?.throwIfAborted();
    const buffer = buffers[turn++ % 2] ?? newChunk(Math.min(left, chunkBytes));
    const chunk = chunkOf(file, buffer.subarray(0, left), size - left);
    left -= Math.min(left, buffer.length);
    return chunk;
  };
  let next = readOn();
  try {
    for (;;) {
      const chunk = await next;
      const last = left === 0 || chunk.length === 0;
      if (!last) next = readOn();
      await see(chunk, last);
      if (chunk.length > 0) yield chunk;
      if (!last) continue;
      if (spare.length < mostSpare) spare.push(...buffers); // whoever stops early may still look at them
      return;
    }
  } finally {
    await next.catch(() => undefined); // a read that nobody waits for any more must end before its file is closed
  }
}

async function digestOf(file: FileHandle): Promise<string> {
  const hash = newHash();
  for (let chunk = await chunkOf(file); chunk.length > 0; chunk = await chunkOf(file)) hash.update(chunk);
  return hash.digest('hex');
}

/** The next chunk of a file, full unless the file ends. A new one each time: the reader may still hold the last. */
async function chunkOf(file: FileHandle, chunk: Uint8Array = newChunk(), from?: number): Promise<Uint8Array> {
  let length = 0;
  for (;;) {
    const at = from === undefined ? null : from + length;
    const { bytesRead } = await file.read(chunk, length, chunk.length - length, at);
    length += bytesRead;
    if (bytesRead === 0 || length === chunk.length) return chunk.subarray(0, length);
  }
}

type WriteTarget = { folder: string; aside: string; disk: Disk; wanted: AssetId | undefined };

/** Aside, synced, under its name, and the name synced. */
async function write(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  { folder, aside, disk, wanted }: WriteTarget,
): Promise<{ id: AssetId; size: number; found: Stats }> {
  const temporary = join(aside, `${process.pid}-${crypto.randomUUID()}`);
  try {
    makeFolder(aside, 0o700);
    const { id, size } = await writeAside(source, temporary, disk);
    if (wanted !== undefined && wanted !== id) throw otherBytes(wanted);
    const hash = hashIn(id);
    const path = join(folder, hash.slice(0, 2), hash);
    makeFolder(dirname(path), 0o700);
    await disk.rename(temporary, path);
    await syncFolder(disk, dirname(path));
    await syncFolder(disk, folder);
    return { id, size, found: await stat(path) };
  } catch (error) {
    await unlink(temporary).catch(() => undefined); // it may never have been made; the first error is the one to tell
    if (error instanceof SightlineError) throw error;
    throw new SightlineError(
      'storage',
      `Could not store an asset in ${folder}${why(error)}. Make room there, or choose another folder.`,
      { cause: error },
    );
  }
}

async function writeAside(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  path: string,
  disk: Disk,
): Promise<{ id: AssetId; size: number }> {
  const file = await disk.open(path, 'wx', 0o600);
  try {
    const hash = newHash();
    let size = 0;
    for await (const chunk of source instanceof Uint8Array ? [source] : unbroken(source)) {
      hash.update(chunk);
      size += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
    return { id: `sha256:${hash.digest('hex')}`, size };
  } finally {
    await file.close();
  }
}

/** What breaks before all of it was read is no fault of the disk. */
async function* unbroken(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (cause) {
    if (cause instanceof SightlineError) throw cause;
    throw new SightlineError('storage', `The bytes of an asset broke off${why(cause)}. Give them again.`, { cause });
  }
}

function why(error: unknown): string {
  const code = errorCode(error);
  return code === undefined ? '' : ` (${code})`;
}

/** What was hashed by this process, as the file was then. */
function hashMemory(): {
  known: (id: AssetId, found: Stats) => boolean | undefined;
  learn: (id: AssetId, found: Stats, isWhole: boolean) => void;
} {
  const hashed = new Map<AssetId, { file: string; isWhole: boolean }>();
  return {
    known: (id, found) => {
      const before = hashed.get(id);
      return before?.file === stamp(found) ? before.isWhole : undefined;
    },
    learn: (id, found, isWhole) => void hashed.set(id, { file: stamp(found), isWhole }),
  };
}

/** A file as it was when it was hashed. Nobody can set back the time at which the system saw it change. */
function stamp({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}

function broken(id: AssetId): SightlineError {
  return new SightlineError('storage', `The asset ${id} is damaged. Store the same bytes again to heal it.`);
}

async function partOf(
  file: FileHandle,
  { from, to }: { from: number; to?: number },
  size: number,
): Promise<Uint8Array> {
  const length = Math.max(0, Math.min(to ?? size, size) - from);
  return await chunkOf(file, newChunk(length), from);
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function checkFolder(folder: unknown): void {
  if (typeof folder !== 'string' || folder === '')
    throw new SightlineError('input', "fileAssets takes the folder to keep files in: fileAssets('assets').");
}
