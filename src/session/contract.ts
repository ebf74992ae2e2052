// The public surface of `sightline/contract`: what every log of entries and every store of assets promises, as tests. Run
// them with any runner against an implementation of your own.
import assert from 'node:assert/strict';
import type { UploadRow } from '../model/uploads/port.ts';
import type { ContractTest } from '../asset/contract.ts';
import type { AssetId } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import type { AssistantMessage } from '../message/message.ts';
import type { Ended } from '../record/record.ts';
import type { RequestTable, StoredRequest } from '../record/table.ts';
import type { EntryId } from './entry.ts';
import type { EntryLog, LeaseHolder, IdleAssets, Lease, NewRow } from './log/port.ts';

export { assetContract } from '../asset/contract.ts';
export type { ContractTest } from '../asset/contract.ts';

/** The log, a clock that the log goes by, and, for a log that outlives its program, the same one opened again. */
export type MadeLog = {
  log: EntryLog;
  tick: (ms: number) => unknown;
  reopen?: (() => EntryLog | Promise<EntryLog>) | undefined;
};

const holder: LeaseHolder = { host: 'here', process: 1 };

const note = (text: string, time = 1000): NewRow => ({
  type: 'note',
  version: 1,
  time,
  body: JSON.stringify({ text }),
});

const said = (text: string, ...assets: AssetId[]): NewRow => ({
  type: 'message',
  version: 1,
  time: 1000,
  body: JSON.stringify({ message: { role: 'user', content: [{ type: 'text', text }] } }),
  change: { firstWords: text },
  refers: assets.map((id) => ({ id, size: 10, by: 'message' })),
});

const asset = (seed: number): AssetId => `sha256:${seed.toString(16).padStart(64, '0')}`;

async function begun(log: EntryLog, id: string, time = 1): Promise<Lease> {
  await log.create(id, time);
  return await log.take(id, holder);
}

const later = (lease: Lease, rows: number): Lease => ({ ...lease, next: lease.next + rows });

async function textsIn(log: EntryLog, id: string): Promise<string[]> {
  return (await log.read(id)).map(({ body }) => /"text":"([^"]*)"\}/.exec(body)?.[1] ?? body);
}

/**
 * Every test gets a new, empty log.
 *
 * @example
 * entryLogContract(test, () => ({ log: myLog({ now: () => clock }), tick: (ms) => (clock += ms) }));
 */
export function entryLogContract(test: ContractTest, make: () => MadeLog | Promise<MadeLog>): void {
  const run: RunTest = (name, work) =>
    test(name, async () => {
      const made = await make();
      try {
        await work(made);
      } finally {
        await made.log.close();
      }
    });

  rowsContract(run);
  leasesContract(run);
  sessionsContract(run);
  removalsContract(run);
  searchContract(run);
  lastingContract(run);
  claimsContract(run);
  descriptionsContract(run);
  uploadsContract(run);
  requestsContract(run);
}

type RunTest = (name: string, work: (made: MadeLog) => Promise<void>) => unknown;

/** What was appended is what is read. */
function rowsContract(run: RunTest): void {
  run('rows come back in their order, each with the one before it as its parent', async ({ log }) => {
    const lease = await begun(log, 'one');
    const { ids } = await log.append(lease, [note('a', 5), note('b', 4)]);
    const more = await log.append(later(lease, 2), [said('c')]);
    const rows = await log.read('one');
    assert.deepEqual(
      rows.map(({ id, parent, time, version, type }) => ({ id, parent, time, version, type })),
      [
        { id: ids[0], parent: null, time: 5, version: 1, type: 'note' },
        { id: ids[1], parent: ids[0], time: 4, version: 1, type: 'note' },
        { id: more.ids[0], parent: ids[1], time: 1000, version: 1, type: 'message' },
      ],
    );
    assert.ok(rows.every(({ id }, at) => at === 0 || id > (rows[at - 1]?.id ?? 0)));
  });

  run('bodies come back letter by letter', async ({ log }) => {
    const lease = await begun(log, 'one');
    const bodies = ['{"text":"\\u0000 \\ud800 ü 天 \\n"}', '{"b":1,"a":2, "b":3}', `{"text":"${'x'.repeat(200_000)}"}`];
    await log.append(
      lease,
      bodies.map((body) => ({ type: 'note', version: 1, time: 1, body })),
    );
    assert.deepEqual(
      (await log.read('one')).map(({ body }) => body),
      bodies,
    );
  });

  run('parts are read from either end, by type, and page by page', async ({ log }) => {
    const lease = await begun(log, 'one');
    const rows = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? note(`n${at}`) : said(`m${at}`)));
    const { ids } = await log.append(lease, rows);
    const id = (at: number): EntryId => ids[at] ?? 0;
    const read = async (options: Parameters<EntryLog['read']>[1]): Promise<number[]> =>
      (await log.read('one', options)).map((row) => ids.indexOf(row.id));
    assert.deepEqual(await read({ limit: 3 }), [0, 1, 2]);
    assert.deepEqual(await read({ after: id(2), limit: 2 }), [3, 4]);
    assert.deepEqual(await read({ before: id(3) }), [0, 1, 2]);
    assert.deepEqual(await read({ after: id(1), before: id(6), limit: 3 }), [2, 3, 4]);
    assert.deepEqual(await read({ newest: 2 }), [9, 8]);
    assert.deepEqual(await read({ newest: 2, before: id(8) }), [7, 6]);
    assert.deepEqual(await read({ types: ['message'], newest: 2, before: id(6) }), [5, 3]);
    assert.deepEqual(await read({ types: ['message'], limit: 2, after: id(3) }), [5, 7]);
  });

  run('a batch is stored whole or not at all', async ({ log }) => {
    const lease = await begun(log, 'one');
    const bad = { ...note('bad'), body: undefined as unknown as string, refers: null as unknown as [] };
    await assert.rejects(log.append(lease, [note('good'), bad]));
    assert.deepEqual(await log.read('one'), []);
    await log.append(lease, [note('next')]);
    assert.deepEqual(await textsIn(log, 'one'), ['next']);
  });

  run(
    'appends that do not wait for each other are stored in the order in which they were handed over',
    async ({ log }) => {
      const lease = await begun(log, 'one');
      const all = Array.from({ length: 8 }, (_, at) => log.append(later(lease, at), [note(`n${at}`)]));
      await Promise.all(all);
      assert.deepEqual(await textsIn(log, 'one'), ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7']);
    },
  );
}

