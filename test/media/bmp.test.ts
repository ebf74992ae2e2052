import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { bmpFault, bmpHeader, bmpPixels } from '../../src/media/image/format/bmp.ts';
import { read } from '../../src/media/index.ts';
import type { Shape } from './bitmap-make.ts';
import { bmp, packed } from './bitmap-make.ts';

type Colour = readonly [number, number, number];

const [red, green, blue, white, black]: [Colour, Colour, Colour, Colour, Colour] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
  [0, 0, 0],
];
const palette = [black, red, green, blue, white];
const opaque = (colours: readonly Colour[]): number[] => colours.flatMap((colour) => [...colour, 255]);

/** Two rows of three pixels, the upper one first. */
const picture = opaque([red, green, blue, white, black, red]);
const numbers = [
  [4, 0, 1],
  [1, 2, 3],
];
const words = (value: (colour: Colour) => number): number[][] =>
  [
    [white, black, red],
    [red, green, blue],
  ].map((row) => row.map(value));
const rgb24 = ([r, g, b]: Colour): number => (r << 16) | (g << 8) | b;
const rgb555 = ([r, g, b]: Colour): number => ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
const rgb565 = ([r, g, b]: Colour): number => ((r >> 3) << 11) | ((g >> 2) << 5) | (b >> 3);
const small = { width: 3, height: 2 };

const rows: [string, Shape, Buffer][] = [
  ['8 bits', { ...small, bits: 8, palette }, packed(numbers, 8)],
  ['4 bits', { ...small, bits: 4, palette }, packed(numbers, 4)],
  ['16 bits', { ...small, bits: 16 }, packed(words(rgb555), 16)],
  ['24 bits', { ...small, bits: 24 }, packed(words(rgb24), 24)],
  ['32 bits', { ...small, bits: 32 }, packed(words(rgb24), 32)],
  ['the oldest header', { ...small, bits: 24, header: 12 }, packed(words(rgb24), 24)],
  ['the oldest header and colours', { ...small, bits: 8, header: 12, palette: full() }, packed(numbers, 8)],
  ['the fourth header', { ...small, bits: 24, header: 108 }, packed(words(rgb24), 24)],
  ['the fifth header', { ...small, bits: 24, header: 124 }, packed(words(rgb24), 24)],
  ['rows from the top', { ...small, height: -2, bits: 24 }, packed(words(rgb24).toReversed(), 24)],
  ['masks', { ...small, bits: 16, compression: 3, masks: [0xf800, 0x07e0, 0x001f] }, packed(words(rgb565), 16)],
  [
    'masks in a long header',
    { ...small, bits: 32, header: 108, compression: 3, masks: [0xff_0000, 0xff00, 0xff, 0] },
    packed(words(rgb24), 32),
  ],
  [
    'runs of 8 bits',
    { ...small, bits: 8, compression: 1, palette },
    Buffer.from([1, 4, 1, 0, 1, 1, 0, 0, 0, 3, 1, 2, 3, 0, 0, 1]),
  ],
  [
    'runs of 4 bits',
    { ...small, bits: 4, compression: 2, palette },
    Buffer.from([2, 0x40, 1, 0x10, 0, 0, 0, 3, 0x12, 0x30, 0, 1]),
  ],
];

/** The oldest header has no number of colours: there are as many as the depth allows. */
function full(): Colour[] {
  return Array.from({ length: 256 }, (_, at) => palette[at] ?? black);
}

describe('a bitmap', () => {
  test.each(rows)('with %s gives its pixels from the top', (_what, shape, pixels) => {
    const bytes = bmp(shape, pixels);
    expect(bmpHeader(bytes)).toMatchObject({ header: { width: 3, height: 2, orientation: 1 } });
    expect(bmpFault(bytes)).toBeUndefined();
    expect([...bmpPixels(bytes)]).toEqual(picture);
  });

  test('of one bit is black and white', () => {
    const bytes = bmp(
      { width: 10, height: 1, bits: 1, palette: [black, white] },
      packed([[1, 0, 1, 0, 0, 0, 0, 0, 0, 1]], 1),
    );
    const lights = [...bmpPixels(bytes)].filter((_, at) => at % 4 === 0);
    expect(lights).toEqual([255, 0, 255, 0, 0, 0, 0, 0, 0, 255]);
  });

  test('with an alpha mask keeps what shines through', () => {
    const masks = [0xff_0000, 0xff00, 0xff, 0xff00_0000];
    const shape = { width: 2, height: 1, bits: 32, header: 56, compression: 3, masks };
    const bytes = bmp(shape, packed([[0x80ff_0000, 0xff00_ff00]], 32));
    expect([...bmpPixels(bytes)]).toEqual([255, 0, 0, 128, 0, 255, 0, 255]);
  });

  test('whose runs jump and leave the picture is drawn as far as it goes', () => {
    const runs = Buffer.from([0, 2, 1, 1, 9, 2, 0, 2, 0, 200, 5, 1]);
    const bytes = bmp({ width: 3, height: 2, bits: 8, compression: 1, palette }, runs);
    expect([...bmpPixels(bytes)]).toEqual(opaque([black, green, green, black, black, black]));
  });

  test('becomes a PNG and says so', async () => {
    const bytes = bmp({ ...small, bits: 24 }, packed(words(rgb24), 24));
    expect(await read(bytes, { assets: memoryAssets(), name: 'a.bmp' })).toMatchObject({
      ok: true,
      value: {
        output: `[Image: a.bmp, 3x2, ${bytes.length} bytes, .bmp]\n[converted from BMP]`,
        blocks: [{ width: 3, height: 2, asset: { mediaType: 'image/png' }, origin: { made: 'converted from BMP' } }],
      },
    });
  });

  const plain = packed(words(rgb24), 24);
  test.each([
    ['too few rows', bmp({ width: 3, height: 3, bits: 24 }, plain), 'corrupt'],
    ['a negative width', bmp({ width: -3, height: 2, bits: 24 }, plain), 'corrupt'],
    ['no height', bmp({ width: 3, height: 0, bits: 24 }, plain), 'corrupt'],
    ['5 bits', bmp({ ...small, bits: 5 }, plain), 'corrupt'],
    ['runs of 24 bits', bmp({ ...small, bits: 24, compression: 1 }, plain), 'corrupt'],
    ['a JPEG inside', bmp({ ...small, bits: 24, compression: 4 }, plain), 'corrupt'],
    ['more pixels than anyone has', bmp({ width: 2 ** 30, height: -(2 ** 31), bits: 24 }, plain), 'too-many-pixels'],
    ['nothing behind its header', bmp({ ...small, bits: 24 }, plain).subarray(0, 54), 'corrupt'],
    ['half a header', bmp({ ...small, bits: 24 }, plain).subarray(0, 30), 'corrupt'],
  ])('with %s is refused', async (_what, bytes, code) => {
    expect(await read(bytes, { assets: memoryAssets() })).toMatchObject({ ok: false, refusal: { code } });
  });
});
