// What pictures cost, against the vendors' own examples.
import { describe, expect, test } from 'vitest';
import { profileFor } from '../../src/window/profile.ts';
import { sightOf } from '../../src/window/sight.ts';
import { bytesOf, jsonBytes, textTokens, tokensOf } from '../../src/window/tokens.ts';
import type { PlannedRemote } from '../../src/window/plan-types.ts';
import { countTextFor } from '../../src/model/count-text.ts';
import type { Detail } from '../../src/content/block.ts';
import { cpuMs } from '../cpu.ts';

const rows: [string, number, number, Detail | undefined, number][] = [
  // Claude, standard tier: 28 px patches, long edge 1568, at most 1568 tokens.
  ['anthropic/claude-sonnet-4-5', 256, 256, undefined, 100],
  ['anthropic/claude-sonnet-4-5', 512, 512, undefined, 361],
  ['anthropic/claude-sonnet-4-5', 768, 768, undefined, 784],
  ['anthropic/claude-sonnet-4-5', 1024, 1024, undefined, 1369],
  ['anthropic/claude-sonnet-4-5', 1280, 720, undefined, 1196],
  ['anthropic/claude-sonnet-4-5', 1920, 1080, undefined, 1560],
  ['anthropic/claude-sonnet-4-5', 1092, 1092, undefined, 1521],
  ['anthropic/claude-sonnet-4-5', 784, 1568, undefined, 1568],
  ['anthropic/claude-sonnet-4-5', 200, 200, undefined, 64],
  ['anthropic/claude-sonnet-4-5', 1456, 819, undefined, 1560],
  // High-resolution tier.
  ['anthropic/claude-opus-4-7', 512, 512, undefined, 361],
  ['anthropic/claude-opus-4-7', 1024, 1024, undefined, 1369],
  ['anthropic/claude-opus-4-7', 1280, 720, undefined, 1196],
  ['anthropic/claude-opus-4-7', 1920, 1080, undefined, 2691],
  ['anthropic/claude-opus-4-7', 2576, 1449, undefined, 4784],
  ['anthropic/claude-opus-4-7', 1932, 1932, undefined, 4761],
  ['anthropic/claude-opus-4-7', 256, 256, undefined, 100],
  // OpenAI, 32 px patches × 1.2.
  ['openai/gpt-5.4', 256, 256, 'high', 77],
  ['openai/gpt-5.4', 512, 512, 'high', 308],
  ['openai/gpt-5.4', 1024, 1024, 'high', 1229],
  ['openai/gpt-5.4', 1280, 720, 'high', 1104],
  ['openai/gpt-5.4', 1920, 1080, 'high', 2448],
  ['openai/gpt-5.4', 2560, 1440, 'original', 4320],
  ['openai/gpt-5.4', 2560, 1440, 'high', 2931],
  ['openai/gpt-5.4', 3840, 2160, 'original', 9792],
  ['openai/gpt-5.4', 3840, 2160, 'high', 2931],
  ['openai/gpt-5.5', 4032, 3024, 'original', 11_868],
  ['openai/gpt-6-astra', 4032, 3024, 'original', 14_364],
  ['openai/gpt-6-astra', 4032, 3024, 'high', 2942],
  ['openai/gpt-5.6-sol', 4032, 3024, 'auto', 14_364],
  ['openai/gpt-5.2', 2560, 1440, 'high', 2931],
  ['openai/gpt-5-mini', 1024, 1024, 'high', 1229],
  ['openai/gpt-5-nano', 1024, 1024, 'high', 1536],
  ['openai/gpt-4.1-mini', 1024, 1024, 'high', 1659],
  ['openai/gpt-4.1-nano', 1024, 1024, 'high', 2520],
  ['openai/o4-mini', 1024, 1024, 'high', 1762],
  // OpenAI, tiles of 512 px.
  ['openai/gpt-4o', 1024, 1024, 'low', 85],
  ['openai/o1', 1024, 1024, 'low', 75],
  ['openai/gpt-4.1', 1024, 1024, 'low', 85],
  ['openai/gpt-4.1', 512, 512, 'high', 255],
  ['openai/gpt-4.1', 1024, 1024, 'high', 765],
  ['openai/gpt-4.1', 2048, 4096, 'high', 1105],
  ['openai/gpt-5', 1024, 1024, 'low', 70],
  ['openai/gpt-5', 1024, 1024, 'high', 630],
  ['openai/gpt-5-2025-08-07', 1024, 1024, 'high', 630],
  ['openai/o3', 1024, 1024, 'high', 675],
  ['openai/gpt-4o-mini', 1024, 1024, 'high', 25_501],
  // Gemini.
  ['gemini/gemini-3-pro-preview', 4000, 3000, undefined, 1120],
  ['gemini/gemini-2.5-pro', 384, 384, undefined, 258],
  ['gemini/gemini-2.5-pro', 385, 10, undefined, 258],
  ['gemini/gemini-2.5-pro', 1536, 768, undefined, 516],
  ['gemini/gemini-2.5-pro', 769, 769, undefined, 1032],
  ['ollama/llava', 4000, 3000, undefined, 768],
  // Gemma 3 squeezes every picture into one square; Qwen keeps what it gets, in patches of 32 px.
  ['ollama/gemma3:12b', 4000, 3000, undefined, 256],
  ['gemini/gemma-3-27b-it', 4000, 3000, undefined, 256],
  ['ollama/qwen3.5:9b', 2000, 1125, undefined, 2205],
  ['ollama/qwen3-vl:8b', 100, 100, undefined, 64],
  ['ollama/qwen3-vl:8b', 8000, 4000, undefined, 16_290],
];

