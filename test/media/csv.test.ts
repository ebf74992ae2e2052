import { describe, expect, test } from 'vitest';
import { readCsv } from '../../src/media/sheet/csv.ts';
import { cpuMs } from '../cpu.ts';
import { shown, survives } from './document.ts';

const two = '| a | b |\n| --- | --- |\n| 1 | 2 |';

describe('a table as text becomes a table:', () => {
  test.each([
    ['commas', 'a,b\n1,2\n', two],
    ['semicolons', 'a;b\r\n1;2\r\n', two],
    ['tabs', 'a\tb\n1\t2', two],
    ['bars', 'a|b\n1|2\n', two],
    ['a declared delimiter', 'sep=;\na;b\n1;2\n', two],
    ['a mark at the start', '\ufeffa,b\n1,2', two],
    ['old line ends', 'a,b\r1,2\r', two],
    ['empty lines', 'a,b\n\n1,2\n\n', two],
    ['decimal commas', 'a;b\n1,5;2,5\n3,5;4,5', '| a | b |\n| --- | --- |\n| 1,5 | 2,5 |\n| 3,5 | 4,5 |'],
    [
      'decimal commas in each field of each line',
      '1,5;2,5;3,5\n4,5;5,5;6,5\n7,5;8,5;9,5\n',
      '| 1,5 | 2,5 | 3,5 |\n| --- | --- | --- |\n| 4,5 | 5,5 | 6,5 |\n| 7,5 | 8,5 | 9,5 |',
    ],
    ['quotes', 'a,b\n"1, ""x""","l1\nl2"\n', '| a | b |\n| --- | --- |\n| 1, "x" | l1<br>l2 |'],
    ['a quote that never ends', 'a,b\n"1,2\n3,4', '| a | b |\n| --- | --- |\n| "1 | 2 |\n| 3 | 4 |'],
    ['rows of different length', 'a,b\n1\n1,2', '| a | b |\n| --- | --- |\n| 1 |  |\n| 1 | 2 |'],
    ['one column', 'a\n1\n', '| a |\n| --- |\n| 1 |'],
    ['nothing', '', '[There are no rows.]\n\n'],
  ])('%s', async (_what, text, markdown) => {
    expect(await shown(readCsv, text, { name: 'x.csv' })).toBe(markdown);
  });

  test('a name that says tabs decides over commas in the cells', async () => {
    expect(await shown(readCsv, 'a,x\tb,y\n1,x\t2,y', { name: 'x.tsv' })).toContain('| a,x | b,y |');
  });
});

test.each([
  ['UTF-16', Buffer.from('\ufeffä,b', 'utf16le'), '| ä | b |'],
  [
    'western bytes',
    Buffer.from('Stra\u00dfe,b', 'latin1'),
    '[Read as Windows-1252, because it is no Unicode text. Give encoding to read it as another.]\n\n| Straße | b |',
  ],
  ['no text at all', Buffer.from([0, 1, 2, 0xff, 0x2c]), 'refused: unsupported'],
])('a table in %s', async (_what, bytes, start) => {
  expect((await shown(readCsv, bytes, { name: 'x.csv' })).startsWith(start)).toBe(true);
});

test('a long and wide table is cut, and the note comes first', async () => {
  const line = Array.from({ length: 60 }, (_, at) => `c${at}`).join(',');
  const markdown = await shown(readCsv, `${line}\n`.repeat(2500), { name: 'x.csv' });
  expect(markdown.split('\n').slice(0, 3)).toEqual([
    '[Rows 1-1,000 of 2,500 are shown. rows="1001-2000" shows the next.]',
    '',
    '[Columns 1-50 of 60 are shown. columns="51-60" shows the next.]',
  ]);
  expect(markdown.split('\n')).toHaveLength(1005);
});

test.each([
  [
    'rows below the header',
    { rows: '700-701' },
    '| n | square |\n| --- | --- |\n| 699 | 488601 |\n| 700 | 490000 |',
    '[Rows 700-701 of 2,001 are shown. rows="702-1701" shows the next.]',
  ],
  [
    'the last rows',
    { rows: '2001-' },
    '| n | square |\n| --- | --- |\n| 2000 | 4000000 |',
    '[Rows 2,001-2,001 of 2,001 are shown.]',
  ],
  [
    'a column by its letter',
    { rows: '3', columns: 'B' },
    '| square |\n| --- |\n| 4 |',
    '[Columns 2-2 of 2 are shown.]',
  ],
  ['rows that are not there', { rows: '3000' }, 'refused: bad-range', 'refused'],
  ['no rows at all', { rows: 'some' }, 'refused: bad-range', 'refused'],
])('of a table can be asked for: %s', async (_what, wish, end, note) => {
  const numbers = Array.from({ length: 2000 }, (_, at) => `${at + 1},${(at + 1) ** 2}`).join('\n');
  const markdown = await shown(readCsv, `n,square\n${numbers}`, { name: 'x.csv', ...wish });
  expect(markdown.endsWith(end)).toBe(true);
  expect(markdown).toContain(note);
});

test.each([
  ['quotes', '"'.repeat(1_000_000)],
  ['quotes that never end', '",""'.repeat(500_000)],
  ['fields', ','.repeat(1_000_000)],
  ['lines', '\n'.repeat(1_000_000)],
])('many %s take little time', async (_what, text) => {
  expect(await cpuMs(() => shown(readCsv, text, { name: 'x.csv' }))).toBeLessThan(8000);
});

test('damaged tables are read or refused', async () => {
  const text = Buffer.from('name;"a ""b""";12,5\nx;"y\nz";3\n'.repeat(30));
  expect(await survives(readCsv, text, 60, 'x.csv')).toBeGreaterThan(0);
});
