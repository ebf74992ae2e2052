// What a person sees of a number under a format. The expectations are what Excel and LibreOffice show; where these two differ
// (days before March 1900, months in other languages, seconds that are rounded or cut) they are Excel's.
import * as xlsx from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { readSheet } from '../../src/media/sheet/read.ts';
import { archive, relations } from './archive.ts';
import { shown } from './document.ts';

type Row = readonly [format: string, ...pairs: readonly (readonly [value: number, words: string])[]];

const rows: readonly Row[] = [
  // half a cent goes up, however the computer stores it, and away from zero
  [
    '0.00',
    [1.005, '1.01'],
    [2.675, '2.68'],
    [-1.005, '-1.01'],
    [0.004, '0.00'],
    [-0.004, '0.00'],
    [1e20, `1${'0'.repeat(20)}.00`],
  ],
  ['#,##0.00', [1.005, '1.01'], [2.675, '2.68'], [-1_234_567.891, '-1,234,567.89'], [999.995, '1,000.00']],
  ['0', [-0.5, '-1'], [-1234.5, '-1235'], [1234.5, '1235'], [0.49, '0']],
  ['0%', [1.005, '101%'], [-0.125, '-13%'], [1e20, `1${'0'.repeat(22)}%`]],
  ['0.000000000', [1e-7, '0.000000100']],
  [
    'General',
    [12_345_678_901_234, '12345678901234'],
    [726_411_367.89, '726411367.89'],
    [0.1 + 0.2, '0.3'],
    [1 / 3, '0.333333333'],
  ],
  ['@', [12_345_678_901_234, '12345678901234']],
  // thousands left out
  ['0,', [1_234_567, '1235'], [-1500, '-2']],
  ['#,##0.0,,"M"', [1_234_567_891, '1,234.6M'], [-12, '0.0M']],
  // sections, with and without conditions: no sign is lost
  ['"$"#,##0.00;[Red]("$"#,##0.00)', [-1234.5, '($1,234.50)'], [2.675, '$2.68']],
  ['_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', [-5, '$(5.00)'], [0, '$-']],
  ['[Red][<100]0;[Blue][>=100]0.0', [-1, '-1'], [250, '250.0'], [99, '99']],
  ['[>=1000000]0.0,,"M";[>=1000]0.0,"k";0', [2_500_000, '2.5M'], [1500, '1.5k'], [-7, '-7']],
  ['[<0]"below "0.0;[=0]"zero";0.0', [-2, 'below 2.0'], [0, 'zero'], [2, '2.0']],
  ['0;-0;"nil"', [0, 'nil'], [-3, '-3']],
  ['[Green]General;[Red]-General;General', [-1.5, '-1.5']],
  // places with words between them: no digit is lost either
  ['00000-0000', [-1_234_567, '-00123-4567'], [12_345_678_901, '1234567-8901']],
  ['(000) 000-0000', [5_551_234, '(000) 555-1234']],
  ['00.00', [1.5, '01.50']],
  ['#,#', [1234.5, '1,235']],
  ['#.##', [0.5, '.5'], [100, '100']],
  ['0.???', [12.3456, '12.346']],
  // units, with quotes and without, and signs that only look like a currency
  ['0‰', [12.4, '12‰']],
  ['▲0;▼0', [3, '▲3'], [-3, '▼3']],
  ['General" kg"', [-1.5, '-1.5 kg']],
  ['[$-2000000]0', [123, '123']],
  ['#,##0.00 [$€-407]', [1234.5, '1,234.50 €']],
  ['0*-', [7, '7']],
  ['# "of" 100', [12, '12 of 100']],
  // powers
  ['0.00E+00', [1.005, '1.01E+00'], [-1234.5, '-1.23E+03'], [0, '0.00E+00']],
  ['0E+0', [45_123, '5E+4'], [1, '1E+0']],
  ['##0.0E+0', [999.995, '1.0E+3'], [45_123, '45.1E+3'], [1e-7, '100.0E-9']],
  ['0.00e+00', [-1, '-1.00e+00']],
  // fractions, the nearest there is
  ['# ?/?', [0.3, '2/7'], [12.3456, '12 1/3'], [-1.5, '-1 1/2'], [0, '0'], [0.99, '1']],
  ['# ??/??', [Math.PI, '3 14/99'], [0.25, '1/4']],
  ['# ?/8', [0, '0'], [2.5, '2 4/8'], [0.01, '0']],
  ['?/?', [1.5, '3/2']],
  // days and times
  ['dd.mm.yyyy', [45_123, '16.07.2023'], [60, '29.02.1900'], [-3, '-3'], [3_000_000, '3000000']],
  ['m/d/yy', [45_123, '2023-07-16']],
  ['yyyy-mm-ddThh:mm:ss', [45_123.75, '2023-07-16T18:00:00'], [45_123.999_999_99, '2023-07-17T00:00:00']],
  ['h:mm:ss AM/PM', [0.999_999_99, '12:00:00 AM'], [0.5, '12:00:00 PM'], [0.75, '6:00:00 PM']],
  ['[h]:mm', [1.5, '36:00'], [-0.5, '-12:00']],
  ['[mm]:ss', [0.5, '720:00']],
  ['mm:ss.0', [0.000_123_4, '00:10.7']],
  ['hh:mm:ss.000', [0.123_456_789, '02:57:46.667']],
  ['d mmm yy, dddd', [45_123, '16 Jul 23, Sunday']],
  ['[$-411]ggge"年"m"月"d"日"', [45_123, '2023年7月16日']],
];

