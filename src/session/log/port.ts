// The port behind sessions: a log of entries, in which every session is a line that may have begun in another one.
// Three implementations pass the same contract: SQLite, JSON lines and memory. Everything here is synchronous and short.
import type { AssetId } from '../../content/block.ts';
import type { EntryId, EntryType } from '../entry.ts';
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

export type Referred = { id: AssetId; size: number; by: 'message' | 'ledger' };

/** With an id when it is one that was appended before. */
export type NewRow = { id?: EntryId; type: EntryType; version: number; time: number; body: string };

export type ReadOptions = {
  /** Only entries after this one. */
  after?: EntryId;
  types?: readonly EntryType[];
  /** The newest first, at most so many at a time. */
  newest?: number;
  /** With `newest`: only entries before this one. */
  before?: EntryId;
};

/** A place that a search found. */
export type Found = { session: SessionInfo; entry: EntryId; excerpt: string };

/** The strongest claim on an asset: a message names it, a ledger does, or a session has put it and named it nowhere. */
export type Claim = 'message' | 'ledger' | 'held';

/** Who needs which asset, for those who collect. */
export type Claims = {
  /** Nobody else puts anything meanwhile. */
  together(work: () => void): void;
  /** When it was last put. */
  leased(id: AssetId): number;
  claim(id: AssetId): Claim | undefined;
  /** Those that no message names and that were put before this time. */
  unnamed(before: number): AssetId[];
  forget(id: AssetId): void;
};

export type EntryLog = {
  create(id: string, time: number, from?: { id: string; entry: EntryId }): void;
  /** The one session with this id, or whose id begins like this. */
  find(id: string): SessionInfo[];
  list(): SessionInfo[];
  /** Returns once the entry is on disk. */
  append(id: string, row: NewRow, change: Change, referred: readonly Referred[], shortIds: readonly string[]): EntryId;
  /** In the order they were appended, the shared past first. */
  read(id: string, options?: ReadOptions): EntryRow[];
  remove(id: string): void;
  search(words: string, limit: number): Found[];
  /** Everything that the session refers to, or has put and not named yet. */
  assets(id: string): AssetId[];
  /** Taken before the store looks whether it has the bytes: what is put now is not collected. */
  lease(asset: { id: AssetId; size: number }, time: number, session?: string): void;
  /** What all assets take that were put here and are not forgotten. */
  assetBytes(): number;
  /** As they are without some of the sessions. */
  claims(without: readonly string[]): Claims;
  /** Frees what it returns; throws when somebody else writes to this session. */
  lock(id: string): () => void;
  close(): void;
};
