// One item of a conversation and the decisions about its media → the same item as it will be sent: labels and notes in
// place, thinking only where it belongs, call ids that the API takes. What was done is told in receipts.
import type { Asset, Block, CallBlock, CarriedBlock, ImageBlock, Seal } from '../content/block.ts';
import { isCarried, isMedia } from '../content/block.ts';
import {
  attachedNote,
  describeMedia,
  emptyFailure,
  emptyMessage,
  emptyResult,
  failureLead,
  failureText,
  followsNote,
  leftOutResult,
  mediaEnd,
  mediaLead,
  ownerLabel,
  shortenedNote,
  words,
} from '../content/words.ts';
import { toJsonText } from '../content/json.ts';
import { cutText, digest } from '../content/text.ts';
import type { AssistantMessage, UserMessage } from '../message/message.ts';
import type { Batch, Item } from '../message/pair.ts';
import type { ToolMessage } from '../tool/result.ts';
import type { Decision } from './decide.ts';
import type { PlanItem, PlannedMedia, PlannedResult, Said, SaidImage, Shown } from './plan-types.ts';
import type { Profile } from './profile.ts';
import type { Receipt } from './receipt.ts';
import type { Carrier } from './rules.ts';
import { bytesOf, tokensOf } from './tokens.ts';

/** Where an item is written: for whom, and what is to be told about it. */
export type Counter = { profile: Profile; receipts: Receipt[] };

/** How much of an item had to go: its results were shortened, their texts went, or all of it. */
export type Cut = 'short' | 'text' | 'all';

/** The characters that each text of a result keeps at least when it is shortened. */
export const leastOfResult = 2000;

/** An item of the conversation with what was decided about it. */
export type DecidedItem = {
  item: Item;
  /** One per medium, in order. */
  decisions: Decision[];
  cut?: Cut;
  /** The characters that each of its texts keeps where they are shortened, if not the least. */
  keep?: number;
  /** Its thinking was bound to a prefix that has moved since. */
  unbound?: true;
};

/** An item as it will be sent, or nothing when nothing of it is left. Receipts go to the context. */
export function planItem(
  { item, decisions, cut, keep = leastOfResult, unbound }: DecidedItem,
  context: Counter,
): PlanItem | undefined {
  const queue = [...decisions];
  if (cut === 'all') return leaveOutItem(item, context);
  switch (item.role) {
    case 'user':
      return planUser(item, queue, context);
    case 'assistant':
      return planAssistant(item, unbound ?? false, context);
    case 'batch':
      return cut === 'text'
        ? cutBatch(item, context)
        : planBatch(item, queue, cut === 'short' ? keep : Infinity, context);
  }
}

const toFit = 'to fit the window';

function leaveOutItem(item: Item, context: Counter): undefined {
  context.receipts.push({ action: 'left-out', subject: `a message (${item.role})`, why: toFit });
}

/** Every asset that a message holds or names, in its order. */
export function heldAssets({ content, kept = [] }: { content: readonly Block[]; kept?: readonly Asset[] }): Asset[] {
  const held = content.flatMap((block) =>
    isMedia(block) ? [block.asset] : block.type === 'text' ? (block.kept ?? []) : [],
  );
  return [...held, ...kept];
}

/** The calls stay answered; what the answers were is gone. */
function cutBatch(item: Batch, context: Counter): PlanItem {
  const results = item.results.map((result) => {
    const callId = safeCallId(result.callId, context);
    context.receipts.push({
      action: 'left-out',
      subject: `the result of ${result.name}`,
      why: toFit,
      callId,
    });
    const content: Shown[] = [{ type: 'text', text: leftOutResult(heldAssets(result)) }];
    return {
      callId,
      name: result.name,
      isError: result.isError ?? false,
      content,
      ...around(result, callId, context),
    };
  });
  return { role: 'batch', results, after: [] };
}

function planUser(item: UserMessage, queue: Decision[], context: Counter): PlanItem {
  const content = item.content.flatMap((block): Shown[] => {
    if (!isCarried(block)) return shownText(block);
    const decision = queue.shift();
    if (!decision) return [];
    note(context, block, decision);
    return decision.blocks;
  });
  return { role: 'user', content: content.length > 0 ? content : [{ type: 'text', text: emptyMessage }] };
}

