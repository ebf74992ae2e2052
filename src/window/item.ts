// One item of a conversation and the decisions about its media → the same item as it will be sent: labels and notes in
// place, thinking only where it belongs, call ids that the API takes. What was done is told in receipts.
import type { AssetId, Block, CallBlock, MediaBlock, Seal } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import {
  attachedNote,
  describe,
  emptyFailure,
  emptyMessage,
  emptyResult,
  followsNote,
  leftOutResult,
  mediaEnd,
  mediaLead,
  ownerLabel,
  shortenedNote,
  surplusPicture,
  unchangedPicture,
  words,
} from '../content/describe.ts';
import { toJsonText } from '../content/json.ts';
import { cutText, digest } from '../content/text.ts';
import type { AssistantMessage, UserMessage } from '../message/message.ts';
import type { Batch, Item } from '../message/pair.ts';
import type { ToolSpec } from '../tool/tool.ts';
import { weightless, weightOfItem } from './budget.ts';
import type { Weight } from './budget.ts';
import { defaultImagesPerMessage } from './keep.ts';
import type { MediaPolicy } from './keep.ts';
import { decide } from './ladder.ts';
import type { Decision, Floors, LadderInput, Slot } from './ladder.ts';
import { onceFor } from './once.ts';
import type { PlanItem, Said, Shown } from './planned.ts';
import type { Profile } from './profile.ts';
import type { Receipt } from './receipt.ts';
import { renditionKey } from './rendition.ts';
import type { Facts, Rendition } from './rendition.ts';
import { bytesOf, tokensOf } from './tokens.ts';
import type { CountText } from './tokens.ts';

export type DeskInput = {
  facts: Facts;
  gone: ReadonlySet<AssetId>;
  tools: readonly ToolSpec[];
  legible?: ReadonlySet<AssetId> | undefined;
  floors?: Floors | undefined;
  policy?: MediaPolicy | undefined;
};

/** What the steps of one planning share. */
export type Desk = LadderInput & {
  policy: MediaPolicy;
  needs: Map<string, Rendition>;
};

export function openDesk(input: DeskInput, profile: Profile): Desk {
  const needs = new Map<string, Rendition>();
  return {
    profile,
    facts: input.facts,
    gone: input.gone,
    viewable: input.tools.some((tool) => tool.name === 'view_asset'),
    legible: input.legible,
    floors: input.floors,
    policy: input.policy ?? {},
    need: (rendition) => needs.set(renditionKey(rendition), rendition),
    needs,
  };
}

/** One item of the conversation with what was decided about it. Never changed: `altered` makes another. */
export type Draft = {
  item: Item;
  /** One per medium, in order. */
  decisions: Decision[];
  /** The texts of its results had to be shortened or to go, or all of it went. */
  cut?: Cut;
  /** Its thinking was bound to a prefix that has moved since. */
  unbound?: true;
  /** What it comes to, once somebody has asked. */
  written?: Written;
};

export type Written = {
  profile: Profile;
  planned: PlanItem | undefined;
  receipts: readonly Receipt[];
  weight: Weight;
  /** The long edge of its largest picture. */
  edge: number;
};

type Change = { decisions?: Decision[]; cut?: Cut; unbound?: true };

export function altered({ item, decisions, cut, unbound }: Draft, change: Change): Draft {
  return { item, decisions, ...(cut && { cut }), ...(unbound && { unbound }), ...change };
}

/** The draft that was made of the same decisions before, with all that is known of it, if there is one. */
export function sameDraft(draft: Draft, profile: Profile): Draft {
  const last = drafted.get(draft.item);
  const { decisions, cut, unbound } = draft;
  const same = last?.decisions === decisions && last.cut === cut && last.unbound === unbound;
  if (last && same && last.written?.profile === profile) return last;
  drafted.set(draft.item, draft);
  return draft;
}

const drafted = new WeakMap<Item, Draft>();

/** What a draft comes to on the wire, worked out once. */
export function written(draft: Draft, profile: Profile): Written {
  if (draft.written) return draft.written;
  const desk: Counter = { profile, receipts: [] };
  const planned = planItem(draft, desk);
  const weight = planned ? weightOfItem(planned, profile.tokens) : weightless;
  const edges = draft.decisions.flatMap(({ blocks }) =>
    blocks.map((block) => (block.type === 'image' ? Math.max(block.width, block.height) : 0)),
  );
  return (draft.written = { profile, planned, receipts: desk.receipts, weight, edge: Math.max(0, ...edges) });
}

/** The same with its texts counted, not estimated. */
export function countedWeight(draft: Draft, profile: Profile, countText: CountText): Weight {
  const { planned, weight } = written(draft, profile);
  const known = counted.get(weight);
  if (known?.by === countText) return known.weight;
  const exact = planned ? weightOfItem(planned, profile.tokens, countText) : weight;
  counted.set(weight, { by: countText, weight: exact });
  return exact;
}

const counted = new WeakMap<Weight, { by: CountText; weight: Weight }>();

