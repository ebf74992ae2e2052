// The port behind sessions: a log of entries, in which every session is a line that may have begun in another one.
// Whoever implements it runs `sightline/contract` against it; SQLite, JSON lines and memory do.
import { SightlineError } from '../../content/refusal.ts';
import type { AssetId } from '../../content/block.ts';
import type { EntryId, EntryType } from '../entry.ts';
import type { DescriptionTable } from '../../model/descriptions.ts';
import type { UploadTable } from '../../model/uploads/port.ts';
import type { RequestTable } from '../../record/table.ts';
import type { EntryRow } from './migrations.ts';

/** A session in a list. */
export type SessionInfo = {
  id: string;
  title?: string;
  /** The model that answered last. */
  model?: string;
  created: number;
  updated: number;
  /** Those it shares with the session it was forked from included. */
  messages: number;
  /** Different media, and their bytes. */
  media: number;
  mediaBytes: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars, where the prices were known. */
  cost?: number;
  forkedFrom?: { id: string; entry: EntryId };
};

/** What an append changes about a session besides its entries. */
export type Change = {
  title?: string;
  /** A title that gives way to one that was set. */
  firstWords?: string;
  model?: string;
  usage?: { inputTokens: number; outputTokens: number; cost?: number };
};

/** An asset that an entry names, and where: `gc` leaves it alone. */
export type Referred = { id: AssetId; size: number; by: 'message' | 'ledger' };

/** A row that is to be appended. */
export type NewRow = {
  type: EntryType;
  version: number;
  time: number;
  body: string;
  change?: Change;
  refers?: readonly Referred[];
  /** Appended once per session: a second row with the same key is the first one. */
  key?: string;
};

/** Who writes, to tell others. */
export type LeaseHolder = { host: string; process: number };

/** The right to write to one session. The log refuses every epoch but the newest. */
export type Lease = {
  session: string;
  epoch: number;
  /** How many rows were handed over before the next one. */
  next: number;
};

/** How many sessions a page of the list holds unless more or fewer are asked for. */
export const sessionsPerPage = 50;

/** A place in the list of sessions; a session of the list is one. */
export type Cursor = Pick<SessionInfo, 'id' | 'updated'>;

/** Which entries of a session are read, and in which order. */
export type EntryRange = {
  /** Only entries after this one. */
  after?: EntryId;
  types?: readonly EntryType[];
  /** The oldest first, at most so many. */
  limit?: number;
  /** The newest first, at most so many at a time. */
  newest?: number;
  /** With `newest`: only entries before this one. */
  before?: EntryId;
};

/** A place that a search found. */
export type SearchHit = { session: SessionInfo; entry: EntryId; excerpt: string };

/** What is to be collected: what nobody refers to, and nobody put for so long without a session that holds it. */
export type IdleAssets = {
  idleMs: number;
  limit: number;
  /** Those as well that no message names and nobody put for so long, for any session: they can be made again. */
  renditions: boolean;
  /** As if these sessions were not there. */
  without: readonly string[];
  /** These alone. */
  among?: readonly AssetId[];
};

/** Who needs which asset. */
export type Claims = {
  /** Taken before a store looks whether it has the bytes: what is put now is not collected. */
  lease(assets: readonly { id: AssetId; size: number }[], session?: string): Promise<void>;
  /** Their bytes are in the store now. */
  stored(ids: readonly AssetId[]): Promise<void>;
  /** Those that were never told to be stored, or were collected. */
  missing(ids: readonly AssetId[]): Promise<ReadonlySet<AssetId>>;
  /** Everything that the session refers to, or has put and not named yet. */
  reachable(session: string): Promise<ReadonlySet<AssetId>>;
  /** Those that a message names, but for some sessions. */
  named(ids: readonly AssetId[], without: readonly string[]): Promise<ReadonlySet<AssetId>>;
  /** Those that any session names or has put, be it in a message or in what was decided for a model. */
  needed(ids: readonly AssetId[]): Promise<ReadonlySet<AssetId>>;
  /** What all that is stored takes. */
  bytes(): Promise<number>;
  /** Holds a batch nobody needs, the oldest first, so that nobody takes it, calls `remove`, forgets it. When `remove`
   * rejects, nothing is forgotten. */
  collect(
    what: IdleAssets,
    remove: (ids: readonly AssetId[]) => Promise<void>,
  ): Promise<{ removed: number; bytes: number }>;
};

