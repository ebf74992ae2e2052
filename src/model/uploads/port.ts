// Media that go up once and by their ids from then on: what whoever uploads promises, and where it is written down.
import type { Asset, AssetId } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';

/** The id of a file at a provider, and until when it means something. */
export type Uploaded = { file: string; expires: number };

/** Uploads media, and knows what was uploaded. */
export type FileUploads = {
  /** Who owns the ids: a digest of the endpoint, its address and the key; never the key. Nothing where there is no store. */
  account: (endpoint: string) => Promise<string | undefined>;
  /** Known and good for ten more minutes, else sent up now. Those who ask for one asset at once share one upload. */
  give: (asset: Asset, endpoint: string, bytes: BytesAgain, signal?: AbortSignal) => Promise<Read<Uploaded>>;
  /** Which of these ids mean nothing any more, or soon will. */
  stale: (endpoint: string, files: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The provider complained about one of these ids: those that its words name, and those that it has no more, are not given again.
   * How many that are. */
  forget: (endpoint: string, files: readonly string[], complaint: string) => Promise<number>;
  /** Deletes at the provider what these assets have there; all that is known where none are named. */
  withdraw: (assets?: ReadonlySet<AssetId>) => Promise<{ deleted: number; left: number }>;
};

/** The bytes of an asset, from their beginning each time. */
export type BytesAgain = () => AsyncIterable<Uint8Array>;

/** One file at a provider. `sending`: its upload has begun, and nobody knows yet what came of it. */
export type UploadRow = {
  account: string;
  asset: AssetId;
  endpoint: string;
  file: string;
  size: number;
  created: number;
  expires: number;
  state: 'sending' | 'ready';
};

/** Where uploads are written down, so that none is made twice and each can be taken back. */
export type UploadTable = {
  find: (account: string, asset: AssetId) => Promise<UploadRow | undefined>;
  /** True for whoever shall upload: the row is written as `sending`. False where one is good for ten more minutes, or another
   * uploads; a claim that nothing came of lapses after two minutes. */
  claim: (row: UploadRow) => Promise<boolean>;
  keep: (row: UploadRow) => Promise<void>;
  drop: (account: string, asset: AssetId) => Promise<void>;
  rows: () => Promise<UploadRow[]>;
};

/** After so long, a claim that nothing came of lapses. */
export const claimMs = 120_000;

function key(account: string, asset: AssetId): string {
  return `${account} ${asset}`;
}

/** What expires sooner is not given any more. */
export const soonMs: number = 10 * 60_000;

/** Whether a file can be named in a request. */
export function isGood(row: UploadRow | undefined, now: number): row is UploadRow {
  return row?.state === 'ready' && row.expires > now + soonMs;
}

/** Whether somebody is uploading. */
export function isUnderWay(row: UploadRow | undefined, now: number): boolean {
  return row?.state === 'sending' && row.created > now - claimMs;
}

/** How a table of uploads changes. */
export type UploadChange = ['uploaded', row: UploadRow] | ['withdrawn', account: string, asset: AssetId];

/** The rows of a table by account and asset. */
export type UploadRows = Map<string, UploadRow>;

export function applyUpload(rows: UploadRows, change: UploadChange): void {
  if (change[0] === 'uploaded') rows.set(key(change[1].account, change[1].asset), change[1]);
  else rows.delete(key(change[1], change[2]));
}

/** Does work in its turn; what it calls keeps a change where it lasts, and applies it. */
type ChangingUploads = <T>(work: (changed: (change: UploadChange) => Promise<void>) => Promise<T>) => Promise<T>;

/** A table over rows in memory. */
export function uploadTableOver(rows: UploadRows, changing: ChangingUploads): UploadTable {
  return {
    find: async (account, asset) => rows.get(key(account, asset)),
    claim: (row) =>
      changing(async (changed) => {
        const before = rows.get(key(row.account, row.asset));
        const isTaken = isGood(before, row.created) || isUnderWay(before, row.created);
        if (!isTaken) await changed(['uploaded', row]);
        return !isTaken;
      }),
    keep: (row) => changing((changed) => changed(['uploaded', row])),
    drop: (account, asset) => changing((changed) => changed(['withdrawn', account, asset])),
    rows: async () => [...rows.values()],
  };
}

/**
 * A table of uploads for one process.
 *
 * @example
 * const uploads = fileUploads({ table: memoryUploadTable() });
 */
export function memoryUploadTable(): UploadTable {
  const rows: UploadRows = new Map();
  return uploadTableOver(rows, (work) => work(async (change) => applyUpload(rows, change)));
}
