// What a request weighs and may weigh: each number by itself.
import { describe, expect, test } from 'vitest';
import type { Item } from '../../src/message/pair.ts';
import {
  add,
  ceilings,
  correctionOf,
  exceeds,
  lengthWithin,
  inputCost,
  mediaTokens,
  subtract,
  target,
  tighter,
  totalsOf,
  weightOfFrame,
  weightOfItem,
} from '../../src/window/budget.ts';
import type { Weight } from '../../src/window/budget.ts';
import type { PlanItem, PlannedImage } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';

const profile = { ...profileFor('anthropic/claude-sonnet-4-5'), contextTokens: 1000, maxOutputTokens: 300 };
const rule = profile.tokens;

test('of two limits the lower one holds', () => {
  expect(tighter({ bytes: 5, images: 3 }, { bytes: 7, images: 2, estimate: 9 })).toEqual({
    bytes: 5,
    images: 2,
    estimate: 9,
  });
  expect(tighter(undefined, undefined)).toEqual({});
  const known = { bytes: 5 };
  tighter(known, { bytes: 1 });
  expect(known).toEqual({ bytes: 5 });
});

describe('the ceilings', () => {
  test('are the window without the room for the answer, the body, the pictures', () => {
    const { requestBytes: bytes, maxImages: images } = profile;
    expect(ceilings(profile, {})).toEqual({ tokens: 700, bytes, images });
    expect(ceilings(profile, { maxTokens: 100 }).tokens).toBe(900);
    expect(ceilings(profile, { maxTokens: 5000 }).tokens).toBe(500); // half of it at most is for the answer
  });

  test('are lower where somebody says so, or a provider did', () => {
    expect(ceilings(profile, {}, { tokens: 50, bytes: 60, images: 7 })).toEqual({ tokens: 50, bytes: 60, images: 7 });
    expect(ceilings(profile, {}, {}, { bytes: 61, images: 8 })).toMatchObject({ bytes: 61, images: 8 });
    expect(ceilings(profile, {}, {}, { contextTokens: 400 }).tokens).toBe(200);
    expect(ceilings(profile, {}, {}, { estimate: 101 }, 1.5).tokens).toBe(151);
    expect(ceilings(profile, {}, { tokens: 0 }).tokens).toBe(1);
  });
});

test('cuts go well below what is passed, and leave the rest', () => {
  const weight = { tokens: 101, bytes: 100, images: 11 };
  expect(target(weight, { tokens: 100, bytes: 100, images: 10 })).toEqual({ tokens: 70, bytes: 100, images: 7 });
  expect(target({ tokens: 1, bytes: 16, images: 1 }, { tokens: 5, bytes: 15, images: 5 })).toEqual({
    tokens: 5,
    bytes: 10,
    images: 5,
  });
});

test('a weight passes a ceiling by any of its numbers, and not by being equal', () => {
  const ceiling = { tokens: 5, bytes: 5, images: 5 };
  expect(exceeds(ceiling, ceiling)).toBe(false);
  for (const key of ['tokens', 'bytes', 'images'] as const)
    expect(exceeds({ ...ceiling, [key]: 6 }, ceiling)).toBe(true);
});

const evenly = (size: number): Weight => ({ tokens: size, bytes: size * 2, images: 1 });
const steep = (size: number): Weight => ({ tokens: 500 + size, bytes: 0, images: 0 });