function shortened(shown: Shown, most: number, name: string, context: Counter): Shown {
  if (shown.type !== 'text' || shown.text.length <= most) return shown;
  const text = cutText(shown.text, most);
  context.receipts.push({ action: 'shortened', subject: `a text of ${name}`, why: toFit });
  return { type: 'text', text: `${shortenedNote(text.length, shown.text.length)}\n${text}` };
}

function planBatch(item: Batch, queue: Decision[], most: number, context: Counter): PlanItem {
  const after: Shown[] = [];
  const results = item.results.map((result) => {
    const callId = safeCallId(result.callId, context);
    let ordinal = 0;
    const content = result.content.flatMap((block): Shown[] => {
      if (!isCarried(block)) {
        return shownText(block).map((one) => shortened(one, most, result.name, context));
      }
      const decision = queue.shift();
      if (!decision) return [];
      note(context, block, decision, callId);
      if (decision.place === 'words') return decision.blocks;
      ordinal++;
      if (decision.place === 'inside')
        return context.profile.interleaved ? decision.blocks : [placeNote(block, ordinal), ...decision.blocks];
      const label = ownerLabel(block, { name: result.name, callId, ordinal });
      if (after.length === 0) after.push(...leads(context.profile));
      after.push({ type: 'text', text: label }, ...decision.blocks);
      return [{ type: 'text', text: followsNote(block, ordinal) }];
    });
    if (content.length === 0) content.push({ type: 'text', text: result.isError ? emptyFailure : emptyResult });
    const isError = result.isError ?? false;
    return {
      callId,
      name: result.name,
      isError,
      content: isError && !context.profile.errorFlag ? told(content) : content,
      ...around(result, callId, context),
    };
  });
  if (after.length > 0) after.push({ type: 'text', text: mediaEnd });
  return { role: 'batch', results, after };
}

/** What opens media after results: whose they are, then what the program says of them. */
function leads({ mediaLead: own }: Profile): Shown[] {
  return [mediaLead, ...(own === undefined ? [] : [own])].map((text) => ({ type: 'text', text }));
}

/** What its provider put around a result, while its call goes back as that provider made it, and whether it was approved. */
function around(
  { callId, seal, approved }: ToolMessage,
  sent: string,
  { profile }: Counter,
): Pick<PlannedResult, 'seal' | 'approved'> {
  const own = seal && sent === callId && ownSeal(seal, profile);
  return { ...(own && { seal: seal.item }), ...(approved && { approved }) };
}

/** A failure in words, for APIs without a flag for it. */
function told(content: readonly Shown[]): Shown[] {
  const [first, ...rest] = content;
  if (first?.type !== 'text') return [{ type: 'text', text: failureLead }, ...content];
  return /^error:/i.test(first.text) ? [...content] : [{ type: 'text', text: failureText(first.text) }, ...rest];
}

/** Marks the place of a medium where the wire keeps text and media apart. */
function placeNote(block: CarriedBlock, ordinal: number): Shown {
  return { type: 'text', text: attachedNote(block, ordinal) };
}

