// What real providers answered, decoded. Judges are the recordings themselves, the vendors' own SDKs where these put a
// stream together, and every other way in which the same bytes may arrive.
import { readFileSync } from 'node:fs';
import { BetaMessageStream } from '@anthropic-ai/sdk/lib/BetaMessageStream';
import * as fc from 'fast-check';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { describe, expect, test } from 'vitest';
import type { Block } from '../../src/content/block.ts';
import { isRecord } from '../../src/content/json.ts';
import { collector } from '../../src/message/collect.ts';
import type { ModelEvent } from '../../src/message/event.ts';
import type { AssistantMessage } from '../../src/message/message.ts';
import { bytesOf, decodeAll, decodeChunks, foreign, inPieces, recordings } from './recordings.ts';
import type { Recording } from './recordings.ts';

type Exceptions = Record<'broken' | 'edited' | 'differ' | 'sdk', { recording: string; why: string }[]>;

const exceptions: Exceptions = JSON.parse(readFileSync(new URL('decode-exceptions.json', import.meta.url), 'utf8'));

function excused(kind: keyof Exceptions, name: string): boolean {
  return exceptions[kind].some(({ recording }) => recording === name);
}

function messageOf(events: readonly ModelEvent[]): AssistantMessage {
  const collected = collector();
  for (const event of events) collected.push(event);
  return collected.message();
}

const streams = recordings.filter(({ stream }) => stream);

describe.skipIf(recordings.length === 0)('a recorded answer', () => {
  test('is complete, or is the error that it tells of', () => {
    const wrong = recordings.filter((recording) => {
      const last = decodeAll(recording.wire, recording.events).at(-1)?.type;
      const fails = recording.isError || excused('broken', recording.name);
      return last !== (fails ? 'message-error' : 'message-end');
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(recordings.length).toBeGreaterThan(120);
    expect(foreign.length).toBe(15);
  });

  test('is told in good order: every block starts, grows and ends once, and its deltas are its text', () => {
    for (const { wire, events, name } of recordings)
      if (!excused('edited', name)) expect(disorder(decodeAll(wire, events)), name).toEqual([]);
  });

  test('gives the same events from bytes, whatever their chunks', () => {
    for (const recording of recordings) {
      const events = decodeAll(recording.wire, recording.events);
      const bytes = bytesOf(recording);
      const sizes = fc.sample(fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 20 }), {
        numRuns: 2,
        seed: bytes.length,
      });
      for (const pieces of bytes.length < 8000 ? [[1], ...sizes] : sizes)
        expect(decodeChunks(recording.wire, inPieces(bytes, pieces)), recording.name).toEqual(events);
    }
  });

  test('gives the same events with CRLF, a byte order mark, comments and no last empty line', () => {
    for (const recording of streams) {
      const text = new TextDecoder().decode(bytesOf(recording)).replace(/\n\n/g, '\n\n: still here\n\n').trimEnd();
      const dressed = new TextEncoder().encode(`\u{feff}${text.replaceAll('\n', '\r\n')}`);
      const events = decodeChunks(recording.wire, inPieces(dressed, [997]));
      expect(events, recording.name).toEqual(decodeAll(recording.wire, recording.events));
    }
  });

  test('is cut off when it ends early: never complete, and no half call is left', () => {
    for (const recording of streams) {
      const cuts = fc.sample(fc.integer({ min: 0, max: recording.events.length - 2 }), { numRuns: 5, seed: 7 });
      for (const cut of cuts) {
        const events = decodeAll(recording.wire, recording.events.slice(0, cut));
        const last = events.at(-1);
        const complete = last?.type === 'message-end';
        // Words for the end may come one event before the end itself.
        if (!complete) expect(last, recording.name).toMatchObject({ type: 'message-error', retryable: true });
        else expect(cut, recording.name).toBeGreaterThan(recording.events.length - 5);
        const calls = messageOf(events).content.filter((block) => block.type === 'call');
        const whole = messageOf(decodeAll(recording.wire, recording.events)).content;
        for (const call of calls) expect(whole, recording.name).toContainEqual(call);
      }
    }
  });
});

describe.skipIf(recordings.length === 0)('an answer in which anything may be anything', () => {
  test.each(['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'] as const)(
    'still has one last event, and nothing throws: %s',
    (wire) => {
      const samples = recordings.filter((recording) => recording.wire === wire && recording.events.length < 60);
      const property = fc.property(
        fc.constantFrom(...samples),
        fc.infiniteStream(fc.nat(200)),
        fc.infiniteStream(oddity),
        (sample, when, what) => {
          const events = decodeAll(
            wire,
            sample.events.map((event) => spoilt(event, when, what)),
          );
          const last = events.filter(({ type }) => type === 'message-end' || type === 'message-error');
          expect(last).toEqual(events.slice(-1));
        },
      );
      fc.assert(property, { numRuns: 150, seed: 5 });
    },
  );
});

const oddity = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(undefined, null, 0, '', [], {}, [null], 'text'));

