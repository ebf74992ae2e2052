// What a PDF holds besides the words of its pages: outline, form, scans; and what a page takes along when it is cut out.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { DocumentBlock } from '../../src/content/block.ts';
import { refusalText } from '../../src/content/refusal.ts';
import type { Reading, ReadOptions } from '../../src/media/index.ts';
import { read, render } from '../../src/media/index.ts';
import { file, pdf, pdfSaying } from './make.ts';
import { formPdf, markedPdf, outlinedPdf, pdfOf, scannedPdf, streamOf } from './pdf-make.ts';

const assets = memoryAssets();
const numbered = (pages: number): Buffer => pdfSaying(...Array.from({ length: pages }, (_, at) => `word${at + 1}`));

async function reading(bytes: Buffer, options: ReadOptions = {}): Promise<Reading> {
  const result = await read(bytes, { assets, name: 'a.pdf', ...options });
  if (!result.ok) throw new Error(refusalText(result.refusal));
  return result.value;
}

async function refusedWith(bytes: Buffer, options: ReadOptions = {}): Promise<string> {
  const result = await read(bytes, { assets, name: 'a.pdf', ...options });
  return result.ok ? 'read' : refusalText(result.refusal);
}

function documentIn({ blocks }: Reading): DocumentBlock {
  const block = blocks.find((one) => one.type === 'document');
  if (block?.type !== 'document') throw new Error('no document');
  return block;
}

async function cutOut(bytes: Buffer, range: [number, number]): Promise<Buffer> {
  const { asset } = documentIn(await reading(bytes));
  const fact = await render({ to: 'pdf', asset, range }, { assets });
  const block = fact.ok ? fact.value[0] : undefined;
  if (block?.type !== 'document') throw new Error('no pages');
  return Buffer.from((await assets.get(block.asset.id)) ?? []);
}

describe('an outline', () => {
  const list = "[Outline]\n- Start 'here' (page 1)\n  - Inner (page 2)\n- Über Uns";

  test('stands before the first page, and a loop in it ends', async () => {
    const pages = '--- Page 1 ---\nfirst\n\n--- Page 2 ---\nsecond';
    expect((await reading(outlinedPdf())).output).toBe(`[Showing pages 1-2 of 2.]\n\n${list}\n\n${pages}`);
  });

  test('is not repeated before later pages', async () => {
    expect((await reading(outlinedPdf(), { pages: '2' })).output).not.toContain('[Outline]');
  });

  test('goes along when the words stand for the document', async () => {
    const { asset } = documentIn(await reading(outlinedPdf()));
    const fact = await render({ to: 'text', asset }, { assets });
    expect(fact).toMatchObject({ value: [{ text: expect.stringContaining(`${list}\n\n--- Page 1 ---`) }] });
  });
});

const web = (uri: string, rect: string): string => `/Subtype /Link /Rect [${rect}] /A << /S /URI /URI (${uri}) >>`;

