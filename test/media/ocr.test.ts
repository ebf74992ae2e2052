// Words read off pictures, by the real library, offline. Without it these are skipped; what then happens is tested too.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { Asset, Block, PageRange } from '../../src/content/block.ts';
import { canReadPictures, read, render } from '../../src/media/index.ts';
import { languageGroups } from '../../src/media/ocr/languages.ts';
import { limits } from '../../src/media/limits.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { effort } from '../effort.ts';
import { plain } from './make.ts';
import { scanOf } from './pdf-make.ts';
import { lot } from './pdf-page-make.ts';

const assets = memoryAssets();
Object.assign(limits, { ocrMs: 240_000 }); // a machine that is busy reads slowly, and reads on

const lines = ['Invoice 4711', 'Total 1,234.56 EUR'];
const letter = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><rect width="600" height="200" fill="white"/>${lines
  .map((line, at) => `<text x="30" y="${70 + at * 70}" font-family="sans-serif" font-size="40">${line}</text>`)
  .join('')}</svg>`;

async function kept(format: 'png' | 'jpeg' | 'webp' | 'gif', name = `scan.${format}`): Promise<Asset> {
  return assets.put(await sharp(Buffer.from(letter)).toFormat(format).toBuffer(), {
    mediaType: `image/${format}`,
    name,
  });
}

async function scan(pages = 1): Promise<Buffer> {
  const jpeg = await sharp(Buffer.from(letter)).jpeg({ quality: 95 }).toBuffer();
  return scanOf(jpeg, { width: 600, height: 200, wide: 600, high: 200, pages });
}

const blind = 'openai/gpt-3.5-turbo';

async function sent(content: unknown[], options: { readPictures?: boolean } = {}): Promise<string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- blocks as `read` gave them
  const messages = [{ role: 'user' as const, content: content as never[] }];
  const { plan } = await prepare({ messages }, { model: blind, assets, ...options });
  const [item] = plan.items;
  return item?.role === 'user' ? item.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n') : '';
}

describe.skipIf(!canReadPictures())('words on a picture', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)('are read off %s', async (format) => {
    const fact = await render({ to: 'words', asset: await kept(format) }, { assets });
    expect(fact).toMatchObject({
      ok: true,
      value: [{ type: 'text', text: expect.stringMatching(/^\[text read off the picture, confidence \d+ %\]\n/) }],
    });
    for (const line of lines) expect(JSON.stringify(fact)).toContain(line);
  });

  test('that has none are refused', async () => {
    const asset = await assets.put(await plain(300, 200).png().toBuffer(), { mediaType: 'image/png', name: 'red.png' });
    expect(await render({ to: 'words', asset }, { assets })).toMatchObject({ ok: false, refusal: { code: 'empty' } });
  });

  test('are given up when they take too long', async () => {
    const crowded = sharp({ create: { width: 1800, height: 1800, channels: 3, background: 'white' } }).composite([
      { input: Buffer.from(letter), tile: true },
    ]);
    const asset = await assets.put(await crowded.png().toBuffer(), { mediaType: 'image/png', name: 'crowd.png' });
    const fact = await render({ to: 'words', asset }, { assets, limits: { ocrMs: 150 } });
    expect(fact).toMatchObject({ ok: false, refusal: { code: 'timed-out' } });
  });

  test('are read off the pages of a scanned PDF', async () => {
    const asset = await assets.put(await scan(), { mediaType: 'application/pdf', name: 'scan.pdf' });
    const fact = await render({ to: 'words', asset }, { assets });
    expect(fact).toMatchObject({
      value: [{ text: expect.stringMatching(/^\[text read off the pictures of pages 1-1 of 1\]\n\n--- Page 1 ---\n/) }],
    });
    expect(JSON.stringify(fact)).toContain(lines[0]);
  });

  test.each<[PageRange | undefined, string]>([
    [undefined, 'pages 1-5 of 7; pages 6-7 were not read]'],
    [[0, 6], 'pages 1-5 of 7; page 6 was not read]'],
    [[5, 7], 'pages 6-7 of 7]'],
  ])('are read off a few pages, and the others are told: %s', async (range, told) => {
    const asset = await assets.put(await scan(7), { mediaType: 'application/pdf', name: 'scan.pdf' });
    const fact = await render({ to: 'words', asset, ...(range && { range }) }, { assets });
    expect(JSON.stringify(fact)).toContain(`[text read off the pictures of ${told}`);
  });

  test('stand for pictures and scans before a model that cannot see', async () => {
    const picture = await read(await sharp(Buffer.from(letter)).png().toBuffer(), { assets, name: 'bill.png' });
    const document = await read(await scan(), { assets, name: 'bill.pdf' });
    for (const reading of [picture, document]) {
      const blocks = reading.ok ? reading.value.blocks : [];
      const words = await sent(blocks);
      expect(words).toMatch(/as text\]\n\[text read off the picture/);
      expect(words).toContain(lines[1]);
      expect(await sent(blocks, { readPictures: false })).toMatch(/not shown: /);
    }
  });

  test("do not replace the author's own", async () => {
    const picture = await read(await sharp(Buffer.from(letter)).png().toBuffer(), { assets, name: 'bill.png' });
    const [block] = picture.ok ? picture.value.blocks : [];
    const words = await sent([{ ...block, fallback: 'a bill' }]);
    expect(words).toContain('a bill');
    expect(words).not.toContain('Invoice');
  });

  test('stay as they were sent when newer pictures follow', async () => {
    const pictures = Array.from({ length: 6 }, (_, at) => letter.replace('Invoice 4711', `Bill 82${at}`));
    const messages: { role: 'user'; content: Block[] }[] = [];
    let before: { ledger: Ledger; items: readonly unknown[] } | undefined;
    for (const svg of pictures) {
      const result = await read(await sharp(Buffer.from(svg)).png().toBuffer(), { assets, name: 'bill.png' });
      messages.push({ role: 'user', content: result.ok ? result.value.blocks : [] });
      const { plan, ledger } = await prepare({ messages }, { model: blind, assets, ledger: before?.ledger });
      expect(plan.items.slice(0, before?.items.length ?? 0)).toEqual(before?.items ?? []);
      before = { ledger, items: plan.items };
    }
    expect(JSON.stringify(before?.items).match(/confidence/g)?.length).toBe(6);
  });

  test('are read off the newest few pictures only', async () => {
    const blocks = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const svg = letter.replace('Invoice 4711', `Invoice 471${at}`);
        const result = await read(await sharp(Buffer.from(svg)).png().toBuffer(), { assets, name: `${at}.png` });
        return result.ok ? result.value.blocks : [];
      }),
    );
    const words = await sent(blocks.flat());
    expect(words.match(/"\d\.png"[^\]]*(?:as text|not shown)/g)?.map((line) => line.includes('as text'))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });
});

/** A page of numbers as a bad scanner gives it, at 150 dots to the inch, and the numbers. */
async function numbersPage(): Promise<{ page: Buffer; numbers: string[] }> {
  const random = lot(7);
  const make = (): string => {
    const kind = Math.floor(random() * 3);
    if (kind === 0) return `${Math.floor(random() * 100_000)}`;
    return kind === 1
      ? (random() * 10_000).toFixed(2)
      : `${90 + Math.floor(random() * 90)}/${50 + Math.floor(random() * 50)}`;
  };
  const numbers = Array.from({ length: 160 }, make);
  const size = { width: 1240, height: 1754 };
  const texts = numbers.map(
    (number, at) =>
      `<text x="${80 + (at % 4) * 280}" y="${80 + Math.floor(at / 4) * 41}" font-family="serif" font-size="24">${number}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1240" height="1754"><rect width="1240" height="1754" fill="white"/>${texts.join('')}</svg>`;
  const noise = { type: 'gaussian' as const, mean: 235, sigma: 35 };
  const grain = await sharp({ create: { ...size, channels: 3, background: 'white', noise } })
    .png()
    .toBuffer();
  const jpeg = await sharp(Buffer.from(svg))
    .blur(0.6)
    .composite([{ input: grain, blend: 'multiply' }])
    .jpeg({ quality: 45 })
    .toBuffer();
  return { page: scanOf(jpeg, { ...size, wide: 595, high: 842 }), numbers };
}