test.each(rows)('%s counts %i×%i at detail %s as %i tokens', (model, width, height, detail, tokens) => {
  expect(sightOf(profileFor(model).tokens.image, width, height, detail).tokens).toBe(tokens);
});

describe('estimates', () => {
  const rule = profileFor('anthropic/claude-sonnet-4-5').tokens;
  const asset = { id: 'sha256:aa', mediaType: 'application/pdf', size: 200_000 } as const;

  test('an unknown size is taken as large, never as free', () => {
    expect(tokensOf({ type: 'image', asset, width: 0, height: 0 }, rule)).toBeGreaterThan(1000);
    expect(tokensOf({ type: 'document', asset }, rule)).toBeGreaterThanOrEqual(2325 * 4);
    const sounds = profileFor('gemini/gemini-3-pro-preview').tokens;
    expect(tokensOf({ type: 'audio', asset, seconds: 0 }, sounds)).toBeGreaterThan(1000);
    expect(tokensOf({ type: 'audio', asset, seconds: 10 }, sounds)).toBe(320);
  });

  test('pages cost by the page', () => {
    expect(tokensOf({ type: 'document', asset, pages: 3 }, rule)).toBe(3 * 2325);
  });

  test.each([
    ['plain English prose that anyone might write in a letter to a friend', 10, 20],
    ['{"a":1,"b":[2,3]}', 7, 14],
    ['2026-11-15 06:49:54.123456', 8, 18],
    ['日本語のテキスト', 5, 12],
    ['', 0, 0],
  ])('text %j is between %i and %i tokens', (text, least, most) => {
    expect(textTokens(text)).toBeGreaterThanOrEqual(least);
    expect(textTokens(text)).toBeLessThanOrEqual(most);
  });
});

/** Texts as tools give them. */
const texts: [string, string][] = [
  ['English', 'The page shows a form with twelve fields, and two of them are marked in red until they are filled in. '],
  ['German', 'Die Größe der Übertragung übersteigt das zulässige Maß für ähnliche Anfragen. '],
  [
    'code',
    'export function add(one: Weight, other: Weight): Weight {\n  return { tokens: one.tokens + other.tokens };\n}\n',
  ],
  [
    'JSON',
    '{"id":4711,"name":"Ada Lovelace","email":"ada@example.org","balance":31.7,"tags":["a","b"],"active":true},',
  ],
  ['indented JSON', '    {\n      "id": 4711,\n      "name": "Ada Lovelace",\n      "active": true\n    },\n'],
  ['a log', '2026-11-15T09:12:44.123Z INFO worker[4711] request id=9e3779b1 took 33ms status=200\n'],
  ['a table', '17,31.4,2026-03-12,Berlin,4711\n'],
  ['HTML', '<div class="row"><span id="a1">Total</span><a href="/items/42?x=1">open</a></div>\n'],
  ['hexadecimal', '9e3779b13c6ef372daa66d2b78dde6e4'],
  ['Chinese', '桌面上有一个红色的门，门上写着请勿打扰。用户点击按钮后页面会跳转到登录界面。'],
  ['Japanese', 'このページには十二個の入力欄があり、そのうち二つは赤で表示されています。'],
  ['Russian', 'На странице показана форма с двенадцатью полями, два из которых выделены красным. '],
];

describe('an estimate is near what a tokenizer counts', () => {
  test.each(texts)('%s', async (_kind, text) => {
    const count = await countTextFor(profileFor('openai/gpt-5.2'));
    if (!count) throw new Error('gpt-tokenizer is not installed');
    const whole = text.repeat(40);
    const ratio = textTokens(whole) / count(whole);
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.35);
  });

  test('a run without end is counted in no time', async () => {
    const count = await countTextFor(profileFor('openai/gpt-5.2'));
    expect(await cpuMs(() => expect(count?.('a'.repeat(200_000))).toBeGreaterThan(1000))).toBeLessThan(5000);
  });

  test('other vendors have no counter', async () => {
    expect(await countTextFor(profileFor('anthropic/claude-sonnet-4-5'))).toBeUndefined();
  });
});

test.each(['plain', 'a "quote" and a \\', 'tab\tline\nbell\u0007', 'Ünïcödé 😀', '日本語'])(
  'the bytes of %j as JSON',
  (text) => {
    expect(jsonBytes(text)).toBe(new TextEncoder().encode(JSON.stringify(text)).length);
  },
);