describe('what lies over a page', () => {
  test('is told behind raised letters, and is not raised with them', async () => {
    const bytes = pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 5 0 R /Annots [6 0 R] /Resources << /Font << /F1 3 0 R >> >> >>',
      streamOf(
        'BT /F1 12 Tf 20 350 Td (The plot has 450 m) Tj /F1 7 Tf 5 Ts (2) Tj /F1 12 Tf 0 Ts ( of meadow.) Tj ET',
      ),
      '<< /Type /Annot /Subtype /Highlight /Rect [121 352 127 363] /QuadPoints [121 363 127 363 121 352 127 352] /T (Ann) /Contents (Or feet?) >>',
    ]);
    expect((await reading(bytes)).output).toContain('The plot has 450 m² {>>Ann: Or feet?<<} of meadow.');
  });

  test('is told where it lies: targets at their words, comments behind theirs, addresses once', async () => {
    const { output } = await reading(
      markedPdf([
        web('https://example.com/terms', '46 347 102 362'),
        web('http://example.com/', '42 307 108 322'),
        web('javascript:alert(1)', '20 327 60 342'),
        '/Subtype /Highlight /Rect [74 327 118 342] /QuadPoints [74 342 118 342 74 327 118 327] /Contents (which year?) /T (Ada)',
        '/Subtype /Text /Rect [270 345 290 365] /Contents (all of it)',
      ]),
    );
    expect(output).toContain(
      'Read [our terms](https://example.com/terms) before you sign. {>>all of it<<} Costs are 400 EUR {>>Ada: which year?<<} a year. See example.com for more.',
    );
  });

  test('is a line through words that somebody struck, with what was said about it', async () => {
    const { output } = await reading(
      markedPdf([
        '/Subtype /StrikeOut /Rect [74 327 118 342] /QuadPoints [74 342 118 342 74 327 118 327]',
        web('https://example.com/terms', '20 307 40 322'),
        '/Subtype /StrikeOut /Rect [46 347 102 362] /QuadPoints [46 362 102 362 46 347 102 347] /Contents (not ours) /T (Ada)',
      ]),
    );
    expect(output).toContain('Read ~~our terms~~ {>>Ada: not ours<<} before you sign. Costs are ~~400 EUR~~ a year.');
    expect(output).toContain('[See](https://example.com/terms)');
  });

  test('is read up to a bound, and the page with more is named', async () => {
    const many = Array.from({ length: 1200 }, (_, at) => web(`https://example.com/${at}`, '46 347 102 362'));
    const { output } = await reading(markedPdf(many));
    expect(output).toContain(
      '[Page 1: more notes and links than are read; some are left out. as="image" with pages="1" shows it.]',
    );
    expect(output).toContain('Read [our terms](https://example.com/0) before');
  });
});

test.each([
  ['lost', ''],
  ['spoilt', 'trailer\n<< /Root 1 0 R /ID [<904e'],
  ['not one of a PDF', 'trailer\n<< /Size 7 >>\nstartxref\n0\n%%EOF'],
])('a file whose trailer is %s is read all the same', async (_what, end) => {
  const whole = pdfSaying('still here').toString('latin1');
  const cut = Buffer.from(`${whole.slice(0, whole.lastIndexOf('xref\n0'))}${end}`, 'latin1');
  expect((await reading(cut)).output).toContain('still here');
});

test('fields of a form stand once, where they are, under their names where no words are beside them; the others below', async () => {
  const { output } = await reading(formPdf());
  expect(output).toContain(
    '--- Page 1 ---\n[Application](https://example.org/help)\n\nfull name: Ada Lovelace\n\nagreed: [x]\n\n[Form fields]\nsecret: (hidden)\nEmpty: notes\n\n--- Page 2 ---\n',
  );
  expect(output).not.toContain('hunter2');
});

describe('a page without words', () => {
  const mixed = scannedPdf([
    { strips: 1, cover: 1 },
    { strips: 4, cover: 0.9 },
    { strips: 1, cover: 0.2 },
    { words: 'hi', strips: 1, cover: 1 },
    { strips: 1, cover: 1 },
  ]);
  const note = [
    '[Pages 1-2, 5 look scanned: pictures without text. as="image" with pages="1-2" shows the first of them.]',
    '[Page 4 has pictures beside its words. as="image" with pages="4" shows it.]',
  ].join('\n');

  test('is a scan when pictures cover most of it, in one piece or in strips', async () => {
    const { output, data, blocks } = await reading(mixed);
    expect(output).toBe(`[Showing pages 1-5 of 5.]\n${note}\n\n--- Page 4 ---\nhi`);
    expect(data).toEqual({ type: 'pdf', pages: 5, page_range: [0, 5], scanned: [0, 1, 4] });
    expect(blocks).toMatchObject([
      { type: 'text', text: `[Showing pages 1-5 of 5.]\n${note}` },
      { type: 'document', pages: 5 },
    ]);
  });

  test('is told alone when it is the only one', async () => {
    const { output } = await reading(scannedPdf([{ strips: 1, cover: 1 }]));
    expect(output).toBe(
      '[Showing pages 1-1 of 1.]\n[Page 1 looks scanned: a picture without text. as="image" with pages="1" shows it.]\n[PDF: a.pdf, 1 page, no extractable text]',
    );
  });

  test('is no scan when it is empty', async () => {
    expect((await reading(pdf(['']))).data).toEqual({ type: 'pdf', pages: 1, page_range: [0, 1] });
  });
});

