// What becomes of pictures that no API takes, and what a model is told about frames, pages and conversions.
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { ImageBlock } from '../../src/content/block.ts';
import { boxHeader } from '../../src/media/image/format/avif.ts';
import { openIntake, read, render } from '../../src/media/index.ts';
import { chunk, noise, plain } from './make.ts';

const assets = memoryAssets();

async function look(bytes: Buffer): Promise<ImageBlock> {
  const result = await read(bytes, { assets });
  const block = result.ok ? result.value.blocks[0] : undefined;
  if (block?.type !== 'image') throw new Error(`no picture: ${JSON.stringify(result)}`);
  return block;
}

async function frames(count: number, format: 'gif' | 'webp', edge = 20): Promise<Buffer> {
  const data = Buffer.alloc(edge * edge * 3 * count);
  for (let at = 0; at < count; at += 1) data.fill(at * 7, at * edge * edge * 3, (at + 1) * edge * edge * 3);
  const raw = { width: edge, height: edge * count, channels: 3 as const, pageHeight: edge };
  return await sharp(data, { raw }).toFormat(format).toBuffer();
}

function box(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.alloc(8), ...content]);
  body.writeUInt32BE(body.length, 0);
  body.write(name, 4, 'latin1');
  return body;
}

function frameControl(sequence: number): Buffer {
  const about = Buffer.alloc(26);
  about.writeUInt32BE(sequence, 0);
  about.writeUInt32BE(20, 4);
  about.writeUInt32BE(20, 8);
  return chunk('fcTL', about);
}

/** A PNG of two frames, the second one the same as the first. */
async function apng(): Promise<Buffer> {
  const png = await plain(20, 20).png().toBuffer();
  const at = png.indexOf('IDAT') - 4;
  const end = png.indexOf('IEND') - 4;
  const data = png.subarray(at + 8, end - 4);
  const second = chunk('fdAT', Buffer.concat([Buffer.from([0, 0, 0, 2]), data]));
  const about = chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
  return Buffer.concat([
    png.subarray(0, at),
    about,
    frameControl(0),
    png.subarray(at, end),
    frameControl(1),
    second,
    png.subarray(end),
  ]);
}

describe('a picture that moves', () => {
  test.each([
    ['GIF', () => frames(30, 'gif'), 'animated, 30 frames'],
    ['WebP', () => frames(5, 'webp'), 'animated, 5 frames'],
    ['PNG', apng, 'animated, 2 frames'],
  ])('as %s stays as it is and says how many frames it has', async (_what, make, made) => {
    const bytes = await make();
    const block = await look(bytes);
    expect(block.origin?.made).toBe(made);
    expect(Buffer.from((await assets.get(block.asset.id)) ?? []).equals(bytes)).toBe(true);
  });

  test('and is too large shows its first frame and says so', async () => {
    expect((await look(await frames(3, 'gif', 2100))).origin?.made).toMatch(/^first frame of 3; scaled from 2100×2100/);
  });
});

describe('an AVIF', () => {
  test('is measured and converted like a photograph', async () => {
    const block = await look(await noise(120, 80).avif().toBuffer());
    expect(block).toMatchObject({ width: 120, height: 80, asset: { mediaType: 'image/jpeg' } });
    expect(block.origin?.made).toBe('converted from AVIF');
  });

  test('keeps what shines through', async () => {
    const { asset } = await look(await plain(120, 80, true).avif().toBuffer());
    expect((await sharp(await assets.get(asset.id)).metadata()).hasAlpha).toBe(true);
  });

  test('that is large is scaled and keeps its source', async () => {
    const block = await look(await plain(3000, 1000).avif({ effort: 0 }).toBuffer());
    expect(block).toMatchObject({
      width: 2000,
      height: 667,
      original: { asset: { mediaType: 'image/avif' }, width: 3000 },
    });
    const { original } = block;
    if (original === undefined) throw new Error('no source');
    const fact = await render(
      { to: 'image', asset: original.asset, types: ['image/webp', 'image/avif'], maxEdge: 300, maxBase64: 1e6 },
      { assets },
    );
    expect(fact).toMatchObject({ ok: true, value: [{ width: 300, height: 100, asset: { mediaType: 'image/webp' } }] });
  });

  test('that lies about its size is refused', async () => {
    const bytes = await noise(120, 80).avif().toBuffer();
    const claim = (width: number, height: number): Buffer => {
      const changed = Buffer.from(bytes);
      const at = changed.indexOf('ispe') + 8;
      changed.writeUInt32BE(width, at);
      changed.writeUInt32BE(height, at + 4);
      return changed;
    };
    expect(boxHeader(claim(9, 9))).toMatchObject({ header: { width: 9, height: 9 } });
    expect(await read(claim(60_000, 60_000), { assets })).toMatchObject({ refusal: { code: 'too-many-pixels' } });
    expect(await read(claim(9, 9), { assets })).toMatchObject({ ok: false, refusal: { code: 'corrupt' } });
  });

  test('that is cut is refused', async () => {
    const bytes = await noise(120, 80).avif().toBuffer();
    for (const length of [40, 200, bytes.length - 500]) {
      expect(await read(bytes.subarray(0, length), { assets })).toMatchObject({
        ok: false,
        refusal: { code: 'corrupt' },
      });
    }
  });

  test('that ends inside what names its picture is refused', async () => {
    const properties = box('iprp', box('ipco', box('ispe', Buffer.alloc(12, 1))), box('ipma', Buffer.alloc(12)));
    const named = box('pitm', Buffer.from([1, 0, 0, 0, 0, 1]));
    const bytes = Buffer.concat([
      box('ftyp', Buffer.from('avif\0\0\0\0avifmif1', 'latin1')),
      box('meta', Buffer.alloc(4), properties, named),
    ]);
    expect(await read(bytes, { assets })).toMatchObject({ ok: false, refusal: { code: 'corrupt' } });
  });
});

test('the intake takes them all', async () => {
  const { check } = openIntake({ assets });
  for (const bytes of [await plain(9, 9).tiff().toBuffer(), await plain(16, 16).avif().toBuffer()]) {
    expect(await check(bytes, {})).toMatchObject({ ok: true, value: { type: 'image' } });
  }
});