test.skipIf(!canReadPictures() || !effort.isLong)('no number on a bad scan is wrong without a mark', async () => {
  const { page, numbers } = await numbersPage();
  const asset = await assets.put(page, { mediaType: 'application/pdf', name: 'numbers.pdf' });
  const fact = await render({ to: 'words', asset }, { assets });
  const text = fact.ok && fact.value[0]?.type === 'text' ? (fact.value[0].text.split('--- Page 1 ---')[1] ?? '') : '';
  const left = [...numbers];
  const wrong = text
    .split('[confidence')[0]
    ?.split(/\s+/)
    .filter((word) => {
      const at = left.indexOf(word.replace('[?]', ''));
      if (at !== -1) left.splice(at, 1);
      return at === -1 && /\d/.test(word) && !word.endsWith('[?]');
    });
  expect(wrong).toEqual([]);
  expect(left.length).toBeLessThan(numbers.length * 0.06);
  expect(text.match(/\[\?\]/g)?.length ?? 0).toBeLessThan(numbers.length * 0.25);
});

const hasRussian = canReadPictures() && languageGroups().some((group) => group.some(({ code }) => code === 'rus'));

test.skipIf(!hasRussian)('a picture is read in the script it is written in, where its data is installed', async () => {
  const words = ['Договор поставки товаров', 'Общая стоимость и условия'];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="200"><rect width="900" height="200" fill="white"/>${words
    .map((line, at) => `<text x="30" y="${70 + at * 70}" font-family="DejaVu Sans" font-size="40">${line}</text>`)
    .join('')}</svg>`;
  const asset = await assets.put(await sharp(Buffer.from(svg)).png().toBuffer(), {
    mediaType: 'image/png',
    name: 'a.png',
  });
  const fact = await render({ to: 'words', asset }, { assets });
  expect(fact).toMatchObject({ ok: true, value: [{ text: expect.stringContaining(words.join('\n')) }] });
});

test('without the packages a refusal says how to get them', () => {
  const bare = mkdtempSync(join(tmpdir(), 'sightline-ocr-'));
  cpSync(new URL('../../src', import.meta.url), join(bare, 'src'), { recursive: true });
  writeFileSync(join(bare, 'package.json'), '{ "type": "module" }');
  const program = `import { readPicture } from './src/media/ocr/work.ts';
    console.log(JSON.stringify(await readPicture({ bytes: new Uint8Array(1), name: 'a.png' })));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: bare,
    encoding: 'utf8',
  });
  rmSync(bare, { recursive: true });
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    refusal: { code: 'missing-decoder', next: expect.stringContaining('sightline doctor --install ocr') },
  });
});

test('what is no picture has no words to be read off', async () => {
  const asset = await assets.put(Buffer.from('plain text'), { mediaType: 'text/plain', name: 'a.txt' });
  expect(await render({ to: 'words', asset }, { assets })).toMatchObject({
    ok: false,
    refusal: { code: 'unsupported' },
  });
});
