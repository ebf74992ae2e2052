// What a page says, in the order in which a person reads it. The pages are made here, so their order and tables are known.
import { describe, expect, test } from 'vitest';
import { read } from '../../src/media/index.ts';
import type { MadePage } from './pdf-page-make.ts';
import { cellsIn, inOrder, pageKinds, pageTexts, wordsIn } from './pdf-kinds.ts';
import { flowed, pdfOfPages, wordMaker } from './pdf-page-make.ts';

describe('the order of a page and its tables', async () => {
  const seed = 11;
  const pages = pageKinds.map(([, make], at) => make(wordMaker(seed + at), seed + at));
  const texts = await pageTexts(pages, seed);

  test('are known for at least forty pages', () => {
    expect(texts.length).toBe(pageKinds.length);
    expect(pageKinds.length).toBeGreaterThanOrEqual(40);
  });

  test.each(pageKinds.map(([name], at) => [name, at] as const))('hold for %s', (_name, at) => {
    const [page, text = ''] = [pages[at], texts[at]];
    expect(inOrder(page?.words ?? [], wordsIn(text)), text).toBeGreaterThanOrEqual(0.99);
    const wanted = page?.cells ?? [];
    const got = cellsIn(text);
    const right = wanted.flatMap((row, line) => row.filter((cell, column) => got[line]?.[column] === cell)).length;
    expect(right / Math.max(1, wanted.flat().length), text).toBeGreaterThanOrEqual(wanted.length === 0 ? 0 : 0.95);
    if (wanted.length === 0) expect(got).toEqual([]);
  });
});

async function textOf(pages: readonly MadePage[]): Promise<string> {
  const result = await read(pdfOfPages(pages, 3), { as: 'text' });
  if (!result.ok) throw new Error(result.refusal.what);
  return result.value.output;
}

const placed = (...lines: MadePage['placed']): MadePage => ({ placed: lines, words: [] });

describe('a page', () => {
  const long = 'several words that fill the line nearly to its right edge and then are';

  test('has its divided words whole again, but keeps hyphens that belong to a word', async () => {
    const text = await textOf([
      placed(
        { x: 60, y: 700, text: 'several words that fill the line nearly to its right edge infor-' },
        { x: 60, y: 688, text: 'mation and again the line is filled with words until a well-' },
        { x: 60, y: 676, text: 'known word is divided, which is well-known.' },
      ),
    ]);
    expect(text).toContain('right edge information and again');
    expect(text).toContain('until a well-known word');
  });

  test('keeps what is raised and lowered', async () => {
    const text = await textOf([
      placed(
        { x: 60, y: 700, text: 'about 10' },
        { x: 108, y: 700, text: '5', size: 6, rise: 5 },
        { x: 114, y: 700, text: 'letters of H' },
        { x: 186, y: 700, text: '2', size: 6, rise: -2 },
        { x: 189.6, y: 700, text: 'O' },
      ),
    ]);
    expect(text).toContain('10^5');
    expect(text).toContain('H₂O');
  });

  test('has headings by size and weight, and lists inside lists', async () => {
    const text = await textOf([
      placed(
        { x: 60, y: 740, text: 'Title', size: 20, font: 'bold' },
        { x: 60, y: 700, text: 'Section', size: 14 },
        { x: 60, y: 680, text: long },
        { x: 60, y: 650, text: 'Small heading', font: 'bold' },
        { x: 60, y: 635, text: long },
        { x: 60, y: 610, text: '- first' },
        { x: 80, y: 598, text: '- inner' },
        { x: 60, y: 586, text: '- second' },
      ),
    ]);
    expect(text).toContain('# Title\n\n## Section\n\n');
    expect(text).toContain('### Small heading\n\n');
    expect(text).toContain('- first\n  - inner\n- second');
  });

  test('has its head and foot said once before all pages', async () => {
    const pages = Array.from({ length: 4 }, (_, at) => {
      const page = placed({ x: 60, y: 780, text: 'Annual Report' }, { x: 280, y: 20, text: `Page ${at + 1} of 4` });
      flowed(page, wordMaker(at + 40), { x: 60, y: 740, width: 480, lines: 30 });
      return page;
    });
    const text = await textOf(pages);
    expect(text).toContain('[On each page]\nAnnual Report\nPage 1 of 4\n\n--- Page 1 ---');
    expect(text.match(/Annual Report/g)?.length).toBe(1);
    expect(text).not.toContain('Page 3 of 4');
    for (const page of pages) expect(text).toContain(page.words[40]);
  });

  test('with very many letters in very many places is read in time', async () => {
    const many = placed(
      ...Array.from({ length: 4000 }, (_, at) => ({
        x: 10 + (at % 40) * 14,
        y: 780 - Math.floor(at / 40) * 7,
        text: `${at % 10}`,
        size: 5,
      })),
    );
    many.lines = Array.from({ length: 3500 }, (_, at) => [at % 600, 0, at % 600, 800]);
    expect(await textOf([many])).toContain('| 0 | 1 | 2 |');
  });
});
