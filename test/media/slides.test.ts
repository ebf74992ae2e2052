// Slides are the pages of a deck: some of them can be read, shown and sent, with the pictures on them and no others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { document } from '../../src/content/input.ts';
import { read } from '../../src/media/index.ts';
import type { Reading } from '../../src/media/index.ts';
import { prepare } from '../../src/index.ts';
import type { relations } from './archive.ts';
import { docx, line, openDocument, paragraph, pptx, shape } from './archive.ts';
import { corpus } from './corpus.ts';
import { quarters } from './make.ts';

const assets = memoryAssets();

const picture = (id: string): string => `<p:pic><p:blipFill><a:blip r:embed="${id}"/></p:blipFill></p:pic>`;
const shown = (file: string): Parameters<typeof relations> => [['rId1', 'image', `../media/${file}`]];
const deck = pptx(
  [
    { shapes: shape(line('First'), 'title') + picture('rId1'), relations: shown('one.png') },
    { shapes: shape(line('Second'), 'title') + picture('rId1'), relations: shown('two.png') },
    { shapes: shape(line('Third'), 'title') },
  ],
  {
    'media/one.png': await quarters(101, 80).png().toBuffer(),
    'media/two.png': await quarters(202, 90).png().toBuffer(),
  },
);
const frame = (words: string): string =>
  `<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>${words}</text:p></draw:text-box></draw:frame></draw:page>`;
const odp = openDocument('presentation', ['First', 'Second', 'Third'].map(frame).join(''));

async function reading(bytes: Uint8Array, name: string, options: Parameters<typeof read>[1] = {}): Promise<Reading> {
  const result = await read(bytes, { assets, name, ...options });
  if (!result.ok) throw new Error(result.refusal.what);
  return result.value;
}

describe.each([
  ['talk.pptx', deck],
  ['talk.odp', odp],
])('%s', (name, bytes) => {
  test.each([{ pages: '2' }, { pages: [1, 2] as const }, { page_start: 1, page_end: 2 }])(
    'gives the slides of %j',
    async (asked) => {
      const { output, blocks, data } = await reading(bytes, name, asked);
      expect(output).toMatch(/^\[Showing pages 2-2 of 3\. Use page_start=2 to continue\.\]\n\n## Slide 2: Second/);
      expect(output).not.toMatch(/First|Third/);
      const note = '[Showing pages 2-2 of 3. Use page_start=2 to continue.]';
      expect(blocks).toMatchObject([
        { type: 'text', text: note },
        { type: 'document', pages: 3, range: [1, 2] },
      ]);
      expect(data).toMatchObject({ parts: { count: 3, unit: 'slides', range: [1, 2] } });
    },
  );

  test('is whole without them, before and after', async () => {
    const before = await reading(bytes, name);
    await reading(bytes, name, { pages: '3' });
    const after = await reading(bytes, name);
    expect(after).toEqual(before);
    expect(before.output).toMatch(/First[^]*Second[^]*Third/);
    expect(before.blocks[0]).not.toHaveProperty('range');
  });

  test('refuses slides that it does not have, with those it has', async () => {
    const result = await read(bytes, { assets, name, pages: '4-9' });
    expect(result).toMatchObject({
      ok: false,
      refusal: { code: 'bad-range', what: 'There are no pages 4-9 in this presentation', limit: 'pages 1-3' },
    });
  });
});

test('a slide goes to a model with its picture and with no other', async () => {
  const content = [document(deck, { name: 'talk.pptx', range: [1, 2] })];
  const request = await prepare({ messages: [{ role: 'user', content }] }, { model: 'openai-chat/gpt-4.1', assets });
  const body = JSON.stringify(await request.json());
  expect(body).toContain('pages 2-2 of 3');
  expect(body).toContain('Second');
  expect(body).not.toMatch(/First|Third|page_start/); // nobody said that it can read files
  expect(body.match(/data:image\/png/g)).toHaveLength(1);
});

test('a picture of a slide is read with the slide', async () => {
  const { blocks } = await reading(deck, 'talk.pptx', { pages: '2', as: 'image' });
  expect(blocks).toMatchObject([{ type: 'image', width: 202, height: 90 }]);
});

test('a slide without a picture says nothing of the others', async () => {
  const what = 'talk.pptx has no pictures on the pages that were asked for';
  expect(await read(deck, { assets, name: 'talk.pptx', pages: '3', as: 'image' })).toMatchObject({ refusal: { what } });
});

const headings = (text: string): string[] => text.match(/^## .*/gm) ?? [];

test.skipIf(corpus === undefined)('slides of an old PowerPoint file are chosen alike', async () => {
  const bytes = readFileSync(join(corpus ?? '', 'office/missing-moveto.ppt'));
  const whole = await reading(bytes, 'old.ppt');
  const part = await reading(bytes, 'old.ppt', { pages: '1' });
  expect(headings(whole.output).length).toBeGreaterThan(1);
  expect(headings(part.output)).toEqual(headings(whole.output).slice(0, 1));
});

test.each([
  ['letter.docx', docx(paragraph('Dear reader'))],
  ['notes.txt', Buffer.from('Dear reader')],
])('%s has no pages, which is said to who asks for some', async (name, bytes) => {
  const { output, blocks } = await reading(bytes, name, { pages: '2' });
  expect(output).toMatch(new RegExp(`^\\[${name} has no pages to choose from\\.\\]\\n[^]*Dear reader`));
  expect(JSON.stringify(blocks)).toContain('has no pages to choose from.]');
  const whole = await reading(bytes, name);
  expect(whole.output).not.toContain('pages');
  for (const asked of [{ page_start: 0 }, { pages: '1-' }]) expect(await reading(bytes, name, asked)).toEqual(whole);
});

test('a range of what has no pages is not said to have been sent', async () => {
  const content = [document(docx(paragraph('Dear reader')), { name: 'letter.docx', range: [1, 2] })];
  const request = await prepare({ messages: [{ role: 'user', content }] }, { model: 'openai-chat/gpt-4.1', assets });
  const body = JSON.stringify(await request.json());
  expect(body).toContain('Dear reader');
  expect(body).not.toContain('pages');
  expect(request.receipts).toMatchObject([{ subject: 'Word document "letter.docx"' }]);
});
