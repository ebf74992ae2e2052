import * as xlsx from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/media/limits.ts';
import { hasSoundRecords } from '../../src/media/sheet/records.ts';
import { readSheet } from '../../src/media/sheet/read.ts';
import { openZip } from '../../src/media/zip/read.ts';
import { archive } from './archive.ts';
import { extracted, shown, survives } from './document.ts';

type Kind = 'xlsx' | 'biff8' | 'xlsb';

function workbook(kind: Kind, fill: (book: xlsx.WorkBook) => void): Buffer {
  const book = xlsx.utils.book_new();
  fill(book);
  return Buffer.from(xlsx.write(book, { type: 'buffer', bookType: kind, compression: true }) as Uint8Array);
}

function budget(kind: Kind): Buffer {
  return workbook(kind, (book) => {
    const sheet = xlsx.utils.aoa_to_sheet([
      ['Item', 'Due', 'Share', 'Price'],
      ['Rent', 45_292, 0.25, 1234.5],
      ['Fun | games', 45_293, 0.5, 20],
    ]);
    for (const row of [2, 3]) {
      Object.assign(sheet[`B${row}`] as object, { t: 'n', z: 'dd.mm.yyyy' });
      Object.assign(sheet[`C${row}`] as object, { z: '0%' });
      Object.assign(sheet[`D${row}`] as object, { z: '"$"#,##0.00' });
    }
    xlsx.utils.book_append_sheet(book, sheet, 'Budget');
    xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([]), 'Nothing');
  });
}

