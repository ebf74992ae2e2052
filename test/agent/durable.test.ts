// Steps that an engine keeps: small whatever they give, and each call known by one key.
import { describe, expect, test } from 'vitest';
import { beginPlayed, onceEach, smallSteps } from '../../src/agent/durable.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { interruptedCall } from '../../src/content/words.ts';
import type { AssistantMessage } from '../../src/message/message.ts';
import { memorySessions } from '../../src/session/store.ts';
import { defineTool } from '../../src/tool/tool.ts';
import type { Effect, Tool } from '../../src/tool/tool.ts';
import { engine } from './engine.ts';

describe('what a step gives', () => {
  test('comes as it is without an engine, done each time', async () => {
    const step = smallSteps(undefined, memoryAssets());
    let count = 0;
    const given = { count };
    expect(await step('a', async () => (count++, given))).toBe(given);
    await step('a', async () => count++);
    expect(count).toBe(2);
  });

  test('is kept by an engine, done once, as JSON has it both times', async () => {
    const kept = new Map<string, string>();
    const step = smallSteps(engine(kept), memoryAssets());
    let count = 0;
    const work = async (): Promise<unknown> => ({ count: ++count, none: undefined });
    expect(await step('a', work)).toStrictEqual({ count: 1 });
    expect(await step('a', work)).toStrictEqual({ count: 1 });
    expect(kept.get('a')).toBe('{"value":{"count":1}}');
  });

  test('lies in the asset store where it is large', async () => {
    const kept = new Map<string, string>();
    const assets = memoryAssets();
    const step = smallSteps(engine(kept), assets);
    const [fits, large] = ['x'.repeat(64 * 1024 - 12), 'x'.repeat(64 * 1024 - 11)];
    expect(await step('fits', async () => fits)).toBe(fits);
    expect(kept.get('fits')).toContain('xxx');
    expect(await step('large', async () => large)).toBe(large);
    expect(await step('large', async () => 'never')).toBe(large);
    expect(JSON.parse(kept.get('large') ?? '')).toMatchObject({ asset: { mediaType: 'application/json' } });
    const elsewhere = smallSteps(engine(kept), memoryAssets());
    await expect(elsewhere('large', async () => '')).rejects.toThrow(
      /^What the step "large" gave is gone: asset sha256:/,
    );
  });
});

test('a run that is played again sees the conversation as it was at first', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const say = async (text: string): Promise<unknown> =>
    await session.append({ type: 'message', message: { role: 'user', content: [{ type: 'text', text }] } });
  await say('before');
  const step = engine(new Map());
  const first = await beginPlayed(step, session);
  expect(first.messages).toHaveLength(1);
  expect(first.name).toMatch(/^[0-9a-f-]{36}$/);
  await say('meanwhile');
  expect(await beginPlayed(step, session)).toEqual(first);
  const empty = await beginPlayed(engine(new Map()), await store.create());
  expect(empty.messages).toEqual([]);
  expect(empty.name).not.toBe(first.name);
  await expect(beginPlayed(step, undefined)).rejects.toThrow(
    'A run with "step" needs a session: it holds what was done. Give one.',
  );
});

const tool = (effect?: Effect): Tool =>
  defineTool({ name: 'pay', description: 'Pays.', ...(effect && { effect }), run: () => 'paid' });

describe('a call', () => {
  const call = { type: 'call', id: 'c1', name: 'pay', input: {} } as const;
  const message: AssistantMessage = { role: 'assistant', model: 'a/b', content: [call] };

  test('has no key where nothing is stored', async () => {
    await using store = memorySessions();
    expect(onceEach(undefined, message, 1)).toEqual({});
    expect(onceEach(await store.create(), message, undefined)).toEqual({});
  });

  test('that must not happen twice begins once, others as often as they like', async () => {
    await using store = memorySessions();
    const session = await store.create();
    const { keyOf, begins } = onceEach(session, message, 7);
    expect(keyOf?.(call)).toBe(`${session.id}-7-0`);
    expect(await begins?.(call, tool('read'))).toBeUndefined();
    expect(await begins?.(call, tool())).toBeUndefined();
    expect(await begins?.(call, tool())).toBe(interruptedCall);
    expect(await begins?.(call, tool('once'))).toBe(interruptedCall);
    expect(await begins?.(call, tool('idempotent'))).toBeUndefined();
  });
});
