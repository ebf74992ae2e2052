import * as xlsx from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/media/limits.ts';
import { hasSoundRecords } from '../../src/media/sheet/records.ts';
import { readSheet } from '../../src/media/sheet/read.ts';
import { openZip } from '../../src/media/zip/read.ts';
import { cpuMs } from '../cpu.ts';
import { archive, relations } from './archive.ts';
import { biff, biffBegin, biffBook, long, short } from './biff.ts';
import { extracted, shown, survives } from './document.ts';

type Kind = 'xlsx' | 'biff8' | 'xlsb';

function workbook(kind: Kind | 'ods', fill: (book: xlsx.WorkBook) => void): Buffer {
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

/** A cell of an OpenDocument sheet that leads somewhere. */
function linkedCell(to: string, words: string): string {
  return `<table:table-cell><text:p><text:a xlink:href="${to}">${words}</text:a></text:p></table:table-cell>`;
}

function partsOf(book: Buffer): Record<string, Uint8Array> {
  const zip = openZip(book, 'b.xlsx', limits);
  if (!zip.ok) throw new Error(zip.refusal.what);
  const { value } = zip;
  return Object.fromEntries(
    value.names.flatMap((name) => {
      const part = value.read(name);
      return part.ok ? [[name, part.value]] : [];
    }),
  );
}

const oldFont = (level: number): Buffer =>
  biff(0x31, short(200, level === 3 ? 8 : 0, 0x7fff, 400, level % 3), Buffer.alloc(4), Buffer.from([1, 0, 65]));
const oldRich = (text: string, ...runs: number[]): Buffer =>
  Buffer.concat([short(text.length), Buffer.from([8]), short(runs.length / 2), Buffer.from(text), short(...runs)]);
const oldSheet = (...words: number[]): Buffer =>
  Buffer.concat([biffBegin(0x10), ...words.map((word, at) => biff(0xfd, short(0, at, 0), long(word))), biff(0x0a)]);

/** A workbook of Excel 97 with three strings, two of which have letters of other fonts; a record of strings is so long. The
 * second of its formats strikes words; `more` records stand in the first sheet. */
function oldBook(longest: number, more: readonly Buffer[] = []): Buffer {
  const strings = Buffer.concat([
    long(3, 3),
    oldRich('105 N & 3 m2', 2, 5, 3, 0, 11, 5),
    oldRich('H2O', 1, 6, 2, 0),
    Buffer.concat([short(5), Buffer.from([1]), Buffer.from('plain', 'utf16le')]),
  ]);
  // A string that goes on in the next record says there again how wide its letters are.
  const parts = [strings.subarray(0, longest), strings.subarray(longest)].filter((part) => part.length > 0);
  const [first = Buffer.alloc(0), rest] = parts;
  const globals = (places: readonly number[]): Buffer =>
    Buffer.concat([
      biffBegin(5),
      ...[0, 0, 0, 0, 1, 2, 3].map(oldFont),
      ...[0, 7].map((of) => biff(0xe0, short(of, 0), Buffer.alloc(16))),
      ...places.map((place, at) => biff(0x85, long(place), Buffer.from([0, 0, 1, 0, 83 + at]))),
      biff(0xfc, first),
      ...(rest === undefined ? [] : [biff(0x3c, Buffer.from([0]), rest)]),
      biff(0x0a),
    ]);
  const [one, other] = [Buffer.concat([oldSheet(0, 1, 2).subarray(0, -4), ...more, biff(0x0a)]), oldSheet(2, 2, 2)];
  const from = globals([0, 0]).length;
  return Buffer.concat([globals([from + one.length, from]), one, other]); // listed in another order than they lie in
}

/** Words as XML has them. */
const asXml = (code: string): string => code.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
/** A whole number in four bytes. */
const packed = (value: number): Buffer => long((value << 2) | 2);

const oldHead = (name: string): string =>
  `## ${name} (1 row × 3 columns)\n\n|  | A | B | C |\n| --- | --- | --- | --- |\n`;

/** An OpenDocument sheet of rows of cells: attributes and words, as other programs write them. */
function openSheet(table: string, styles = '', manifest = '', parts: Record<string, string | Buffer> = {}): Buffer {
  const names = 'office table text style xlink draw svg dc'
    .split(' ')
    .map((name) => `xmlns:${name}="${name}"`)
    .join(' ');
  return archive({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:document-content ${names}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${table}</office:spreadsheet></office:body></office:document-content>`,
    'META-INF/manifest.xml': `<manifest>${manifest}</manifest>`,
    ...parts,
  });
}

const openRow = (cells: string, repeated = 1): string =>
  `<table:table-row table:number-rows-repeated="${repeated}">${cells}</table:table-row>`;
const openCell = (words: string, attributes = ''): string =>
  `<table:table-cell ${attributes}><text:p>${words}</text:p></table:table-cell>`;
const openSpan = (at: number, words: string): string => `<text:span text:style-name="s${at}">${words}</text:span>`;
const openBudget = openSheet(
  `<table:table table:name="Costs" table:style-name="off">${openRow('<table:table-cell table:number-columns-repeated="16384"/>', 2)}${openRow(
    `<table:table-cell/>${openCell('Item')}${openCell('25%', 'office:value="0.25"')}`,
  )}${openRow(
    `<table:table-cell/>${openCell('<text:a xlink:href="https://x.y/">site</text:a><text:s text:c="2"/>a<office:annotation><dc:creator>Cy</dc:creator><dc:date>2024</dc:date><text:p>mind</text:p></office:annotation>')}${openCell('x', 'table:number-columns-repeated="2"')}<table:covered-table-cell/>`,
  )}${openRow('<table:table-cell table:number-columns-repeated="16384"/>', 1_048_000)}</table:table><table:table table:name="Empty"/>`,
  '<style:style style:name="off"><style:table-properties table:display="false"/></style:style>',
);

const anchor = (row: number, inside: string): string =>
  `<xdr:twoCellAnchor><xdr:from><xdr:col>5</xdr:col><xdr:row>${row}</xdr:row></xdr:from>${inside}</xdr:twoCellAnchor>`;
const point = (at: number, text: string): string => `<c:pt idx="${at}"><c:v>${text}</c:v></c:pt>`;

const setRun = (text: string, level = ''): string =>
  `<r><rPr>${level === 'strike' ? '<strike/>' : level === '' ? '' : `<vertAlign val="${level}"/>`}<sz val="11"/></rPr><t xml:space="preserve">${text}</t></r>`;
const setCell = (...runs: string[]): string => `<si>${runs.join('')}</si>`;

const numberCell = (place: string, value: number): string => `<c r="${place}"><v>${value}</v></c>`;

const setRow = (at: number, attributes = ''): string =>
  `<row r="${at}" ${attributes}><c r="A${at}"><v>${at}</v></c><c r="D${at}"><v>7</v></c></row>`;

/** A workbook of one sheet as Excel writes it; the second of its formats strikes words. */
function setBook(strings: string, sheet: string): Buffer {
  const names = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return archive({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
    '_rels/.rels': relations(['a', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook ${names} xmlns:r="${links}"><sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ['a', 'worksheet', 'worksheets/sheet1.xml'],
      ['b', 'sharedStrings', 'sharedStrings.xml'],
      ['c', 'styles', 'styles.xml'],
    ),
    'xl/styles.xml': `<styleSheet ${names}><fonts count="2"><font><strike val="0"/><sz val="11"/></font><font><strike/><sz val="11"/></font></fonts><cellXfs count="3"><xf numFmtId="0" fontId="0"/><xf numFmtId="0" fontId="1"/><xf numFmtId="14" fontId="0"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${names}>${strings}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${names}>${sheet}</worksheet>`,
  });
}

/** A record of a binary workbook. */
const brt = (type: number, ...content: Buffer[]): Buffer => {
  const data = Buffer.concat(content);
  const kind = type < 128 ? [type] : [(type & 127) | 128, type >> 7];
  return Buffer.concat([Buffer.from([...kind, data.length]), data]);
};

const binaryRich = (text: string, ...runs: number[]): Buffer =>
  Buffer.concat([
    Buffer.from([runs.length === 0 ? 0 : 1]),
    long(text.length),
    Buffer.from(text, 'utf16le'),
    ...(runs.length === 0 ? [] : [long(runs.length / 2), short(...runs)]),
  ]);

/** A binary workbook: fonts that strike, raise and lower letters, formats without and with the first of them. */
function binaryBook(): Buffer {
  const font = (flags: number, level: number): Buffer =>
    brt(43, short(220, flags, 400, level), Buffer.alloc(13), long(1), Buffer.from('A', 'utf16le'));
  const format = (of: number): Buffer => brt(47, short(0xffff, 0, of, 0, 0, 0, 0, 0));
  const row = (at: number, flags: number): Buffer =>
    brt(0, long(at, 0), short(300), Buffer.from([0, flags]), Buffer.alloc(5));
  const words = (column: number, of: number, string: number): Buffer => brt(7, long(column, of, string));
  const number = (column: number, of: number, value: number): Buffer => brt(2, long(column, of, (value << 2) | 2));
  const strings = [
    binaryRich('105 N', 2, 2, 3, 0),
    binaryRich('gone'),
    binaryRich('plain'),
    binaryRich('H2O', 1, 3, 2, 0),
  ];
  const book = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([['x']]), 'S');
  const parts = partsOf(
    Buffer.from(xlsx.write(book, { type: 'buffer', bookType: 'xlsb', bookSST: true }) as Uint8Array),
  );
  return archive({
    ...parts,
    'xl/styles.bin': Buffer.concat([
      brt(278),
      brt(611, long(4)),
      font(0, 0),
      font(8, 0),
      font(0, 1),
      font(0, 2),
      brt(612),
      brt(617, long(2)),
      format(0),
      format(1),
      brt(618),
      brt(279),
    ]),
    'xl/sharedStrings.bin': Buffer.concat([brt(159, long(4, 4)), ...strings.map((one) => brt(19, one)), brt(160)]),
    'xl/worksheets/sheet1.bin': Buffer.concat([
      brt(129),
      brt(390),
      brt(60, long(1, 2, 2304, 0), short(1)),
      brt(391),
      brt(145),
      row(0, 0),
      words(0, 0, 0),
      words(1, 1, 1),
      words(2, 0, 2),
      number(3, 1, 7),
      row(1, 0x10),
      words(0, 0, 3),
      number(1, 0, 1),
      brt(13, long(1, (2 << 2) | 2)),
      brt(13, long(0, (3 << 2) | 2)),
      brt(146),
      brt(130),
    ]),
  });
}

const namedCells = (range: string): string => `<c:strRef><c:f>${range}</c:f></c:strRef>`;
const keptPoint = (code: string, value: string): string =>
  `<c:numRef><c:numCache><c:formatCode>${code}</c:formatCode><c:pt idx="0"><c:v>${value}</c:v></c:pt></c:numCache></c:numRef>`;
const chartSeries = (...parts: readonly string[]): string =>
  `<c:ser><c:tx>${parts[0]}</c:tx><c:cat>${parts[1]}</c:cat><c:val>${parts[2]}</c:val></c:ser>`;
const barChart = (one: string): string =>
  `<c:chartSpace xmlns:c="c"><c:chart><c:plotArea><c:barChart>${one}</c:barChart></c:plotArea></c:chart></c:chartSpace>`;
const drawnCell = (inside: string): string => `<table:table-cell><text:p>own</text:p>${inside}</table:table-cell>`;

const drawnBox = (words: string): string => `<xdr:sp><xdr:txBody>${words}</xdr:txBody></xdr:sp>`;
const drawnLine = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
const either = (newer: string, older: string): string =>
  `<mc:AlternateContent xmlns:mc="mc"><mc:Choice Requires="x">${newer}</mc:Choice><mc:Fallback>${older}</mc:Fallback></mc:AlternateContent>`;

const budgetText = [
  '## Budget (3 rows × 4 columns)',
  '|  | A | B | C | D |\n| --- | --- | --- | --- | --- |\n| 1 | Item | Due | Share | Price |\n| 2 | Rent | 01.01.2024 | 25% | $1,234.50 |\n| 3 | Fun \\| games | 02.01.2024 | 50% | $20.00 |',
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
      '## Costs (2 rows × 3 columns, hidden)\n\n|  | B | C | D |\n| --- | --- | --- | --- |\n| 3 | Item | 25% |  |\n| 4 | [site](https://x.y/) a | x | x |\n\nComments:\n\n- B4 (Cy): mind\n\n## Empty (empty)',
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
    expect(markdown).toContain('## Secret (2 rows × 3 columns, hidden)');
    expect(markdown).toContain(
      '|  | B | C | D |\n| --- | --- | --- | --- |\n| 2 | Title |  |  |\n| 3 | [site](https://x.y/) | 7 | =SUM(C3:C3) |',
    );
    expect(markdown).toContain('Comments:\n\n- B3 (Ann): look here');
    expect(markdown).toContain('[Merged cells: B2:C2.]');
  });

  test('with addresses in which a sign would end the link, in either format', async () => {
    const target = 'https://x.y/a_(b) c';
    const xlsxBytes = workbook('xlsx', (book) => {
      const sheet = xlsx.utils.aoa_to_sheet([['site', 'inside']]);
      Object.assign(sheet['A1'] as object, { l: { Target: target } });
      Object.assign(sheet['B1'] as object, { l: { Target: '#Costs!A1' } });
      xlsx.utils.book_append_sheet(book, sheet, 'T');
    });
    const row = openRow(linkedCell(target, 'site') + linkedCell('#Costs.A1', 'inside'));
    for (const bytes of [xlsxBytes, openSheet(`<table:table table:name="T">${row}</table:table>`)])
      expect(await shown(readSheet, bytes)).toContain('| 1 | [site](https://x.y/a_%28b%29%20c) | inside |');
  });

  test('in which raised and lowered words stay so', async () => {
    const strings = `${setCell(setRun('10'), setRun('5', 'superscript'), setRun(' N &amp; 3 m'), setRun('2', 'superscript'))}${setCell(setRun('H'), setRun('2', 'subscript'), setRun('O'))}`;
    const cells = '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>';
    const bytes = setBook(strings, `<sheetData><row r="1">${cells}</row></sheetData>`);
    expect(await shown(readSheet, bytes)).toContain('| 1 | 10^5 N & 3 m² | H₂O |');
  });

  test('in which struck cells and struck words are so', async () => {
    const strings = `${setCell(setRun('was '), setRun('old', 'strike'), setRun(' _x000D_\nnew'))}${setCell('<t>gone</t>')}${setCell(`<r><t>out </t></r>${setRun('in')}`)}`;
    const first = '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s" s="1"><v>1</v></c><c r="C1" t="s" s="1"><v>2</v></c>';
    const second = '<c r="A2" s="1"><v>5</v></c><c s="1"><v>6</v></c><c r="C2" t="s"><v>1</v></c>';
    const bytes = setBook(strings, `<sheetData><row r="1">${first}</row><row r="2">${second}</row></sheetData>`);
    expect(await shown(readSheet, bytes)).toContain(
      '| 1 | was ~~old~~<br>new | ~~gone~~ | ~~out~~ in |\n| 2 | ~~5~~ | ~~6~~ | gone |',
    );
  });

  test('with the rows and columns named that are hidden, as far as something stands there', async () => {
    const rows = [
      setRow(1, 'hidden="0"'),
      setRow(2, 'hidden="1"'),
      setRow(3, 'hidden="true"'),
      setRow(4),
      setRow(5, 'hidden="1"'),
    ];
    const columns =
      '<col min="1" max="1" width="9"/><col min="2" max="2" hidden="1"/><col min="4" max="99" hidden="1"/>';
    const bytes = setBook('', `<cols>${columns}</cols><sheetData>${rows.join('')}</sheetData>`);
    expect(await shown(readSheet, bytes)).toContain('\n\n[Hidden: rows 2-3, 5, columns B, D.]');
    const inner = `<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>${openRow(openCell('a') + openCell('b') + openCell('c'))}<table:table-row table:visibility="filter">${openCell('d')}</table:table-row>`;
    expect(await shown(readSheet, openSheet(`<table:table table:name="T">${inner}</table:table>`))).toContain(
      '| 2 | d |  |  |\n\n[Hidden: row 2, column C.]',
    );
  });

  test.each([
    ['', 'no size'],
    ['<dimension ref="A1"/>', 'its first cell for a size'],
    ['<dimension ref="A1:D2500"/>', 'its size'],
  ])('with all of its rows counted, where a program wrote %s (%s)', async (size) => {
    const rows = Array.from({ length: 2500 }, (_, at) => setRow(at + 1)).join('');
    const parts = partsOf(setBook('', `${size}<sheetData>${rows}</sheetData>`));
    const plain = Buffer.from(parts['xl/styles.xml'] ?? []).toString().replaceAll(/<strike[^>]*>/g, ''); // prettier-ignore
    const text = await shown(readSheet, archive({ ...parts, 'xl/styles.xml': plain }));
    expect(text).toContain('## S (2,500 rows × 4 columns)');
    expect(text).toContain('1,000 of 2,500');
  });

  test('with the number of a date that is before the first', async () => {
    const bytes = setBook('', '<sheetData><row r="1"><c r="A1" s="2"><v>-5</v></c></row></sheetData>');
    expect(await shown(readSheet, bytes)).toContain('| 1 | -5 |');
  });

  test('of OpenDocument in which struck cells and struck words are so', async () => {
    const styles =
      '<style:style style:name="x"><style:text-properties style:text-line-through-style="solid"/></style:style><style:style style:name="s1"><style:text-properties style:text-line-through-type="single"/></style:style>';
    const span = openSpan(1, 'old');
    const cells = [
      openCell(`was ${span} new`),
      openCell('gone', 'table:style-name="x"'),
      openCell('by column'),
      openCell('kept', 'table:style-name="y"'),
    ];
    const columns =
      '<table:table-column table:number-columns-repeated="2"/><table:table-column table:number-columns-repeated="2" table:default-cell-style-name="x"/>';
    const bytes = openSheet(`<table:table table:name="T">${columns}${openRow(cells.join(''))}</table:table>`, styles);
    expect(await shown(readSheet, bytes)).toContain('| 1 | was ~~old~~ new | ~~gone~~ | ~~by column~~ | kept |');
  });

  test.each([
    ['in one record', 1000],
    ['in two, in both of which one string lies', 20],
  ])('of Excel 97 in which raised and lowered words stay so, its strings %s', async (_what, longest) => {
    expect(await shown(readSheet, oldBook(longest))).toBe(
      `${oldHead('T')}| 1 | 10^5 N & 3 m² | H₂O | plain |\n\n${oldHead('S')}| 1 | plain | plain | plain |`,
    );
    await survives(readSheet, oldBook(longest), 60, 'levels.xls');
  });

  test('with what stands at the head and the foot of its pages, unless it is only a number', async () => {
    const codes = [
      '&L&"Arial,Bold"&14Draft && secret&C&KFF0000in thousands&R&P/&N',
      '&L&F&Cas of 1 May&RPage &P',
      '&C&"Times,Regular"&12&A',
      '&CPage &P of &N',
    ];
    const [header = '', footer = '', name = '', page = ''] = codes;
    const tail = `<headerFooter><oddHeader>${asXml(header)}</oddHeader><oddFooter>${asXml(footer)}</oddFooter><evenHeader>${asXml(name)}</evenHeader><evenFooter>${asXml(page)}</evenFooter></headerFooter>`;
    const parts = partsOf(budget('xlsx'));
    const sheet = Buffer.from(parts['xl/worksheets/sheet1.xml'] ?? []).toString();
    const bytes = archive({
      ...parts,
      'xl/worksheets/sheet1.xml': sheet.replace('</worksheet>', `${tail}</worksheet>`),
    });
    const markdown = await shown(readSheet, bytes);
    expect(markdown).toContain('\n\n> Header: Draft & secret in thousands #/#\n\n|  | A |');
    expect(markdown).toContain('\n\n> Footer: as of 1 May Page #\n\n## Nothing');
    const old = [header, name, footer, page].map((code, at) =>
      biff(at < 2 ? 0x14 : 0x15, short(code.length), Buffer.from([0]), Buffer.from(code)),
    );
    expect(await shown(readSheet, biffBook([], [[0x10, ...old]]))).toBe(
      '## S1 (empty)\n\n> Header: Draft & secret in thousands #/#\n\n> Footer: as of 1 May Page #',
    );
  });

  test('of Excel 97 in which struck cells are so, and hidden rows and columns are named', async () => {
    const bytes = oldBook(1000, [
      biff(0x7d, short(1, 1, 2000, 0, 1, 0)),
      biff(0x208, short(1, 0, 3, 0, 0, 0, 0x20, 0)),
      biff(0xfd, short(1, 0, 1), long(1)),
      biff(0xbd, short(1, 1, 0), packed(4), short(1), packed(5), short(2)),
    ]);
    expect(await shown(readSheet, bytes)).toContain(
      '| 1 | 10^5 N & 3 m² | H₂O | plain |\n| 2 | ~~H~~₂O | 4 | ~~5~~ |\n\n[Hidden: row 2, column B.]',
    );
    await survives(readSheet, bytes, 60, 'struck.xls');
  });

  test('of a binary workbook in which struck, raised and lowered words stay so, and what is hidden is named', async () => {
    const bytes = binaryBook();
    expect(await shown(readSheet, bytes)).toBe(
      '## S (2 rows × 4 columns)\n\n|  | A | B | C | D |\n| --- | --- | --- | --- | --- |\n| 1 | 10^5 N | ~~gone~~ | plain | ~~7~~ |\n| 2 | H₂O | 1 | ~~2~~ | 3 |\n\n[Hidden: row 2, columns B-C.]',
    );
    await survives(readSheet, bytes, 60, 'struck.xlsb');
  });

  test('of which the first rows and columns are shown, with a note before them', async () => {
    const bytes = workbook('xlsx', (book) => {
      const rows = Array.from({ length: 1500 }, (_, row) =>
        Array.from({ length: 60 }, (__, column) => row * 60 + column),
      );
      xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), 'Long');
    });
    const lines = (await shown(readSheet, bytes)).split('\n');
    expect(lines.slice(0, 5)).toEqual([
      '## Long (1,500 rows × 60 columns)',
      '',
      '[Rows 1-1,000 of 1,500 are shown. rows="1001-1500" shows the next.]',
      '',
      '[Columns A-AX of BH are shown. columns="AY-BH" shows the next.]',
    ]);
    expect(lines).toHaveLength(5 + 1 + 1002);
    const part = await shown(readSheet, bytes, { rows: '1400-1401', columns: 'C-D', sheet: 'long' });
    expect(part).toContain('|  | C | D |\n| --- | --- | --- |\n| 1400 | 83942 | 83943 |\n| 1401 | 84002 | 84003 |');
  });

  test('with the formulas where the program that wrote them left it to others to compute them, and nothing for an empty value', async () => {
    const cells =
      '<c r="A1"><f>SUM(B1:C1)</f><v>0</v></c><c r="B1"><v>0</v></c><c r="C1"><f>B1+7</f><v>7</v></c><c r="D1" t="str"><f>IF(B1=0,"","x")</f><v></v></c>';
    const parts = partsOf(setBook('', `<sheetData><row r="1">${cells}</row></sheetData>`));
    const book = Buffer.from(parts['xl/workbook.xml'] ?? []).toString();
    expect(await shown(readSheet, archive(parts))).toContain('| 1 | 0 | 0 | 7 |\n');
    expect(await shown(readSheet, archive(parts), { formulas: true })).toContain('| 7 {=B1+7} | =IF(B1=0,"","x") |');
    const lazy = book.replace('</workbook>', '<calcPr calcId="124519" fullCalcOnLoad="1"/></workbook>');
    expect(await shown(readSheet, archive({ ...parts, 'xl/workbook.xml': lazy }))).toContain(
      '| 1 | =SUM(B1:C1) | 0 | 7 |\n',
    );
  });

  test.each([
    ['an empty value (openpyxl)', '<v></v>'],
    ['an empty element', '<v/>'],
    ['nothing', ''],
  ])('with formulas behind which the program that wrote them put %s', async (_what, value) => {
    const total = `<row r="2"><c r="A2"><v>3</v></c><c r="B2" s="2"><f>SUM(A1:A2)</f>${value}</c></row>`;
    const bytes = setBook('', `<sheetData><row r="1"><c r="A1"><v>1</v></c></row>${total}</sheetData>`);
    const markdown =
      '## S (2 rows × 2 columns)\n\n|  | A | B |\n| --- | --- | --- |\n| 1 | 1 |  |\n| 2 | 3 | =SUM(A1:A2) |';
    expect(await shown(readSheet, bytes)).toBe(markdown);
    expect(await shown(readSheet, bytes, { formulas: true })).toBe(markdown);
  });

  test.each(['xlsx', 'xlsb', 'biff8'] as const)('of which cells far below the others are told (%s)', async (kind) => {
    const bytes = workbook(kind, (book) => {
      const sheet = xlsx.utils.aoa_to_sheet([['top'], ['next']]);
      xlsx.utils.sheet_add_aoa(sheet, [['far']], { origin: 'C5001' });
      xlsx.utils.book_append_sheet(book, sheet, 'S');
    });
    const head = '## S (5,001 rows × 1 column)\n\n';
    expect(await shown(readSheet, bytes)).toBe(
      `${head}[Rows 1-1,000 of 5,001 are shown. rows="1001-2000" shows the next.]\n\n|  | A |\n| --- | --- |\n| 1 | top |\n| 2 | next |`,
    );
    expect(await shown(readSheet, bytes, { rows: '4999-' })).toContain(
      '|  | A | B | C |\n| --- | --- | --- | --- |\n| 5001 |  |  | far |',
    );
    expect(await shown(readSheet, bytes, { rows: '6000-7000' })).toContain(
      '[There is nothing: the sheet ends at row 5,001.]',
    );
    expect(await shown(readSheet, bytes, { rows: '1-2', columns: 'C-D' })).toBe(
      `${head}[There is nothing: the last column of these rows is A.]`,
    );
  });

  test.each(['xlsx', 'biff8'] as const)('of which no cell was reached says nothing of columns (%s)', async (kind) => {
    const bytes = workbook(kind, (book) => {
      const sheet = xlsx.utils.sheet_add_aoa(xlsx.utils.aoa_to_sheet([]), [['far']], { origin: 'C5001' });
      xlsx.utils.book_append_sheet(book, sheet, 'S');
    });
    expect(await shown(readSheet, bytes, { rows: '100-200', columns: 'C-D' })).toBe(
      '## S (5,001 rows)\n\n[Rows 100-200 of 5,001 are shown. rows="201-1200" shows the next.]',
    );
  });

  test.each(['xlsx', 'ods'] as const)('that is empty has no rows and columns to speak of (%s)', async (kind) => {
    const bytes = workbook(kind, (book) => xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([]), 'S'));
    expect(await shown(readSheet, bytes, { rows: '100-200', columns: 'C-D' })).toBe('## S (empty)');
  });

  test.each([
    ['rows that only have a format', '<row r="9000"><c r="A9000" s="2"/></row>'],
    ['a range that is too wide', ''],
  ])('that does not go as far as %s', async (_what, more) => {
    const rows = Array.from(
      { length: 1200 },
      (_, at) => `<x:row><x:c t="inlineStr"><x:is><x:t>row ${at} </x:t></x:is></x:c></x:row>`,
    );
    const sheet = `<dimension ref="A1:Z9000"/><sheetData>${rows.join('')}${more}</sheetData>`;
    const plain = setBook('', sheet.replaceAll('x:', ''));
    const prefixed = archive({
      ...partsOf(plain),
      'xl/worksheets/sheet1.xml': `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>${rows.join('')}</x:sheetData></x:worksheet>`,
    });
    for (const bytes of [plain, prefixed])
      expect(await shown(readSheet, bytes)).toContain(
        '## S (1,200 rows × 1 column)\n\n[Rows 1-1,000 of 1,200 are shown.',
      );
  });

  const emptyRows = (count: number): string => openRow('<table:table-cell/>', count);

  test.each([
    ['xlsx', setBook('', `<sheetData><row r="2500">${numberCell('C2500', 7)}</row></sheetData>`)],
    ['ods', openSheet(`<table:table table:name="S">${emptyRows(2499)}${openRow(openCell('7'))}</table:table>`)],
  ])('of which the only cells lie far below, and the notes lead to them (%s)', async (_kind, bytes) => {
    expect(await shown(readSheet, bytes)).toBe(
      '## S (2,500 rows)\n\n[Rows 1-1,000 of 2,500 are shown. rows="1001-2000" shows the next.]',
    );
    expect(await shown(readSheet, bytes, { rows: '2001-' })).toContain('| 2500 | 7 |');
  });

  test.each([
    [{ columns: 'A-D' }, '|  | C | D |\n| --- | --- | --- |\n| 3 | 3 | 4 |'],
    [
      { columns: 'B-C' },
      '[Columns C-C of D are shown. columns="D-D" shows the next.]\n\n|  | C |\n| --- | --- |\n| 3 | 3 |',
    ],
    [{ columns: 'A' }, '[Columns A-A of D are shown. columns="B-D" shows the next.]'],
    [{ columns: 'A-B' }, '[Columns A-B of D are shown. columns="C-D" shows the next.]'],
    [{ rows: '1-2' }, '[Rows 1-2 of 3 are shown. rows="3-3" shows the next.]'],
  ])('that does not begin in its first cell, in the part %j', async (part, body) => {
    const cells = `<row r="3">${numberCell('C3', 3)}${numberCell('D3', 4)}</row>`;
    expect(await shown(readSheet, setBook('', `<sheetData>${cells}</sheetData>`), part)).toBe(
      `## S (1 row × 2 columns)\n\n${body}`,
    );
  });

  const numbers = Array.from({ length: 601 }, (_, at) => at + 900);
  test.each([
    [
      'xlsx',
      setBook(
        '',
        `<sheetData>${numbers.map((at) => `<row r="${at}">${numberCell(`A${at}`, at)}</row>`).join('')}</sheetData>`,
      ),
    ],
    [
      'ods',
      openSheet(
        `<table:table table:name="S">${emptyRows(899)}${numbers.map((at) => openRow(openCell(String(at)))).join('')}</table:table>`,
      ),
    ],
  ])('that begins far below, and a note tells how far it was read (%s)', async (_kind, bytes) => {
    const markdown = await shown(readSheet, bytes);
    const [, next = ''] =
      /^\[Rows 900-[\d,]+ of 1,500 are shown\. rows="([\d-]+)" shows the next\.\]$/m.exec(markdown) ?? [];
    const both = `${markdown}\n${await shown(readSheet, bytes, { rows: next })}`;
    expect(Array.from(both.matchAll(/^\| (\d+) \|/gm), ([, row]) => Number(row))).toEqual(numbers);
  });

  test('whose formulas have no value and stand once for all rows, to the last of them', async () => {
    const rows = Array.from(
      { length: 2999 },
      (_, at) => `<row r="${at + 2}"><c r="B${at + 2}"><f t="shared" si="0"/></c></row>`,
    );
    const first = '<c r="B1"><f t="shared" ref="B1:B3000" si="0">A1*2</f></c>';
    const bytes = setBook('', `<sheetData><row r="1">${numberCell('A1', 1)}${first}</row>${rows.join('')}</sheetData>`);
    expect(await shown(readSheet, bytes)).toContain(
      '[Rows 1-1,000 of 3,000 are shown. rows="1001-2000" shows the next.]',
    );
    expect(await shown(readSheet, bytes, { rows: '3000' })).toContain('| 3000 |  | =A3000*2 |');
  });

  const emptied = Array.from({ length: 3000 }, (_, at) => at);
  const emptiedRows = emptied.map(
    (at) => `<row r="${at + 1}"><c r="B${at + 1}" t="str"><f>IF(1,"")</f><v></v></c></row>`,
  );
  const emptiedXlsb = (): Buffer => {
    const book = workbook('xlsb', (one) => xlsx.utils.book_append_sheet(one, xlsx.utils.aoa_to_sheet([['x']]), 'S'));
    const row = (at: number): Buffer => brt(0, long(at, 0), short(300), Buffer.from([0, 0]), Buffer.alloc(5));
    const formula = brt(8, long(1, 0, 0), short(0), long(3), Buffer.from([0x17, 0, 0]), long(0));
    return archive({
      ...partsOf(book),
      'xl/worksheets/sheet1.bin': Buffer.concat([
        brt(129),
        brt(145),
        ...emptied.flatMap((at) => [row(at), formula, ...(at === 0 ? [brt(2, long(2, 0, (1 << 2) | 2))] : [])]),
        brt(146),
        brt(130),
      ]),
    });
  };
  const emptiedXls = (): Buffer => {
    const result = Buffer.from([3, 0, 0, 0, 0, 0, 0xff, 0xff]);
    const formula = (at: number): Buffer =>
      biff(0x06, short(at, 1, 0), result, short(0, 0, 0, 3), Buffer.from([0x17, 0, 0]));
    return biffBook([], [[0x10, ...emptied.map(formula), biff(0x27e, short(0, 2, 0), packed(1))]]);
  };

  test.each([
    [
      'xlsx',
      setBook('', `<sheetData>${emptiedRows.join('').replace('</c>', `</c>${numberCell('C1', 1)}`)}</sheetData>`),
    ],
    ['xlsb', emptiedXlsb()],
    ['xls', emptiedXls()],
  ])('that ends where its words do, though formulas below give none (%s)', async (_kind, bytes) => {
    expect(await shown(readSheet, bytes)).toMatch(
      /^## S1? \(1 row × 1 column\)\n\n\|  \| C \|\n\| --- \| --- \|\n\| 1 \| 1 \|/,
    );
    expect(await shown(readSheet, bytes, { formulas: true })).toMatch(
      /^## S1? \(3,000 rows × 2 columns\)\n\n\[Rows 1-1,000 of 3,000 are shown\./,
    );
  });

  test('without a number where a formula for several cells was not computed', async () => {
    const several = '<row r="1"><c r="A1"><f t="array" ref="A1:A2">{1;2}</f></c></row><row r="2"><c r="A2"/></row>';
    const markdown = await shown(readSheet, setBook('', `<sheetData>${several}</sheetData>`));
    expect(markdown).toBe('## S (1 row × 1 column)\n\n|  | A |\n| --- | --- |\n| 1 | ={1;2} |');
  });

  test('with many links over whole columns, at once', async () => {
    const links = '<hyperlink ref="A1:B1048576" location="S!A1"/>'.repeat(5000);
    const bytes = setBook(
      '',
      `<sheetData><row r="1">${numberCell('A1', 1)}</row></sheetData><hyperlinks>${links}</hyperlinks>`,
    );
    expect(await cpuMs(() => shown(readSheet, bytes))).toBeLessThan(2000);
  });

  test('with much white space behind a formula, at once', async () => {
    const formula = `<f>A1</f>${' '.repeat(300_000)}<v>1</v>`;
    const bytes = setBook('', `<sheetData><row r="1"><c r="B1">${formula}</c></row></sheetData>`);
    expect(await cpuMs(() => shown(readSheet, bytes))).toBeLessThan(2000);
  });

  test('with the formula instead of a zero that stands for words which nobody computed', async () => {
    const bytes = workbook('xlsx', (book) => {
      const sheet = xlsx.utils.aoa_to_sheet([
        ['w', 0, 0],
        [0, 0, 0],
      ]);
      for (const [cell, f] of Object.entries({ B1: 'A1', C1: 'B1', A2: '"no"', B2: 'A1&"x"', C2: 'LEN(A1&"x")-2' }))
        Object.assign(sheet[cell] as object, { t: 'n', v: 0, f });
      xlsx.utils.book_append_sheet(book, sheet, 'S');
    });
    expect(await shown(readSheet, bytes)).toContain('| 1 | w | =A1 | 0 |\n| 2 | ="no" | =A1&"x" | 0 |');
  });

  test('of which one can be asked for, with its formulas; blank rows show in the numbers', async () => {
    const bytes = workbook('xlsx', (book) => {
      const sheet = xlsx.utils.aoa_to_sheet([['net', 100], [], [], ['gross', 119]]);
      Object.assign(sheet['B4'] as object, { f: 'B1*1.19' });
      xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([['other']]), 'First');
      xlsx.utils.book_append_sheet(book, sheet, 'Sums');
    });
    const head = '## Sums (4 rows × 2 columns)\n\n|  | A | B |\n| --- | --- | --- |\n| 1 | net | 100 |\n';
    expect(await shown(readSheet, bytes, { sheet: '2' })).toBe(
      `${head}| 4 | gross | 119 |\n\n[1 value comes from a formula; formulas=true shows them.]`,
    );
    expect(await shown(readSheet, bytes, { sheet: 'sums', formulas: true })).toBe(
      `${head}| 4 | gross | 119 {=B1*1.19} |`,
    );
    expect(await shown(readSheet, bytes, { sheet: 'Sum' })).toBe('refused: bad-range');
  });

  test.each<[what: string, written: (styles: string) => string | Buffer]>([
    ['in single quotes', (styles) => styles.replaceAll('"', "'").replaceAll('&quot;', '"')],
    ['with a format that is commented out', (styles) => styles.replace(/<xf [^>]*>/g, '<!-- $& -->$&')],
    ['as UTF-16', (styles) => Buffer.from(`\uFEFF${styles.replace('UTF-8', 'UTF-16')}`, 'utf16le')],
    ['with formats that say more', (styles) => styles.replaceAll('<xf ', '<xf note="a > b"\n')],
  ])('whose formats are written %s', async (_what, written) => {
    const parts = partsOf(budget('xlsx'));
    const styles = written(Buffer.from(parts['xl/styles.xml'] ?? []).toString());
    const row = '| 2 | Rent | 01.01.2024 | 25% | $1,234.50 |';
    expect(await shown(readSheet, archive({ ...parts, 'xl/styles.xml': styles }))).toContain(row);
  });

  test.each(['xlsx', 'biff8', 'xlsb'] as const)(
    'with what went wrong in a formula by its name, from %s',
    async (kind) => {
      const bytes = workbook(kind, (book) => {
        const sheet = xlsx.utils.aoa_to_sheet([[0, 0, 0, 0, 0]]);
        for (const [at, code] of [0x0f, 0x17, 0x1d, 0x07, 0x2a].entries())
          sheet[xlsx.utils.encode_cell({ r: 0, c: at })] = { t: 'e', v: code };
        xlsx.utils.book_append_sheet(book, sheet, 'Wrong');
      });
      expect(await shown(readSheet, bytes)).toContain('| 1 | #VALUE! | #REF! | #NAME? | #DIV/0! | #N/A |');
    },
  );

  test.each(['xlsx', 'xlsb'] as const)(
    'with its comments and conversations as they were written, from %s',
    async (kind) => {
      const bytes = workbook(kind, (book) => {
        const sheet = xlsx.utils.aoa_to_sheet([['a'], ['b']]);
        Object.assign(sheet['A1'] as object, { c: [{ a: 'Zoë', t: 'für 5 €?' }] });
        // The library writes the words of a conversation without escaping them.
        const said = [
          { a: 'Žofie', t: 'Größe &lt; 5 ✓ &amp; mehr', T: true },
          { a: 'Bob', t: 'Café', T: true },
        ];
        Object.assign(sheet['A2'] as object, { c: said });
        xlsx.utils.book_append_sheet(book, sheet, 'S');
      });
      expect(await shown(readSheet, bytes)).toContain(
        '- A1 (Zoë): für 5 €?\n- A2 (Žofie): Größe < 5 ✓ & mehr\n- A2 (Bob): Café',
      );
    },
  );

  test('with charts that keep no numbers of their own by those of the cells, with days as days and no digits of the computer', async () => {
    const bytes = archive({
      ...partsOf(budget('xlsx')),
      'xl/worksheets/_rels/sheet1.xml.rels': relations(['rId1', 'drawing', '../drawings/drawing1.xml']),
      'xl/drawings/drawing1.xml': `<xdr:wsDr xmlns:xdr="x" xmlns:c="c" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${['a', 'b', 'c'].map((id) => anchor(1, `<c:chart r:id="${id}"/>`)).join('')}</xdr:wsDr>`,
      'xl/drawings/_rels/drawing1.xml.rels': relations(
        ['a', 'chart', '../charts/chart1.xml'],
        ['b', 'chart', '../charts/chart2.xml'],
        ['c', 'chart', '../charts/chart3.xml'],
      ),
      'xl/charts/chart1.xml': barChart(
        chartSeries(namedCells('Budget!$D$1'), namedCells("'Budget'!$A$2:$A$3"), namedCells('Budget!$D$2:$D$3')),
      ),
      'xl/charts/chart3.xml': barChart(
        chartSeries(keptPoint('General', 'Both'), namedCells('Budget!$A$2:$B$3'), namedCells('Budget!$D$2:$D$3')),
      ),
      'xl/charts/chart2.xml': barChart(
        chartSeries(
          namedCells('Gone!$A$1'),
          keptPoint('d\\.m\\.yy', '45292'),
          keptPoint('0.0%', '0.16400000000000001'),
        ),
      ),
    });
    const words = await shown(readSheet, bytes);
    expect(words).toContain('|  | Price |\n| --- | --- |\n| Rent | $1,234.50 |\n| Fun \\| games | $20.00 |');
    expect(words).toContain('|  | Series 1 |\n| --- | --- |\n| 1.1.24 | 0.164 |');
    expect(words).toContain('| Rent / 01.01.2024 | $1,234.50 |\n| Fun \\| games / 02.01.2024 | $20.00 |');
  });

  test('of OpenDocument with charts, pictures and words of shapes at their cells, in which they are no words', async () => {
    const cells = [
      drawnCell(
        '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame>',
      ),
      drawnCell('<draw:frame><draw:image xlink:href="Pictures/a.png"/><svg:desc>A stamp</svg:desc></draw:frame>'),
      drawnCell('<draw:custom-shape><text:p>Mind</text:p><text:p>this</text:p></draw:custom-shape>'),
    ];
    const chart =
      '<o xmlns:chart="c" xmlns:table="t" xmlns:office="o" xmlns:text="x"><chart:chart chart:class="chart:circle"><chart:title><text:p>Costs</text:p></chart:title><chart:plot-area/><table:table><table:table-row><table:table-cell/><table:table-cell><text:p>Price</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Rent</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="0.16400000000000001"><text:p>0.16400000000000001</text:p></table:table-cell></table:table-row></table:table></chart:chart></o>';
    const bytes = openSheet(`<table:table table:name="T">${openRow(cells.join(''))}</table:table>`, '', '', {
      'Object 1/content.xml': chart,
      'Pictures/a.png': Buffer.from('iVBORw0KGgo=', 'base64'),
    });
    const { markdown, pictures } = await extracted(readSheet, bytes, { pictures: true });
    expect(markdown).toBe(
      '## T (1 row × 3 columns)\n\n|  | A | B | C |\n| --- | --- | --- | --- |\n| 1 | own | own | own |\n\nAt A1: [pie chart: Costs]\n\n|  | Price |\n| --- | --- |\n| Rent | 0.164 |\n\nAt B1: ![A stamp](a.png)\n\nAt C1: Mind\nthis',
    );
    expect(pictures.map(({ name }) => name)).toEqual(['a.png']);
  });

  test('with charts and pictures at the cells where they begin', async () => {
    const parts = partsOf(budget('xlsx'));
    const drawing = `<xdr:wsDr xmlns:xdr="x" xmlns:a="a" xmlns:c="c" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${anchor(1, '<xdr:graphicFrame><c:chart r:id="rId1"/></xdr:graphicFrame>')}${anchor(9, '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="p" descr="a stamp"/></xdr:nvPicPr><a:blip r:embed="rId2"/></xdr:pic>')}</xdr:wsDr>`;
    const chart = `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><a:t>Costs</a:t></c:title><c:plotArea><c:barChart><c:ser><c:tx>${point(0, 'Price')}</c:tx><c:cat>${point(0, 'Rent')}</c:cat><c:val>${point(0, '1234.5')}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
    const bytes = archive({
      ...parts,
      'xl/worksheets/_rels/sheet1.xml.rels': relations(['rId1', 'drawing', '../drawings/drawing1.xml']),
      'xl/drawings/drawing1.xml': drawing,
      'xl/drawings/_rels/drawing1.xml.rels': relations(
        ['rId1', 'chart', '../charts/chart1.xml'],
        ['rId2', 'image', '../media/image1.png'],
      ),
      'xl/charts/chart1.xml': chart,
      'xl/media/image1.png': Buffer.from('iVBORw0KGgo=', 'base64'),
    });
    const { markdown, pictures } = await extracted(readSheet, bytes, { pictures: true });
    expect(markdown).toContain('At F2: [bar chart: Costs]\n\n|  | Price |\n| --- | --- |\n| Rent | 1234.5 |');
    expect(markdown).toContain('At F10: ![a stamp](image1.png)\n\n## Nothing');
    expect(pictures.map(({ name }) => name)).toEqual(['image1.png']);
  });

  test('with the words of boxes in their paragraphs, with diagrams, and without boxes that only older programs show', async () => {
    const excuse = drawnBox(drawnLine('This shape represents a slicer. Slicers are supported in Excel 2010 or later.'));
    const anchors = [
      drawnBox(`${drawnLine('First')}<a:p/><a:p><a:r><a:t>second</a:t></a:r><a:br/><a:r><a:t>line</a:t></a:r></a:p>`),
      either('<xdr:graphicFrame><sle:slicer name="Region"/></xdr:graphicFrame>', excuse),
      either('<xdr:graphicFrame><cx:chart r:id="c"/></xdr:graphicFrame>', excuse),
      either('<xdr14:contentPart/>', '<xdr:pic><a:blip r:embed="i"/></xdr:pic>'),
      '<xdr:graphicFrame><dgm:relIds r:dm="d"/></xdr:graphicFrame>',
    ];
    const bytes = archive({
      ...partsOf(budget('xlsx')),
      'xl/worksheets/_rels/sheet1.xml.rels': relations(['rId1', 'drawing', '../drawings/drawing1.xml']),
      'xl/drawings/drawing1.xml': `<xdr:wsDr xmlns:xdr="x" xmlns:a="a" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${anchors.map((one, at) => anchor(at, one)).join('')}</xdr:wsDr>`,
      'xl/drawings/_rels/drawing1.xml.rels': relations(
        ['c', 'chartEx', '../charts/chartEx1.xml'],
        ['d', 'diagramData', '../diagrams/data1.xml'],
        ['i', 'image', '../media/ink.png'],
      ),
      'xl/charts/chartEx1.xml':
        '<cx:chartSpace><cx:chart><cx:title><a:t>Cash</a:t></cx:title></cx:chart></cx:chartSpace>',
      'xl/diagrams/data1.xml': `<dgm:dataModel><dgm:pt modelId="1"><dgm:t>${drawnLine('Plan')}</dgm:t></dgm:pt></dgm:dataModel>`,
      'xl/media/ink.png': Buffer.from('iVBORw0KGgo=', 'base64'),
    });
    expect(await shown(readSheet, bytes)).toContain(
      'At F1: First\nsecond\nline\n\nAt F3: [chart: Cash]\n\nAt F4: ![](ink.png)\n\nAt F5: - Plan\n\n## Nothing',
    );
  });

  test('with letters that are written as numbers, and a link over all of its cells', async () => {
    const parts = partsOf(budget('xlsx'));
    const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>&#128512; &#x1F600; &#252;</t></is></c></row></sheetData><hyperlinks><hyperlink ref="A1:XFD1048576" r:id="l"/></hyperlinks></worksheet>`;
    const bytes = archive({
      ...parts,
      'xl/worksheets/sheet1.xml': sheet,
      'xl/worksheets/_rels/sheet1.xml.rels': relations(['l', 'hyperlink', 'https://x.org/', true]),
    });
    expect(await shown(readSheet, bytes, { sheet: '1' })).toContain('| 1 | [😀 😀 ü](https://x.org/) |');
  });

  test('with the names of those who commented as they are called', async () => {
    const bytes = workbook('xlsx', (book) => {
      const sheet = xlsx.utils.aoa_to_sheet([['a'], ['b'], ['c']]);
      Object.assign(sheet['A1'] as object, { c: [{ a: 'Smith & Sons', t: 'Sure?' }] });
      Object.assign(sheet['A3'] as object, { c: [{ a: ' ', t: 'Nobody.' }] });
      Object.assign(sheet['A2'] as object, { c: [{ a: 'Ann & Bob', t: 'x &amp; y', T: true }] });
      xlsx.utils.book_append_sheet(book, sheet, 'S');
    });
    expect(await shown(readSheet, bytes)).toContain(
      '- A1 (Smith & Sons): Sure?\n- A2 (Ann & Bob): x & y\n- A3: Nobody.',
    );
  });

  test('of OpenDocument whose cells keep a value without the words for it', async () => {
    const stored = [
      'office:value-type="float" office:value="42.5"',
      'office:value-type="date" office:date-value="2024-01-31"',
      'office:value-type="boolean" office:boolean-value="true"',
      'office:value-type="string" office:string-value="said"',
      'table:formula="of:=[.A1]*2" office:value-type="float" office:value="85"',
    ].map((attributes) => `<table:table-cell ${attributes}/>`);
    const shownEmpty = openCell('', 'office:value-type="float" office:value="0"');
    const bytes = openSheet(`<table:table table:name="T">${openRow([...stored, shownEmpty].join(''))}</table:table>`);
    expect(await shown(readSheet, bytes)).toContain('| 1 | 42.5 | 2024-01-31 | TRUE | said | 85 |\n');
  });

  test('of an OpenDocument file keep raised and lowered words', async () => {
    const styles = ['super 58%', 'sub 58%', '0% 100%']
      .map(
        (position, at) =>
          `<style:style style:name="s${at}"><style:text-properties style:text-position="${position}"/></style:style>`,
      )
      .join('');
    const words = `10${openSpan(0, '5')} CFU/m${openSpan(0, '2')} H${openSpan(1, '2')}O ${openSpan(2, '7')}`;
    const note = `<office:annotation><text:p>x${openSpan(0, '3')}</text:p></office:annotation>`;
    const bytes = openSheet(
      `<table:table table:name="L">${openRow(openCell(`${words}${note}`))}</table:table>`,
      styles,
    );
    expect(await shown(readSheet, bytes)).toContain('| 1 | 10^5 CFU/m² H₂O 7 |');
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
    const parts = partsOf(budget('xlsx'));
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
