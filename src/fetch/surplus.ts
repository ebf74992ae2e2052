// What a whole request may weigh, and which stretches give up their media when it weighs more: the oldest, in one batch
// well below the ceiling. The newest one keeps its media, come what may.
import type { Budget } from '../window/budget.ts';
import type { Profile } from '../window/profile.ts';
import type { Part } from './body.ts';

export type Ceiling = { images: number; bytes: number; tokens: number };

/** How far below a ceiling a batch goes, so that the next one is some requests away. */
const lowWater = 0.7;

/** The model's ceilings, the caller's, and what a complaint taught. Tokens are only counted for a caller who asks. */
export function ceilingOf(profile: Profile, budget: Budget = {}, images: number = Infinity): Ceiling {
  return {
    images: Math.min(profile.maxImages, budget.images ?? Infinity, images),
    bytes: Math.min(profile.requestBytes, budget.bytes ?? Infinity),
    tokens: budget.tokens ?? Infinity,
  };
}

export function surplus(parts: readonly Part[], length: number, ceiling: Ceiling): Part[] {
  const outside = parts.reduce((left, { start, end }) => left - (end - start), length);
  let weight = parts.map(weigh).reduce(add, { images: 0, bytes: outside, tokens: Math.ceil(outside / 4) });
  const out: Part[] = [];
  if (!exceeds(weight, ceiling, 1)) return out;
  for (const part of parts.filter(({ known }) => known.media.length > 0).slice(0, -1)) {
    if (!exceeds(weight, ceiling, lowWater)) break;
    const { images, bytes, tokens } = weigh(part);
    weight = add(weight, { images: -images, bytes: -bytes, tokens: -tokens });
    if (images > 0 || bytes > 0) out.push(part);
  }
  return out;
}

function weigh({ start, end, known }: Part): Ceiling {
  const { pieces, images, tokens } = known;
  const bytes = pieces?.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.to - piece.from),
    0,
  );
  return { images, bytes: bytes ?? end - start, tokens };
}

function add(one: Ceiling, other: Ceiling): Ceiling {
  return { images: one.images + other.images, bytes: one.bytes + other.bytes, tokens: one.tokens + other.tokens };
}

function exceeds(weight: Ceiling, ceiling: Ceiling, share: number): boolean {
  return (['images', 'bytes', 'tokens'] as const).some((unit) => weight[unit] > ceiling[unit] * share);
}
