import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readSheet } from '../../src/media/sheet/read.ts';
import { oldMarks } from '../../src/media/sheet/xls-marks.ts';
import { cpuMs } from '../cpu.ts';
import { biff, biffBegin, biffBook, long, short } from './biff.ts';
import { extracted, shown, survives } from './document.ts';

/** Written by LibreOffice: charts without values of their own, a box of words, a picture. */
const charts = readFileSync(new URL('../fixtures/old-office/charts.xls', import.meta.url));

const orders = '|  | Orders |\n| --- | --- |\n| January | 120 |\n| February | 90 |\n| March | 214 |';

const within = (...records: Buffer[]): Buffer => Buffer.concat([biff(0x1033), ...records, biff(0x1034)]);
const number = (point: number, series: number, value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return biff(0x203, short(point, series, 0), bytes);
};
const label = (point: number, series: number, words: string): Buffer =>
  biff(0x204, short(point, series, 0, words.length), Buffer.from([1]), Buffer.from(words, 'utf16le'));
const words = (text: string): Buffer => biff(0x100d, short(0), Buffer.from([text.length, 0]), Buffer.from(text));
const link = (of: number, ...formula: number[]): Buffer =>
  biff(0x1051, Buffer.from([of, formula.length > 0 ? 2 : 0]), short(0, 0, formula.length), Buffer.from(formula));
const series = (...inside: Buffer[]): Buffer => Buffer.concat([biff(0x1003, Buffer.alloc(12)), within(...inside)]);
const title = (of: number, text: string): Buffer =>
  Buffer.concat([biff(0x1025, Buffer.alloc(32)), within(link(0), words(text), biff(0x1027, short(of, 0, 0)))]);
const chart = (...inside: Buffer[]): Buffer[] => [biff(0x1002, Buffer.alloc(16)), within(...inside)];

/** As Excel keeps the values of what it drew: each with the number of its point and of its series. */
const keptChart = chart(
  series(link(0), words('Won'), link(1), link(2)),
  series(link(0), words('Lost'), link(1), link(2)),
  series(link(0), words('Trend'), biff(0x104a, short(1))),
  biff(0x1014, Buffer.alloc(20)),
  within(biff(0x1018, Buffer.alloc(2))),
  title(1, 'Games'),
  title(2, 'Count'),
);
const keptValues = [
  biff(0x1065, short(1)),
  number(0, 0, 3),
  number(2, 0, 0.1 + 0.2),
  number(0, 1, -7),
  number(0, 9, 5),
  biff(0x1065, short(2)),
  label(0, 0, 'May'),
  label(2, 0, 'July'),
];
const keptTable =
  '[line chart: Games; values: Count]\n\n|  | Won | Lost |\n| --- | --- | --- |\n| May | 3 | -7 |\n| July | 0.3 |  |';

const object = (kind: number, ...more: Buffer[]): Buffer =>
  biff(0x5d, short(0x15, 18, kind), Buffer.alloc(16), ...more, long(0));
const text = (said: string): Buffer =>
  Buffer.concat([
    biff(0x1b6, short(0, 0, 0, 0, 0, said.length, 16, 0, 0)),
    biff(0x3c, Buffer.from([0]), Buffer.from(said)),
    biff(0x3c, Buffer.alloc(16)),
  ]);
const anchor = (row: number): Buffer =>
  biff(0xec, short(0x0f, 0xf004), long(26), short(0, 0xf010), long(18), short(2, 3, 0, row, 0, 4, 0, row, 0));
const state = (on: number): Buffer => short(0x12, 8, on, 0, 0, 0);

