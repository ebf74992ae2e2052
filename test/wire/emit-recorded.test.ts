// Recorded answers of real providers, emitted again on the wire they came from: the blocks, with their seals, the cost
// and the end are those of the recording. On every other wire they say the same.
import { BetaMessageStream } from '@anthropic-ai/sdk/lib/BetaMessageStream';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { describe, expect, test } from 'vitest';
import type { Block } from '../../src/content/block.ts';
import type { ModelEvent } from '../../src/message/event.ts';
import { collector } from '../../src/message/collect.ts';
import type { WireName } from '../../src/window/profile.ts';
import { decodeEvents } from '../../src/wire/decode.ts';
import { wires } from '../../src/wire/registry.ts';
import type { SentFrame } from '../../src/wire/emitter.ts';
import { argumentsObject } from '../../src/wire/spelling.ts';
import { author, decodeAll, recordings, sent } from './recordings.ts';
import type { Recording } from './recordings.ts';
import exceptions from './decode-exceptions.json' with { type: 'json' };

const { edited } = exceptions;

/** What an answer holds, block by block. */
function held(events: readonly ModelEvent[], see: (content: readonly Block[]) => unknown): object {
  const collected = collector();
  for (const event of events) collected.push(event);
  const { content, usage } = collected.message();
  const last = events.at(-1);
  const end = last?.type === 'message-error' ? last.message : last?.type === 'message-end' && last.stop;
  return { content: see(content), usage, end };
}

/** Some things a stream has to tell before they are known, or only after; those are left out, wire by wire. */
const streamed: Record<WireName, (content: readonly Block[]) => unknown> = {
  // The id of an item.
  'openai-responses': (content) =>
    JSON.parse(JSON.stringify(content, (key, value: unknown) => (key === 'id' ? undefined : value))),
  // Fields of a call beside its id, name and input.
  'anthropic-messages': (content) =>
    content.map((block) => (block.type === 'call' ? { ...block, seal: undefined } : block)),
  // The name of the field for thoughts.
  'openai-chat': (content) =>
    content.map((block) => (block.type === 'thinking' ? { ...block, seal: undefined } : block)),
  // The signature of words, which comes after them as a block of its own.
  gemini: (content) => ({
    text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    signatures: JSON.stringify(content).match(/"thoughtSignature":"[^"]*"/g),
    others: content.filter(({ type }) => type === 'call' || type === 'thinking'),
  }),
  ollama: (content) => content,
  'bedrock-converse': (content) => content,
};

/** Everything. A whole message of Chat Completions is fields, and their order says nothing. */
function whole(content: readonly Block[]): unknown {
  return content.toSorted((one, other) => Number(other.type === 'thinking') - Number(one.type === 'thinking'));
}

async function emitted(text: string | readonly SentFrame[], { wire }: Recording): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of decodeEvents(wire, author, typeof text === 'string' ? text : sent(text)))
    events.push(event);
  return events;
}

test.skipIf(recordings.length === 0)('the recordings cover the four wires that were recorded', () => {
  expect(new Set(recordings.map(({ wire }) => wire)).size).toBe(4);
});

test.skipIf(recordings.length === 0).each(recordings.map((one) => [one.name, one] as const))(
  '%s',
  async (_name, one) => {
    const events = decodeAll(one.wire, one.events);
    const emitter = wires[one.wire].emit({ model: 'some-model' });
    const frames = [...events.flatMap(emitter.push), ...emitter.end()];
    const see = streamed[one.wire];
    expect(held(await emitted(frames, one), see)).toEqual(held(events, see));
    const last = events.at(-1);
    if (last?.type !== 'message-end') return;
    const collected = collector();
    for (const event of events) collected.push(event);
    const { body } = wires[one.wire].emit({ model: 'some-model' }).whole(collected.message());
    expect(held(await emitted(JSON.stringify(body), one), whole)).toEqual(held(events, whole));
  },
);

/** What an answer says in whichever dialect it is told. */
function told(events: readonly ModelEvent[]): { text: string; thinking: string; calls: object[] } {
  const collected = collector();
  for (const event of events) collected.push(event);
  const { content } = collected.message();
  const joined = (type: string): string =>
    content.flatMap((block) => (block.type === type && 'text' in block ? [block.text] : [])).join('');
  const calls = content.flatMap((block) =>
    block.type === 'call' ? [{ id: block.id, name: block.name, input: argumentsObject(block.input) }] : [],
  );
  return { text: joined('text'), thinking: joined('thinking'), calls };
}

/** The blocks that were begun and not ended, or ended and not begun. */
function unpaired(events: readonly ModelEvent[]): number[] {
  const open = new Set<number>();
  for (const event of events) if (event.type === 'block-start') open.add(event.index);
  for (const event of events) if (event.type === 'block-end' && !open.delete(event.index)) open.add(event.index);
  return [...open];
}

/** Those that came to their end, and whose pieces are what they say at it. */
const complete = recordings.filter(
  ({ name, wire, events }) =>
    decodeAll(wire, events).at(-1)?.type === 'message-end' && !edited.some(({ recording }) => recording === name),
);

describe.skipIf(recordings.length === 0).each(Object.keys(wires) as WireName[])('in the words of %s', (wire) => {
  const others = complete.filter((one) => one.wire !== wire);

  test.each(others.map((one) => [one.name, one] as const))('%s says the same', async (_name, one) => {
    const events = decodeAll(one.wire, one.events);
    const collected = collector();
    for (const event of events) collected.push(event);
    const emitter = wires[wire].emit({ model: 'some-model', mark: true });
    const frames = [...events.flatMap(emitter.push), ...emitter.end()];
    const heard = await emitted(frames, { ...one, wire });
    expect(told(heard)).toEqual(told(events));
    expect(unpaired(heard)).toEqual([]);
    const { body } = wires[wire].emit({ model: 'some-model', mark: true }).whole(collected.message());
    expect(told(await emitted(JSON.stringify(body), { ...one, wire }))).toEqual(told(events));
  });
});

/** Puts together, as its vendor's SDK does, what other providers have said. */
const vendors: [WireName, (lines: ReadableStream) => Promise<object>][] = [
  ['anthropic-messages', (lines) => BetaMessageStream.fromReadableStream(lines).finalMessage()],
  ['openai-chat', (lines) => ChatCompletionStream.fromReadableStream(lines).finalChatCompletion()],
];

test.skipIf(recordings.length === 0).each(vendors)("%s: the vendor's SDK puts it together", async (wire, together) => {
  for (const one of complete.filter((each) => each.wire !== wire)) {
    const events = decodeAll(one.wire, one.events);
    const emitter = wires[wire].emit({ model: 'some-model', mark: true });
    const data = events.flatMap(emitter.push).map((frame) => `${dataIn(String(frame))}\n`);
    const message = await together(new Blob(data).stream());
    const read = decodeAll(wire, [JSON.parse(JSON.stringify(message))]);
    const { thinking: _mine, ...said } = told(read); // OpenAI's SDK keeps the last piece of a field that it does not know
    const { thinking: _theirs, ...expected } = told(events);
    expect(said, one.name).toEqual(expected);
  }
});

/** The JSON of a server-sent event. */
function dataIn(frame: string): string {
  return frame.slice(frame.indexOf('data: ') + 'data: '.length).trim();
}
