// The brain: a transcript, a profile, facts and a ledger → a plan with receipts and the next ledger, or the renditions
// it has to know first. Pure: the same input gives the same plan, nothing given is changed. What a ledger remembers is
// taken word for word; everything else is decided here, and only here.
import type { AssetId, MediumId } from '../content/block.ts';
import type { Refusal } from '../content/refusal.ts';
import { isStill, snapshotOf } from '../content/snapshot.ts';
import type { Transcript } from '../message/message.ts';
import { pair, pairMore } from '../message/pair.ts';
import type { Item, Paired, PairRepair } from '../message/pair.ts';
import { ceilings, correctionOf, tighter, totalsOf, weightOfFrame } from './budget.ts';
import type { Budget, LearnedLimits, Totals, Weight } from './budget.ts';
import { cacheKey, cacheMarks, wantsMarks } from './cache-marks.ts';
import { fitBudget } from './evict.ts';
import type { Head } from './evict.ts';
import type { Floors } from './decide.ts';
import { decideItem, marksOf, mediaOf, openPlanContext } from './draft.ts';
import type { PlanContext, Draft } from './draft.ts';
import { reshown } from './repeated.ts';
import { lastPicture, pictureBefore } from './retention.ts';
import { digestOf, frameDigests, recall, record } from './ledger.ts';
import type { FrameDigests, Ledger, LedgerItem, Recall } from './ledger.ts';
import { legibleMedia } from './rendition.ts';
import { settleOptions } from './options.ts';
import type { MediaPolicy, Plan, PlanItem, RequestOptions, UploadPolicy, UrlPolicy } from './plan-types.ts';
import type { Profile } from './profile.ts';
import { decideAgain, lowerFloors, unbind } from './quarantine.ts';
import type { CheckpointReason, Receipt } from './receipt.ts';
import type { Facts, Need } from './rendition.ts';
import type { CountText } from './tokens.ts';
import { writeAll } from './assemble.ts';
import type { Whole } from './assemble.ts';

/** All that a plan is made of. */
export type PlanInput = {
  transcript: Transcript;
  profile: Profile;
  options?: RequestOptions;
  cache?: 'auto' | 'off';
  /** Ceilings below those of the model. */
  budget?: Budget;
  /** How much the provider was found to take; the ledger keeps it. */
  limits?: LearnedLimits;
  /** Which media stay in sight, beyond what fits. */
  policy?: MediaPolicy;
  facts?: Facts;
  /** Assets whose bytes are no longer stored. */
  gone?: ReadonlySet<AssetId>;
  ledger?: Ledger | undefined;
  /** Whether words can be read off pictures for models that cannot see them. */
  readPictures?: boolean;
  /** The model that describes pictures for one that cannot see. */
  eyes?: string;
  /** What is done about addresses of media; those that people wrote pass unless set. */
  urls?: UrlPolicy | undefined;
  /** Where media go up once and by their ids from then on: whose ids they are. */
  uploads?: UploadPolicy | undefined;
  /** Media that the provider refused: each goes one rung lower than it stood, and the ledger keeps it there. */
  lower?: ReadonlySet<MediumId>;
  /** Thinking that the provider refused: from this item of the last plan on (`true`: all) none is sent back. */
  dropThinking?: number | true;
  /** Whether the provider is asked to leave out thinking that is bound to another prefix; as before unless set. */
  dropUnbound?: boolean;
  /** Counts the tokens of a text better than the estimate does; asked when a request comes near its ceiling. */
  countText?: CountText;
};

/** A plan, the renditions that have to be made before there can be one, or why there can be none. */
export type PlanResult =
  | { plan: Plan; receipts: Receipt[]; ledger: Ledger; totals: Totals; needs?: undefined; refusal?: undefined }
  | { needs: Need[]; plan?: undefined; refusal?: undefined; totals?: undefined }
  /** Even the least of it does not fit. */
  | { refusal: Refusal; plan?: undefined; needs?: undefined; totals?: undefined };

