// One session for its one writer. What `append` has answered is on disk. History is never edited: whatever a model gets
// is planned anew from these entries.
import type { AssetStore } from '../asset/store.ts';
import { placeholder } from '../content/words.ts';
import { toJsonText } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import { cutText } from '../content/text.ts';
import type { Message } from '../message/message.ts';
import type { LedgerEntry } from '../window/ledger.ts';
import { findLosses } from './assets.ts';
import { deltaOf } from './ledger-delta.ts';
import { assetsOf, assetsOfDelta, entryVersion, storedDetails } from './entry.ts';
import type { EntryBody, EntryId, EntryInput } from './entry.ts';
import type { Change, Referred } from './log/port.ts';
import { readEntry } from './log/migrations.ts';
import { currentModel, mediaIn, readSession } from './reader.ts';
import type { Ground, SessionReader } from './reader.ts';

/** A session to write to. */
export type Session = SessionReader & {
  /** Resolves when the entry is on disk. `time` is now, unless the entry was made elsewhere. */
  append(entry: EntryInput, time?: number): Promise<EntryId>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

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
    const row = { type, version: entryVersion, time, body: JSON.stringify(rest) };
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

  /** Appends stand in line: what was handed over first is stored first. */
  let line: Promise<unknown> = Promise.resolve();
  const inLine = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = line.then(work);
    line = turn.catch(() => undefined); // whoever appended is told; the next one has its turn all the same
    return turn;
  };

  const appendNow = async (entry: EntryInput, time: number): Promise<EntryId> => {
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
  };

  const close = async (): Promise<void> => {
    await line;
    unlock?.();
    unlock = undefined;
  };
  return {
    ...reader,
    losses: () => findLosses(mediaIn(log.read(id, { types: ['message'] }).map(readEntry)), ground.files, true),
    ledger: async (model) => {
      const entry = await lastLedger(model);
      const current = currentModel(log, id);
      return current === undefined ? undefined : { version: 1, current, entries: entry ? { [model]: entry } : {} };
    },
    append: (entry, time = now()) => inLine(() => appendNow(entry, time)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const maxTitle = 80;

function changeBy(message: Message): Change {
  if (message.role === 'assistant') return message.model === '' ? {} : { model: message.model };
  if (message.role !== 'user') return {};
  // Files that were handed over stand before the words.
  const text = message.content.findLast((block) => block.type === 'text')?.text ?? '';
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
