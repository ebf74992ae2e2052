// The brain: a transcript, a profile, facts and a ledger → a plan with receipts and the next ledger, or the renditions
// it has to know first. Pure: the same input gives the same plan, nothing given is changed. What a ledger remembers is
// taken word for word; everything else is decided here, and only here.
import type { AssetId, Block, CallBlock, MediaBlock, Seal } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import {
  assistantFirst,
  attachedNote,
  describe,
  emptyFailure,
  emptyMessage,
  emptyResult,
  followsNote,
  mediaEnd,
  mediaLead,
  ownerLabel,
  words,
} from '../content/describe.ts';
import { toJsonText } from '../content/json.ts';
import { digest } from '../content/text.ts';
import type { AssistantMessage, Transcript, UserMessage } from '../message/message.ts';
import { pair } from '../message/pair.ts';
import type { Batch, Item } from '../message/pair.ts';
import { decide } from './ladder.ts';
import type { Decision, LadderInput, Slot } from './ladder.ts';
import { digestOf, recall, record } from './ledger.ts';
import type { Ledger, LedgerItem } from './ledger.ts';
import { settleOptions } from './options.ts';
import type { Plan, PlanItem, RequestOptions, Said, Shown } from './planned.ts';
import type { Profile } from './profile.ts';
import type { Receipt } from './receipt.ts';
import { renditionKey } from './rendition.ts';
import type { Facts, Rendition } from './rendition.ts';
import { bytesOf, tokensOf } from './tokens.ts';

export type PlanInput = {
  transcript: Transcript;
  profile: Profile;
  options?: RequestOptions;
  cache?: 'auto' | 'off';
  facts?: Facts;
  /** Assets whose bytes are no longer stored. */
  gone?: ReadonlySet<AssetId>;
  ledger?: Ledger | undefined;
};

export type PlanResult =
  | { plan: Plan; receipts: Receipt[]; ledger: Ledger; needs?: undefined }
  | { needs: Rendition[]; plan?: undefined };

/** Plans one request. */
export function plan(input: PlanInput): PlanResult {
  const { transcript } = input;
  const { items, repairs } = pair(transcript.messages);
  const digests = items.map(digestOf);
  const known = recall(input.ledger, input.profile, transcript, digests, input.gone);
  const { profile } = known;
  const desk = openDesk(input, profile);
  const planned: PlanItem[] = [];
  const remembered: LedgerItem[] = [];
  for (const [index, item] of items.entries()) {
    const decisions = decisionsFor(item, known.items[index], desk);
    const done = planItem(item, decisions, desk);
    if (done) planned.push(done);
    remembered.push({ digest: digests[index] ?? '', decisions });
  }
  if (desk.needs.size > 0) return { needs: [...desk.needs.values()] };

  const tools = transcript.tools ?? [];
  const settled = settleOptions(input.options ?? {}, profile, tools.length, turnWithoutThinking(planned));
  const receipts: Receipt[] = [
    ...profileReceipts(profile, input.profile),
    ...known.reasons.map((reason): Receipt => ({ action: 'checkpoint', subject: reason, why: 'the prefix moves' })),
    ...repairs.map((repair): Receipt => ({
      action: 'repaired',
      subject: repair.kind,
      why: repair.what,
      callId: repair.callId,
    })),
    ...desk.receipts,
    ...settled.receipts,
  ];
  const marked = (input.cache ?? 'auto') === 'auto';
  return {
    plan: {
      profile,
      ...(transcript.system && { system: transcript.system }),
      tools,
      items: startWithUser(planned),
      options: settled.options,
      marks: marked && profile.cache === 'marks' ? cacheMarks(startWithUser(planned)) : { system: false, items: [] },
      ...(marked && profile.cache === 'key' && { cacheKey: cacheKey(transcript, digests[0]) }),
    },
    receipts,
    ledger: record(input.ledger, profile, transcript, remembered),
  };
}

/** A conversation that begins with the assistant is refused by some APIs; a few words before it are taken by all. */
function startWithUser(items: PlanItem[]): PlanItem[] {
  if (items[0]?.role !== 'assistant') return items;
  return [{ role: 'user', content: [{ type: 'text', text: assistantFirst }] }, ...items];
}

/** Whether the request answers calls that were made without thinking: such a turn cannot begin to think now. */
function turnWithoutThinking(items: readonly PlanItem[]): boolean {
  const [asked, answered] = items.slice(-2);
  return asked?.role === 'assistant' && answered?.role === 'batch' && asked.content[0]?.type !== 'thinking';
}

/** What the steps of one planning share. */
type Desk = LadderInput & {
  needs: Map<string, Rendition>;
  receipts: Receipt[];
  callIds: Map<string, string>;
};

function openDesk(input: PlanInput, profile: Profile): Desk {
  const needs = new Map<string, Rendition>();
  return {
    profile,
    facts: input.facts ?? new Map(),
    gone: input.gone ?? new Set(),
    viewable: (input.transcript.tools ?? []).some((tool) => tool.name === 'view_asset'),
    need: (rendition) => needs.set(renditionKey(rendition), rendition),
    needs,
    receipts: [],
    callIds: new Map(),
  };
}

