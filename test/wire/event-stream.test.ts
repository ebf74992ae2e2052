// Amazon's binary event stream: read and written as the vendor's own codec does, and damage is noticed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeEvents } from '../../src/wire/decode.ts';
import { eventMessage, eventStream } from '../../src/wire/framing/event-stream.ts';
import { sharedFile } from '../judge/shared-folder.ts';
import { author, inPieces } from './recordings.ts';

type Header = { type: string; value: unknown };
type Message = { headers: Record<string, Header>; body: Uint8Array };
type Codec = { encode: (message: Message) => Uint8Array; decode: (bytes: Uint8Array) => Message };
type Smithy = { EventStreamCodec: new (toUtf8: (bytes: Uint8Array) => string, fromUtf8: (text: string) => Uint8Array) => Codec }; // prettier-ignore

const required = createRequire(new URL('../judge/package.json', import.meta.url));
const { EventStreamCodec } = required('@smithy/eventstream-codec') as Smithy;
const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);

const name = fc.stringMatching(/^[a-z:-]{1,20}$/);
const other: fc.Arbitrary<Header> = fc.oneof(
  fc.constantFrom({ type: 'boolean', value: true }, { type: 'boolean', value: false }),
  fc.integer({ min: -128, max: 127 }).map((value) => ({ type: 'byte', value })),
  fc.integer({ min: -32_768, max: 32_767 }).map((value) => ({ type: 'short', value })),
  fc.integer().map((value) => ({ type: 'integer', value })),
  fc.date({ noInvalidDate: true }).map((value) => ({ type: 'timestamp', value })),
  fc.uuid().map((value) => ({ type: 'uuid', value })),
  fc.uint8Array({ maxLength: 300 }).map((value) => ({ type: 'binary', value })),
  fc.string({ maxLength: 300 }).map((value) => ({ type: 'string', value })),
);
const events = fc.record({
  event: fc.stringMatching(/^[a-zA-Z]{1,20}$/),
  payload: fc.dictionary(
    fc.string({ unit: 'grapheme' }),
    fc.json().map((text): unknown => JSON.parse(text)),
    {
      noNullPrototype: true,
    },
  ),
  headers: fc.dictionary(name, other, { maxKeys: 5, noNullPrototype: true }),
});

/** What is read of bytes that come in pieces, and what is wrong with them. */
function read(bytes: Uint8Array, sizes: readonly number[] = [bytes.length || 1]): { texts: string[]; wrong?: string } {
  const texts: string[] = [];
  const splitter = eventStream((text) => void texts.push(text));
  for (const piece of inPieces(bytes, sizes)) splitter.push(piece);
  const wrong = splitter.wrong?.();
  return { texts, ...(wrong !== undefined && { wrong }) };
}

test('what the codec of the vendor writes is read, with headers of every kind and in any pieces', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 4 }), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (all, sizes) => {
      const bytes = Buffer.concat(
        all.map(({ event, payload, headers }) =>
          codec.encode({
            headers: { ...headers, ':event-type': { type: 'string', value: event }, ':message-type': { type: 'string', value: 'event' } },
            body: Buffer.from(JSON.stringify(payload)),
          }),
        ),
      );
      const expected = all.map(({ event, payload }) => ({ [event]: payload }));
      const { texts, wrong } = read(bytes, sizes);
      expect({ wrong, events: texts.map((text): unknown => JSON.parse(text)) }).toEqual({ wrong: undefined, events: expected });
    }),
    { numRuns: 300 },
  );
}); // prettier-ignore

test('what is written here is the same bytes as the codec of the vendor writes', () => {
  fc.assert(
    fc.property(
      fc.dictionary(name, fc.string({ maxLength: 300 }), { maxKeys: 5, noNullPrototype: true }),
      fc.string({ unit: 'grapheme', maxLength: 500 }),
      (headers, payload) => {
        const typed = Object.fromEntries(
          Object.entries(headers).map(([key, value]) => [key, { type: 'string', value }]),
        );
        const theirs = codec.encode({ headers: typed, body: Buffer.from(payload) });
        expect(Buffer.from(eventMessage(headers, payload))).toEqual(Buffer.from(theirs));
      },
    ),
    { numRuns: 300 },
  );
});

