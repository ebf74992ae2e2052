// Bytes into events, whatever the framing and wherever the chunks end.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeEvents } from '../../src/wire/decode.ts';
import { frames } from '../../src/wire/framing/detect.ts';
import type { Splitter } from '../../src/wire/framing/splitter.ts';
import { wires } from '../../src/wire/registry.ts';
import { cpuMs } from '../cpu.ts';
import { author, decodeAll, inPieces } from './recordings.ts';

function eventsOf(chunks: Iterable<Uint8Array>, maxBytes?: number): { events: unknown[]; wrong: string | undefined } {
  const events: unknown[] = [];
  const framed = frames((event) => void events.push(event), { maxBytes });
  for (const chunk of chunks) {
    const wrong = framed.push(chunk);
    if (wrong) return { events, wrong: wrong.code };
  }
  return { events, wrong: framed.end()?.code };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const rows: [string, string, unknown[]][] = [
  ['server-sent events', 'data: {"a":1}\n\ndata: {"a":2}\n\n', [{ a: 1 }, { a: 2 }]],
  ['events with names, ids, comments and retries', ': hi\n\nevent: x\nid: 1\nretry: 5\ndata: {"a":1}\n\n', [{ a: 1 }]],
  ['CRLF', 'data: {"a":1}\r\n\r\ndata: {"a":2}\r\n\r\n', [{ a: 1 }, { a: 2 }]],
  ['CR alone', 'data: {"a":1}\r\rdata: {"a":2}\r\r', [{ a: 1 }, { a: 2 }]],
  ['a byte order mark', '\u{feff}data: {"a":1}\n\n', [{ a: 1 }]],
  ['white space before all', '\n\n  \ndata: {"a":1}\n\n', [{ a: 1 }]],
  ['data without a space', 'data:{"a":1}\n\n', [{ a: 1 }]],
  ['data on several lines', 'data: {"a":\ndata: 1}\n\n', [{ a: 1 }]],
  ['no empty line between events', 'data: {"a":1}\ndata: {"a":2}\n\n', [{ a: 1 }, { a: 2 }]],
  ['no empty line at the end', 'data: {"a":1}\n\ndata: {"a":2}', [{ a: 1 }, { a: 2 }]],
  ['an end in mid-event', 'data: {"a":1}\n\ndata: {"a":', [{ a: 1 }]],
  ['the mark of the end', 'data: {"a":1}\n\ndata: [DONE]\n\n', [{ a: 1 }, '[DONE]']],
  [
    'the mark of the end, and no empty line before it',
    'data: {"a":1}\ndata: {"a":2}\ndata: [DONE]\n\n',
    [{ a: 1 }, { a: 2 }, '[DONE]'],
  ],
  ['empty data', 'data:\n\ndata: \n\ndata: {"a":1}\n\n', [{ a: 1 }]],
  ['an error only by name', 'event: error\ndata: {"message":"Oh."}\n\n', [{ error: { message: 'Oh.' } }]],
  ['an error in words', 'event: error\ndata: Oh.\n\n', [{ error: 'Oh.' }]],
  ['a bare line of JSON between events', 'data: {"a":1}\n\n{"error":"Oh."}\n', [{ a: 1 }, { error: 'Oh.' }]],
  ['a JSON value a line', '{"a":1}\n{"a":"}{\\"\\\\"}\n', [{ a: 1 }, { a: '}{"\\' }]],
  ['JSON values without lines', '{"a":1}{"a":[2]}', [{ a: 1 }, { a: [2] }]],
  ['a whole body on many lines', '{\n  "a": {\n    "b": []\n  }\n}\n', [{ a: { b: [] } }]],
  ['an array of values', '[{"a":1}\n,\n{"a":[{"b":"]"}]}\n]', [{ a: 1 }, { a: [{ b: ']' }] }]],
  ['an array that breaks off', '[{"a":1},{"a":', [{ a: 1 }]],
  ['characters of every width', 'data: {"a":"é€😀"}\n\n', [{ a: 'é€😀' }]],
  ['nothing', '', []],
];

describe('framing', () => {
  test.each(rows)('%s', (_, text, events) => {
    expect(eventsOf([bytes(text)])).toEqual({ events, wrong: undefined });
    expect(eventsOf(inPieces(bytes(text), [1]))).toEqual({ events, wrong: undefined });
  });

  test('does not care where chunks end', () => {
    const text =
      rows
        .slice(0, 2)
        .map(([, row]) => row)
        .join('') + 'data: {"a":"😀"}\n\n'.repeat(20);
    const all = eventsOf([bytes(text)]);
    expect(all.events.length).toBe(23);
    const property = fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
      expect(eventsOf(inPieces(bytes(text), sizes))).toEqual(all);
    });
    fc.assert(property, { numRuns: 200, seed: 1 });
  });

  test.each([
    ['an event that is no JSON', 'data: {"a":1}\n\ndata: {"a"\n\ndata: {"a":2}\n\n'],
    ['a page', '<!doctype html>\n<html></html>\n'],
    ['words', 'Internal Server Error'],
    ['a value that is no JSON', '{"a":1}\n{"a":nope}\n{"a":2}'],
  ])('tells of %s', (_, text) => {
    const { events, wrong } = eventsOf([bytes(text)]);
    expect(wrong).toBe('malformed');
    expect(events.length).toBeLessThan(2);
  });

  test.each([
    ['server-sent events', 'data: "', 'x'],
    ['many lines of one event', 'data: "', 'x\ndata: '],
    ['JSON', '{"a":"', 'x'],
  ])('bounds one event: %s', (_, head, more) => {
    const chunk = bytes(more.repeat(512));
    function* endless(): Generator<Uint8Array> {
      yield bytes(head);
      for (;;) yield chunk;
    }
    expect(eventsOf(endless(), 1024 * 1024)).toEqual({ events: [], wrong: 'malformed' });
  });

  test('takes a large event in small chunks without copying it again and again', async () => {
    const value = 'x'.repeat(8 * 1024 * 1024);
    const taken = await cpuMs(() => {
      const { events } = eventsOf(inPieces(bytes(`data: {"a":"${value}"}\n\n`), [1024]));
      expect(events).toEqual([{ a: value }]);
    });
    expect(taken).toBeLessThan(10_000);
  });
});

