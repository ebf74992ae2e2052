// Plans, has made what the plan needs to know, and plans again: the meeting of the pure planner and the media stage.
import { memoOf } from '../asset/memo.ts';
import type { AssetStore } from '../asset/store.ts';
import type { AssetId, ImageBlock } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { refuse, refusedInput, SightlineError } from '../content/refusal.ts';
import { render } from '../media/index.ts';
import type { Message } from '../message/message.ts';
import { checkBlocks } from '../tool/check.ts';
import { sentAssets } from '../window/ledger.ts';
import type { Ledger } from '../window/ledger.ts';
import { plan } from '../window/plan.ts';
import type { PlanInput, PlanResult } from '../window/plan.ts';
import type { Plan } from '../window/plan-types.ts';
import { renditionKey } from '../window/rendition.ts';
import type { Fact, Rendition } from '../window/rendition.ts';
import type { Planner } from '../window/planner.ts';
import { counterAtHand, countTextFor } from './count-text.ts';
import { madeOf } from './generated-picture.ts';

const rounds = 3;

/** Has a picture described by a model that sees. */
type Describe = (picture: ImageBlock) => Promise<Fact>;

const noEyes: Describe = async () => refuse('unsupported', 'There is nobody to describe it', 'Set `eyes`.');

/** Plans, makes what the plan needs to know, and plans again. What is still missing after that counts as refused. */
export async function planWithFacts(
  input: PlanInput,
  assets: AssetStore,
  intake: Intake,
  signal: AbortSignal | undefined,
  planner: Planner = { plan },
  describe: Describe = noEyes,
): Promise<PlanResult & { plan: Plan }> {
  const facts = new Map<string, Fact>();
  let countText = input.countText ?? counterAtHand(input.profile);
  for (let round = 0; ; round++) {
    const result = planner.plan({ ...input, facts, ...(countText && { countText }) });
    // Near the ceiling an estimate may cut what would have fitted: there, texts are counted where that is possible.
    const near = result.refusal !== undefined || result.totals?.near;
    const counter = near && !countText ? await countTextFor(input.profile) : undefined;
    if (counter) {
      countText = counter;
      continue;
    }
    if (result.plan) return result;
    if (result.refusal) throw refusedInput(result.refusal);
    signal?.throwIfAborted();
    await Promise.all(
      result.needs.map(async (need) => {
        const fact = round < rounds ? await factOf(need, assets, intake, signal, describe) : tooManyRounds;
        facts.set(renditionKey(need), fact);
      }),
    );
    if (round > rounds + 1) throw new SightlineError('bug', 'The planner keeps asking for renditions.');
  }
}

const tooManyRounds = refuse('timed-out', 'The rendition was asked for too late', 'Prepare the request again.');

/** Renditions are kept by content, so that a conversation without a ledger is not rendered anew every turn. */
async function factOf(
  need: Rendition,
  assets: AssetStore,
  intake: Intake,
  signal: AbortSignal | undefined,
  describe: Describe,
): Promise<Fact> {
  const facts = memoOf<Fact>(assets, 'rendition');
  const key = renditionKey(need);
  const known = facts.get(key);
  if (known && (await stillStored(known, assets))) return known;
  const made =
    need.to === 'description'
      ? await describe(need.picture)
      : await render(need, { assets, ...(signal && { signal }) });
  signal?.throwIfAborted();
  const fact: Fact = made.ok ? { ok: true, value: (await checkBlocks(made.value, intake)).content } : made;
  if (!fact.ok && (fact.refusal.code === 'timed-out' || fact.refusal.code === 'cancelled')) return fact;
  facts.set(key, fact);
  return fact;
}

async function stillStored(fact: Fact, assets: AssetStore): Promise<boolean> {
  const media = fact.ok ? fact.value.filter(isMedia) : [];
  return media.length === 0 || (await assets.missing(media.map(({ asset }) => asset.id))).size === 0;
}

/** Which assets of a conversation, and of what was sent of it to a model, are no longer stored: one question a turn.
 * `found` are those that were stored when they were asked for; what somebody removes behind the back of its store is
 * missed when the request is written. */
export async function goneAssets(
  messages: readonly Message[],
  ledger: Ledger | undefined,
  model: string,
  assets: AssetStore,
  found: Set<AssetId> = new Set(),
): Promise<ReadonlySet<AssetId>> {
  const ids = new Set([...messages.flatMap(mediaIn), ...sentAssets(ledger, model)]);
  const asked = assets.forgets ? [...ids] : [...ids].filter((id) => !found.has(id));
  if (asked.length === 0) return new Set();
  const gone = await assets.missing(asked);
  for (const id of asked) if (!gone.has(id)) found.add(id);
  return gone;
}

function mediaIn({ content }: Message): AssetId[] {
  return content.flatMap((block) => (isMedia(block) ? [block.asset.id, ...madeOf(block)] : []));
}
