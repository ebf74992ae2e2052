// Sessions in lines of JSON, as a file: opened again, torn, damaged, in use, and after a removal.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Session } from '../../src/session/index.ts';
import { openJsonLines } from '../../src/session/index.ts';
import { image, png, user } from './samples.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-lines-'));
const newHome = (): string => mkdtempSync(join(scratch, 'home-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const fileOf = (home: string): string => join(home, 'sessions.jsonl');

async function say(session: Session, text: string): Promise<number> {
  return await session.append({ type: 'message', message: user(text) });
}

async function textsOf(home: string, id: string): Promise<string[]> {
  await using store = openJsonLines({ home, readOnly: true });
  const messages = await (await store.read(id)).messages();
  return messages.map(({ content: [first] }) => (first?.type === 'text' ? first.text : ''));
}

test('what was stored is there when it is opened again, ids, forks, references and all', async () => {
  const home = newHome();
  const first = openJsonLines({ home });
  const trunk = await first.create({ title: 'A walk', model: 'openai/gpt-5.2' });
  const asset = await trunk.assets.put(png(1), { mediaType: 'image/png' });
  const shared = await trunk.append({ type: 'message', message: user('see', image(asset)) });
  await say(trunk, 'late');
  const branch = await first.fork(trunk.id, shared);
  await say(branch, 'beside it');
  const before = [await first.list(), await trunk.entries(), await branch.entries()];
  await first.close();
  await using again = openJsonLines({ home, leaseMs: 0 });
  const [reader, other] = [await again.read(trunk.id), await again.open(branch.id)];
  expect([await again.list(), await reader.entries(), await other.entries()]).toEqual(before);
  await again.gc();
  expect(await other.assets.missing([asset.id])).toEqual(new Set());
  expect(await say(other, 'and on')).toBeGreaterThan((await reader.entries()).at(-1)?.id ?? 0);
});

test('a torn last line is cut off, a damaged one is passed over and kept', async () => {
  const home = newHome();
  const store = openJsonLines({ home });
  const session = await store.create();
  for (const text of ['one', 'two', 'three']) await say(session, text);
  await store.close();
  const whole = readFileSync(fileOf(home), 'utf8');
  const damaged = whole.replace('"append"', '"append'); // the first of them
  writeFileSync(fileOf(home), Buffer.concat([Buffer.from(damaged), Buffer.from([0xff, 0x5b, 0x22])]));
  expect(await textsOf(home, session.id)).toEqual(['two', 'three']); // looking changes nothing
  expect(readFileSync(fileOf(home)).at(-1)).toBe(0x22);
  const again = openJsonLines({ home });
  await say(await again.open(session.id), 'four');
  await again.close();
  expect(await textsOf(home, session.id)).toEqual(['two', 'three', 'four']);
  expect(readFileSync(fileOf(home), 'utf8').startsWith(damaged)).toBe(true);
});

test('a session that is removed takes its words along, but for what a fork shares', async () => {
  const home = newHome();
  const store = openJsonLines({ home });
  const [trunk, lonely] = [await store.create(), await store.create()];
  const shared = await say(trunk, 'shared walrus');
  await say(trunk, 'secret penguin');
  await trunk.append({ type: 'title', title: 'Animals' });
  await say(lonely, 'secret ostrich');
  const branch = await store.fork(trunk.id, shared);
  await trunk.close();
  await lonely.close();
  await store.remove(trunk.id);
  await store.remove(lonely.id);
  await say(branch, 'and on');
  await store.close();
  const words = readFileSync(fileOf(home), 'utf8');
  expect(['walrus', 'penguin', 'ostrich'].map((word) => words.includes(word))).toEqual([true, false, false]);
  expect(await textsOf(home, branch.id)).toEqual(['shared walrus', 'and on']);
  await using again = openJsonLines({ home });
  expect(await again.list()).toMatchObject([{ id: branch.id, title: 'Animals', messages: 2 }]);
  expect(readFileSync(fileOf(home), 'utf8').split('\n')).toHaveLength(words.split('\n').length);
});

test('one process at a time; what it had acknowledged when it was killed is there', async () => {
  const home = newHome();
  const store = openJsonLines({ home });
  const { id } = await store.create({ title: 't' });
  expect(() => openJsonLines({ home })).toThrow('is already open in this program');
  await store.close();
  const writer = fileURLToPath(new URL('writer.ts', import.meta.url));
  const child = spawn(process.execPath, [writer, home, id, '0', 'lines'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
  await expect.poll(() => told.split('\n').length).toBeGreaterThan(5);
  expect(() => openJsonLines({ home })).toThrow(`is open in process ${child.pid}`);
  child.kill('SIGKILL');
  await once(child, 'close');
  const acknowledged = told.split('\n').slice(0, -1);
  expect((await textsOf(home, id)).slice(0, acknowledged.length)).toEqual(acknowledged.map((_, at) => `number ${at}`));
  const again = openJsonLines({ home });
  expect(await (await again.open(id)).losses()).toEqual([]);
  await again.close();
  expect(existsSync(`${fileOf(home)}.lock`)).toBe(false);
});

test('of several processes that find the lock of a dead one, one at most takes it over', async () => {
  const folder = newHome();
  const rounds = 60;
  const dead = spawnSync(process.execPath, ['-e', '0']).pid;
  for (let round = 0; round < rounds; round++)
    writeFileSync(join(folder, `${round}.jsonl.lock`), round % 2 === 0 ? String(dead) : `${dead} token`);
  const owner = fileURLToPath(new URL('owner.ts', import.meta.url));
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, [owner, folder, String(rounds)], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data'))); // each is ready
  const begin = String(Date.now() + 50);
  for (const child of children) child.stdin.write(begin);
  const told = await Promise.all(children.map(async (child) => String(await once(child.stdout, 'data'))));
  for (const child of children) child.stdin.end();
  const owners = told.flatMap((line) => JSON.parse(line) as number[]).toSorted((one, other) => one - other);
  expect(owners).toEqual([...new Set(owners)]);
  expect(owners.length).toBeGreaterThan(rounds / 2); // and mostly one does
});
