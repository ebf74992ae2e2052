// What Word 97 to 2003 files say besides their letters: changes, comments, notes, lists, how words are set, links. The files are
// made here; those of other people are in legacy.test.ts.
import * as cfb from 'cfb';
import { expect, test } from 'vitest';
import { readDoc } from '../../src/media/legacy/doc.ts';
import { withLimits } from '../../src/media/limits.ts';
import { shown, survives } from './document.ts';
import { madeWord } from './word-make.ts';

const [bold, italic, level, deleted, inserted, insertedBy, deletedBy] = [
  0x0835, 0x0836, 0x2a48, 0x0800, 0x0801, 0x4804, 0x4863,
];
const [list, listLevel] = [0x460b, 0x260a];

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

test('notes of an old Word file are notes', async () => {
  const bytes = madeWord({
    paragraphs: [{ runs: [['Counted\u0002 and weighed\u0002.']] }],
    notes: ['\u0002 By hand.', '\u0002 In *tonnes*.'],
  });
  expect(await shown(readDoc, bytes)).toBe('Counted[^1] and weighed[^2].\n\n[^1]: By hand.\n[^2]: In *tonnes*.');
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