describe('what can be cut anywhere', () => {
  const roomy: Weight = { tokens: 1000, bytes: 2000, images: 1 };

  test.each<[string, number, number, Weight, number]>([
    ['goes whole where there is room for all of it', 1000, 10, roomy, 1000],
    ['leaves three tenths of its room, by tokens', 1001, 10, { ...roomy, bytes: Infinity }, 700],
    ['and by bytes', 1000, 10, { ...roomy, bytes: 1000 }, 350],
    ['keeps the least of it where there is less room', 1000, 400, { ...roomy, tokens: 100 }, 400],
    ['or none at all', 1000, 10, { ...roomy, tokens: -100 }, 10],
    ['keeps all of what is shorter than that', 8, 10, { ...roomy, tokens: 1 }, 8],
  ])('%s', (_what, whole, least, room, kept) => {
    expect(lengthWithin(whole, least, evenly, room)).toBe(kept);
  });

  test('is cut until it fits, however it weighs', () => {
    const kept = lengthWithin(1000, 10, steep, { ...roomy, tokens: 900 });
    expect(kept).toBeLessThanOrEqual(130);
    expect(kept).toBeGreaterThan(110);
  });
});

test('weights are added and taken away number by number', () => {
  const [one, other]: Weight[] = [
    { tokens: 10, bytes: 20, images: 3 },
    { tokens: 1, bytes: 2, images: 1 },
  ];
  expect(add(one as Weight, other as Weight)).toEqual({ tokens: 11, bytes: 22, images: 4 });
  expect(subtract(one as Weight, other as Weight)).toEqual({ tokens: 9, bytes: 18, images: 2 });
});

const asset = { id: 'sha256:aa', mediaType: 'image/png', size: 300 } as const;
const picture: PlannedImage = { type: 'image', asset, width: 280, height: 280 }; // 100 tokens, 400 characters of base64
const remote = { type: 'remote', kind: 'image', at: { file: 'file-1' }, width: 280, height: 280 } as const;
const length = (text: string): number => text.length;
const [frameTokens, frameBytes] = [6, 160];

const of = (tokens: number, bytes: number, parts = 1): Weight => ({
  tokens: tokens + parts * frameTokens,
  bytes: bytes + parts * frameBytes,
  images: 0,
});

describe('an item weighs', () => {
  test('its texts and media, with what stands around each', () => {
    const item: PlanItem = { role: 'user', content: [{ type: 'text', text: 'Hello' }, picture, remote] };
    expect(weightOfItem(item, rule, length)).toEqual({
      tokens: 5 + 100 + 100 + 3 * frameTokens,
      bytes: 7 + 400 + 8 + 3 * frameBytes,
      images: 2,
    });
    expect(mediaTokens(item, rule)).toBe(200);
    expect(weightOfItem(item, rule).tokens).toBe(1 + 200 + 3 * frameTokens);
  });

  test('its results, what follows them, and the words between', () => {
    const result = { callId: 'c', name: 'look', isError: false, content: [picture] };
    const item: PlanItem = { role: 'batch', results: [result, result], after: [picture], bridge: 'Now' };
    expect(weightOfItem(item, rule, length)).toEqual({
      tokens: 300 + 3 + 4 * frameTokens,
      bytes: 1200 + 5 + 4 * frameBytes,
      images: 3,
    });
    const { bridge: _bridge, ...bare } = item;
    expect(weightOfItem(bare, rule, length).tokens).toBe(300 + 3 * frameTokens);
    expect(mediaTokens(item, rule)).toBe(300);
  });

  test('what the model said: its words, its calls, and what goes back as it came', () => {
    const seal = { wire: 'gemini', endpoint: 'gemini', model: 'm', item: { x: 1 } } as const;
    const said = (content: (PlanItem & { role: 'assistant' })['content']): Weight =>
      weightOfItem({ role: 'assistant', content }, rule, length);
    expect(said([{ type: 'text', text: 'Yes' }])).toEqual(of(3, 5));
    expect(said([{ type: 'thinking', text: 'hm', seal }])).toEqual(of(7, 11));
    expect(said([{ type: 'call', id: 'c', name: 'look', input: { a: 1 } }])).toEqual(of(7, 11));
    expect(said([{ type: 'call', id: 'c', name: 'look', input: undefined }])).toEqual(of(2, 4));
    expect(said([{ type: 'sealed', seal }])).toEqual(of(7, 11));
    const made = said([{ ...picture, seal }]);
    expect(made).toEqual({ ...of(107, 411, 2), images: 1 });
    expect(
      said([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'bc' },
      ]),
    ).toEqual(of(3, 7, 2));
    expect(mediaTokens({ role: 'assistant', content: [{ ...picture, seal }] }, rule)).toBe(0);
  });
});