describe('an old workbook', () => {
  test('has the charts, pictures and boxes of its sheets, as a new one has them', async () => {
    const { markdown, pictures } = await extracted(readSheet, charts, { name: 'charts.xls', pictures: true });
    expect(markdown).toContain(
      '| 4 | March | 214 | 0 | 4 | -7 |\n\nAt B6: [bar chart: Orders & returns; values: Pieces]\n\n| Month | Orders | Returns |\n| --- | --- | --- |\n| January | 120 | -4 |\n| February | 90 | 7.25 |\n| March | 214 | 0 |',
    );
    expect(markdown).toContain(
      'At B21: [scatter chart: values: Degrees]\n\n| Hours | Degrees |\n| --- | --- |\n| 1 | 5.5 |',
    );
    expect(markdown).toContain(`At B36: [pie chart: Shares]\n\n${orders}\n\nAt I3: Mind the returns`);
    expect(markdown).toContain('At K3: ![](picture-1.png)');
    expect(pictures.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('latin1', 1, 4)])).toEqual([
      ['picture-1.png', 'PNG'],
    ]);
    for (const [place, kind] of [
      ['B6', 'line chart: Way'],
      ['B21', 'area chart: Room'],
      ['B36', 'doughnut chart: Ring'],
      ['B51', 'radar chart: Net'],
    ])
      expect(markdown).toContain(`At ${place}: [${kind}]\n\n${orders}`);
    await survives(readSheet, charts, 100, 'charts.xls');
  });

  test('has the values that a chart keeps itself, on a sheet of its own too', async () => {
    const cell = biff(0x203, short(0, 0, 0), Buffer.alloc(8));
    const book = biffBook(
      [],
      [
        [
          0x10,
          cell,
          biff(0x5d, short(0x15, 18, 5), Buffer.alloc(16)),
          biffBegin(0x20),
          ...keptChart,
          ...keptValues,
          biff(0x0a),
        ],
        [0x20, ...keptChart, ...keptValues],
      ],
    );
    expect(await shown(readSheet, book)).toBe(
      `## S1 (1 row × 1 column)\n\n|  | A |\n| --- | --- |\n| 1 | 0 |\n\nAt no cell: ${keptTable}\n\n## S2 (chart)\n\nAt no cell: ${keptTable}`,
    );
    await survives(readSheet, book, 60, 'kept.xls');
  });

  test('has boxes and choices with their state, and no comment twice', async () => {
    const book = biffBook(
      [],
      [
        [
          0x10,
          anchor(1),
          object(0x0b, state(1)),
          text('Insured'),
          anchor(2),
          object(0x0b, state(0)),
          text('Abroad'),
          anchor(3),
          object(0x0c, state(1)),
          text('Yearly'),
          anchor(4),
          object(0x19),
          text('A comment'),
        ],
      ],
    );
    expect(await shown(readSheet, book)).toBe(
      '## S1 (empty)\n\nAt D2: [x] Insured\n\nAt D3: [ ] Abroad\n\nAt D4: [x] Yearly',
    );
  });

  test('does not look for what is hidden or drawn in sealed bytes', () => {
    const hidden = biff(0x208, short(1, 0, 3, 0, 0, 0, 0x20, 0));
    const sealed = biffBook([biff(0x2f, short(0, 1, 2))], [[0x10, hidden]]);
    expect(oldMarks(biffBook([], [[0x10, hidden]]), false)?.('S1', 0)?.hidden.rows).toEqual([{ from: 1, to: 1 }]);
    expect(oldMarks(sealed, false)).toBeUndefined();
  });

  test('whose charts name all cells again and again is read in little time', async () => {
    const all = [0x3b, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0];
    const many = Array.from({ length: 255 }, () => series(link(1, ...all), link(2, ...all)));
    const one = [biffBegin(0x20), ...chart(...many), biff(0x0a)];
    const cells = Array.from({ length: 9000 }, (_, row) => number(row, 0, row));
    const globals = [biff(0x1ae, short(1, 0x0401)), biff(0x17, short(1, 0, 0, 0))];
    const book = biffBook(globals, [[0x10, ...cells, ...Array.from({ length: 60 }, () => one).flat()]]);
    const took = await cpuMs(async () => {
      expect(await shown(readSheet, book)).toContain('At no cell: [chart]');
    });
    expect(took).toBeLessThan(10_000);
  });
});
