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

const footed = (...feet: string[]): Promise<string> =>
  textOf(
    feet.map((foot, at) => {
      const page = placed({ x: 60, y: 780, text: 'Annual Report' }, { x: 60, y: 20, text: foot });
      flowed(page, wordMaker(at + 40), { x: 60, y: 740, width: 480, lines: 4 });
      return page;
    }),
  );

describe('a page', () => {
  const long = 'several words that fill the line nearly to its right edge and then are';

  test('has cells where they nearly touch', async () => {
    const rows = [
      ['Harbour', 'Berth', '1,250.00'],
      ['Nord', 'Pier', '80.00'],
      ['A long name here', 'Tug', '9,999,999.00'],
      ['Sud', 'Crane of quay', '7.50'],
    ];
    const lines = rows.flatMap(([first = '', second = '', sum = ''], at) => [
      { x: 60, y: 700 - at * 18, text: first },
      { x: 160, y: 700 - at * 18, text: second },
      { x: 313 - sum.length * 6, y: 700 - at * 18, text: sum },
    ]);
    expect(cellsIn(await textOf([placed(...lines)]))).toEqual(rows);
  });

  test('has the letters of a sign as they are read, however the file says them', async () => {
    const signs = ['\u0633\ufefb\u0645', '\u0633\ue000\u0645', '\u0633\ue001\u0645', '\u0627\u0644\u0645'];
    const text = await textOf([
      placed(...signs.map((one, at) => ({ x: 60, y: 700 - at * 40, text: one, font: 'hebrew' as const }))),
    ]);
    expect(text.replaceAll(' ', '').match(/\p{Script=Arabic}+/gu)).toEqual(['سلام', 'سلام', 'سلام', 'الم']);
  });

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

  test('has struck words struck, where the line through them is drawn for them alone', async () => {
    const page = placed(
      { x: 60, y: 740, text: 'The fee is' },
      { x: 126, y: 740, text: '1,000' },
      { x: 156, y: 740, text: '1,500' },
      { x: 192, y: 740, text: 'euros, to be paid within 30 days' },
      { x: 60, y: 700, text: 'This sentence is gone' },
      { x: 60, y: 660, text: 'underlined' },
      { x: 280, y: 620, text: 'or' },
    );
    page.lines = [
      [126, 742.8, 156, 742.8],
      [60, 702.8, 186, 702.8],
      [60, 658.6, 120, 658.6],
      [60, 622.8, 540, 622.8],
    ];
    const text = await textOf([page]);
    expect(text).toContain('The fee is ~~1,000~~1,500 euros, to be paid within 30 days');
    expect(text).toContain('~~This sentence is gone~~');
    expect(text).toContain('\nunderlined\n');
    expect(text).toMatch(/\nor$/m);
  });

  test('keeps numbers apart that stand in cells with hardly a gap', async () => {
    const text = await textOf([
      placed(
        { x: 60, y: 700, text: '10' },
        { x: 73.2, y: 700, text: '4.2' },
        { x: 60, y: 688, text: '20' },
        { x: 73.2, y: 688, text: '4.8' },
      ),
    ]);
    expect(text).not.toContain('104.2');
    expect(text).toMatch(/10\s.*4\.2/);
  });

  test('keeps two lines apart that stand beside one of larger letters', async () => {
    const text = await textOf([
      placed(
        { x: 60, y: 700, text: 'the first line of the left column', size: 8 },
        { x: 60, y: 690, text: 'the second line of it, and its end', size: 8 },
        { x: 320, y: 696, text: '20', size: 12 },
      ),
    ]);
    expect(text).toMatch(/left column[^]*the second line/);
    expect(text).not.toMatch(/left columnthe/);
  });

  test('has a full stop behind the number it ends where words are read from the right', async () => {
    const text = await textOf([
      placed(
        { x: 200, y: 700, text: '\u05e2\u05d3', font: 'hebrew' },
        { x: 116, y: 700, text: '.14/03/2026' },
        { x: 200, y: 680, text: '\u05db\u05e1\u05d0', font: 'hebrew' },
        { x: 158, y: 680, text: 'ABC-12' },
      ),
    ]);
    expect(text).toContain('\u05e2\u05d3 14/03/2026.');
    expect(text).toContain('\u05db\u05e1\u05d0 ABC-12');
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
    expect(text).toContain('[On each page]\nAnnual Report\nPage # of 4\n\n--- Page 1 ---');
    expect(text.match(/Annual Report/g)?.length).toBe(1);
    expect(text).not.toContain('Page 3 of 4');
    for (const page of pages) expect(text).toContain(page.words[40]);
  });

  test.each([
    ['readings', ['Meter reading 1007', 'Meter reading 2007', 'Meter reading 3007']],
    ['numbers that rise by one', ['Invoice 4712', 'Invoice 4713', 'Invoice 4714', 'Invoice 4715']],
    ['numbers as small as those of pages', ['Invoice 1', 'Invoice 2', 'Invoice 3', 'Invoice 4']],
    ['numbers alone that are too large for a page', ['4712', '4713', '4714', '4715']],
    ['numbers alone that do not go along with the pages', ['3', '1', '2', '5']],
    ['sums and counts', ['Carried forward 2931', 'Carried forward 17', 'Carried forward 2931', 'Carried forward 5']],
    ['pages of chapters', ['Page 1-1', 'Page 1-2', 'Page 2-1', 'Page 2-2']],
  ])('keeps on each page what differs at its foot: %s', async (_name, feet) => {
    const [head = '', ...pages] = (await footed(...feet)).split(/--- Page \d+ ---\n/);
    expect(head).toContain('[On each page]\nAnnual Report\n\n');
    expect(pages.map((page) => page.trim().split('\n').at(-1))).toEqual(feet);
  });

  test.each([
    ['12', (at: number) => `${at + 1}`, '#'],
    ['- 12 -', (at: number) => `- ${at + 1} -`, '- # -'],
    ['12 / 40', (at: number) => `${at + 1} / 5`, '# / 5'],
    ['Blatt 12 von 40', (at: number) => `Blatt ${at + 1} von 5`, 'Blatt # von 5'],
    ['a cover that is not counted', (at: number) => `Page ${at}`, 'Page #'],
    ['other numbers', (at: number) => `Report 2024, version 3, page ${at + 1}`, 'Report 2024, version 3, page #'],
  ])('has the number of the page as # at its foot: %s', async (_name, foot, told) => {
    const text = await footed(...Array.from({ length: 5 }, (_, at) => foot(at)));
    expect(text).toContain(`[On each page]\nAnnual Report\n${told}\n\n--- Page 1 ---`);
    expect(text.split('\n')).not.toContain(foot(2));
  });

  test('has the same head and foot, however many of its pages are read', async () => {
    const pages = Array.from({ length: 9 }, (_, at) => {
      const page = placed({ x: 60, y: 780, text: `Balance ${at + 3}` }, { x: 60, y: 20, text: `${at + 1}` });
      flowed(page, wordMaker(at + 40), { x: 60, y: 740, width: 480, lines: 30 });
      return page;
    });
    const some = await read(pdfOfPages(pages, 3), { as: 'text', pages: '7-9' });
    const text = some.ok ? some.value.output : some.refusal.what;
    expect(text).toContain('[On each page]\n#\n\n--- Page 7 ---\nBalance 9\n');
    expect(text).not.toMatch(/^\d+$/m);
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
