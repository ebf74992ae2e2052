// The tool as a model calls it: through `invokeTool`, with real files in a folder of their own.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { ToolMessage } from '../../src/index.ts';
import { invokeTool, prepare, readFileTool } from '../../src/index.ts';
import { docx } from '../media/archive.ts';
import { pdfSaying, plain } from '../media/make.ts';

const home = mkdtempSync(join(tmpdir(), 'sightline-read-file-'));
const root = join(home, 'work');
mkdirSync(join(root, 'inner'), { recursive: true });
mkdirSync(join(home, 'work-not'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const numbered = (pages: number): Buffer => pdfSaying(...Array.from({ length: pages }, (_, at) => `word${at + 1}`));
const lines = Array.from({ length: 3000 }, (_, at) => `line ${at + 1} of a longer text`);
for (const [name, content] of [
  ['work/notes.txt', lines.join('\n')],
  ['work/inner/short.txt', 'short'],
  ['work/chart.png', await plain(64, 48).png().toBuffer()],
  ['work/47.pdf', numbered(47)],
  ['work/130.pdf', numbered(130)],
  ['work/blob.bin', Buffer.from([0, 1, 2, 3, 255, 254])],
  ['secret.txt', 'secret'],
  ['work-not/secret.txt', 'secret'],
  [
    'work/sales.csv',
    `id,city,price\n${Array.from({ length: 5000 }, (_, at) => `${at + 1},${at % 2 ? 'Rome' : 'Oslo'},${at % 10}`).join('\n')}`,
  ],
  ['work/russian.txt', Buffer.from('8NLJ18XU', 'base64')],
  [
    'work/contract.docx',
    docx('<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:r><w:t>new</w:t></w:r></w:p>'),
  ],
] as const) {
  writeFileSync(join(home, name), content);
}
symlinkSync(join(home, 'secret.txt'), join(root, 'link.txt'));
symlinkSync(home, join(root, 'up'));
symlinkSync(join(root, 'inner', 'short.txt'), join(root, 'good-link.txt'));

const assets = memoryAssets();
const tools = [readFileTool({ roots: [root] })];
let calls = 0;

function call(input: unknown): Promise<ToolMessage> {
  calls += 1;
  return invokeTool({ type: 'call', id: `c${calls}`, name: 'read_file', input }, { tools, assets });
}

function words({ content }: ToolMessage): string {
  return content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n');
}

describe('read_file', () => {
  test.each([
    [
      'any rows of a table',
      { file_path: 'sales.csv', rows: '4000-4001' },
      '| id | city | price |\n| --- | --- | --- |\n| 3999 | Oslo | 8 |\n| 4000 | Rome | 9 |',
    ],
    ['a column of it', { file_path: 'sales.csv', rows: '3', columns: 'B' }, '| city |\n| --- |\n| Rome |'],
    ['the source of it', { file_path: 'sales.csv', as: 'text', limit: 2 }, 'id,city,price\n1,Oslo,0'],
    ['a text in an encoding', { file_path: 'russian.txt', encoding: 'koi8-r' }, 'Привет'],
    ['a text with changes accepted', { file_path: 'contract.docx', clean: true }, 'new'],
  ])('shows a model %s, and nothing else', async (_what, input, end) => {
    const answer = await call(input);
    expect(words(answer)).toContain(end);
    const asked = { type: 'call', id: answer.callId, name: 'read_file', input } as const;
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', model: 'a/b', content: [asked] },
      answer,
    ] as const;
    const prepared = await prepare({ messages }, { model: 'anthropic/claude-sonnet-4-5', assets });
    const body: unknown = await prepared.json();
    expect(JSON.stringify(body)).toContain(JSON.stringify(end).slice(1, -1));
    expect(JSON.stringify(body).length).toBeLessThan(3000);
  });

  test('takes null for what is not given', async () => {
    const { content, isError } = await call({ file_path: 'inner/short.txt', rows: null, pages: null, as: null });
    expect(isError).toBeUndefined();
    expect(JSON.stringify(content)).toContain('short');
  });

  test('tells how far it is with a long file', async () => {
    const told: string[] = [];
    const long = [readFileTool({ roots: [root], limits: { quietMs: 0 } })];
    const input = { file_path: '47.pdf', page_start: 0, page_end: 3 };
    const progress = (_call: unknown, message: string): void => void told.push(message);
    await invokeTool({ type: 'call', id: 'far', name: 'read_file', input }, { tools: long, assets, progress });
    expect(told).toEqual(['0 of 3 pages read', '1 of 3 pages read', '2 of 3 pages read']);
  });

  test('publishes one spelling of each parameter', () => {
    const { inputSchema } = tools[0] ?? {};
    expect(inputSchema).toMatchObject({
      properties: {
        page_start: { type: 'integer', description: 'PDF: first page (0-indexed)' },
        page_end: { type: 'integer', description: 'PDF: last page (exclusive)' },
      },
      required: ['file_path'],
    });
    expect(Object.keys(inputSchema?.['properties'] ?? {})).toEqual([
      'file_path',
      'offset',
      'limit',
      'character',
      'page_start',
      'page_end',
      'pages',
      'as',
      'images',
      'sheet',
      'rows',
      'columns',
      'formulas',
      'clean',
      'part',
      'password',
      'encoding',
    ]);
  });

  test.each([
    [{ file_path: 'inner/short.txt' }, 'short'],
    // What a model that fills in every field writes for "not set".
    [
      { file_path: 'inner/short.txt', offset: 0, limit: 0, character: 0, page_start: 0, page_end: 0, pages: '' },
      'short',
    ],
    [
      { file_path: '47.pdf', offset: 0, page_start: 0, page_end: 0 },
      '[Showing pages 1-20 of 47. Use page_start=20 to continue.]\n<document>',
    ],
    [{ path: 'inner/short.txt' }, 'short'],
    [{ file_path: join(root, 'inner', 'short.txt') }, 'short'],
    [{ file_path: 'good-link.txt' }, 'short'],
    [{ file_path: 'notes.txt', offset: 2999 }, `[Lines 2999-3000 of 3000.]\n${lines.slice(-2).join('\n')}`],
    [{ file_path: 'notes.txt', offset: 5, limit: 1 }, `[Line 5 of 3000. Use offset=6 to continue.]\n${lines[4]}`],
    [
      { path: 'notes.txt', line_start: 5, line_end: 6 },
      `[Lines 5-6 of 3000. Use offset=7 to continue.]\n${lines[4]}\n${lines[5]}`,
    ],
    [{ file_path: 'chart.png' }, /^\[Image: chart\.png, 64x48, \d+ bytes, \.png\]\n<image>$/],
    [{ file_path: '47.pdf' }, '[Showing pages 1-20 of 47. Use page_start=20 to continue.]\n<document>'],
    [
      { file_path: '47.pdf', page_start: 20 },
      '[Showing pages 21-40 of 47. Use page_start=40 to continue.]\n<document>',
    ],
    [{ file_path: '47.pdf', page_start: 40 }, '[Showing pages 41-47 of 47.]\n<document>'],
    [{ file_path: '47.pdf', pages: '41-47' }, '[Showing pages 41-47 of 47.]\n<document>'],
    [
      { file_path: '130.pdf', page_start: 120, page_end: 130 },
      /^\[Showing pages 121-130 of 130\.\]\n\[This PDF has 130 pages; .*\]\n<document>$/,
    ],
  ])('answers %j', async (input, said) => {
    const answer = await call(input);
    expect(answer.isError).toBeUndefined();
    if (typeof said === 'string') expect(words(answer)).toBe(said);
    else expect(words(answer)).toMatch(said);
  });

  test.each([
    [{ file_path: '../secret.txt' }, 'secret.txt lies outside the allowed folders. Name a file inside them.'],
    [{ file_path: '../work-not/secret.txt' }, 'secret.txt lies outside the allowed folders. Name a file inside them.'],
    [{ file_path: join(home, 'secret.txt') }, 'secret.txt lies outside the allowed folders. Name a file inside them.'],
    [{ file_path: '../absent.txt' }, 'absent.txt lies outside the allowed folders. Name a file inside them.'],
    [{ file_path: 'link.txt' }, 'link.txt lies outside the allowed folders. Name a file inside them.'],
    [{ file_path: 'up/secret.txt' }, 'secret.txt lies outside the allowed folders. Name a file inside them.'],
    [{ file_path: 'absent.txt' }, 'absent.txt does not exist. Check the path.'],
    [{ file_path: 'blob.bin' }, /^blob\.bin is /],
    [{ file_path: 'notes.txt', offset: 4000 }, /^There are no lines at offset 4000\. Use an offset from 1 to 3000 /],
    [{ file_path: '47.pdf', page_start: 50 }, /^There are no pages at page_start=50 .* Use page_start from 0 to 46 /],
    [{ file_path: '47.pdf', pages: '50-60' }, /^There are no pages 50-60 .* between 1 and 47/],
    [{}, 'No file was named. Give its path as file_path.'],
    [{ file_path: 'https://example.com/a.png' }, 'This is an address, not a path. Use fetch_url if you have it.'],
    [{ path: 'HTTP://example.com' }, 'This is an address, not a path. Use fetch_url if you have it.'],
    [{ file_path: 'notes.txt', offset: 'two' }, /^The arguments do not fit tool "read_file"/],
  ])('refuses %j as an error that shows no folder', async (input, said) => {
    const answer = await call(input);
    expect(answer.isError).toBe(true);
    if (typeof said === 'string') expect(words(answer)).toBe(said);
    else expect(words(answer)).toMatch(said);
    expect(words(answer)).not.toContain(home);
  });

  test('is answered when it is cancelled', async () => {
    const answer = await invokeTool(
      { type: 'call', id: 'stop', name: 'read_file', input: { file_path: 'notes.txt' } },
      { tools, assets, signal: AbortSignal.abort() },
    );
    expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Cancelled') }] });
  });
});

describe('a PDF that was read in parts', () => {
  test.each([
    ['47.pdf', [20, 40]],
    ['130.pdf', [100, 120]],
  ] as const)('reaches a model as the pages asked for: %s', async (name, [start, end]) => {
    const input = { file_path: name, page_start: start, page_end: end };
    const answer = await call(input);
    const { plan, receipts } = await prepare(
      {
        messages: [
          { role: 'user', content: 'read it' },
          {
            role: 'assistant',
            content: [{ type: 'call', id: answer.callId, name: 'read_file', input }],
            model: 'anthropic/claude-sonnet-4-5',
          },
          answer,
        ],
      },
      { model: 'anthropic/claude-sonnet-4-5', assets },
    );
    const sent = JSON.stringify(plan.items);
    expect(sent).toContain(`Showing pages ${start + 1}-${end} of`);
    expect(sent).toContain(`"pages":${end - start}`);
    expect(receipts).toMatchObject([{ action: 'inside' }]);
  });
});

test.each<[string, (string | number)[], string]>([
  ['anthropic/claude-sonnet-4-5', ['messages', 2, 'content', 0, 'content', 1, 'source', 'data'], ''],
  ['openai/gpt-5.2', ['input', 2, 'output', 1, 'image_url'], 'data:image/png;base64,'],
  ['openai-chat/gpt-4.1', ['messages', 3, 'content', 2, 'image_url', 'url'], 'data:image/png;base64,'],
  ['gemini/gemini-2.5-pro', ['contents', 3, 'parts', 2, 'inlineData', 'data'], ''],
  [
    'gemini/gemini-3-pro-preview',
    ['contents', 2, 'parts', 0, 'functionResponse', 'parts', 0, 'inlineData', 'data'],
    '',
  ],
  ['ollama/qwen3-vl', ['messages', 2, 'images', 0], ''],
])('a picture that was read stands where %s looks for it', async (model, place, head) => {
  const input = { file_path: 'chart.png' };
  const answer = await call(input);
  const asked = { type: 'call' as const, id: answer.callId, name: 'read_file', input };
  const messages = [
    { role: 'user' as const, content: 'read it' },
    { role: 'assistant' as const, content: [asked], model },
    answer,
  ];
  const body: unknown = await (await prepare({ messages }, { model, assets })).json();
  const found = place.reduce((value, key) => (value as Record<string | number, unknown>)?.[key], body);
  expect(found).toBe(`${head}${readFileSync(join(root, 'chart.png')).toString('base64')}`);
});
