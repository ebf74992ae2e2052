// What goes first when a conversation outgrows its budget: a sweep from a roomy budget down to one that needs the newest turns cut.
import { describe, expect, test } from 'vitest';
import type { Block, ImageBlock } from '../../src/content/block.ts';
import { shortId } from '../../src/content/words.ts';
import type { Message, Transcript } from '../../src/message/message.ts';
import { oldestOver } from '../../src/window/evict.ts';
import { plan } from '../../src/window/plan.ts';
import type { MediaPolicy, PlanItem } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import { put } from '../laws/world.ts';

const claude = profileFor('anthropic/claude-sonnet-4-5');
const count = 7;
const old = [0, 1, 2, 3, 4]; // the last two turns are protected
const long = 'word '.repeat(300);

function picture(name: string): ImageBlock {
  return { type: 'image', asset: put(name, 'image/png', `${name}.png`), width: 1280, height: 800 };
}

const text = (value: string): Block => ({ type: 'text', text: `${value} ${long}` });

/** Seven turns of a user with a picture, words and a call of the assistant, and a result with words and a picture. */
const transcript: Transcript = {
  version: 1,
  messages: Array.from({ length: count }, (_, turn): Message[] => [
    { role: 'user', content: [text(`ask-${turn}`), picture(`asked-${turn}`)] },
    {
      role: 'assistant',
      model: '',
      content: [text(`said-${turn}`), { type: 'call', id: `c${turn}`, name: 'look', input: {} }],
    },
    { role: 'tool', callId: `c${turn}`, name: 'look', content: [text(`found-${turn}`), picture(`shot-${turn}`)] },
  ]).flat(),
};

/** A plan for some budget, as one text to look into. */
type Planned = { items: readonly PlanItem[]; json: string; told: string; spare: number };

/** Plans for ever smaller budgets, as long as the last two turns can stay as they are. */
function sweep(policy: MediaPolicy = {}): Planned[] {
  const plans: Planned[] = [];
  for (let tokens = 28_000; ; tokens -= 100) {
    const result = plan({ transcript, profile: claude, policy, budget: { tokens } });
    if (!result.plan) return plans;
    const { items } = result.plan;
    const { used, ceiling } = result.totals;
    const [json, told] = [JSON.stringify(items), JSON.stringify(result.receipts)];
    plans.push({ items, json, told, spare: ceiling.tokens - used.tokens });
  }
}

function holds({ json }: Planned, name: string): boolean {
  return json.includes(`"name":"${name}.png"`) || json.includes(`"${name} word`);
}

/** All that can go, in the order in which it has to. */
const order = [
  ...old.map((turn) => `shot-${turn}`),
  ...old.map((turn) => `found-${turn}`),
  ...old.map((turn) => `asked-${turn}`),
  ...old.flatMap((turn) => [`ask-${turn}`, `said-${turn}`]),
];

describe('what goes when a conversation outgrows its budget', () => {
  const plans = sweep();

  test('goes in this order, oldest first: media of results, their words, media of the user, whole turns', () => {
    const lengths = plans.map((made) => {
      const gone = order.filter((name) => !holds(made, name));
      expect(gone).toEqual(order.slice(0, gone.length));
      if (gone.length > 0) expect(made.told).toContain('to fit the window');
      return gone.length;
    });
    expect(lengths[0]).toBe(0);
    expect(lengths.at(-1)).toBe(order.length);
    expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
  });

  test('is never part of the last two turns, and always enough', () => {
    const newest = [5, 6].flatMap((turn) => ['ask', 'asked', 'said', 'found', 'shot'].map((name) => `${name}-${turn}`));
    for (const made of plans) {
      expect(newest.filter((name) => !holds(made, name))).toEqual([]);
      expect(made.spare).toBeGreaterThanOrEqual(0);
    }
  });

  test('leaves every call with its one result right behind it', () => {
    for (const { items } of plans) {
      const calls = items.map((item) =>
        item.role === 'assistant' ? item.content.flatMap((block) => (block.type === 'call' ? [block.id] : [])) : [],
      );
      const answers = items.map((item) => (item.role === 'batch' ? item.results.map(({ callId }) => callId) : []));
      expect([[], ...calls]).toEqual([...answers, []]);
    }
  });
});

