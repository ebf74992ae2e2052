import { rmSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { assetId } from '../../src/asset/hash.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { ImageBlock } from '../../src/content/block.ts';
import type { ReadOptions } from '../../src/media/index.ts';
import { read, render } from '../../src/media/index.ts';
import { claimedPng, file, noise, plain, quarters } from './make.ts';

const assets = memoryAssets();

async function look(source: Parameters<typeof read>[0], options: ReadOptions = {}): Promise<ImageBlock> {
  const result = await read(source, { assets, ...options });
  const block = result.ok ? result.value.blocks[0] : undefined;
  if (block?.type !== 'image') throw new Error(`no picture: ${JSON.stringify(result)}`);
  return block;
}

async function bytesOf(block: ImageBlock): Promise<Buffer> {
  return Buffer.from((await assets.get(block.asset.id)) ?? []);
}

async function refusal(source: Parameters<typeof read>[0], options: ReadOptions = {}): Promise<string> {
  const result = await read(source, { assets, ...options });
  return result.ok ? 'read' : result.refusal.code;
}

/** A picture read and then asked for in another form. */
async function rendered(types: string[], maxEdge: number, maxBase64: number, source: Buffer): Promise<ImageBlock> {
  const { asset } = await look(source);
  const fact = await render({ to: 'image', asset, types, maxEdge, maxBase64 }, { assets });
  const block = fact.ok ? fact.value[0] : undefined;
  if (block?.type !== 'image') throw new Error(JSON.stringify(fact));
  return block;
}

describe('a picture that fits', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)('stays byte for byte as %s', async (format) => {
    const bytes = await noise(60, 40).toFormat(format).toBuffer();
    const block = await look(file(`fits.${format}`, bytes));
    expect(block).toMatchObject({ width: 60, height: 40, asset: { mediaType: `image/${format}`, id: assetId(bytes) } });
    expect(block.original).toBeUndefined();
    expect(block.origin).toEqual({ source: `fits.${format}` });
  });

  test('is told in one line with its real type, whatever its name says', async () => {
    const bytes = await noise(60, 40).jpeg().toBuffer();
    const result = await read(file('photo.png', bytes), { assets });
    const size = String(bytes.length).replace(/(\d)(\d{3})$/, '$1,$2');
    expect(result).toMatchObject({
      ok: true,
      value: {
        output: `[Image: photo.png, 60x40, ${size} bytes, .jpg]`,
        data: { type: 'image', name: 'photo.png', size: bytes.length, format: '.jpg' },
      },
    });
  });

  test.each(['jpeg', 'png', 'webp'] as const)(
    'loses its metadata and keeps its pixels and colours as %s',
    async (format) => {
      const about = { IFD0: { Artist: 'somebody' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } };
      const bytes = await noise(60, 40).withExif(about).withIccProfile('p3').toFormat(format).toBuffer();
      const bare = await bytesOf(await look(bytes));
      const [before, after] = await Promise.all([sharp(bytes).metadata(), sharp(bare).metadata()]);
      expect(before.exif).toBeDefined();
      expect(after.exif).toBeUndefined();
      expect(after.icc?.equals(before.icc ?? Buffer.alloc(0))).toBe(true);
      expect((await sharp(bare).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true);
    },
  );

  test('moves on when it moves', async () => {
    const frames = Buffer.concat(
      await Promise.all([quarters(), plain(40, 20)].map((one) => one.removeAlpha().raw().toBuffer())),
    );
    const raw = { width: 40, height: 40, channels: 3 as const, pageHeight: 20 };
    const bytes = await sharp(frames, { raw })
      .gif({ delay: [100, 100] })
      .toBuffer();
    const block = await look(bytes);
    expect((await sharp(await bytesOf(block), { animated: true }).metadata()).pages).toBe(2);
    expect(block).toMatchObject({ width: 40, height: 20 });
  });
});

