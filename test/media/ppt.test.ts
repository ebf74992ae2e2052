// Old PowerPoint files made here, record by record: levels, raised letters, heads and feet, pictures in their places, and the
// version of 1995. Those of other people are in legacy.test.ts.
import * as cfb from 'cfb';
import { expect, test } from 'vitest';
import { readPpt } from '../../src/media/legacy/ppt.ts';
import { openedPictures, pptPictures } from '../../src/media/legacy/ppt-pictures.ts';
import { extracted, shown, survives } from './document.ts';

function container(streams: Record<string, Uint8Array>): Buffer {
  const whole = cfb.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) cfb.utils.cfb_add(whole, `/${name}`, Buffer.from(content));
  return Buffer.from(cfb.write(whole, { type: 'buffer' }) as Uint8Array);
}

const u32 = (...values: number[]): Buffer => Buffer.from(new Uint32Array(values).buffer);
const u16 = (...values: number[]): Buffer => Buffer.from(new Uint16Array(values).buffer);

/** A record; those that hold others say so in their head. */
function record(type: number, content: Uint8Array | Uint8Array[], instance = 0): Buffer {
  const inside = Array.isArray(content) ? Buffer.concat(content) : content;
  const head = (instance << 4) | (Array.isArray(content) ? 15 : 0);
  return Buffer.concat([u16(head, type), u32(inside.length), inside]);
}

const wide = (text: string, type = 0xfa0, instance = 0): Buffer => record(type, Buffer.from(text, 'utf16le'), instance);
const margin = (instance: number, flags: number, ...words: (readonly [at: number, text: string])[]): Buffer =>
  record(0xfd9, [record(0xfda, u16(0, flags)), ...words.map(([at, text]) => wide(text, 0xfba, at))], instance);

/** Levels of paragraphs by their lengths, then how high stretches of letters stand. */
function style(
  levels: readonly (readonly [length: number, level: number])[],
  heights: readonly (readonly [length: number, height: number])[],
): Buffer {
  const paragraphs = levels.map(([length, level]) => Buffer.concat([u32(length), u16(level), u32(0x800), u16(0)]));
  const letters = heights.map(([length, height]) =>
    Buffer.concat([u32(length, 0x20000 | 0x80000), u16(18, height & 0xffff)]),
  );
  return record(0xfa1, Buffer.concat([...paragraphs, ...letters]));
}

const text = (kind: number, words: string, ...more: Buffer[]): Buffer[] => [
  record(0xf9f, u32(kind)),
  wide(words),
  ...more,
];
const body = 'Area of 12 m2\rberth 1\rThe load is 10';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Placed = [left: number, top: number, words: string];

/** A table as shapes in a group: each cell stands somewhere, the lines around them have no words. */
function tableOf(cells: readonly Placed[]): Buffer {
  const place = (left: number, top: number): Buffer => record(0xf00f, u32(left, top, left + 90, top + 40));
  return record(0xf003, [
    record(0xf004, [record(0xf122, Buffer.concat([u16(0x39f), u32(1)]), 1)]),
    ...cells.map(([left, top, words]) => record(0xf004, [place(left, top), record(0xf00d, text(4, words))])),
    record(0xf004, [place(7, 7)]),
  ]);
}

/** A show of one slide: the document, the slide, where both lie, and the last edit. */
function show(...more: Buffer[]): Buffer {
  return showOf(more, []);
}