/** A value with some of what it holds replaced. */
function spoilt(value: unknown, when: Iterator<number>, what: Iterator<unknown>): unknown {
  if (when.next().value === 0) return what.next().value;
  if (Array.isArray(value)) return value.map((item) => spoilt(item, when, what));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, spoilt(item, when, what)]));
}

/** What is out of order in a row of events. */
function disorder(events: readonly ModelEvent[]): string[] {
  const open = new Map<number, string>();
  const types = new Map<number, string>();
  const wrong: string[] = [];
  for (const [at, event] of events.entries()) {
    if (event.type === 'message-start' && at > 0) wrong.push('a second start');
    if (event.type === 'block-start') {
      if (open.has(event.index)) wrong.push(`block ${event.index} starts twice`);
      open.set(event.index, '');
      types.set(event.index, event.block.type);
    }
    if (event.type === 'block-delta' && event.kind !== types.get(event.index)) wrong.push(`a piece of ${event.kind}`);
    if (event.type === 'block-delta') open.set(event.index, `${open.get(event.index) ?? '?'}${event.text}`);
    if (event.type === 'block-end') {
      const grown = open.get(event.index);
      if (grown !== undefined && !says(event.block, grown)) wrong.push(`block ${event.index} is not its deltas`);
      if (grown === undefined) wrong.push(`block ${event.index} ends without a start`);
      open.delete(event.index);
    }
    const last = event.type === 'message-end' || event.type === 'message-error';
    if (last !== (at === events.length - 1)) wrong.push(`${event.type} at ${at} of ${events.length}`);
    if (event.type === 'message-end' && open.size > 0) wrong.push('blocks are left open');
  }
  return wrong;
}

function says(block: Block, grown: string): boolean {
  if (block.type === 'text' || block.type === 'thinking') return block.text === grown;
  if (block.type !== 'call') return grown === '';
  return JSON.stringify(grown === '' ? {} : JSON.parse(grown)) === JSON.stringify(block.input);
}

describe.skipIf(recordings.length === 0)('a stream and a whole body', () => {
  test('of one exchange of the Responses API are the same message', () => {
    let compared = 0;
    for (const recording of streams.filter(({ wire }) => wire === 'openai-responses')) {
      if (excused('differ', recording.name)) continue;
      const body = recording.events.find(({ type }) => type === 'response.completed')?.['response'];
      const fromStream = unencrypted(messageOf(decodeAll(recording.wire, recording.events)));
      expect(unencrypted(messageOf(decodeAll(recording.wire, [body]))), recording.name).toEqual(fromStream);
      compared++;
    }
    expect(compared).toBeGreaterThan(20);
  });

  test("are the same message where Anthropic's SDK has put the stream together", async () => {
    for (const recording of streams.filter(({ wire }) => wire === 'anthropic-messages')) {
      if (excused('broken', recording.name) || excused('sdk', recording.name)) continue;
      const body = await BetaMessageStream.fromReadableStream(lines(recording)).finalMessage();
      const fromStream = messageOf(decodeAll(recording.wire, recording.events));
      expect(messageOf(decodeAll(recording.wire, [plain(body)])), recording.name).toEqual(fromStream);
    }
  });

  test("are the same message where OpenAI's SDK has put the stream together", async () => {
    for (const recording of streams.filter(({ wire }) => wire === 'openai-chat')) {
      if (excused('sdk', recording.name)) continue;
      const body = await ChatCompletionStream.fromReadableStream(lines(recording)).finalChatCompletion();
      const fromStream = spoken(messageOf(decodeAll(recording.wire, recording.events)));
      expect(spoken(messageOf(decodeAll(recording.wire, [plain(body)]))), recording.name).toEqual(fromStream);
    }
  });

  test('with one name, of two exchanges, hold the same kinds of blocks', () => {
    const differ = streams.flatMap((recording) => {
      const whole = recordings.find(({ base, stream }) => base === recording.base && !stream);
      if (!whole) return [];
      const same = JSON.stringify(kinds(whole)) === JSON.stringify(kinds(recording));
      return same ? [] : [recording.name];
    });
    expect(differ.filter((name) => !excused('differ', name))).toEqual([]);
  });
});

/** What the provider encrypts is encrypted anew each time it is told. */
function unencrypted(message: AssistantMessage): unknown {
  const hidden = new Set(['encrypted_content', 'fingerprint']);
  return JSON.parse(JSON.stringify(message, (field, value) => (hidden.has(field) ? typeof value : value)));
}

/** Without its thinking: OpenAI's SDK does not put it together. */
function spoken(message: AssistantMessage): AssistantMessage {
  return { ...message, content: message.content.filter((block) => block.type !== 'thinking') };
}

function kinds(recording: Recording): string[] {
  const { content, stop } = messageOf(decodeAll(recording.wire, recording.events));
  const named = content.map((block) => {
    const item = block.type === 'sealed' ? block.seal.item : undefined;
    return isRecord(item) && typeof item['type'] === 'string' ? item['type'] : block.type;
  });
  return [...new Set(named)].toSorted().concat(stop ?? '');
}

function lines({ events }: Recording): ReadableStream {
  const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  return new Blob([text]).stream();
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