describe('a picture on its side', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('is turned upright from orientation %i', async (orientation) => {
    const bytes = await quarters()
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .withMetadata({ orientation })
      .toBuffer();
    const block = await look(bytes);
    const upright = await sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true });
    expect([block.width, block.height]).toEqual([upright.info.width, upright.info.height]);
    const seen = await sharp(await bytesOf(block))
      .raw()
      .toBuffer();
    const worst = seen.reduce((most, value, at) => Math.max(most, Math.abs(value - (upright.data[at] ?? 0))), 0);
    expect(worst).toBeLessThan(60);
    expect((await sharp(await bytesOf(block)).metadata()).orientation).toBeUndefined();
  });
});

describe('a picture that is too much', () => {
  test('is scaled, keeps its source, and says how to get back to its coordinates', async () => {
    const bytes = await plain(4032, 3024).jpeg().toBuffer();
    const block = await look(file('large.jpg', bytes));
    expect(block).toMatchObject({
      width: 2000,
      height: 1500,
      original: { width: 4032, height: 3024, asset: { id: assetId(bytes) } },
    });
    expect(block.origin?.made).toBe('scaled from 4032×3024 to 2000×1500; multiply coordinates by 2.016');
  });

  test.each([
    [10, 30_000, 'scaled from 10×30000 to 1×2000; multiply coordinates by 15'],
    [1283, 20_000, 'scaled from 1283×20000 to 128×2000; multiply coordinates by 10'],
  ])('of a tall one (%i×%i) the factor is that of its longer edge', async (width, height, made) => {
    const tall = await read(await plain(width, height).png().toBuffer(), { assets });
    expect(tall).toMatchObject({ ok: true, value: { blocks: [{ origin: { made } }] } });
  });

  test('is scaled upright, so that both sizes differ by one factor', async () => {
    const bytes = await plain(3000, 1500).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await look(bytes)).toMatchObject({ width: 1000, height: 2000, original: { width: 1500, height: 3000 } });
  });

  test.each([
    ['opaque', 3, /jpeg|webp/],
    ['half transparent', 4, /png|webp/],
  ] as const)('is coded anew until its base64 fits when it is %s', async (_what, channels, type) => {
    const maxBase64 = 300_000;
    const block = await look(await noise(600, 500, channels).png().toBuffer(), { limits: { maxBase64 } });
    const bytes = await bytesOf(block);
    expect(bytes.toString('base64').length).toBeLessThanOrEqual(maxBase64);
    expect(block.asset.mediaType).toMatch(type);
    expect(block.origin?.made).toBeDefined();
    const { width, height, format } = await sharp(bytes).metadata();
    expect({ width, height, type: `image/${format}` }).toEqual({
      width: block.width,
      height: block.height,
      type: block.asset.mediaType,
    });
  });

  test('may have 4.5 MiB of base64 unless told otherwise', async () => {
    const [fits, heavy] = [await noise(1000, 1000).png().toBuffer(), await noise(1300, 1300).png().toBuffer()];
    expect((await look(fits)).asset.id).toBe(assetId(fits));
    const block = await look(heavy);
    expect(block).toMatchObject({ width: 1300, height: 1300, origin: { made: 'saved as JPEG' } });
    expect((await bytesOf(block)).toString('base64').length).toBeLessThanOrEqual(4.5 * 1024 * 1024);
  });

  test.each([
    ['png', 'png'],
    ['jpeg', 'jpeg'],
    ['webp', 'webp'],
    ['gif', 'png'],
  ] as const)('as %s is scaled to a %s, and is called one', async (format, to) => {
    const block = await look(await quarters(2400, 1200).toFormat(format).toBuffer());
    expect(block).toMatchObject({ width: 2000, height: 1000, asset: { mediaType: `image/${to}` } });
    expect((await sharp(await bytesOf(block)).metadata()).format).toBe(to);
  });

  test('is refused when nothing makes it small enough', async () => {
    expect(await refusal(await noise(300, 300).png().toBuffer(), { limits: { maxBase64: 100 } })).toBe('too-large');
  });

  test('is never narrower than a pixel', async () => {
    expect(await look(await plain(9000, 1).png().toBuffer())).toMatchObject({ width: 2000, height: 1 });
  });
});

test('ink becomes light', async () => {
  const block = await look(await plain(40, 30).toColourspace('cmyk').jpeg().toBuffer());
  expect((await sharp(await bytesOf(block)).metadata()).space).toBe('srgb');
  expect(block.origin?.made).toContain('CMYK');
});

