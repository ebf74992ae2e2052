// `sightline sessions`: the real program on a real home.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examineSession, openSessions } from '../../src/session/index.ts';
import { assistant, image, png, user } from '../session/samples.ts';
import type { Ran } from './run.ts';
import { mainFile, newFolder, run } from './run.ts';
import { onlySome } from '../some.ts';

onlySome(6);

const folder = newFolder();
const home = join(folder, 'my höme');
const own = { SIGHTLINE_HOME: home, NO_COLOR: '1' };
afterAll(() => rmSync(folder, { recursive: true }));
let [first, second] = ['', ''];

const sessions = (...words: string[]): Promise<Ran> => run(['sessions', ...words], { cwd: folder, env: own });

beforeAll(async () => {
  await using store = openSessions({ home });
  const one = await store.create({ title: 'Trees \u001B[31m', model: 'anthropic/claude-sonnet-4-5' });
  const asset = await one.assets.put(png(1), { mediaType: 'image/png', name: 'oak.png' });
  await one.append({ type: 'message', message: user('Which tree?', image(asset)) });
  await one.append({ type: 'message', message: assistant('An oak \u001B]0;x\u0007.', 'anthropic/claude-sonnet-4-5') });
  await one.append({ type: 'usage', model: 'm', usage: { inputTokens: 1, outputTokens: 1 }, cost: 0.5 });
  const two = await store.create({ title: 'Broken' });
  const call = { type: 'call', id: 'c9', name: 'look', input: {} } as const;
  const lost = await two.assets.put(png(2), { mediaType: 'image/png', name: 'lost.png' });
  await two.append({ type: 'message', message: user('look', image(lost)) });
  await two.append({ type: 'message', message: { ...assistant(''), content: [call] } });
  [first, second] = [one.id, two.id];
  rmSync(join(home, 'assets', lost.id.slice(7, 9), lost.id.slice(7)));
});

test.concurrent('list shows a table, newest first, and the same as JSON', async () => {
  const [people, program] = await Promise.all([sessions('list'), sessions('list', '--json')]);
  expect(people.stdout).toMatch(/^id +title +age +model +messages +media +size +cost$/m);
  expect(people.stdout).toMatch(
    new RegExp(String.raw`^${first}  Trees \\x1b\[31m +now  anthropic/claude-sonnet-4-5 +2 +1 +\d+ B +\$0\.50$`, 'm'),
  );
  expect(people.stdout).not.toContain('\u001B');
  const found = JSON.parse(program.stdout) as { id: string }[];
  expect(found.map(({ id }) => id).slice(-2)).toEqual([second, first]);
});

test.concurrent('list shows a page and says that there are more', async () => {
  const { stdout, stderr } = await sessions('list', '--limit', '1');
  expect(stdout.trim().split('\n')).toHaveLength(2);
  expect(stderr).toContain('There are more: "sightline sessions list --limit 10" shows them.');
});

test.concurrent('a home that is not there is not made by looking', async () => {
  const env = { SIGHTLINE_HOME: join(folder, 'nowhere') };
  const { code, stdout, stderr } = await run(['sessions', 'list'], { env });
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: expect.stringContaining('no sessions yet') });
  expect(existsSync(env.SIGHTLINE_HOME)).toBe(false);
});

test.concurrent('a database that was begun and never filled, on a disk that was full, holds no sessions', async () => {
  const env = { SIGHTLINE_HOME: newFolder() };
  const database = new DatabaseSync(join(env.SIGHTLINE_HOME, 'sessions.db'));
  database.exec('PRAGMA journal_mode = WAL');
  database.close();
  expect(await run(['sessions', 'list'], { env })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('no sessions yet'),
  });
  expect(await run(['sessions', 'search', 'x'], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No session has x'),
  });
  expect(await run(['sessions', 'doctor'], { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('all in order'),
  });
  await using store = openSessions({ home: env.SIGHTLINE_HOME });
  expect((await store.create()).id).toMatch(/\w/);
});

