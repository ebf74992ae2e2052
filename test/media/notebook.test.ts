import { describe, expect, test } from 'vitest';
import { readNotebook } from '../../src/media/notebook/read.ts';
import { extracted, shown, survives } from './document.ts';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUg==', 'base64');

const code = (source: string | string[], ...outputs: object[]): object => ({ cell_type: 'code', source, outputs });
const result = (data: object): object => ({ output_type: 'execute_result', data });
const notebook = (...cells: object[]): string =>
  JSON.stringify({ nbformat: 4, metadata: { language_info: { name: 'python' } }, cells });

describe('a notebook becomes Markdown:', () => {
  test.each([
    ['words as they are', { cell_type: 'markdown', source: ['# Title\n', 'text'] }, '# Title\ntext'],
    ['raw cells', { cell_type: 'raw', source: 'x' }, '```\nx\n```'],
    ['code in the language of its kernel', code(['a = 1\n', 'a']), '```python\na = 1\na\n```'],
    ['results', code('1', result({ 'text/plain': ['1\n', '2'] })), '```python\n1\n```\n\n```\n1\n2\n```'],
    [
      'streams, as a terminal leaves them',
      code('p', { output_type: 'stream', text: '10%\r99%\r\n\u001b[31mred\u001b[0m\n' }),
      '```python\np\n```\n\n```\n99%\nred\n```',
    ],
    [
      'errors',
      code('x', { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['\u001b[0;31mE\u001b[0m: v'] }),
      '```python\nx\n```\n\n```\nE: v\n```',
    ],
    [
      'tables',
      code('t', result({ 'text/html': '<table><tr><th>a<th>b<tr><td>1<td>2</table>', 'text/plain': 'a b' })),
      '```python\nt\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
    ],
    ['formulas', code('f', result({ 'text/latex': '$x$', 'text/plain': 'x' })), '```python\nf\n```\n\n$x$'],
    ['fences inside code', code('"""\n```\n"""'), '````python\n"""\n```\n"""\n````'],
    ['empty cells, which are left out', code(''), ''],
  ])('%s', async (_what, cell, markdown) => {
    expect(await shown(readNotebook, notebook(cell))).toBe(markdown);
  });
});

test('pictures of a notebook are named by their cell and come when asked for', async () => {
  const data = { 'image/png': png.toString('base64'), 'text/plain': '<Figure size 1x1>' };
  const cells = [
    {
      cell_type: 'markdown',
      source: 'see ![it](attachment:a b.png) ![it](attachment:a.png)',
      attachments: { 'a.png': { 'image/png': png.toString('base64') } },
    },
    code('plot()', { output_type: 'display_data', data }, { output_type: 'display_data', data }),
  ];
  const { markdown, pictures, parts } = await extracted(readNotebook, notebook(...cells), { pictures: true });
  expect(markdown).toContain('![it](a.png)');
  expect(markdown).toContain('![output](cell-2-1.png)\n\n![output](cell-2-2.png)');
  expect(markdown).not.toContain('Figure');
  expect(pictures.map(({ name }) => name)).toEqual(['a.png', 'cell-2-1.png', 'cell-2-2.png']);
  expect(Buffer.from(pictures[1]?.bytes ?? []).equals(png)).toBe(true);
  expect(parts).toEqual({ count: 2, unit: 'cells' });
  expect((await extracted(readNotebook, notebook(...cells))).pictures).toEqual([]);
});

const pasted = (bytes: string): object => ({
  cell_type: 'markdown',
  source: '![image.png](attachment:image.png) ![my plan.png](attachment:my%20plan.png)',
  attachments: { 'image.png': { 'image/png': bytes }, 'my plan.png': { 'image/png': bytes } },
});

