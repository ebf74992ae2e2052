// Recorded answers of real providers, from the shared corpora: one JSON event a line, a raw event stream, or a whole body.
import { readFileSync } from 'node:fs';
import type { ModelEvent } from '../../src/message/event.ts';
import { frames } from '../../src/wire/framing/detect.ts';
import { wires } from '../../src/wire/registry.ts';
import type { SentFrame } from '../../src/wire/emitter.ts';
import type { WireName } from '../../src/window/profile.ts';
import type { Author } from '../../src/wire/accepted.ts';
import { sharedFile } from '../judge/shared-folder.ts';

export type Recording = {
  name: string;
  wire: WireName;
  /** The same exchange in two forms has the same base. */
  base: string;
  stream: boolean;
  isError: boolean;
  /** The parsed events of a stream, or the one body. */
  events: readonly Record<string, unknown>[];
};

type Entry = { file: string; expect: { wire: string; stream: boolean; events?: number; error?: boolean } };

const manifest = sharedFile('corpora/manifest.json');

if (manifest === undefined)
  console.warn('The corpora are absent (set SIGHTLINE_SHARED): tests that need recorded answers are skipped.');

const entries: Entry[] = manifest === undefined ? [] : JSON.parse(readFileSync(manifest, 'utf8'));

const known = (name: string): WireName | undefined => {
  if (name === 'gemini-generate') return 'gemini';
  return Object.hasOwn(wires, name) ? (name as WireName) : undefined;
};

/** Recordings of dialects that we have no wire for. */
export const foreign: string[] = entries
  .filter(({ file, expect }) => file.startsWith('streams/') && known(expect.wire) === undefined)
  .map(({ file }) => file.slice('streams/'.length));

export const recordings: Recording[] = entries.flatMap(({ file, expect }): Recording[] => {
  const wire = file.startsWith('streams/') ? known(expect.wire) : undefined;
  const path = sharedFile(`corpora/${file}`);
  if (wire === undefined || path === undefined) return [];
  const name = file.slice('streams/'.length);
  const base = name.replace(/\.(chunks\.txt|json|sse)$/, '');
  const text = readFileSync(path, 'utf8');
  const events = expect.stream ? eventsIn(name, text) : [JSON.parse(text)];
  if (expect.stream && events.length !== expect.events) throw new Error(`${name} has ${events.length} events`);
  return [{ name, wire, base, stream: expect.stream, isError: expect.error ?? false, events: firstAnswer(events) }];
});

/** Some recordings hold several answers in a row. */
function firstAnswer(events: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] {
  const last = events.findIndex(({ type }) => type === 'message_stop' || type === 'response.completed');
  return last < 0 ? events : events.slice(0, last + 1);
}

function eventsIn(name: string, text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (!name.endsWith('.sse')) return lines.map((line) => JSON.parse(line));
  const data = lines.map((line) => line.replace(/^data: /, ''));
  return data.filter((line) => line !== '[DONE]').map((line) => JSON.parse(line));
}

/** A recording as the bytes a server would send. */
export function bytesOf({ events, stream, wire }: Recording): Uint8Array {
  const framed = events.map((event) => {
    const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  const done = wire === 'openai-chat' ? 'data: [DONE]\n\n' : '';
  return new TextEncoder().encode(stream ? framed.join('') + done : JSON.stringify(events[0], undefined, 2));
}

export const author: Author = { endpoint: 'somewhere', model: 'some-model' };

/** All events of an answer whose parsed events are given. */
export function decodeAll(wire: WireName, events: readonly unknown[], who: Author = author): ModelEvent[] {
  const decoder = wires[wire].decode(who);
  return [...events.flatMap((event) => decoder.push(event)), ...decoder.end()];
}

/** The same from bytes in chunks. */
export function decodeChunks(wire: WireName, chunks: Iterable<Uint8Array>): ModelEvent[] {
  const decoder = wires[wire].decode(author);
  const events: ModelEvent[] = [];
  const framed = frames((event) => void events.push(...(event === '[DONE]' ? decoder.end(true) : decoder.push(event))));
  for (const chunk of chunks) framed.push(chunk);
  framed.end();
  return [...events, ...decoder.end()];
}

/** Frames as they arrive. */
export async function* sent(all: readonly SentFrame[]): AsyncGenerator<SentFrame> {
  yield* all;
}

/** The bytes in pieces of the given sizes, over and over. */
export function* inPieces(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
