// What is appended comes back as it was, or is refused with the place where it would not.
import { describe, expect, test } from 'vitest';
import type { EntryInput } from '../../src/session/index.ts';
import { memorySessions } from '../../src/session/index.ts';
import { result } from './samples.ts';

function calling(input: unknown): EntryInput {
  const call = { type: 'call' as const, id: 'a', name: 'look', input };
  return { type: 'message', message: { role: 'assistant', model: 'openai/gpt-5.2', content: [call] } };
}

const round: { self?: unknown } = {};
round.self = round;

describe('append', () => {
  test.each([
    ['a BigInt', { id: 12n }, 'message.content[0].input.id is a BigInt'],
    ['NaN', [1, Number.NaN], 'message.content[0].input[1] is NaN'],
    ['Infinity', { x: Infinity }, 'message.content[0].input.x is Infinity'],
    ['a hole in a list', [1, undefined], 'message.content[0].input[1] is undefined'],
    ['a function in a list', [() => 1], 'message.content[0].input[0] is function'],
    ['a date', { at: new Date(0) }, 'message.content[0].input.at is a Date'],
    ['a map', { all: new Map([[1, 2]]) }, 'message.content[0].input.all is a Map'],
    ['bytes', { data: new Uint8Array(3) }, 'message.content[0].input.data is a Uint8Array'],
    ['what holds itself', round, 'message.content[0].input.self holds itself'],
  ])('refuses %s and stores nothing', async (_, input, where) => {
    await using store = memorySessions();
    const session = await store.create();
    await expect(session.appendAll([{ type: 'note', text: 'before' }, calling(input)])).rejects.toThrow(
      `${where}, which could not be read back from the session.`,
    );
    expect(await session.entries()).toEqual([]);
    await session.append({ type: 'note', text: 'after' });
    expect(await session.entries()).toHaveLength(1);
  });

  test.each([
    ['half a character', 'a\uD800b'],
    ['what is left out', { a: undefined, b: null }],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { a: [0.1, -5e-324] })],
  ])('takes %s and gives it back', async (_, input) => {
    await using store = memorySessions();
    const session = await store.create();
    await session.append(calling(input));
    const [message] = await session.messages();
    expect(message?.content[0]).toEqual({ type: 'call', id: 'a', name: 'look', input });
  });

  test("takes a tool's details, whatever they hold", async () => {
    await using store = memorySessions();
    const session = await store.create();
    await session.append({ type: 'message', message: { ...result('a', 'x'), details: { at: 12n, round } } });
    expect(await session.messages()).toHaveLength(1);
  });
});