function showOf(more: readonly Buffer[], about: readonly Buffer[]): Buffer {
  const slide = record(0x3ee, [
    ...about,
    record(0x40c, [
      record(0xf004, [record(0xf00d, text(0, 'Harbour'))]),
      record(0xf004, [
        record(
          0xf00b,
          Buffer.concat([u16(0x4104), u32(1), u16(0xc381), u32(18), Buffer.from('the quay\0', 'utf16le')]),
          2,
        ),
      ]),
      record(0xf004, [
        record(
          0xf00d,
          text(
            1,
            body,
            style(
              [
                [14, 0],
                [8, 1],
                [body.length - 21, 0],
              ],
              [
                [12, 0],
                [1, 30],
                [body.length - 12, 0],
              ],
            ),
          ),
        ),
      ]),
      ...more,
    ]),
    margin(0, 0x20, [2, 'Only here']),
  ]);
  const stored = Buffer.concat([Buffer.alloc(28), u32(0), Buffer.alloc(4)]);
  const document = record(0x3e8, [
    record(0x40b, [record(0xf000, [record(0xf001, [record(0xf007, stored)])])]),
    margin(3, 0x25, [0, '3 May 2004'], [2, 'Port authority']),
    margin(4, 0x10, [1, 'hidden, for there are no notes']),
    record(0xff0, [record(0x3f3, u32(2, 0, 0, 256, 0))]),
  ]);
  const directory = record(0x1772, u32(1 | (2 << 20), 0, document.length));
  const edit = record(0xff5, u32(0, 0, 0, document.length + slide.length));
  const pictures = record(0xf01e, Buffer.concat([Buffer.alloc(17), png]), 0x6e0);
  return container({
    'PowerPoint Document': Buffer.concat([document, slide, directory, edit]),
    'Current User': Buffer.concat([Buffer.alloc(16), u32(document.length + slide.length + directory.length)]),
    Pictures: Buffer.concat([pictures, record(0xf01d, Buffer.alloc(40), 0x46a)]),
  });
}

const markdown = `> On each slide: 3 May 2004, Port authority

## Slide 1: Harbour

![the quay](picture-1.png)

- Area of 12 m²
  - berth 1
- The load is 10

> On this slide: Only here

## Other pictures

![](picture-2.jpg)`;

test('an old slide keeps its levels, raised letters, pictures in their places, heads and feet', async () => {
  const { markdown: words, pictures } = await extracted(readPpt, show(), { pictures: true });
  expect(words).toBe(markdown);
  expect(pictures.map(({ name }) => name)).toEqual(['picture-1.png', 'picture-2.jpg']);
  expect(Buffer.from(pictures[0]?.bytes ?? [])).toEqual(png);
});

test('a table on an old slide is one, in its place, whatever the order of its cells', async () => {
  const cells: Placed[] = [
    [100, 0, 'Summer'],
    [0, 0, 'Berth'],
    [0, 50, 'North'],
    [200, 0, 'Winter'],
    [100, 50, '120'],
    [0, 100, 'South'],
    [100, 100, 'closed | all'],
  ];
  const after = record(0xf004, [record(0xf00d, text(4, 'Net of tax.'))]);
  expect(await shown(readPpt, show(tableOf(cells), after))).toContain(
    '- The load is 10\n\n| Berth | Summer | Winter |\n| --- | --- | --- |\n| North | 120 |  |\n| South | closed \\| all |  |\n\nNet of tax.',
  );
});

test('a table of very many rows and columns is read as its words', async () => {
  const cells = Array.from({ length: 200 }, (_, at): Placed => [at, at, `w${at}`]);
  expect(await shown(readPpt, show(tableOf(cells)))).toMatch(/w0\n\nw1\n\n.*w199/s);
});

test('its pictures are named in its words, whether or not they are asked for', async () => {
  expect(await shown(readPpt, show())).toBe(markdown);
});

/** A record of PowerPoint 95. */
function oldRecord(type: number, content: Uint8Array | Uint8Array[], id = 0): Buffer {
  const inside = Array.isArray(content) ? Buffer.concat(content) : content;
  return Buffer.concat([u32(type, Array.isArray(content) ? 0xffff : 0, inside.length, id), inside]);
}

