// One contract, both stores.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileAssets } from '../../src/asset/files.ts';
import { assetId } from '../../src/asset/hash.ts';
import { memoryAssets } from '../../src/asset/memory.ts';
import type { AssetStore } from '../../src/asset/store.ts';
import { encodeBase64Stream } from '../../src/content/base64.ts';
import type { AssetId } from '../../src/content/block.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-assets-'));
const folder = (): string => mkdtempSync(join(scratch, 'store-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const bytesOf = (size: number, seed = 1): Uint8Array => Uint8Array.from({ length: size }, (_, at) => (at * seed) % 251);
const about = { mediaType: 'image/png', name: 'a.png' };
const missing = assetId(bytesOf(3, 77));

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

const stores: [string, () => AssetStore][] = [
  ['memory', () => memoryAssets()],
  ['files', () => fileAssets(folder())],
];

describe.each(stores)('assets in %s', (_name, make) => {
  test('come back byte for byte under the hash of their bytes', async () => {
    const store = make();
    const bytes = bytesOf(1000);
    const asset = await store.put(bytes, about);
    expect(asset).toEqual({ id: assetId(bytes), size: 1000, ...about });
    expect(await store.has(asset.id)).toBe(true);
    expect(Buffer.from((await store.get(asset.id)) ?? [])).toEqual(Buffer.from(bytes));
  });

  test('get the same id when put twice, one after the other or at once', async () => {
    const store = make();
    const ids = await Promise.all(Array.from({ length: 12 }, () => store.put(bytesOf(5000), about)));
    ids.push(await store.put(bytesOf(5000), { mediaType: 'other/type' }));
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
  });

  test.each([0, 1, 256 * 1024, 600_000])('of %i bytes stream whole in chunks of at most 256 KiB', async (size) => {
    const store = make();
    const bytes = bytesOf(size, 7);
    const { id } = await store.put(bytes, about);
    const chunks = await collect(store.stream(id));
    expect(Math.max(0, ...chunks.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });

  test('come whole to readers that are done with each chunk before they ask for the next, one after the other', async () => {
    const store = make();
    for (const size of [500_000, 10, 192 * 1024, 400_000]) {
      const bytes = bytesOf(size, 11);
      const { id } = await store.put(bytes, about);
      const copies: Uint8Array[] = [];
      for await (const chunk of store.stream(id, { reuse: true })) copies.push(chunk.slice());
      expect(Buffer.concat(copies).equals(bytes)).toBe(true);
    }
  });

  test('are encoded right by many readers at once whose chunks are used again', async () => {
    const store = make();
    const contents = Array.from({ length: 6 }, (_, at) => bytesOf(192 * 1024 + at * 7001 + 1, at + 2));
    const assets = await Promise.all(contents.map((bytes) => store.put(bytes, about)));
    const texts = await Promise.all(
      assets.map(async ({ id }) => {
        let text = '';
        for await (const chunk of encodeBase64Stream(store.stream(id, { reuse: true })))
          text += Buffer.from(chunk).toString('latin1');
        return text;
      }),
    );
    for (const [at, bytes] of contents.entries())
      expect(texts[at] === Buffer.from(bytes).toString('base64')).toBe(true);
  });

  test('do not change when the caller reuses its buffer', async () => {
    const store = make();
    const bytes = bytesOf(100);
    const { id } = await store.put(bytes, about);
    bytes.fill(0);
    expect(assetId((await store.get(id)) ?? new Uint8Array())).toBe(id);
  });

  test.each([missing, 'sha256:../../../etc/passwd', 'sha256:'] as const)(
    'that were never put are gone: %s',
    async (id) => {
      const store = make();
      expect(await store.has(id)).toBe(false);
      expect(await store.get(id)).toBeUndefined();
      await expect(collect(store.stream(id))).rejects.toThrow('is gone');
    },
  );
});

describe('assets in memory', () => {
  test('leave by age of last use when the bound is reached', async () => {
    const store = memoryAssets({ maxBytes: 250 });
    const [a, b, c] = [bytesOf(100, 2), bytesOf(100, 3), bytesOf(100, 5)].map((bytes) => ({
      bytes,
      id: assetId(bytes),
    }));
    if (a === undefined || b === undefined || c === undefined) throw new Error('three assets');
    await store.put(a.bytes, about);
    await store.put(b.bytes, about);
    await store.get(a.id);
    await store.put(c.bytes, about);
    expect(await Promise.all([a, b, c].map(({ id }) => store.has(id)))).toEqual([true, false, true]);
  });

  test('larger than the bound are an error, not a silent loss', async () => {
    await expect(memoryAssets({ maxBytes: 10 }).put(bytesOf(11), about)).rejects.toThrow('does not fit');
  });
});

describe('assets in files', () => {
  test('lie in shards, readable by their owner only, with nothing temporary left over', async () => {
    const root = folder();
    const store = fileAssets(root);
    const { id } = await store.put(bytesOf(10), about);
    const hash = id.slice('sha256:'.length);
    expect(readdirSync(join(root, hash.slice(0, 2)))).toEqual([hash]);
    expect(statSync(join(root, hash.slice(0, 2))).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, hash.slice(0, 2), hash)).mode & 0o777).toBe(0o600);
  });

  test('survive the store and are repaired when a file was cut', async () => {
    const root = folder();
    const bytes = bytesOf(5000);
    const { id } = await fileAssets(root).put(bytes, about);
    const hash = id.slice('sha256:'.length);
    writeFileSync(join(root, hash.slice(0, 2), hash), bytes.subarray(0, 10));
    await fileAssets(root).put(bytes, about);
    expect(assetId((await fileAssets(root).get(id)) ?? new Uint8Array())).toBe(id);
  });

  test('are verified by their hash; a damaged one is set aside and can be stored anew', async () => {
    const root = folder();
    const store = fileAssets(root);
    const { id } = await store.put(bytesOf(5000), about);
    expect([await store.verify(id), await store.verify(missing), await store.size(id)]).toEqual([
      'whole',
      'missing',
      5000,
    ]);
    const hash = id.slice('sha256:'.length);
    writeFileSync(join(root, hash.slice(0, 2), hash), bytesOf(5000, 3)); // the same size, other bytes
    expect(await store.verify(id)).toBe('damaged');
    await store.setAside(id);
    expect([await store.has(id), readdirSync(join(root, 'damaged'))]).toEqual([false, [hash]]);
    await store.put(bytesOf(5000), about);
    expect(await store.verify(id)).toBe('whole');
  });

  test('are listed and removed; nothing else in the folder is touched', async () => {
    const root = folder();
    const store = fileAssets(root);
    const ids = [(await store.put(bytesOf(10), about)).id, (await store.put(bytesOf(20), about)).id];
    writeFileSync(join(root, (ids[0] ?? '').slice(7, 9), 'notes.txt'), 'not an asset');
    const found: string[] = [];
    for await (const { id, size } of store.list()) found.push(`${id} ${size}`);
    expect(found.toSorted()).toEqual([`${ids[0]} 10`, `${ids[1]} 20`].toSorted());
    for (const id of [...ids, missing, 'sha256:../../x'] as const) store.remove(id);
    expect(readdirSync(join(root, (ids[0] ?? '').slice(7, 9)))).toEqual(['notes.txt']);
  });

  test('that went are told of: removed here, set aside, or missed by a reader', async () => {
    const root = folder();
    const store = fileAssets(root);
    const ids: AssetId[] = [];
    for (const size of [10, 20, 30, 40]) ids.push((await store.put(bytesOf(size), about)).id);
    const [removed = missing, aside = missing, stolen = missing, kept = missing] = ids;
    const told = [store.losses?.()];
    store.remove(removed);
    told.push(store.losses?.());
    await store.setAside(aside);
    told.push(store.losses?.());
    rmSync(join(root, stolen.slice(7, 9), stolen.slice(7)));
    await collect(store.stream(kept));
    told.push(store.losses?.());
    await expect(collect(store.stream(stolen))).rejects.toThrow('is gone');
    told.push(store.losses?.());
    expect(told).toEqual([0, 1, 2, 2, 3]);
  });

  test('leave nothing half-written: what dead writers left is swept, what living ones write is not', async () => {
    const root = folder();
    const store = fileAssets(root);
    await store.put(bytesOf(10), about);
    const dead = spawnSync(process.execPath, ['-e', '0']).pid;
    const name = '00000000-0000-4000-8000-000000000000';
    for (const file of [`${dead}-${name}`, `${process.pid}-${name}`, 'notes.txt'])
      writeFileSync(join(root, 'writing', file), '');
    expect(await store.sweep()).toBe(1);
    expect(readdirSync(join(root, 'writing')).toSorted()).toEqual([`${process.pid}-${name}`, 'notes.txt'].toSorted());
  });
});