/** What a run of sixty costs, and what sixty of them cost that stand alone between ideographs at three quarters of a token. */
const prices: [string, string, number, number][] = [
  ['letters', 'azAZ', 11, 104],
  ['digits', '09', 20, 105],
  ['spaces', ' \t', 1, 47],
  ['ends of lines', '\n\u001f', 1, 87],
  ['marks', '`{@[/:!~\u007f\u1e00\u2e7f', 33, 98],
  ['letters with accents', '\u0080\u024f', 30, 75],
  ['other alphabets', '\u0250\u1dff', 18, 86],
  ['ideographs', '\u2e80\ud7ff\ue000\uffff', 45, 90],
  ['halves of a pair', '\ud800\udfff', 54, 99],
];

const near = (tokens: number, wanted: number): void => {
  expect(tokens - wanted).toBeGreaterThanOrEqual(0);
  expect(tokens - wanted).toBeLessThanOrEqual(1); // sums of fractions
};

test.each(prices)('%s have a price of their own, from the first to the last of them', (_kind, all, run, single) => {
  for (const one of Array.from({ length: all.length }, (_, at) => all[at] ?? '')) {
    near(textTokens(one.repeat(60)), run);
    near(textTokens(`${one}日`.repeat(60)), single);
  }
});

test.each([
  ['a long word', 'abcdefghij', 166],
  ['a number by three digits', '1234', 200],
  ['some spaces', '    ', 75],
  ['a few marks', '===', 164],
  ['a line of marks', '====', 220],
])('%s costs by its length', (_what, text, hundred) => {
  expect(Math.abs(textTokens(`${text}日`.repeat(100)) - 75 - hundred)).toBeLessThanOrEqual(0.5);
});

describe('a medium that lies elsewhere', () => {
  const rule = profileFor('gemini/gemini-2.5-pro').tokens;
  const at = { url: 'https://example.org/x' };
  const remote = (more: Partial<PlannedRemote> & Pick<PlannedRemote, 'kind'>): PlannedRemote => ({
    type: 'remote',
    at,
    ...more,
  });

  test.each([
    [remote({ kind: 'image' }), 36 * 258],
    [remote({ kind: 'image', width: 768 }), 6 * 258],
    [remote({ kind: 'image', height: 768 }), 6 * 258],
    [remote({ kind: 'document' }), 20 * rule.page],
    [remote({ kind: 'document', pages: 2 }), 2 * rule.page],
    [remote({ kind: 'audio' }), 300 * rule.audioSecond],
    [remote({ kind: 'audio', seconds: 10 }), 10 * rule.audioSecond],
    [remote({ kind: 'video' }), 300 * rule.videoSecond],
    [remote({ kind: 'video', seconds: 10 }), 10 * rule.videoSecond],
  ])('costs what is known of it, else what a large one does: %j', (block, tokens) => {
    expect(tokensOf(block, rule)).toBe(Math.ceil(tokens));
    expect(rule.audioSecond).not.toBe(rule.videoSecond);
  });

  test('takes the bytes of its address or its id in a body', () => {
    expect(bytesOf(remote({ kind: 'image' }))).toBe(at.url.length + 2);
    expect(bytesOf(remote({ kind: 'image', at: { file: 'file-1' } }))).toBe(8);
    const asset = { id: 'sha256:aa', mediaType: 'audio/wav', size: 300 } as const;
    expect(bytesOf({ type: 'audio', asset, seconds: 1 })).toBe(400);
    expect(bytesOf({ type: 'audio', asset, seconds: 1, at: { file: 'file-12' } })).toBe(9);
    expect(bytesOf({ type: 'text', text: 'a "b"' })).toBe(9);
  });

  test('a sound costs its length, or a minute where that is unknown', () => {
    const asset = { id: 'sha256:aa', mediaType: 'audio/wav', size: 300 } as const;
    expect(tokensOf({ type: 'audio', asset, seconds: 0 }, rule)).toBe(60 * rule.audioSecond);
    expect(tokensOf({ type: 'video', asset, seconds: 0 }, rule)).toBe(Math.ceil(60 * rule.videoSecond));
    expect(tokensOf({ type: 'video', asset, seconds: 2 }, rule)).toBe(Math.ceil(2 * rule.videoSecond));
    expect(tokensOf({ type: 'document', asset }, rule)).toBe(rule.page);
    expect(tokensOf({ type: 'document', asset: { ...asset, size: 50_001 } }, rule)).toBe(2 * rule.page);
    expect(tokensOf({ type: 'image', asset, width: 0, height: 10 }, rule)).toBe(2 * 258);
    expect(tokensOf({ type: 'image', asset, width: 10, height: 0 }, rule)).toBe(2 * 258);
    expect(tokensOf({ type: 'text', text: 'Hello' }, rule)).toBe(1);
  });
});

test('every character takes the bytes that JSON gives it', () => {
  for (let code = 0; code < 0x2100; code++) {
    const text = String.fromCharCode(code);
    expect(jsonBytes(text), code.toString(16)).toBe(new TextEncoder().encode(JSON.stringify(text)).length);
  }
  for (const code of [0xd7ff, 0xe000, 0xffff]) expect(jsonBytes(String.fromCharCode(code))).toBe(5);
  for (const pair of ['\ud800\udc00', '\udbff\udfff']) expect(jsonBytes(pair)).toBe(6);
});
