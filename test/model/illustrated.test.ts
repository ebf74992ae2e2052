// Slides with pictures in them, as a user gives them: the pictures reach every model that sees, in their places.
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { read } from '../../src/media/index.ts';
import { prepare } from '../../src/model/prepare.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';
import { viewAssetTool } from '../../src/toolbox/assets/view.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { caller, pictures, words } from '../toolbox/caller.ts';
import { shortId } from '../../src/content/words.ts';
import * as xlsx from '@e965/xlsx';
import { limits } from '../../src/media/limits.ts';
import { openZip } from '../../src/media/zip/read.ts';
import { archive, docx, line, openDocument, paragraph, pptx, shape } from '../media/archive.ts';
import { noise, plain } from '../media/make.ts';

const picture = (id: string): string =>
  `<p:pic><p:nvPicPr><p:cNvPr id="3" name="x" descr="${id}"/></p:nvPicPr><p:blipFill><a:blip r:embed="${id}"/></p:blipFill></p:pic>`;

const relations: [string, string, string][] = [
  ['chart', 'image', '../media/chart.png'],
  ['dot', 'image', '../media/dot.png'],
  ['wall', 'image', '../media/wall.png'],
  ['logo', 'image', '../media/logo.png'],
];
const slides = [
  { shapes: shape(line('Sales'), 'title') + picture('chart') + picture('logo'), relations },
  { shapes: shape(line('Plans'), 'title') + picture('dot') + picture('logo'), relations },
  { shapes: shape(line('End'), 'title') + picture('wall') + picture('logo'), relations },
];
const deck = pptx(slides, {
  'media/chart.png': await noise(200, 100).png().toBuffer(),
  'media/logo.png': await noise(90, 90).png().toBuffer(),
  'media/dot.png': await noise(12, 12).png().toBuffer(),
  'media/wall.png': await plain(300, 300).png().toBuffer(),
});

const assets = memoryAssets();
const asked = [
  {
    role: 'user' as const,
    content: [{ type: 'document' as const, data: deck, name: 'deck.pptx' }, 'What does it say?'],
  },
];

