// Events that are read unparsed are read as if they had been parsed, however they are spelt and wherever chunks end.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '../../src/message/event.ts';
import { frames } from '../../src/wire/framing/detect.ts';
import { mouldOf } from '../../src/wire/mould.ts';
import { wires } from '../../src/wire/registry.ts';
import type { WireName } from '../../src/window/profile.ts';
import { author, decodeAll, decodeChunks, inPieces } from './recordings.ts';

type Piece = (text: string, at: number) => object;

const chat =
  (field: string): Piece =>
  (text, at) => ({
    id: 'c1',
    created: 1_700_000_000 + Math.floor(at / 3),
    choices: [{ index: 0, delta: { [field]: text, role: 'assistant', tool_calls: null }, finish_reason: null }],
    usage: { prompt_tokens: 7, completion_tokens: at, total_tokens: 7 + at },
    obfuscation: 'x'.repeat(at % 5),
  });

const gemini =
  (more: object): Piece =>
  (text, at) => ({
    candidates: [{ content: { role: 'model', parts: [{ text, ...more }] }, index: 0 }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: at, totalTokenCount: 7 + at },
    responseId: 'r1',
  });

const anthropic =
  (type: string, field: string): Piece =>
  (text) => ({ type: 'content_block_delta', index: 0, delta: { type, [field]: text } });

const responses =
  (type: string): Piece =>
  (delta, sequence_number) => ({ type, sequence_number, output_index: 0, delta, obfuscation: 'ab'.repeat(5) });

const opened = (content_block: object): object[] => [
  { type: 'message_start', message: { id: 'm1' } },
  { type: 'content_block_start', index: 0, content_block },
];

function startOf(index: number): object {
  return { type: 'content_block_start', index, content_block: { type: 'text' } };
}

function deltaOf([index, text]: readonly [number, string]): object {
  return { type: 'content_block_delta', index, delta: { type: 'text_delta', text } };
}

/** The pieces of each wire, between what comes before them and what ends them. */
const streams: [string, WireName, object[], Piece, object[]][] = [
  ['a text of Anthropic', 'anthropic-messages', opened({ type: 'text' }), anthropic('text_delta', 'text'), []],
  [
    'a thought of Anthropic',
    'anthropic-messages',
    opened({ type: 'thinking' }),
    anthropic('thinking_delta', 'thinking'),
    [],
  ],
  [
    'a call of Anthropic',
    'anthropic-messages',
    opened({ type: 'tool_use', id: 'c', name: 'n' }),
    anthropic('input_json_delta', 'partial_json'),
    [],
  ],
  ['a text of Chat Completions', 'openai-chat', [], chat('content'), []],
  ['a thought of Chat Completions', 'openai-chat', [], chat('reasoning_content'), [chat('content')('so', 1)]],
  [
    'a text of Responses',
    'openai-responses',
    [{ type: 'response.output_item.added', output_index: 0, item: { type: 'message' } }],
    responses('response.output_text.delta'),
    [],
  ],
  [
    'a call of Responses',
    'openai-responses',
    [{ type: 'response.output_item.added', output_index: 0, item: { type: 'function_call', call_id: 'c', name: 'n' } }],
    responses('response.function_call_arguments.delta'),
    [],
  ],
  ['a text of Gemini', 'gemini', [], gemini({}), [{ candidates: [{ finishReason: 'STOP' }] }]],
  ['a thought of Gemini', 'gemini', [], gemini({ thought: true }), [{ candidates: [{ finishReason: 'STOP' }] }]],
  [
    'a text of Ollama',
    'ollama',
    [],
    (content, at) => ({ created_at: `2026-01-01T00:00:${at}Z`, message: { role: 'assistant', content }, done: false }),
    [{ message: {}, done: true }],
  ],
];

const spellings: ((event: object) => string)[] = [
  (event) => JSON.stringify(event),
  (event) => JSON.stringify(event, undefined, 1).replaceAll(/\n\s*/g, ' '),
  (event) =>
    JSON.stringify(event).replaceAll(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
];

const framings: ((json: string) => string)[] = [
  (json) => `data: ${json}\n\n`,
  (json) => `event: piece\ndata:${json}\n\n`,
  (json) => `: still here\r\ndata: ${json}\r\n\r\n`,
  (json) => `${json}\n`,
];

const words = fc.oneof(
  fc.constantFrom('', ' ', 'the', 'text', 'delta', ',', ':', '"', '\\', '{"a": "b\\n"}', '\n', '}', '\u2028', '“no”'),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 12 }),
);

