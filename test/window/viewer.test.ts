// Clients of a tool server, as far as all of them take the same.
import { expect, test } from 'vitest';
import type { MediaBlock } from '../../src/content/block.ts';
import { keptAtHome } from '../../src/content/words.ts';
import { decide } from '../../src/window/decide.ts';
import type { Decision } from '../../src/window/decide.ts';
import { blindMcpClient, mcpClient } from '../../src/window/viewer.ts';
import type { Viewer } from '../../src/window/viewer.ts';

function asset(mediaType: string, size = 3000): MediaBlock['asset'] {
  return { id: 'sha256:aa', mediaType, size };
}

function decided(block: MediaBlock, profile: Viewer): Decision | undefined {
  return decide(block, 'result', {
    profile,
    facts: new Map(),
    need: () => undefined,
    gone: new Set(),
    viewable: false,
  });
}

const picture = (type: string, size?: number): MediaBlock => ({
  type: 'image',
  asset: asset(type, size),
  width: 9,
  height: 9,
});
const sound = (type: 'audio' | 'video', size?: number): MediaBlock => ({
  type,
  asset: asset(`${type}/x`, size),
  seconds: 1,
});

test('pictures of four types go as they are, sounds and films of any', () => {
  for (const type of ['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
    expect(decided(picture(type), mcpClient)).toMatchObject({ place: 'inside', action: 'inside' });
  expect(decided(picture('image/tiff'), mcpClient)?.place ?? 'asked').not.toBe('inside');
  for (const kind of ['audio', 'video'] as const)
    expect(decided(sound(kind), mcpClient)).toMatchObject({ place: 'inside', action: 'inside' });
});

test('what is too large for most of them does not go as it is', () => {
  expect(decided(sound('audio', 7_499_999), mcpClient)?.place).toBe('inside');
  expect(decided(sound('video', 7_499_999), mcpClient)?.place).toBe('inside');
  expect(decided(sound('audio', 7_500_001), mcpClient)?.place).toBe('words');
  expect(decided(sound('video', 7_500_001), mcpClient)?.place).toBe('words');
  expect(mcpClient.media.image.maxBase64).toBe(5_000_000);
  expect(mcpClient.media.document).toMatchObject({ result: 'words', maxBase64: 10_000_000 });
  expect(mcpClient.media.document.types.length).toBe(1);
});

test('its words name it, a document goes as text first, and of one that has none come five pages', () => {
  expect(mcpClient).toMatchObject({ id: 'this client', details: [], defaultDetail: 'auto', textFirst: { pages: 5 } });
});

test('where pictures stay at home, nothing that shows one goes, and the reason is told', () => {
  expect(decided(picture('image/png'), blindMcpClient)).toMatchObject({ place: 'words', why: keptAtHome });
  expect(decided(sound('video'), blindMcpClient)?.place).toBe('words');
  expect(decided(sound('audio'), blindMcpClient)?.place).toBe('inside');
  for (const kind of ['image', 'document', 'video'] as const)
    expect(blindMcpClient.media[kind]).toMatchObject({ types: [], result: 'words' });
});
