// What a session's requests really were, read from their records; nothing is planned again.
import type { AssetStore } from '../content/asset-store.ts';
import { SightlineError } from '../content/refusal.ts';
import { skeletonOf } from '../record/body.ts';
import { replayChain, sentStream } from '../record/table.ts';
import type { RequestRow, RequestTable, Unreadable } from '../record/table.ts';
import type { Receipt } from '../window/receipt.ts';
import { outline } from '../wire/body.ts';
import type { EntryLog } from './log/port.ts';

/** A request as it was sent. */
export type RecordedRequest = {
  row: RequestRow;
  receipts: readonly Receipt[];
  /** The body with a short note where base64 would stand, for people. */
  outline: () => Promise<unknown>;
  /** The very bytes. */
  stream: () => ReadableStream<Uint8Array>;
};

const unreadable: Record<Unreadable, string> = {
  gone: 'It is no longer kept.',
  hole: 'A request that it is told by is no longer kept, so its body cannot be put together.',
  damaged: 'What is stored of it was altered, so its body cannot be trusted.',
};

/** Why the body of a request cannot be shown. */
export function unreadableWords(why: Unreadable): string {
  return unreadable[why];
}

/** A request by its id; throws where it cannot be put together. */
export async function sentRequest(table: RequestTable, id: string, assets: AssetStore): Promise<RecordedRequest> {
  const chain = await table.chain(id);
  const [whole, row] = [replayChain(chain), chain.at(-1)];
  if (typeof whole === 'string' || !row)
    throw new SightlineError(
      'storage',
      `Request ${id} cannot be shown. ${unreadable[typeof whole === 'string' ? whole : 'gone']}`,
    );
  const { body, receipts } = whole;
  return {
    row,
    receipts,
    outline: () => outline(skeletonOf(body)),
    stream: () => sentStream(body, (asset) => assets.stream(asset)),
  };
}

/** The records of a session, and before them those that it shares with the sessions it was forked from. */
export async function requestsOf(log: EntryLog, id: string): Promise<RequestRow[]> {
  if (!log.requests) return [];
  const own = await log.requests.list(id);
  const [info] = await log.find(id);
  if (info?.id !== id || !info.forkedFrom) return own;
  const { id: parent, entry } = info.forkedFrom;
  return [...(await requestsOf(log, parent)).filter(({ upTo = Infinity }) => upTo <= entry), ...own];
}
