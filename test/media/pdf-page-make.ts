// Pages whose order and tables are known, set in letters of one width, so that every place can be computed. What stands
// on a page is written into the file in a shuffled order: only the places tell what is read first.
import { pdfOf, streamOf } from './pdf-make.ts';

type Placed = { x: number; y: number; text: string; size?: number; font?: 'plain' | 'bold' | 'hebrew'; rise?: number };
type Drawn = [x0: number, y0: number, x1: number, y1: number];
/** `words` are those of the page in their order, `cells` those of its tables, row by row. */
export type MadePage = {
  placed: Placed[];
  lines?: Drawn[];
  rotate?: 0 | 90 | 180 | 270;
  words: string[];
  cells?: string[][];
};

/** Numbers by a seed, the same in every run. */
export function lot(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

const syllables = 'ba ke li mo nu pa re si to vu da fe gi ho ju'.split(' ');

/** Words no two of which are the same. */
export function wordMaker(seed: number): () => string {
  const random = lot(seed);
  let count = 0;
  return () => {
    count += 1;
    let [rest, word] = [count, ''];
    while (rest > 0) {
      word += syllables[rest % 15] ?? '';
      rest = Math.floor(rest / 15);
    }
    return (
      word +
      (syllables[Math.floor(random() * 15)] ?? '') +
      (random() < 0.4 ? (syllables[Math.floor(random() * 15)] ?? '') : '')
    );
  };
}

export const wide = (text: string, size = 10): number => text.length * size * 0.6;

/** A paragraph set into a column; gives back where it ends and what it says. */
export function flowed(
  page: MadePage,
  next: () => string,
  {
    x,
    y,
    width,
    lines,
    size = 10,
    leading = 12,
    font = 'plain',
  }: {
    x: number;
    y: number;
    width: number;
    lines: number;
    size?: number;
    leading?: number;
    font?: 'plain' | 'bold' | 'hebrew';
  },
): number {
  let at = y;
  let word = next();
  for (let count = 0; count < lines; count += 1) {
    let text = '';
    while (text === '' || wide(`${text} ${word}`, size) <= width) {
      text = text === '' ? word : `${text} ${word}`;
      page.words.push(word);
      word = next();
    }
    page.placed.push({ x, y: at, text, size, font });
    at -= leading;
  }
  return at;
}

/** Rows of cells at these places; numbers stand at the right of their column. */
export function tabled(
  page: MadePage,
  rows: readonly (readonly string[])[],
  {
    xs,
    y,
    step = 18,
    size = 10,
    right = [],
  }: { xs: number[]; y: number; step?: number; size?: number; right?: number[] },
): number {
  for (const [at, row] of rows.entries()) {
    for (const [column, text] of row.entries()) {
      if (text === '') continue;
      const start = right.includes(column) ? (xs[column + 1] ?? 0) - 12 - wide(text, size) : (xs[column] ?? 0);
      page.placed.push({ x: start, y: y - at * step, text, size, font: at === 0 ? 'bold' : 'plain' });
      page.words.push(...text.split(' '));
    }
  }
  (page.cells ??= []).push(...rows.map((row) => [...row]));
  return y - rows.length * step;
}

/** Lines around all cells. */
export function gridLines(xs: readonly number[], top: number, step: number, rows: number): Drawn[] {
  const ys = Array.from({ length: rows + 1 }, (_, at) => top - at * step);
  const [left = 0, right = 0] = [xs[0], xs.at(-1)];
  return [...ys.map((y): Drawn => [left, y, right, y]), ...xs.map((x): Drawn => [x, top, x, ys.at(-1) ?? 0])];
}

const hex = (text: string): string =>
  Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(4, '0')).join('');
/** A sign of which only the page says which letters it is. */
const said = (code: string): string =>
  code.replaceAll('e001', '> Tj /Span << /ActualText <FEFF06440627> >> BDC <e001> Tj EMC <');
const escaped = (text: string): string => text.replaceAll(/[\\()]/g, String.raw`\$&`);
const fonts = { plain: 'F1', bold: 'F2', hebrew: 'F3' };

function contentOf({ placed, lines = [], rotate = 0 }: MadePage, seed: number): string {
  const random = lot(seed);
  const shuffled = placed.map((one) => [random(), one] as const).toSorted((one, other) => one[0] - other[0]);
  const turn = { 0: '1 0 0 1 0 0', 90: '0 1 -1 0 600 0', 180: '-1 0 0 -1 600 800', 270: '0 -1 1 0 0 800' }[rotate];
  const texts = shuffled.map(([, { x, y, text, size = 10, font = 'plain', rise = 0 }]) => {
    // Hebrew is drawn from left to right, its last letter first, as programs write it.
    const shown = font === 'hebrew' ? `<${said(hex(Array.from(text).toReversed().join('')))}>` : `(${escaped(text)})`;
    return `BT /${fonts[font]} ${size} Tf ${rise} Ts 1 0 0 1 ${x} ${y} Tm ${shown} Tj ET`;
  });
  const drawn = lines.map(([x0, y0, x1, y1]) => `${x0} ${y0} m ${x1} ${y1} l S`);
  return `q ${turn} cm\n${[...drawn, ...texts].join('\n')}\nQ`;
}

const toUnicode =
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <0000> <FFFF> endcodespacerange 4 beginbfrange <0020> <007E> <0020> <05D0> <05EA> <05D0> <0621> <064A> <0621> <FEF5> <FEFC> <FEF5> endbfrange 1 beginbfchar <E000> <06440627> endbfchar endcmap end end';

/** A file of these pages. A turned page is drawn turned and shown upright. */
export function pdfOfPages(pages: readonly MadePage[], seed = 1): Buffer {
  const first = 9;
  const kids = pages.map((_, at) => `${first + at * 2} 0 R`).join(' ');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold >>',
    '<< /Type /Font /Subtype /Type0 /BaseFont /Hebrew /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 8 0 R >>',
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Hebrew /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 /FontDescriptor 7 0 R >>',
    '<< /Type /FontDescriptor /FontName /Hebrew /Flags 4 /Ascent 800 /Descent -200 /ItalicAngle 0 /CapHeight 700 /StemV 80 /FontBBox [0 -200 1000 800] >>',
    streamOf(toUnicode),
    ...pages.flatMap((page, at) => {
      const turned = page.rotate === 90 || page.rotate === 270;
      const box = turned ? '0 0 800 600' : '0 0 600 800';
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Rotate ${page.rotate ?? 0} /Contents ${first + at * 2 + 1} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> >> >>`,
        streamOf(contentOf(page, seed + at)),
      ];
    }),
  ]);
}
