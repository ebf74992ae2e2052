// What Word 97 to 2003 files say besides their letters: changes, comments, notes, lists, how words are set, links. The files are
// made here; those of other people are in legacy.test.ts.
import { readFileSync } from 'node:fs';
import * as cfb from 'cfb';
import { expect, test } from 'vitest';
import { readDoc } from '../../src/media/legacy/doc.ts';
import { withLimits } from '../../src/media/limits.ts';
import { extracted, shown, survives } from './document.ts';
import type { MadeParagraph } from './word-make.ts';
import { madeWord, madeWord6 } from './word-make.ts';

const [bold, italic, level, deleted, inserted, insertedBy, deletedBy] = [
  0x0835, 0x0836, 0x2a48, 0x0800, 0x0801, 0x4804, 0x4863,
];
const [list, listLevel, placeOfPicture] = [0x460b, 0x260a, 0x6a03];

const contract = madeWord({
  authors: ['Unknown', 'Ann Lee', 'Bob Ray'],
  paragraphs: [
    {
      runs: [
        ['The fee is '],
        ['4,500', { [deleted]: 1, [deletedBy]: 1 }],
        ['5,400', { [inserted]: 1, [insertedBy]: 2, [bold]: 1 }],
        [' euros', { [inserted]: 1, [insertedBy]: 2 }],
        ['.\u0005'],
      ],
    },
  ],
  comments: [['Ann Lee', '\u0005Too much.']],
});

test('tracked changes of an old Word file are told first and marked, comments stand in their places', async () => {
  expect(await shown(readDoc, contract)).toBe(
    '[Tracked changes: 1 insertion and 1 deletion by Ann Lee, Bob Ray. They are not accepted yet and are marked {++inserted++} and {--deleted--}; clean=true shows the text with all of them accepted.]\n\n' +
      'The fee is {--4,500--}{++**5,400** euros++}.{>>Ann Lee: Too much.<<}',
  );
});

test('its clean text has all changes accepted and no comments', async () => {
  const result = await readDoc(contract, { name: 'x.doc', pictures: false, limits: withLimits(), clean: true });
  expect(result.ok && result.value.markdown).toBe('The fee is **5,400** euros.');
});

test('its inserted and deleted ends of paragraphs are marked, and its clean text has the words in the next', async () => {
  const bytes = madeWord({
    authors: ['Unknown', 'Ann Lee', 'Bob Ray'],
    paragraphs: [
      { runs: [['One,']], ended: { [inserted]: 1, [insertedBy]: 2 } },
      { runs: [['two ']], ended: { [deleted]: 1, [deletedBy]: 1 } },
      { runs: [['three.']] },
      { runs: [['New.', { [inserted]: 1, [insertedBy]: 2 }]], ended: { [inserted]: 1, [insertedBy]: 2 } },
    ],
  });
  expect(await shown(readDoc, bytes)).toBe(
    '[Tracked changes: 2 insertions and 1 deletion by Bob Ray, Ann Lee. They are not accepted yet and are marked {++inserted++} and {--deleted--}; clean=true shows the text with all of them accepted.]\n\n' +
      'One,{++¶++}\n\ntwo{--¶--}\n\nthree.\n\n{++New.++}',
  );
  const result = await readDoc(bytes, { name: 'x.doc', pictures: false, limits: withLimits(), clean: true });
  expect(result.ok && result.value.markdown).toBe('One,\n\ntwo three.\n\nNew.');
});

test('words of an old Word file that are set apart stay so', async () => {
  const runs = [
    ['A '],
    ['bold', { [bold]: 1 }],
    [' and an '],
    ['italic', { [italic]: 1 }],
    [' word, 10'],
    ['5', { [level]: 1 }],
    [' N, H'],
    ['2', { [level]: 2 }],
    ['O, \u0013 HYPERLINK "https://example.com/a" \\l "part-2" \u0014a link\u0015.'],
  ] as const;
  expect(await shown(readDoc, madeWord({ paragraphs: [{ runs }] }))).toBe(
    'A **bold** and an *italic* word, 10^5 N, H₂O, [a link](https://example.com/a#part-2).',
  );
});

