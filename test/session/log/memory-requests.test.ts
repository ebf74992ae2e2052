// Records of requests in memory: what is listed, which chain a request stands in, what goes.
import { describe, expect, test } from 'vitest';
import type { Ended } from '../../../src/record/record.ts';
import type { RequestTable, StoredRequest } from '../../../src/record/table.ts';
import { memoryLog } from '../../../src/session/log/memory.ts';
import { applyRequest, memoryRequests } from '../../../src/session/log/memory-requests.ts';
import type { RequestChange } from '../../../src/session/log/memory-requests.ts';

const answered = { state: 'answered', time: 9 } as unknown as Ended;

function request(id: string, more: object = {}): StoredRequest {
  return {
    id,
    conversation: 'talk',
    lane: 'main',
    purpose: 'answer',
    time: 1,
    depth: 0,
    body: { kind: 'whole' },
    receipts: [],
    assets: [],
    ...more,
  } as unknown as StoredRequest;
}

type Opened = { table: RequestTable; kept: Map<string, StoredRequest>; changes: (readonly RequestChange[])[] };

function opened(...requests: StoredRequest[]): Opened {
  const kept = new Map(requests.map((one) => [one.id, one]));
  const changes: (readonly RequestChange[])[] = [];
  const changed = async (decide: () => readonly RequestChange[]): Promise<void> => {
    const all = decide();
    changes.push(all);
    for (const change of all) applyRequest(kept, change);
  };
  const table = memoryRequests(kept, { changed, watch: (() => 'watched') as never });
  return { table, kept, changes };
}

describe('a request', () => {
  test('is kept when it begins and when it ends, with its answer where there is one', async () => {
    const { table, kept, changes } = opened();
    await table.begin(request('a'));
    expect(kept.get('a')).toEqual(request('a'));
    await table.end('a', answered);
    expect(kept.get('a')).toEqual({ ...request('a'), ended: answered });
    await table.begin(request('b'));
    const answer = { role: 'assistant', model: 'm', content: [] };
    await table.end('b', { ...answered, answer } as unknown as Ended);
    expect(kept.get('b')).toEqual({ ...request('b'), ended: answered, answer });
    await table.end('nobody', answered);
    await table.begin(request('a', { time: 5 }));
    expect([...kept.keys()]).toEqual(['a', 'b']);
    expect(changes.map((all) => all.map(([kind]) => kind))).toEqual([
      ['request'],
      ['request-end'],
      ['request'],
      ['request-end'],
      [],
      [],
    ]);
    expect(kept.get('a')).toMatchObject({ time: 1, ended: answered });
    expect(kept.get('a')).not.toHaveProperty('answer');
  });

  test('that is gone does not come back with its end', () => {
    const kept = new Map([['a', request('a')]]);
    applyRequest(kept, ['requests-gone', ['a']]);
    applyRequest(kept, ['request-end', 'a', answered]);
    expect([...kept]).toEqual([]);
  });

  test('that ends or goes while it is written anew keeps its end, and stays away', async () => {
    const answer = { role: 'assistant', model: 'm', content: [] };
    const { table, kept } = opened(request('a'), request('b'), request('c'), request('open'));
    const read = ['a', 'b', 'c', 'open'].map((id) => request(id, { time: 2 }));
    await table.end('a', answered);
    await table.end('b', { ...answered, answer } as unknown as Ended);
    await table.rewrite([], ['c']);
    await table.rewrite(read, []);
    expect([...kept.values()]).toStrictEqual([
      { ...read[0], ended: answered },
      { ...read[1], ended: answered, answer },
      read[3],
    ]);
  });
});

test('a list has the requests of one conversation, without what is large', async () => {
  const { table } = opened(
    request('a', { answer: {} }),
    request('b', { conversation: 'other' }),
    request('c', { ended: answered }),
  );
  expect(await table.list('talk')).toEqual([
    { id: 'a', conversation: 'talk', lane: 'main', purpose: 'answer', time: 1 },
    { id: 'c', conversation: 'talk', lane: 'main', purpose: 'answer', time: 1, ended: answered },
  ]);
});

