// How a picture with writing is cut, scaled or left whole: the arithmetic alone. Real pictures are cut in pieces.test.ts.
import { describe, expect, test } from 'vitest';
import type { Detail, ImageBlock } from '../../src/content/block.ts';
import type { MediaPolicy } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import { formOf, gridFor, sentDetail } from '../../src/window/tiles.ts';
import type { ReadableForm } from '../../src/window/tiles.ts';
import type { Viewer } from '../../src/window/viewer.ts';

const asset = { id: 'sha256:a', mediaType: 'image/png', size: 1 } as const;

/** A picture with letters of some height; the canonical one is 2000 px long at most. */
function written(width: number, height: number, textPx: number): ImageBlock {
  const shrink = Math.min(1, 2000 / Math.max(width, height));
  const [across, down] = [Math.round(width * shrink), Math.round(height * shrink)];
  const original = shrink < 1 ? { original: { asset, width, height } } : {};
  return { type: 'image', asset, width: across, height: down, textPx, ...original };
}

function form(viewer: Viewer, block: ImageBlock, policy: MediaPolicy = {}): ReadableForm | undefined {
  return formOf(block, sentDetail(block.detail, viewer), viewer, policy);
}

const rounded = (value: number): number => Number(value.toFixed(2));

function inWords(made: ReadableForm | undefined): string {
  if (!made) return 'nothing';
  const textPx = `${rounded(made.textPx)} px`;
  const dear = made.tooDear ? `; pieces exceed ${made.tooDear.tokens} tokens or ${made.tooDear.pictures}` : '';
  const rest = `${dear}; was ${rounded(made.wholePx)}`;
  if (made.to === 'whole') return `whole, ${textPx}${rest}`;
  if (made.to === 'resized') return `${made.smaller ? 'smaller' : 'larger'}, ${made.maxEdge} px long, ${textPx}${rest}`;
  const { columns, rows, scale, overlap } = made.grid;
  const whole = made.overview === undefined ? '' : `; whole at ${made.overview}`;
  const cut = `${columns}x${rows} of ${rounded(scale * 100)} % sharing ${overlap.columns},${overlap.rows}`;
  return `${cut}; ${made.tokens} tokens, ${textPx}${whole}${rest}`;
}