test.concurrent('show is readable; --raw has entries, the request and its receipts', async () => {
  const [people, raw, planned] = await Promise.all([
    sessions('show', first.slice(0, 6)),
    sessions('show', first, '--raw'),
    sessions('show', first, '--raw', '-m', 'anthropic/claude-sonnet-4-5'),
  ]);
  expect(people.stdout).toMatch(/You\nWhich tree\?\n\[image "oak\.png" 8×8[^]*An oak \\x1b\]0;x\\x07\./);
  expect(raw.stdout).toMatch(/entry \d+ .* usage/);
  expect(raw.stderr).toContain('No request of this session is recorded.');
  expect(planned.stdout).toMatch(
    /entry \d+ .* usage[^]*Would be sent to https:\/\/api\.anthropic\.com[^]*inside +image "oak\.png"/,
  );
  expect(people.stdout + raw.stdout).not.toContain('\u001B');
});

test.concurrent('search finds words, and says so when there are none', async () => {
  const [found, none] = await Promise.all([sessions('search', 'which', 'tre'), sessions('search', 'elephant')]);
  expect(found.stdout).toContain(`${first}  Trees`);
  expect([found.code, none.code, none.stderr]).toEqual([0, 1, 'No session has elephant in it.\n']);
  expect(await sessions('search', 'elephant', '--json')).toEqual({ code: 1, stdout: '[]\n', stderr: '' });
  expect((await sessions('search', '--help')).stdout).toContain('1 nothing found');
});

test.concurrent('what is exported as JSON can be imported', async () => {
  const exported = await sessions('export', first, 'trees.json', '--json');
  expect(JSON.parse(exported.stdout)).toMatchObject({ file: 'trees.json', format: 'json' });
  const imported = await sessions('import', 'trees.json');
  expect(imported.stderr).toMatch(
    /^Imported 2 messages and 1 medium\.\nThe id \w+ is in use here; this session has another one\.\n$/,
  );
  await using store = openSessions({ home });
  expect(await (await store.read(imported.stdout.trim())).messages()).toHaveLength(2);
});

test.concurrent.each([
  ['one line', (messages: object[]) => JSON.stringify(messages)],
  ['many lines', (messages: object[]) => JSON.stringify(messages, undefined, 2)],
  ['a line for each', (messages: object[]) => messages.map((message) => JSON.stringify(message)).join('\n')],
])('messages come in through a pipe, and their pictures from here (%s)', async (_as, written) => {
  const text = written([
    { role: 'user', content: ['Which tree?', { type: 'image', path: 'oak.png' }] },
    { role: 'assistant', content: 'An oak.' },
  ]);
  writeFileSync(join(folder, 'oak.png'), png(1));
  const line = '"$0" "$1" sessions import <(printf %s "$2")';
  const pipe = await promisify(execFile)('bash', ['-c', line, process.execPath, mainFile, text], {
    cwd: folder,
    env: { ...process.env, ...own },
  });
  const stdin = await run(['sessions', 'import', '-'], { cwd: folder, env: own, stdin: text });
  for (const { stdout, stderr } of [pipe, stdin]) {
    expect(stderr).toBe('Imported 2 messages and 1 medium.\n');
    expect((await sessions('show', stdout.trim())).stdout).toContain('An oak.');
  }
});

test.concurrent('a fork has the past, and goes for good when it is removed', async () => {
  const id = (await sessions('fork', first)).stdout.trim();
  await using store = openSessions({ home });
  expect(await (await store.read(id)).messages()).toHaveLength(2);
  expect((await sessions('rm', id)).code).toBe(0);
  const gone = await sessions('show', id, '--json');
  expect(gone.code).toBe(1);
  expect(JSON.parse(gone.stdout)).toMatchObject({ ok: false, refusal: { what: `There is no session ${id}` } });
});

test.concurrent('export without a file name writes a page here', async () => {
  const { stdout } = await sessions('export', first);
  const file = stdout.split(',')[0] ?? '';
  expect(file).toBe(`session-${first}.html`);
  expect(readFileSync(join(folder, file), 'utf8')).toContain('<!doctype html>');
});

test.concurrent('doctor tells what is wrong and repairs on a copy', async () => {
  const found = await sessions('doctor', second);
  expect(found.code).toBe(1);
  expect(found.stdout).toContain(`${second}  the call of look had no result (call c9)`);
  expect(found.stdout).toMatch(/lost\.png \([0-9a-f]{8}\) is missing/);
  const repaired = await sessions('doctor', second, '--repair', '--json');
  const { repaired: lines } = JSON.parse(repaired.stdout) as { repaired: string[] };
  const copy = lines[0]?.split(' ').at(-1) ?? '';
  await using store = openSessions({ home });
  expect(await examineSession(await store.read(copy), store.assets)).toEqual([]);
  expect((await sessions('show', second)).stderr).toContain('1 medium of this session is missing (lost.png)');
});