test('pictures of one name in several cells are several pictures', async () => {
  const text = notebook(pasted('AAAA'), pasted('BBBB'), pasted('CCCC'));
  const { markdown, pictures } = await extracted(readNotebook, text, { pictures: true });
  expect(markdown).toBe(
    ['', 'cell-2-', 'cell-3-']
      .map((cell) => `![image.png](${cell}image.png) ![my plan.png](${cell}my_plan.png)`)
      .join('\n\n'),
  );
  expect(pictures.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('base64')])).toEqual(
    [
      ['', 'AAAA'],
      ['cell-2-', 'BBBB'],
      ['cell-3-', 'CCCC'],
    ].flatMap(([cell, bytes]) => [
      [`${cell}image.png`, bytes],
      [`${cell}my_plan.png`, bytes],
    ]),
  );
});

test.each([
  ['as it is', 'plan%20(1).png', 'plan (1).png'],
  ['escaped', 'Gr%C3%B6%C3%9Fe%20%281%29.png', 'Größe (1).png'],
  ['with a sign that looks escaped', '100%.png', '100%.png'],
])(
  'a picture that is pasted under a name with brackets or foreign letters is called by it, %s',
  async (_, link, name) => {
    const cell = {
      cell_type: 'markdown',
      source: `See ![](attachment:${link}).`,
      attachments: { [name]: { 'image/png': 'AAAA' } },
    };
    const { markdown, pictures } = await extracted(readNotebook, notebook(cell), { pictures: true });
    expect(markdown).toBe(`See ![](${pictures[0]?.name}).`);
  },
);

test('a notebook of the version before has headings, and code in the language of each cell', async () => {
  const cells = [
    { cell_type: 'heading', level: 2, source: ['Data'] },
    { cell_type: 'code', language: 'julia', input: 'x = 1', outputs: [] },
  ];
  expect(await shown(readNotebook, JSON.stringify({ nbformat: 3, metadata: {}, worksheets: [{ cells }] }))).toBe(
    '## Data\n\n```julia\nx = 1\n```',
  );
});

test('numbers that Python writes as JSON and are none there do not hide a notebook', async () => {
  const text = notebook(code('"NaN\\\\"', result({ 'application/json': { a: 1, b: 2, c: 'NaN' } })))
    .replace('"a":1', '"a":NaN')
    .replace('"b":2', '"b":-Infinity');
  expect(await shown(readNotebook, text)).toBe(
    '```python\n"NaN\\\\"\n```\n\n```json\n{"a":"NaN","b":"-Infinity","c":"NaN"}\n```',
  );
});

test('a notebook of the version before is read', async () => {
  const cell = { cell_type: 'code', input: 'x', outputs: [{ output_type: 'pyout', text: ['3'] }] };
  const text = JSON.stringify({ nbformat: 3, worksheets: [{ cells: [cell] }] });
  expect(await shown(readNotebook, text)).toBe('```python\nx\n```\n\n```\n3\n```');
});

test.each([
  ['no JSON', '{"cells": ['],
  ['a list', '[]'],
  ['no cells', '{"metadata": {}}'],
  ['no text', Buffer.from([0xff, 0xff])],
])('%s is refused as a notebook', async (_what, text) => {
  expect(await shown(readNotebook, text)).toBe('refused: corrupt');
});

test.each([
  [
    'things of the wrong kind',
    '{"cells": [1, null, {"cell_type": 4, "source": {}, "outputs": 3}, {"cell_type": "code", "outputs": [null, {"data": 4}]}], "metadata": 3}',
  ],
  [
    'a deep nest',
    `{"cells": [{"cell_type": "code", "outputs": [{"data": {"application/json": ${'['.repeat(50_000)}${']'.repeat(50_000)}}}]}]}`,
  ],
])('a notebook with %s is read all the same', async (_what, text) => {
  expect(await shown(readNotebook, text)).toBe('');
});

test('damaged notebooks are read or refused', async () => {
  const text = notebook(code('a', result({ 'text/plain': 'b' })), { cell_type: 'markdown', source: 'x' }).repeat(1);
  expect(await survives(readNotebook, Buffer.from(text), 80, 'x.ipynb')).toBeGreaterThan(0);
});