describe('an event that is the last one with other words in it', () => {
  test.each(streams)('is read as if it had been parsed: %s', (_, wire, before, piece, after) => {
    const property = fc.property(
      fc.array(words, { minLength: 3, maxLength: 30 }),
      fc.constantFrom(...spellings),
      fc.constantFrom(...framings),
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 }),
      fc.nat(8),
      (texts, spell, frame, sizes, odd) => {
        // Every so often, something else comes between.
        const pieces = texts.flatMap((text, at) => [piece(text, at), ...(at % 9 === odd ? [{ type: 'ping' }] : [])]);
        const events = [...before, ...pieces, ...after];
        // A stream of values one a line is told by its first byte, and has no lone surrogates to begin with.
        const bytes = new TextEncoder().encode(events.map((event) => frame(spell(event))).join(''));
        const parsed = events.map((event) =>
          JSON.parse(new TextDecoder().decode(new TextEncoder().encode(spell(event)))),
        );
        expect(decodeChunks(wire, inPieces(bytes, sizes))).toEqual(decodeAll(wire, parsed));
      },
    );
    fc.assert(property, { numRuns: 60, seed: 11 });
  });

  test('belongs to the block that it names, while several grow in turn', () => {
    const property = fc.property(
      fc.array(fc.tuple(fc.nat(1), words), { minLength: 3, maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 }),
      (pieces, sizes) => {
        const events = [
          { type: 'message_start', message: { id: 'm1' } },
          startOf(0),
          startOf(1),
          ...pieces.map(deltaOf),
        ];
        const bytes = new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
        expect(decodeChunks('anthropic-messages', inPieces(bytes, sizes))).toEqual(
          decodeAll('anthropic-messages', JSON.parse(JSON.stringify(events))),
        );
      },
    );
    fc.assert(property, { numRuns: 200, seed: 12 });
  });

  test.each(streams)('is seldom parsed: %s', (_, wire, before, piece, after) => {
    const events = [...before, ...Array.from({ length: 1000 }, (__, at) => piece(`word ${at}\n`, at)), ...after];
    const bytes = new TextEncoder().encode(
      events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    );
    const decoder = wires[wire].decode(author);
    const told: ModelEvent[] = [];
    let parsed = 0;
    const framed = frames(
      (event, source) => {
        parsed++;
        told.push(...decoder.push(event, source));
      },
      (text, start) => decoder.again?.(text, start, (event) => void told.push(event)) ?? start ?? 0,
    );
    for (const chunk of inPieces(bytes, [4096])) framed.push(chunk);
    expect(told.filter(({ type }) => type === 'block-delta').length).toBeGreaterThanOrEqual(1000);
    expect(parsed).toBeLessThan(20);
  });
});

describe('a mould', () => {
  const event = { type: 'delta', index: 0, seq: 5, text: 'Hi' };
  const source = { text: JSON.stringify(event), before: 'data: ', after: '\n\n' };
  const mould = mouldOf(source, event, ['text'], ['seq']);
  const wordsIn = (text: string): string[] => {
    const found: string[] = [];
    mould?.read(text, undefined, (one) => void found.push(one));
    return found;
  };

  test.each([
    ['other words', '{"type":"delta","index":0,"seq":5,"text":"Ho"}', ['Ho']],
    ['escapes', String.raw`{"type":"delta","index":0,"seq":5,"text":"a\n\"b\" \ud83d\ude00"}`, ['a\n"b" 😀']],
    ['another number where it does not matter', '{"type":"delta","index":0,"seq":60,"text":"Ho"}', ['Ho']],
    ['another number where it matters', '{"type":"delta","index":1,"seq":5,"text":"Ho"}', []],
    ['one field more', '{"type":"delta","index":0,"seq":5,"text":"Ho","more":1}', []],
    ['another order', '{"index":0,"type":"delta","seq":5,"text":"Ho"}', []],
    ['an escape that is none', String.raw`{"type":"delta","index":0,"seq":5,"text":"\x"}`, []],
    ['a number that is none', '{"type":"delta","index":0,"seq":05,"text":"Ho"}', []],
    ['a raw tab', '{"type":"delta","index":0,"seq":5,"text":"a\tb"}', []],
    ['no end', '{"type":"delta","index":0,"seq":5,"text":"Ho"', []],
    ['two values', '{"type":"delta","index":0,"seq":5,"text":"Ho"}{}', []],
  ])('with %s', (_, text, found) => {
    expect(wordsIn(text)).toEqual(found);
  });

  test('reads as many events as fit, says where they end, and knows the last one', () => {
    const one = (text: string, seq: number): string => `data: ${JSON.stringify({ ...event, seq, text })}\n\n`;
    const fitting = one('a', 6) + one('b', 7);
    const found: string[] = [];
    expect(mould?.read(`${fitting}data: {}\n\n`, 0, (text) => void found.push(text))).toBe(fitting.length);
    expect(found).toEqual(['a', 'b']);
    expect(mould?.last()).toEqual({ ...event, seq: 7, text: 'b' });
  });

  test.each([
    ['the words stand in it twice', { text: 'index', index: 0 }],
    ['the words are no words', { text: 5 }],
    ['it is very long', { text: 'Hi', more: 'x'.repeat(20_000) }],
  ])('is not made where %s', (_, odd) => {
    expect(mouldOf({ ...source, text: JSON.stringify(odd) }, odd, ['text'], [])).toBeUndefined();
  });

  test('is not made of something that looks like the words, which are spelt in another way', () => {
    for (const text of [String.raw`{"Hi":0,"text":"\u0048i"}`, String.raw`{"a":"x","text":"\u002c"}`])
      expect(mouldOf({ ...source, text }, JSON.parse(text), ['text'], [])).toBeUndefined();
  });

  test('is not asked to read a text that is too long for a pattern', () => {
    const long = `data: ${JSON.stringify({ ...event, text: '"'.repeat(700_000) })}\n\n`;
    expect(mould?.read(long, 0, () => undefined)).toBe(0);
    const fits = `data: ${JSON.stringify({ ...event, text: '"'.repeat(500_000) })}\n\n`;
    expect(mould?.read(fits, 0, () => undefined)).toBe(fits.length);
  });
});
