// What an emitter writes, our own decoder reads back: the same words, thoughts, calls, cost and reason to stop, on every
// wire, streamed and whole.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '../../src/message/event.ts';
import type { AssistantMessage } from '../../src/message/message.ts';
import { eventsOf, messageOf } from '../../src/model/script/say.ts';
import type { Answer, Asked } from '../../src/model/script/script.ts';
import type { WireName } from '../../src/window/profile.ts';
import { decodeEvents } from '../../src/wire/decode.ts';
import type { SentFrame } from '../../src/wire/emitter.ts';
import { wires } from '../../src/wire/registry.ts';
import { sent } from './recordings.ts';

const names = Object.keys(wires) as WireName[];
const author = { endpoint: 'here', model: 'm' };

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== '');
const answers: fc.Arbitrary<Answer> = fc.record(
  {
    text: words,
    thinking: words,
    calls: fc.array(
      fc.record({
        name: fc.constantFrom('zoom', 'read'),
        input: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
      }),
      { maxLength: 3 },
    ),
    usage: fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() }),
    stop: fc.constantFrom('end' as const, 'length' as const),
  },
  { requiredKeys: ['usage'] },
);

function scripted(answer: Answer, wire: WireName): AssistantMessage {
  const asked: Asked = { index: 0, wire, model: 'm', transcript: { messages: [] }, options: {} };
  return messageOf(JSON.parse(JSON.stringify(answer)) as Answer, asked, author);
}

/** The parts of an answer that every wire can say. */
function heard(events: readonly ModelEvent[]): object {
  const blocks = events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []));
  const last = events.at(-1);
  const join = (type: string): string =>
    blocks.flatMap((block) => (block.type === type && 'text' in block ? [block.text] : [])).join('');
  return {
    text: join('text'),
    thinking: join('thinking'),
    calls: blocks.flatMap((block) =>
      block.type === 'call' ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
    last:
      last?.type === 'message-end'
        ? { stop: last.stop, input: last.usage?.inputTokens, output: last.usage?.outputTokens }
        : last,
  };
}

async function decoded(wire: WireName, input: string | readonly SentFrame[]): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of decodeEvents(wire, author, typeof input === 'string' ? input : sent(input)))
    events.push(event);
  return events;
}

type Sealed = { type: string; seal?: { item: unknown } };

function sealOf(type: string, blocks: readonly Sealed[]): unknown {
  return blocks.find((block) => block.type === type)?.seal?.item;
}

describe.each(names)('%s', (wire) => {
  test('a stream that was emitted is read back as what was said', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        const events = eventsOf(scripted(answer, wire));
        const emitter = wires[wire].emit({ model: 'm' });
        const frames = [...events.flatMap(emitter.push), ...emitter.end()];
        expect(heard(await decoded(wire, frames))).toEqual(heard(said(events)));
      }),
      { numRuns: 50, seed: 20_261_115 },
    );
  });

  test('a whole answer that was emitted is read back as what was said', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        const message = scripted(answer, wire);
        const { status, body } = wires[wire].emit({ model: 'm' }).whole(message);
        expect(status).toBe(200);
        expect(heard(await decoded(wire, JSON.stringify(body)))).toEqual(heard(said(eventsOf(message))));
      }),
      { numRuns: 50, seed: 20_261_115 },
    );
  });

  test('a seal that was emitted comes back with the thought it stands on', async () => {
    const message = scripted({ thinking: 'Hm.', calls: [{ name: 'zoom', input: {} }] }, wire);
    const emitter = wires[wire].emit({ model: 'm' });
    const frames = [...eventsOf(message).flatMap(emitter.push), ...emitter.end()];
    const blocks = (await decoded(wire, frames)).flatMap((event) => (event.type === 'block-end' ? [event.block] : []));
    expect(sealOf('thinking', blocks)).toEqual(sealOf('thinking', message.content));
    if (wire === 'gemini') expect(sealOf('call', blocks)).toEqual(sealOf('call', message.content));
  });

  test('an error in mid-stream ends the answer with its words', async () => {
    const emitter = wires[wire].emit({ model: 'm' });
    const error: ModelEvent = { type: 'message-error', code: 'overloaded', message: 'Too busy.', retryable: true };
    const frames = [
      ...emitter.push({ type: 'message-start', model: 'here/m' }),
      ...emitter.push(error),
      ...emitter.end(),
    ];
    const last = (await decoded(wire, frames)).at(-1);
    expect(last).toMatchObject({ type: 'message-error', message: 'Too busy.' });
  });

  test('blocks that come whole, and blocks of other providers, do no harm', async () => {
    const emitter = wires[wire].emit({ model: 'm' });
    const seal = { wire: 'smoke-signals', endpoint: 'x', model: 'y', item: { puff: 1 } };
    const events: ModelEvent[] = [
      { type: 'message-start', model: 'here/m' },
      { type: 'block-start', index: 0, block: { type: 'sealed', seal } },
      { type: 'block-end', index: 0, block: { type: 'sealed', seal } },
      { type: 'message-extra', event: { ping: true } },
      { type: 'block-start', index: 1, block: { type: 'text', text: '' } },
      { type: 'block-end', index: 1, block: { type: 'text', text: 'All at once.' } },
      { type: 'block-start', index: 2, block: { type: 'call', id: 'c', name: 'zoom', input: {} } },
      { type: 'block-end', index: 2, block: { type: 'call', id: 'c', name: 'zoom', input: { x: 1 } } },
      { type: 'message-end', stop: 'calls' },
    ];
    const frames = [...events.flatMap(emitter.push), ...emitter.end()];
    expect(Buffer.concat(frames.map((frame) => Buffer.from(frame as string))).toString()).not.toContain('puff');
    expect(heard(await decoded(wire, frames))).toMatchObject({
      text: 'All at once.',
      calls: [{ id: 'c', name: 'zoom', input: { x: 1 } }],
    });
  });
});

/** A decoder tells by the calls of an answer that it ended with calls, whatever reason stood there. */
function said(events: readonly ModelEvent[]): ModelEvent[] {
  const called = events.some((event) => event.type === 'block-end' && event.block.type === 'call');
  return events.map((event) =>
    event.type === 'message-end' && event.stop === 'end' && called ? { ...event, stop: 'calls' } : event,
  );
}
