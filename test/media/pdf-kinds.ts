// Pages whose order and tables are known because they are made here: columns, side bars, tables, forms, turned, Hebrew.
import { read } from '../../src/media/index.ts';
import type { MadePage } from './pdf-page-make.ts';
import { flowed, gridLines, lot, pdfOfPages, tabled, wide } from './pdf-page-make.ts';

const empty = (): MadePage => ({ placed: [], words: [] });

type Maker = (next: () => string, seed: number) => MadePage;

function columns(
  count: number,
  gutter: number,
  change: { heading?: boolean; offset?: number; short?: number; leading?: number } = {},
): Maker {
  return (next) => {
    const page = empty();
    let y = 740;
    if (change.heading === true) {
      const title = [next(), next(), next()];
      page.placed.push({ x: 60, y, text: title.join(' '), size: 18, font: 'bold' });
      page.words.push(...title);
      y = flowed(page, next, { x: 60, y: y - 40, width: 480, lines: 3 }) - 24;
    }
    const width = (480 - gutter * (count - 1)) / count;
    for (let column = 0; column < count; column += 1) {
      const lines = 30 - column * (change.short ?? 0);
      const x = 60 + column * (width + gutter);
      flowed(page, next, { x, y: y - column * (change.offset ?? 0), width, lines, leading: change.leading ?? 12 });
    }
    return page;
  };
}

function sideBar(left: boolean, boxed: boolean): Maker {
  return (next) => {
    const page = empty();
    const [bar, main] = left ? [60, 200] : [440, 60];
    const writeBar = (): number => flowed(page, next, { x: bar, y: 700, width: 110, lines: 14, size: 8, leading: 11 });
    if (left) writeBar();
    flowed(page, next, { x: main, y: 740, width: 350, lines: 40 });
    if (!left) writeBar();
    if (boxed) {
      page.lines = [
        [bar - 6, 715, bar + 116, 715],
        [bar - 6, 540, bar + 116, 540],
        [bar - 6, 715, bar - 6, 540],
        [bar + 116, 715, bar + 116, 540],
      ];
    }
    return page;
  };
}

const price = (random: () => number): string => (random() * 1000).toFixed(2);

function cellsOf(
  next: () => string,
  seed: number,
  { rows, numeric, sparse = 0, text = 1 }: { rows: number; numeric: number; sparse?: number; text?: number },
): string[][] {
  const random = lot(seed + 7);
  const label = (): string => Array.from({ length: 1 + Math.floor(random() * 2) }, next).join(' ');
  return Array.from({ length: rows }, (_, at) => [
    ...Array.from({ length: text }, label),
    ...Array.from({ length: numeric }, () => (at === 0 ? next() : random() < sparse ? '' : price(random))),
  ]);
}

function table(shape: Parameters<typeof cellsOf>[2], look: { ruled?: boolean; prose?: boolean; step?: number }): Maker {
  return (next, seed) => {
    const page = empty();
    let y = 740;
    if (look.prose !== false) y = flowed(page, next, { x: 60, y, width: 480, lines: 4 }) - 20;
    const rows = cellsOf(next, seed, shape);
    const count = rows[0]?.length ?? 0;
    const step = look.step ?? 18;
    const xs = Array.from(
      { length: count + 1 },
      (_, at) => 60 + (at === 0 ? 0 : 160 + ((at - 1) * 320) / Math.max(1, count - 1)),
    );
    const right = Array.from({ length: shape.numeric }, (_, at) => count - shape.numeric + at);
    if (look.ruled === true)
      page.lines = gridLines(
        xs.map((x) => x - 5),
        y + step - 5,
        step,
        rows.length,
      );
    y = tabled(page, rows, { xs, y, right, step }) - 20;
    if (look.prose !== false) flowed(page, next, { x: 60, y, width: 480, lines: 4 });
    return page;
  };
}

/** Names with their values, an address above and a sum below. */
const invoice: Maker = (next, seed) => {
  const page = empty();
  const random = lot(seed);
  for (const [at, text] of [next(), next(), next()].entries()) {
    page.placed.push({ x: 60, y: 740 - at * 13, text });
    page.words.push(text);
  }
  const rows = [
    ['Position', 'Item', 'Amount', 'Price'],
    ...Array.from({ length: 6 }, (_, at) => [`${at + 1}`, `${next()} ${next()}`, `${1 + at}`, price(random)]),
  ];
  const y = tabled(page, rows, { xs: [60, 130, 330, 430, 540], y: 640, right: [2, 3] });
  const sum = price(random);
  page.placed.push(
    { x: 330, y: y - 20, text: 'Total:', font: 'bold' },
    { x: 528 - wide(sum), y: y - 20, text: sum, font: 'bold' },
  );
  page.words.push('Total:', sum);
  return page;
};

const form: Maker = (next) => {
  const page = empty();
  const rows = Array.from({ length: 8 }, () => [`${next()}:`, `${next()} ${next()}`]);
  for (const [at, [label = '', value = '']] of rows.entries()) {
    page.placed.push({ x: 60, y: 700 - at * 24, text: label }, { x: 220, y: 700 - at * 24, text: value });
    page.words.push(label, ...value.split(' '));
  }
  page.cells = rows;
  return page;
};

const turned =
  (make: Maker, rotate: 90 | 180 | 270): Maker =>
  (next, seed) => ({ ...make(next, seed), rotate });

/** A word in Hebrew letters. */
const letters = (word: string): string =>
  Array.from(word, (letter) => String.fromCharCode(0x5d0 + (letter.charCodeAt(0) % 27))).join('');

