// What is decided about one item of a conversation, and what that comes to. Everything found out about a draft is kept
// with it, so that a long conversation is looked at once.
import type { AssetId, Block, CarriedBlock, MediaKind } from '../content/block.ts';
import { isCarried, kindOfMedium, mediaKinds, mediumId } from '../content/block.ts';
import {
  earlierLeftOut,
  mostDocuments,
  mostInMessage,
  surplusPicture,
  tooDear,
  unchangedPicture,
} from '../content/words.ts';
import type { Item } from '../message/pair.ts';
import type { ToolSpec } from '../tool/tool.ts';
import { mediaTokens, weightless, weightOfItem } from './budget.ts';
import type { Weight } from './budget.ts';
import { heldAssets, planItem } from './write-item.ts';
import type { Counter, Cut, DecidedItem } from './write-item.ts';
import { decideMedium, isHopeless } from './carrier.ts';
import { halved, inWords, stands } from './decide.ts';
import type { Decision, Floors, DecideContext, MediaSlot } from './decide.ts';
import type { MediaPolicy, PlanItem } from './plan-types.ts';
import type { Profile } from './profile.ts';
import type { Receipt } from './receipt.ts';
import { renditionKey } from './rendition.ts';
import type { Facts, Need } from './rendition.ts';
import { unshown } from './rules.ts';
import { documentForm, documentKey, enterForm, ifShown, unlessShown } from './shown-documents.ts';
import type { DocumentForms } from './shown-documents.ts';
import { kindOfShown } from './shown.ts';
import { tokensOf } from './tokens.ts';
import type { CountText } from './tokens.ts';

const defaultImagesPerMessage = 10;

type PlanContextInput = {
  facts: Facts;
  gone: ReadonlySet<AssetId>;
  tools: readonly ToolSpec[];
  legible?: ReadonlySet<AssetId> | undefined;
  floors?: Floors | undefined;
  policy?: MediaPolicy | undefined;
  eyes?: DecideContext['eyes'];
  urls?: DecideContext['urls'];
  uploads?: 'worth' | 'needed' | undefined;
};

/** What the steps of one planning share. */
export type PlanContext = DecideContext & {
  profile: Profile;
  policy: MediaPolicy;
  needs: Map<string, Need>;
  /** What the first drafts show of documents, `looked` of them: in which forms, and how many go as documents. */
  documents: { looked: number; forms: DocumentForms; count: number };
};

export function openPlanContext(input: PlanContextInput, profile: Profile): PlanContext {
  const needs = new Map<string, Need>();
  const need = (one: Need): void => void needs.set(renditionKey(one), one);
  return {
    profile,
    facts: input.facts,
    gone: input.gone,
    viewable: input.tools.some((tool) => tool.name === 'view_asset'),
    legible: input.legible,
    floors: input.floors,
    policy: input.policy ?? {},
    eyes: input.eyes,
    urls: input.urls,
    need,
    needMore: need,
    uploads: input.uploads,
    needs,
    documents: { looked: 0, forms: new Map(), count: 0 },
  };
}

/** What was decided about one item. Never changed: `altered` makes another. `written`: what it comes to, once somebody
 * has asked. */
export type Draft = DecidedItem & { written?: Written };

type Written = {
  profile: Profile;
  planned: PlanItem | undefined;
  receipts: readonly Receipt[];
  weight: Weight;
  /** How many of its tokens are those of media. */
  media: number;
  /** The long edge of its largest picture. */
  edge: number;
  /** What it weighs with its texts counted, not estimated, and by whom. */
  counted?: { by: CountText; weight: Weight };
};

type Change = { decisions?: Decision[]; cut?: Cut; keep?: number; unbound?: true };

export function altered({ item, decisions, ...marks }: Draft, change: Change): Draft {
  return { item, decisions, ...marksOf(marks), ...change };
}

type Marks = { [Name in 'cut' | 'keep' | 'unbound']?: Draft[Name] | undefined };

/** What was done to an item beside its media, without what was not. */
export function marksOf({ cut, keep, unbound }: Marks): Pick<Draft, 'cut' | 'keep' | 'unbound'> {
  return { ...(cut && { cut }), ...(keep !== undefined && { keep }), ...(unbound && { unbound }) };
}