/** Who may write, and what happens twice. */
function leasesContract(run: RunTest): void {
  run('repeated after a lost reply, an append returns what was stored the first time', async ({ log }) => {
    const lease = await begun(log, 'one');
    const rows = [said('a'), note('b')];
    const first = await log.append(lease, rows);
    assert.deepEqual((await log.append(lease, rows)).ids, first.ids);
    assert.equal((await log.read('one')).length, 2);
    assert.equal((await log.find('one'))[0]?.messages, 1);
    const { ids } = await log.append(later(lease, 2), [note('c')]);
    assert.deepEqual((await log.append(later(lease, 2), [note('c')])).ids, ids);
    assert.deepEqual(await log.renew(lease), later(lease, 3));
  });

  run('other rows in the place of stored ones are refused', async ({ log }) => {
    const lease = await begun(log, 'one');
    await log.append(lease, [note('a')]);
    await assert.rejects(log.append(lease, [note('b')]), SightlineError);
    await assert.rejects(log.append(lease, [note('a'), note('b')]), SightlineError);
    await assert.rejects(log.append(later(lease, 5), [note('b')]), SightlineError);
    assert.deepEqual(await textsIn(log, 'one'), ['a']);
  });

  run('two rows of a batch under one key are refused, and nothing of it is stored', async ({ log }) => {
    const lease = await begun(log, 'one');
    const keyed = { ...note('a'), key: 'k' };
    await assert.rejects(log.append(lease, [keyed, { ...note('b'), key: 'k' }]), /have the key "k"/);
    assert.deepEqual(await log.read('one'), []);
    await log.append(lease, [keyed]);
    assert.deepEqual(await textsIn(log, 'one'), ['a']);
  });

  run('a key is appended once per session', async ({ log }) => {
    const [one, two] = [await begun(log, 'one'), await begun(log, 'two')];
    const keyed = { ...note('first'), key: 'k' };
    const { ids } = await log.append(one, [keyed]);
    const again = await log.append(later(one, 1), [note('beside'), { ...note('second'), key: 'k' }]);
    assert.equal(again.ids[1], ids[0]);
    await log.append(later(one, 3), [note('after')]);
    await log.append(two, [keyed]);
    assert.deepEqual(await textsIn(log, 'one'), ['first', 'beside', 'after']);
    assert.deepEqual(await textsIn(log, 'two'), ['first']);
  });

  run('one writer at a time; who waits gets it when it is free', async ({ log }) => {
    const lease = await begun(log, 'one');
    await assert.rejects(log.take('one', holder), SightlineError);
    const waiting = log.take('one', holder, { waitMs: 60_000 });
    await log.append(lease, [note('a')]);
    await log.release(lease);
    const next = await waiting;
    assert.deepEqual({ isNewer: next.epoch > lease.epoch, next: next.next }, { isNewer: true, next: 1 });
  });

  run('an older lease stores nothing, renews nothing, removes nothing', async ({ log }) => {
    const old = await begun(log, 'one');
    await log.append(old, [note('mine')]);
    await log.release(old);
    await assert.rejects(log.append(later(old, 1), [note('closed')]), SightlineError);
    const lease = await log.take('one', holder);
    for (const stale of [old, later(old, 1)]) await assert.rejects(log.append(stale, [note('stale')]), SightlineError);
    await assert.rejects(log.renew(old), SightlineError);
    await assert.rejects(log.remove(old), SightlineError);
    await log.release(old); // nobody's lease but its own
    await log.append(lease, [note('yours')]);
    assert.deepEqual(await textsIn(log, 'one'), ['mine', 'yours']);
  });
}

