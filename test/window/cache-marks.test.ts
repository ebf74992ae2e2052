// Where a prompt cache is helped along, on the wires that want it.
import { describe, expect, test } from 'vitest';
import type { Message, Transcript } from '../../src/message/message.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { plan } from '../../src/window/plan.ts';
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