/** What a draft comes to on the wire, worked out once. */
export function written(draft: Draft, profile: Profile): Written {
  if (draft.written) return draft.written;
  const context: Counter = { profile, receipts: [] };
  const planned = planItem(draft, context);
  const weight = planned ? weightOfItem(planned, profile.tokens) : weightless;
  const edges = draft.decisions.flatMap(({ blocks }) =>
    blocks.map((block) => (block.type === 'image' ? Math.max(block.width, block.height) : 0)),
  );
  const media = planned ? mediaTokens(planned, profile.tokens) : 0;
  return (draft.written = { profile, planned, receipts: context.receipts, weight, media, edge: Math.max(0, ...edges) });
}

/** The same with its texts counted, not estimated. */
export function countedWeight(draft: Draft, profile: Profile, countText: CountText): Weight {
  const made = written(draft, profile);
  if (made.counted?.by === countText) return made.counted.weight;
  const weight = made.planned ? weightOfItem(made.planned, profile.tokens, countText) : made.weight;
  made.counted = { by: countText, weight };
  return weight;
}

/** The line that stands where the conversation begins for what was left out of it altogether. */
export function leftOutLine(gone: readonly Draft[]): PlanItem {
  const held = gone.flatMap(({ item }) =>
    item.role === 'batch' ? item.results.flatMap(heldAssets) : heldAssets(item),
  );
  return { role: 'user', content: [{ type: 'text', text: earlierLeftOut(held) }] };
}

/** One decision per medium of an item, taken now. Shorter than the media while facts are missing. `earlier`: all that stands
 * before it, which under one context only grows. */
export function decideItem(
  item: Item,
  context: PlanContext,
  before?: string,
  earlier: readonly Draft[] = [],
): Decision[] {
  let last = before;
  const media = mediaOf(item);
  const hasDocument = media.some(({ block }) => documentKey(block) !== undefined);
  const shown = hasDocument ? documentsIn(earlier, context) : context.documents.forms;
  const bounds = boundsBehind(earlier, context);
  const inside: DocumentForms = new Map();
  return media
    .map((medium) => {
      const { block, slot } = medium;
      const isImage = kindOfMedium(block) === 'image';
      const repeated = isImage && mediumId(block) === last;
      if (isImage) last = mediumId(block);
      if (isHopeless(block, slot, context))
        return unlessShown(block, decideMedium(block, slot, context), shown, inside);
      const settled = beyond(medium, context) ?? (repeated ? sameAgain(block, context) : undefined);
      const decided = settled ?? affordable(block, decideMedium(block, slot, context), context);
      const decision =
        ifShown(block, decided, shown, inside) ??
        unlessShown(block, withinBounds(medium, decided, bounds, context), shown, inside);
      hold(decision, bounds);
      return decision;
    })
    .filter((decision) => decision !== undefined);
}

/** How many of a kind something may hold, and how many of them it holds already. */
type Bound = { kind: MediaKind; most: number; held: number; why: string };

/** What bounds the media that come next. Neighbours that are not the assistant's are one message to some APIs. */
function boundsBehind(earlier: readonly Draft[], { profile, documents }: PlanContext): Bound[] {
  const inMessage = mediaKinds.flatMap((kind): Bound[] => {
    const most = profile.media[kind].maxPerMessage;
    return most === undefined ? [] : [{ kind, most, held: 0, why: mostInMessage(kind, most) }];
  });
  if (inMessage.length > 0) {
    const beside = earlier.slice(earlier.findLastIndex(({ item }) => item.role === 'assistant') + 1);
    for (const { decisions } of beside) for (const decision of decisions) hold(decision, inMessage);
  }
  const { maxDocuments: most } = profile;
  if (most === undefined) return inMessage;
  return [...inMessage, { kind: 'document', most, held: documents.count, why: mostDocuments(most) }];
}

/** Whether the media of an item are shown as its decisions say. */
export function showsMedia({ cut }: Draft): boolean {
  return cut !== 'text' && cut !== 'all';
}