/** Sessions, their list and their forks. */
function sessionsContract(run: RunTest): void {
  run('a session that is not there is told in words', async ({ log }) => {
    const told = /There is no session nobody/;
    await assert.rejects(log.read('nobody'), told);
    await assert.rejects(log.take('nobody', holder), told);
    await assert.rejects(log.create('new', 1, { id: 'nobody', entry: 0 }), told);
    assert.deepEqual(await log.find('nobody'), []);
  });

  run('an id belongs to one session, and who takes it again is told', async ({ log }) => {
    const lease = await begun(log, 'one');
    await log.append(lease, [note('kept')]);
    await assert.rejects(log.create('one', 2), /There is a session one already/);
    await assert.rejects(log.create('one', 2, { id: 'one', entry: 0 }), /There is a session one already/);
    assert.deepEqual(await textsIn(log, 'one'), ['kept']);
  });

  run('sessions are listed page by page, the newest first, each once', async ({ log }) => {
    for (const at of [3, 1, 4, 1, 5, 9, 2, 6]) await log.create(`s${at}${(await log.list()).sessions.length}`, at);
    const all = (await log.list()).sessions.map(({ id }) => id);
    assert.deepEqual(
      all.map((id) => id[1]),
      ['9', '6', '5', '4', '3', '2', '1', '1'],
    );
    for (const limit of [1, 3, 8]) {
      const paged: string[] = [];
      for (
        let page = await log.list({ limit });
        ;
        page = await log.list({ limit, ...(page.next && { before: page.next }) })
      ) {
        paged.push(...page.sessions.map(({ id }) => id));
        if (!page.next) break;
      }
      assert.deepEqual(paged, all);
    }
    assert.deepEqual(
      (await log.find('s1')).map(({ id }) => id),
      all.filter((id) => id.startsWith('s1')).toSorted(),
    );
  });

  run('a list without a limit is a page of fifty', async ({ log }) => {
    for (let at = 0; at < 60; at++) await log.create(`s${at}`, at);
    const { sessions, next } = await log.list();
    assert.deepEqual([sessions.length, sessions[0]?.id, next?.id], [50, 's59', 's10']);
  });

  run('what rows change about their session is counted once', async ({ log }) => {
    const lease = await begun(log, 'one');
    const usage = { inputTokens: 3, outputTokens: 2, cost: 0.5 };
    await log.append(lease, [
      said('first words', asset(1)),
      { ...said('more words', asset(1), asset(2)), time: 2000 },
      { ...note('u'), time: 3000, change: { usage, model: 'm/a' } },
      { ...note('v'), time: 2500, change: { usage, model: 'm/b' } },
    ]);
    const [info] = await log.find('one');
    const told = { id: 'one', title: 'first words', model: 'm/b', created: 1, updated: 2500, messages: 2 };
    assert.deepEqual(info, { ...told, media: 2, mediaBytes: 20, inputTokens: 6, outputTokens: 4, cost: 1 });
    await log.append(later(lease, 4), [{ ...note('t'), change: { title: 'A name' } }, said('late words')]);
    assert.equal((await log.find('one'))[0]?.title, 'A name');
  });

  run('titles and models may hold half a character', async ({ log }) => {
    const lease = await begun(log, 'one');
    const odd = { ...note('n'), key: 'k', change: { title: 'A name \ud83d', model: 'm/\ud800a' } };
    const { ids } = await log.append(lease, [odd, { ...said('words'), change: { firstWords: '\udc00 words' } }]);
    const [info] = await log.find('one');
    assert.equal(info?.title?.toWellFormed(), 'A name \ufffd');
    assert.equal((await log.append(later(lease, 2), [odd])).ids[0], ids[0]);
  });

  run('a fork takes over the title and the model of its session', async ({ log }) => {
    const trunk = await begun(log, 'trunk');
    const named = { ...note('n'), change: { title: 'A name', model: 'm/a' } };
    const { ids } = await log.append(trunk, [said('first words'), named]);
    await log.create('branch', 2, { id: 'trunk', entry: ids[1] ?? 0 });
    const [info] = await log.find('branch');
    assert.deepEqual([info?.title, info?.model], ['A name', 'm/a']);
  });
}

/** Sessions that go, and what they leave to their forks. */
function removalsContract(run: RunTest): void {
  run('a session that was removed is gone for its lease too, and its id is free again', async ({ log }) => {
    const lease = await begun(log, 'one');
    await log.append(lease, [note('old')]);
    await log.remove(lease);
    await assert.rejects(log.append(later(lease, 1), [note('late')]), SightlineError);
    await assert.rejects(log.renew(lease), SightlineError);
    await assert.rejects(log.remove(lease), SightlineError);
    await log.release(lease);
    const again = await begun(log, 'one');
    await log.append(again, [note('new')]);
    assert.deepEqual(await textsIn(log, 'one'), ['new']);
  });

  run('the id of one that was removed is free again, also while forks read what it shared', async ({ log }) => {
    const trunk = await begun(log, 'trunk');
    const { ids } = await log.append(trunk, [said('a', asset(1)), said('b')]);
    await log.create('branch', 2, { id: 'trunk', entry: ids[0] ?? 0 });
    await log.remove(trunk);
    const again = await begun(log, 'trunk');
    await log.append(again, [said('c', asset(2))]);
    await log.once('trunk began');
    assert.deepEqual([...(await log.claims.reachable('trunk'))], [asset(2)]);
    const [branch] = await log.find('branch');
    assert.deepEqual(branch?.forkedFrom, { id: 'trunk', entry: ids[0] });
    await assert.rejects(log.create('trunk', 3), /There is a session trunk already/);
    const words = async (id: string): Promise<unknown> =>
      (await log.read(id)).map(({ body }) => /"text":"([^"]*)"/.exec(body)?.[1]);
    assert.deepEqual([await words('trunk'), await words('branch')], [['c'], ['a']]);
    await log.remove(await log.take('branch', holder)); // and with it what it shared
    assert.deepEqual([await words('trunk'), await log.once('trunk began')], [['c'], false]);
    assert.deepEqual(
      (await log.list()).sessions.map(({ id }) => id),
      ['trunk'],
    );
  });

  run('who waits for a session that is removed meanwhile is told', async ({ log }) => {
    const lease = await begun(log, 'trunk');
    const { ids } = await log.append(lease, [note('a')]);
    await log.create('branch', 2, { id: 'trunk', entry: ids[0] ?? 0 });
    const told = assert.rejects(log.take('trunk', holder, { waitMs: 60_000 }), /There is no session trunk/);
    await log.remove(lease);
    await told;
  });

  run('a fork shares the past up to an entry; removing a session leaves it to its forks', async ({ log }) => {
    const trunk = await begun(log, 'trunk');
    const { ids } = await log.append(trunk, [said('a', asset(1)), said('b'), said('secret zebra', asset(2))]);
    await log.create('branch', 2, { id: 'trunk', entry: ids[1] ?? 0 });
    const branch = await log.take('branch', holder);
    await log.append(branch, [said('c')]);
    await log.remove(trunk);
    assert.deepEqual(
      (await log.read('branch')).map(({ body }) => /"text":"([^"]*)"/.exec(body)?.[1]),
      ['a', 'b', 'c'],
    );
    assert.deepEqual([...(await log.claims.reachable('branch'))], [asset(1)]);
    assert.deepEqual(await log.search('zebra', { limit: 5 }), []);
    assert.deepEqual(
      (await log.list()).sessions.map(({ id, messages, forkedFrom }) => ({ id, messages, from: forkedFrom?.entry })),
      [{ id: 'branch', messages: 3, from: ids[1] }],
    );
    await assert.rejects(log.read('trunk'), /There is no session trunk/);
  });
}

