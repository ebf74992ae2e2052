// An item in, its picture and the words on it out, each with its place and the size of its letters; drawn by a real Chromium,
// with the marks of a scanner or a camera put on afterwards.
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { findBrowser } from '../../src/toolbox/browser/launch.ts';
import { seeded } from './items.ts';
import type { Item } from './items.ts';

export type Box = { x: number; y: number; width: number; height: number };

/** A word on a picture, in pixels of it. `size`: that of its letters. */
export type Word = { text: string; size: number } & Box;

/** A picture with the place on it that eyes read, and what is written there. */
export type Drawn = { width: number; height: number; bytes: Uint8Array; type: string; region: Box; gold: Word[] };

/** Goes up when the same item is drawn another way. */
export const drawing = 1;
/** About so many words are read on each picture. */
const goldWords = 20;
const shortestWord = 5;

/** Why nothing can be drawn here; nothing where a browser is installed. */
export function missingBrowser(): string | undefined {
  if (findBrowser() !== undefined) return undefined;
  return 'Chromium is not installed (Debian and Ubuntu: apt-get install chromium), or SIGHTLINE_BROWSER names none';
}

export async function openBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--font-render-hinting=none', '--disable-lcd-text'];
  return await chromium.launch({ executablePath: findBrowser() ?? 'chromium', args });
}

export async function draw(item: Item, browser: Browser): Promise<Drawn> {
  const { width, height, ratio } = item;
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: ratio });
  try {
    page.setDefaultTimeout(120_000);
    await page.setContent(item.html);
    const shot = await page.screenshot({ type: 'png' });
    const found = await wordsOn(page, ratio);
    const size = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
    const seen = found.filter((one) => isInside(one, { x: 0, y: 0, ...size }));
    return { ...size, ...(await asTaken(shot, item)), ...regionOf(seen, size, seeded(`${item.id} region`)) };
  } finally {
    await page.close();
  }
}

/** What a scanner or a camera makes of a page. */
async function asTaken(shot: Buffer, { id, as }: Item): Promise<{ bytes: Uint8Array; type: string }> {
  if (as === 'screenshot') return { bytes: shot, type: 'image/png' };
  const random = seeded(`${id} noise`);
  const noise = Buffer.from(Array.from({ length: 512 * 512 }, () => 128 + Math.round((random() + random() - 1) * 14)));
  const grain = await sharp(noise, { raw: { width: 512, height: 512, channels: 1 } })
    .png()
    .toBuffer();
  const taken = sharp(shot)
    .removeAlpha()
    .blur(as === 'scan' ? 0.6 : 0.8)
    .composite([{ input: grain, blend: 'soft-light', tile: true }]);
  const plain = as === 'scan' ? sharp(await taken.png().toBuffer()).greyscale() : taken;
  return { bytes: await plain.jpeg({ quality: as === 'scan' ? 78 : 86 }).toBuffer(), type: 'image/jpeg' };
}

async function wordsOn(page: Page, ratio: number): Promise<Word[]> {
  const found = await page.evaluate(() => {
    const list: { text: string; x: number; y: number; width: number; height: number }[] = [];
    const walker = globalThis.document.createTreeWalker(globalThis.document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const range = globalThis.document.createRange();
      for (const match of (node.textContent ?? '').matchAll(/[A-Za-z0-9]+/g)) {
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const rects = [...range.getClientRects()];
        const [box] = rects;
        const top = box && globalThis.document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        const shown = top && (top === node.parentElement || top.contains(node));
        if (box && rects.length === 1 && shown)
          list.push({ text: match[0], x: box.x, y: box.y, width: box.width, height: box.height });
      }
    }
    return list;
  });
  return found.map(({ text, x, y, width, height }) => {
    const box = { x: x * ratio, y: y * ratio, width: width * ratio, height: height * ratio };
    return { text, ...box, size: box.height / contentHeight };
  });
}

/** How high the box of a word is, for each pixel of its font's size: as DejaVu has it. */
const contentHeight = 1.164;

export function isInside(one: Box, other: Box): boolean {
  const across = one.x >= other.x && one.x + one.width <= other.x + other.width;
  return across && one.y >= other.y && one.y + one.height <= other.y + other.height;
}

/** A place with some twenty words, around one that is drawn by lot. */
function regionOf(
  found: readonly Word[],
  size: { width: number; height: number },
  random: () => number,
): { region: Box; gold: Word[] } {
  const long = found.filter(({ text }) => text.length >= shortestWord);
  const middle = long[Math.floor(random() * long.length)];
  if (!middle) throw new Error('There are no words on the picture.');
  let region = around(middle, 1, size);
  let gold: Word[] = [];
  for (let ems = 2; ems < 80 && gold.length < Math.min(goldWords, long.length); ems++) {
    region = around(middle, ems, size);
    gold = long.filter((one) => isInside(one, region));
  }
  return { region, gold };
}

/** Twice as wide as high, within the picture. */
function around({ x, y, width, height, size }: Word, ems: number, whole: { width: number; height: number }): Box {
  const [left, top] = [Math.max(0, x + width / 2 - ems * size * 1.5), Math.max(0, y + height / 2 - ems * size * 0.75)];
  const [across, down] = [Math.min(whole.width - left, ems * size * 3), Math.min(whole.height - top, ems * size * 1.5)];
  return { x: Math.floor(left), y: Math.floor(top), width: Math.floor(across), height: Math.floor(down) };
}
