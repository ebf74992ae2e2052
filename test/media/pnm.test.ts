import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { read } from '../../src/media/index.ts';
import { sniff } from '../../src/media/sniff.ts';

const assets = memoryAssets();
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

async function pixels(bytes: Buffer): Promise<number[]> {
  const result = await read(bytes, { assets });
  const block = result.ok ? result.value.blocks[0] : undefined;
  if (block?.type !== 'image') throw new Error(JSON.stringify(result));
  const picture = sharp(await assets.get(block.asset.id)).ensureAlpha();
  return [...(await picture.raw().toBuffer())];
}

const [black, white, red, green] = [
  [0, 0, 0, 255],
  [255, 255, 255, 255],
  [255, 0, 0, 255],
  [0, 255, 0, 255],
];

describe('a portable pixmap', () => {
  test.each([
    ['bits as digits', 'P1\n# by hand\n3 2\n1 0 1\n0 1 0\n', [black, white, black, white, black, white]],
    ['bits as digits without spaces', 'P1 3 2 101010', [black, white, black, white, black, white]],
    ['bits', 'P4 3 2 \u00a0\u0040', [black, white, black, white, black, white]],
    ['rows of bits longer than a byte', 'P4 9 1\n\u00ff\u0000', [...Array.from({ length: 8 }, () => black), white]],
    ['greys as digits', 'P2 2 1 15\n0 15', [black, white]],
    ['greys', 'P5 2 1 255\n\u0000\u00ff', [black, white]],
    ['greys of sixteen bits', 'P5 2 1 65535\n\u0000\u0000\u00ff\u00ff', [black, white]],
    ['greys below a byte', 'P5 2 1 7\n\u0000\u0007', [black, white]],
    ['colours as digits', 'P3 2 1 15 15 0 0 # a comment\n 0 15 0', [red, green]],
    ['colours', 'P6\n2 1\n255\n\u00ff\u0000\u0000\u0000\u00ff\u0000', [red, green]],
    ['a first line behind a comment', 'P6 # one\n#two\n1 1 255\n\u00ff\u0000\u0000', [red]],
    [
      'PAM with alpha',
      'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n\u00ff\u0000\u0000\u0080',
      [[255, 0, 0, 128]],
    ],
    ['PAM in grey with alpha', 'P7\nDEPTH 2\nWIDTH 1\nHEIGHT 1\nMAXVAL 1\nENDHDR\n\u0001\u0001', [white]],
  ])('with %s is read', async (_what, text, expected) => {
    expect(await pixels(latin(text))).toEqual(expected.flat());
  });

  test.each([
    ['is cut', 'P6 2 2 255\n\u00ff\u0000\u0000', 'it ends before its last row'],
    ['has too few digits', 'P3 2 2 255 1 2 3', 'it ends before its last pixel'],
    ['has no brightest number', 'P5 2 2 0 \u0000\u0000\u0000\u0000', 'its brightest number is 0'],
    ['has no width', 'P6 0 2 255\n', 'its size is 0×2'],
    [
      'has pixels of nine numbers',
      'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 9\nMAXVAL 255\nENDHDR\n',
      'a pixel of it has 9 numbers',
    ],
    ['has a header without an end', `P7\nWIDTH 1\n${'#\n'.repeat(40_000)}`, 'its header has no end'],
  ])('that %s is refused', async (_what, text, why) => {
    expect(await read(latin(text), { assets })).toMatchObject({
      ok: false,
      refusal: { code: 'corrupt', what: expect.stringContaining(why) },
    });
  });

  test('with more pixels than allowed is refused before anything is made of it', async () => {
    const result = await read(latin('P5 100000 100000 255\n'), { assets });
    expect(result).toMatchObject({ ok: false, refusal: { code: 'too-many-pixels' } });
  });

  test.each(['P1 is the first of six', 'P6 2026 15 notes', 'P3 10 20', 'P7\nnotes'])('is no text: %s', (text) => {
    expect(sniff(latin(text))).toBeUndefined();
  });
});
