// Where a prompt cache is helped along, on the wires that want it.
import { describe, expect, test } from 'vitest';
import type { Message, Transcript } from '../../src/message/message.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { cacheKey, cacheMarks, wantsMarks } from '../../src/window/cache-marks.ts';
import { plan } from '../../src/window/plan.ts';
import type { PlanItem } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import { inline } from '../../src/wire/body.ts';
import { wires } from '../../src/wire/registry.ts';
import { schemaErrors } from '../judge/judge.ts';
import { moved } from '../laws/prefix.ts';
import { asSent, bytesOf, put } from '../laws/world.ts';

function loop(turns: number): Transcript {
  const messages = Array.from({ length: turns }, (_, turn): Message[] => [
    { role: 'assistant', model: '', content: [{ type: 'call', id: `c${turn}`, name: 'look', input: {} }] },
    {
      role: 'tool',
      callId: `c${turn}`,
      name: 'look',
      content: [
        { type: 'text', text: `Step ${turn}.` },
        ...(turn % 2 === 0
          ? [{ type: 'image' as const, asset: put(`shot ${turn}`, 'image/png'), width: 800, height: 600 }]
          : []),
      ],
    },
  ]).flat();
  return {
    version: 1,
    system: 'Look.',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }, ...messages],
  };
}

type Body = { [key: string]: unknown };

/** The bodies of a loop that keeps two pictures, with the checkpoints of each. */
async function bodies(model: string): Promise<{ body: Body; checkpoint: boolean }[]> {
  const profile = profileFor(model);
  const made: { body: Body; checkpoint: boolean }[] = [];
  let ledger: Ledger | undefined;
  for (let turn = 0; turn < 14; turn++) {
    const result = plan({ transcript: loop(turn + 1), profile, ledger, policy: { imagesToKeep: 2, batch: 3 } });
    if (!result.plan) throw new Error('there is no plan');
    ledger = result.ledger;
    const body: Body = asSent(await inline<object>(wires[profile.wire].encode(result.plan), bytesOf));
    made.push({ body, checkpoint: result.receipts.some(({ action }) => action === 'checkpoint') });
  }
  return made;
}

const marked: [string, string, number][] = [
  ['anthropic/claude-sonnet-4-5', 'cache_control', 4],
  ['openai/gpt-6-sol', 'prompt_cache_breakpoint', 3],
];

describe.each(marked)('%s', async (model, field, most) => {
  const all = await bodies(model);
  const marks = (body: Body): number => JSON.stringify(body).split(`"${field}"`).length - 1;

  test('has marks, and never more than it may', () => {
    for (const { body } of all) {
      expect(marks(body)).toBeGreaterThan(0);
      expect(marks(body)).toBeLessThanOrEqual(most);
    }
  });

  test('a mark moves without anything else moving', () => {
    const steps = all.flatMap(({ body, checkpoint }, turn) => {
      const before = all[turn - 1];
      return before && !checkpoint ? moved(before.body, body) : [];
    });
    expect(steps).toEqual([]);
    expect(all.filter(({ checkpoint }) => checkpoint).length).toBeGreaterThan(0);
  });

  test('is still a body that the API takes', async () => {
    for (const { body } of all.slice(-3)) expect(await schemaErrors(profileFor(model).wire, body)).toEqual([]);
  });
});

test.each(['openai/gpt-5.2', 'azure/deployment', 'gemini/gemini-3-pro-preview', 'ollama/qwen3-vl'])(
  '%s gets no marks',
  async (model) => {
    expect(JSON.stringify(await bodies(model))).not.toMatch(/cache_control|prompt_cache_breakpoint/);
  },
);

/** Items by their roles: a user, an assistant, a batch of results. */
function itemsOf(roles: string): PlanItem[] {
  return roles.split('').map((role): PlanItem => {
    if (role === 'u') return { role: 'user', content: [] };
    return role === 'a' ? { role: 'assistant', content: [] } : { role: 'batch', results: [], after: [] };
  });
}

test.each<[string, number | undefined, number[]]>([
  ['', undefined, []],
  ['u', undefined, [0]],
  ['uab', undefined, [0, 2]],
  ['uababa', undefined, [2, 4]],
  ['uabab', 4, [2, 4]],
  ['uababab', 4, [2, 4, 6]],
  ['uabababab', 3, [2, 6, 8]],
  ['uab', 0, [0, 2]],
  ['uabab', 99, [2, 4]],
  ['aa', 1, []],
])('in %j with the edge at %s the marks stand after %j', (roles, edge, marks) => {
  expect(cacheMarks(itemsOf(roles), edge)).toEqual({ system: true, items: marks });
});

test('marks are wanted by those that know them; a key is the same for the same beginning', () => {
  const profile = profileFor('openai/gpt-5.2');
  expect(wantsMarks({ ...profile, cache: 'marks', breakpoints: false })).toBe(true);
  expect(wantsMarks({ ...profile, cache: 'key', breakpoints: true })).toBe(true);
  expect(wantsMarks({ ...profile, cache: 'key', breakpoints: false })).toBe(false);
  const talk = loop(1);
  const key = cacheKey(talk, 'first');
  expect(key).toMatch(/^sightline-[0-9a-z]{11}$/);
  expect(cacheKey({ ...loop(3), messages: [] }, 'first')).toBe(key);
  for (const other of [
    { ...talk, system: 'Hear.' },
    { ...talk, tools: [] },
  ])
    expect(cacheKey(other, 'first')).not.toBe(key);
  expect(cacheKey(talk, 'second')).not.toBe(key);
});
