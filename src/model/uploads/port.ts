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
  /** The provider does not know this id: it is not given again. */
  forget: (endpoint: string, file: string) => Promise<void>;
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
  /** True for whoever shall upload: the row is written as `sending`. A claim that nothing came of lapses after two minutes. */
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

/**
 * A table of uploads for one process.
 *
 * @example
 * const uploads = fileUploads({ table: memoryUploadTable() });
 */
export function memoryUploadTable(): UploadTable {
  const rows = new Map<string, UploadRow>();
  return {
    find: async (account, asset) => rows.get(key(account, asset)),
    claim: async (row) => {
      const name = key(row.account, row.asset);
      const before = rows.get(name);
      const isTaken = before?.state === 'sending' && before.created > row.created - claimMs;
      if (!isTaken) rows.set(name, row);
      return !isTaken;
    },
    keep: async (row) => void rows.set(key(row.account, row.asset), row),
    drop: async (account, asset) => void rows.delete(key(account, asset)),
    rows: async () => [...rows.values()],
  };
}