/** One decision per medium of an item, in order: remembered, or taken now. */
function decisionsFor(item: Item, known: LedgerItem | undefined, desk: Desk): Decision[] {
  if (known) return known.decisions;
  const slots = mediaOf(item).map(({ block, slot }) => decide(block, slot, desk));
  return slots.filter((decision) => decision !== undefined);
}

function mediaOf(item: Item): { block: MediaBlock; slot: Slot }[] {
  if (item.role === 'assistant') return [];
  if (item.role === 'user') return item.content.filter(isMedia).map((block) => ({ block, slot: 'user' }));
  return item.results.flatMap((result) =>
    result.content.filter(isMedia).map((block) => ({ block, slot: result.isError ? 'errorResult' : 'result' })),
  );
}

function planItem(item: Item, decisions: readonly Decision[], desk: Desk): PlanItem | undefined {
  const queue = [...decisions];
  switch (item.role) {
    case 'user':
      return planUser(item, queue, desk);
    case 'assistant':
      return planAssistant(item, desk);
    case 'batch':
      return planBatch(item, queue, desk);
  }
}

function planUser(item: UserMessage, queue: Decision[], desk: Desk): PlanItem {
  const content = item.content.flatMap((block): Shown[] => {
    if (!isMedia(block)) return shownText(block);
    const decision = queue.shift();
    if (!decision) return [];
    note(desk, block, decision);
    return decision.blocks;
  });
  return { role: 'user', content: content.length > 0 ? content : [{ type: 'text', text: emptyMessage }] };
}

function planBatch(item: Batch, queue: Decision[], desk: Desk): PlanItem {
  const after: Shown[] = [];
  const results = item.results.map((result) => {
    const callId = desk.callIds.get(result.callId) ?? safeCallId(result.callId, desk);
    let ordinal = 0;
    const content = result.content.flatMap((block): Shown[] => {
      if (!isMedia(block)) return shownText(block);
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
    return { callId, name: result.name, isError: result.isError ?? false, content };
  });
  if (after.length > 0) after.push({ type: 'text', text: mediaEnd });
  return { role: 'batch', results, after };
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

function planAssistant(item: AssistantMessage, desk: Desk): PlanItem | undefined {
  const content = item.content.flatMap((block): Said[] => {
    switch (block.type) {
      case 'text':
        return saidText(block.text, block.seal, desk);
      case 'thinking':
      case 'sealed':
        if (ownSeal(block.seal, desk.profile)) return [block];
        leaveOut(desk, block.type === 'thinking' ? 'thinking' : 'a sealed item', item.model);
        return [];
      case 'call':
        return [saidCall(block, desk)];
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

function saidText(text: string, seal: Seal | undefined, desk: Desk): Said[] {
  if (seal && ownSeal(seal, desk.profile)) return [{ type: 'text', text, seal }];
  return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

function saidCall(block: CallBlock, desk: Desk): CallBlock {
  const id = safeCallId(block.id, desk);
  desk.callIds.set(block.id, id);
  const call: CallBlock = { type: 'call', id, name: block.name, input: block.input };
  return block.seal && id === block.id && ownSeal(block.seal, desk.profile) ? { ...call, seal: block.seal } : call;
}

/** Seals go back to the model that made them, and nowhere else. */
function ownSeal(seal: Seal | undefined, profile: Profile): boolean {
  return (
    seal !== undefined && seal.wire === profile.wire && seal.endpoint === profile.endpoint && seal.model === profile.id
  );
}

function leaveOut(desk: Desk, subject: string, model: string): void {
  const why = model === desk.profile.model ? 'it has no seal' : `it belongs to ${model || 'another model'}`;
  desk.receipts.push({ action: 'left-out', subject, why });
}

/** The id itself where the API allows it, otherwise a digest of it: the same on every turn. */
function safeCallId(id: string, desk: Desk): string {
  const { pattern, max } = desk.profile.callId;
  const fits = id.length <= max && id.isWellFormed() && new RegExp(pattern, 'u').test(id);
  return fits ? id : `call_${digest(id)}`;
}

function note(desk: Desk, block: MediaBlock, decision: Decision, callId?: string): void {
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

function profileReceipts(used: Profile, given: Profile): Receipt[] {
  const receipts: Receipt[] = [];
  if (used.assumed !== undefined) {
    const why = `"${used.id}" tells nothing about the model behind it; set its capabilities in the configuration`;
    receipts.push({ action: 'assumed', subject: used.assumed, why });
  }
  if (used !== given && JSON.stringify(used) !== JSON.stringify(given)) {
    receipts.push({
      action: 'frozen',
      subject: used.model,
      why: 'the conversation goes on with the profile it began with',
    });
  }
  return receipts;
}

/** After the system prompt, and after the last two places where a request may end: the next one then finds its prefix. */
function cacheMarks(items: readonly PlanItem[]): Plan['marks'] {
  const ends = items.flatMap((item, index) => (item.role === 'assistant' ? [] : [index]));
  return { system: true, items: ends.slice(-2) };
}

function cacheKey(transcript: Transcript, first: string | undefined): string {
  return `sightline-${digest(JSON.stringify([transcript.system, transcript.tools, first]))}`;
}
