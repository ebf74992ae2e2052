// What every store of assets promises, as tests: run them with any runner against a store of your own.
import assert from 'node:assert/strict';
import { encodeBase64Stream } from '../content/base64.ts';
import type { AssetId } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import { assetId } from './hash.ts';
import type { AssetStore } from './store.ts';

/** The `test` of a runner: vitest, jest, node:test. */
export type ContractTest = (name: string, work: () => Promise<void>) => unknown;

const about = { mediaType: 'image/png', name: 'a.png' };

const bytesOf = (size: number, seed = 1): Uint8Array => Uint8Array.from({ length: size }, (_, at) => (at * seed) % 251);

async function* inChunks(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function chunksOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of stream) all.push(chunk.slice());
  return all;
}

/**
 * Every test gets a new, empty store.
 *
 * @example
 * assetContract(test, () => myAssets(newFolder()));
 */
export function assetContract(test: ContractTest, make: () => AssetStore | Promise<AssetStore>): void {
  test('bytes come back whole under the hash of their bytes', async () => {
    const store = await make();
    const bytes = bytesOf(1000);
    const asset = await store.put(bytes, about);
    assert.deepEqual(asset, { id: assetId(bytes), size: 1000, ...about });
    assert.ok(Buffer.from((await store.get(asset.id)) ?? []).equals(bytes));
  });

  test('bytes that come in chunks are the same asset as all of them at once', async () => {
    const store = await make();
    const bytes = bytesOf(300_001, 3);
    const asset = await store.put(inChunks(bytes), about);
    assert.deepEqual(asset, { id: assetId(bytes), size: bytes.length, ...about });
    assert.deepEqual(await store.put(bytes, about), asset);
    assert.ok(Buffer.from((await store.get(asset.id)) ?? []).equals(bytes));
  });

  test('bytes that are not what their id says are refused, and nothing is stored', async () => {
    const store = await make();
    const [bytes, other] = [bytesOf(500), bytesOf(500, 7)];
    const id = assetId(other);
    for (const source of [bytes, inChunks(bytes)])
      await assert.rejects(store.put(source, { ...about, id }), SightlineError);
    assert.deepEqual(await store.missing([id, assetId(bytes)]), new Set([id, assetId(bytes)]));
    assert.deepEqual(await store.put(other, { ...about, id }), { id, size: 500, ...about });
  });

  test('a source that breaks leaves nothing', async () => {
    const store = await make();
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield bytesOf(10);
      throw new Error('the source broke');
    };
    await assert.rejects(store.put(broken(), about));
    assert.deepEqual(await store.missing([assetId(bytesOf(10))]), new Set([assetId(bytesOf(10))]));
  });

  test('the same bytes get the same id, one after the other or at once', async () => {
    const store = await make();
    const puts = await Promise.all(Array.from({ length: 12 }, () => store.put(bytesOf(5000), about)));
    puts.push(await store.put(bytesOf(5000), { mediaType: 'other/type' }));
    assert.equal(new Set(puts.map(({ id }) => id)).size, 1);
  });

  test('which of many are missing is told at once', async () => {
    const store = await make();
    const there = await Promise.all([1, 2, 3].map((seed) => store.put(bytesOf(100 * seed), about)));
    const gone = [assetId(bytesOf(7, 5)), 'sha256:../../../etc/passwd', 'sha256:'] as const;
    assert.deepEqual(await store.missing([...there.map(({ id }) => id), ...gone]), new Set<AssetId>(gone));
    assert.deepEqual(await store.missing([]), new Set());
    for (const id of gone) {
      assert.equal(await store.get(id), undefined);
      await assert.rejects(chunksOf(store.stream(id)), /is gone/);
    }
  });
  readingContract(test, make);
}

function readingContract(test: ContractTest, make: () => AssetStore | Promise<AssetStore>): void {
  test('a part of the bytes is that part', async () => {
    const store = await make();
    const bytes = bytesOf(600_000, 13);
    const { id } = await store.put(bytes, about);
    for (const [from, to] of [
      [0, 1],
      [5, 300_000],
      [599_990, 700_000],
      [600_000, 600_001],
      [700_000, 800_000],
      [10, 10],
      [10, 5],
    ] as const)
      assert.ok(Buffer.from((await store.get(id, { from, to })) ?? [1]).equals(bytes.subarray(from, to)));
    assert.ok(Buffer.from((await store.get(id, { from: 599_000 })) ?? []).equals(bytes.subarray(599_000)));
    assert.deepEqual(await chunksOf(store.stream(id, { from: 600_000 })), []);
    const rest = Buffer.concat(await chunksOf(store.stream(id, { from: 200_000 })));
    assert.ok(rest.equals(bytes.subarray(200_000)));
  });

  for (const size of [0, 1, 256 * 1024, 600_000])
    test(`${size} bytes stream whole in chunks of at most 256 KiB`, async () => {
      const store = await make();
      const bytes = bytesOf(size, 7);
      const { id } = await store.put(bytes, about);
      const chunks = await chunksOf(store.stream(id));
      assert.ok(chunks.every(({ length }) => length <= 256 * 1024));
      assert.ok(Buffer.concat(chunks).equals(bytes));
    });

  test('readers that are done with each chunk before they ask for the next get all of it, one after the other', async () => {
    const store = await make();
    for (const size of [500_000, 10, 192 * 1024, 400_000]) {
      const bytes = bytesOf(size, 11);
      const { id } = await store.put(bytes, about);
      assert.ok(Buffer.concat(await chunksOf(store.stream(id, { reuse: true }))).equals(bytes));
    }
  });

  test('many readers at once whose chunks are used again are served right', async () => {
    const store = await make();
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
    for (const [at, bytes] of contents.entries()) assert.ok(texts[at] === Buffer.from(bytes).toString('base64'));
  });

  test('a reader that is told to stop gets no more', async () => {
    const store = await make();
    const { id } = await store.put(bytesOf(2_000_000), about);
    const stop = new AbortController();
    const reading = (async () => {
      for await (const chunk of store.stream(id, { signal: stop.signal })) if (chunk.length > 0) stop.abort();
    })();
    await assert.rejects(reading, { name: 'AbortError' });
  });

  test('bytes do not change when the caller uses its buffer again', async () => {
    const store = await make();
    const bytes = bytesOf(100);
    const { id } = await store.put(bytes, about);
    bytes.fill(0);
    assert.equal(assetId((await store.get(id)) ?? new Uint8Array()), id);
  });
}