/** Text as itself; what has no business in a user message or a result still arrives, as JSON. */
function shownText(block: Exclude<Block, CarriedBlock>): Shown[] {
  if (block.type === 'thinking' || block.type === 'sealed') return [];
  const text = block.type === 'text' ? block.text : toJsonText({ call: block.name, input: block.input });
  return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

function planAssistant(item: AssistantMessage, unbound: boolean, context: Counter): PlanItem | undefined {
  const content = item.content.flatMap((block): Said[] => {
    switch (block.type) {
      case 'text':
        return saidText(block.text, unbound ? undefined : block.seal, context);
      case 'thinking':
      case 'sealed':
        if (ownSeal(block.seal, context.profile) && !(unbound && block.type === 'thinking')) return [block];
        leaveOut(context, block.type === 'thinking' ? 'thinking' : 'a sealed item', item.model, unbound);
        return [];
      case 'call':
        return [saidCall(block, unbound, context)];
      default:
        if (block.type === 'image' && block.seal && !unbound && ownSeal(block.seal, context.profile))
          return [saidImage(block, block.seal, context)];
        context.receipts.push({
          action: 'words',
          subject: describeMedia(block),
          why: 'no API takes media from an assistant',
          ...(isMedia(block) && { asset: block.asset.id }),
          place: 'words',
        });
        return [{ type: 'text', text: words(block) }];
    }
  });
  return content.length === 0 ? undefined : { role: 'assistant', content };
}

function saidText(text: string, seal: Seal | undefined, context: Counter): Said[] {
  if (seal && ownSeal(seal, context.profile)) return [{ type: 'text', text, seal }];
  return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

function saidCall(block: CallBlock, unbound: boolean, context: Counter): CallBlock {
  const id = safeCallId(block.id, context);
  const call: CallBlock = { type: 'call', id, name: block.name, input: block.input };
  const sealed = !unbound && id === block.id && ownSeal(block.seal, context.profile);
  return sealed && block.seal ? { ...call, seal: block.seal } : call;
}

/** Its provider gets the very bytes that it made. */
function saidImage(block: ImageBlock, seal: Seal, context: Counter): SaidImage {
  const { asset, width, height } = block.original ?? block;
  const shown: PlannedMedia = { type: 'image', asset, width, height };
  note(context, block, { place: 'inside', blocks: [shown], action: 'inside', why: `${context.profile.id} made it` });
  return { ...shown, seal };
}

/** Seals go back to the model that made them, and nowhere else. */
function ownSeal(seal: Seal | undefined, profile: Profile): boolean {
  return (
    seal !== undefined && seal.wire === profile.wire && seal.endpoint === profile.endpoint && seal.model === profile.id
  );
}

function leaveOut(context: Counter, subject: string, model: string, unbound: boolean): void {
  const own = unbound ? 'it is bound to a conversation that was changed since' : 'it has no seal';
  const why = model === context.profile.model ? own : `it belongs to ${model || 'another model'}`;
  context.receipts.push({ action: 'left-out', subject, why });
}

/** The id itself where the API allows it, otherwise a digest of it: the same on every turn. */
function safeCallId(id: string, context: Counter): string {
  const { pattern, max } = context.profile.callId;
  const fits = id.length <= max && id.isWellFormed() && new RegExp(pattern, 'u').test(id);
  return fits ? id : `call_${digest(id)}`.slice(-max);
}

function note(context: Counter, block: CarriedBlock, decision: Decision, callId?: string): void {
  const sent = decision.blocks.flatMap((shown) => ('asset' in shown ? [shown] : []));
  const carrier = carrierOf(decision);
  context.receipts.push({
    action: decision.action,
    subject: describeMedia(asSent(block, sent)),
    why: decision.why,
    ...(callId !== undefined && { callId }),
    ...(isMedia(block) && { asset: block.asset.id }),
    ...(sent.length > 0 && { sent: sent.map(({ asset }) => asset.id) }),
    place: decision.place,
    ...(carrier && { carrier }),
    ...(decision.legible && { legible: decision.legible }),
    tokens: decision.blocks.reduce((sum, shown) => sum + tokensOf(shown, context.profile.tokens), 0),
    bytes: decision.blocks.reduce((sum, shown) => sum + bytesOf(shown), 0),
  });
}

/** How what stands for a medium travels; nothing where words do. */
function carrierOf({ blocks }: Decision): Carrier | undefined {
  const first = blocks.find((shown) => shown.type !== 'text');
  if (first?.type !== 'remote') return first && (first.at ? 'file' : 'inline');
  return 'url' in first.at ? 'url' : 'file';
}

/** A picture in the size in which it was sent. */
function asSent(block: CarriedBlock, sent: readonly PlannedMedia[]): CarriedBlock {
  const [only] = sent;
  if (block.type !== 'image' || only?.type !== 'image' || sent.length !== 1) return block;
  return { ...block, width: only.width, height: only.height };
}