/** Where sessions are kept. `sessionsOver` makes sessions of any; `sightline/contract` tells what one must hold. */
export type EntryLog = {
  /** Rejects for an id that a session has already. A fork takes over title and model, and what the entry came after. */
  create(id: string, time: number, from?: { id: string; entry: EntryId }): Promise<void>;
  /** The session with this id first, then those whose id begins like this. */
  find(id: string): Promise<SessionInfo[]>;
  /** The newest first, 50 unless `limit` says otherwise; `next` when there are more. */
  list(page?: { limit?: number; before?: Cursor }): Promise<{ sessions: SessionInfo[]; next?: Cursor }>;
  /** Rejects while somebody else writes to this session, after waiting for so long. */
  take(id: string, holder: LeaseHolder, options?: { waitMs?: number }): Promise<Lease>;
  /** The lease as the log has it now, for as long as it is the newest. */
  renew(lease: Lease): Promise<Lease>;
  release(lease: Lease): Promise<void>;
  /** Who writes to a session, by a lease that ends soon without a sign of life; only where such leases are. */
  writer?(id: string): Promise<LeaseHolder | undefined>;
  remove(lease: Lease): Promise<void>;
  /** All or nothing, in order; resolves once it is on disk. Repeated after a lost reply, it returns what was stored the
   * first time. A key names one row of a session; two rows of a batch with the same one are refused. `gone` are assets
   * that a message names and nobody has stored, or that were collected before. */
  append(lease: Lease, rows: readonly NewRow[]): Promise<{ ids: EntryId[]; gone: AssetId[] }>;
  /** In the order they were appended, the shared past first. */
  read(id: string, options?: EntryRange): Promise<EntryRow[]>;
  /** Wakes when something was appended to the session; may wake for nothing. Ends with the signal or with the log. */
  watch(id: string, signal: AbortSignal): AsyncIterable<void>;
  /** Messages, titles and notes with all of the words, in any order and case and without accents; the last may be only begun. The
   * newest first. */
  search(words: string, page: { limit: number; before?: EntryId }): Promise<SearchHit[]>;
  /** True for the first who asks. A key that begins with the id of a session and a space goes with that session. */
  once(key: string): Promise<boolean>;
  claims: Claims;
  /** Where requests to providers are recorded; a log without it records none. */
  requests?: RequestTable;
  /** Where descriptions of pictures are kept; without it, each process has its own. */
  descriptions?: DescriptionTable;
  /** Where uploads to providers are written down; without it, each process has its own. */
  uploads?: UploadTable;
  /** Waits for what was handed over; from then on nothing is stored, and whoever tries is told. */
  close(): Promise<void>;
};

/** What somebody hears who names a session that is not there. */
export function gone(id: string): SightlineError {
  return new SightlineError('input', `There is no session ${id}. See "sightline sessions list".`);
}

/** What somebody hears who begins a session under the id of another. */
export function taken(id: string): SightlineError {
  return new SightlineError('input', `There is a session ${id} already. Take another id, or open that one.`);
}

/** Throws for two rows of a batch that want to be the same one. */
export function checkKeys(rows: readonly NewRow[]): void {
  const keys = rows.flatMap(({ key }) => key ?? []);
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined)
    throw new SightlineError('input', `Two rows of one append have the key "${twice}". Give each row its own.`);
}

/** Somebody writes to it already: this program, or another process. */
export function writtenElsewhere(id: string, by: 'us' | 'others'): SightlineError {
  const where =
    by === 'us' ? 'already open in this program. Close it first' : 'open in another process. Close it there';
  return new SightlineError('storage', `Session ${id} is ${where}, or go on in a copy: sightline sessions fork ${id}`);
}

/** What a writer hears whose lease is not the newest any more. */
export function fenced({ session }: Lease, by?: string): SightlineError {
  const next = 'Nothing more is stored from here: read what is there, and open it again.';
  const who = by === undefined ? 'another writer now, or was closed' : `another writer now: ${by}`;
  return new SightlineError('storage', `Session ${session} has ${who}. ${next}`);
}

/** What a writer hears whose place in the session is not that of the log. */
export function outOfStep({ session, next }: Lease, stored: number): SightlineError {
  const what = `Session ${session} has ${stored} rows, and the next one was to be number ${next}`;
  return new SightlineError('storage', `${what}. Open it again, and look which of them are there.`);
}

/** Whether a repeated append hands over what was stored the first time. */
export function isSameRow(stored: EntryRow | undefined, row: NewRow): boolean {
  return stored?.type === row.type && stored.time === row.time && stored.body === row.body;
}

const pollMs = 25;

/** Tries to take a session until it is free or the time is over. */
export async function untilFree<T>(waitMs: number, attempt: () => T | Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += pollMs) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof SightlineError) || error.code !== 'storage' || waited >= waitMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** All changes of several rows as one. */
export function changeOf(rows: readonly NewRow[]): Change & { messages: number; updated: number } {
  const all = rows.map((row) => row.change ?? {});
  const usages = all.flatMap(({ usage }) => usage ?? []);
  const cost = usages.map((usage) => usage.cost).filter((one) => one !== undefined);
  const [title, model] = [all.findLast((one) => one.title)?.title, all.findLast((one) => one.model)?.model];
  const firstWords = all.find((one) => one.firstWords !== undefined)?.firstWords;
  return {
    messages: rows.filter(({ type }) => type === 'message').length,
    updated: rows.at(-1)?.time ?? 0,
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model }),
    ...(firstWords !== undefined && { firstWords }),
    ...(usages.length > 0 && {
      usage: {
        inputTokens: usages.reduce((sum, usage) => sum + usage.inputTokens, 0),
        outputTokens: usages.reduce((sum, usage) => sum + usage.outputTokens, 0),
        ...(cost.length > 0 && { cost: cost.reduce((sum, one) => sum + one, 0) }),
      },
    }),
  };
}
