// What the intake of edge workers makes of files that others wrote, against what the real one makes of them.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { document } from '../../src/content/input.ts';
import { resolveBlock } from '../../src/content/intake.ts';
import { headerIntake } from '../../src/content/header-intake.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { openIntake } from '../../src/media/intake.ts';

const drawn = (width = 301, height = 17): Sharp =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } });

const pictures: Record<string, () => Promise<Uint8Array>> = {
  'a PNG': () => drawn().png().toBuffer(),
  'a JPEG': () => drawn().jpeg().toBuffer(),
  'a progressive JPEG with metadata before its frame': () =>
    drawn()
      .jpeg({ progressive: true })
      .withExif({ IFD0: { Copyright: 'x'.repeat(3000) } })
      .toBuffer(),
  'a GIF': () => drawn().gif().toBuffer(),
  'a lossy WebP': () => drawn().removeAlpha().webp().toBuffer(),
  'a lossy WebP with alpha': () => drawn().webp().toBuffer(),
  'a lossless WebP': () => drawn(5000, 4001).webp({ lossless: true, effort: 0 }).toBuffer(),
};

test.each(Object.entries(pictures))('%s has the size that its decoder finds', async (_name, make) => {
  const bytes = await make();
  const { width, height, format } = await sharp(bytes).metadata();
  const assets = memoryAssets();
  const read = await headerIntake({ assets }).check(bytes, { name: 'a picture' });
  expect(read).toMatchObject({
    ok: true,
    value: { type: 'image', width, height, asset: { mediaType: `image/${format}`, name: 'a picture' } },
  });
  const id = read.ok && read.value.type === 'image' ? read.value.asset.id : 'sha256:';
  expect(Buffer.from((await assets.get(id)) ?? []).equals(bytes)).toBe(true);
});

test('a PDF is a document, as the real intake says, too', async () => {
  const bytes = readFileSync('examples/report.pdf');
  const assets = memoryAssets();
  const [bare, real] = await Promise.all([headerIntake({ assets }).check(bytes), openIntake({ assets }).check(bytes)]);
  expect(bare.ok && bare.value).toMatchObject({ type: 'document', asset: { mediaType: 'application/pdf' } });
  expect(real.ok && real.value).toMatchObject(bare.ok ? bare.value : {});
  const part = await resolveBlock(document(bytes, { range: [1, 2] }), headerIntake({ assets }), 'tool');
  expect(part.ok && part.value).toMatchObject({ range: [1, 2] });
});

test.each([
  ['words', Buffer.from('only words'), 'unknown', 'It is no PNG, JPEG, GIF, WebP or PDF'],
  ['nothing', Buffer.alloc(0), 'unknown', 'It is no PNG, JPEG, GIF, WebP or PDF'],
  ['a PNG that ends in its header', readFileSync('examples/chart.png').subarray(0, 20), 'corrupt', 'cut short'],
  ['a JPEG without a frame', Buffer.from('ffd8ffe000104a464946', 'hex'), 'corrupt', 'cut short'],
  ['a sound in the container of WebP', Buffer.from('RIFF\0\0\0\0WAVEfmt '), 'unknown', 'It is no PNG'],
])('%s is refused, in a sentence', async (_name, bytes, code, what) => {
  const read = await headerIntake({ assets: memoryAssets() }).check(bytes);
  expect(read).toMatchObject({ ok: false, refusal: { code, what: expect.stringContaining(what) as string } });
});
