import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { assetId } from '../../src/asset/hash.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { Block } from '../../src/content/block.ts';
import type { Reading, ReadOptions } from '../../src/media/index.ts';
import { read, render } from '../../src/media/index.ts';
import { file, pdf, pdfSaying } from './make.ts';
import { lockedPdf, tornPdf } from './pdf-make.ts';

const assets = memoryAssets();
const numbered = (pages: number): Buffer => pdfSaying(...Array.from({ length: pages }, (_, at) => `word${at + 1}`));
const long = numbered(47);
const report = readFileSync(new URL('../../examples/report.pdf', import.meta.url));

async function reading(source: Parameters<typeof read>[0], options: ReadOptions = {}): Promise<Reading> {
  const result = await read(source, { assets, ...options });
  if (!result.ok) throw new Error(JSON.stringify(result.refusal));
  return result.value;
}

async function rendered(rendition: Parameters<typeof render>[0]): Promise<Block[]> {
  const fact = await render(rendition, { assets });
  if (!fact.ok) throw new Error(JSON.stringify(fact.refusal));
  return fact.value;
}

async function refused(
  source: Parameters<typeof read>[0],
  options: ReadOptions = {},
): Promise<Record<string, unknown>> {
  const result = await read(source, { assets, ...options });
  return result.ok ? { code: 'read' } : result.refusal;
}

/** The block of a PDF that was read whole. */
async function document(bytes: Buffer): Promise<Block & { type: 'document' }> {
  const block = (await reading(bytes, { name: 'doc.pdf' })).blocks.at(-1);
  if (block?.type !== 'document') throw new Error('no document');
  return block;
}

describe('a PDF', () => {
  test('gives its words page by page and one block for the whole file', async () => {
    const bytes = pdfSaying('hello', '', 'world');
    expect(await reading(file('three.pdf', bytes))).toEqual({
      output: '[Showing pages 1-3 of 3.]\n\n--- Page 1 ---\nhello\n\n--- Page 3 ---\nworld',
      blocks: [
        {
          type: 'document',
          pages: 3,
          asset: { id: assetId(bytes), mediaType: 'application/pdf', size: bytes.length, name: 'three.pdf' },
          origin: { source: 'three.pdf' },
        },
      ],
      data: { type: 'pdf', pages: 3, page_range: [0, 3] },
    });
  });

  test('is a PDF under any name', async () => {
    expect((await reading(file('picture.png', pdfSaying('x')))).data.type).toBe('pdf');
  });

  test('without words says so', async () => {
    expect((await reading(pdf(['']), { name: 'scan.pdf' })).output).toBe(
      '[Showing pages 1-1 of 1.]\n[PDF: scan.pdf, 1 page, no extractable text]',
    );
  });

  test('with more than a hundred pages warns', async () => {
    const { output, data } = await reading(numbered(130));
    expect(output).toContain('[Showing pages 1-20 of 130. Use page_start=20 to continue.]\n[This PDF has 130 pages');
    expect(data).toMatchObject({ page_range: [0, 20] });
    expect((await reading(numbered(101))).output).toContain('[This PDF has 101 pages');
    expect((await reading(numbered(100))).output).not.toContain('[This PDF has');
  });

  test('can be read as text or as pictures', async () => {
    const words = await reading(long, { as: 'text', pages: '2' });
    expect(words.blocks).toEqual([{ type: 'text', text: words.output }]);
    const pictures = await reading(long, { as: 'image', pages: '2-3' });
    expect(pictures.blocks.map((block) => block.type)).toEqual(['text', 'image', 'image']);
    expect(pictures.blocks[1]).toMatchObject({ width: 625, height: 833, origin: { page: 2 } });
  });
});