/** Where an item is written: for whom, and what is to be told about it. */
type Counter = { profile: Profile; receipts: Receipt[] };

export type Cut = 'short' | 'text' | 'all';

/** One decision per medium of an item, taken now. Shorter than the media while facts are missing. */
export function decideItem(item: Item, desk: Desk, before?: string): Decision[] {
  let last = before;
  return mediaOf(item)
    .map((medium) => {
      const { block, slot } = medium;
      const repeated = block.type === 'image' && block.asset.id === last;
      if (block.type === 'image') last = block.asset.id;
      if (desk.profile.media[block.type][slot] === 'words') return decide(block, slot, desk);
      return beyond(medium, desk) ?? (repeated ? sameAgain(block, desk) : undefined) ?? decide(block, slot, desk);
    })
    .filter((decision) => decision !== undefined);
}

/** A picture beyond those that one message shows is named in words. */
function beyond({ block, ordinal }: Medium, { policy, viewable }: Desk): Decision | undefined {
  const most = policy.maxImagesPerMessage ?? defaultImagesPerMessage;
  if (block.type !== 'image' || ordinal < most) return undefined;
  const text = surplusPicture(block, most, viewable);
  const why = `one message shows ${most} pictures at most`;
  return { place: 'words', blocks: [{ type: 'text', text }], action: 'words', why };
}

function sameAgain(block: MediaBlock, { policy }: Desk): Decision | undefined {
  if (policy.unchanged !== 'note') return undefined;
  const text = unchangedPicture(block);
  return { place: 'words', blocks: [{ type: 'text', text }], action: 'words', why: 'the same as the picture before' };
}

/** `ordinal`: how many pictures stand before it in its message or result. */
export type Medium = { block: MediaBlock; slot: Slot; ordinal: number };

/** The media of an item, each with the place it has there. */
export const mediaOf: (item: Item) => Medium[] = onceFor(mediaIn);

function mediaIn(item: Item): Medium[] {
  if (item.role === 'assistant') return [];
  if (item.role === 'user') return placed(item.content, 'user');
  return item.results.flatMap(({ content, isError }) => placed(content, isError ? 'errorResult' : 'result'));
}

function placed(content: readonly Block[], slot: Slot): Medium[] {
  let pictures = 0;
  return content.filter(isMedia).map((block) => ({ block, slot, ordinal: block.type === 'image' ? pictures++ : 0 }));
}

/** An item as it will be sent, or nothing when nothing of it is left. Receipts go to the desk. */
function planItem({ item, decisions, cut, unbound }: Draft, desk: Counter): PlanItem | undefined {
  const queue = [...decisions];
  if (cut === 'all') return leaveOutItem(item, desk);
  switch (item.role) {
    case 'user':
      return planUser(item, queue, desk);
    case 'assistant':
      return planAssistant(item, unbound ?? false, desk);
    case 'batch':
      return cut === 'text' ? cutBatch(item, desk) : planBatch(item, queue, cut === 'short', desk);
  }
}

function leaveOutItem(item: Item, desk: Counter): undefined {
  desk.receipts.push({ action: 'left-out', subject: `a message (${item.role})`, why: 'to fit the window' });
}

/** The calls stay answered; what the answers were is gone. */
function cutBatch(item: Batch, desk: Counter): PlanItem {
  const results = item.results.map((result) => {
    const callId = safeCallId(result.callId, desk);
    desk.receipts.push({
      action: 'left-out',
      subject: `the result of ${result.name}`,
      why: 'to fit the window',
      callId,
    });
    const content: Shown[] = [{ type: 'text', text: leftOutResult }];
    return { callId, name: result.name, isError: result.isError ?? false, content };
  });
  return { role: 'batch', results, after: [] };
}

function planUser(item: UserMessage, queue: Decision[], desk: Counter): PlanItem {
  const content = item.content.flatMap((block): Shown[] => {
    if (!isMedia(block)) return shownText(block);
    const decision = queue.shift();
    if (!decision) return [];
    note(desk, block, decision);
    return decision.blocks;
  });
  return { role: 'user', content: content.length > 0 ? content : [{ type: 'text', text: emptyMessage }] };
}

/** The characters that a shortened text keeps. */
const shortText = 2000;

function shortened(shown: Shown, name: string, desk: Counter): Shown {
  if (shown.type !== 'text' || shown.text.length <= shortText) return shown;
  const text = cutText(shown.text, shortText);
  desk.receipts.push({ action: 'shortened', subject: `a text of ${name}`, why: 'to fit the window' });
  return { type: 'text', text: `${shortenedNote(text.length, shown.text.length)}\n${text}` };
}

