// Records of requests in memory; the log as a file of lines keeps each change of them.
import type { Ended } from '../../record/record.ts';
import type { RequestRow, RequestTable, StoredRequest } from '../../record/table.ts';

/** A change of what is kept of requests. */
export type RequestChange =
  | ['request', request: StoredRequest]
  | ['request-end', id: string, ended: Ended]
  | ['requests-gone', ids: readonly string[]];

export function applyRequest(requests: Map<string, StoredRequest>, change: RequestChange): void {
  switch (change[0]) {
    case 'request':
      return void requests.set(change[1].id, change[1]);
    case 'request-end': {
      const [request, { answer, ...ended }] = [requests.get(change[1]), change[2]];
      if (request) requests.set(request.id, { ...request, ended, ...(answer && { answer }) });
      return;
    }
    case 'requests-gone':
      for (const id of change[1]) requests.delete(id);
  }
}

type Changing = {
  /** Keeps changes before they count, decided when it is their turn: by what is there then. */
  changed: (changes: () => readonly RequestChange[]) => Promise<void>;
  watch: RequestTable['watch'];
};

export function memoryRequests(
  requests: ReadonlyMap<string, StoredRequest>,
  { changed, watch }: Changing,
): RequestTable {
  const all = (): StoredRequest[] => [...requests.values()];
  return {
    begin: (request) => changed(() => (requests.has(request.id) ? [] : [['request', request]])),
    end: (id, ended) => changed(() => (requests.has(id) ? [['request-end', id, ended]] : [])),
    list: async (conversation) =>
      all()
        .filter((request) => request.conversation === conversation)
        .map(rowOf),
    conversations: async ({ limit, before = Infinity } = {}) => {
      const groups = Map.groupBy(all().toReversed(), ({ conversation }) => conversation);
      return [...groups]
        .map(([conversation, own]) => ({
          conversation,
          requests: own.length,
          began: own.reduce((least, { time }) => Math.min(least, time), Infinity),
          updated: own.reduce((most, { time }) => Math.max(most, time), -Infinity),
        }))
        .filter(({ updated }) => updated < before)
        .toSorted((one, other) => other.updated - one.updated)
        .slice(0, limit);
    },
    chain: async (id) => {
      const chain: StoredRequest[] = [];
      for (let at = requests.get(id); at;) {
        chain.unshift(at);
        at = at.depth === 0 || at.before === undefined ? undefined : requests.get(at.before);
      }
      return chain;
    },
    last: async (conversation, lane) =>
      all().findLast(
        (request) =>
          request.conversation === conversation &&
          request.lane === lane &&
          request.purpose === 'answer' &&
          request.ended?.state === 'answered',
      )?.id,
    rewrite: (rows, gone) => changed(() => [...rows.flatMap((row) => rewritten(row, requests)), ...takenAway(gone)]),
    sizes: async () =>
      all().map((request) => ({
        id: request.id,
        time: request.time,
        bytes: JSON.stringify(request).length,
        ...(request.depth > 0 && request.before !== undefined && { before: request.before }),
      })),
    forget: (conversation) =>
      changed(() => takenAway(all().flatMap((one) => (one.conversation === conversation ? [one.id] : [])))),
    watch,
  };
}

function rowOf(request: StoredRequest): RequestRow {
  const { body: _body, receipts: _receipts, assets: _assets, answer: _answer, depth: _depth, ...row } = request;
  return row;
}

/** It may have ended, or gone, since it was read. */
function rewritten(row: StoredRequest, requests: ReadonlyMap<string, StoredRequest>): RequestChange[] {
  const now = requests.get(row.id);
  if (!now) return [];
  const { ended, answer } = now;
  return [['request', { ...row, ...(ended && { ended }), ...(answer && { answer }) }]];
}

function takenAway(ids: readonly string[]): RequestChange[] {
  return ids.length === 0 ? [] : [['requests-gone', ids]];
}
