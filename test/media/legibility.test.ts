// How small the writing on a picture is, found once at the intake; and that photographs have none.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { read } from '../../src/media/index.ts';
import { render } from '../../src/media/render.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { textSizeIn } from '../../src/media/image/legibility.ts';
import type { Pixels } from '../../src/media/image/fit.ts';
import type { ImageBlock } from '../../src/content/block.ts';
import { parseBlock } from '../../src/content/parse.ts';
import { sharedFile } from '../judge/shared-folder.ts';
import { effort } from '../effort.ts';
import { some } from '../some.ts';
import { pdf, noise } from './make.ts';
import { scripts, writing } from './writing.ts';
import type { Script } from './writing.ts';

const hasFonts = existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf');
const fonts = ['DejaVu Sans', 'DejaVu Serif', 'DejaVu Sans Mono'];

async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 };
}

async function pictureFrom(bytes: Uint8Array): Promise<ImageBlock> {
  const result = await read(bytes, { assets: memoryAssets() });
  const [block] = result.ok ? result.value.blocks : [];
  if (block?.type !== 'image') throw new Error('no picture');
  return block;
}

test.runIf(hasFonts)('the size of letters is told within a quarter, in every script and theme', async () => {
  const rows = fonts.flatMap((font) =>
    (Object.keys(scripts) as Script[]).flatMap((script) =>
      [9, 13, 20, 28].map((px, at) => ({ font, script, px, dark: at % 2 === 1, leading: at === 1 ? 1.2 : 1.5 })),
    ),
  );
  const wrong: string[] = [];
  for (const row of rows) {
    const found = textSizeIn(await pixelsOf(writing({ ...row, width: 400, height: 360 }))) ?? 0;
    if (Math.abs(found / row.px - 1) > 0.25) wrong.push(`${row.font}, ${row.script}, ${row.px} px: ${found}`);
  }
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(rows.length * 0.05);
});

const photographs = sharedFile('corpora/image');
/** Faxes of written pages. */
const written = /^G31D/;

test.runIf(photographs)('photographs have no writing, however they are cut and scaled', async () => {
  const folder = photographs ?? '';
  const found: string[] = [];
  let looked = 0;
  for (const name of some(
    readdirSync(folder).filter((one) => !written.test(one)),
    40,
  )) {
    const source = await sharp(join(folder, name))
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
      .catch(() => undefined);
    if (!source || source.info.channels !== 3) continue;
    const { width, height } = source.info;
    if (width * height < 40_000 || width * height > 1_500_000) continue;
    const raw = { raw: { width, height, channels: 3 as const } };
    const open = (): Sharp => sharp(source.data, raw);
    const middle = { left: width >> 2, top: height >> 2, width: width >> 1, height: height >> 1 };
    const forms = {
      whole: open(),
      half: open().resize(width >> 1),
      larger: open().resize(Math.round(width * 1.6)),
      cut: open().extract(middle),
      sharpened: open().sharpen({ sigma: 2 }),
    };
    for (const [form, picture] of Object.entries(forms)) {
      looked++;
      const size = textSizeIn(await pixelsOf(picture));
      if (size !== undefined) found.push(`${name}, ${form}: ${size}`);
    }
  }
  expect(found).toEqual([]);
  expect(looked).toBeGreaterThanOrEqual(effort.isLong ? 200 : 10);
});