/**
 * Plans one request.
 *
 * @example
 * const result = plan({ transcript, profile: profileFor('anthropic/claude-sonnet-5') });
 * if (result.plan) send(wires['anthropic-messages'].encode(result.plan));
 */
export function plan(input: PlanInput): PlanResult {
  return planFrom(input).result;
}

/** What one planning worked out that holds for the next, as far as nothing it rests on has changed: the items whose turn
 * is over, and what stands before them. */
export type Worked = { paired: Paired; drafts: readonly Draft[]; whole: Whole; frame: Frame };

/** What stands before the messages. */
type Frame = { digests: FrameDigests; weight: Weight; key: string | undefined };

/** The same, going on from what the turn before worked out: only the time it takes depends on that. */
export function planFrom(
  input: PlanInput,
  before?: { turns?: Worked | undefined; frame?: Frame | undefined },
): { result: PlanResult; worked?: Worked } {
  const { transcript } = input;
  const tools = transcript.tools ?? [];
  const earlier = before?.turns;
  const digests = before?.frame?.digests ?? frameDigests(transcript);
  const paired = earlier ? pairMore(earlier.paired, transcript.messages) : pair(transcript.messages);
  const { items } = paired;
  const same = earlier ? Math.min(earlier.paired.mark.items, earlier.drafts.length) : 0;
  const known = recall(input.ledger, input.profile, digests, items, same, input.gone, input.uploads);
  const { profile } = known;
  const reused = known.items.length >= same ? same : 0;
  const drafted = draftAll(items, known, input, earlier?.drafts.slice(0, reused) ?? []);
  if (!drafted.drafts) return { result: { needs: drafted.needs } };
  const { drafts, floors, context } = drafted;

  const correction = correctionOf(known, items, profile);
  const limits = tighter(known.limits, input.limits);
  const ceiling = ceilings(profile, input.options ?? {}, input.budget, limits, correction);
  const frame = before?.frame?.weight ?? weightOfFrame(transcript.system, tools);
  const { countText } = input;
  const sent = known.items.length;
  const head = reused > 0 ? earlier?.whole : undefined;
  const fitted = fitBudget(drafts, { ceiling, frame, sent, context, correction, head: head?.head, countText });
  if (!fitted.ok) return { result: 'needs' in fitted ? { needs: fitted.needs } : { refusal: fitted.refusal } };

  const moved = fitted.firstCut !== undefined || fitted.drafts.length < reused;
  const planned = writeAll(fitted.drafts, profile, paired.mark.items, moved ? undefined : head);
  const settled = settleOptions(input.options ?? {}, profile, tools.length, turnWithoutThinking(planned.items));
  const frameReceipts = receiptsOf(known, input, paired, fitted.firstCut !== undefined);
  const receipts = frameReceipts.concat(planned.receipts, settled.receipts);
  const marked = (input.cache ?? 'auto') === 'auto';
  const edge = fitted.firstCut ?? firstPicture(fitted.drafts, planned.head);
  const remembered = rememberAll(fitted.drafts, known, moved ? 0 : reused);
  const estimate = { tokens: fitted.total.tokens, factor: correction };
  const stays = standing(known, input);
  const { dropUnbound } = stays;
  const ledger = record(input.ledger, profile, digests, { items: remembered, floors, limits, estimate, ...stays });
  const keyBefore = reused > 0 ? earlier?.frame.key : undefined;
  const key =
    marked && profile.cache === 'key' ? (keyBefore ?? cacheKey(transcript, remembered[0]?.digest)) : undefined;
  const result: PlanResult = {
    plan: {
      profile,
      ...(transcript.system?.trim() && { system: transcript.system }),
      tools,
      items: planned.items,
      options: { ...settled.options, ...(dropUnbound && settled.options.thinking !== 'off' && { dropUnbound }) },
      marks:
        marked && wantsMarks(profile) ? cacheMarks(planned.items, planned.places[edge]) : { system: false, items: [] },
      ...(key !== undefined && { cacheKey: key }),
    },
    receipts,
    ledger,
    totals: totalsOf(fitted, ceiling, correction),
  };
  return { result, worked: { paired, drafts: fitted.drafts, whole: planned, frame: { digests, weight: frame, key } } };
}

