// The short form of `npm run eyesight`: two of its pictures reach every family, are taken out of the bodies and, where the
// eyes are installed, read.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import deliver from '../bench/eyesight/deliver.ts';
import type { Delivery } from '../bench/eyesight/deliver.ts';
import { draw, openBrowser } from '../bench/eyesight/draw.ts';
import type { Drawn } from '../bench/eyesight/draw.ts';
import { missingEye, recallOf } from '../bench/eyesight/eyes.ts';
import { families, seenBy } from '../bench/eyesight/families.ts';
import { itemsOf } from '../bench/eyesight/items.ts';
import { openReadings, readDelivered, readOriginal } from '../bench/eyesight/readings.ts';

const hasChromium = existsSync('/usr/bin/chromium');
const weights = existsSync(new URL('../bench/eyesight/node_modules/.package-lock.json', import.meta.url));
const withoutEyes = weights ? missingEye() : 'PP-OCRv4 is not installed (npm run eyesight brings it)';
const folder = mkdtempSync(join(tmpdir(), 'sightline-eyesight-'));
const wanted = new Set(['tall-01', 'small-01']);
const drawn = new Map<string, Drawn>();
const sent = new Map<string, Delivery[]>();

beforeAll(async () => {
  if (!hasChromium) return;
  const browser = await openBrowser();
  for (const item of itemsOf(1).filter(({ id }) => wanted.has(id))) {
    const picture = await draw(item, browser);
    drawn.set(item.id, picture);
    writeFileSync(join(folder, item.id), picture.bytes);
  }
  await browser.close();
  const items = [...drawn].map(([id, { type }]) => ({ id, file: id, type }));
  const { sightline = {} } = await deliver({ libraries: ['sightline'], folder, items });
  for (const [id, made] of Object.entries(sightline)) sent.set(id, made);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.runIf(hasChromium)('the same name draws the same words, and every word of the place lies in it', () => {
  for (const { region, gold, width, height } of drawn.values()) {
    expect(gold.length).toBeGreaterThanOrEqual(10);
    expect(region.x + region.width).toBeLessThanOrEqual(width);
    expect(region.y + region.height).toBeLessThanOrEqual(height);
  }
});

test.runIf(hasChromium)('pictures are found in the bodies of all families, and pieces cover the whole', () => {
  for (const family of families) {
    const tall = sent.get('tall-01')?.find((one) => one.family === family.id);
    const small = sent.get('small-01')?.find((one) => one.family === family.id);
    expect(small?.pictures, family.id).toMatchObject([{ width: 320, height: 180 }]);
    const parts = (tall?.pictures ?? []).flatMap(({ part }) => part ?? []);
    for (const one of tall?.pictures ?? []) expect(seenBy(family, one)?.tokens).toBeGreaterThan(0);
    if (tall?.receipt?.action !== 'tiles') continue;
    expect(parts.length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...parts.map(({ y }) => y))).toBe(0);
    expect(Math.max(...parts.map(({ y, height }) => y + height))).toBe(3000);
  }
  expect(sent.get('tall-01')?.some(({ receipt }) => receipt?.action === 'tiles')).toBe(true);
});

test('letters that no eye tells apart count as found, spaces do not count', () => {
  expect(recallOf(['lomike', 'banana'], 'ba nana\n10mi ke')).toBe(1);
  expect(recallOf(['lomike', 'banana'], 'banama')).toBe(0);
});

test.runIf(hasChromium && !withoutEyes)(
  `a tall page is read as it reaches Claude${withoutEyes ? `: ${withoutEyes}` : ''}`,
  async () => {
    const picture = drawn.get('tall-01');
    const delivery = sent.get('tall-01')?.find(({ family }) => family === 'claude-4.6');
    if (!picture || !delivery) throw new Error('nothing was drawn');
    const shown = { ...picture, file: 'tall-01' };
    const readings = openReadings(folder);
    const [first, second] = await readOriginal(shown, folder, readings);
    const { recall, tokens } = await readDelivered(shown, delivery, folder, readings);
    expect((recall[0] + recall[1]) / (first + second)).toBeGreaterThanOrEqual(0.9);
    expect(tokens).toBeLessThanOrEqual(6000);
  },
);
