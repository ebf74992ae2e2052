// Plans, has made what the plan needs to know, and plans again: the meeting of the pure planner and the media stage.
import { memoOf } from '../asset/memo.ts';
import type { AssetStore } from '../asset/store.ts';
import type { AssetId, Block, ImageBlock } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { refuse, refusedInput, SightlineError } from '../content/refusal.ts';
import { render } from '../media/index.ts';
import type { Message } from '../message/message.ts';
import { checkBlocks } from '../tool/check.ts';
import { itemAssets } from '../window/ledger.ts';
import type { Ledger, LedgerItem } from '../window/ledger.ts';
import { plan } from '../window/plan.ts';
import type { PlanInput, PlanResult } from '../window/plan.ts';
import type { Plan } from '../window/plan-types.ts';
import { renditionKey } from '../window/rendition.ts';
import type { FileUploads } from './uploads/port.ts';
import type { Fact, Fetching, Need, Uploading } from '../window/rendition.ts';
import type { UrlRules } from '../media/remote/address.ts';
import type { Planner } from '../window/planner.ts';
import { counterAtHand, countTextFor } from './count-text.ts';
import { madeOf } from './generated-picture.ts';

const rounds = 4;

/** What makes facts that no rendition of an asset is. */
export type FactMakers = {
  /** Has a picture described by a model that sees. */
  describe?: ((picture: ImageBlock) => Promise<Fact>) | undefined;
  /** Where media may be fetched from; nothing is where it is left out. */
  fetch?: UrlRules | undefined;
  /** What puts media among somebody's files at a provider. */
  uploads?: FileUploads | undefined;
};

/** Plans, makes what the plan needs to know, and plans again. What is still missing after that counts as refused. */
export async function planWithFacts(
  input: PlanInput,
  assets: AssetStore,
  intake: Intake,
  signal: AbortSignal | undefined,
  planner: Planner = { plan },
  makers: FactMakers = {},
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
        const fact = round < rounds ? await factOf(need, assets, intake, signal, makers) : tooManyRounds;
        facts.set(renditionKey(need), fact);
      }),
    );
    if (round > rounds + 1) throw new SightlineError('bug', 'The planner keeps asking for renditions.');
  }
}

const tooManyRounds = refuse('timed-out', 'The rendition was asked for too late', 'Prepare the request again.');

/** Renditions are kept by content, so that a conversation without a ledger is not rendered anew every turn. */
async function factOf(
  need: Need,
  assets: AssetStore,
  intake: Intake,
  signal: AbortSignal | undefined,
  makers: FactMakers,
): Promise<Fact> {
  if (need.to === 'file') return await uploadedFact(need, assets, signal, makers);
  const facts = memoOf<Fact>(assets, 'rendition');
  const key = renditionKey(need);
  const known = facts.get(key);
  if (known && (await stillStored(known, assets))) return known;
  const made = await makeFact(need, assets, intake, signal, makers);
  signal?.throwIfAborted();
  const fact: Fact = made.ok ? { ok: true, value: (await checkBlocks(made.value, intake)).content } : made;
  if (!fact.ok && (fact.refusal.code === 'timed-out' || fact.refusal.code === 'cancelled')) return fact;
  facts.set(key, fact);
  return fact;
}

/** The id of an asset; what it means and for how long is known by whoever uploads. */
async function uploadedFact(
  { asset, endpoint }: Uploading,
  assets: AssetStore,
  signal: AbortSignal | undefined,
  { uploads }: FactMakers,
): Promise<Fact> {
  const given = await uploads?.give(asset, endpoint, () => assets.stream(asset.id), signal);
  signal?.throwIfAborted();
  if (!given?.ok) return given ?? refuse('not-allowed', 'Nothing is uploaded', 'Set `uploads`.');
  return {
    ok: true,
    value: [{ type: 'reference', kind: 'document', at: { file: { endpoint, id: given.value.file } } }],
  };
}

