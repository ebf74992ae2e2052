// Pages whose letters stand below each other, the first column on the right, as Chromium prints `writing-mode: vertical-rl`
// (every letter in a place of its own) and as programs for books do (a font that is written downwards).
import { describe, expect, test } from 'vitest';
import { read } from '../../src/media/index.ts';
import { pdfOf, streamOf } from './pdf-make.ts';

const columns = [
  '吾輩は猫である。名前はまだ無い。',
  'どこで生れたかとんと見当がつかぬ',
  '。何でも薄暗い所で泣いていた事は',
  '記憶している。',
];
const size = 12;

const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
const shown = (x: number, y: number, text: string, turn = '1 0 0 1'): string =>
  `BT /F1 ${size} Tf ${turn} ${x} ${y} Tm <${hex(text)}> Tj ET`;

/** A page of this content; the numbers of its letters are those of Unicode, each as wide as high. */
function page(content: string, encoding: 'Identity-H' | 'Identity-V'): Buffer {
  const meaning =
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0000> <FFFF> <0000> endbfrange endcmap end end';
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [7 0 R] /Count 1 >>',
    `<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /${encoding} /DescendantFonts [4 0 R] /ToUnicode 6 0 R >>`,
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Mincho /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 1000 /FontDescriptor 5 0 R >>',
    '<< /Type /FontDescriptor /FontName /Mincho /Flags 4 /Ascent 880 /Descent -120 /ItalicAngle 0 /CapHeight 700 /StemV 80 /FontBBox [0 -120 1000 880] >>',
    streamOf(meaning),
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 8 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    streamOf(content),
  ]);
}

async function wordsOf(bytes: Buffer): Promise<string> {
  const result = await read(bytes, { as: 'text', name: 'book.pdf' });
  if (!result.ok) throw new Error(result.refusal.what);
  return result.value.output.split('--- Page 1 ---\n')[1] ?? '';
}

const bare = (text: string): string => text.replaceAll(/\s/g, '');

/** Columns from the right to the left, each letter where it stands. */
const standing = (texts: readonly string[]): string[] =>
  texts.flatMap((text, at) => Array.from(text, (letter, row) => shown(350 - at * 20, 360 - row * size, letter)));

describe('letters that stand below each other', () => {
  test('are read down their columns, the first of which is on the right', async () => {
    expect(bare(await wordsOf(page(standing(columns).join('\n'), 'Identity-H')))).toBe(columns.join(''));
  });

  test('are read so where the font is written downwards', async () => {
    const drawn = columns.map((text, at) => shown(350 - at * 20, 370, text));
    expect(bare(await wordsOf(page(drawn.join('\n'), 'Identity-V')))).toBe(columns.join(''));
  });

  test('have foreign words that lie on their side in their place, and what is level on the page behind them', async () => {
    const [first = '', second = '', ...rest] = columns;
    const word = Array.from('PDF', (letter, at) =>
      shown(353, 360 - (first.length + at) * size + 10, letter, '0 -1 1 0'),
    );
    const drawn = [...standing([first]), ...word, ...standing(['', second, ...rest]), shown(190, 20, 'abcd')];
    const text = await wordsOf(page(drawn.join('\n'), 'Identity-H'));
    expect(bare(text)).toBe(`${first}PDF${second}${rest.join('')}abcd`);
    expect(text).toMatch(/abcd$/);
  });

  test('are paragraphs where a column ends early', async () => {
    const text = await wordsOf(page(standing([...columns, ...columns]).join('\n'), 'Identity-H'));
    expect(text.split('\n').map(bare)).toEqual([columns.join(''), columns.join('')]);
  });
});

test('lines of the same letters are read across', async () => {
  const drawn = columns.map((text, at) => shown(50, 360 - at * 16, text));
  expect(bare(await wordsOf(page(drawn.join('\n'), 'Identity-H')))).toBe(columns.join(''));
});

test('letters with gaps between them, as in boxes, are read across', async () => {
  const drawn = columns.flatMap((text, at) =>
    Array.from(text, (letter, row) => shown(30 + row * 21, 360 - at * 14, letter)),
  );
  expect(bare(await wordsOf(page(drawn.join('\n'), 'Identity-H'))).replaceAll(/[|-]/g, '')).toBe(columns.join(''));
});

test('a column of single signs beside words stays where it stands', async () => {
  const drawn = columns.flatMap((text, at) => [
    shown(50, 360 - at * 18, '月火水木'.charAt(at)),
    shown(90, 360 - at * 18, text),
  ]);
  const text = await wordsOf(page(drawn.join('\n'), 'Identity-H'));
  expect(text).toContain('月');
  expect(bare(text)).not.toContain('月火水木');
});
