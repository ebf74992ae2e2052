// Old Office files are made by programs nobody runs any more, so most of these are files of other people, judged by
// other programs. Spreadsheets go the same way.
import { readFileSync } from 'node:fs';
import * as cfb from 'cfb';
import { describe, expect, test } from 'vitest';
import type { DocumentReader } from '../../src/media/document/reader.ts';
import { readDoc } from '../../src/media/legacy/doc.ts';
import { readPpt } from '../../src/media/legacy/ppt.ts';
import { withLimits } from '../../src/media/limits.ts';
import { readEncrypted } from '../../src/media/office/encrypted.ts';
import { readSheet } from '../../src/media/sheet/read.ts';
import { cpuMs } from '../cpu.ts';
import { corpus, corpusPath, entries } from './corpus.ts';
import { shown, survives } from './document.ts';

const readers: Record<string, DocumentReader> = { doc: readDoc, ppt: readPpt, xls: readSheet, xlsx: readSheet };

const exceptions: { file: string; disagreement: string; reason: string }[] = JSON.parse(
  readFileSync(new URL('office-exceptions.json', import.meta.url), 'utf8'),
);

/** What the corpus says of an office file beyond what it says of every file: the kind by its bytes. */
function officeEntries(): { file: string; kind: string; verdict: string; words: string[] }[] {
  return entries('office').map(({ file, expect: wanted }) => {
    const kind = 'kind' in wanted && typeof wanted.kind === 'string' ? wanted.kind : '';
    const ending = file.slice(file.lastIndexOf('.') + 1);
    // Encrypted archives and bytes of no kind go to the reader their name asks for.
    const known = kind in readers || !['', 'encrypted-ooxml'].includes(kind);
    return { file, kind: known ? kind : ending, verdict: wanted.verdict, words: wanted.words ?? [] };
  });
}

async function disagreement({
  file,
  kind,
  verdict,
  words,
}: ReturnType<typeof officeEntries>[number]): Promise<string[]> {
  const reader = readers[kind];
  if (reader === undefined) return [];
  const result = await reader(readFileSync(corpusPath(file)), { name: file, pictures: true, limits: withLimits() });
  const found: string[] = [];
  if (verdict === 'refuse' && result.ok) found.push('it was read, everyone else refuses it');
  if (verdict === 'ok' && !result.ok) found.push(`refused as ${result.refusal.code}`);
  if (verdict === 'password' && (result.ok || result.refusal.code !== 'encrypted'))
    found.push('not refused as encrypted');
  const text = result.ok ? result.value.markdown.toLowerCase() : '';
  const lost = result.ok ? words.filter((word) => !text.includes(word.toLowerCase())) : [];
  return lost.length === 0 ? found : [...found, `not found: ${lost.join(' ')}`];
}

describe.skipIf(corpus === undefined)('the readers of office files agree with independent programs about', () => {
  test.each(Object.keys(readers))('every %s', async (wanted) => {
    const found: string[] = [];
    let seen = 0;
    for (const entry of officeEntries().filter(({ kind }) => kind === wanted)) {
      seen += 1;
      let complaints: string[] = [];
      const taken = await cpuMs(async () => void (complaints = await disagreement(entry)));
      if (taken > 30_000) complaints.push('slow');
      for (const one of complaints) {
        const known = exceptions.some(({ file, disagreement: what }) => file === entry.file && one.includes(what));
        if (!known) found.push(`${entry.file}: ${one}`);
      }
    }
    expect(found).toEqual([]);
    expect(seen).toBeGreaterThan(8);
  });

  test.each([
    ['rasp.doc', readDoc, '| Блокировка ценных<br>бумаг на лицевом<br>счете осуществлена |'],
    ['simple-table.doc', readDoc, '| Cell 1,1 | Cell 1,2 | Cell 1,3 |\n| --- | --- | --- |\n| Cell 2,1 |'],
    ['DiffFirstPageHeadFoot.doc', readDoc, '# HEADING TEXT'],
    ['SampleShow.ppt', readPpt, '## Slide 1: Title of the first slide\n\nSubtitle of the first slide'],
    ['SampleShow.ppt', readPpt, '> Notes: I am the notes of the first slide\n\n## Slide 2: This is the second slide'],
    ['WithComments.ppt', readPpt, '> Comment: Administrator: This is a test comment'],
  ] as const)('what stands where in %s', async (file, reader, text) => {
    expect(await shown(reader, readFileSync(corpusPath(`office/${file}`)))).toContain(text);
  });

  test.each([
    ['simple-table.doc', readDoc, 60],
    ['Bug51944.doc', readDoc, 40],
    ['word2.doc', readDoc, 40],
    ['SampleShow.ppt', readPpt, 40],
    ['WithLinks.ppt', readPpt, 60],
    ['SampleSS.xls', readSheet, 40],
    ['testEXCEL_4.xls', readSheet, 20],
    ['SampleSS.strict.xlsx', readSheet, 30],
  ] as const)('damaged copies of %s are read or refused', async (file, reader, mutants) => {
    await survives(reader, readFileSync(corpusPath(`office/${file}`)), mutants, file);
  });
});