describe('the words about a PDF', () => {
  const long = numbered(47);

  test.each([
    [{}, '[Showing pages 1-20 of 47. Use page_start=20 to continue.]'],
    [{ page_start: 20 }, '[Showing pages 21-40 of 47. Use page_start=40 to continue.]'],
    [{ page_start: 40 }, '[Showing pages 41-47 of 47.]'],
    [{ page_start: 5, page_end: 7 }, '[Showing pages 6-7 of 47. Use page_start=7 to continue.]'],
    [{ page_end: 150 }, '[Showing pages 1-20 of 47. Use page_start=20 to continue.]'],
  ])('for %j begin with the pages and lead on, also beside the document', async (options, note) => {
    const { output, blocks } = await reading(long, options);
    expect(output.split('\n')[0]).toBe(note);
    expect(blocks).toMatchObject([{ type: 'text', text: note }, { type: 'document' }]);
  });

  test('keep their first line whatever is cut', async () => {
    const wordy = pdfSaying(...Array.from({ length: 47 }, () => 'word '.repeat(600)));
    const { output } = await reading(wordy);
    expect(output.length).toBeLessThanOrEqual(30_720);
    expect(output).toMatch(/^\[Showing pages 1-20 of 47\. Use page_start=20 to continue\.\]\n\[The text is cut after /);
  });

  test.each([
    [
      { page_start: 50 },
      'There are no pages at page_start=50 in this PDF (limit: 47 pages). Use page_start from 0 to 46 and page_end above it, up to 47.',
    ],
    [
      { page_start: 10, page_end: 5 },
      'There are no pages at page_start=10 and page_end=5 in this PDF (limit: 47 pages). Use page_start from 0 to 46 and page_end above it, up to 47.',
    ],
    [{ pages: '50-60' }, 'There are no pages 50-60 in this PDF (limit: pages 1-47). Ask for pages between 1 and 47.'],
    [
      { pages: '20-10' },
      'There are no pages 20-10 in this PDF (limit: pages 1-47). Ask for pages between 1 and 47, the first one before the last.',
    ],
  ])('for %j say which pages there are, in the words of the question', async (options, words) => {
    expect(await refusedWith(long, options)).toBe(words);
  });

  test.each([
    ['bytes', long],
    ['a file', file('large.pdf', long)],
  ])('for %s that is too large give size and limit', async (_what, source) => {
    const result = await read(source, { limits: { pdfBytes: 1000 } });
    const size = long.length.toLocaleString('en-US');
    expect(result.ok ? '' : refusalText(result.refusal)).toBe(
      `PDF too large: ${size} bytes (limit: 1,000 bytes). Split it into smaller files.`,
    );
  });
});

describe('pages that are cut out', () => {
  test('keep their form as it was filled in, and their links', async () => {
    const cut = await cutOut(formPdf(), [0, 1]);
    expect((await reading(cut)).output).toContain('Ada Lovelace');
    expect(cut.toString('latin1')).toContain('https://example.org/help');
  });

  test('are the same bytes every time', async () => {
    const [once, again] = [await cutOut(numbered(30), [3, 9]), await cutOut(numbered(31), [3, 9])];
    expect(once.equals(again)).toBe(true);
    expect(once.toString('latin1')).not.toContain('CreationDate');
  });

  const qpdf = spawnSync('qpdf', ['--version']).status === 0;

  test.skipIf(!qpdf).each([
    ['a long one', numbered(47), [20, 40]],
    ['a form', formPdf(), [0, 1]],
    ['an outlined one', outlinedPdf(), [1, 2]],
    [
      'scans',
      scannedPdf([
        { strips: 3, cover: 1 },
        { strips: 1, cover: 1 },
      ]),
      [0, 1],
    ],
  ] as [string, Buffer, [number, number]][])(
    'of %s are sound in the eyes of another program',
    async (name, bytes, range) => {
      const path = file(`${name}.pdf`, await cutOut(bytes, range));
      const { status, stdout } = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' });
      expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('No syntax') });
    },
  );
});
