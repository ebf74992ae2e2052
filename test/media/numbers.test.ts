// Numbers are what people act on: several hundred of them in sheets, tables, formulas and invoices, none of which may change.
import * as xlsx from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { readDocx } from '../../src/media/office/docx.ts';
import { readCsv } from '../../src/media/sheet/csv.ts';
import { readSheet } from '../../src/media/sheet/read.ts';
import { readHtml } from '../../src/media/web/html.ts';
import { docx } from './archive.ts';
import { shown } from './document.ts';

/** Numbers of many shapes, the same in every run. */
const numbers = Array.from({ length: 120 }, (_, at) => {
  const value = (((at + 1) * 7_919 * 104_729) % 99_999_989) / 10 ** (at % 5);
  return at % 3 === 0 ? -value : value;
});

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const up = (text: string): string => `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>${text}</w:t></w:r>`;
const run = (value: number): string => `<m:r><m:t>${value}</m:t></m:r>`;
const cell = (inside: string): string => `<w:tc><w:p>${inside}</w:p></w:tc>`;
const plain = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const tableRow = (...inside: string[]): string => `<w:tr>${inside.map(cell).join('')}</w:tr>`;

describe('numbers stay what they are', () => {
  test('in a workbook, each at its address', async () => {
    const book = xlsx.utils.book_new();
    const rows = Array.from({ length: 12 }, (_, row) => numbers.slice(row * 10, row * 10 + 10));
    xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), 'N');
    const bytes = Buffer.from(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array);
    const lines = (await shown(readSheet, bytes)).split('\n').filter((line) => /^\| \d/.test(line));
    expect(lines.map((line) => cells(line).slice(1).map(Number))).toEqual(rows);
    expect(lines.map((line) => cells(line)[0])).toEqual(rows.map((_, at) => String(at + 1)));
  });

  test('in a table as text', async () => {
    const text = `n\n${numbers.map(String).join('\n')}`;
    const lines = (await shown(readCsv, text, { name: 'a.csv' })).split('\n').slice(2);
    expect(lines.map((line) => cells(line)[0])).toEqual(numbers.map(String));
  });

  test('as powers in Word and on pages', async () => {
    const powers = Array.from({ length: 40 }, (_, at) => [at + 2, (at % 9) - 4] as const);
    const word = docx(
      powers.map(([base, power]) => `<w:p><w:r><w:t>${base}</w:t></w:r>${up(String(power))}</w:p>`).join(''),
    );
    const expected = powers.map(([base, power]) => `${base}^${power}`).join('\n\n');
    expect(await shown(readDocx, word)).toBe(expected);
    const page = powers.map(([base, power]) => `<p>${base}<sup>${power}</sup></p>`).join('');
    expect(await shown(readHtml, page)).toBe(expected);
  });

  test('as fractions in formulas of Word and of pages', async () => {
    const pairs = Array.from({ length: 40 }, (_, at) => [at + 1, at * 3 + 2] as const);
    const word = docx(
      pairs
        .map(
          ([top, below]) =>
            `<w:p><m:oMath><m:f><m:num>${run(top)}</m:num><m:den>${run(below)}</m:den></m:f></m:oMath></w:p>`,
        )
        .join(''),
    );
    const expected = pairs.map(([top, below]) => String.raw`$\frac{${top}}{${below}}$`).join('\n\n');
    expect(await shown(readDocx, word)).toBe(expected);
    const page = pairs
      .map(([top, below]) => `<p><math><mfrac><mn>${top}</mn><mn>${below}</mn></mfrac></math></p>`)
      .join('');
    expect(await shown(readHtml, page)).toBe(expected);
  });

  test('on an invoice with a change that nobody accepted yet', async () => {
    const changed = `<w:del><w:r><w:delText>1,200.00</w:delText></w:r></w:del><w:ins>${plain('1,020.00')}</w:ins>`;
    const invoice = docx(
      `<w:tbl>${tableRow(plain('Item'), plain('Net'))}${tableRow(plain('Design'), changed)}${tableRow(plain('VAT 19 %'), plain('193.80'))}</w:tbl>`,
    );
    expect(await shown(readDocx, invoice)).toContain(
      '| Design | {--1,200.00--}{++1,020.00++} |\n| VAT 19 % | 193.80 |',
    );
    expect(await shown(readDocx, invoice, { clean: true })).toContain('| Design | 1,020.00 |\n| VAT 19 % | 193.80 |');
  });
});