describe('a file that is no good picture is refused at the intake', () => {
  test.each([
    ['nothing at all', async () => new Uint8Array(), 'empty'],
    ['a signature only', async () => (await plain(9, 9).png().toBuffer()).subarray(0, 8), 'corrupt'],
    ['a cut PNG', async () => (await noise(90, 90).png().toBuffer()).subarray(0, 9000), 'corrupt'],
    ['a cut JPEG', async () => (await noise(90, 90).jpeg().toBuffer()).subarray(0, 3000), 'corrupt'],
    ['a cut WebP', async () => (await noise(90, 90).webp().toBuffer()).subarray(0, 3000), 'corrupt'],
    ['a cut GIF', async () => (await noise(90, 90).gif().toBuffer()).subarray(0, 3000), 'corrupt'],
    ['pixels that cannot be inflated', async () => claimedPng(32, 32), 'corrupt'],
    ['a bomb', async () => claimedPng(30_000, 30_000), 'too-many-pixels'],
    ['a picture without width', async () => claimedPng(0, 10), 'corrupt'],
    ['a Photoshop file', async () => Buffer.concat([Buffer.from('8BPS\u0000\u0001'), Buffer.alloc(60)]), 'unsupported'],
    [
      'half a HEIC',
      async () => Buffer.from('\u0000\u0000\u0000\u0018ftypheic'.padEnd(40, '\u0000'), 'latin1'),
      'corrupt',
    ],
  ])('%s', async (_what, make, code) => {
    const bytes = await make();
    expect(await refusal(bytes)).toBe(code);
    expect(await refusal(file('bad.png', bytes))).toBe(code);
  });

  test('too many bytes, with the size and the limit in the sentence', async () => {
    const result = await read(file('heavy.png', await noise(90, 90).png().toBuffer()), {
      limits: { imageBytes: 1000 },
    });
    const next = 'Consider resizing or converting to JPEG.';
    expect(result).toMatchObject({ ok: false, refusal: { code: 'too-large', limit: '1,000 bytes', next } });
    expect(result.ok ? '' : result.refusal.what).toMatch(/^Image too large: heavy\.png, \d\d,\d{3} bytes$/);
  });
});

test('a picture stays what it was when its file is overwritten and deleted', async () => {
  const first = await noise(20, 20).png().toBuffer();
  const path = file('screenshot.png', first);
  const block = await look(path);
  writeFileSync(path, await plain(20, 20).png().toBuffer());
  rmSync(path);
  expect((await bytesOf(block)).equals(first)).toBe(true);
});

describe('another rendition of a picture', () => {
  test('is a PNG of the first frame where GIF is not taken', async () => {
    const block = await rendered(['image/png', 'image/jpeg'], 2000, 1e6, await quarters().gif().toBuffer());
    expect(block).toMatchObject({ width: 40, height: 20, asset: { mediaType: 'image/png' } });
  });

  test('is smaller when asked', async () => {
    const block = await rendered(['image/jpeg'], 100, 1e6, await noise(400, 200).jpeg().toBuffer());
    expect(block).toMatchObject({ width: 100, height: 50, original: { width: 400, height: 200 } });
  });

  test('is the same asset when it already satisfies what is asked', async () => {
    const bytes = await noise(40, 20).png().toBuffer();
    expect((await rendered(['image/png'], 40, 1e6, bytes)).asset.id).toBe(assetId(bytes));
  });

  test('has white where transparency cannot be shown', async () => {
    const block = await rendered(['image/jpeg'], 2000, 1e6, await plain(40, 20, true).png().toBuffer());
    const [red, green, blue] = await sharp(await bytesOf(block))
      .raw()
      .toBuffer();
    expect(Math.min(red ?? 0, green ?? 0, blue ?? 0)).toBeGreaterThan(250);
  });

  test('is refused for an asset that is gone', async () => {
    const asset = { id: assetId(new Uint8Array([1])), mediaType: 'image/png', size: 1 };
    const fact = await render({ to: 'image', asset, types: ['image/png'], maxEdge: 1, maxBase64: 1 }, { assets });
    expect(fact).toMatchObject({ ok: false, refusal: { code: 'not-found' } });
  });
});
