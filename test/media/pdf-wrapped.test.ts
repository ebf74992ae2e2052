// Tables without upright lines whose cells have several lines, and such whose rows only look so. The file was printed by Chromium.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { read } from '../../src/media/index.ts';
import { cellsIn } from './pdf-kinds.ts';

const printed = readFileSync(new URL('../fixtures/printed/invoices.pdf', import.meta.url));

const head = ['No.', 'Description', 'Qty', 'Price', 'Amount'];
const sum = ['', 'Total', '', '', '3,470.50'];
const gate = 'Consulting on the new harbour gate, including two visits to the site and a written report';
const pump = 'Replacement of the control unit of pump number three with all seals and its test run under load';
const items = (days: string): string[][] => [
  head,
  ['A-100', gate, days, '450.00', '900.00'],
  ['A-101', 'Travel', '1', '120.50', '120.50'],
  ['B-7', pump, '1', '2,310.00', '2,310.00'],
  ['C-1', 'Cleaning', '4', '35.00', '140.00'],
  sum,
];

test.each([
  ['cells that go on below each other', 0, items('2')],
  ['others that stand in the middle beside them, between level lines', 1, items('2')],
  ['several that go on, also behind a hyphen', 2, items('2 days and a half of an evening each')],
  [
    'short lines that end before the edge',
    3,
    [
      head,
      ['1', 'Consulting two visits in May', '2', '450.00', '900.00'],
      ['2', 'Travel by train', '1', '120.50', '120.50'],
      ['3', 'Cleaning', '4', '35.00', '140.00'],
      sum,
    ],
  ],
  [
    'rows with few values',
    4,
    [
      ['Region', 'Town', 'Shops', 'Sales'],
      ['North', 'Kiel', '3', '1,200'],
      ['', 'Flensburg', '', '90'],
      ['', 'Husum', '', ''],
      ['South', 'Munich', '7', '9,100'],
    ],
  ],
  [
    'the same, close to each other in groups',
    5,
    [
      ['Region', 'Town', 'Shops', 'Sales'],
      ['North', 'Kiel', '3', '1,200'],
      ['', 'Lübeck', '2', '800'],
      ['', 'Husum', '', ''],
      ['South', 'Munich', '7', '9,100'],
      ['', 'Passau', '', ''],
      ['West', 'Aachen', '1', '10'],
    ],
  ],
  [
    'groups of rows without a number',
    6,
    [
      ['Team', 'Name', 'Town'],
      ['Red', 'Ann Lee', 'Berlin'],
      ['', 'Bob Ray', 'Bonn'],
      ['Blue', 'Cy Twombly', 'Köln'],
      ['', 'Dan Brown', 'Jena'],
    ],
  ],
])('a printed table with %s has its rows', async (_what, page, rows) => {
  const result = await read(printed, { as: 'text', pages: [page, page + 1] });
  if (!result.ok) throw new Error(result.refusal.what);
  expect(cellsIn(result.value.output)).toEqual(rows);
  if (page < 4) expect(result.value.output).toMatch(/\n\nPayable within 14 days\.$/);
});
