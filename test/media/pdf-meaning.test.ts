// Letters that are not what the page shows: fonts without a map, letters that form no words. They never pass as text.
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { read, render } from '../../src/media/index.ts';
import { pdfSaying } from './make.ts';
import { pdfOf, streamOf } from './pdf-make.ts';

const assets = memoryAssets();

/** The numbers of the glyphs of a text. */
const hex = (text: string): string =>
  Array.from(text, (letter) => (letter.charCodeAt(0) - 29).toString(16).padStart(4, '0')).join('');

/** Pages of lines; a line in the second font is written in numbers of glyphs, 29 below the letters, without a map. */
function unmappedPdf(pages: readonly { plain?: string; unmapped?: string }[]): Buffer {
  const kids = pages.map((_, at) => `${7 + at * 2} 0 R`).join(' ');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Sans /Encoding /Identity-H /DescendantFonts [5 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Sans /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 /FontDescriptor 6 0 R >>',
    '<< /Type /FontDescriptor /FontName /ABCDEF+Sans /Flags 4 /Ascent 800 /Descent -200 /ItalicAngle 0 /CapHeight 700 /StemV 80 /FontBBox [0 -200 1000 800] >>',
    ...pages.flatMap(({ plain = '', unmapped = '' }, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 400] /Contents ${8 + at * 2} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
      streamOf(`BT /F1 12 Tf 20 350 Td (${plain}) Tj ET BT /F2 12 Tf 20 300 Td <${hex(unmapped)}> Tj ET`),
    ]),
  ]);
}

async function wordsIn(bytes: Buffer): Promise<string> {
  const result = await read(bytes, { as: 'text', name: 'a.pdf' });
  if (!result.ok) throw new Error(result.refusal.what);
  return result.value.output;
}

describe('letters without a map', () => {
  test('are left out with a note, and other pages are read', async () => {
    const output = await wordsIn(unmappedPdf([{ plain: 'Name and place' }, { unmapped: 'Vornamen 4711' }]));
    expect(output).toContain('--- Page 1 ---\nName and place');
    expect(output).toContain('[Page 2: the fonts do not say which letters these are');
    expect(output).not.toMatch(/9RUQDPHQ|4711/);
  });

  test('beside many that have one are shown as what they are', async () => {
    const output = await wordsIn(unmappedPdf([{ plain: 'The sum that was agreed upon by both', unmapped: '1' }]));
    expect(output).toContain('The sum that was agreed upon by both');
    expect(output).toContain('\ufffd');
  });

  test('are told beside the document, and its text is refused, so that its pictures go', async () => {
    const result = await read(unmappedPdf([{ unmapped: 'Vornamen' }]), { assets, name: 'a.pdf' });
    const blocks = result.ok ? result.value.blocks : [];
    expect(blocks[0]).toMatchObject({ type: 'text', text: expect.stringContaining('as="image" with pages=') });
    const document = blocks.find((block) => block.type === 'document');
    if (document?.type !== 'document') throw new Error('no document');
    expect(await render({ to: 'text', asset: document.asset }, { assets })).toMatchObject({
      refusal: { code: 'empty' },
    });
  });
});

const shifted = (words: string): string =>
  words.replaceAll(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) - 29)).replaceAll(/[\\()]/g, '');

describe('letters that form no words', () => {
  test('are doubted', async () => {
    const words =
      'the quick brown foxes jump over many lazy dogs while nobody looks and everybody sleeps until tomorrow';
    expect(await wordsIn(pdfSaying(shifted(words)))).toContain('[Page 1: the letters in the file form no words');
  });

  test.each([
    'The quick brown foxes jump over many lazy dogs while nobody looks and everybody sleeps until the next day',
    'Der Vorstand hat beschlossen, dass Zwetschgen, Strumpfhosen und Schlittschuhe rechtzeitig geliefert werden',
    'Strc prst skrz krk, zmrzl plch v brlohu; dnes je krasny den a vsichni jsou doma u stolu a jedi polevku',
    '4711 0815 1234.56 99.90 17 % 2026-01-31 12:30 4712 0816 1235.56 98.90 18 % 2026-02-28 13:30 EUR USD GBP',
  ])('are not found in: %s', async (words) => {
    expect(await wordsIn(pdfSaying(words))).not.toContain('form no words');
  });
});