/** Reads events that stand behind their length. */
function split(emit: (text: string) => void): Splitter {
  let held = Buffer.alloc(0);
  return {
    push(more) {
      held = Buffer.concat([held, more]);
      while (held.length >= 4 && held.length >= 4 + held.readUInt32BE()) {
        const end = 4 + held.readUInt32BE();
        emit(held.toString('utf8', 4, end));
        held = held.subarray(end);
      }
    },
    end: () => undefined,
    waiting: () => held.length,
    stray: () => '',
  };
}
describe('a binary framing', () => {
  const events = [
    { type: 'message_start', message: { id: 'm1' } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße 😀' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ];
  const contentType = 'application/vnd.example.frames';

  /** Each event behind its length, as four bytes. */
  function framed(): Uint8Array<ArrayBuffer> {
    const parts = events.flatMap((event) => {
      const json = Buffer.from(JSON.stringify(event));
      const length = Buffer.alloc(4);
      length.writeUInt32BE(json.length);
      return [length, json];
    });
    return new Uint8Array(Buffer.concat(parts));
  }

  const wire = { ...wires['anthropic-messages'], framing: { contentType, split } };

  async function read(body: Uint8Array<ArrayBuffer>, type: string): Promise<unknown[]> {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of inPieces(body, [3, 50, 1])) controller.enqueue(piece);
        controller.close();
      },
    });
    const answer = new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>, {
      headers: { 'content-type': type },
    });
    return Array.fromAsync(decodeEvents(wire, author, answer));
  }

  test('is chosen by its media type, and reads what a stream of text would give', async () => {
    const expected = decodeAll('anthropic-messages', events);
    expect(expected.at(-1)).toMatchObject({ type: 'message-end', stop: 'end' });
    expect(await read(framed(), `${contentType}; version=1`)).toEqual(expected);
  });

  test('leaves text alone that comes in its place, as an error or from a gateway', async () => {
    const text = bytes(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')) as Uint8Array<ArrayBuffer>;
    expect(await read(text, 'text/event-stream')).toEqual(decodeAll('anthropic-messages', events));
  });
});
