// What the tests of MarkItDown ask of a document of each kind, asked here of made ones. It is what others expect who had not this
// project in mind; where Sightline writes the same otherwise (a hyphen for a star, the name of a sheet with its size), it is its
// own spelling that is looked for.
import * as xlsx from '@e965/xlsx';
import { expect, test } from 'vitest';
import { read } from '../../src/media/index.ts';
import { archive } from './archive.ts';
import { typical } from './typical-make.ts';

type Asked = [what: string, name: string, bytes: () => Buffer | Promise<Buffer>, has: string[], lacks: string[]];

const made = (name: string): (() => Buffer | Promise<Buffer>) => typical[name] ?? ((): Buffer => Buffer.alloc(0));

/** Words that programs take for a missing value, and a blank cell between others. */
const literal = (kind: 'xlsx' | 'biff8'): Buffer => {
  const book = xlsx.utils.book_new();
  const rows = [
    ['Code', 'Country', 'Note'],
    ['NA', null, 'null'],
    ['N/A', 'NaN', 'a|b'],
    [0.1 + 0.2, 1e21, 12_345_678_901_234],
  ];
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), 'Codes');
  return Buffer.from(xlsx.write(book, { type: 'buffer', bookType: kind }) as Uint8Array);
};

/** 名前,年齢,住所 and 髙橋淳,35,東京, as Windows in Japan writes them. */
const kanji = Buffer.from('96bc914f2c944e97ee2c8f5a8f8a0d0afbfc8bb48f7e2c33352c938c8b9e0d0a', 'hex');

const book = archive({
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
  'a.opf':
    '<package xmlns:dc="d"><metadata><dc:title>Tides</dc:title><dc:creator>T. Rowe</dc:creator></metadata><manifest><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>',
  'c.xhtml':
    '<html><body><h1>Chapter 1: Ebb</h1><p>A <strong>bold</strong> and a <em>slanted</em> word.</p><ul><li>one point</li><li>another</li></ul><blockquote><p>So they said.</p></blockquote></body></html>',
});

const cells = '| NA |  | null |';

const asked: Asked[] = [
  ['headings, and no picture as letters', 'a.docx', made('contract.docx'), ['# Lease', '# 1. Rent'], ['base64']],
  ['sheets by name, values, charts', 'a.xlsx', made('budget.xlsx'), ['## Budget', '5,200.00', '4100.5'], []],
  ['words that look like nothing', 'a.xlsx', () => literal('xlsx'), ['## Codes', cells, '| N/A | NaN | a\\|b |'], []],
  ['the same of an old workbook', 'a.xls', () => literal('biff8'), ['## Codes', cells, '| N/A | NaN | a\\|b |'], []],
  [
    'numbers as they are',
    'a.xlsx',
    () => literal('xlsx'),
    ['0.3', '12345678901234'],
    ['0.30000000000000004', '1.23457E'],
  ],
  ['charts with title and values, notes', 'a.pptx', made('deck.pptx'), ['Orders by quarter', '214', 'Notes: Say'], []],
  ['a two-column page in order', 'a.pdf', made('paper.pdf'), ['Soils store more carbon than the air'], []],
  [
    'a page: links, and what it is about first',
    'a.html',
    made('page.html'),
    ['[says its owner]'],
    ['<script', 'track()'],
  ],
  [
    'a table in the letters of Japan',
    'a.csv',
    () => kanji,
    ['| 名前 | 年齢 | 住所 |', '| --- | --- | --- |', '髙橋'],
    [],
  ],
  ['bars in a table of text', 'a.csv', () => Buffer.from('a,b\n"x|y",2\n'), ['| x\\|y | 2 |'], []],
  ['a table divided by tabs', 'a.tsv', () => Buffer.from('a\tb\n1\t2,5\n'), ['| a | b |', '| 1 | 2,5 |'], []],
  ['JSON as it is', 'a.json', () => Buffer.from('{"id":"5b64-c88c"}'), ['5b64-c88c'], []],
  ['cells of a notebook', 'a.ipynb', made('counts.ipynb'), ['# Bike counts', '```python', 'print('], ['nbformat']],
  [
    'a book',
    'a.epub',
    () => book,
    ['T. Rowe', '# Chapter 1: Ebb', '**bold**', '*slanted*', '- one point', '> So they'],
    [],
  ],
  ['a mail', 'a.eml', made('thread.eml'), ['From: ', 'To: ', 'März', 'the Blue room is free'], ['=C3=A4', 'base64']],
];

test.each(asked)('%s (%s)', async (_what, name, bytes, has, lacks) => {
  const reading = await read(await bytes(), { name, ...(name.endsWith('.pdf') && { as: 'text' }) });
  if (!reading.ok) throw new Error(reading.refusal.what);
  for (const words of has) expect(reading.value.output).toContain(words);
  for (const words of lacks) expect(reading.value.output).not.toContain(words);
});