function container(streams: Record<string, Uint8Array>): Buffer {
  const whole = cfb.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) cfb.utils.cfb_add(whole, `/${name}`, Buffer.from(content));
  return Buffer.from(cfb.write(whole, { type: 'buffer' }) as Uint8Array);
}

/** A Word 95 file, which holds its text in one row. */
function oldWord(text: string, flags = 0): Buffer {
  const stream = Buffer.alloc(0x300 + text.length);
  stream.writeUInt16LE(0xa5dc, 0);
  stream.writeUInt16LE(0x419, 6); // Russian
  stream.writeUInt16LE(flags, 10);
  stream.writeUInt32LE(0x300, 0x18);
  stream.writeUInt32LE(0x300 + text.length, 0x1c);
  stream.write(text, 0x300, 'latin1');
  return container({ WordDocument: stream });
}

test.each([
  ['paragraphs and lines', 'one\rtwo\u000bthree\r', 'one\n\ntwo\nthree'],
  [
    'rows of a table',
    'a\u0007b\u0007\u0007c\u0007d\u0007\u0007after\r',
    '| a | b |\n| --- | --- |\n| c | d |\n\nafter',
  ],
  [
    'fields as what they give',
    'see \u0013 PAGE \u00147\u0015 and \u0013 A \u0013 B \u0014no\u0015 \u0014yes\u0015\r',
    'see 7 and yes',
  ],
  ['the letters of its language', '\u00cf\u00f0\u00e8\r', 'При'],
])('a Word 95 file gives %s', async (_what, text, markdown) => {
  expect(await shown(readDoc, oldWord(text))).toBe(markdown);
});

test.each([
  ['a Word file with a password', readDoc, oldWord('x', 0x100), 'refused: encrypted'],
  ['a container without a document', readDoc, container({ Other: Buffer.from('x') }), 'refused: unsupported'],
  ['a container without slides', readPpt, container({ Other: Buffer.from('x') }), 'refused: unsupported'],
  [
    'a presentation without slides',
    readPpt,
    container({ 'PowerPoint Document': Buffer.alloc(64) }),
    'refused: corrupt',
  ],
  [
    'an encrypted archive as a workbook',
    readSheet,
    container({ EncryptedPackage: Buffer.from('x') }),
    'refused: encrypted',
  ],
  ['an encrypted archive as slides', readPpt, container({ EncryptedPackage: Buffer.from('x') }), 'refused: encrypted'],
  ['words as a Word file', readDoc, Buffer.from('hello'), 'refused: unsupported'],
  ['half a container', readDoc, oldWord('x').subarray(0, 700), 'refused: corrupt'],
  ['nothing', readPpt, Buffer.alloc(0), 'refused: unsupported'],
] as const)('%s is refused', async (_what, reader, bytes, refusal) => {
  expect(await shown(reader, bytes)).toBe(refusal);
});

test('a document whose rights a server manages is told as that, and not as damaged', async () => {
  const bytes = container({ EncryptedPackage: Buffer.alloc(5000), 'DRMEncryptedTransform/Primary': Buffer.alloc(200) });
  expect(await shown(readEncrypted, bytes)).toBe('refused: encrypted');
});

/** One record of a presentation. */
function record(type: number, content: Uint8Array, head = 0): Buffer {
  const start = Buffer.alloc(8);
  start.writeUInt16LE(head, 0);
  start.writeUInt16LE(type, 2);
  start.writeUInt32LE(content.length, 4);
  return Buffer.concat([start, content]);
}

test('a presentation whose order is lost gives its texts in the order of the bytes', async () => {
  const data = Buffer.concat([record(0xfa8, Buffer.from('first')), record(0xfa0, Buffer.from('zwei', 'utf16le'))]);
  expect(await shown(readPpt, container({ 'PowerPoint Document': data }))).toBe('first\n\nzwei');
});

test('containers that go in circles take little time', async () => {
  const bytes = container({ 'PowerPoint Document': Buffer.alloc(100_000), WordDocument: Buffer.alloc(100_000) });
  for (let at = 512; at + 4 <= bytes.length; at += 4) if (bytes.readUInt32LE(at) < 500) bytes.writeUInt32LE(1, at);
  const taken = await cpuMs(async () => {
    for (const reader of [readDoc, readPpt, readSheet]) expect(await shown(reader, bytes)).toMatch(/^refused/);
  });
  expect(taken).toBeLessThan(5000);
});

test('records in records without end take little time', async () => {
  let data = record(0xfa8, Buffer.from('deep'), 0);
  for (let depth = 0; depth < 3000; depth += 1) data = record(0x3ee, data, 15);
  const bytes = container({ 'PowerPoint Document': data });
  expect(await cpuMs(() => shown(readPpt, bytes))).toBeLessThan(5000);
});
