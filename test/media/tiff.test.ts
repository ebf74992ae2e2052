import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { ReadOptions } from '../../src/media/index.ts';
import { read } from '../../src/media/index.ts';
import { tiffHeader } from '../../src/media/image/format/tiff.ts';
import { noise, plain, quarters } from './make.ts';

const assets = memoryAssets();

/** Three pages in three greys, the first one the darkest. */
async function pages(): Promise<Buffer> {
  const data = Buffer.concat([50, 120, 250].map((grey) => Buffer.alloc(20 * 10 * 3, grey)));
  return await sharp(data, { raw: { width: 20, height: 30, channels: 3, pageHeight: 10 } })
    .tiff()
    .toBuffer();
}

async function greys(bytes: Buffer, options: ReadOptions = {}): Promise<[grey: number, made: string | undefined][]> {
  const result = await read(bytes, { assets, name: 'scan.tif', ...options });
  if (!result.ok) throw new Error(JSON.stringify(result.refusal));
  return await Promise.all(
    result.value.blocks
      .filter(({ type }) => type !== 'text')
      .map(async (block) => {
        if (block.type !== 'image') throw new Error('no picture');
        const [grey = -1] = await sharp(await assets.get(block.asset.id))
          .raw()
          .toBuffer();
        return [grey, block.origin?.made];
      }),
  );
}

describe('a TIFF with pages', () => {
  test('shows the first one and says how many there are', async () => {
    expect(await greys(await pages())).toEqual([[50, 'page 1 of 3; converted from TIFF']]);
  });

  test('is shown to its end by the notes alone, to a model and at the terminal', async () => {
    const bytes = await pages();
    let options: ReadOptions = {};
    const seen: string[] = [];
    for (let call = 0; call < 5; call += 1) {
      const result = await read(bytes, { assets, name: 'scan.tif', ...options });
      if (!result.ok) throw new Error(JSON.stringify(result.refusal));
      const [note] = result.value.blocks;
      const words = note?.type === 'text' ? note.text : '';
      expect(result.value.output.startsWith(`${words}\n[Image: scan.tif`)).toBe(true);
      seen.push(
        words,
        ...result.value.blocks.slice(1).map((block) => (block.type === 'image' && block.origin?.made) || ''),
      );
      const [, next] = /Use page_start=(\d+) to continue/.exec(words) ?? [];
      if (next === undefined) break;
      options = { page_start: Number(next), page_end: Number(next) + 1 };
    }
    expect(seen).toEqual([
      '[Showing pages 1-1 of 3. Use page_start=1 to continue.]',
      'page 1 of 3; converted from TIFF',
      '[Showing pages 2-2 of 3. Use page_start=2 to continue.]',
      'page 2 of 3; converted from TIFF',
      '[Showing pages 3-3 of 3.]',
      'page 3 of 3; converted from TIFF',
    ]);
  });

  test.each([
    ['2', [120]],
    ['2-', [120, 250]],
    [
      [0, 2],
      [50, 120],
    ],
    [
      [1, 99],
      [120, 250],
    ],
  ] as const)('shows pages %j', async (asked, wanted) => {
    const seen = await greys(await pages(), { pages: asked });
    expect(seen.map(([grey]) => grey)).toEqual(wanted);
    expect(seen.at(-1)?.[1]).toMatch(/^page [23] of 3; converted from TIFF$/);
  });

  test.each(['4', '0', 'x', [2, 1], [0.5, 1]] as const)('refuses pages %j', async (asked) => {
    const result = await read(await pages(), { assets, pages: asked as string });
    expect(result).toMatchObject({ ok: false, refusal: { code: 'bad-range' } });
  });

  test('is shown no more pages than one reading may have', async () => {
    expect(await greys(await pages(), { pages: '1-', limits: { pagesPerRead: 2 } })).toHaveLength(2);
  });
});