async function makeFact(
  need: Exclude<Need, Uploading>,
  assets: AssetStore,
  intake: Intake,
  signal: AbortSignal | undefined,
  { describe, fetch }: FactMakers,
): Promise<Fact> {
  const options = { assets, ...(signal && { signal }) };
  if (need.to === 'bytes')
    return fetch ? await fetchedBlock(need, fetch, intake, options) : refuse('not-allowed', 'Addresses are not fetched', 'Set `urls.fetch`.'); // prettier-ignore
  if (need.to !== 'description') return await render(need, options);
  return describe
    ? await describe(need.picture)
    : refuse('unsupported', 'There is nobody to describe it', 'Set `eyes`.');
}

/** What lies at an address, through the same intake as everything else. */
async function fetchedBlock(
  { url, reference }: Fetching,
  rules: UrlRules,
  intake: Intake,
  options: { assets: AssetStore; signal?: AbortSignal },
): Promise<Fact> {
  const { kind, name, range, fallback, detail } = reference;
  const { fetchMedium } = await import('../media/remote/medium.ts');
  const got = await fetchMedium(url, kind, rules, options);
  if (!got.ok) return got;
  const called = name ?? got.value.name;
  const mediaType = reference.mediaType ?? got.value.mediaType;
  const hint = { ...(called !== undefined && { name: called }), ...(mediaType !== undefined && { mediaType }) };
  const read = await intake.check(got.value.bytes, { ...hint, ...(range && { range }) });
  if (!read.ok) return read;
  if (!isMedia(read.value) || (kind !== 'document' && read.value.type !== kind))
    return refuse('unsupported', `What lies at ${new URL(url).host} is no ${kind}`, 'Check the address.');
  const said = { ...(fallback !== undefined && { fallback }) };
  const block: Block =
    read.value.type === 'image' ? { ...read.value, ...said, ...(detail && { detail }) } : { ...read.value, ...said };
  return { ok: true, value: [block] };
}

async function stillStored(fact: Fact, assets: AssetStore): Promise<boolean> {
  const media = fact.ok ? fact.value.filter(isMedia) : [];
  return media.length === 0 || (await assets.missing(media.map(({ asset }) => asset.id))).size === 0;
}

/** Assets that were found in their store, and the messages and items of a ledger that name no others, in their order. */
export type FoundAssets = { ids: Set<AssetId>; messages: readonly Message[]; items: readonly LedgerItem[] };

export function nothingFound(): FoundAssets {
  return { ids: new Set(), messages: [], items: [] };
}

/** Which assets of a conversation, and of what was sent of it to a model, are no longer stored: one question a turn.
 * `found` were stored when they were asked for; what somebody removes behind the back of its store is missed when the
 * request is written. */
export async function goneAssets(
  messages: readonly Message[],
  ledger: Ledger | undefined,
  model: string,
  assets: AssetStore,
  found: FoundAssets = nothingFound(),
): Promise<ReadonlySet<AssetId>> {
  const before = assets.forgets ? nothingFound() : found;
  const items = ledger?.entries?.[model]?.items ?? [];
  const asked = new Set<AssetId>();
  const ask = (named: readonly AssetId[]): void => {
    for (const id of named) if (!before.ids.has(id)) asked.add(id);
  };
  for (const message of newIn(messages, before.messages)) ask(namedIn(message));
  for (const item of newIn(items, before.items)) ask(itemAssets(item));
  const gone = asked.size === 0 ? asked : await assets.missing([...asked]);
  for (const id of asked) if (!gone.has(id)) before.ids.add(id);
  if (gone.size === 0) Object.assign(before, { messages: [...messages], items: [...items] });
  return gone;
}

function newIn<Item>(all: readonly Item[], known: readonly Item[]): Item[] {
  return all.filter((one, at) => one !== known[at]);
}

function namedIn({ content }: Message): AssetId[] {
  return content.flatMap((block) => (isMedia(block) ? [block.asset.id, ...madeOf(block)] : []));
}
