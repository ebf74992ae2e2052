// Counts the tokens of texts for models whose tokenizer is public. The library is large and takes a moment to load, so
// it is asked only when a request comes near its ceiling; without it the estimate has to do.
import type * as Encoding from 'gpt-tokenizer/encoding/o200k_base';
import { fromPart } from '../config/parts.ts';
import type { Totals } from '../window/budget.ts';
import type { Profile } from '../window/profile.ts';
import type { CountText } from '../window/tokens.ts';

/** Tokenizers take a time that grows with the square of an unbroken run; no word is longer than this. */
const longestRun = 400;

let loading: Promise<CountText | undefined> | undefined;
let loaded: CountText | undefined;

/** The counter for a model, if there is one. */
export async function countTextFor({ tokenizer }: Profile): Promise<CountText | undefined> {
  return tokenizer === 'o200k' ? await (loading ??= load()) : undefined;
}

/** The same, if it has been loaded already. */
export function counterAtHand({ tokenizer }: Profile): CountText | undefined {
  return tokenizer === 'o200k' ? loaded : undefined;
}

/** Whether texts near a ceiling were estimated that the model's own tokenizer could have counted. */
export function isEstimated({ tokenizer }: Profile, { near, counted }: Totals): boolean {
  return tokenizer !== undefined && near && !counted;
}

async function load(): Promise<CountText | undefined> {
  try {
    const { countTokens } = fromPart('tokenizer', 'gpt-tokenizer/encoding/o200k_base') as typeof Encoding;
    const broken = new RegExp(`\\S{${longestRun}}(?=\\S)`, 'gu');
    loaded = (text) => countTokens(text.replace(broken, '$& '), { allowedSpecial: 'all' });
    return loaded;
  } catch {
    return undefined; // the part is not here
  }
}