describe('pages of a PDF', () => {
  test.each([
    [undefined, 0, 20, ' Use page_start=20 to continue.'],
    ['21-40', 20, 40, ' Use page_start=40 to continue.'],
    ['41-47', 40, 47, ''],
    ['41-', 40, 47, ''],
    ['7', 6, 7, ' Use page_start=7 to continue.'],
    ['40–99', 39, 47, ''],
    [[20, 40], 20, 40, ' Use page_start=40 to continue.'],
    [[0, 150], 0, 20, ' Use page_start=20 to continue.'],
  ] as const)('%s are read and the note stands first', async (pages, start, end, next) => {
    const { output, data, blocks } = await reading(long, pages === undefined ? {} : { pages });
    expect(output.split('\n')[0]).toBe(`[Showing pages ${start + 1}-${end} of 47.${next}]`);
    expect(data).toEqual({ type: 'pdf', pages: 47, page_range: [start, end] });
    expect(blocks.at(-1)).toMatchObject({ pages: 47, range: [start, end] });
    expect(output).toContain(`--- Page ${start + 1} ---\nword${start + 1}`);
    expect(output).not.toContain(`--- Page ${end + 1} ---`);
  });

  test.each([['50-60'], ['0'], ['10-5'], [[50, 60]], [[10, 5]], [[0, 0]], [[-5, 10]], [[1.5, 3]]] as [
    ReadOptions['pages'] & {},
  ][])('%j are refused with the pages there are', async (pages) => {
    const limit = typeof pages === 'string' ? 'pages 1-47' : '47 pages';
    expect(await refused(long, { pages })).toMatchObject({ code: 'bad-range', limit });
  });

  test.each(['', 'two', '1,3', '1-2-3', '-'])('"%s" is no range', async (pages) => {
    expect(await refused(long, { pages })).toMatchObject({ code: 'bad-range', next: expect.stringContaining('21-40') });
  });

  test('with more text than a reading holds are cut, and the first lines say where', async () => {
    const wordy = pdfSaying(...Array.from({ length: 5 }, (_, at) => `p${at + 1} ${'word '.repeat(400)}`));
    const { output } = await reading(wordy, { limits: { outputCharacters: 5000 } });
    expect(output.length).toBeLessThanOrEqual(5000);
    expect(output).toMatch(/^\[Showing pages 1-5 of 5\.\]\n\[The text is cut after .* in page 3\. Use page_start=2 /);
  });
});

describe('a PDF that is refused', () => {
  test.each([
    ['damaged', Buffer.from('%PDF-1.4\nnothing of a PDF follows'), {}, 'corrupt', /^Error reading PDF: bad\.pdf/],
    ['cut off', long.subarray(0, 300), {}, 'corrupt', /^Error reading PDF/],
    [
      'cut off before any of its words',
      report.subarray(0, 400),
      {},
      'corrupt',
      /^Error reading PDF: bad.pdf: its end is missing/,
    ],
    ['cut off and asked for as pictures', report.subarray(0, 400), { as: 'image' }, 'corrupt', /its end is missing/],
    ['too large', long, { limits: { pdfBytes: 1000 } }, 'too-large', /^PDF too large: \d+,\d{3} bytes$/],
  ] as [string, Buffer, ReadOptions, string, RegExp][])(
    'because it is %s is told why',
    async (_what, bytes, options, code, what) => {
      expect(await refused(file('bad.pdf', bytes), options)).toMatchObject({ code, what: expect.stringMatching(what) });
    },
  );
});

describe('a PDF that lost its end', () => {
  const note = '[This PDF is damaged or cut off: its end is missing.';
  const cut = long.subarray(0, long.lastIndexOf(' obj'));

  test.each([{}, { as: 'text' }, { as: 'image' }] as const)(
    'is read with %j, and said to be cut off',
    async (options) => {
      const { output, blocks } = await reading(cut, options);
      expect(output).toContain(note);
      expect(blocks[0]).toMatchObject({ type: 'text', text: expect.stringContaining(note) });
      if (!('as' in options)) expect(output).toContain('--- Page 1 ---\nword1');
    },
  );

  test.each([
    ['garbage', Buffer.concat([report, Buffer.alloc(5000, 0)])],
    ['words of a server', Buffer.concat([report, Buffer.from('<html>'.repeat(2000))])],
    ['no mark of the end', report.subarray(0, report.lastIndexOf('startxref'))],
  ])('is not one with %s behind its trailer', async (_what, bytes) => {
    expect((await reading(bytes)).output).not.toContain(note);
  });

  test('is also one that is laid out for the web, whose first page has an end of its own', async () => {
    const first = report.lastIndexOf('5 0 obj');
    const linear = Buffer.concat([
      report.subarray(0, first),
      Buffer.from('startxref\n0\n%%EOF\n'),
      report.subarray(first),
    ]);
    expect((await reading(linear)).output).not.toContain(note);
    expect((await reading(linear.subarray(0, linear.lastIndexOf('endobj')))).output).toContain(note);
  });
});

describe('a rendition of a PDF', () => {
  test('as text has the words of exactly the range', async () => {
    const { asset } = await document(long);
    const blocks = await rendered({ to: 'text', asset, range: [20, 22] });
    expect(blocks).toEqual([{ type: 'text', text: '--- Page 21 ---\nword21\n\n--- Page 22 ---\nword22' }]);
    const [all] = await rendered({ to: 'text', asset });
    expect(all?.type === 'text' ? all.text.match(/--- Page/g)?.length : 0).toBe(47);
  });

  test('as text of a scan is refused as empty', async () => {
    const { asset } = await document(pdf(['']));
    expect(await render({ to: 'text', asset }, { assets })).toMatchObject({ ok: false, refusal: { code: 'empty' } });
  });

  test('as pages has one picture each, inside the edge', async () => {
    const { asset } = await document(long);
    const blocks = await rendered({ to: 'pages', asset, range: [3, 5], maxEdge: 400 });
    expect(blocks).toMatchObject([
      { type: 'image', width: 300, height: 400, origin: { source: 'doc.pdf', page: 4 } },
      { type: 'image', width: 300, height: 400, origin: { source: 'doc.pdf', page: 5 } },
    ]);
  });

  test('as pages keeps its colours, and a page without any is grey', async () => {
    const words = 'BT /F1 24 Tf 20 200 Td (Harbour) Tj ET';
    const { asset } = await document(pdf([words, `1 0 0 rg 20 20 100 100 re f ${words}`]));
    const blocks = await rendered({ to: 'pages', asset, range: [0, 2], maxEdge: 400 });
    const channels = await Promise.all(
      blocks.map(async (block) => {
        const bytes = block.type === 'image' ? await assets.get(block.asset.id) : undefined;
        return (await sharp(bytes).metadata()).channels;
      }),
    );
    expect(channels).toEqual([1, 3]);
  });

  test('as a PDF holds only the pages asked for', async () => {
    const { asset } = await document(long);
    const [block] = await rendered({ to: 'pdf', asset, range: [20, 23] });
    if (block?.type !== 'document') throw new Error('no document');
    expect(block).toMatchObject({ pages: 3, origin: { source: 'doc.pdf', made: 'pages 21-23 of 47' } });
    expect(block.asset.id).not.toBe(asset.id);
    const again = await reading(Buffer.from((await assets.get(block.asset.id)) ?? []));
    expect(again.output).toBe(
      '[Showing pages 1-3 of 3.]\n\n--- Page 1 ---\nword21\n\n--- Page 2 ---\nword22\n\n--- Page 3 ---\nword23',
    );
  });

  test('of pages that do not exist is refused', async () => {
    const { asset } = await document(long);
    expect(await render({ to: 'pdf', asset, range: [50, 60] }, { assets })).toMatchObject({
      refusal: { code: 'bad-range' },
    });
  });
});

describe('a PDF with a password', () => {
  const locked = lockedPdf('abc', 'The bids are sealed.');

  test.each([
    [{}, 'PDF is password-protected: bids.pdf', 'Ask for the password and read it again with `password`.'],
    [
      { password: 'wrong' },
      'The password does not open bids.pdf',
      'Ask for the right password, or for a copy without one.',
    ],
  ])('is refused with %j', async (options, what, next) => {
    expect(await refused(locked, { name: 'bids.pdf', ...options })).toMatchObject({ code: 'encrypted', what, next });
  });

  test('is kept without its encryption once it was opened', async () => {
    const { blocks } = await reading(locked, { password: 'abc' });
    const block = blocks[0];
    if (block?.type !== 'document') throw new Error('no document');
    expect(block.asset.id).not.toBe(assetId(locked));
    const open = Buffer.from((await assets.get(block.asset.id)) ?? []);
    expect((await reading(open)).output).toContain('The bids are sealed.');
  });
});

test('a page that cannot be read is told in its place, and the others are read', async () => {
  const { output } = await reading(tornPdf(), { name: 'torn.pdf' });
  expect(output).toContain('--- Page 1 ---\nbefore');
  expect(output).toContain('--- Page 2 ---\n[this page could not be read]');
  expect(output).toContain('--- Page 3 ---\nafter');
});
