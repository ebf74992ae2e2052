// Where records are kept: what a store of them promises, and the rows it holds. A row is a delta to the request before it.
import type { AssetId } from '../content/block.ts';
import type { AssistantMessage } from '../message/message.ts';
import type { Receipt } from '../window/receipt.ts';
import { stream } from '../wire/body.ts';
import type { BytesOf } from '../wire/body.ts';
import { bodyDigest, keptAssetsIn, skeletonOf } from './body.ts';
import type { KeptBody } from './body.ts';
import { bodyDelta, listDelta, replayed, replayedList } from './delta.ts';
import type { BodyDelta, Delta } from './delta.ts';
import type { PrefixBreak } from './prefix.ts';
import type { Ended, RequestRecord } from './record.ts';

/** How much of a request is kept: all of it, or digests and lengths in place of words. */
export type RecordMode = 'all' | 'shape';

/** What lists and charts need of a request. */
export type RequestRow = Omit<RequestRecord, 'receipts' | 'conversation'> & {
  /** What is new about it, in a few words, and the newest picture among that. */
  label?: string;
  picture?: AssetId;
  conversation: string;
  /** Wire, address and model: those who share a prefix. */
  lane: string;
  /** The last answered request of its lane, or the one that it goes on from under another system prompt: what it is a delta to,
   * and compared with. */
  before?: string;
  record: RecordMode;
  /** The process that sent it: who looks on the same machine sees whether it is still there. */
  by?: { host: string; process: number };
  /** Of the body; it holds the hashes of its media. */
  digest: string;
  /** So many secrets of the sending program were masked: there the bytes are not those that were sent. */
  masked?: number;
  /** Where its prefix differs from the request before it. */
  broke?: RowBreak;
  ended?: Omit<Ended, 'answer'>;
};

/** A break as lists need it. */
export type RowBreak = Pick<PrefixBreak, 'part' | 'kind' | 'path' | 'keptTokens' | 'lostTokens'> & { own: boolean };

/** A request as it is stored. */
export type StoredRequest = RequestRow & {
  /** How many requests have to be read before this one; 0: it stands alone. */
  depth: number;
  body: BodyDelta;
  receipts: Delta<Receipt>;
  /** Media that its own elements name. */
  assets: readonly AssetId[];
  answer?: AssistantMessage;
};

/** A conversation in a list. */
export type ConversationRow = { conversation: string; requests: number; began: number; updated: number };

/** Where records are kept. */
export type RequestTable = {
  /** Begun again under an id that is there, it stays the first: a reply may have been lost. */
  begin(request: StoredRequest): Promise<void>;
  end(id: string, ended: Ended): Promise<void>;
  /** Those of a conversation, the oldest first. */
  list(conversation: string): Promise<RequestRow[]>;
  /** The newest first; of the same millisecond, the one that a request was begun in last. */
  conversations(page?: { limit?: number; before?: number }): Promise<ConversationRow[]>;
  /** The request with this id, and before it those it is a delta to; the first one has all it needs, or one is gone. */
  chain(id: string): Promise<StoredRequest[]>;
  /** The newest request of a lane that was answered. */
  last(conversation: string, lane: string): Promise<string | undefined>;
  /** Puts rows in the place of those with the same id, and takes others away: both or neither. */
  rewrite(rows: readonly StoredRequest[], gone: readonly string[]): Promise<void>;
  /** All that are kept, the oldest first, with the room that each takes. */
  sizes(): Promise<{ id: string; time: number; bytes: number; before?: string }[]>;
  /** Takes away all of a conversation. */
  forget(conversation: string): Promise<void>;
  /** Wakes when something was begun, ended or taken away, also with its session, by whomever. Ends with the signal. */
  watch(signal: AbortSignal): AsyncIterable<void>;
};

/** A body with its receipts, as it was sent. */
export type Replayed = { body: KeptBody; receipts: Receipt[] };

/** Why a request cannot be shown as it was sent. */
export type Unreadable = 'gone' | 'hole' | 'damaged';

/** The last request of a chain as it was sent. */
export function replayChain(chain: readonly StoredRequest[]): Replayed | Unreadable {
  return replayPair(chain).now;
}

/** The last request of a chain as it was sent, and the one it is a delta to. */
export function replayPair(chain: readonly StoredRequest[]): { now: Replayed | Unreadable; before?: Replayed } {
  const [last, first] = [chain.at(-1), chain[0]];
  if (!last || !first) return { now: 'gone' };
  if (first.depth !== 0) return { now: 'hole' };
  let body: KeptBody | undefined;
  let receipts: string[] = [];
  let before: Replayed | undefined;
  const digests = new Map<string, string>();
  const whole = ({ digest }: StoredRequest): Replayed | undefined =>
    body && bodyDigest(body, digests) === digest
      ? { body, receipts: receipts.map((text) => JSON.parse(text) as Receipt) }
      : undefined;
  try {
    for (const [at, row] of chain.entries()) {
      const old = chain[at - 1];
      if (old && row === last) before = whole(old);
      body = replayed(body, row.body);
      receipts = replayedList(receipts, row.receipts);
    }
    return { now: whole(last) ?? 'damaged', ...(before && { before }) };
  } catch {
    return { now: 'damaged' }; // what is stored there has another form
  }
}

/** The very bytes that were sent, as long as their media are stored. */
export function sentStream(body: KeptBody, bytesOf: BytesOf): ReadableStream<Uint8Array> {
  return stream(skeletonOf(body), bytesOf);
}

/** What a row says of a body and its receipts: what they have not in common with those before. */
export function rowParts(
  before: { body: KeptBody; receipts: readonly string[] } | undefined,
  now: { body: KeptBody; receipts: readonly string[] },
): Pick<StoredRequest, 'body' | 'receipts' | 'assets'> {
  const body = bodyDelta(before?.body, now.body);
  const receipts = listDelta(before?.receipts ?? [], now.receipts) as Delta<Receipt>;
  const decided = receipts.flatMap((one) => (typeof one === 'object' && 'asset' in one ? (one.asset ?? []) : []));
  return { body, receipts, assets: [...new Set([...keptAssetsIn(body).map(({ $asset }) => $asset), ...decided])] };
}

/** Takes away what is older, and the oldest of what is too much. What stood on them stands alone from then on. */
export async function retain(
  table: Pick<RequestTable, 'sizes' | 'chain' | 'rewrite'>,
  { until, maxBytes }: { until: number; maxBytes: number },
): Promise<number> {
  const all = await table.sizes();
  let left = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const gone = new Set<string>();
  for (const { id, time, bytes } of all) {
    if (time >= until && left <= maxBytes) continue;
    gone.add(id);
    left -= bytes;
  }
  if (gone.size === 0) return 0;
  const rows: StoredRequest[] = [];
  for (const { id, before } of all) {
    if (gone.has(id) || before === undefined || !gone.has(before)) continue;
    const chain = await table.chain(id);
    const [whole, last] = [replayChain(chain), chain.at(-1)];
    if (typeof whole === 'string' || !last) continue;
    const receipts = whole.receipts.map((receipt) => JSON.stringify(receipt));
    const { before: _, ...rest } = last;
    rows.push({ ...rest, depth: 0, ...rowParts(undefined, { body: whole.body, receipts }) });
  }
  await table.rewrite(rows, [...gone]);
  return gone.size;
}
