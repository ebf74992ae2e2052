// One session for anybody who looks at it, at any time: nothing here waits for a writer or changes anything.
import type { DescriptionTable } from '../model/descriptions.ts';
import type { AssetStore } from '../asset/store.ts';
import type { Asset, AssetId } from '../content/block.ts';
import type { Message, Transcript } from '../message/message.ts';
import type { Recorder } from '../record/record.ts';
import type { RequestRow } from '../record/table.ts';
import type { Ledger } from '../window/ledger.ts';
import type { Loss, SessionAssets, Storage } from './assets.ts';
import { findLosses, lossLine, sessionAssets } from './assets.ts';
import { replay } from './ledger-delta.ts';
import { assetsOf, inCallOrder, messagesIn } from './entry.ts';
import type { Entry, EntryId, LedgerDelta } from './entry.ts';
import type { EntryLog, EntryRange, LeaseHolder, SessionInfo } from './log/port.ts';
import { gone } from './log/port.ts';
import type { RecordedRequest } from './sent.ts';
import { isAltered, readEntry } from './log/migrations.ts';

/** A session to look at. */
export type SessionReader = {
  /** What models that see have said of pictures; `runAgent` uses it by itself. */
  readonly descriptions?: DescriptionTable;
  readonly id: string;
  info(): Promise<SessionInfo>;
  /** Who writes to it now, on whichever machine; only where the log can tell. */
  readonly writer?: () => Promise<LeaseHolder | undefined>;
  entries(options?: EntryRange): Promise<Entry[]>;
  /** The conversation; with `last`, its end: so many messages, and more until it begins with one of the user. */
  messages(options?: { last?: number }): Promise<Message[]>;
  /** The conversation with the system prompt and the tools it had last. */
  transcript(): Promise<Transcript>;
  /** What was decided for this model so far; give it to `prepare`, and the next request only appends. */
  ledger(model: string): Promise<Ledger | undefined>;
  /** What is sent in place of the first messages, when they were summed up. */
  summary(): Promise<{ text: string; covers: number } | undefined>;
  /** The bytes behind the hashes of this session, and no others. */
  readonly assets: AssetStore;
  /** Media that are missing or damaged; models get words in their place. Say it to the user with `lossLine`. */
  losses(): Promise<Loss[]>;
  /** Entries whose words are not those that were stored: a disk or another program changed them. Say it with `alteredLine`. */
  altered(): Promise<EntryId[]>;
  /** The requests of this session, the oldest first: what was really sent. */
  requests(): Promise<RequestRow[]>;
  /** The newest request for an answer as it was sent, or the one with this id; undefined where none is recorded. */
  sent(id?: string): Promise<RecordedRequest | undefined>;
  /** Wakes when something was appended, by whomever; now and then for nothing. Ends with the signal. */
  watch(signal: AbortSignal): AsyncIterable<void>;
};

/** What a session stands on: the log, and the storage of its bytes. */
export type SessionParts = {
  log: EntryLog;
  storage: Storage;
  putHere: ReadonlySet<AssetId>;
  recorder?: Recorder | undefined;
  now: () => number;
};

export function readSession(id: string, { log, storage }: SessionParts): SessionReader & { assets: SessionAssets } {
  const read: ReadEntries = async (options) => (await log.read(id, options)).map(readEntry);
  return {
    id,
    assets: sessionAssets(id, storage),
    ...(log.descriptions && { descriptions: log.descriptions }),
    info: () => infoOf(log, id),
    ...(log.writer && { writer: async () => await log.writer?.(id) }),
    entries: read,
    messages: async ({ last } = {}) =>
      last === undefined ? messagesIn(await read({ types: ['message'] })) : await lastOf(read, last),
    transcript: async () => {
      const [setup] = await read({ types: ['setup'], newest: 1 });
      const { system, tools } = setup?.type === 'setup' ? setup : {};
      return {
        version: 1,
        ...(system !== undefined && { system }),
        ...(tools && { tools: [...tools] }),
        messages: messagesIn(await read({ types: ['message'] })),
      };
    },
    ledger: (model) => ledgerOf(read, model),
    summary: async () => {
      const [newest] = await read({ types: ['summary'], newest: 1 });
      return newest?.type === 'summary' ? { text: newest.text, covers: newest.covers } : undefined;
    },
    losses: async () => findLosses(mediaOfEntries(await read({ types: ['message'] })), storage.files, false),
    altered: async () => (await log.read(id)).filter(isAltered).map((row) => row.id),
    requests: async () => (await import('./sent.ts')).requestsOf(log, id), // bodies are read by few
    sent: async (request) => {
      const { requestsOf, sentRequest } = await import('./sent.ts');
      const wanted = request ?? (await requestsOf(log, id)).findLast(({ purpose }) => purpose === 'answer')?.id;
      if (wanted === undefined || !log.requests) return undefined;
      return await sentRequest(log.requests, wanted, storage.files);
    },
    watch: (signal) => log.watch(id, signal),
  };
}

