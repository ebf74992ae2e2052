// What the documented scaling of each vendor leaves of a picture.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Detail } from '../../src/content/block.ts';
import { profileFor } from '../../src/window/profile.ts';
import { sightOf } from '../../src/window/sight.ts';
import { tokensOf } from '../../src/window/tokens.ts';

const rows: [string, number, number, Detail | undefined, number, number][] = [
  ['anthropic/claude-sonnet-4-5', 1456, 819, undefined, 1456, 819],
  ['anthropic/claude-sonnet-4-5', 3840, 2160, undefined, 1456, 819],
  ['anthropic/claude-sonnet-4-5', 1280, 9000, undefined, 223, 1568],
  ['anthropic/claude-opus-4-7', 3840, 2160, undefined, 2576, 1449],
  ['openai/gpt-5.4', 1920, 1080, 'high', 1920, 1080],
  ['openai/gpt-5.4', 3840, 2160, 'high', 2105, 1184],
  ['openai/gpt-5.4', 1280, 9000, 'high', 576, 4050],
  ['openai/gpt-5.4', 3840, 2160, 'original', 3840, 2160],
  ['openai/gpt-4.1', 3840, 2160, 'high', 1365, 768],
  ['openai/gpt-4.1', 1024, 1024, 'low', 512, 512],
  ['gemini/gemini-3-pro-preview', 1280, 9000, undefined, 606, 4260],
  ['gemini/gemini-3-pro-preview', 1280, 800, undefined, 1280, 800],
  ['gemini/gemini-2.5-pro', 3000, 3000, undefined, 3000, 3000],
  ['ollama/gemma3', 3840, 2160, undefined, 896, 896],
  ['ollama/qwen3.5', 2000, 1125, undefined, 2016, 1120],
  ['ollama/llava', 2000, 1125, undefined, 2000, 1125],
];

test.each(rows)('%s sees %i×%i at detail %s as %i×%i', (model, width, height, detail, across, down) => {
  const sight = sightOf(profileFor(model).tokens.image, width, height, detail);
  expect([sight.width, sight.height]).toEqual([across, down]);
});

test('a low resolution of a whole request leaves less of its pictures', () => {
  const low = profileFor('gemini/gemini-3-pro-preview', { imageDetail: 'low' }).tokens.image;
  expect(sightOf(low, 1920, 1080)).toMatchObject({ width: 1071, height: 602, tokens: 280 });
});

test('for any picture: what is paid is what is seen, nothing is enlarged, more pixels are never seen smaller', () => {
  const models = [...new Set(rows.map(([model]) => model))].map((model) => profileFor(model).tokens);
  const side = fc.integer({ min: 400, max: 12_000 });
  fc.assert(
    fc.property(fc.constantFrom(...models), side, side, (rule, width, height) => {
      const sight = sightOf(rule.image, width, height);
      const asset = { id: 'sha256:aa', mediaType: 'image/png', size: 1 } as const;
      expect(sight.tokens).toBe(tokensOf({ type: 'image', asset, width, height }, rule));
      expect(sight.scale).toBeGreaterThan(0);
      expect(sight.scale).toBeLessThanOrEqual(1);
      const smaller = sightOf(rule.image, Math.ceil(width / 2), Math.ceil(height / 2));
      expect(smaller.scale).toBeGreaterThanOrEqual(sight.scale * 0.9);
    }),
  );
});