/** Searching. */
function searchContract(run: RunTest): void {
  run('words are found page by page, the newest first', async ({ log }) => {
    const lease = await begun(log, 'one');
    const { ids } = await log.append(
      lease,
      Array.from({ length: 150 }, (_, at) => said(`pebble ${at} ${at % 50 === 0 ? '天気です' : ''}`)),
    );
    const found: number[] = [];
    for (;;) {
      const before = found.at(-1);
      const page = await log.search('pebb', { limit: 40, ...(before !== undefined && { before }) });
      if (page.length === 0) break;
      assert.ok(page.length <= 40 && page.every(({ session, excerpt }) => session.id === 'one' && excerpt !== ''));
      found.push(...page.map(({ entry }) => entry));
    }
    assert.deepEqual(found, ids.toReversed());
    assert.deepEqual(
      (await log.search('天気', { limit: 2 })).map(({ entry }) => entry),
      [ids[100], ids[50]],
    );
    assert.equal((await log.search('天気', { limit: 2, before: ids[50] ?? 0 })).length, 1);
  });

  run('all words have to be there, in any order and case; the last may be only begun', async ({ log }) => {
    const lease = await begun(log, 'one');
    const { ids } = await log.append(lease, [
      said('A blue kettle on the STOVE'),
      note('stove blue'),
      said('a blue Café'),
      said('the stoves are blueish'),
    ]);
    const found = async (words: string): Promise<number[]> =>
      (await log.search(words, { limit: 9 })).map(({ entry }) => ids.indexOf(entry));
    assert.deepEqual(await found('stove BLUE'), [1, 0]);
    assert.deepEqual(await found('blue sto'), [1, 0]);
    assert.deepEqual(await found('sto'), [3, 1, 0]);
    assert.deepEqual(await found('cafe'), [2]);
    assert.deepEqual(await found('blue green'), []);
    for (const nothing of ['', '  ', '"', '* OR NEAR', '%_']) assert.deepEqual(await found(nothing), []);
    const [hit] = await log.search('kettle', { limit: 1 });
    assert.match(hit?.excerpt ?? '', /kettle/);
  });

  run('words of every script are found, with and without their accents, also among many', async ({ log }) => {
    const lease = await begun(log, 'one');
    const texts = ['Это мой дом', 'Καλημέρα σας', '이 문서를 보세요', 'यह हिन्दी है', 'هذا أحمد', 'die Überweisung'];
    const { ids } = await log.append(
      lease,
      texts.map((text) => said(text)),
    );
    const found = async (words: string): Promise<string[]> =>
      (await log.search(words, { limit: 9 })).map(({ entry }) => texts[ids.indexOf(entry)] ?? 'another');
    const looked = ['мой дом', 'мои', 'ΚΑΛΗΜΈΡΑ', 'καλημερα', '문서', 'हिन्दी', 'أحمد', 'ÜBERWEISUNG', 'uberweis'];
    const all = async (): Promise<string[][]> => await Promise.all(looked.map(found));
    const [russian = '', greek = '', korean = '', hindi = '', arabic = '', german = ''] = texts;
    const wanted = [russian, russian, greek, greek, korean, hindi, arabic, german, german].map((text) => [text]);
    assert.deepEqual(await all(), wanted);
    const many = Array.from({ length: 150 }, (_, at) => note(`pebble ${at}`));
    await log.append(later(lease, texts.length), many);
    assert.deepEqual(await all(), wanted);
  });

  run('words of every session are found, and only so many', async ({ log }) => {
    const [one, two] = [await begun(log, 'one'), await begun(log, 'two')];
    await log.append(one, [said('a heron')]);
    await log.append(two, [said('two herons')]);
    await log.append(later(one, 1), [said('three herons')]);
    const sessions = (await log.search('heron', { limit: 9 })).map(({ session }) => session.id);
    assert.deepEqual(sessions, ['one', 'two', 'one']);
    assert.equal((await log.search('heron', { limit: 2 })).length, 2);
  });

  run('what was said in a removed session takes the place of no hit in another one', async ({ log }) => {
    const old = await begun(log, 'old');
    await log.append(old, [said('a heron 天気')]);
    const trunk = await begun(log, 'trunk');
    const { ids } = await log.append(
      trunk,
      Array.from({ length: 70 }, () => said('two herons 天気')),
    );
    await log.create('branch', 2, { id: 'trunk', entry: ids.at(-1) ?? 0 });
    await log.remove(trunk);
    for (const words of ['heron', '天気']) {
      const [hit] = await log.search(words, { limit: 1 });
      assert.equal(hit?.session.id, 'old');
    }
  });
}

