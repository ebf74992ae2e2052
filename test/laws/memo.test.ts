// Law: what is remembered changes nothing but the time it takes. A planner that goes on from turn to turn gives what a
// plan from nothing gives, also when a program changes its messages in place meanwhile.
import { describe, expect, test } from 'vitest';
import { isStill, snapshotOf } from '../../src/content/snapshot.ts';
import type { Block } from '../../src/content/block.ts';
import type { Message, Transcript } from '../../src/message/message.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { openPlanner } from '../../src/window/planner.ts';
import { anyShape, tools } from './transcripts.ts';
import type { Built } from './transcripts.ts';
import { lawOnEveryModel, oneOf } from './trial.ts';
import { asSent, planFor } from './world.ts';
import type { Ask } from './world.ts';

/** Changes that programs make in place. Each takes the messages that were sent already. */
const edits: ((sent: Message[], transcript: Transcript, at: number) => void)[] = [
  () => undefined,
  () => undefined,
  (sent, _, at) => {
    const block = blockAt(sent, at);
    if (block && 'text' in block) block.text += ' (edited)';
  },
  (sent, _, at) => {
    const block = blockAt(sent, at);
    if (block && 'asset' in block) block.fallback = `said by hand ${at}`;
  },
  (sent, _, at) => {
    const block = blockAt(sent, at);
    if (block?.type === 'call') block.input = { edited: at };
  },
  (sent, _, at) => {
    const message = sent[at % sent.length];
    if (message?.role === 'tool') message.isError = !message.isError;
  },
  (sent, _, at) => sent[at % sent.length]?.content.pop(),
  (sent, _, at) => sent[at % sent.length]?.content.push({ type: 'text', text: 'one more' }),
  (_, transcript) => (transcript.system = `${transcript.system ?? ''} And more.`),
  (_, transcript, at) => {
    transcript.tools = [...(transcript.tools ?? tools), { name: `new${at}`, description: '', inputSchema: {} }];
  },
];

function blockAt(messages: readonly Message[], at: number): Block | undefined {
  const blocks = messages.flatMap(({ content }) => content);
  return blocks[at % Math.max(1, blocks.length)];
}

/** Two ways through the same conversation, edited between its turns as the numbers say. */
function bothWays(
  built: Built,
  model: string,
  how: Partial<Ask>,
  dice: (turn: number) => number,
): [unknown, unknown][] {
  const planner = openPlanner();
  const transcript: Transcript = structuredClone({ ...built, cuts: undefined });
  const all = transcript.messages;
  let ledger: Ledger | undefined;
  return built.cuts.map((cut, turn) => {
    const roll = dice(turn);
    const before = all.slice(0, built.cuts[turn - 1] ?? 0);
    if (before.length > 0) edits[roll % edits.length]?.(before, transcript, roll);
    const ask = { ...how, transcript: { ...transcript, messages: all.slice(0, cut) }, model, ledger };
    const plain = attempted({ ...ask, transcript: structuredClone(ask.transcript), ledger: ledger && asSent(ledger) });
    const remembered = attempted({ ...ask, planner });
    if (typeof remembered !== 'string') ({ ledger } = remembered);
    return [asSent(remembered), asSent(plain)]; // now: later edits reach into what it holds
  });
}

function attempted(ask: Ask): ReturnType<typeof planFor> | string {
  try {
    return planFor(ask);
  } catch (error) {
    return String(error);
  }
}

const ways: Partial<Ask>[] = [
  {},
  { budget: { tokens: 4000, bytes: 20_000, images: 3 } },
  { policy: { imagesToKeep: 2 } },
];

lawOnEveryModel('a planner gives what a plan from nothing gives, edited in place', anyShape, (built, model) => {
  const seed = JSON.stringify(built.messages).length;
  const dice = (turn: number): number => (seed * 31 + turn * 7) % 97;
  for (const [remembered, plain] of bothWays(built, model, oneOf(built, ways), dice)) expect(remembered).toEqual(plain);
});

describe('a snapshot', () => {
  const value = {
    text: 'a',
    list: [1, { x: null }],
    input: { details: [1] },
    details: { huge: true },
    none: undefined,
  };

  test('holds for the same and for an equal value', () => {
    const snapshot = snapshotOf(value, 'details');
    expect(isStill(snapshot, value, 'details')).toBe(true);
    expect(isStill(snapshot, { ...structuredClone(value), details: value.details }, 'details')).toBe(true);
    expect(isStill(snapshotOf([Number.NaN]), [Number.NaN])).toBe(true);
  });

  test.each<[string, (value: { [key: string]: unknown }) => void]>([
    ['a changed text', (copy) => (copy['text'] = 'b')],
    ['an added field', (copy) => (copy['more'] = 1)],
    ['a removed field', (copy) => delete copy['text']],
    ['a longer list', (copy) => (copy['list'] as unknown[]).push(2)],
    ['a shorter list', (copy) => (copy['list'] as unknown[]).pop()],
    ['a change deep inside', (copy) => ((copy['list'] as { x: unknown }[])[1] = { x: 0 })],
    ['a field of that name deeper down', (copy) => (copy['input'] = { details: [2] })],
    ['other details', (copy) => (copy['details'] = { huge: true })],
    ['a list in place of an object', (copy) => (copy['input'] = [])],
    ['nothing in place of a text', (copy) => (copy['text'] = undefined)],
  ])('notices %s', (_, change) => {
    const copy = { ...structuredClone(value), details: value.details };
    change(copy);
    expect(isStill(snapshotOf(value, 'details'), copy, 'details')).toBe(false);
  });

  test('takes cycles only where they are told, and ends all the same', () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect(isStill(snapshotOf(cyclic), cyclic)).toBe(true);
    const bytes = new Uint8Array([1]);
    expect(isStill(snapshotOf({ bytes }), { bytes })).toBe(true);
    expect(isStill(snapshotOf({ bytes }), { bytes: new Uint8Array([1]) })).toBe(false);
  });
});