test('what stands before the messages weighs its words and its tools', () => {
  const tools = [{ name: 'look', description: 'Looks', inputSchema: {} }];
  const json = JSON.stringify(tools);
  const quotes = json.split('"').length - 1;
  expect(weightOfFrame('Hello', tools)).toMatchObject({
    bytes: 7 + json.length + 2 + quotes + 2 * frameBytes,
    images: 0,
  });
  expect(weightOfFrame(undefined, [])).toEqual({
    tokens: 0 + 2 + 2 * frameTokens,
    bytes: 2 + 4 + 2 * frameBytes,
    images: 0,
  });
});

test('what a request is said to weigh is corrected, in its tokens alone', () => {
  const total = { tokens: 101, bytes: 5, images: 1 };
  const ceiling = { tokens: 200, bytes: 10, images: 2 };
  expect(totalsOf({ total, near: true, counted: false }, ceiling, 1.5)).toEqual({
    used: { tokens: 152, bytes: 5, images: 1 },
    ceiling,
    counted: false,
    near: true,
  });
});

test('the input costs what is written to a cache, then what is read from it; without one it is fresh', () => {
  const totals = totalsOf(
    { total: { tokens: 1_000_000, bytes: 0, images: 0 }, near: false, counted: false },
    { tokens: 0, bytes: 0, images: 0 },
    1,
  );
  const prices = { input: 3, read: 0.3, write: 3.75, output: 15 };
  expect(inputCost(totals, { ...profile, prices })).toEqual({ first: 3.75, cached: 0.3 });
  expect(inputCost(totals, { ...profile, prices, cache: 'none' })).toEqual({ first: 3, cached: 0.3 });
  const { prices: _prices, ...unpriced } = profile;
  expect(inputCost(totals, unpriced)).toBeUndefined();
});

const answered = (inputTokens: number | undefined, more: object = {}): Item[] => [
  { role: 'user', content: [] },
  {
    role: 'assistant',
    model: profile.model,
    content: [],
    ...(inputTokens !== undefined && { usage: { inputTokens, outputTokens: 1 } }),
    ...more,
  },
];

describe('an estimate', () => {
  const estimate = { tokens: 1000, factor: 1.1 };
  const factor = (items: Item[], known: Parameters<typeof correctionOf>[0] = { sent: 1, estimate }): number =>
    correctionOf(known, items, profile);

  test('is corrected by what the provider counted, within bounds', () => {
    expect(factor(answered(1300))).toBe(1.3);
    expect(factor(answered(700))).toBe(0.7);
    expect(factor(answered(9000))).toBe(2);
    expect(factor(answered(500))).toBe(0.5);
    expect(factor(answered(500), { sent: 1, estimate: { tokens: 5000, factor: 1 } })).toBe(0.5);
    expect(factor(answered(600), { sent: 1, estimate: { tokens: 500, factor: 1 } })).toBe(1.2);
  });

  test('stays what it was where nobody counted, another model did, or there was little to count', () => {
    expect(factor(answered(1300), { sent: 1 })).toBe(1);
    expect(factor(answered(undefined))).toBe(1.1);
    expect(factor(answered(1300, { model: 'openai/gpt-5.2' }))).toBe(1.1);
    expect(factor(answered(499))).toBe(1.1);
    expect(factor(answered(1300), { sent: 1, estimate: { tokens: 499, factor: 1.2 } })).toBe(1.2);
    expect(factor(answered(1300), { sent: 0, estimate })).toBe(1.1);
    expect(factor(answered(1300), { sent: 7, estimate })).toBe(1.1);
  });
});
