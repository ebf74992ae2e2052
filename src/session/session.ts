// One session: reading it (anybody, at any time) and appending to it (one writer). What `append` has answered is on
// disk. History is never edited: whatever a model gets is planned anew from these entries.
import type { FileAssets } from '../asset/files.ts';
import type { AssetStore } from '../asset/store.ts';
import type { Asset } from '../content/block.ts';
import { placeholder } from '../content/describe.ts';
import { toJsonText } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import { cutText } from '../content/text.ts';
import type { Message, Transcript } from '../message/message.ts';
import type { Ledger, LedgerEntry } from '../window/ledger.ts';
import type { Loss, SessionAssets } from './assets.ts';
import { findLosses, sessionAssets } from './assets.ts';
import { deltaOf, replay } from './delta.ts';
import { assetsOf, assetsOfDelta, entryVersion, storedDetails, wordsOf } from './entry.ts';
import type { Entry, EntryBody, EntryId, EntryInput, LedgerDelta } from './entry.ts';
import type { Change, EntryLog, ReadOptions, Referred, SessionInfo } from './log.ts';
import { readEntry } from './migrations.ts';

export type SessionReader = {
  readonly id: string;
  info(): Promise<SessionInfo>;
  entries(options?: ReadOptions): Promise<Entry[]>;
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
};