/**
 * One line for the person who goes on with a session, or looks at it.
 *
 * @example
 * console.log(alteredLine(await session.altered()) ?? 'All words are as they were stored.');
 */
export function alteredLine(entries: readonly EntryId[]): string | undefined {
  if (entries.length === 0) return undefined;
  const shown = `${entries.slice(0, 5).join(', ')}${entries.length > 5 ? ' and more' : ''}`;
  const what = entries.length === 1 ? `entry ${shown} are` : `${entries.length} entries (${shown}) are`;
  return `The words of ${what} not those that were stored; models get them as they are now. Fork the session before them, or ask again.`;
}

/** What is not as it was stored, a line for each kind: for the person who goes on with a session, or looks at it. */
export async function damageLines(session: Pick<SessionReader, 'losses' | 'altered'>): Promise<string[]> {
  const lines = [lossLine(await session.losses()), alteredLine(await session.altered())];
  return lines.filter((line) => line !== undefined);
}

/** What the messages name, the newest first. */
export function mediaOfEntries(entries: readonly Entry[]): Asset[] {
  const named = new Map(
    messagesIn(entries)
      .toReversed()
      .flatMap(assetsOf)
      .map((asset) => [asset.id, asset]),
  );
  return [...named.values()];
}

export async function infoOf(log: EntryLog, id: string): Promise<SessionInfo> {
  const [info] = await log.find(id);
  if (info?.id !== id) throw gone(id);
  return info;
}

type ReadEntries = (options?: EntryRange) => Promise<Entry[]>;

/** So many messages from the end, and those before them down to the nearest of the user. */
async function lastOf(read: ReadEntries, count: number): Promise<Message[]> {
  const messages: Message[] = [];
  let [before, begin] = [Number.MAX_SAFE_INTEGER, -1];
  for (let wanted = count; begin < 0 && wanted > 0; wanted = 50) {
    const rows = await read({ types: ['message'], newest: wanted, before });
    messages.unshift(...messagesIn(rows.toReversed()));
    before = rows.at(-1)?.id ?? 0;
    const cut = messages.slice(0, Math.max(0, messages.length - count) + 1);
    begin = rows.length < wanted ? 0 : cut.findLastIndex(({ role }) => role === 'user');
  }
  return inCallOrder(messages.slice(begin));
}

export async function currentModel(log: EntryLog, id: string): Promise<string | undefined> {
  const [newest] = (await log.read(id, { types: ['ledger'], newest: 1 })).map(readEntry);
  return newest?.type === 'ledger' ? newest.model : undefined;
}

const ledgerPage = 100;

/** Reads back as far as the last delta that keeps nothing of what was before it. */
async function ledgerOf(read: ReadEntries, model: string): Promise<Ledger | undefined> {
  const deltas: LedgerDelta[] = [];
  let current: string | undefined;
  for (let before = Number.MAX_SAFE_INTEGER, whole = false; !whole;) {
    const page = await read({ types: ['ledger'], newest: ledgerPage, before });
    for (const entry of page) {
      if (entry.type !== 'ledger' || whole) continue;
      current ??= entry.model;
      if (entry.model !== model) continue;
      deltas.unshift(entry);
      whole = entry.keep === 0;
    }
    before = page.at(-1)?.id ?? 0;
    whole ||= page.length < ledgerPage;
  }
  if (current === undefined) return undefined;
  const entry = replay(deltas);
  return { version: 1, current, entries: entry ? { [model]: entry } : {} };
}
