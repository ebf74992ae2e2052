// The body writer: a stream of exactly known length, byte for byte the JSON of the same body.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Asset, AssetId } from '../../src/content/block.ts';
import { contentLength, inline, outline, stream } from '../../src/wire/body.ts';
import type { BytesOf, Skeleton } from '../../src/wire/body.ts';
import { dataUri, slot } from '../../src/wire/json-slots.ts';

type Stored = { asset: Asset; bytes: Uint8Array; cuts: number[] };

const files: fc.Arbitrary<Stored> = fc
  .record({
    bytes: fc.uint8Array({ maxLength: 300 }),
    cuts: fc.array(fc.nat({ max: 300 }), { maxLength: 6 }),
    id: fc.uuid(),
  })
  .map(({ bytes, cuts, id }) => ({
    asset: { id: `sha256:${id}`, mediaType: 'image/png', size: bytes.length },
    bytes,
    cuts: cuts.toSorted((a, b) => a - b),
  }));

/** Gives the bytes in the drawn chunks, empty ones among them. */
function chunked(stored: readonly Stored[], wait: boolean): BytesOf {
  return async function* (id: AssetId) {
    const found = stored.find(({ asset }) => asset.id === id);
    if (!found) throw new Error('no such asset');
    let start = 0;
    for (const cut of [...found.cuts, found.bytes.length]) {
      if (wait) await Promise.resolve();
      yield found.bytes.slice(start, Math.max(start, cut));
      start = Math.max(start, cut);
    }
  };
}

/** Random JSON with slots in random places, and the fields that JSON leaves out. */
function bodies(stored: readonly Stored[]): fc.Arbitrary<unknown> {
  const slots = stored.flatMap(({ asset }) => [slot(asset), dataUri(asset), slot(asset, 'say "\u00e9\n')]);
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(undefined, null, true, 0, -0, 1.5, NaN, '', 'é😀', '\ud800', '"\\\u2028', ...slots),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.double(),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'body' },
      leaf,
      fc.array(tie('tree'), { maxLength: 4, depthIdentifier: 'body' }),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toString', '1', 'é')), tie('tree'), {
        maxKeys: 4,
        depthIdentifier: 'body',
      }),
    ),
  }));
  return fc.record({ first: tree, second: tree });
}

const worlds = fc
  .array(files, { maxLength: 3 })
  .chain((stored) => fc.record({ stored: fc.constant(stored), body: bodies(stored), wait: fc.boolean() }));

async function bytesIn(source: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(source as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

const gone: BytesOf = () => {
  throw new Error('gone');
};

const six: BytesOf = () => [new Uint8Array([1, 2, 3, 4, 5, 6])];

describe('a streamed body', () => {
  test('has the bytes of the JSON body and the length that was told before', async () => {
    const property = fc.asyncProperty(worlds, async ({ stored, body, wait }) => {
      const skeleton: Skeleton<unknown> = { skeleton: body };
      const whole = JSON.stringify(await inline(skeleton, chunked(stored, wait)));
      const streamed = await bytesIn(stream(skeleton, chunked(stored, wait)));
      expect(new TextDecoder().decode(streamed)).toBe(whole);
      expect(contentLength(skeleton)).toBe(streamed.length);
    });
    await fc.assert(property, { numRuns: 300, seed: 3 });
  });

  test.each<[string, unknown]>([
    ['a date', { at: new Date(0) }],
    ['a value with its own way into JSON', { at: { toJSON: () => ({ short: 1 }) } }],
    ['a function among fields', { keep: 1, run: () => 1 }],
    ['nested empties', { a: {}, b: [], c: [[]], d: [undefined] }],
  ])('spells %s as the JSON body does', async (_name, body) => {
    const whole = JSON.stringify(await inline({ skeleton: body }, () => []));
    expect(new TextDecoder().decode(await bytesIn(stream({ skeleton: body }, () => [])))).toBe(whole);
    expect(whole).toBe(JSON.stringify(body));
  });

  const asset: Asset = { id: 'sha256:00000000aa', mediaType: 'image/png', size: 6 };
  const skeleton = { skeleton: { before: 1, picture: slot(asset), after: 2 } };

  test.each([0, 5, 7])('fails when storage gives %i bytes instead of six', async (size) => {
    const wrong: BytesOf = () => [new Uint8Array(size)];
    await expect(inline(skeleton, wrong)).rejects.toThrow(/should have 6 bytes but has/);
    await expect(bytesIn(stream(skeleton, wrong))).rejects.toThrow(/should have 6 bytes but has/);
  });

  test('passes on that an asset is gone', async () => {
    await expect(inline(skeleton, gone)).rejects.toThrow('gone');
    await expect(bytesIn(stream(skeleton, gone))).rejects.toThrow('gone');
  });

  test('opens one asset ahead and no more, and lets go of all when it is cancelled', async () => {
    const log: string[] = [];
    const source: BytesOf = async function* () {
      log.push('opened');
      try {
        for (;;) yield new Uint8Array(3);
      } finally {
        log.push('released');
      }
    };
    const picture = slot({ ...asset, size: 3000 });
    const reader = stream({ skeleton: { pictures: [picture, picture, picture] } }, source).getReader();
    await reader.read();
    expect(log).toEqual(['opened']);
    await reader.read();
    expect(log).toEqual(['opened', 'opened']);
    await reader.cancel();
    expect(log).toEqual(['opened', 'opened', 'released', 'released']);
  });

  test('opens nothing until it is read', () => {
    const log: string[] = [];
    const body = stream({ skeleton: { picture: slot(asset) } }, () => {
      log.push('opened');
      return [];
    });
    expect(body.locked).toBe(false);
    expect(log).toEqual([]);
  });

  test('reads no further than it is asked to', async () => {
    let given = 0;
    const source: BytesOf = async function* () {
      for (let chunk = 0; chunk < 1000; chunk++) {
        given++;
        yield new Uint8Array(3);
      }
    };
    const reader = stream({ skeleton: { picture: slot({ ...asset, size: 3000 }) } }, source).getReader();
    for (let read = 0; read < 5; read++) await reader.read();
    expect(given).toBeLessThan(8);
    await reader.cancel();
  });

  test('can be written twice from one skeleton', async () => {
    const first = await bytesIn(stream(skeleton, six));
    expect(await bytesIn(stream(skeleton, six))).toEqual(first);
    expect(new TextDecoder().decode(first)).toBe('{"before":1,"picture":"AQIDBAUG","after":2}');
  });

  test('is outlined with the size and name of what stands there', async () => {
    const body = await outline({ skeleton: { url: dataUri({ ...asset, size: 3_000_000 }) } });
    expect(body).toEqual({ url: 'data:image/png;base64,<4,000,000 characters of base64, asset 00000000>' });
  });
});