/** What holds for the whole conversation: as before, or as it is said now. */
function standing(known: Recall, { dropUnbound = known.dropUnbound, uploads }: PlanInput): StandingFacts {
  return { dropUnbound, unseen: known.unseen, account: uploads?.account };
}

type StandingFacts = Pick<Recall, 'dropUnbound' | 'unseen'> & { account: string | undefined };

type Drafted = { drafts: Draft[]; floors: Floors; context: PlanContext };

/** Every item with what is decided about it; `reused` are those that hold from the turn before. */
function draftAll(
  items: readonly Item[],
  known: Recall,
  input: PlanInput,
  reused: Draft[],
): Drafted | { needs: Need[]; drafts?: undefined } {
  const { transcript, facts = new Map(), gone = new Set(), policy, lower = new Set(), readPictures, urls } = input;
  const { profile } = known;
  const unseen = items.slice(known.items.length).flatMap(mediaOf);
  const legible = readPictures ? legibleMedia(unseen, profile) : undefined;
  const eyes = input.eyes === undefined ? undefined : { by: input.eyes, media: legibleMedia(unseen, profile) };
  const shared = {
    facts,
    gone,
    tools: transcript.tools ?? [],
    legible,
    policy,
    eyes,
    urls,
    uploads: uploadsFor(input),
  };
  const lowering = openPlanContext({ ...shared, floors: known.floors }, profile);
  const floors = lowerFloors(lower, items, known.items, lowering);
  if (lowering.needs.size > 0) return { needs: [...lowering.needs.values()] };

  const context = openPlanContext({ ...shared, floors }, profile);
  let drafts = reused;
  const isNoted = policy?.unchanged === 'note';
  let last = isNoted ? pictureBefore(items, drafts.length) : undefined;
  for (const item of items.slice(drafts.length)) {
    drafts.push(draftOf(item, drafts, known, input, { context, last }));
    if (isNoted) last = lastPicture(item) ?? last;
  }
  if (lower.size > 0) for (const [index, draft] of reshown(drafts)) drafts[index] = draft;
  if (context.needs.size > 0) return { needs: [...context.needs.values()] };
  if (lower.size > 0 && profile.boundThinking) {
    const changed = drafts.findIndex(({ decisions }, index) => known.items[index]?.decisions !== decisions);
    if (changed >= 0) drafts = unbind(drafts, changed, known.items.length);
  }
  if (input.dropThinking !== undefined)
    drafts = unbind(drafts, itemAt(input.dropThinking, drafts, profile), drafts.length);
  return { drafts, floors, context };
}

/** A medium is worth an upload where it will be sent again: in a loop with tools, or in a conversation that goes on. Elsewhere
 * only what does not fit inline goes up. */
function uploadsFor({ uploads, transcript, ledger }: PlanInput): 'worth' | 'needed' | undefined {
  if (!uploads) return undefined;
  return (transcript.tools?.length ?? 0) > 0 || ledger !== undefined ? 'worth' : 'needed';
}

/** An item as it was decided before, or as it is decided now; `last`: the picture before it, where that counts. */
function draftOf(
  item: Item,
  drafts: readonly Draft[],
  known: Recall,
  input: PlanInput,
  { context, last }: { context: PlanContext; last: string | undefined },
): Draft {
  const index = drafts.length;
  const before = known.items[index];
  if (before) {
    const decisions = input.lower ? decideAgain(item, before.decisions, input.lower, context) : before.decisions;
    return { item, decisions, ...marksOf(before) };
  }
  const unbound = context.profile.boundThinking && index < known.sent;
  return { item, decisions: decideItem(item, context, last, drafts), ...(unbound && { unbound }) };
}