function show95(): Buffer {
  const about = (letters: number, [level, bullet]: readonly [number, boolean]): Buffer => {
    const own = Buffer.alloc(52);
    own[0] = bullet ? 0x15 : 0x14;
    own[24] = level;
    return Buffer.concat([u32(letters), oldRecord(0xfe3, own, 48)]);
  };
  const words = (kind: number, said: string, ...levels: (readonly [number, boolean])[]): Buffer => {
    const letters = said.split('\r').map((line) => line.length + 1);
    const abouts = levels.map((level, at) => about(letters[at] ?? 0, level));
    const paragraphs = oldRecord(0x7ec, [oldRecord(0x7ee, Buffer.concat(abouts), 48)], 48);
    return oldRecord(0xbc2, [
      oldRecord(0xfa1, [
        oldRecord(0xfa3, u32(kind)),
        oldRecord(0xfe0, [
          oldRecord(0x7ee, Buffer.from(said, 'latin1'), 53),
          ...(abouts.length > 0 ? [paragraphs] : []),
        ]),
      ]),
    ]);
  };
  const slide = (title: string, said: string, notes: string, ...levels: (readonly [number, boolean])[]): Buffer =>
    oldRecord(0x3ee, [
      oldRecord(0x3f0, [words(2, notes)]),
      oldRecord(0xbb8, [words(0, title), words(1, said, ...levels)], 20),
    ]);
  const levels = [
    [0, false],
    [0, true],
    [1, true],
    [0, true],
  ] as const;
  const slides = oldRecord(
    0x7d0,
    [
      slide('First', 'one\rtwo', 'Say hello'),
      slide('Second', 'caf\u00e9', ''),
      slide('Third', 'before\rone\rin it\rtwo', '', ...levels),
    ],
    10,
  );
  const designs = oldRecord(0x7d0, [slide('Click to edit', 'a design', '')], 11);
  return oldRecord(3, [oldRecord(0x3e8, [slides, designs])]);
}

test('a show of PowerPoint 95 gives its slides with their levels, and notes', async () => {
  expect(await shown(readPpt, container({ 'PowerPoint Document': show95() }))).toBe(
    '## Slide 1: First\n\n- one\n- two\n\n> Notes: Say hello\n\n## Slide 2: Second\n\n- café\n\n## Slide 3: Third\n\nbefore\n\n- one\n  - in it\n- two',
  );
});

test('of a show that is there for PowerPoint 95, too, the later version is read', async () => {
  const later = cfb.read(show(), { type: 'buffer' });
  const streams = ['PowerPoint Document', 'Current User', 'Pictures'].map((name) => {
    const content = cfb.find(later, `/${name}`)?.content ?? [];
    return [`PP97_DUALSTORAGE/${name}`, Buffer.from(content)] as const;
  });
  const both = container({
    'PowerPoint Document': show95(),
    'Current User': Buffer.alloc(20),
    ...Object.fromEntries(streams),
  });
  expect(await shown(readPpt, both)).toBe(markdown);
});

/** A cipher whose stream of keys begins anew with every field, as the real one does. */
function sealField(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.map((byte, at) => byte ^ ((at * 7 + 3) & 255)));
}

test('pictures of a sealed show are opened, each field by itself', () => {
  const stream = Buffer.concat([
    record(0xf01e, Buffer.concat([Buffer.alloc(17), png]), 0x6e0),
    record(0xf01d, Buffer.concat([Buffer.alloc(33), Buffer.from('a photo')]), 0x46b),
  ]);
  const lengths = [8, 16, 1, png.length, 8, 16, 16, 1, 7];
  let at = 0;
  const sealed = Buffer.concat(lengths.map((length) => sealField(stream.subarray(at, (at += length)))));
  const opened = openedPictures(sealed, (_, bytes) => sealField(bytes));
  expect(opened).toEqual(stream);
  expect(pptPictures(opened).map(({ bytes }) => Buffer.from(bytes))).toEqual([png, Buffer.from('a photo')]);
});

test('damaged copies of both are read or refused', async () => {
  await survives(readPpt, show(tableOf([[0, 0, 'one']])), 60, 'show.ppt');
  await survives(readPpt, container({ 'PowerPoint Document': show95() }), 60, 'show95.ppt');
});

const inShow = (flags: number): Buffer => record(0x3f9, Buffer.concat([u32(0, 0), u16(0, flags), u32(0)]));

test('a slide that is not to be shown is told as hidden', async () => {
  expect(await shown(readPpt, showOf([], [inShow(4)]))).toContain('## Slide 1 (hidden): Harbour\n');
  expect(await shown(readPpt, showOf([], [inShow(1)]))).toContain('## Slide 1: Harbour\n');
});
