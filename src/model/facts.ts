// Plans, has made what the plan needs to know, and plans again: the meeting of the pure planner and the media stage.
import type { AssetStore } from '../asset/store.ts';
import type { AssetId } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import type { Door } from '../content/ingest.ts';
import { refusalText, refuse, SightlineError } from '../content/refusal.ts';
import { render } from '../media/index.ts';
import type { Transcript } from '../message/message.ts';
import { guardBlocks } from '../tool/guard.ts';
import { plan } from '../window/plan.ts';
import type { PlanInput, PlanResult } from '../window/plan.ts';
import type { Plan } from '../window/planned.ts';
import { renditionKey } from '../window/rendition.ts';
import type { Fact, Rendition } from '../window/rendition.ts';
import { countTextFor } from './count-text.ts';

const rounds = 3;

/** Plans, makes what the plan needs to know, and plans again. What is still missing after that counts as refused. */
export async function planWithFacts(
  input: PlanInput,
  assets: AssetStore,
  door: Door,
  signal: AbortSignal | undefined,
): Promise<PlanResult & { plan: Plan }> {
  const facts = new Map<string, Fact>();
  let { countText } = input;
  for (let round = 0; ; round++) {
    const result = plan({ ...input, facts, ...(countText && { countText }) });
    // Near the ceiling an estimate may cut what would have fitted: there, texts are counted where that is possible.
    const near = result.refusal !== undefined || result.totals?.near;
    const counter = near && !countText ? await countTextFor(input.profile) : undefined;
    if (counter) {
      countText = counter;
      continue;
    }
    if (result.plan) return result;
    if (result.refusal) throw new SightlineError('input', refusalText(result.refusal));
    signal?.throwIfAborted();
    await Promise.all(
      result.needs.map(async (need) => {
        const fact = round < rounds ? await factOf(need, assets, door, signal) : tooManyRounds;
        facts.set(renditionKey(need), fact);
      }),
    );
    if (round > rounds + 1) throw new SightlineError('bug', 'The planner keeps asking for renditions.');
  }
}

const tooManyRounds = refuse('timed-out', 'The rendition was asked for too late', 'Prepare the request again.');

const memories = new WeakMap<AssetStore, Map<string, Fact>>();
const maxRemembered = 1000;

/** Renditions by content, so that a conversation without a ledger is not rendered anew every turn. */
function memoryOf(assets: AssetStore): Map<string, Fact> {
  const memory = memories.get(assets) ?? new Map<string, Fact>();
  memories.set(assets, memory);
  return memory;
}

async function factOf(need: Rendition, assets: AssetStore, door: Door, signal: AbortSignal | undefined): Promise<Fact> {
  const facts = memoryOf(assets);
  const key = renditionKey(need);
  const known = facts.get(key);
  if (known && (await stillStored(known, assets))) return known;
  const made = await render(need, { assets, ...(signal && { signal }) });
  signal?.throwIfAborted();
  const fact: Fact = made.ok ? { ok: true, value: await guardBlocks(made.value, door) } : made;
  if (!fact.ok && (fact.refusal.code === 'timed-out' || fact.refusal.code === 'cancelled')) return fact;
  facts.set(key, fact);
  const [oldest] = facts.keys();
  if (facts.size > maxRemembered && oldest !== undefined) facts.delete(oldest);
  return fact;
}

async function stillStored(fact: Fact, assets: AssetStore): Promise<boolean> {
  const media = fact.ok ? fact.value.filter(isMedia) : [];
  const stored = await Promise.all(media.map((block) => assets.has(block.asset.id)));
  return stored.every(Boolean);
}

/** Which of these assets, and of those in a transcript, are no longer stored. */
export async function goneAssets(transcript: Transcript, sent: AssetId[], assets: AssetStore): Promise<Set<AssetId>> {
  const shown = transcript.messages.flatMap((message) =>
    message.content.filter(isMedia).map((block) => block.asset.id),
  );
  const ids = new Set([...shown, ...sent]);
  const stored = await Promise.all([...ids].map((id) => assets.has(id)));
  return new Set([...ids].filter((_, index) => !stored[index]));
}
