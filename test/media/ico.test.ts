import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { read } from '../../src/media/index.ts';
import { dib, ico, packed } from './bitmap-make.ts';
import { claimedPng, plain } from './make.ts';

const assets = memoryAssets();

async function pixels(bytes: Buffer): Promise<number[]> {
  const result = await read(bytes, { assets, name: 'a.ico' });
  const block = result.ok ? result.value.blocks[0] : undefined;
  if (block?.type !== 'image') throw new Error(JSON.stringify(result));
  return [
    ...(await sharp(await assets.get(block.asset.id))
      .ensureAlpha()
      .raw()
      .toBuffer()),
  ];
}

/** A bitmap as icons hold it: twice the height, the mask behind the pixels. */
function masked(bits: number, row: number[], mask: number[]): { width: number; height: number; bytes: Buffer } {
  const shape = { width: row.length, height: 2, bits };
  return { width: row.length, height: 1, bytes: dib(shape, Buffer.concat([packed([row], bits), packed([mask], 1)])) };
}

describe('an icon', () => {
  test('shows its largest picture', async () => {
    const sizes = [16, 256, 48];
    const pictures = await Promise.all(
      sizes.map(async (size) => ({ width: size, height: size, bytes: await plain(size, size).png().toBuffer() })),
    );
    expect(await read(ico(...pictures), { assets, name: 'a.ico' })).toMatchObject({
      ok: true,
      value: {
        output: expect.stringContaining('256x256'),
        blocks: [{ width: 256, height: 256, origin: { made: 'largest of 3 sizes; converted from ICO' } }],
      },
    });
  });

  test('is transparent where its mask says so', async () => {
    expect(await pixels(ico(masked(24, [0xff0000, 0x00ff00], [0, 1])))).toEqual(
      [255, 0, 0, 255, 0, 0, 0, 0].map(anyAt),
    );
  });

  test('of 32 bits has its own transparency', async () => {
    expect(await pixels(ico(masked(32, [0x80ff_0000, 0xff00_ff00], [0, 0])))).toEqual([255, 0, 0, 128, 0, 255, 0, 255]);
  });

  test('of 32 bits without transparency uses its mask', async () => {
    const seen = await pixels(ico(masked(32, [0x00ff_0000, 0x0000_ff00], [0, 1])));
    expect([seen[3], seen[7]]).toEqual([255, 0]);
  });

  test.each([
    ['no picture', ico(), 'corrupt'],
    ['a picture beyond its end', ico({ width: 9, height: 9, bytes: claimedPng(9, 9) }).subarray(0, 60), 'corrupt'],
    ['a bomb inside', ico({ width: 16, height: 16, bytes: claimedPng(50_000, 50_000) }), 'too-many-pixels'],
    ['pixels that cannot be inflated', ico({ width: 9, height: 9, bytes: claimedPng(9, 9) }), 'corrupt'],
    ['a list only', ico({ width: 9, height: 9, bytes: Buffer.alloc(0) }), 'corrupt'],
    ['words inside', ico({ width: 9, height: 9, bytes: Buffer.from('words '.repeat(20)) }), 'corrupt'],
  ])('with %s is refused', async (_what, bytes, code) => {
    expect(await read(bytes, { assets })).toMatchObject({ ok: false, refusal: { code } });
  });
});

/** The colour of a pixel that nobody sees does not matter. */
function anyAt(value: number, at: number): unknown {
  return at >= 4 && at < 7 ? expect.any(Number) : value;
}

test.each([1, 4, 8])(
  'a cursor of %i bits is transparent, and shows what it turns over, where its mask says so',
  async (bits) => {
    const palette = [
      [0, 0, 0],
      [255, 255, 255],
    ] as const;
    const inside = Buffer.concat([packed([[0, 1, 0, 1]], bits), packed([[0, 0, 1, 1]], 1)]);
    const cursor = ico({ width: 4, height: 1, bytes: dib({ width: 4, height: 2, bits, palette }, inside) });
    cursor.writeUInt16LE(2, 2);
    const [black, white, hidden] = [
      [0, 0, 0, 255],
      [255, 255, 255, 255],
      [0, 0, 0, 0],
    ];
    expect(await pixels(cursor)).toEqual([black, white, hidden, black].flat());
  },
);