/** The kinds of blocks and the words of a request, in their order. */
async function sent(model: string): Promise<string[]> {
  const request = await prepare({ messages: asked }, { model, assets });
  const body = JSON.stringify(await request.json());
  return [
    ...body.matchAll(
      /"type":"(image|image_url|input_image)"|(## Slide \d)|(\[the picture [\w.]+ is not shown: [^;]+)/g,
    ),
  ].map(([, image, slide, note]) => (image === undefined ? (slide ?? note ?? '') : 'picture'));
}

const told = [
  '## Slide 1',
  'picture',
  '[the picture logo.png is not shown: it stands in 3 places and only decorates',
  '## Slide 2',
  '[the picture dot.png is not shown: it is tiny and only decorates',
  '## Slide 3',
  '[the picture wall.png is not shown: it is of one colour',
];

test.each(['anthropic/claude-sonnet-4-5', 'openai-chat/gpt-5', 'openai/gpt-5'])(
  'the pictures of slides reach %s where they stand, and decoration is told',
  async (model) => {
    expect((await sent(model)).filter((one, at, all) => one !== 'picture' || all[at - 1] !== 'picture')).toEqual(told);
  },
);

test('a model without sight reads the words alone', async () => {
  expect(await sent('deepseek/deepseek-chat')).toEqual(['## Slide 1', '## Slide 2', '## Slide 3']);
});

const chart = await noise(200, 100).png().toBuffer();
const sheets = xlsx.utils.book_new();
xlsx.utils.book_append_sheet(sheets, xlsx.utils.aoa_to_sheet([['Sales', 4]]), 'A');
const folded = chart.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
const page = (body: string): string => `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`;

const drawing = (id: string): string =>
  `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="A"/><a:graphic><a:blip r:embed="${id}"/></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

const files: [string, Uint8Array][] = [
  [
    'report.docx',
    docx(
      `${paragraph('Sales')}${drawing('rId7')}${paragraph('End')}`,
      [['rId7', 'image', 'media/chart.png']],
      { 'media/chart.png': chart },
    ),
  ],
  ['book.xlsx', withParts(xlsx.write(sheets, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array, { 'xl/media/chart.png': chart })],
  [
    'slides.odp',
    openDocument(
      'presentation',
      '<draw:page draw:name="One"><draw:frame><draw:text-box><text:p>Sales</text:p></draw:text-box></draw:frame><draw:frame><draw:image xlink:href="Pictures/chart.png"/></draw:frame></draw:page>',
      '',
      { 'Pictures/chart.png': chart },
    ),
  ],
  [
    'novel.epub',
    archive({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container xmlns="c"><rootfiles><rootfile full-path="book.opf" media-type="x"/></rootfiles></container>',
      'book.opf': '<package xmlns="p"><manifest><item id="a" href="one.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
      'one.xhtml': page('<p>Sales</p><img src="chart.png" alt="A"/><p>End</p>'),
      'chart.png': chart,
    }),
  ],
  [
    'letter.eml',
    Buffer.from(
      `From: a@b.c\r\nTo: b@b.c\r\nSubject: Sales\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="m"\r\n\r\n--m\r\nContent-Type: text/html\r\n\r\n<p>Sales <img src="cid:pic@x" alt="A"></p>\r\n--m\r\nContent-Type: image/png; name="chart.png"\r\nContent-ID: <pic@x>\r\nContent-Transfer-Encoding: base64\r\n\r\n${folded}\r\n--m--\r\n`,
    ),
  ],
]; // prettier-ignore

/** An archive with more in it. */
function withParts(bytes: Uint8Array, more: Record<string, Uint8Array>): Buffer {
  const opened = openZip(bytes, 'x', limits);
  if (!opened.ok) throw new Error(opened.refusal.what);
  const zip = opened.value;
  const parts = zip.names.map((name) => {
    const part = zip.read(name);
    return [name, part.ok ? part.value : ''] as const;
  });
  return archive({ ...Object.fromEntries(parts), ...more });
}

test.each(files)('the picture in %s reaches models that see, once and behind its words', async (name, data) => {
  const content = [{ type: 'document' as const, data, name }, 'What does it say?'];
  for (const model of ['anthropic/claude-sonnet-4-5', 'openai-chat/gpt-5', 'openai/gpt-5', 'gemini/gemini-2.5-pro']) {
    const request = await prepare({ messages: [{ role: 'user', content }] }, { model, assets: memoryAssets() });
    const body = JSON.stringify(await request.json());
    const base64 = chart.toString('base64');
    expect(body.split(base64).length - 1, model).toBe(1);
    expect(body.indexOf('Sales'), model).toBeLessThan(body.indexOf(base64));
    expect(request.receipts.find(({ action }) => action === 'text')?.sent, model).toHaveLength(1);
  }
});

test('a tool that returns a reading with its pictures as blocks of their own sends each once', async () => {
  const [, report] = files[0] ?? [];
  const own = memoryAssets();
  const give = defineTool({
    name: 'give',
    description: 'gives a report',
    input: { type: 'object' },
    run: () => read(report ?? Buffer.of(), { name: 'report.docx', images: true, assets: own }),
  });
  const call = { type: 'call' as const, id: 'c1', name: 'give', input: {} };
  const result = await invokeTool(call, { tools: [give], assets: own });
  const messages = [
    { role: 'user' as const, content: 'Look.' },
    { role: 'assistant' as const, content: [call] },
    result,
  ];
  for (const model of ['anthropic/claude-sonnet-4-5', 'openai-chat/gpt-5', 'gemini/gemini-2.5-pro']) {
    const body = JSON.stringify(await (await prepare({ messages }, { model, assets: own })).json());
    expect(body.split(chart.toString('base64')).length - 1, model).toBe(1);
  }
});

test('what does not fit the window is cut, and the pictures behind the cut are told with a receipt', async () => {
  const long = Array.from({ length: 400 }, (_, at) => paragraph(`line ${at} ${'words '.repeat(60)}`)).join('');
  const data = docx(
    `${drawing('r1')}${long}${drawing('r2')}`,
    [['r1', 'image', 'media/first.png'], ['r2', 'image', 'media/last.png']],
    { 'media/first.png': chart, 'media/last.png': await noise(210, 100).png().toBuffer() },
  ); // prettier-ignore
  const content = [{ type: 'document' as const, data, name: 'long.docx' }, 'What does it say?'];
  const request = await prepare(
    { messages: [{ role: 'user', content }] },
    { model: 'openai-chat/gpt-4.1', assets: memoryAssets(), profile: { contextTokens: 60_000 } },
  );
  const body = JSON.stringify(await request.json());
  expect(body).toContain(chart.toString('base64'));
  expect(body).toMatch(
    /\[characters 1-60000 of \d+ follow; they end within line \d+, ask for the lines from there on\]/,
  );
  expect(body).toContain('[pictures not shown: last.png; they stand behind the part of the text that is shown');
  expect(request.receipts.find(({ action }) => action === 'text')).toMatchObject({
    why: expect.stringContaining('1 of its pictures stand behind the cut'),
    sent: [expect.any(String)],
  });
});

test('view_asset shows a picture of a slide by its name', async () => {
  const give = defineTool({
    name: 'give',
    description: 'gives slides',
    input: { type: 'object' },
    run: () => ({ type: 'document', data: deck, name: 'deck.pptx' }),
  });
  const { call } = caller((conversation) => [give, viewAssetTool({ conversation })]);
  const { content } = await call('give', {});
  const block = content.find((one) => one.type === 'document');
  const asset = block?.type === 'document' ? shortId(block.asset.id) : '';
  const seen = await call('view_asset', { asset, picture: 'chart.png' });
  expect(pictures(seen)).toMatchObject([{ width: 200, height: 100 }]);
  expect(words(await call('view_asset', { asset, picture: 'none.png' }))).toContain('chart.png, logo.png');
});