function reasonsOf({ reasons }: Recall, { lower, dropThinking }: PlanInput, cut: boolean): CheckpointReason[] {
  const all: CheckpointReason[] = [...reasons];
  const quarantined = (lower?.size ?? 0) > 0 || dropThinking !== undefined;
  if (quarantined && !all.includes('quarantine')) all.push('quarantine');
  if (cut) all.push('budget');
  return all;
}

/** The first item that shows a picture; -1 when none does. */
function firstPicture(drafts: readonly Draft[], { count, picture }: Head): number {
  return (
    picture ?? drafts.findIndex(({ written: made }, at) => at >= count && made !== undefined && made.weight.images > 0)
  );
}

/** What there is to tell before the items: the profile, why the prefix moves, calls and results that were repaired. */
function receiptsOf(known: Recall, input: PlanInput, { repairs }: Paired, cut: boolean): Receipt[] {
  return [
    ...profileReceipts(known.profile, input.profile),
    ...reasonsOf(known, input, cut).map(checkpointReceipt),
    ...repairs.map(repairReceipt),
  ];
}

function checkpointReceipt(reason: CheckpointReason): Receipt {
  return { action: 'checkpoint', subject: reason, why: 'the prefix moves' };
}

function repairReceipt({ kind, what, callId }: PairRepair): Receipt {
  return { action: 'repaired', subject: kind, why: what, callId };
}

/** What the ledger keeps of the drafts; the first `same` are as it has them. */
function rememberAll(drafts: readonly Draft[], known: Recall, same: number): LedgerItem[] {
  const items = known.items.slice(0, same);
  for (let index = items.length; index < drafts.length; index++)
    items.push(remember(drafts[index] as Draft, known.items[index]));
  return items;
}

function remember({ item, decisions, ...marks }: Draft, before: LedgerItem | undefined): LedgerItem {
  const { cut, keep, unbound } = marks;
  const isSame = before?.cut === cut && before?.keep === keep && before?.unbound === unbound;
  if (before && isSame && before.decisions === decisions) return before;
  return { digest: before?.digest ?? digestOf(item), decisions, ...marksOf(marks) };
}

/** The item of the conversation that stands at a place of the plan. */
function itemAt(place: number | true, drafts: readonly Draft[], profile: Profile): number {
  if (place === true) return 0;
  const found = writeAll(drafts, profile, drafts.length).places.findIndex((at) => at >= place);
  return found < 0 ? drafts.length : found;
}

/** Whether the request answers calls that were made without thinking: such a turn cannot begin to think now. */
function turnWithoutThinking(items: readonly PlanItem[]): boolean {
  const at = items.findLastIndex((item) => item.role === 'assistant');
  const asked = items[at];
  const answers = items.slice(at + 1).some((item) => item.role === 'batch');
  return asked?.role === 'assistant' && answers && asked.content[0]?.type !== 'thinking';
}

/** A profile that was stored as JSON may lack what that has no word for. */
function isEqual(one: Profile, other: Profile): boolean {
  return isStill(snapshotOf(one), other) || JSON.stringify(one) === JSON.stringify(other);
}

function profileReceipts(used: Profile, given: Profile): Receipt[] {
  const receipts: Receipt[] = [];
  if (used.assumed !== undefined) {
    const why = `"${used.id}" tells nothing about the model behind it; set its capabilities in the configuration`;
    receipts.push({ action: 'assumed', subject: used.assumed, why });
  }
  if (used !== given && !isEqual(used, given)) {
    receipts.push({
      action: 'frozen',
      subject: used.model,
      why: 'the conversation goes on with the profile it began with',
    });
  }
  return receipts;
}