test('conversations come newest first, in pages', async () => {
  const { table } = opened(
    request('a', { conversation: 'old', time: 3 }),
    request('b', { conversation: 'new', time: 5 }),
    request('c', { conversation: 'new', time: 9 }),
    request('d', { conversation: 'new', time: 7 }),
    request('e', { conversation: 'middle', time: 6 }),
  );
  const rows = [
    { conversation: 'new', requests: 3, began: 5, updated: 9 },
    { conversation: 'middle', requests: 1, began: 6, updated: 6 },
    { conversation: 'old', requests: 1, began: 3, updated: 3 },
  ];
  expect(await table.conversations()).toEqual(rows);
  expect(await table.conversations({ limit: 2 })).toEqual(rows.slice(0, 2));
  expect(await table.conversations({ limit: 5, before: 6 })).toEqual(rows.slice(2));
});

test('a conversation may have any number of requests', async () => {
  const one = request('a');
  const kept = new Map(Array.from({ length: 200_000 }, (_, at) => [String(at), one]));
  const table = memoryRequests(kept, { changed: async () => undefined, watch: (() => 'watched') as never });
  expect(await table.conversations()).toEqual([{ conversation: 'talk', requests: 200_000, began: 1, updated: 1 }]);
});

test('a chain goes back to the request that stands alone', async () => {
  const { table } = opened(
    request('whole', { before: 'earlier' }),
    request('earlier'),
    request('one', { depth: 1, before: 'whole' }),
    request('two', { depth: 2, before: 'one' }),
    request('torn', { depth: 1, before: 'gone' }),
    request('odd', { depth: 1 }),
  );
  const ids = async (id: string): Promise<string[]> => (await table.chain(id)).map((one) => one.id);
  expect(await ids('two')).toEqual(['whole', 'one', 'two']);
  expect(await ids('whole')).toEqual(['whole']);
  expect(await ids('torn')).toEqual(['torn']);
  expect(await ids('odd')).toEqual(['odd']);
  expect(await ids('nobody')).toEqual([]);
});

test('the last is the newest answer of its lane', async () => {
  const { table } = opened(
    request('a', { ended: answered }),
    request('b', { ended: answered }),
    request('failed', { ended: { state: 'failed' } }),
    request('open'),
    request('summary', { ended: answered, purpose: 'summary' }),
    request('aside', { ended: answered, lane: 'aside' }),
    request('other', { ended: answered, conversation: 'other' }),
  );
  expect(await table.last('talk', 'main')).toBe('b');
  expect(await table.last('talk', 'nowhere')).toBeUndefined();
});

test('what is written anew and what goes is one change; nothing to take away is none', async () => {
  const { table, kept, changes } = opened(request('a'), request('b'), request('c', { conversation: 'other' }));
  await table.rewrite([request('a', { time: 2 })], ['b']);
  expect([...kept.values()].map(({ id, time }) => [id, time])).toEqual([
    ['a', 2],
    ['c', 1],
  ]);
  await table.rewrite([request('a')], []);
  await table.forget('other');
  expect([...kept.keys()]).toEqual(['a']);
  await table.forget('nobody');
  expect(changes.map((all) => all.map(([kind]) => kind))).toEqual([
    ['request', 'requests-gone'],
    ['request'],
    ['requests-gone'],
    [],
  ]);
});

test('sizes tell what stands on what', async () => {
  const all = [request('a', { before: 'x' }), request('b', { depth: 1, before: 'a' }), request('c', { depth: 1 })];
  const { table } = opened(...all);
  const bytes = (at: number): number => JSON.stringify(all[at]).length;
  expect(await table.sizes()).toStrictEqual([
    { id: 'a', time: 1, bytes: bytes(0) },
    { id: 'b', time: 1, bytes: bytes(1), before: 'a' },
    { id: 'c', time: 1, bytes: bytes(2) },
  ]);
  expect((table.watch as unknown as () => string)()).toBe('watched');
});

test('of two that begin under one id at once, the first stays', async () => {
  const { requests } = memoryLog({ now: () => 1 });
  await Promise.all([requests?.begin(request('a')), requests?.begin(request('a', { time: 2 }))]);
  expect(await requests?.chain('a')).toEqual([request('a')]);
});