export type Session = SessionReader & {
  /** Resolves when the entry is on disk. `time` is now, unless the entry was made elsewhere. */
  append(entry: EntryInput, time?: number): Promise<EntryId>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** What a session stands on. */
export type Ground = {
  log: EntryLog;
  files: AssetStore | FileAssets;
  putHere: ReadonlySet<string>;
  now: () => number;
};

export function readSession(id: string, ground: Ground): SessionReader & { assets: SessionAssets } {
  const { log, files, now } = ground;
  const read = (options?: ReadOptions): Entry[] => log.read(id, options).map(readEntry);
  const assets = sessionAssets(id, log, files, now);
  return {
    id,
    assets,
    info: async () => infoOf(log, id),
    entries: async (options) => read(options),
    messages: async ({ last } = {}) =>
      last === undefined ? messagesIn(read({ types: ['message'] })) : lastOf(read, last),
    transcript: async () => {
      const [setup] = read({ types: ['setup'], newest: 1 });
      const { system, tools } = setup?.type === 'setup' ? setup : {};
      return {
        version: 1,
        ...(system !== undefined && { system }),
        ...(tools && { tools: [...tools] }),
        messages: messagesIn(read({ types: ['message'] })),
      };
    },
    ledger: async (model) => ledgerOf(read, model),
    summary: async () => {
      const [newest] = read({ types: ['summary'], newest: 1 });
      return newest?.type === 'summary' ? { text: newest.text, covers: newest.covers } : undefined;
    },
    losses: async () => {
      const named = new Map<string, Asset>();
      for (const message of messagesIn(read({ types: ['message'] })).toReversed())
        for (const asset of assetsOf(message)) named.set(asset.id, asset);
      return await findLosses([...named.values()], files);
    },
  };
}

/** The session for its one writer. */
export function writeSession(id: string, ground: Ground): Session {
  const { log, now } = ground;
  const reader = readSession(id, ground);
  const ledgers = new Map<string, LedgerEntry | undefined>();
  let unlock: (() => void) | undefined = log.lock(id);

  const lastLedger = async (model: string): Promise<LedgerEntry | undefined> => {
    if (!ledgers.has(model)) ledgers.set(model, (await reader.ledger(model))?.entries[model]);
    return ledgers.get(model);
  };

  const write = (
    body: EntryBody,
    time: number,
    change: Change = {},
    referred: Referred[] = [],
    shortIds: string[] = [],
  ): EntryId => {
    if (!unlock) throw new SightlineError('input', `Session ${id} is closed. Open it again.`);
    const { type, ...rest } = body;
    const words = cutText(wordsOf(body as EntryInput), maxSearched);
    const row = { type, version: entryVersion, time, body: JSON.stringify(rest), words };
    return log.append(id, row, change, referred, shortIds);
  };

  const writeMessage = async (given: Message, time: number): Promise<EntryId> => {
    const message = await bounded(given, reader.assets);
    const named = assetsOf(message);
    const own = named.filter((asset) => reader.assets.reaches(asset.id) || ground.putHere.has(asset.id));
    const referred = own.map(({ id: asset, size }): Referred => ({ id: asset, size, by: 'message' }));
    const entry = write({ type: 'message', message }, time, changeBy(message), referred, shortIdsIn(message));
    for (const asset of own) reader.assets.admit(asset.id);
    for (const asset of named.filter((one) => !own.includes(one))) {
      const what = placeholder({ type: 'document', asset }, { why: 'its bytes were not put into this session' });
      write({ type: 'note', text: what }, time);
    }
    return entry;
  };

  const close = async (): Promise<void> => {
    unlock?.();
    unlock = undefined;
  };
  return {
    ...reader,
    ledger: async (model) => {
      const entry = await lastLedger(model);
      const current = currentModel(log, id);
      return current === undefined ? undefined : { version: 1, current, entries: entry ? { [model]: entry } : {} };
    },
    async append(entry, time = now()) {
      switch (entry.type) {
        case 'message':
          return await writeMessage(entry.message, time);
        case 'ledger': {
          const model = entry.ledger.current;
          const delta = deltaOf(await lastLedger(model), entry.ledger);
          const referred = assetsOfDelta(delta).map((asset): Referred => ({ id: asset, size: 0, by: 'ledger' }));
          const written = write({ type: 'ledger', ...delta }, time, { model }, referred);
          ledgers.set(model, entry.ledger.entries[model]);
          return written;
        }
        case 'usage':
          return write(entry, time, {
            usage: { ...entry.usage, ...(entry.cost !== undefined && { cost: entry.cost }) },
          });
        case 'model':
          return write(entry, time, { model: entry.model });
        case 'title':
          return write(entry, time, { title: entry.title });
        case 'quarantine':
        case 'setup':
        case 'summary':
        case 'note':
          return write(entry, time);
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Words of an entry beyond this many are stored, but no search finds them. */
const maxSearched = 200_000;

export function infoOf(log: EntryLog, id: string): SessionInfo {
  const [info] = log.find(id);
  if (info?.id !== id) throw new SightlineError('input', `There is no session ${id}. See "sightline sessions list".`);
  return info;
}

function messagesIn(entries: readonly Entry[]): Message[] {
  return entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
}

type ReadEntries = (options?: ReadOptions) => Entry[];

/** So many messages from the end, and those before them down to the nearest of the user. */
function lastOf(read: ReadEntries, count: number): Message[] {
  const messages: Message[] = [];
  let [before, begin] = [Number.MAX_SAFE_INTEGER, -1];
  for (let wanted = count; begin < 0 && wanted > 0; wanted = 50) {
    const rows = read({ types: ['message'], newest: wanted, before });
    messages.unshift(...messagesIn(rows.toReversed()));
    before = rows.at(-1)?.id ?? 0;
    const cut = messages.slice(0, Math.max(0, messages.length - count) + 1);
    begin = rows.length < wanted ? 0 : cut.findLastIndex(({ role }) => role === 'user');
  }
  return messages.slice(begin);
}

function currentModel(log: EntryLog, id: string): string | undefined {
  const [newest] = log.read(id, { types: ['ledger'], newest: 1 }).map(readEntry);
  return newest?.type === 'ledger' ? newest.model : undefined;
}

const ledgerPage = 100;

/** Reads back as far as the last delta that keeps nothing of what was before it. */
function ledgerOf(read: ReadEntries, model: string): Ledger | undefined {
  const deltas: LedgerDelta[] = [];
  let current: string | undefined;
  for (let before = Number.MAX_SAFE_INTEGER, whole = false; !whole;) {
    const page = read({ types: ['ledger'], newest: ledgerPage, before });
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

const maxTitle = 80;

function changeBy(message: Message): Change {
  if (message.role === 'assistant') return message.model === '' ? {} : { model: message.model };
  if (message.role !== 'user') return {};
  const text = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ');
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? {} : { firstWords: cutText(line, maxTitle) };
}

/** Placeholders in words name assets by the first eight characters of their hash. */
function shortIdsIn({ content }: Message): string[] {
  return content.flatMap((block) =>
    block.type === 'text' ? [...block.text.matchAll(/\basset ([0-9a-f]{8})\b/g)].map(([, short = '']) => short) : [],
  );
}

const maxDetails = 64 * 1024;

/** Details are a tool's own value and may hold anything; the database takes so much of it, the rest lies in a file. */
async function bounded(message: Message, assets: AssetStore): Promise<Message> {
  if (message.role !== 'tool' || message.details === undefined || storedDetails(message.details)) return message;
  const json = toJsonText(message.details);
  if (json.length <= maxDetails) return { ...message, details: JSON.parse(json) as unknown };
  const bytes = new TextEncoder().encode(json);
  const asset = await assets.put(bytes, { mediaType: 'application/json', name: 'details.json' });
  return { ...message, details: { storedDetails: asset } };
}