const recorded = sharedFile('corpora/exchanges/bedrock-converse.jsonl');

function recordedStreams(): Buffer[] {
  const lines = recorded === undefined ? [] : readFileSync(recorded, 'utf8').split('\n');
  return lines.flatMap((line) => {
    const { response } = (line === '' ? {} : JSON.parse(line)) as { response?: { base64?: string } };
    return response?.base64 === undefined ? [] : [Buffer.from(response.base64, 'base64')];
  });
}

/** The messages of a stream, by the codec of the vendor. */
function theirMessages(bytes: Buffer): unknown[] {
  const out: unknown[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const { headers, body } = codec.decode(bytes.subarray(at, at + bytes.readUInt32BE(at)));
    out.push({ [String(headers[':event-type']?.value)]: JSON.parse(Buffer.from(body).toString()) });
  }
  return out;
}

test.skipIf(recorded === undefined)('recorded streams are read as the codec of the vendor reads them', () => {
  const streams = recordedStreams();
  expect(streams.length).toBeGreaterThan(3);
  for (const bytes of streams) {
    const expected = theirMessages(bytes);
    for (const sizes of [[1], [7, 100], [1000], [bytes.length]]) {
      const { texts, wrong } = read(bytes, sizes);
      expect({ wrong, read: texts.map((text): unknown => JSON.parse(text)) }).toEqual({ wrong: undefined, read: expected });
    }
  }
}); // prettier-ignore

const whole = Buffer.concat(
  ['Hello', 'Grüße 😀', '!'].map((text) =>
    eventMessage(
      { ':event-type': 'contentBlockDelta', ':content-type': 'application/json', ':message-type': 'event' },
      JSON.stringify({ contentBlockIndex: 0, delta: { text } }),
    ),
  ),
);

test('a bit that flips anywhere is noticed, and nothing of its message is handed on', () => {
  const { texts: all } = read(whole);
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    const { texts, wrong } = read(bytes);
    expect({ bit, wrong }).toEqual({ bit, wrong: expect.stringContaining('damaged') as string });
    expect(texts).toEqual(all.slice(0, texts.length));
    expect(texts.length).toBeLessThan(all.length);
  }
});

test.each([
  ['a flipped bit', whole.with(40, whole[40] === 0 ? 1 : 0), { code: 'malformed', message: expect.stringContaining('checksum') as string }],
  ['a length beyond belief', Uint8Array.from([255, 255, 255, 255, 0, 0, 0, 0, 1, 2, 3, 4]), { code: 'malformed', message: expect.stringContaining('damaged') as string }],
  ['an end in the middle', whole.subarray(0, whole.length - 3), { code: 'cut-off' }],
])('%s ends the answer with a sentence', async (_, bytes, error) => {
  const headers = { 'content-type': 'application/vnd.amazon.eventstream' };
  const response = new Response(new Uint8Array(bytes), { headers });
  const heard = await Array.fromAsync(decodeEvents('bedrock-converse', author, response));
  expect(heard.at(-1)).toMatchObject({ type: 'message-error', ...error });
}); // prettier-ignore

test('an exception in the stream is the trouble that it names', async () => {
  const bytes = eventMessage({ ':message-type': 'exception', ':exception-type': 'throttlingException' }, '{"message":"Too many tokens."}');
  const heard = await Array.fromAsync(decodeEvents('bedrock-converse', author, [bytes]));
  expect(heard).toMatchObject([{ type: 'message-error', code: 'rate-limited', message: 'Too many tokens.', retryable: true }]);
}); // prettier-ignore