test('the number of pictures comes first, then the budget', () => {
  for (const made of sweep({ imagesToKeep: 4, strict: true })) {
    const shown = Array.from({ length: count }, (_, turn) => [`asked-${turn}`, `shot-${turn}`]).flat();
    expect(shown.filter((name) => holds(made, name))).toEqual(['asked-5', 'shot-5', 'asked-6', 'shot-6']);
  }
});

function counting(content: Block[], tokens: number): { counted: boolean; near: boolean } | undefined {
  const messages: Message[] = [{ role: 'user', content }];
  const { totals } = plan({
    transcript: { version: 1, messages },
    profile: claude,
    budget: { tokens },
    countText: (value) => value.length / 4,
  });
  return totals && { counted: totals.counted, near: totals.near };
}

describe('texts are counted', () => {
  test('when they might be too much, were they twice what they are taken for', () => {
    const words = [text('once')]; // about 300 tokens
    expect(counting(words, 450)).toEqual({ counted: true, near: true });
    expect(counting(words, 1000)).toEqual({ counted: false, near: false });
  });

  test('not because of pictures, whose tokens follow from their sizes', () => {
    const shown = [text('once'), picture('a'), picture('b'), picture('c')]; // about 4000 tokens
    expect(counting(shown, 5000)).toEqual({ counted: false, near: false });
    expect(counting(shown, 4650)).toEqual({ counted: true, near: true });
  });
});

const one = { tokens: 100, bytes: 1000, images: 1 };
const none = { tokens: 0, bytes: 0, images: 0 };
const roomy = { tokens: Infinity, bytes: Infinity, images: Infinity };

const overs: [string, number, typeof one, typeof one, number][] = [
  ['nothing while nothing is passed', 10, none, { ...roomy, images: 10 }, 0],
  ['pictures down to seven tenths', 11, none, { ...roomy, images: 10 }, 4],
  ['bytes, with those of the frame', 10, { ...none, bytes: 500 }, { ...roomy, bytes: 10_000 }, 4],
  ['tokens alone: what is not passed is no reason', 10, none, { tokens: 900, bytes: 10_000, images: 10 }, 4],
  ['all but the newest when even that is too much', 5, { ...none, bytes: 9000 }, { ...roomy, bytes: 5000 }, 4],
  ['nothing of nothing', 0, { ...none, bytes: 9000 }, { ...roomy, bytes: 5000 }, 0],
];

test.each(overs)('what a foreign request gives up: %s', (_what, length, frame, ceiling, out) => {
  expect(
    oldestOver(
      Array.from({ length }, () => one),
      frame,
      ceiling,
    ),
  ).toBe(out);
});

describe('whatever goes whole is named', () => {
  const kept = put('all of the log', 'text/plain', 'log.txt');
  const named = { ...transcript, messages: [...transcript.messages] };
  const first = named.messages[2];
  if (first?.role === 'tool') named.messages[2] = { ...first, kept: [kept] };

  /** For ever smaller budgets: what stands in place of the oldest result, and what opens the conversation. */
  const seen = Array.from({ length: 140 }, (_, step) => {
    const tokens = 28_000 - step * 200;
    const result = plan({ transcript: named, profile: claude, budget: { tokens } });
    const items = result.plan?.items ?? [];
    const batch = items.find((item) => item.role === 'batch');
    const answer = batch?.role === 'batch' ? JSON.stringify(batch.results[0]?.content) : '';
    return { answer, opening: JSON.stringify(items[0] ?? '') };
  });
  const shot = shortId(picture('shot-0').asset.id);

  test('a result by the assets that it held', () => {
    const gone = seen.filter(({ answer }) => answer.includes('This result was left out'));
    expect(gone.length).toBeGreaterThan(0);
    const ofFirst = gone.filter(({ opening }) => !opening.includes('Earlier messages'));
    expect(ofFirst.length).toBeGreaterThan(0);
    for (const { answer } of ofFirst) {
      expect(answer).toContain(shot);
      expect(answer).toContain(shortId(kept.id));
    }
  });

  test('turns by the assets of all of them', () => {
    const gone = seen.filter(({ opening }) => opening.includes('Earlier messages were left out'));
    expect(gone.length).toBeGreaterThan(0);
    for (const { opening } of gone) expect(opening).toContain(shortId(picture('asked-0').asset.id));
    for (const id of [shot, shortId(kept.id)]) expect(gone.at(-1)?.opening).toContain(id);
  });
});
