// Recorded answers of real providers, emitted again on the wire they came from: the blocks, with their seals, the cost
// and the end are those of the recording.
import { expect, test } from 'vitest';
import type { Block } from '../../src/content/block.ts';
import type { ModelEvent } from '../../src/message/event.ts';
import { collector } from '../../src/message/collect.ts';
import type { WireName } from '../../src/window/profile.ts';
import { decodeEvents } from '../../src/wire/decode.ts';
import { wires } from '../../src/wire/registry.ts';
import type { SentFrame } from '../../src/wire/emitter.ts';
import { author, decodeAll, recordings, sent } from './recordings.ts';
import type { Recording } from './recordings.ts';

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
