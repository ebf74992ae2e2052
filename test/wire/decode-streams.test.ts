// Events are read the same from bytes as from objects, however they are spelt and framed and wherever chunks end.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WireName } from '../../src/window/profile.ts';
import { decodeAll, decodeChunks, inPieces } from './recordings.ts';

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

describe('a stream of many small events', () => {
  test.each(streams)('is read from bytes as from objects: %s', (_, wire, before, piece, after) => {
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

  test('gives each its block, while several grow in turn', () => {
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
});
