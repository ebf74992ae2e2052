// The same promises through the intake that really decodes.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { document, image, text } from '../../src/content/input.ts';
import { openIntake, read } from '../../src/media/index.ts';
import { normaliseResult as normaliseThrough } from '../../src/tool/normalise.ts';
import type { ToolResult } from '../../src/tool/result.ts';
import type { Sample } from './samples.ts';
import {
  base64,
  dataUri,
  holds,
  kinds,
  paper,
  pdf,
  photo,
  picture,
  png,
  sound,
  urlSafe,
  wav,
  wrapped,
} from './samples.ts';
import { leaves, mark, mediaOf, shape, wordsOf } from './shape.ts';

const assets = memoryAssets();
const intake = openIntake({ assets });
const normalise = (value: unknown): Promise<ToolResult> => normaliseThrough(value, intake);

test.each(kinds)('a %s is shown byte for byte, however it is handed over', async (_name, one) => {
  const values = [
    one.bytes,
    { base64: base64(one), media_type: 'image/png' },
    { deep: [{ down: dataUri(one) }] },
    `see ${base64(one)} there`,
    `see\n${wrapped(one)}\n\nthere`,
    JSON.stringify({ shot: urlSafe(one) }),
    { content: [{ type: one.kind, data: base64(one), mimeType: one.mediaType }] },
  ];
  for (const value of values) {
    const result = await normalise(value);
    expect(mediaOf(result)).toEqual([one.id]);
    expect(result.content[0]?.type).toBe('text');
    expect(shape(result)[1]).toBe(mark(one));
    expect(holds(wordsOf(result) + leaves(result.details), one)).toBe(false);
    expect(result.isError).toBeUndefined();
  }
  expect(Buffer.from((await assets.get(one.id)) ?? []).equals(one.bytes)).toBe(true);
});

test.each<[string, (length: number) => Sample]>([
  ['PDF', (length) => pdf(length)],
  ['WAV', (length) => wav(700 + length)],
  ['PNG', (length) => png(length, 40)],
])('a wrapped %s in a text is taken whole, however long its last line is', async (_name, make) => {
  for (let length = 1; length < 12; length++) {
    const one = make(length);
    const result = await normalise(`Here:\n${wrapped(one)}\n\nDone.`);
    expect(mediaOf(result)).toEqual([one.id]);
    expect(wordsOf(result).trim()).toMatch(/^Here:\n\[1\. [^\]]+\]\n\nDone\.$/);
  }
});

test.each([
  ['a picture that is cut', image({ data: base64(png(40, 40)).slice(0, -40) })],
  ['only the first bytes of a picture', image({ data: base64(picture).slice(0, 16) })],
  [
    'zeros after a good head',
    image({ data: Buffer.concat([picture.bytes.subarray(0, 30), Buffer.alloc(200)]).toString('base64') }),
  ],
  ['an empty picture', image(new Uint8Array())],
  ['text that is called a PDF', document({ data: Buffer.from('%PDF-1.4 nothing more').toString('base64') })],
  [
    'a picture whose check sum is wrong',
    image(Buffer.from(picture.bytes.map((byte, at) => (at === picture.bytes.length - 20 ? byte ^ 1 : byte)))),
  ],
])('%s never becomes a medium, and words say why', async (_name, block) => {
  const result = await normalise([text('before'), block]);
  expect(mediaOf(result)).toEqual([]);
  expect(shape(result)).toMatchObject(['before', expect.stringMatching(/not shown: .{10,}/)]);
});

test('a broken picture in a field becomes the words that say so', async () => {
  const cut = base64(png(40, 40)).slice(0, 400);
  const result = await normalise({ base64: cut, note: 'n' });
  expect(mediaOf(result)).toEqual([]);
  const told = expect.stringMatching(/^\[not shown: image\.png .* Kept as asset [0-9a-f]{8}, 300 bytes\.\]$/) as string;
  expect(JSON.parse(wordsOf(result))).toEqual({ base64: told, note: 'n' });
});

test('a file that turns out to be text is text, however a tool hands it over, and only below the roots', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-tool-'));
  const [near, far] = [join(folder, 'in', 'notes.md'), join(folder, 'notes.md')];
  await mkdir(join(folder, 'in'));
  for (const path of [near, far]) await writeFile(path, 'remember the milk');
  const returned = (value: unknown): Promise<ToolResult> =>
    normaliseThrough(value, openIntake({ assets, roots: [join(folder, 'in')] }));
  for (const path of [near, far])
    for (const value of [
      { text: 'T', attachment: { mime_type: 'text/markdown', file_path: path } },
      { success: true, output: 'T', content_blocks: [{ type: 'document', source_path: path }] },
      [text('T'), document({ path })],
    ]) {
      const result = await returned(value);
      if (path === near) expect(shape(result)).toEqual(['T', 'remember the milk']);
      else expect(wordsOf(result)).toMatch(/^T\s*\[document not shown: notes\.md lies outside the allowed folders/);
      expect(result.isError).toBeUndefined();
    }
});

test('what read gives may be returned as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-tool-'));
  const files: readonly (readonly [string, Uint8Array])[] = [
    ['shot.png', picture.bytes],
    ['photo.png', photo.bytes],
    ['paper.pdf', paper.bytes],
    ['notes.txt', Buffer.from('remember the milk')],
  ];
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes);
  const returned = async (name: string): Promise<ToolResult> => normalise(await read(join(folder, name), { assets }));
  const shot = await returned('shot.png');
  expect(mediaOf(shot)).toEqual([picture.id]);
  expect(wordsOf(shot)).toContain('shot.png');
  expect(shape(await returned('photo.png')).at(-1)).toBe(mark(photo));
  expect(mediaOf(await returned('paper.pdf'))).toEqual([paper.id]);
  const notes = await returned('notes.txt');
  expect(notes.content).toHaveLength(1);
  expect(wordsOf(notes)).toContain('remember the milk');
  const gone = await returned('gone.png');
  expect(gone.isError).toBe(true);
  expect(wordsOf(gone)).toContain('gone.png');
  expect(wordsOf(gone)).not.toContain(folder);
});

test('a result is the same when it is normalised again', async () => {
  const first = await normalise([
    text('a'),
    image(picture.bytes),
    document(paper.bytes),
    { type: 'audio', data: base64(sound) },
  ]);
  expect(await normalise(first)).toEqual(first);
  expect(await normalise(JSON.parse(JSON.stringify(first)))).toEqual(first);
});

test('a short picture in boxes, as phones make them, is found among words as well', async () => {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .avif()
    .toBuffer();
  const data = bytes.toString('base64');
  expect(data.length).toBeLessThan(16 * 1024);
  for (const value of [`see ${data} there`, { log: `see\n${data.replaceAll(/.{76}/g, '$&\n')}\nthere` }]) {
    const result = await normalise(value);
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image']);
    expect(wordsOf(result)).not.toContain(data.slice(0, 60));
  }
});