/** Watching, asking once, closing and opening again. */
function lastingContract(run: RunTest): void {
  run('who watches a session that is not there is told', async ({ log }) => {
    const watching = async (): Promise<unknown> =>
      await log.watch('nobody', new AbortController().signal)[Symbol.asyncIterator]().next(); // told, not waited for
    await assert.rejects(watching, /There is no session nobody/);
  });

  run('who watches a session is woken by what is appended', async ({ log }) => {
    const lease = await begun(log, 'one');
    const stop = new AbortController();
    const watcher = log.watch('one', stop.signal)[Symbol.asyncIterator]();
    const woken = watcher.next();
    await log.append(lease, [note('a')]);
    assert.equal((await woken).done ?? false, false);
    stop.abort();
    for (let next = await watcher.next(); !next.done; next = await watcher.next());
  });

  run('once is true for the first who asks', async ({ log }) => {
    const all = await Promise.all([log.once('a'), log.once('a'), log.once('b'), log.once('a')]);
    assert.deepEqual([all.filter(Boolean).length, await log.once('a'), await log.once('c')], [2, false, true]);
  });

  run('what was claimed in a session goes with it, and with no other', async ({ log }) => {
    const [lease] = [await begun(log, 'one'), await begun(log, 'on')];
    const keys = ['one began', 'one', 'on began', 'onett began'];
    for (const key of keys) await log.once(key);
    await log.remove(lease);
    assert.deepEqual(await Promise.all(keys.map((key) => log.once(key))), [true, false, false, false]);
  });

  run('closing waits for appends, and twice is once', async ({ log }) => {
    const lease = await begun(log, 'one');
    const append = log.append(lease, [note('a')]);
    await Promise.all([log.close(), log.close()]);
    assert.equal((await append).ids.length, 1);
  });

  run('a closed log stores nothing more, and whoever watches it is let go', async ({ log }) => {
    const lease = await begun(log, 'one');
    const watcher = log.watch('one', AbortSignal.timeout(60_000))[Symbol.asyncIterator]();
    const woken = watcher.next();
    await new Promise((resolve) => setImmediate(resolve));
    await log.close();
    for (let next = await woken; !next.done; next = await watcher.next());
    await assert.rejects(log.append(lease, [note('late')]), SightlineError);
    await assert.rejects(log.create('two', 2), SightlineError);
    await assert.rejects(log.once('late'), SightlineError);
    await assert.rejects(log.claims.lease(leased(1)), SightlineError);
  });

  run('what was stored is there when the log is opened again', async ({ log, reopen }) => {
    if (!reopen) return;
    const lease = await begun(log, 'one');
    const { ids } = await log.append(lease, [said('a heron', asset(1)), { ...note('kept'), key: 'k' }]);
    await log.create('branch', 2, { id: 'one', entry: ids[0] ?? 0 });
    await log.claims.lease(leased(1));
    await log.claims.stored([asset(1)]);
    await log.once('first');
    const [before, listed] = [await log.read('one'), await log.list()];
    await log.close();
    const again = await reopen();
    try {
      assert.deepEqual([await again.read('one'), await again.list()], [before, listed]);
      assert.deepEqual(
        await textsIn(again, 'branch'),
        [before[0]?.body].map((body) => /"text":"([^"]*)"/.exec(body ?? '')?.[1]),
      );
      assert.equal((await again.search('heron', { limit: 9 })).length, 1);
      assert.deepEqual(await again.claims.missing([asset(1)]), new Set());
      assert.equal(await again.once('first'), false);
      await assert.rejects(again.append(later(lease, 2), [note('by the old lease')]), SightlineError);
      const next = await again.take('one', holder);
      assert.deepEqual([next.epoch > lease.epoch, next.next], [true, 2]);
      assert.deepEqual((await again.append(next, [{ ...note('twice'), key: 'k' }, note('more')])).ids[0], ids[1]);
      assert.equal((await again.read('one')).length, 3);
    } finally {
      await again.close();
    }
  });
}

const leased = (...seeds: number[]): { id: AssetId; size: number }[] =>
  seeds.map((seed) => ({ id: asset(seed), size: 10 }));

/** Longer than a test takes, for logs that go by a clock of their own. */
const minute = 60_000;

/** The half of the log that says who needs which asset. */
const all: IdleAssets = { idleMs: minute, limit: 100, renditions: false, without: [] };

/** What is collected now. */
async function collected({ log }: MadeLog, what: Partial<IdleAssets> = {}): Promise<AssetId[]> {
  const ids: AssetId[] = [];
  await log.claims.collect({ ...all, ...what }, async (batch) => void ids.push(...batch));
  return ids;
}

function descriptionsContract(run: RunTest): void {
  run('one of those who ask makes a description; it is kept, and goes with its picture', async (made) => {
    const { log, tick, reopen } = made;
    const { descriptions } = log;
    if (!descriptions) return; // a log may leave that to each process
    const [key, other] = [`${asset(1)} eyes 1`, `${asset(2)} eyes 1`];
    await log.claims.lease(leased(1, 2));
    const claims = await Promise.all([1, 2, 3].map(() => descriptions.claim(key)));
    assert.equal(claims.filter(Boolean).length, 1);
    assert.equal(await descriptions.find(key), undefined);
    await descriptions.free(key);
    assert.equal(await descriptions.claim(key), true);
    await descriptions.keep(key, 'A red square.');
    await descriptions.free(key); // what is there stays
    assert.deepEqual([await descriptions.claim(key), await descriptions.find(key)], [false, 'A red square.']);
    const lease = await begun(log, 'one');
    await log.append(lease, [said('see', asset(1))]);
    if (reopen) {
      await log.close();
      made.log = await reopen();
    }
    const again = made.log.descriptions;
    assert.equal(await again?.find(key), 'A red square.');
    assert.equal(await again?.claim(other), true);
    await again?.keep(other, 'A blue one.');
    await tick(2 * minute);
    await collected(made);
    assert.deepEqual([await again?.find(key), await again?.find(other)], ['A red square.', undefined]);
    if (made.log !== log) await made.log.close();
  });
}

function uploadsContract(run: RunTest): void {
  run(
    'one of those who ask uploads; what it got is kept until it is about to expire, or is taken back',
    async (made) => {
      const { log, reopen } = made;
      const { uploads } = log;
      if (!uploads) return; // a log may leave that to each process
      const now = 1_700_000_000_000;
      const row = (more: Partial<UploadRow> = {}): UploadRow => ({
        account: 'one',
        asset: asset(1),
        endpoint: 'anthropic',
        file: '',
        size: 10,
        created: now,
        expires: now + 60 * minute,
        state: 'sending',
        ...more,
      });
      const claims = await Promise.all([1, 2, 3].map(() => uploads.claim(row())));
      assert.equal(claims.filter(Boolean).length, 1);
      assert.deepEqual(await uploads.find('one', asset(1)), row());
      assert.equal(await uploads.claim(row({ created: now + minute })), false);
      assert.equal(await uploads.claim(row({ created: now + 2 * minute })), true);
      await uploads.drop('one', asset(1));
      assert.equal(await uploads.claim(row()), true);
      assert.equal(await uploads.claim(row({ account: 'two' })), true);
      const ready = row({ file: 'file_1', state: 'ready' });
      await uploads.keep(ready);
      assert.equal(await uploads.claim(row({ created: now + minute })), false);
      if (reopen) {
        await log.close();
        made.log = await reopen();
      }
      const again = made.log.uploads;
      assert.deepEqual(await again?.find('one', asset(1)), ready);
      assert.equal((await again?.rows())?.length, 2);
      assert.equal(await again?.claim(row({ created: now + 50 * minute, expires: now + 99 * minute })), true);
      await again?.drop('one', asset(1));
      assert.deepEqual([await again?.find('one', asset(1)), (await again?.rows())?.length], [undefined, 1]);
      if (made.log !== log) await made.log.close();
    },
  );
}