/** A page in Hebrew, in one column or two, the first of them on the right. */
function hebrew(count: number): Maker {
  return (next) => {
    const page = empty();
    const width = count === 1 ? 480 : 225;
    const seen = new Set<string>();
    const word = (): string => {
      let made = letters(next());
      while (seen.has(made)) made = letters(next());
      seen.add(made);
      return made;
    };
    for (let column = 0; column < count; column += 1) {
      const right = 540 - column * 255;
      for (let line = 0; line < 20; line += 1) {
        const words: string[] = [];
        while (wide([...words, 'אאאאאאאא'].join(' ')) < width) words.push(word());
        const text = words.join(' ');
        page.placed.push({ x: right - wide(text), y: 740 - line * 13, text, font: 'hebrew' });
        page.words.push(...words);
      }
    }
    return page;
  };
}

/** Pages of every kind, by name. */
export const pageKinds: [string, Maker][] = [
  ['one column', columns(1, 0)],
  ['one column with a heading', columns(1, 0, { heading: true })],
  ['one column set wide', columns(1, 0, { leading: 20 })],
  ['two columns', columns(2, 20)],
  ['two columns close to each other', columns(2, 13)],
  ['two columns far from each other', columns(2, 40)],
  ['two columns below a heading', columns(2, 20, { heading: true })],
  ['two columns, the second begins lower', columns(2, 20, { offset: 30 })],
  ['two columns whose lines do not meet', columns(2, 20, { offset: 5 })],
  ['two columns, the second is shorter', columns(2, 20, { short: 12 })],
  ['two columns with a heading, of unlike length', columns(2, 24, { heading: true, short: 9 })],
  ['two columns set wide', columns(2, 24, { leading: 18 })],
  ['three columns', columns(3, 18)],
  ['three columns close to each other', columns(3, 13)],
  ['three columns below a heading', columns(3, 18, { heading: true })],
  ['three columns of unlike length', columns(3, 20, { short: 7 })],
  ['three columns whose lines do not meet', columns(3, 20, { offset: 4 })],
  ['a side bar on the left', sideBar(true, false)],
  ['a side bar on the right', sideBar(false, false)],
  ['a boxed side bar on the left', sideBar(true, true)],
  ['a boxed side bar on the right', sideBar(false, true)],
  ['a drawn table', table({ rows: 8, numeric: 3 }, { ruled: true })],
  ['a drawn table alone', table({ rows: 8, numeric: 3 }, { ruled: true, prose: false })],
  ['a drawn table with holes', table({ rows: 10, numeric: 4, sparse: 0.4 }, { ruled: true })],
  ['a drawn table of words', table({ rows: 6, numeric: 0, text: 4 }, { ruled: true })],
  ['a drawn table of two columns', table({ rows: 6, numeric: 1 }, { ruled: true })],
  ['a drawn table set tight', table({ rows: 20, numeric: 3 }, { ruled: true, step: 13 })],
  ['an aligned table', table({ rows: 8, numeric: 3 }, {})],
  ['an aligned table alone', table({ rows: 8, numeric: 3 }, { prose: false })],
  ['an aligned table with holes', table({ rows: 10, numeric: 4, sparse: 0.4 }, {})],
  ['an aligned table with few values', table({ rows: 12, numeric: 3, sparse: 0.7 }, {})],
  ['an aligned table of words', table({ rows: 8, numeric: 0, text: 4 }, {})],
  ['an aligned table of two columns', table({ rows: 8, numeric: 1 }, {})],
  ['an aligned table set tight', table({ rows: 24, numeric: 3 }, { step: 12 })],
  ['a long aligned table', table({ rows: 30, numeric: 5 }, { prose: false })],
  ['an invoice', invoice],
  ['a form', form],
  ['a page turned to the right', turned(columns(2, 20, { heading: true }), 90)],
  ['a page upside down', turned(columns(2, 20), 180)],
  ['a page turned to the left', turned(columns(1, 0), 270)],
  ['a table on a turned page', turned(table({ rows: 8, numeric: 3 }, { ruled: true }), 90)],
  ['an aligned table on a turned page', turned(table({ rows: 8, numeric: 3 }, {}), 270)],
  ['Hebrew', hebrew(1)],
  ['Hebrew in two columns', hebrew(2)],
];

/** The longest sequence that both have, as a share of the longer one. */
export function inOrder(wanted: readonly string[], got: readonly string[]): number {
  let before = new Uint16Array(got.length + 1);
  for (const word of wanted) {
    const now = new Uint16Array(got.length + 1);
    for (const [at, other] of got.entries()) {
      now[at + 1] = word === other ? (before[at] ?? 0) + 1 : Math.max(now[at] ?? 0, before[at + 1] ?? 0);
    }
    before = now;
  }
  return (before.at(-1) ?? 0) / Math.max(wanted.length, got.length);
}

/** The words of a page without the signs of Markdown. */
export const wordsIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !/^\|(?: --- \|)+$/.test(line))
    .join('\n')
    .replaceAll(/[|#]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');

/** The cells of the tables of a page, row by row. */
export const cellsIn = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|(?: --- \|)+$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

/** What is read of made pages, page by page. */
export async function pageTexts(pages: readonly MadePage[], seed: number): Promise<string[]> {
  const texts: string[] = [];
  for (let start = 0; start < pages.length; start += 20) {
    const result = await read(pdfOfPages(pages.slice(start, start + 20), seed), {
      as: 'text',
      limits: { outputCharacters: 1_000_000 },
    });
    if (!result.ok) throw new Error(result.refusal.what);
    texts.push(...result.value.output.split(/--- Page \d+ ---\n/).slice(1));
  }
  return texts;
}
