// Forms of an asset: each has a name of its own, and only the newest few are read for a model that cannot see.
import { expect, test } from 'vitest';
import type { CarriedBlock, DocumentBlock, ImageBlock } from '../../src/content/block.ts';
import { profileFor } from '../../src/window/profile.ts';
import { legibleMedia, renditionKey } from '../../src/window/rendition.ts';
import type { Need } from '../../src/window/rendition.ts';

const asset = { id: 'sha256:aa', mediaType: 'image/png', size: 1 } as const;
const picture: ImageBlock = { type: 'image', asset, width: 100, height: 100 };
const reference = { type: 'reference', kind: 'image', at: { url: 'https://example.org/a.png' } } as const;
const grid = { columns: 2, rows: 3, scale: 1.5, overlap: { columns: 8, rows: 9 } };

const keys: [Need, string][] = [
  [{ to: 'bytes', url: 'https://example.org/a.png', reference }, 'https://example.org/a.png bytes'],
  [{ to: 'file', asset, endpoint: 'openai' }, 'sha256:aa file openai'],
  [{ to: 'text', asset }, 'sha256:aa text all'],
  [{ to: 'text', asset, range: [1, 3] }, 'sha256:aa text 1-3'],
  [{ to: 'words', asset }, 'sha256:aa words all'],
  [{ to: 'words', asset, range: [0, 2] }, 'sha256:aa words 0-2'],
  [{ to: 'pdf', asset, range: [0, 5] }, 'sha256:aa pdf 0-5'],
  [{ to: 'description', asset, picture, by: 'openai/gpt-5.2' }, 'sha256:aa description openai/gpt-5.2 1'],
  [{ to: 'illustrated', asset }, 'sha256:aa illustrated'],
  [{ to: 'pages', asset, maxEdge: 1024 }, 'sha256:aa pages all 1024'],
  [{ to: 'pages', asset, range: [2, 4], maxEdge: 1024 }, 'sha256:aa pages 2-4 1024'],
  [
    { to: 'image', asset, types: ['image/png', 'image/jpeg'], maxEdge: 800, maxBase64: 500 },
    'sha256:aa image image/png,image/jpeg 800 500',
  ],
  [
    { to: 'tiles', asset, grid, types: ['image/png', 'image/jpeg'], maxBase64: 7 },
    'sha256:aa tiles 2x3 1.5 8 9 image/png,image/jpeg 7',
  ],
];

test.each(keys)('%j is named by all that makes it', (need, key) => {
  expect(renditionKey(need)).toBe(key);
});

const blind = profileFor('ollama/llama3.1');
const named = (name: string): typeof asset => ({ ...asset, id: `sha256:${name}` as 'sha256:aa' });

function legible(blocks: readonly CarriedBlock[], profile = blind): string[] {
  return [
    ...legibleMedia(
      blocks.map((block) => ({ block, slot: 'result' })),
      profile,
    ),
  ];
}

test('words are read off pictures and documents that a model cannot see', () => {
  const document: DocumentBlock = { type: 'document', asset: named('paper') };
  expect(legible([{ ...picture, asset: named('shot') }, document])).toEqual(['sha256:shot', 'sha256:paper']);
  expect(legible([picture, document], profileFor('anthropic/claude-sonnet-4-5'))).toEqual([]);
});

test('not off those that somebody described, that lie elsewhere, that are no pictures or too small for letters', () => {
  expect(legible([{ ...picture, fallback: 'a red door' }])).toEqual([]);
  expect(legible([reference])).toEqual([]);
  expect(legible([{ type: 'audio', asset, seconds: 1 }])).toEqual([]);
  expect(
    legible([
      { ...picture, width: 15 },
      { ...picture, height: 15 },
    ]),
  ).toEqual([]);
  expect(legible([{ ...picture, width: 16, height: 16 }])).toEqual(['sha256:aa']);
});

test('a document that the model takes needs no reading', () => {
  const reads = {
    ...blind,
    media: { ...blind.media, document: { ...blind.media.document, result: 'inside' as const } },
  };
  expect(legible([{ type: 'document', asset }], reads)).toEqual([]);
});

test('only the four newest', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((name): ImageBlock => ({ ...picture, asset: named(name) }));
  expect(legible(five)).toEqual(['sha256:b', 'sha256:c', 'sha256:d', 'sha256:e']);
});