async function seen(row: Row, since1904 = false): Promise<string[]> {
  const [format, ...pairs] = row;
  const book = xlsx.utils.book_new();
  const sheet = xlsx.utils.aoa_to_sheet(pairs.map(([value]) => [value]));
  for (const at of pairs.keys()) Object.assign(sheet[`A${at + 1}`] as object, { z: format });
  xlsx.utils.book_append_sheet(book, sheet, 'S');
  book.Workbook = { WBProps: { date1904: since1904 } };
  const bytes = Buffer.from(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array);
  const lines = (await shown(readSheet, bytes)).split('\n').filter((line) => /^\| \d/.test(line));
  return lines.map((line) => line.split('|')[2]?.trim() ?? '');
}

describe('a number is shown as its format says', () => {
  for (const row of rows) {
    test(row[0], async () => {
      const [, ...pairs] = row;
      expect(await seen(row)).toEqual(pairs.map(([, words]) => words));
    });
  }

  test('and days are counted from 1904 where the workbook says so', async () => {
    expect(await seen(['dd.mm.yyyy', [43_661, ''], [0, '']], true)).toEqual(['16.07.2023', '01.01.1904']);
    expect(await seen(['m/d/yy', [43_661, '']], true)).toEqual(['2023-07-16']);
  });

  test('and one that is known by its number alone is followed from its first cell on', async () => {
    const names = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
    const bytes = archive({
      '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
      '_rels/.rels': relations(['a', 'officeDocument', 'xl/workbook.xml']),
      'xl/workbook.xml': `<workbook ${names} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relations(
        ['a', 'worksheet', 'worksheets/sheet1.xml'],
        ['b', 'styles', 'styles.xml'],
      ),
      'xl/styles.xml': `<styleSheet ${names}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="55" applyNumberFormat="1"/></cellXfs></styleSheet>`,
      'xl/worksheets/sheet1.xml': `<worksheet ${names}><sheetData><row r="1"><c r="A1" s="1"><v>45123</v></c><c r="B1" s="1"><v>45124</v></c></row></sheetData></worksheet>`,
    });
    expect(await shown(readSheet, bytes)).toContain('| 1 | 2023-07-16 | 2023-07-17 |');
  });
});