const rows: [string, number, number, number, MediaPolicy, string][] = [
  ['anthropic/claude-sonnet-4-5', 1280, 6000, 14, {}, '1x4 of 71.43 % sharing 84,28; 5148 tokens, 10 px; was 3.66'],
  ['anthropic/claude-sonnet-4-5', 1280, 12000, 12, {}, '1x6 of 53.92 % sharing 72,24; 5850 tokens, 6.47 px; was 1.57'],
  ['anthropic/claude-sonnet-4-5', 1280, 12000, 12, {'maxImageTokens':3000}, 'whole, 1.57 px; pieces exceed 3000 tokens or 12; was 1.57'],
  ['anthropic/claude-sonnet-4-5', 3200, 1800, 13, {}, '2x2 of 76.92 % sharing 78,26; 5187 tokens, 10 px; whole at 640; was 5.91'],
  ['anthropic/claude-sonnet-4-5', 3200, 1800, 13, {'tiles':'auto'}, '2x2 of 76.92 % sharing 78,26; 5187 tokens, 10 px; whole at 640; was 5.91'],
  ['anthropic/claude-sonnet-4-5', 3200, 1800, 13, {'tiles':'off'}, 'whole, 5.91 px; was 5.91'],
  ['anthropic/claude-opus-4-7', 1280, 6000, 14, {}, '1x3 of 71.43 % sharing 84,28; 5148 tokens, 10 px; was 4.67'],
  ['anthropic/claude-opus-4-7', 3840, 2160, 14, {'tiles':'auto'}, '2x1 of 66.43 % sharing 84,28; 5291 tokens, 9.3 px; whole at 640; was 7.29'],
  ['anthropic/claude-opus-4-7', 1500, 1000, 30, {'legibility':'thrifty'}, 'smaller, 600 px long, 12 px; was 30'],
  ['anthropic/claude-opus-4-7', 1500, 1000, 12.4, {'legibility':'thrifty'}, 'smaller, 1452 px long, 12 px; was 12.4'],
  ['openai/gpt-5.4', 1280, 6000, 14, {}, '1x3 of 71.43 % sharing 84,28; 4803 tokens, 10 px; was 4.67'],
  ['openai/gpt-5.4', 3840, 2160, 14, {'tiles':'auto'}, '2x1 of 71.43 % sharing 84,28; 5580 tokens, 10 px; whole at 640; was 7.29'],
  ['openai/gpt-5.4', 6000, 4000, 14, {'tiles':'auto'}, '2x1 of 42.98 % sharing 84,28; 5780 tokens, 5.89 px; whole at 640; was 4.48'],
  ['openai/gpt-4.1', 1280, 6000, 14, {}, '1x10 of 71.43 % sharing 84,28; 4250 tokens, 10 px; was 4.67'],
  ['openai/gpt-4.1', 3200, 1800, 13, {'tiles':'auto'}, '2x3 of 76.92 % sharing 78,26; 3825 tokens, 10 px; whole at 512; was 5.55'],
  ['openai/gpt-4.1', 2560, 1440, 20, {'tiles':'auto'}, 'whole, 10.67 px; was 10.67'],
  ['openai/gpt-4.1', 6000, 1000, 16, {'tiles':'auto'}, '3x1 of 62.5 % sharing 96,32; 3570 tokens, 10 px; whole at 512; was 5.33'],
  ['gemini/gemini-3-pro-preview', 1280, 6000, 14, {}, 'larger, 4348 px long, 8.12 px; was 4.67'],
  ['gemini/gemini-3-pro-preview', 3840, 2160, 10, {'tiles':'auto'}, '2x2 of 93 % sharing 60,20; 4480 tokens, 9.3 px; was 5.21'],
  ['gemini/gemini-3-pro-preview', 9000, 9000, 14, {'tiles':'auto'}, 'whole, 2.5 px; pieces exceed 6000 tokens or 12; was 2.5'],
  ['gemini/gemini-2.5-pro', 1280, 6000, 14, {'tiles':'auto'}, '1x3 of 71.43 % sharing 84,28; 3096 tokens, 10 px; was 4.67'],
  ['ollama/gemma3', 1280, 6000, 14, {}, '2x5 of 71.43 % sharing 84,28; 2816 tokens, 9.63 px; whole at 768; was 2.09'],
  ['ollama/gemma3', 1200, 1600, 11, {'tiles':'auto'}, '2x2 of 90.91 % sharing 66,22; 1280 tokens, 10 px; whole at 768; was 6.16'],
  ['ollama/gemma3', 3200, 1800, 13, {'tiles':'auto'}, '3x2 of 76.92 % sharing 78,26; 1792 tokens, 9.6 px; whole at 768; was 3.64'],
  ['ollama/qwen3-vl', 6000, 6000, 14, {'tiles':'auto'}, 'whole, 4.67 px; pieces exceed 6000 tokens or 12; was 4.67'],
  ['groq/llama-4-scout', 1280, 6000, 14, {'tiles':'auto'}, '2x2 of 61.78 % sharing 84,28; 3315 tokens, 8.65 px; whole at 512; was 4.67'],
]; // prettier-ignore

test.each(rows)('%s: %d×%d with letters of %d px, %o', (model, width, height, textPx, policy, expected) => {
  expect(inWords(form(profileFor(model), written(width, height, textPx), policy))).toBe(expected);
});

const claude = profileFor('anthropic/claude-sonnet-4-5');
const gpt = profileFor('openai/gpt-5.4');

describe('a picture goes as it is', () => {
  test('where nobody knows of letters or of the eyes, or all or little of it was asked for', () => {
    const { textPx: _textPx, ...wordless } = written(1280, 6000, 14);
    expect(form(claude, wordless)).toBeUndefined();
    const { tokens: _tokens, ...stranger } = claude;
    expect(form(stranger, written(1280, 6000, 14))).toBeUndefined();
    const asked = (detail: Detail): ReadableForm | undefined => form(gpt, { ...written(1280, 6000, 14), detail });
    expect([asked('low'), asked('original')]).toEqual([undefined, undefined]);
    expect(asked('high')?.to).toBe('tiles');
    expect(form(claude, { ...written(1280, 6000, 14), detail: 'original' })).toBeUndefined();
  });

  test('where it must stay whole', () => {
    expect(form(claude, { ...written(1280, 6000, 14), detail: 'whole' })?.to).toBe('whole');
    expect(gridFor({ ...written(1280, 6000, 14), detail: 'whole' }, claude, {})).toBeUndefined();
    expect(gridFor(written(1280, 6000, 14), claude, {})).toMatchObject({ columns: 1, rows: 4 });
    expect(gridFor(written(1280, 6000, 14), claude, { tiles: 'off' })).toBeUndefined();
  });

  test('from 6 px on, or from 9 where that is wished for', () => {
    const gemma = profileFor('ollama/gemma3'); // squeezed into 896 px
    const at = (px: number, tiles: MediaPolicy['tiles']): string | undefined =>
      form(gemma, { ...written(1792, 1792, px * 2) }, tiles ? { tiles } : {})?.to;
    expect([at(6, undefined), at(5.99, undefined)]).toEqual(['whole', 'tiles']);
    expect([at(6, 'careful'), at(5.99, 'careful')]).toEqual(['whole', 'tiles']);
    expect([at(9, 'auto'), at(8.99, 'auto')]).toEqual(['whole', 'whole']);
    expect([at(8.3, 'auto'), at(8.3, 'careful'), at(1, 'off')]).toEqual(['tiles', 'whole', 'whole']);
  });

  test('where pieces would hardly be read better', () => {
    const gemma = profileFor('ollama/gemma3');
    const better = (px: number): string | undefined => form(gemma, written(1792, 1792, px * 2), { tiles: 'auto' })?.to;
    expect([better(8.2), better(8.4)]).toEqual(['tiles', 'whole']);
  });
});

