// One session for its one writer. What `append` has answered is on disk. History is never edited: whatever a model gets
// is planned anew from these entries.
import type { AssetStore } from '../asset/store.ts';
import type { AssetId } from '../content/block.ts';
import { placeholder } from '../content/words.ts';
import { toJsonText } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Message } from '../message/message.ts';
import type { Recorder } from '../record/record.ts';
import type { LedgerEntry } from '../window/ledger.ts';
import { findLosses } from './assets.ts';
import type { Storage } from './assets.ts';
import { deltaOf } from './ledger-delta.ts';
import { effectsOf, isReached } from './effects.ts';
import { assetsOf, entryVersion, storedDetails } from './entry.ts';
import type { EntryBody, EntryFrame, EntryId, EntryInput } from './entry.ts';
import { thisHolder } from './log/holder.ts';
import { inTurns } from './log/in-turns.ts';
import { checkStorable } from './storable.ts';
import type { EntryLog, Lease, NewRow } from './log/port.ts';
import { readEntry } from './log/migrations.ts';
import { sessionRecorder } from './recording.ts';
import { currentModel, mediaOfEntries, readSession } from './reader.ts';
import type { SessionParts, SessionReader } from './reader.ts';

/** A session to write to. */
export type Session = SessionReader & {
  /** Resolves when the entry is on disk. `time` is now, unless the entry was made elsewhere. */
  append(entry: EntryInput, time?: number): Promise<EntryId>;
  /** All of them or none, in order. What was appended under the same key before is not appended again. */
  appendAll(entries: readonly EntryInput[], time?: number, key?: string): Promise<EntryId[]>;
  /** True for the first who asks, in whatever process: what must not happen twice asks before it begins. */
  once(key: string): Promise<boolean>;
  /** Records the requests of this session; `runAgent` uses it by itself. */
  readonly recorder?: Recorder;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Ledgers = Map<string, LedgerEntry | undefined>;

/** The session for its one writer. */
export async function writeSession(id: string, parts: SessionParts, waitMs = 0): Promise<Session> {
  const { log, now, storage } = parts;
  const reader = readSession(id, parts);
  let ledgers: Ledgers = new Map();
  let lease = await log.take(id, thisHolder(), { waitMs });
  let isSure = true;
  let isOpen = true;
  let newest = parts.recorder && (await newestUnder(log, lease)); // what the next request is told by

  const lastLedger = async (model: string, known: Ledgers): Promise<LedgerEntry | undefined> => {
    if (!known.has(model)) known.set(model, (await reader.ledger(model))?.entries[model]);
    return known.get(model);
  };

  const messageRows = async (given: Message, time: number): Promise<NewRow[]> => {
    const message = await bounded(given, reader.assets);
    const own = { reached: await reader.assets.reached(), more: parts.putHere };
    const row = rowOf({ type: 'message', message }, time, effectsOf({ type: 'message', message }, own));
    const strange = assetsOf(message).filter(({ id: asset }) => !isReached(own, asset));
    const notes = strange.map((asset) => {
      const text = placeholder({ type: 'document', asset }, { why: 'its bytes were not put into this session' });
      return rowOf({ type: 'note', text }, time);
    });
    return [row, ...notes];
  };

  const rowsFor = async (entry: EntryInput, time: number, known: Ledgers): Promise<NewRow[]> => {
    if (entry.type === 'message') return await messageRows(entry.message, time);
    if (entry.type !== 'ledger') return [rowOf(entry, time, effectsOf(entry, nothingReached))];
    const model = entry.ledger.current;
    const body: EntryBody = { type: 'ledger', ...deltaOf(await lastLedger(model, known), entry.ledger) };
    known.set(model, entry.ledger.entries[model]);
    return [rowOf(body, time, effectsOf(body, nothingReached))];
  };

  const store = async (entries: readonly EntryInput[], time: number, key?: string): Promise<EntryId[]> => {
    if (!isSure) {
      lease = await log.renew(lease); // an append that failed may be stored all the same
      ledgers = new Map();
    }
    const known: Ledgers = new Map(ledgers);
    const rows: NewRow[] = [];
    const firsts: number[] = [];
    for (const entry of entries) {
      firsts.push(rows.length);
      rows.push(...(await rowsFor(entry, time, known)));
    }
    if (key !== undefined) for (const [at, row] of rows.entries()) row.key = `${key}.${at}`;
    isSure = false;
    const { ids, gone } = await log.append(lease, rows);
    isSure = true;
    lease = { ...lease, next: lease.next + rows.length };
    ledgers = key === undefined ? known : new Map(); // what has a key may be older than what was stored last
    newest = ids.at(-1) ?? newest;
    const named = rows.flatMap(({ refers = [] }) => refers.filter(({ by }) => by === 'message'));
    if (named.length > 0) await reader.assets.admit(named.map(({ id: asset }) => asset));
    if (gone.length > 0) await putAgain(gone, storage).catch(() => undefined); // stored it is; losses tell of what is gone
    return firsts.flatMap((at) => ids[at] ?? []);
  };

  /** Appends stand in line: what was handed over first is stored first. */
  const inTurn = inTurns();
  const appendAll = async (entries: readonly EntryInput[], time: number = now(), key?: string): Promise<EntryId[]> => {
    if (!isOpen) throw new SightlineError('input', `Session ${id} is closed. Open it again.`);
    entries.forEach(checkStorable);
    return await inTurn(() => store(entries, time, key));
  };

  let altered: Promise<EntryId[]> | undefined; // looked for once: what is appended from here on is as it was written
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    isOpen = false; // what was handed over before this is stored
    return (closing ??= inTurn(() => log.release(lease)));
  };
  return {
    ...reader,
    losses: async () =>
      findLosses(mediaOfEntries((await log.read(id, { types: ['message'] })).map(readEntry)), storage.files, true),
    altered: () =>
      (altered ??= reader.altered().catch((error: unknown) => {
        altered = undefined; // asked again next time
        throw error;
      })),
    ledger: async (model) => {
      const entry = await lastLedger(model, ledgers);
      const current = await currentModel(log, id);
      return current === undefined ? undefined : { version: 1, current, entries: entry ? { [model]: entry } : {} };
    },
    append: async (entry, time) => {
      const [first] = await appendAll([entry], time);
      if (first === undefined) throw new SightlineError('bug', 'The log gave no number for an entry.');
      return first;
    },
    appendAll,
    once: (key) => log.once(`${id} ${key}`),
    ...(parts.recorder && {
      recorder: sessionRecorder(parts.recorder, { id, assets: reader.assets, newest: () => newest }),
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The last entry of a session that was just taken; whoever cannot read it holds it no longer. */
async function newestUnder(log: EntryLog, lease: Lease): Promise<EntryId | undefined> {
  try {
    return (await log.read(lease.session, { newest: 1 }))[0]?.id;
  } catch (error) {
    await log.release(lease);
    throw error;
  }
}

/** Only messages name assets by which a session reaches them. */
const nothingReached = { reached: new Set<AssetId>() };

/** Whoever copies entries of another session hands over their numbers, too; they are not those that these get. */
function rowOf(body: EntryBody, time: number, more: Pick<NewRow, 'change' | 'refers'> = {}): NewRow {
  const given: EntryBody & Partial<EntryFrame> = body;
  const { type, id: _id, parent: _parent, time: _time, version: _version, ...rest } = given;
  return { type, version: entryVersion, time, body: JSON.stringify(rest), ...more };
}

/** Bytes that were collected between being put and being named, where a store still has them. */
async function putAgain(ids: readonly AssetId[], { files, claims }: Storage): Promise<void> {
  for (const id of ids) {
    const bytes = await files.get(id);
    if (!bytes) continue;
    await claims.lease([{ id, size: bytes.length }]);
    await files.put(bytes, { mediaType: 'application/octet-stream', id });
    await claims.stored([id]);
  }
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