test('lists of an old Word file lie in each other, and its numbers count on', async () => {
  const item = (text: string, use: number, depth = 0) => ({
    runs: [[text]] as const,
    own: { [list]: use, [listLevel]: depth },
  });
  const bytes = madeWord({
    lists: [
      [
        [0, '\u0000.'],
        [23, '\uf0b7'],
        [4, '(\u0002)'],
      ],
      [[0, '\u0000.']],
    ],
    paragraphs: [
      item('North quay', 1),
      item('Berth 1', 1, 1),
      item('east side', 1, 2),
      item('west side', 1, 2),
      { runs: [['Between.']] },
      item('South quay', 1),
      item('Another list', 2),
      { runs: [['Terms']], style: 1, own: { [list]: 2 } },
    ],
  });
  expect(await shown(readDoc, bytes)).toBe(
    '1. North quay\n   - Berth 1\n     - (a) east side\n     - (b) west side\n\nBetween.\n\n2. South quay\n1. Another list\n\n# 2. Terms',
  );
});

const listItem = (text: string, depth = 0) => ({
  runs: [[text]] as const,
  own: { [list]: 1, [listLevel]: depth },
});

test('lists of an old Word file count in digits where they say so, and on where they never begin anew', async () => {
  const [legal, never] = [4, 8];
  const bytes = madeWord({
    lists: [
      [
        [1, 'Article \u0000.'],
        [0, '\u0000.\u0001', legal],
        [4, '(\u0002)', never],
      ],
    ],
    paragraphs: [listItem('a'), listItem('b', 1), listItem('c', 2), listItem('d'), listItem('e', 1), listItem('f', 2)],
  });
  const words = await shown(readDoc, bytes);
  expect(words.split('\n').map((one) => one.trim())).toEqual([
    '- Article I. a',
    '- 1.1 b',
    '- (a) c',
    '- Article II. d',
    '- 2.1 e',
    '- (b) f',
  ]);
});

test('items of an old Word file without words have their numbers all the same, but not hidden ones', async () => {
  const own = { [list]: 1, [listLevel]: 0 };
  const [hidden, inTable] = [{ 0x083c: 1 }, { 0x2416: 1 }];
  const row = (words: string): MadeParagraph[] => [
    { runs: [], own: { ...own, ...inTable }, end: '\u0007' },
    { runs: [[words]], own: inTable, end: '\u0007' },
    { runs: [], own: { ...inTable, 0x2417: 1 }, end: '\u0007', edges: [2000, 4000] },
  ];
  const paragraphs: MadeParagraph[] = [
    { runs: [['one']], own },
    { runs: [], own },
    { runs: [['secret', hidden]], own },
    { runs: [['three']], own },
    ...row('Ann'),
    ...row('Bob'),
  ];
  expect(await shown(readDoc, madeWord({ lists: [[[0, '\u0000.']]], paragraphs }))).toBe(
    '1. one\n3. three\n\n| 4. | Ann |\n| --- | --- |\n| 5. | Bob |',
  );
});

test('an old Word file whose table of pieces goes back to where it began is refused', async () => {
  const bytes = madeWord({ paragraphs: [{ runs: [['x']] }] });
  const pieces = bytes.indexOf(Buffer.from('021000000000000000', 'hex'));
  Buffer.from([1, 0xfd, 0xff]).copy(bytes, pieces);
  expect(await shown(readDoc, bytes)).toBe('refused: corrupt');
});

test('notes of an old Word file are notes', async () => {
  const bytes = madeWord({
    paragraphs: [{ runs: [['Counted\u0002 and weighed\u0002.']] }],
    notes: ['\u0002 By hand.\rTwice.', '\u0002 In *tonnes*.'],
  });
  expect(await shown(readDoc, bytes)).toBe(
    'Counted[^1] and weighed[^2].\n\n[^1]: By hand.\n\n    Twice.\n[^2]: In *tonnes*.',
  );
});