describe('pieces', () => {
  const tall = written(1280, 6000, 14);

  test('cost no more than they may, and are no more than the endpoint takes', () => {
    const tokens = (policy: MediaPolicy): unknown => {
      const made = form(claude, tall, policy);
      return made?.to === 'tiles' ? made.tokens : made?.tooDear;
    };
    expect(tokens({})).toBe(5148);
    expect(tokens({ maxImageTokens: 5148 })).toBe(5148);
    expect(tokens({ maxImageTokens: 5147 })).toBeLessThanOrEqual(5147);
    expect(tokens({ maxImageTokens: 90_000 })).toBe(5148);
    expect(tokens({ maxImageTokens: 500 })).toEqual({ tokens: 500, pictures: 12 });
    expect(form({ ...claude, maxImages: 1 }, tall)).toMatchObject({
      to: 'whole',
      tooDear: { tokens: 6000, pictures: 1 },
    });
    expect(form({ ...claude, maxImages: 4 }, tall)).toMatchObject({ to: 'tiles', grid: { rows: 4 } });
    const three = form({ ...claude, maxImages: 3 }, tall);
    expect(three?.to === 'tiles' && three.grid.columns * three.grid.rows).toBe(3);
    const { maxImages: _images, ...unbounded } = claude;
    expect(form(unbounded, tall)).toEqual(form(claude, tall));
  });

  test('of a picture without another original are pieces of itself', () => {
    const { original: _original, ...itself } = { ...tall, width: 1280, height: 6000 };
    expect(form(claude, itself)).toMatchObject({ to: 'tiles', grid: { columns: 1, rows: 4 }, tokens: 5148 });
  });
});

describe('a picture with large letters', () => {
  const opus = profileFor('anthropic/claude-opus-4-7');

  test('is made smaller only where that is wished for and saves something', () => {
    expect(form(opus, written(1500, 1000, 30))?.to).toBe('whole');
    expect(form(opus, written(1500, 1000, 30), { legibility: 'full' })?.to).toBe('whole');
    expect(form(opus, written(1500, 1000, 12), { legibility: 'thrifty' })?.to).toBe('whole');
    expect(form(opus, written(300, 200, 12.2), { legibility: 'thrifty' })?.to).toBe('whole');
    expect(form(opus, written(1000, 1500, 24), { legibility: 'thrifty' })).toMatchObject({
      to: 'resized',
      maxEdge: 750,
      smaller: true,
      textPx: 12,
    });
  });
});

const details: [Viewer, Detail | undefined, string | undefined][] = [
  [claude, 'low', undefined],
  [gpt, undefined, 'high'],
  [gpt, 'whole', 'high'],
  [gpt, 'low', 'low'],
  [gpt, 'original', 'original'],
  [profileFor('openai/gpt-5.2'), 'original', 'high'],
  [profileFor('openai/gpt-5.2', { imageDetail: 'low' }), undefined, 'low'],
  [profileFor('openai/gpt-5.2', { imageDetail: 'low' }), 'whole', 'low'],
  [profileFor('openai/gpt-5.2', { imageDetail: 'whole' }), undefined, 'high'],
];

test.each(details)('the detail that is sent is always one that the API knows (%#)', (viewer, asked, sent) => {
  expect(sentDetail(asked, viewer)).toBe(sent);
});
