// Lines that are made without rows and stretches are those that are made with them, whatever the words are.
import { expect, test } from 'vitest';
import { inOrder } from '../../src/media/pdf/layout/order.ts';
import type { Word } from '../../src/media/pdf/layout/page.ts';
import { plainLines } from '../../src/media/pdf/layout/plain.ts';
import { toldApart } from '../../src/media/pdf/layout/touching.ts';
import { readsLeftwards, segmentedRows } from '../../src/media/pdf/layout/words.ts';
import { lot } from './pdf-page-make.ts';

const texts = ['word', 'two words', '12', '3.5', '-', '\u2022', '1.', 'end.', '\u05d0\u05d1', 'a-b'];

/** A page of lines with words that mostly follow each other, and sometimes stand where, or look as, plain lines have none. */
function pageOf(seed: number): Word[] {
  const random = lot(seed);
  const odd = random() * 0.04;
  const words: Word[] = [];
  let base = 0;
  for (let line = 0; line < 12; line += 1) {
    base += 6 + random() * 10;
    let left = random() < odd ? 200 : 50;
    for (let count = Math.ceil(random() * 4); count > 0; count -= 1) {
      const text = texts[Math.floor(random() * (random() < odd ? texts.length : 4))] ?? '';
      const size = random() < odd ? 6 : 10;
      const at = random() < odd ? base - 3 : base;
      const right = left + text.length * 5;
      const place = { left, right, top: at - size, bottom: at + 2, base: at, size };
      const opening = random() < 0.5 ? undefined : 10;
      const link = random() < odd / 4 ? 'https://example.org/' : undefined;
      words.push({ ...place, text, bold: random() < 0.3, spaced: random() < 0.5, opening, link });
      left = right + random() * (random() < odd ? 20 : 7);
      if (random() < odd / 4) left -= 60;
    }
  }
  return words;
}

test('plain lines are what the rows of the same words become', () => {
  const pages = Array.from({ length: 2000 }, (_, seed) => pageOf(seed + 1));
  const plain = pages.flatMap((words) => {
    const lines = plainLines(words);
    return lines === undefined ? [] : [{ words, lines }];
  });
  for (const { words, lines } of plain) {
    expect(lines).toEqual(inOrder(toldApart(segmentedRows(words)), readsLeftwards(words)));
  }
  expect(plain.length).toBeGreaterThan(200);
  expect(plain.length).toBeLessThan(1800);
});