const stripes = (angle: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><defs><pattern id="p" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="${angle}"><rect width="3" height="6"/></pattern></defs><rect width="600" height="400" fill="#fff"/><rect width="600" height="400" fill="url(#p)"/></svg>`,
  );

test('noise, stripes and a checkerboard are no writing', async () => {
  for (const picture of [
    noise(500, 400),
    sharp(stripes('')),
    sharp(stripes('rotate(7)')),
    sharp(stripes('rotate(90)')),
  ])
    expect(textSizeIn(await pixelsOf(picture.flatten({ background: 'white' })))).toBeUndefined();
});

test.runIf(hasFonts)('a block tells the size in pixels of its original, whether it stays or is scaled', async () => {
  const page = writing({ px: 14, width: 1280, height: 4200 });
  const tall = await pictureFrom(await page.clone().png().toBuffer());
  expect(tall.original?.height).toBe(4200);
  expect(tall.height).toBe(2000);
  expect(tall.textPx).toBeGreaterThan(11);
  expect(tall.textPx).toBeLessThan(17);
  expect(parseBlock(JSON.parse(JSON.stringify(tall)))).toEqual(tall);
  const jpeg = await pictureFrom(await page.clone().jpeg({ quality: 85 }).toBuffer());
  expect(jpeg.textPx).toBeGreaterThan(11);
  expect(jpeg.textPx).toBeLessThan(17);
  const small = await pictureFrom(await writing({ px: 14, width: 700, height: 500, dark: true }).png().toBuffer());
  expect(small.original).toBeUndefined();
  expect(small.textPx).toBeGreaterThan(11);
  expect(small.textPx).toBeLessThan(17);
  expect((await pictureFrom(await noise(300, 200).png().toBuffer())).textPx).toBeUndefined();
});

test.runIf(hasFonts)('letters with nothing behind them are writing, dark and light ones', async () => {
  for (const dark of [false, true])
    for (const size of [
      { width: 700, height: 500 },
      { width: 1280, height: 2600 },
    ]) {
      const { textPx } = await pictureFrom(
        await writing({ px: 14, ...size, dark, clear: true })
          .png()
          .toBuffer(),
      );
      expect(textPx).toBeGreaterThan(11);
      expect(textPx).toBeLessThan(17);
    }
});

test('a drawn page tells the size that its text layer has', async () => {
  const lines = Array.from({ length: 8 }, (_, row) => `1 0 0 1 20 ${180 - row * 14} Tm (words of a small size) Tj`);
  const assets = memoryAssets();
  const bytes = pdf([`BT /F1 4 Tf 2 0 0 2 20 190 Tm (twice as large as its font says) Tj ${lines.join(' ')} ET`]);
  const asset = await assets.put(bytes, { mediaType: 'application/pdf', name: 'small.pdf' });
  const drawn = await render({ to: 'pages', asset, maxEdge: 1568 }, { assets });
  const [page] = drawn.ok ? drawn.value : [];
  if (page?.type !== 'image') throw new Error('no page');
  const scale = page.height / 400;
  expect((page.textPx ?? 0) / scale).toBeCloseTo(4, 0);
});

test.runIf(hasFonts)('strange pictures are looked at like any other', async () => {
  const small = writing({ px: 14, width: 420, height: 300 });
  const deep = await pictureFrom(await small.clone().toColourspace('rgb16').png().toBuffer());
  const cmyk = await pictureFrom(await small.clone().toColourspace('cmyk').jpeg({ quality: 90 }).toBuffer());
  for (const block of [deep, cmyk]) expect(block.textPx).toBeGreaterThan(10);
  const line = await pictureFrom(
    await sharp({ create: { width: 1, height: 20_000, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  );
  expect(line).toMatchObject({ width: 1, height: 2000 });
  expect(line.textPx).toBeUndefined();
  const frames = await sharp([await small.clone().png().toBuffer(), await small.clone().negate().png().toBuffer()], {
    join: { animated: true },
  })
    .gif()
    .toBuffer();
  expect((await pictureFrom(frames)).textPx).toBeUndefined();
});

test.runIf(hasFonts)('large figures are found on a picture that is made smaller', async () => {
  const page = writing({ px: 46, width: 3200, height: 2000, script: 'figures' });
  const { textPx, original } = await pictureFrom(await page.png().toBuffer());
  expect(original?.width).toBe(3200);
  expect(textPx).toBeGreaterThanOrEqual(34);
  expect(textPx).toBeLessThanOrEqual(58);
});
