// What pictures cost, against the vendors' own examples.
import { describe, expect, test } from 'vitest';
import { profileFor } from '../../src/window/profile.ts';
import { imageTokens, textTokens, tokensOf } from '../../src/window/tokens.ts';
import type { Detail } from '../../src/content/block.ts';

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
  // High-resolution tier.
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
  // OpenAI, tiles of 512 px.
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
];

test.each(rows)('%s counts %i×%i at detail %s as %i tokens', (model, width, height, detail, tokens) => {
  expect(imageTokens(profileFor(model).tokens.image, width, height, detail)).toBe(tokens);
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
