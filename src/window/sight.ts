// What is left of a picture before a model's eyes, and what that costs: one formula gives both, so that a price and a size
// cannot disagree. `scale` is how large one pixel of the picture still is; writing has to stay some pixels high.
import type { Detail } from '../content/block.ts';
import type { ImageTokens } from './rules.ts';

/** The size a picture has after the vendor's own scaling, the smaller of both factors (never above 1), its tokens. */
export type Sight = { width: number; height: number; scale: number; tokens: number };

/** What a front end keeps of a picture. Where nobody knows its scaling, all of it. */
export function sightOf(rule: ImageTokens, width: number, height: number, detail?: Detail): Sight {
  switch (rule.by) {
    case 'patches':
      return patchSight(width, height, rule);
    case 'budget': {
      const all = detail === 'original' || detail === 'auto';
      return budgetSight(width, height, rule.factor, all ? rule.original : rule.high);
    }
    case 'tiles':
      return tileSight(width, height, rule, detail);
    case 'gemini-tiles': {
      const pieces = width <= 384 && height <= 384 ? 1 : Math.ceil(width / 768) * Math.ceil(height / 768);
      return scaledBy(1, width, height, 258 * pieces);
    }
    case 'area':
      return scaledBy(Math.sqrt((rule.tokens * rule.pixels) / (width * height)), width, height, rule.tokens);
    case 'square': {
      const { edge, tokens } = rule;
      return { width: edge, height: edge, scale: Math.min(1, edge / Math.max(width, height)), tokens };
    }
    case 'pixels':
      return pixelSight(width, height, rule);
    case 'flat':
      return scaledBy(1, width, height, rule.tokens);
  }
}

function scaledBy(factor: number, width: number, height: number, tokens: number): Sight {
  const scale = Math.min(1, factor);
  const [across, down] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  return { width: across, height: down, scale, tokens };
}

/** The largest size of the same shape that keeps both the edge and the token cap, in patches. */
function patchSight(width: number, height: number, rule: ImageTokens & { by: 'patches' }): Sight {
  const cost = (scale: number): number =>
    Math.ceil((width * scale) / rule.patch) * Math.ceil((height * scale) / rule.patch);
  const whole = Math.min(1, rule.maxEdge / Math.max(width, height));
  if (cost(whole) <= rule.maxTokens) return scaledBy(whole, width, height, cost(whole));
  let low = 0;
  let high = whole;
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (cost(middle) <= rule.maxTokens) low = middle;
    else high = middle;
  }
  return scaledBy(low, width, height, cost(low));
}

/** Patches of 32 px, shrunk to a budget so that whole patches fit both ways. */
function budgetSight(width: number, height: number, factor: number, budget: number): Sight {
  const patches = Math.ceil(width / 32) * Math.ceil(height / 32);
  if (patches <= budget) return scaledBy(1, width, height, Math.ceil(factor * patches));
  const ratio = Math.sqrt((budget * 1024) / (width * height));
  const across = (width * ratio) / 32;
  const down = (height * ratio) / 32;
  const fitted = ratio * Math.min(Math.floor(across) / across, Math.floor(down) / down);
  const shrunk = Math.ceil((width * fitted) / 32 - 1e-9) * Math.ceil((height * fitted) / 32 - 1e-9);
  return scaledBy(fitted, width, height, Math.ceil(factor * Math.min(shrunk, budget)));
}

/** Fit into 2048 px, short side to 768 px, then tiles of 512 px; at low detail one of them holds everything. */
function tileSight(width: number, height: number, rule: { base: number; tile: number }, detail?: Detail): Sight {
  if (detail === 'low') return scaledBy(512 / Math.max(width, height), width, height, rule.base);
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const short = Math.min(1, 768 / (Math.min(width, height) * fit));
  const across = Math.ceil((width * fit * short) / 512);
  const down = Math.ceil((height * fit * short) / 512);
  return scaledBy(fit * short, width, height, rule.base + rule.tile * across * down);
}

/** Sides in whole patches, the area between two bounds. */
function pixelSight(width: number, height: number, { patch, min, max }: ImageTokens & { by: 'pixels' }): Sight {
  const area = width * height;
  const factor = area > max ? Math.sqrt(max / area) : area < min ? Math.sqrt(min / area) : 1;
  const whole = area > max ? Math.floor : area < min ? Math.ceil : Math.round;
  const across = Math.max(1, whole((width * factor) / patch)) * patch;
  const down = Math.max(1, whole((height * factor) / patch)) * patch;
  const scale = Math.min(1, across / width, down / height);
  return { width: across, height: down, scale, tokens: (across / patch) * (down / patch) };
}
