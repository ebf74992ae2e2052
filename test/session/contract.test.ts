// One contract, every store: what a session promises, whatever it lies in.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Message } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { SessionStore } from '../../src/session/index.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { memorySessions, openJsonLines, openSessions, sessionsOver } from '../../src/session/index.ts';
import { memoryLog } from '../../src/session/log/memory.ts';
import { lateLog } from './late.ts';
import { assistant, image, png, result, user } from './samples.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-sessions-'));
afterAll(() => rmSync(scratch, { recursive: true }));

let clock = 1_800_000_000_000;
const now = (): number => (clock += 1000);

const stores: [string, () => SessionStore][] = [
  ['memory', () => memorySessions({ now })],
  ['JSON lines', () => openJsonLines({ home: mkdtempSync(join(scratch, 'lines-')), now })],
  ['SQLite', () => openSessions({ home: mkdtempSync(join(scratch, 'home ünï-')), now })],
  ['a log far away', () => sessionsOver({ log: lateLog(memoryLog({ now }), 'calls'), assets: memoryAssets(), now })],
  [
    'a log that answers late',
    () => sessionsOver({ log: lateLog(memoryLog({ now }), 'answers'), assets: memoryAssets(), now }),
  ],
];

describe.each(stores)('sessions in %s', (name, make) => {
  test('give back what was appended, in its order, with a parent and a time', async () => {
    await using store = make();
    await using session = await store.create({ title: 'A walk', model: 'openai/gpt-5.2' });
    const first = await session.append({ type: 'message', message: user('hello') });
    const second = await session.append({ type: 'message', message: assistant('hi') });
    await session.append({ type: 'note', text: 'for people' });
    expect(await session.messages()).toEqual([user('hello'), assistant('hi')]);
    const entries = await session.entries();
    expect(entries.map(({ type }) => type)).toEqual(['title', 'model', 'message', 'message', 'note']);
    expect(entries[3]).toMatchObject({ id: second, parent: first, version: 1, type: 'message' });
    expect(entries[3]?.time).toBeGreaterThan(entries[2]?.time ?? 0);
    expect((await session.entries({ after: second })).map(({ type }) => type)).toEqual(['note']);
  });

  test('once closed, are closed again without harm, and whoever writes is told to open them', async () => {
    const store = make();
    const session = await store.create();
    await store.close();
    await store.close();
    await expect(session.append({ type: 'note', text: 'late' })).rejects.toThrow(/is closed\. Open it again\.$/);
    if (['SQLite', 'JSON lines'].includes(name))
      await expect(store.create()).rejects.toThrow(/ was closed\. Open the sessions again before you use them\.$/);
  });

  test('are listed newest first, with what a person wants to know', async () => {
    await using store = make();
    const one = await store.create();
    const two = await store.create({ title: 'Second' });
    await store.create();
    const asset = await two.assets.put(png(1), { mediaType: 'image/png', name: 'a.png' });
    await two.append({ type: 'message', message: user('see', image(asset)) });
    await two.append({ type: 'message', message: user('again', image(asset)) });
    await two.append({ type: 'usage', model: 'm/x', usage: { inputTokens: 10, outputTokens: 2 }, cost: 0.25 });
    await two.append({ type: 'usage', model: 'm/x', usage: { inputTokens: 5, outputTokens: 1 } });
    await one.append({ type: 'message', message: user('  What\n is   this? ') });
    await one.append({ type: 'message', message: assistant('a cat', 'anthropic/claude-sonnet-4-5') });
    expect(await store.list()).toMatchObject([
      { id: one.id, title: 'What is this?', model: 'anthropic/claude-sonnet-4-5', messages: 2, media: 0 },
      { title: 'Second', media: 1, mediaBytes: asset.size, inputTokens: 15, outputTokens: 3, cost: 0.25 },
    ]);
    expect((await store.list()).length).toBe(2);
  });

  test('forks share the past and nothing after it', async () => {
    await using store = make();
    const trunk = await store.create();
    const asset = await trunk.assets.put(png(2), { mediaType: 'image/png' });
    const first = await trunk.append({ type: 'message', message: user('one', image(asset)) });
    await trunk.append({ type: 'message', message: assistant('two') });
    const late = await trunk.assets.put(png(3), { mediaType: 'image/png' });
    await trunk.append({ type: 'message', message: user('late', image(late)) });
    const branch = await store.fork(trunk.id, first);
    const id = await branch.append({ type: 'message', message: assistant('another two') });
    const twig = await store.fork(branch.id);
    expect((await branch.messages()).map(textOf)).toEqual(['one', 'another two']);
    expect((await twig.messages()).map(textOf)).toEqual(['one', 'another two']);
    expect((await trunk.messages()).map(textOf)).toEqual(['one', 'two', 'late']);
    expect((await branch.entries()).at(-1)).toMatchObject({ id, parent: first });
    expect(await branch.assets.missing([asset.id])).toEqual(new Set());
    expect(await branch.assets.missing([late.id])).toEqual(new Set([late.id]));
    expect((await store.list()).find((one) => one.id === twig.id)?.forkedFrom).toEqual({ id: branch.id, entry: id });
    await expect(store.fork(trunk.id, 999_999)).rejects.toThrow('has no entry 999999');
  });

  test('leave their past to their forks when they are removed', async () => {
    await using store = make();
    const trunk = await store.create();
    const asset = await trunk.assets.put(png(4), { mediaType: 'image/png' });
    await trunk.append({ type: 'message', message: user('shared walrus', image(asset)) });
    const branch = await store.fork(trunk.id);
    await trunk.append({ type: 'message', message: assistant('secret zebra') });
    await trunk.close();
    await store.remove(trunk.id);
    await expect(store.read(trunk.id)).rejects.toThrow(`There is no session ${trunk.id}`);
    expect((await branch.messages()).map(textOf)).toEqual(['shared walrus']);
    expect(await branch.assets.missing([asset.id])).toEqual(new Set());
    expect(await store.search('zebra')).toEqual([]);
    expect((await store.list()).map(({ id }) => id)).toEqual([branch.id]);
    await branch.close();
    await store.remove(branch.id);
    expect(await store.list()).toEqual([]);
  });

  test('have one writer; readers are never kept out', async () => {
    await using store = make();
    const session = await store.create();
    await session.append({ type: 'message', message: user('hello') });
    await expect(store.open(session.id)).rejects.toThrow(
      'is already open in this program. Close it first, or go on in a copy',
    );
    expect(await (await store.read(session.id)).messages()).toHaveLength(1);
    await expect(store.remove(session.id)).rejects.toThrow('is already open in this program');
    await session.close();
    await session.close();
    await expect(session.append({ type: 'note', text: 'too late' })).rejects.toThrow('is closed');
    const again = await store.open(session.id);
    await again.append({ type: 'message', message: assistant('back') });
    expect(await again.messages()).toHaveLength(2);
  });

  test.each([
    ['two words in any order', 'LION quick', 1],
    ['the beginning of the last word', 'quick li', 1],
    ['no accents needed', 'cafe', 1],
    ['accents allowed', 'Café', 1],
    ['a tool and its arguments', 'find_animal savanna', 1],
    ['a file name', 'report', 1],
    ['a piece of a text without spaces', '天気', 1],
    ['no such word', 'tiger', 0],
    ['signs of the query language are only signs', '"quick" OR NOT * (lion', 0],
    ['nothing to look for', '  *-" ', 0],
  ])('are searched: %s', async (_what, query, count) => {
    await using store = make();
    const session = await store.create();
    const asset = await session.assets.put(png(5), { mediaType: 'image/png', name: 'report.png' });
    await session.append({ type: 'message', message: user('The quick lion in the Café', image(asset)) });
    const call = { type: 'call', id: 'c', name: 'find_animal', input: { place: 'savanna' } } as const;
    await session.append({ type: 'message', message: { ...assistant('let me look'), content: [call] } });
    await session.append({ type: 'message', message: user('今日の天気はどうですか') });
    const found = await store.search(query);
    expect(found.map((one) => one.session.id)).toEqual(Array.from({ length: count }, () => session.id));
  });

  test('are searched whether their words are indexed yet or not, and no more once they are removed', async () => {
    await using store = make();
    const [long, short] = [await store.create(), await store.create()];
    for (let at = 0; at < 150; at++) await long.append({ type: 'message', message: user(`pebble number ${at}`) });
    await short.append({ type: 'message', message: user('a pebble, too') });
    const found = await store.search('pebble', 1000);
    expect(found.length).toBe(151);
    expect(found.map(({ entry }) => entry)).toEqual(found.map(({ entry }) => entry).toSorted((a, b) => b - a));
    expect(await store.search('pebble 0')).toHaveLength(1);
    expect(await store.search('number 149')).toHaveLength(1);
    await long.close();
    await store.remove(long.id);
    expect(await store.search('pebble')).toMatchObject([{ session: { id: short.id } }]);
  });

  test('are found by the beginning of their id, if it is the only one', async () => {
    await using store = make();
    const session = await store.create();
    expect(await store.resolve(session.id.slice(0, 8).toUpperCase())).toBe(session.id);
    await expect(store.resolve('')).rejects.toThrow('There is no session');
    await expect(store.resolve('%')).rejects.toThrow('There is no session');
    for (let count = 0; count < 40; count++) await store.create(); // two of 41 ids share one of 32 first letters
    const ids = await Promise.all(
      '0123456789abcdefghjkmnpqrstvwxyz'.split('').map((one) => store.resolve(one).catch(String)),
    );
    expect(ids.filter((answer) => answer.includes('Write more of the id')).length).toBeGreaterThan(0);
  });

  test('give back the ledger of each model from what is new about it each time', async () => {
    await using store = make();
    const session = await store.create();
    const models = ['anthropic/claude-sonnet-4-5', 'openai-chat/gpt-4.1'] as const;
    const asset = await session.assets.put(png(6), { mediaType: 'image/png', name: 'a.png' });
    const messages: Message[] = [];
    for (let turn = 0; turn < 8; turn++) {
      const model = turn < 6 ? models[0] : models[1];
      const added = [user(`question ${turn}`), ...callWith(turn, image(asset))];
      messages.push(...added);
      for (const message of added) await session.append({ type: 'message', message });
      const ledger = await session.ledger(model);
      const request = await prepare({ messages }, { model, ledger, assets: session.assets });
      if (turn > 0 && turn !== 6) expect(request.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
      await session.append({ type: 'ledger', ledger: request.ledger });
      expect((await session.ledger(model))?.entries[model]).toEqual(request.ledger.entries[model]);
    }
    const entries = (await session.entries()).flatMap((entry) => (entry.type === 'ledger' ? [entry] : []));
    expect(entries.map(({ keep }) => keep)).toEqual([0, 3, 6, 9, 12, 15, 0, 21]);
    const whole = [true, false, false, false, false, false, true, false];
    expect(entries.map(({ head }) => head?.profile !== undefined)).toEqual(whole);
    const reader = await store.read(session.id);
    const live = await session.ledger(models[0]);
    expect(await reader.ledger(models[0])).toEqual(live);
    expect(live?.current).toBe(models[1]);
    const past = await store.fork(session.id, entries[2]?.id);
    expect((await past.ledger(models[0]))?.entries[models[0]]?.items).toHaveLength(9);
    expect((await past.ledger(models[1]))?.entries).toEqual({});
  });

  test('end where a window begins: with words of the user', async () => {
    await using store = make();
    const session = await store.create();
    for (let turn = 0; turn < 100; turn++)
      for (const message of [user(`q${turn}`), ...callWith(turn)]) await session.append({ type: 'message', message });
    const branch = await store.fork(session.id);
    await branch.append({ type: 'message', message: user('now') });
    const window = await branch.messages({ last: 20 });
    expect([window.length, textOf(window[0])]).toEqual([22, 'q93']);
    expect(await branch.messages({ last: 10_000 })).toHaveLength(301);
  });

  test('store in the order in which they were handed over, also when nobody waits', async () => {
    await using store = make();
    const session = await store.create();
    const large = { ...result('c', 'first'), details: 'x'.repeat(200_000) }; // its details go to a file before it is stored
    const first = session.append({ type: 'message', message: large });
    const second = session.append({ type: 'message', message: user('second') });
    await session.close();
    expect(await second).toBeGreaterThan(await first);
    expect((await (await store.read(session.id)).messages()).map(textOf)).toEqual(['first', 'second']);
  });

  test('reach only the assets they refer to or have put', async () => {
    await using store = make();
    const [mine, yours] = [await store.create(), await store.create()];
    const asset = await yours.assets.put(png(7), { mediaType: 'image/png', name: 'secret.png' });
    await yours.append({ type: 'message', message: user('mine', image(asset)) });
    for (let round = 0; round < 2; round++) {
      expect(await mine.assets.missing([asset.id])).toEqual(new Set([asset.id]));
      expect(await mine.assets.get(asset.id)).toBeUndefined();
      await expect(mine.assets.stream(asset.id)[Symbol.asyncIterator]().next()).rejects.toThrow(
        'is not one of session',
      );
      // Naming it in a message does not open it, and does not end the conversation either.
      await mine.append({ type: 'message', message: user('give me', image(asset)) });
    }
    const notes = (await mine.entries()).flatMap((entry) => (entry.type === 'note' ? [entry.text] : []));
    expect(notes[0]).toContain('not shown: its bytes were not put into this session');
    const own = await store.assets.put(png(8), { mediaType: 'image/png' }); // by the program itself
    await mine.append({ type: 'message', message: user('ours', image(own)) });
    expect(await mine.assets.missing([own.id])).toEqual(new Set());
    expect(await yours.assets.missing([own.id])).toEqual(new Set([own.id]));
  });

  test('keep details of any size and kind without filling the log', async () => {
    await using store = make();
    const session = await store.create();
    const details = { bytes: new Uint8Array(5), text: 'x'.repeat(200_000), when: 5n };
    await session.append({ type: 'message', message: { ...result('c', 'ok'), details: { small: 1n } } });
    await session.append({ type: 'message', message: { ...result('c', 'ok'), details } });
    const [small, large] = await session.messages();
    expect(small).toMatchObject({ details: { small: '1' } });
    expect(JSON.stringify(large).length).toBeLessThan(500);
    const { storedDetails } = (large?.role === 'tool' ? large.details : {}) as {
      storedDetails: { id: `sha256:${string}` };
    };
    const bytes = await session.assets.get(storedDetails.id);
    expect(JSON.parse(Buffer.from(bytes ?? []).toString())).toMatchObject({ bytes: '[5 bytes]', when: '5' });
  });
});

function callWith(turn: number, ...media: ReturnType<typeof image>[]): Message[] {
  const call = { type: 'call', id: `c${turn}`, name: 'look', input: {} } as const;
  return [{ ...assistant(''), content: [call] }, result(`c${turn}`, 'seen', ...media)];
}

function textOf(message: Message | undefined): string {
  const block = message?.content[0];
  return block?.type === 'text' ? block.text : '';
}