/** An OpenDocument sheet of rows of cells: attributes and words, as other programs write them. */
function openSheet(table: string, styles = '', manifest = ''): Buffer {
  const names = 'office table text style xlink'
    .split(' ')
    .map((name) => `xmlns:${name}="${name}"`)
    .join(' ');
  return archive({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:document-content ${names}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${table}</office:spreadsheet></office:body></office:document-content>`,
    'META-INF/manifest.xml': `<manifest>${manifest}</manifest>`,
  });
}

const openRow = (cells: string, repeated = 1): string =>
  `<table:table-row table:number-rows-repeated="${repeated}">${cells}</table:table-row>`;
const openCell = (words: string, attributes = ''): string =>
  `<table:table-cell ${attributes}><text:p>${words}</text:p></table:table-cell>`;
const openBudget = openSheet(
  `<table:table table:name="Costs" table:style-name="off">${openRow('<table:table-cell table:number-columns-repeated="16384"/>', 2)}${openRow(
    `<table:table-cell/>${openCell('Item')}${openCell('25%', 'office:value="0.25"')}`,
  )}${openRow(
    `<table:table-cell/>${openCell('<text:a xlink:href="https://x.y/">site</text:a><text:s text:c="2"/>a<office:annotation><text:p>mind</text:p></office:annotation>')}${openCell('x', 'table:number-columns-repeated="2"')}<table:covered-table-cell/>`,
  )}${openRow('<table:table-cell table:number-columns-repeated="16384"/>', 1_048_000)}</table:table><table:table table:name="Empty"/>`,
  '<style:style style:name="off"><style:table-properties table:display="false"/></style:style>',
);

const budgetText = [
  '## Budget (3 rows × 4 columns)',
  '| Item | Due | Share | Price |\n| --- | --- | --- | --- |\n| Rent | 01.01.2024 | 25% | $1,234.50 |\n| Fun \\| games | 02.01.2024 | 50% | $20.00 |',
  '## Nothing (empty)',
].join('\n\n');

describe('a workbook becomes tables', () => {
  test.each(['xlsx', 'biff8', 'xlsb'] as const)('with values as they are shown, from %s', async (kind) => {
    const { markdown, parts } = await extracted(readSheet, budget(kind), { name: `b.${kind}` });
    expect(markdown).toBe(budgetText);
    expect(parts).toEqual({ count: 2, unit: 'sheets' });
  });

  test('with the words that stand in an OpenDocument sheet', async () => {
    expect(await shown(readSheet, openBudget)).toBe(
      '## Costs (2 rows × 3 columns, from B3, hidden)\n\n| Item | 25% |  |\n| --- | --- | --- |\n| [site](https://x.y/) a | x | x |\n\nComments:\n\n- B4: mind\n\n## Empty (empty)',
    );
  });

  test('with hidden sheets marked, merged cells once, links, comments, and formulas where no value is', async () => {
    const bytes = workbook('xlsx', (book) => {
      const sheet = xlsx.utils.aoa_to_sheet([[], [null, 'Title', null], [null, 'site', 7]]);
      sheet['!merges'] = [xlsx.utils.decode_range('B2:C2')];
      Object.assign(sheet['B3'] as object, { l: { Target: 'https://x.y/' }, c: [{ a: 'Ann', t: 'look here' }] });
      sheet['D3'] = { t: 'n', f: 'SUM(C3:C3)' };
      sheet['!ref'] = 'A1:D3';
      xlsx.utils.book_append_sheet(book, sheet, 'Secret');
      book.Workbook = { Sheets: [{ name: 'Secret', Hidden: 1 }] };
    });
    const markdown = await shown(readSheet, bytes);
    expect(markdown).toContain('## Secret (2 rows × 3 columns, from B2, hidden)');
    expect(markdown).toContain('| Title |  |  |\n| --- | --- | --- |\n| [site](https://x.y/) | 7 | =SUM(C3:C3) |');
    expect(markdown).toContain('Comments:\n\n- B3 (Ann): look here');
  });

  test('of which the first rows and columns are shown, with a note before them', async () => {
    const bytes = workbook('xlsx', (book) => {
      const rows = Array.from({ length: 1500 }, (_, row) =>
        Array.from({ length: 60 }, (__, column) => row * 60 + column),
      );
      xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), 'Long');
    });
    const lines = (await shown(readSheet, bytes)).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      '## Long (1,500 rows × 60 columns)',
      '',
      '[Rows 1-1,000 of 1,500, columns 1-50 of 60 are shown. Export the others to read them.]',
    ]);
    expect(lines).toHaveLength(3 + 1 + 1001);
  });

  test('that stop where a document may not be longer', async () => {
    const bytes = workbook('xlsx', (book) => {
      const rows = Array.from({ length: 900 }, () => ['x'.repeat(1000)]);
      xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), 'A');
    });
    const markdown = await shown(readSheet, bytes, { limits: { documentCharacters: 20_000 } });
    expect(markdown).toContain('[Rows 1-19 of 900 are shown.');
    expect(markdown.length).toBeLessThanOrEqual(20_000);
  });

  test('and its pictures come when asked for', async () => {
    const files = { 'xl/media/image1.png': Buffer.from('iVBORw0KGgo=', 'base64') };
    const book = openZip(budget('xlsx'), 'b.xlsx', limits);
    if (!book.ok) throw new Error(book.refusal.what);
    const { value } = book;
    const parts = Object.fromEntries(
      value.names.map((name) => {
        const part = value.read(name);
        return [name, part.ok ? part.value : ''];
      }),
    );
    const { markdown, pictures } = await extracted(readSheet, archive({ ...parts, ...files }), { pictures: true });
    expect(markdown).toContain('![image1.png](image1.png)');
    expect(pictures.map(({ name }) => name)).toEqual(['image1.png']);
  });
});

test.each([
  ['an archive without sheets', archive({ 'a.txt': 'x' }), 'refused: corrupt'],
  ['an archive that grows', archive({ 'xl/workbook.xml': ' '.repeat(3_000_000) }), 'refused: too-large'],
  [
    'a locked OpenDocument sheet',
    openSheet('', '', '<file-entry><encryption-data/></file-entry>'),
    'refused: encrypted',
  ],
  ['words', Buffer.from('a,b\n1,2'), 'refused: unsupported'],
  ['nothing', Buffer.alloc(0), 'refused: unsupported'],
  ['a container cut short', budget('biff8').subarray(0, 600), 'refused: corrupt'],
])('%s is refused', async (_what, bytes, refusal) => {
  expect(await shown(readSheet, bytes)).toBe(refusal);
});

test.each([
  ['xlsx', budget('xlsx')],
  ['xls', budget('biff8')],
  ['ods', openBudget],
])('damaged workbooks (%s) are read or refused', async (kind, bytes) => {
  expect(await survives(readSheet, bytes, 40, `b.${kind}`)).toBeLessThanOrEqual(40);
});

/** A record of an old workbook, with nothing in it. */
function record(type: number, length: number): Buffer {
  const bytes = Buffer.alloc(4 + length);
  bytes.writeUInt16LE(type);
  bytes.writeUInt16LE(length, 2);
  return bytes;
}

const stream = (begin: number, inside: number): Buffer =>
  Buffer.concat([record(begin, 16), record(inside, 20), record(10, 0)]);

test.each([0x0206, 0x0406])('a formula marked as before Excel 5 (%i) in a later workbook is damage', (type) => {
  expect(hasSoundRecords(stream(0x0809, 0x0006))).toBe(true);
  expect(hasSoundRecords(stream(0x0809, type))).toBe(false);
  expect(hasSoundRecords(stream(0x0409, type))).toBe(true);
});