describe('a TIFF', () => {
  test.each([
    ['in the large form', () => noise(60, 40).tiff({ bigtiff: true })],
    ['in tiles', () => noise(60, 40).tiff({ tile: true, tileWidth: 16, tileHeight: 16 })],
    ['in ink', () => plain(60, 40).toColourspace('cmyk').tiff()],
    ['of one bit', () => plain(60, 40).toColourspace('b-w').tiff({ bitdepth: 1, compression: 'ccittfax4' })],
    ['of sixteen bits', () => plain(60, 40).toColourspace('rgb16').tiff()],
    ['as JPEG', () => plain(60, 40).tiff({ compression: 'jpeg' })],
    ['as LZW', () => plain(60, 40).tiff({ compression: 'lzw' })],
  ])('%s is measured and converted', async (_what, make) => {
    const bytes = await make().toBuffer();
    expect(tiffHeader(bytes)).toMatchObject({ header: { width: 60, height: 40, pages: 1 } });
    expect(await read(bytes, { assets })).toMatchObject({
      ok: true,
      value: { blocks: [{ width: 60, height: 40, origin: { made: 'converted from TIFF' } }] },
    });
  });

  test('on its side is turned upright', async () => {
    const bytes = await quarters().tiff().withMetadata({ orientation: 6 }).toBuffer();
    expect(await read(bytes, { assets })).toMatchObject({
      ok: true,
      value: { blocks: [{ width: 20, height: 40, origin: { made: 'turned upright; converted from TIFF' } }] },
    });
  });

  test('whose pages lead in a circle ends', () => {
    const bytes = Buffer.alloc(64);
    bytes.write('II*\u0000', 'latin1');
    bytes.writeUInt32LE(8, 4);
    bytes.writeUInt16LE(2, 8);
    bytes.set([0x00, 0x01, 3, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0x01, 0x01, 3, 0, 1, 0, 0, 0, 9, 0, 0, 0], 10);
    bytes.writeUInt32LE(8, 34);
    expect(tiffHeader(bytes)).toMatchObject({ header: { width: 7, height: 9, pages: 1 } });
  });

  test.each([
    [
      'a list far beyond its end',
      Buffer.from('II*\u0000\u00f0\u00ff\u00ff\u007f\u0000\u0000\u0000\u0000', 'latin1'),
      'corrupt',
    ],
    ['a signature only', Buffer.from('MM\u0000*', 'latin1'), 'corrupt'],
  ])('with %s is refused', async (_what, bytes, code) => {
    expect(await read(bytes, { assets })).toMatchObject({ ok: false, refusal: { code } });
  });

  test('that is cut is refused', async () => {
    const bytes = await noise(200, 200).tiff({ compression: 'none' }).toBuffer();
    expect(await read(bytes.subarray(0, bytes.length / 2), { assets })).toMatchObject({
      ok: false,
      refusal: { code: 'corrupt' },
    });
  });
});

type Entry = readonly [tag: number, type: number, count: number, value: number];

/** A TIFF of one row, written by hand: no library here writes Lab of every kind, nor what cameras write. */
function labTiff(photometric: number, bits: number, pixels: Buffer, ...more: Entry[]): Buffer {
  const end = 134 + more.length * 12;
  const entries: Entry[] = [
    [256, 3, 1, 2],
    [257, 3, 1, 1],
    [258, 3, 3, end],
    [259, 3, 1, 1],
    [262, 3, 1, photometric],
    [273, 4, 1, end + 6],
    [277, 3, 1, 3],
    [278, 3, 1, 1],
    [279, 4, 1, pixels.length],
    [284, 3, 1, 1],
    ...more,
  ];
  const head = Buffer.alloc(end + 6);
  head.write('II*\u0000\u0008', 'latin1');
  head.writeUInt16LE(entries.length, 8);
  for (const [index, [tag, type, count, value]] of entries.toSorted(([one], [other]) => one - other).entries()) {
    const at = 10 + index * 12;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(count, at + 4);
    head.writeUInt32LE(value, at + 8);
  }
  for (const at of [end, end + 2, end + 4]) head.writeUInt16LE(bits, at);
  return Buffer.concat([head, pixels]);
}

test.each([
  ['CIE Lab of eight bits', 8, 8, Buffer.from([136, 80, 67, 82, 79, 0x94])],
  ['ICC Lab of eight bits', 9, 8, Buffer.from([136, 208, 195, 82, 207, 20])],
  [
    'ICC Lab of sixteen bits',
    9,
    16,
    Buffer.from(Uint16Array.of(34_934, 208 * 256, 195 * 256, 82 * 257, 207 * 256, 20 * 256).buffer),
  ],
])('a TIFF in %s has its colours', async (_what, photometric, bits, row) => {
  const result = await read(labTiff(photometric, bits, row), { assets, name: 'scan.tif' });
  const block = result.ok ? result.value.blocks[0] : undefined;
  if (block?.type !== 'image') throw new Error(JSON.stringify(result));
  const seen = await sharp(await assets.get(block.asset.id))
    .raw()
    .toBuffer();
  // Red and blue of sRGB, as every table of colours has them: 53 80 67 and 32 79 -108.
  for (const [at, value] of [255, 0, 0, 0, 0, 255].entries()) expect(Math.abs((seen[at] ?? 0) - value)).toBeLessThan(8);
});

test('the small copy that stands first in a raw photograph is not taken for the photograph', async () => {
  const inside: Entry[] = [
    [254, 4, 1, 1],
    [330, 4, 1, 8],
  ];
  const result = await read(labTiff(2, 8, Buffer.alloc(6, 99), ...inside), { assets, name: 'photo.nef' });
  expect(result.ok && result.value.output).toContain(
    '[converted from the preview of a raw photograph; converted from TIFF]',
  );
});