/** The documents that these show, each in all its forms; a draft is looked at once. */
function documentsIn(drafts: readonly Draft[], { documents }: PlanContext): DocumentForms {
  for (; documents.looked < drafts.length; documents.looked++) {
    const draft = drafts[documents.looked] as Draft;
    if (!showsMedia(draft)) continue;
    for (const [at, { block }] of mediaOf(draft.item).entries()) {
      const [key, decision] = [documentKey(block), draft.decisions[at]];
      if (key === undefined || !decision) continue;
      if (stands(decision)) enterForm(key, documentForm(decision), documents.forms);
      documents.count += countOf(decision, 'document');
    }
  }
  return documents.forms;
}

/** Where a message or a request holds only so many of a kind, what is more goes the next way down. */
function withinBounds(
  { block, slot }: Medium,
  first: Decision | undefined,
  bounds: readonly Bound[],
  context: PlanContext,
): Decision | undefined {
  let decision = first;
  const media = { ...context.profile.media };
  const isFull = ({ kind, most, held }: Bound): boolean => {
    const count = countOf(decision, kind);
    return count > 0 && held + count > most;
  };
  for (let full = bounds.find(isFull); full; full = bounds.find(isFull)) {
    const { kind, why } = full;
    media[kind] = unshown(media[kind]);
    const lower = decideMedium(block, slot, { ...context, profile: { ...context.profile, media, withheld: why } });
    decision = lower && { ...lower, why };
  }
  return decision;
}

function hold(decision: Decision | undefined, bounds: readonly Bound[]): void {
  for (const bound of bounds) bound.held += countOf(decision, bound.kind);
}

function countOf(decision: Decision | undefined, kind: MediaKind): number {
  return decision?.blocks.filter((one) => one.type !== 'text' && kindOfShown(one) === kind).length ?? 0;
}

/** A picture beyond those that one message shows is named in words. */
function beyond({ block, ordinal }: Medium, { policy, viewable }: PlanContext): Decision | undefined {
  const most = policy.maxImagesPerMessage ?? defaultImagesPerMessage;
  if (kindOfMedium(block) !== 'image' || ordinal < most) return undefined;
  const text = surplusPicture(block, most, viewable);
  const why = `one message shows ${most} pictures at most`;
  return { place: 'words', blocks: [{ type: 'text', text }], action: 'words', why };
}

/** A picture that costs too much goes half as large, or in words when that is still too much. */
function affordable(block: CarriedBlock, decision: Decision | undefined, context: PlanContext): Decision | undefined {
  const most = context.policy.maxImageTokens;
  if (!decision || block.type !== 'image' || most === undefined || tokensIn(decision, context) <= most) return decision;
  const why = tooDear(most);
  const smaller = halved(block, decision.place, why, context);
  if (smaller === undefined) return undefined;
  return smaller && tokensIn(smaller, context) <= most ? smaller : inWords(block, why, context);
}

function tokensIn({ blocks }: Decision, { profile }: PlanContext): number {
  return blocks.reduce((sum, block) => sum + (block.type === 'image' ? tokensOf(block, profile.tokens) : 0), 0);
}

function sameAgain(block: CarriedBlock, { policy }: PlanContext): Decision | undefined {
  if (policy.unchanged !== 'note') return undefined;
  const text = unchangedPicture(block);
  return { place: 'words', blocks: [{ type: 'text', text }], action: 'words', why: 'the same as the picture before' };
}

/** `ordinal`: how many pictures stand before it in its message or result. */
export type Medium = { block: CarriedBlock; slot: MediaSlot; ordinal: number };

/** The media of an item, each with the place it has there. */
export function mediaOf(item: Item): Medium[] {
  if (item.role === 'assistant') return [];
  if (item.role === 'user') return placed(item.content, 'user');
  return item.results.flatMap(({ content, isError }) => placed(content, isError ? 'errorResult' : 'result'));
}

function placed(content: readonly Block[], slot: MediaSlot): Medium[] {
  let pictures = 0;
  return content
    .filter(isCarried)
    .map((block) => ({ block, slot, ordinal: kindOfMedium(block) === 'image' ? pictures++ : 0 }));
}
