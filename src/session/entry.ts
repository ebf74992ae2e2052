// What a session is made of: entries that are only ever appended. Media in them are hashes; the bytes lie in the asset
// store. What a program hands over is an `EntryInput`; what comes back is the same with id, parent, time and version.
import type { Asset, AssetId, Block } from '../content/block.ts';
import { isCarried, isMedia } from '../content/block.ts';
import type { Json } from '../content/json.ts';
import { isRecord } from '../content/json.ts';
import type { Message, Usage } from '../message/message.ts';
import type { ToolSpec } from '../tool/tool.ts';
import type { Ledger, LedgerEntry } from '../window/ledger.ts';
import { sentAssets } from '../window/ledger.ts';

/** The version that entries are written with; `migrations.ts` knows how older ones become this one. */
export const entryVersion = 1;

/** Counts up through the whole store, so the order of entries needs no clock. */
export type EntryId = number;

/** What can be appended to a session. */
export type EntryInput =
  | { type: 'message'; message: Message }
  /** What was decided for a request that was accepted. Only what is new about it is stored. */
  | { type: 'ledger'; ledger: Ledger }
  /** A provider refused this medium. */
  | { type: 'quarantine'; asset: AssetId; model: string; why: string }
  | { type: 'usage'; model: string; usage: Usage; cost?: number }
  /** The model that answers from here on. */
  | { type: 'model'; model: string }
  | { type: 'title'; title: string }
  /** The system prompt and the tools from here on, so that the session can be shown as a whole request. */
  | { type: 'setup'; system?: string; tools?: readonly ToolSpec[] }
  /** From here on, this text is sent in place of the first `covers` messages. */
  | { type: 'summary'; text: string; covers: number }
  /** For people; no model sees it. */
  | { type: 'note'; text: string; about?: Json };

/** A ledger as it is stored: the first `keep` items of the one before it still hold, `items` follow them. */
export type LedgerDelta = {
  model: string;
  keep: number;
  items: LedgerEntry['items'];
  /** Whatever else is not what it was. */
  head?: Partial<Omit<LedgerEntry, 'items'>>;
};

/** What an entry says, as it is stored. */
export type EntryBody = Exclude<EntryInput, { type: 'ledger' }> | ({ type: 'ledger' } & LedgerDelta);

/** What every entry has. */
export type EntryFrame = { id: EntryId; parent: EntryId | undefined; time: number; version: number };

/** An entry as it is read. One from a newer program is kept as it is, and no transcript shows it. */
export type Entry = EntryFrame & (EntryBody | { type: 'unknown'; was: string; body: Json });

/** What kinds of entries there are. */
export type EntryType = EntryBody['type'];

/** The assets that a message names: they must never go. */
export function assetsOf(message: Message): Asset[] {
  const media = message.content.flatMap(assetsOfBlock);
  if (message.role !== 'tool') return media;
  const details = storedDetails(message.details);
  return [...media, ...(message.kept ?? []), ...(details ? [details] : [])];
}

/** The assets that a ledger names: renditions among them can be made again. */
export function assetsOfDelta({ model, items }: LedgerDelta): AssetId[] {
  return sentAssets({ version: 1, current: model, entries: { [model]: { items } as LedgerEntry } }, model);
}

function assetsOfBlock(block: Block): Asset[] {
  if (block.type === 'text') return [...(block.kept ?? [])];
  if (!isMedia(block)) return [];
  return block.type === 'image' && block.original ? [block.asset, block.original.asset] : [block.asset];
}

/** The messages of entries; results, which are stored when each call ends, in the order of their calls. */
export function messagesIn(entries: readonly Entry[]): Message[] {
  return inCallOrder(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])));
}

/** Results that follow their calls, in the order of the calls; whatever else stays where it is. */
export function inCallOrder(messages: readonly Message[]): Message[] {
  const ordered = [...messages];
  for (let at = 0; at < ordered.length; at++) {
    const message = ordered[at];
    if (message?.role !== 'assistant') continue;
    let end = at + 1;
    while (isAnswer(ordered[end])) end++;
    if (end - at < 3) continue;
    const places = message.content.flatMap((block) => (block.type === 'call' ? [block.id] : []));
    const placeOf = (one: Message): number => {
      const place = one.role === 'tool' ? places.indexOf(one.callId) : -1;
      return place < 0 ? places.length : place;
    };
    const results = ordered.slice(at + 1, end).toSorted((one, other) => placeOf(one) - placeOf(other));
    ordered.splice(at + 1, results.length, ...results);
  }
  return ordered;
}

function isAnswer(message: Message | undefined): boolean {
  return message?.role === 'tool' && !message.late;
}

/** Details that were too long for the database lie in the asset store; what stands for them names the asset. */
export function storedDetails(details: unknown): Asset | undefined {
  const asset = isRecord(details) ? details['storedDetails'] : undefined;
  return isRecord(asset) && typeof asset['id'] === 'string' ? (asset as Asset) : undefined;
}

/** The words of an entry that a search looks through. */
export function wordsOf(entry: Entry | EntryInput): string {
  if (entry.type === 'title') return entry.title;
  if (entry.type === 'note') return entry.text;
  if (entry.type !== 'message') return '';
  return entry.message.content.map(wordsOfBlock).join('\n');
}

function wordsOfBlock(block: Block): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'call') return `${block.name} ${JSON.stringify(block.input) ?? ''}`;
  if (!isCarried(block)) return '';
  const name = block.type === 'reference' ? block.name : block.asset.name;
  return [name, block.fallback].filter(Boolean).join(' ');
}
