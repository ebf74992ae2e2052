// One contract, both stores.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileAssets } from '../../src/asset/files.ts';
import { assetContract } from '../../src/asset/contract.ts';
import { assetId } from '../../src/asset/hash.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/asset/store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-assets-'));
const folder = (): string => mkdtempSync(join(scratch, 'store-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const bytesOf = (size: number, seed = 1): Uint8Array => Uint8Array.from({ length: size }, (_, at) => (at * seed) % 251);
const about = { mediaType: 'image/png', name: 'a.png' };
const missing = assetId(bytesOf(3, 77));

const stores: [string, () => AssetStore][] = [
  ['memory', () => memoryAssets()],
  ['files', () => fileAssets(folder())],
];

describe.each(stores)('assets in %s', (_name, make) => {
  assetContract(test, make);
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
    expect(await store.missing([a.id, b.id, c.id])).toEqual(new Set([b.id]));
  });

  test('larger than the bound are an error, not a silent loss', async () => {
    await expect(memoryAssets({ maxBytes: 10 }).put(bytesOf(11), about)).rejects.toThrow('does not fit');
  });
});

async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield bytesOf(10);
  throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

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

  test('that break off on their way are not blamed on the disk', async () => {
    await expect(fileAssets(folder()).put(brokenOff(), about)).rejects.toThrow(
      'The bytes of an asset broke off (ECONNRESET). Give them again.',
    );
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
    expect([await store.verify(id), await store.verify(missing)]).toEqual(['whole', 'missing']);
    const hash = id.slice('sha256:'.length);
    writeFileSync(join(root, hash.slice(0, 2), hash), bytesOf(5000, 3)); // the same size, other bytes
    expect(await store.verify(id)).toBe('damaged');
    await store.setAside(id);
    expect([await store.missing([id]), readdirSync(join(root, 'damaged'))]).toEqual([new Set([id]), [hash]]);
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
    await store.delete([...ids, missing, 'sha256:../../x']);
    expect(readdirSync(join(root, (ids[0] ?? '').slice(7, 9)))).toEqual(['notes.txt']);
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
