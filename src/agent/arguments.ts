// The arguments of a call as the model meant them. Models write JSON by hand: what does not parse is mended where that
// is certain enough, and left as it is where it is not, so that the call is answered with an error.
import type { CallBlock } from '../content/block.ts';
import { isRecord } from '../content/json.ts';

export type Arguments = { ok: true; input: unknown } | { ok: false; why: string };

/** What to run a call with. `cut` says that the answer ended at its length limit. */
export async function argumentsOf(call: CallBlock, cut: boolean): Promise<Arguments> {
  const { input } = call;
  if (typeof input !== 'string') return { ok: true, input };
  if (input.trim() === '') return { ok: true, input: {} };
  if (cut) return { ok: false, why: 'The answer ended at its length limit in the middle of these arguments.' };
  const { jsonrepair } = await import('jsonrepair');
  try {
    const mended: unknown = JSON.parse(jsonrepair(input));
    if (isRecord(mended)) return { ok: true, input: mended };
  } catch {
    // too broken to be sure
  }
  return { ok: false, why: 'The arguments are not valid JSON. Call the tool again with one JSON object.' };
}