const png = Buffer.from('89504e470d0a1a0a', 'hex');

function record(type: number, instance: number, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(instance << 4, 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

/** What the stream of pictures holds at one place: a head, the name of a file where it has one, a shape, what is stored. */
function lying(stored: Buffer, file?: string): Buffer {
  const head = Buffer.alloc(0x44);
  const name = file === undefined ? Buffer.alloc(0) : Buffer.from([file.length, ...Buffer.from(file)]);
  const inside = Buffer.concat([name, record(0xf004, 0, Buffer.alloc(12)), stored]);
  head.writeUInt32LE(head.length + inside.length, 0);
  head.writeUInt16LE(head.length, 4);
  head.writeUInt16LE(file === undefined ? 0x64 : 0x66, 6);
  return Buffer.concat([head, inside]);
}

const sign = (place: number): readonly [string, Record<number, number>] => ['\u0001', { [placeOfPicture]: place }];

test('pictures of an old Word file stand in their places', async () => {
  const plain = record(0xf01e, 0x6e0, Buffer.concat([Buffer.alloc(17), png]));
  const parts = [
    lying(record(0xf007, 0, Buffer.concat([Buffer.alloc(36), plain]))),
    lying(plain, 'plan.png'),
    lying(Buffer.alloc(0)),
  ];
  const [first = 0, second = 0, third = 0] = parts.map((_, at) => Buffer.concat(parts.slice(0, at)).length);
  const bytes = madeWord({
    paragraphs: [
      { runs: [['The quay '], sign(first), [' by day and '], sign(second), ['by night.']] },
      { runs: [sign(first)] },
      { runs: [['Ticked'], sign(third), ['.'], sign(0xfffffff0)] },
    ],
    data: Buffer.concat(parts),
  });
  const { markdown, pictures } = await extracted(readDoc, bytes, { pictures: true });
  expect(markdown).toBe(
    'The quay ![](picture-1.png) by day and ![](picture-2.png)by night.\n\n![](picture-1.png)\n\nTicked.',
  );
  expect(pictures.map(({ bytes: one }) => Buffer.from(one))).toEqual([png, png]);
  await survives(readDoc, bytes, 60, 'quay.doc');
});

test.each([
  ['lie in the file', {}],
  ['lie where they are listed', { inPlace: true }],
  ['are parts of a group', { grouped: true }],
])('pictures that words flow around and that %s stand where they are tied', async (_what, how) => {
  const stored = record(0xf01e, 0x6e0, Buffer.concat([Buffer.alloc(17), png]));
  const bytes = madeWord({
    paragraphs: [{ runs: [['\u0008The quay.']] }, { runs: [['Seen\u0008 again.']] }],
    floating: { stored, ...how },
  });
  const { markdown, pictures } = await extracted(readDoc, bytes, { pictures: true });
  expect(markdown).toBe('![](picture-1.png)The quay.\n\nSeen![](picture-1.png) again.');
  expect(pictures.map(({ bytes: one }) => Buffer.from(one))).toEqual([png]);
  await survives(readDoc, bytes, 60, 'flow.doc');
});

test('pictures that stand beside the words of headers and footers are told there', async () => {
  // Written by LibreOffice.
  const letter = readFileSync(new URL('../fixtures/old-office/letterhead.doc', import.meta.url));
  const { markdown, pictures } = await extracted(readDoc, letter, { pictures: true });
  expect(markdown).toBe(
    '![](picture-1.png)Dear reader, all is well.\n\n## Headers and footers\n\n![](picture-1.png)Harbour Ltd\n\n![](picture-1.png)Registered in Hamburg',
  );
  expect(pictures).toHaveLength(1);
  await survives(readDoc, letter, 60, 'letterhead.doc');
});

test('changes in Word 6 and 95 are told and marked, and words that are set apart stay so', async () => {
  const [gone, put, strong, raised, by, date, plain] = [65, 66, 85, 104, 69, 70, 99];
  const runs: Parameters<typeof madeWord6>[0] = [
    ['Pay '],
    ['20', [plain, 24, 0, gone, 1, by, 1, 0, date, 1, 2, 3, 4]],
    ['30', [put, 1, by, 2, 0]],
    [' euros for 12 m'],
    ['2', [raised, 1]],
    [' in '],
    ['May', [strong, 1]],
    ['.\r'],
  ];
  const bytes = madeWord6(runs, ['Unknown', 'Ada', 'Zoë']);
  expect(await shown(readDoc, bytes)).toMatch(
    /^\[.*1 insertion.*1 deletion.*(?:Ada.*Zoë|Zoë.*Ada).*\]\n\nPay \{--20--\}\{\+\+30\+\+\} euros for 12 m² in \*\*May\*\*\.$/,
  );
  await survives(readDoc, bytes, 60, 'old.doc');
});

test('one picture that is named at very many places of its file is taken once or twice', async () => {
  const large = lying(record(0xf01e, 0x6e0, Buffer.alloc(200_000)));
  const starts = Array.from({ length: 40 }, (_, at) => sign(at * 0x44));
  const heads = Buffer.concat(starts.map(() => Buffer.from(large.subarray(0, 0x44))));
  for (const at of starts.keys()) heads.writeUInt16LE(heads.length - at * 0x44 + 0x44, at * 0x44 + 4);
  const bytes = madeWord({ paragraphs: [{ runs: starts }], data: Buffer.concat([heads, large]) });
  const { pictures } = await extracted(readDoc, bytes, { pictures: true });
  expect(pictures).toHaveLength(1);
});

test('a document that lies inside of another is not taken for it', async () => {
  const [outer, inner] = ['outside', 'inside'].map((text) =>
    cfb.read(madeWord({ paragraphs: [{ runs: [[text]] }] }), { type: 'buffer' }),
  );
  const whole = cfb.utils.cfb_new();
  const add = (from: cfb.CFB$Container | undefined, folder: string): void => {
    for (const name of ['WordDocument', '1Table']) {
      const entry = from && cfb.find(from, `/${name}`);
      cfb.utils.cfb_add(whole, `${folder}/${name}`, Buffer.from(entry?.content ?? []));
    }
  };
  add(inner, '/ObjectPool/_1');
  add(outer, '');
  expect(await shown(readDoc, Buffer.from(cfb.write(whole, { type: 'buffer' }) as Uint8Array))).toBe('outside');
});

test('damaged copies of a file with changes, lists and notes are read or refused', async () => {
  await survives(readDoc, contract, 60, 'contract.doc');
});

test('cells of a row stand in their columns, when one is as wide as two', async () => {
  const inTable = { 0x2416: 1 };
  const row = (cells: readonly string[], edges: readonly number[]): MadeParagraph[] => [
    ...cells.map((text): MadeParagraph => ({ runs: [[text]], own: inTable, end: '\u0007' })),
    { runs: [], own: { ...inTable, 0x2417: 1 }, end: '\u0007', edges },
  ];
  const paragraphs = [...row(['Item', 'Price'], [4000, 6000]), ...row(['Desk', 'oak', '200'], [2000, 4010, 6000])];
  expect(await shown(readDoc, madeWord({ paragraphs }))).toBe(
    '| Item |  | Price |\n| --- | --- | --- |\n| Desk | oak | 200 |',
  );
});

test('signs are what their font shows, and letters moved by hand stay raised', async () => {
  const greek = { 0x6a09: 0xf06d_0001 };
  const paragraphs: MadeParagraph[] = [
    { runs: [['5 '], ['(', greek], ['m, '], ['b', { 0x4a4f: 1 }], [', 10'], ['6', { 0x4845: 8 }]] },
  ];
  expect(await shown(readDoc, madeWord({ paragraphs, fonts: ['Times New Roman', 'Symbol'] }))).toBe('5 μm, β, 10^6');
});