const answered: Ended = { state: 'answered', attempts: [] };

const request = (id: string, more: Partial<StoredRequest> = {}): StoredRequest => {
  const sent = {
    version: 1,
    id,
    time: 1000,
    via: 'send',
    model: 'openai/gpt-5.2',
    url: 'https://example.org',
    bytes: 2,
  };
  const kept = { conversation: 'talk', lane: 'main', purpose: 'answer', repairs: [], record: 'all', digest: id };
  const parts = { depth: 0, body: { head: { id } }, receipts: [], assets: [] };
  return { ...sent, ...kept, ...parts, ...more } as unknown as StoredRequest;
};

async function begin(requests: RequestTable, ...given: StoredRequest[]): Promise<void> {
  for (const { ended, ...one } of given) {
    await requests.begin(one);
    if (ended) await requests.end(one.id, ended);
  }
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

type RunRecorded = (name: string, work: (requests: RequestTable, made: MadeLog) => Promise<void>) => unknown;

/** What is kept of requests to providers. */
function requestsContract(run: RunTest): void {
  const recorded: RunRecorded = (name, work) =>
    run(name, async (made) => {
      if (made.log.requests) await work(made.log.requests, made); // a log may record none
    });
  recordsContract(recorded);
  recordsGoneContract(recorded);
  describedContract(recorded);
}

/** What is recorded is what is listed. */
function recordsContract(recorded: RunRecorded): void {
  recorded(
    'a request is kept when it begins and when it ends, with its answer where there is one',
    async (requests) => {
      const answer: AssistantMessage = { role: 'assistant', model: 'm', content: [] };
      await begin(requests, request('a'), request('b'), request('c', { conversation: 'other' }));
      await requests.end('b', { ...answered, cost: 2, answer });
      await requests.end('nobody', answered);
      const { depth: _depth, body: _body, receipts: _receipts, assets: _assets, ...row } = request('a');
      const ended = { ...answered, cost: 2 };
      assert.deepEqual(await requests.list('talk'), [row, { ...row, id: 'b', digest: 'b', ended }]);
      assert.deepEqual(await requests.chain('a'), [request('a')]);
      assert.deepEqual(await requests.chain('b'), [request('b', { ended, answer })]);
    },
  );

  recorded('a request that is begun again under its id stays the first', async (requests) => {
    const first = request('a', { assets: [asset(1)] });
    await begin(requests, first, request('a', { conversation: 'other', time: 9, assets: [asset(2)] }));
    assert.deepEqual(await requests.chain('a'), [first]);
    assert.deepEqual([idsOf(await requests.list('talk')), await requests.list('other')], [['a'], []]);
  });

  recorded('conversations of one millisecond are listed by their last request', async (requests) => {
    for (const [at, conversation] of ['one', 'two', 'three', 'one'].entries())
      await requests.begin(request(String(at), { conversation, time: 5 }));
    const names = (await requests.conversations()).map((row) => row.conversation);
    assert.deepEqual(names, ['one', 'three', 'two']);
  });

  recorded('conversations are listed page by page, the newest first', async (requests) => {
    for (const [conversation, time] of [
      ['old', 3],
      ['new', 5],
      ['new', 9],
      ['new', 7],
      ['middle', 6],
    ] as const)
      // prettier-ignore
      await requests.begin(request(`${conversation}${time}`, { conversation, time }));
    const listed = async (page?: { limit?: number; before?: number }): Promise<unknown[]> =>
      (await requests.conversations(page)).map((row) => [row.conversation, row.requests, row.began, row.updated]);
    const rows = [['new', 3, 5, 9], ['middle', 1, 6, 6], ['old', 1, 3, 3]]; // prettier-ignore
    assert.deepEqual(await listed(), rows);
    assert.deepEqual(await listed({ limit: 2 }), rows.slice(0, 2));
    assert.deepEqual(await listed({ limit: 2, before: 6 }), rows.slice(2));
    const sizes = (await requests.sizes()).map(({ id, time, bytes }) => [id, time, bytes > 0]);
    assert.deepEqual(sizes[1], ['new5', 5, true]);
    assert.equal(sizes.length, 5);
  });

  recorded(
    'a chain goes back to the request that stands alone, and the last is the newest answer',
    async (requests) => {
      const ended = answered;
      await begin(
        requests,
        request('earlier', { ended }),
        request('whole', { before: 'earlier', ended }),
        request('one', { depth: 1, before: 'whole', ended }),
        request('two', { depth: 2, before: 'one', ended }),
        request('torn', { depth: 1, before: 'gone', ended: { ...ended, state: 'broken' } }),
        request('open', { depth: 3, before: 'two' }),
        request('summary', { purpose: 'summary', ended }),
        request('aside', { lane: 'aside', ended }),
        request('elsewhere', { conversation: 'other', ended }),
      );
      const chain = async (id: string): Promise<string[]> => idsOf(await requests.chain(id));
      assert.deepEqual(await chain('two'), ['whole', 'one', 'two']);
      assert.deepEqual([await chain('whole'), await chain('torn')], [['whole'], ['torn']]);
      assert.deepEqual(await chain('nobody'), []);
      assert.deepEqual([await requests.last('talk', 'main'), await requests.last('talk', 'aside')], ['two', 'aside']);
      assert.equal(await requests.last('talk', 'nowhere'), undefined);
      const before = (await requests.sizes()).flatMap((one) => ('before' in one ? [[one.id, one.before]] : []));
      assert.deepEqual(before, [['one', 'whole'], ['two', 'one'], ['torn', 'gone'], ['open', 'two']]); // prettier-ignore
    },
  );
}

/** What goes, and who is told. */
function recordsGoneContract(recorded: RunRecorded): void {
  recorded(
    'requests are written anew and taken away, those of a session with it',
    async (requests, { log, reopen }) => {
      const lease = await begun(log, 'talk');
      await begun(log, 'other');
      const elsewhere = ['d', 'e'].map((id) => request(id, { conversation: 'other' }));
      const delta = { depth: 1, before: 'a' };
      await begin(
        requests,
        request('a'),
        request('b', { ...delta, ended: answered }),
        request('c', delta),
        ...elsewhere,
      );
      const alone = request('b', { body: { head: { all: 'of it' } }, ended: answered });
      await requests.rewrite([alone], ['a', 'e', 'nobody']);
      assert.deepEqual(await requests.chain('b'), [alone]);
      assert.deepEqual([idsOf(await requests.list('talk')), idsOf(await requests.list('other'))], [['b', 'c'], ['d']]);
      await log.remove(lease);
      assert.deepEqual([await requests.list('talk'), idsOf(await requests.list('other'))], [[], ['d']]);
      if (reopen) {
        await log.close();
        const again = await reopen();
        assert.deepEqual(idsOf((await again.requests?.sizes()) ?? []), ['d']);
        await again.requests?.forget('other');
        assert.deepEqual(await again.requests?.sizes(), []);
        await again.close();
        return;
      }
      await requests.forget('nobody');
      await requests.forget('other');
      assert.deepEqual(await requests.sizes(), []);
    },
  );

  recorded('what ended or went while it was written anew stays so', async (requests) => {
    await begin(requests, request('a'), request('b', { conversation: 'other' }));
    const read = ['a', 'b'].map((id) => request(id, { body: { head: { all: 'of it' } } }));
    await requests.end('a', answered);
    await requests.forget('other');
    await requests.rewrite(read, []);
    assert.deepEqual(await requests.chain('a'), [{ ...read[0], ended: answered }]);
    assert.deepEqual([await requests.chain('b'), idsOf(await requests.sizes())], [[], ['a']]);
  });

  recorded('what is written anew keeps its place', async (requests, { log, reopen }) => {
    const ended = answered;
    await begin(requests, request('a', { ended }), request('b', { ended }), request('c', { ended }));
    await requests.rewrite([request('b', { ended })], ['a']);
    if (reopen) await log.close();
    const again = reopen ? await reopen() : log;
    assert.deepEqual(idsOf((await again.requests?.list('talk')) ?? []), ['b', 'c']);
    assert.equal(await again.requests?.last('talk', 'main'), 'c');
    await again.close();
  });

  recorded('media that a record names are not collected before it goes', async (requests, made) => {
    const { log, tick } = made;
    await log.claims.lease(leased(1, 2, 3));
    await begin(
      requests,
      request('a', { assets: [asset(1)] }),
      request('b', { conversation: 'other', assets: [asset(2)] }),
    );
    await tick(2 * minute);
    assert.deepEqual(await collected(made), [asset(3)]);
    assert.deepEqual(await collected(made, { without: ['other'] }), [asset(2)]);
    await requests.rewrite([request('a', { assets: [asset(4)] })], []);
    assert.deepEqual(await collected(made), [asset(1)]);
    await log.claims.lease(leased(4));
    await tick(2 * minute);
    assert.deepEqual(await collected(made), []);
    await requests.forget('talk');
    assert.deepEqual(await collected(made), [asset(4)]);
  });

  recorded('who watches requests is woken by one that begins and by one that ends', async (requests) => {
    const stop = new AbortController();
    const watcher = requests.watch(stop.signal)[Symbol.asyncIterator]();
    for (const change of [() => requests.begin(request('a')), () => requests.end('a', answered)]) {
      const woken = watcher.next();
      await new Promise((resolve) => setImmediate(resolve));
      await change();
      assert.equal((await woken).done ?? false, false);
    }
    stop.abort();
    for (let next = await watcher.next(); !next.done; next = await watcher.next());
  });

  const gone = 'who watches requests is woken when they are taken away';
  for (const way of ['by themselves', 'with their sessions'] as const)
    recorded(`${gone}, ${way}`, async (requests, { log }) => {
      const leases = [await begun(log, 'one'), await begun(log, 'two')];
      for (const { session } of leases) await requests.begin(request(session, { conversation: session }));
      const stop = new AbortController();
      const watcher = requests.watch(stop.signal)[Symbol.asyncIterator]();
      let woken = watcher.next();
      const look = async (conversation: string): Promise<void> => {
        for (; (await requests.list(conversation)).length > 0; woken = watcher.next()) await woken;
      };
      for (const lease of leases) {
        const seen = look(lease.session);
        await new Promise((resolve) => setImmediate(resolve));
        await (way === 'by themselves' ? requests.forget(lease.session) : log.remove(lease));
        await seen;
      }
      stop.abort();
    });
}

/** What was said of pictures that records name. */
function describedContract(recorded: RunRecorded): void {
  for (const way of ['forgotten', 'taken away'] as const)
    recorded(
      `what was said of a picture goes with the last request that names it, ${way}`,
      async (requests, { log }) => {
        const { descriptions } = log;
        if (!descriptions) return;
        const named = { assets: [asset(1)] };
        await log.claims.lease(leased(1, 2));
        await begin(requests, request('a', named), request('b', { ...named, conversation: 'other' }));
        const keys = [1, 2].map((number) => `${asset(number)} eyes`);
        for (const key of keys) {
          await descriptions.claim(key);
          await descriptions.keep(key, 'A red square.');
        }
        const isKept = (): Promise<boolean[]> =>
          Promise.all(keys.map(async (key) => (await descriptions.find(key)) !== undefined));
        await (way === 'forgotten' ? requests.forget('talk') : requests.rewrite([], ['a']));
        await requests.rewrite([request('b', { ...named, conversation: 'other' })], []);
        assert.deepEqual(await isKept(), [true, true]);
        await (way === 'forgotten' ? requests.forget('other') : requests.rewrite([], ['b']));
        assert.deepEqual(await isKept(), [false, true]); // no request named the other one
      },
    );
}

function claimsContract(run: RunTest): void {
  run('what was put and never told to be stored is missing', async ({ log: { claims } }) => {
    await claims.lease(leased(1, 2));
    await claims.stored([asset(2), asset(9)]);
    assert.deepEqual(await claims.missing([asset(1), asset(2), asset(9)]), new Set([asset(1), asset(9)]));
    assert.equal(await claims.bytes(), 10);
    await claims.lease(leased(2));
    assert.deepEqual(await claims.missing([asset(2)]), new Set());
  });

  run('a session reaches what it put and what it names, and nothing else', async ({ log }) => {
    const [one, two] = [await begun(log, 'one'), await begun(log, 'two')];
    await log.claims.lease(leased(1), 'one');
    await log.claims.lease(leased(2));
    await log.append(one, [said('see', asset(3)), { ...note('l'), refers: [{ id: asset(4), size: 0, by: 'ledger' }] }]);
    await log.append(two, [said('see', asset(3), asset(5))]);
    assert.deepEqual(await log.claims.reachable('one'), new Set([asset(1), asset(3), asset(4)]));
    assert.deepEqual(
      await log.claims.named([asset(1), asset(3), asset(4), asset(5)], []),
      new Set([asset(3), asset(5)]),
    );
    assert.deepEqual(await log.claims.named([asset(3), asset(5)], ['two']), new Set([asset(3)]));
    const needed = await log.claims.needed([1, 2, 3, 4, 5, 6].map(asset));
    assert.deepEqual(needed, new Set([1, 3, 4, 5].map(asset)));
    assert.equal(one.epoch > 0, true);
  });

  run('only what nobody needs and nobody put lately is collected, the oldest first', async (made) => {
    const { log, tick } = made;
    const lease = await begun(log, 'one');
    await log.claims.lease(leased(1));
    await tick(10);
    await log.claims.lease(leased(2));
    await log.claims.lease(leased(3), 'one');
    await log.claims.lease(leased(4));
    await log.append(lease, [
      said('see', asset(4)),
      { ...note('l'), refers: [{ id: asset(5), size: 0, by: 'ledger' }] },
    ]);
    assert.deepEqual(await collected(made), []);
    await tick(2 * minute);
    await log.claims.lease(leased(6));
    assert.deepEqual(await collected(made, { limit: 1 }), [asset(1)]);
    assert.deepEqual(await collected(made), [asset(2)]);
    assert.deepEqual(await collected(made), []);
    assert.deepEqual(await collected(made, { renditions: true }), [asset(3)]);
    assert.deepEqual(await collected(made, { without: ['one'] }), [asset(4)]);
    await tick(2 * minute);
    assert.deepEqual(await collected(made), [asset(6)]);
    assert.deepEqual(await log.claims.reachable('one'), new Set([asset(5)]));
  });

  run('of some that are given, only those that nobody else needs are collected', async (made) => {
    const { log, tick } = made;
    const [one, two] = [await begun(log, 'one'), await begun(log, 'two')];
    await log.claims.lease(leased(1, 2, 3, 4), 'one');
    await log.append(one, [said('see', asset(1), asset(2))]);
    await log.append(two, [said('see', asset(2))]);
    await log.claims.lease(leased(5));
    await tick(2 * minute);
    await log.claims.lease(leased(4));
    const among = [1, 2, 3, 4, 6].map(asset);
    assert.deepEqual(await collected(made, { among }), []);
    await log.remove(one);
    assert.deepEqual(await collected(made, { among, limit: 1 }), [asset(1)]);
    assert.deepEqual(await collected(made, { among }), [asset(3)]);
    assert.deepEqual(await collected(made, { among: [] }), []);
    assert.deepEqual(await collected(made), [asset(5)]);
    await log.release(two);
  });

  run('what could not be removed is not forgotten', async (made) => {
    const { log, tick } = made;
    await log.claims.lease(leased(1));
    await log.claims.stored([asset(1)]);
    await tick(2 * minute);
    await assert.rejects(
      log.claims.collect(all, async () => {
        throw new Error('a disk');
      }),
      /a disk/,
    );
    assert.equal(await log.claims.bytes(), 10);
    const { removed, bytes } = await log.claims.collect(all, async () => undefined);
    assert.deepEqual([removed, bytes, await log.claims.bytes()], [1, 10, 0]);
  });

  run('nobody puts or names what is just being removed', async ({ log, tick }) => {
    const lease = await begun(log, 'one');
    await log.claims.lease(leased(1, 2));
    await log.claims.stored([asset(1), asset(2)]);
    await tick(2 * minute);
    const order: string[] = [];
    const behind: Promise<unknown>[] = [];
    const collecting = log.claims.collect(all, async () => {
      const put = log.claims.lease(leased(1)).then(() => order.push('put'));
      const named = log.append(lease, [said('see', asset(2))]).then(({ gone }) => order.push(`gone ${gone.length}`));
      behind.push(put, named);
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      order.push('removed');
    });
    await collecting;
    await Promise.all(behind);
    assert.deepEqual([order[0], order.slice(1).toSorted()], ['removed', ['gone 1', 'put']]);
    assert.deepEqual(await log.claims.missing([asset(1)]), new Set([asset(1)]));
  });
}