function planBatch(item: Batch, queue: Decision[], short: boolean, desk: Counter): PlanItem {
  const after: Shown[] = [];
  const results = item.results.map((result) => {
    const callId = safeCallId(result.callId, desk);
    let ordinal = 0;
    const content = result.content.flatMap((block): Shown[] => {
      if (!isMedia(block)) {
        const shown = shownText(block);
        return short ? shown.map((one) => shortened(one, result.name, desk)) : shown;
      }
      const decision = queue.shift();
      if (!decision) return [];
      note(desk, block, decision, callId);
      if (decision.place === 'words') return decision.blocks;
      ordinal++;
      if (decision.place === 'inside')
        return desk.profile.interleaved ? decision.blocks : [placeNote(block, ordinal), ...decision.blocks];
      const label = ownerLabel(block, { name: result.name, callId, ordinal });
      if (after.length === 0) after.push({ type: 'text', text: mediaLead });
      after.push({ type: 'text', text: label }, ...decision.blocks);
      return [{ type: 'text', text: followsNote(block, ordinal) }];
    });
    if (content.length === 0) content.push({ type: 'text', text: result.isError ? emptyFailure : emptyResult });
    const isError = result.isError ?? false;
    return {
      callId,
      name: result.name,
      isError,
      content: isError && !desk.profile.errorFlag ? told(content) : content,
    };
  });
  if (after.length > 0) after.push({ type: 'text', text: mediaEnd });
  return { role: 'batch', results, after };
}

/** A failure in words, for APIs without a flag for it. */
function told(content: readonly Shown[]): Shown[] {
  const [first, ...rest] = content;
  if (first?.type !== 'text') return [{ type: 'text', text: 'Error:' }, ...content];
  return /^error:/i.test(first.text) ? [...content] : [{ type: 'text', text: `Error: ${first.text}` }, ...rest];
}

/** Marks the place of a medium where the wire keeps text and media apart. */
function placeNote(block: MediaBlock, ordinal: number): Shown {
  return { type: 'text', text: attachedNote(block, ordinal) };
}

/** Text as itself; what has no business in a user message or a result still arrives, as JSON. */
function shownText(block: Exclude<Block, MediaBlock>): Shown[] {
  if (block.type === 'thinking' || block.type === 'sealed') return [];
  const text = block.type === 'text' ? block.text : toJsonText({ call: block.name, input: block.input });
  return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

function planAssistant(item: AssistantMessage, unbound: boolean, desk: Counter): PlanItem | undefined {
  const content = item.content.flatMap((block): Said[] => {
    switch (block.type) {
      case 'text':
        return saidText(block.text, unbound ? undefined : block.seal, desk);
      case 'thinking':
      case 'sealed':
        if (ownSeal(block.seal, desk.profile) && !(unbound && block.type === 'thinking')) return [block];
        leaveOut(desk, block.type === 'thinking' ? 'thinking' : 'a sealed item', item.model, unbound);
        return [];
      case 'call':
        return [saidCall(block, unbound, desk)];
      default:
        desk.receipts.push({
          action: 'words',
          subject: describe(block),
          why: 'no API takes media from an assistant',
          asset: block.asset.id,
          place: 'words',
        });
        return [{ type: 'text', text: words(block) }];
    }
  });
  return content.length === 0 ? undefined : { role: 'assistant', content };
}

function saidText(text: string, seal: Seal | undefined, desk: Counter): Said[] {
  if (seal && ownSeal(seal, desk.profile)) return [{ type: 'text', text, seal }];
  return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

function saidCall(block: CallBlock, unbound: boolean, desk: Counter): CallBlock {
  const id = safeCallId(block.id, desk);
  const call: CallBlock = { type: 'call', id, name: block.name, input: block.input };
  const sealed = !unbound && id === block.id && ownSeal(block.seal, desk.profile);
  return sealed && block.seal ? { ...call, seal: block.seal } : call;
}

/** Seals go back to the model that made them, and nowhere else. */
function ownSeal(seal: Seal | undefined, profile: Profile): boolean {
  return (
    seal !== undefined && seal.wire === profile.wire && seal.endpoint === profile.endpoint && seal.model === profile.id
  );
}

function leaveOut(desk: Counter, subject: string, model: string, unbound: boolean): void {
  const own = unbound ? 'it is bound to a conversation that was changed since' : 'it has no seal';
  const why = model === desk.profile.model ? own : `it belongs to ${model || 'another model'}`;
  desk.receipts.push({ action: 'left-out', subject, why });
}

/** The id itself where the API allows it, otherwise a digest of it: the same on every turn. */
function safeCallId(id: string, desk: Counter): string {
  const { pattern, max } = desk.profile.callId;
  const fits = id.length <= max && id.isWellFormed() && new RegExp(pattern, 'u').test(id);
  return fits ? id : `call_${digest(id)}`.slice(-max);
}

function note(desk: Counter, block: MediaBlock, decision: Decision, callId?: string): void {
  desk.receipts.push({
    action: decision.action,
    subject: describe(block),
    why: decision.why,
    ...(callId !== undefined && { callId }),
    asset: block.asset.id,
    place: decision.place,
    tokens: decision.blocks.reduce((sum, shown) => sum + tokensOf(shown, desk.profile.tokens), 0),
    bytes: decision.blocks.reduce((sum, shown) => sum + bytesOf(shown), 0),
  });
}