test.concurrent('settings that name no database are refused by doctor as by every other, also as JSON', async () => {
  const wrong = newFolder();
  writeFileSync(join(wrong, 'config.toml'), '[store]\nsessions = "mysql://x"\n');
  const told = await Promise.all(
    ['doctor', 'list'].map((word) => run(['sessions', word, '--json'], { env: { SIGHTLINE_HOME: wrong } })),
  );
  for (const { code, stdout } of told)
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { ok: false, refusal: { code: 'config' } }]);
});

test.concurrent('a damaged database is told, and repaired when asked', async () => {
  const damaged = join(folder, 'damaged');
  mkdirSync(damaged);
  const store = openSessions({ home: damaged });
  const session = await store.create({ title: 'Saved' });
  await session.append({ type: 'message', message: user('still here') });
  await store.close();
  const file = join(damaged, 'sessions.db');
  writeFileSync(file, Buffer.concat([Buffer.alloc(32, 1), readFileSync(file).subarray(32)]));
  const env = { SIGHTLINE_HOME: damaged };
  const told = await run(['sessions', 'list'], { env });
  expect(told.stderr).toMatch(
    /^Refused: .*sessions\.db is damaged\n {2}Next: {2}Run "sightline sessions doctor --repair"/,
  );
  const repaired = await run(['sessions', 'doctor', '--repair'], { env });
  expect(repaired.stdout).toContain('2 entries of 1 sessions saved; the damaged file is');
  expect((await run(['sessions', 'show', session.id], { env })).stdout).toContain('still here');
  expect(readdirSync(damaged).some((name) => name.startsWith('sessions.db.damaged-'))).toBe(true);
});

test.concurrent('wrong use is told with the way to the help', async () => {
  const { code, stderr } = await sessions('fork');
  expect(code).toBe(2);
  expect(stderr).toContain("missing required argument 'id'");
});

test.concurrent('help before a command is the help of that command', async () => {
  const [before, behind] = await Promise.all([run(['help', 'ask']), run(['ask', '--help'])]);
  expect(before).toEqual(behind);
  expect(before).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: sightline ask') });
});

test.concurrent('last is the newest session wherever an id is taken', async () => {
  const place = join(folder, 'newest');
  const env = { SIGHTLINE_HOME: place, NO_COLOR: '1', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/proxy' };
  const shell = (...words: string[]): Promise<Ran> => run(words, { cwd: folder, env });
  expect((await shell('sessions', 'show', 'last')).stderr).toContain('There is no conversation yet');
  {
    await using store = openSessions({ home: place });
    for (const [at, title] of ['Older', 'Newer'].entries()) {
      const session = await store.create({ title, model: 'anthropic/claude-sonnet-4-5' });
      await session.append({ type: 'message', message: user(`about ${title}`) }, Date.now() + at);
    }
  }
  const rows = [
    await shell('sessions', 'show', 'last'),
    await shell('sessions', 'doctor', 'last'),
    await shell('sessions', 'export', 'last', 'newest.md'),
    await shell('wire', 'last', '-m', 'anthropic/claude-sonnet-4-5'),
  ];
  expect(rows.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(rows[0]?.stdout).toMatch(/^Newer\n/);
  expect(rows[1]?.stdout).toBe('1 session, all in order.\n');
  expect(readFileSync(join(folder, 'newest.md'), 'utf8')).toContain('about Newer');
  expect(rows[3]?.stdout).toMatch(/^POST http:\/\/127\.0\.0\.1:9\/proxy\/v1\/messages\n[^]*about Newer/);
  expect((await shell('sessions', 'rm', 'last')).code).toBe(0);
  expect((await shell('sessions', 'show', 'last')).stdout).toMatch(/^Older\n/);
});

test.concurrent.each(['talk.docx', 'talk'])('an export to %s is refused with the endings there are', async (file) => {
  const { code, stderr } = await sessions('export', first, file);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/neither in \.html nor in \.md nor in \.json/),
  });
  expect(existsSync(join(folder, file))).toBe(false);
  expect((await sessions('export', first, `json-${file}`, '--format', 'json')).code).toBe(0);
});
