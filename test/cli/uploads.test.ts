// Media among somebody's files at a provider, as a shell sees it: off unless asked for, once for all processes of a home, in
// nothing that is shown or handed on, and taken back with the sessions that needed them.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportedPage } from '../../src/inspect/export.ts';
import { openSessions } from '../../src/session/store.ts';
import { fileServer } from '../model/file-server.ts';
import type { FileServer } from '../model/file-server.ts';
import { noise } from '../media/make.ts';
import { newFolder, run } from './run.ts';
import type { Ran } from './run.ts';

const key = 'sk-canary-of-uploads-31415926';
const [home, folder] = [newFolder(), newFolder()];
let server: FileServer;
let env: Record<string, string>;
const ids: string[] = [];

beforeAll(async () => {
  server = await fileServer(() => ({ text: 'Seen.' }));
  env = { SIGHTLINE_HOME: home, HOME: home, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url, NO_COLOR: '1' };
  writeFileSync(join(folder, 'shot.png'), await noise(300, 200).png().toBuffer());
});
afterAll(() => server.close());

const sightline = (words: string[], more: Record<string, string> = {}): Promise<Ran> =>
  run(words, { cwd: folder, env: { ...env, ...more } });

const asking = ['ask', '-m', 'anthropic/claude-sonnet-5', '-f', 'shot.png', 'What is this?'];

test('nothing is uploaded unless somebody asks for it, and a project cannot', async () => {
  const { code } = await sightline(asking, { SIGHTLINE_HOME: newFolder() });
  expect([code, server.uploads.length]).toEqual([0, 0]);
  writeFileSync(join(folder, 'sightline.toml'), '[uploads]\non = true\n');
  const refused = await sightline(asking);
  writeFileSync(join(folder, 'sightline.toml'), '');
  expect(refused.stderr).toContain('"uploads" must be in config.toml of your home, not in a project');
  expect(server.uploads).toHaveLength(0);
});

test('two processes upload a picture once, and a third finds it', async () => {
  const both = await Promise.all([sightline([...asking, '--uploads', '--json']), sightline([...asking, '--uploads'])]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  writeFileSync(join(home, 'config.toml'), '[uploads]\non = true\nkeep_hours = 2\n', { mode: 0o600 });
  const third = await sightline(['ask', '-c', '-m', 'anthropic/claude-sonnet-5', 'And now?']);
  expect([third.code, server.uploads.length]).toEqual([0, 1]);
  ids.push(...server.uploads.map(({ id }) => id));
  expect(server.bodies.slice(-3).every((body) => body.includes(ids[0] ?? '-'))).toBe(true);
  expect(JSON.stringify([both, third])).not.toMatch(/file_\d|canary/);
});

test('no export and no page holds an id or a key', async () => {
  const files = ['talk.html', 'talk.json'];
  for (const file of files) await sightline(['sessions', 'export', 'last', join(folder, file)]);
  const shown = [await sightline(['sessions', 'show', 'last'])];
  const told = [...files.map((file) => readFileSync(join(folder, file), 'utf8')), ...shown.map(({ stdout, stderr }) => stdout + stderr)];
  await using store = openSessions({ home, readOnly: true });
  told.push(await (await exportedPage(store, await store.resolve('last'))).text());
  expect(told.every((text) => text.length > 0)).toBe(true);
  for (const text of told) expect(text).not.toMatch(new RegExp(`${ids.join('|')}|${key}`));
}); // prettier-ignore

test('what no session needs any more is taken back: with the last session, once there is a key', async () => {
  await using store = openSessions({ home });
  const [one, other] = (await store.list()).map(({ id }) => id);
  expect((await sightline(['sessions', 'rm', one ?? ''])).stderr).not.toContain('at providers');
  expect(server.files.size).toBe(1);
  const keyless = await sightline(['sessions', 'rm', other ?? ''], { ANTHROPIC_API_KEY: '' });
  expect(keyless.stderr).toContain('1 file at providers could not be deleted: their key is not here');
  const { code, stdout } = await sightline(['sessions', 'gc']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 file at providers deleted.')]);
  expect(server.files.size).toBe(0);
  expect(await store.uploads?.rows()).toEqual([]);
});

test('an address that a project names gets no key and no picture, whatever is uploaded or asked there', async () => {
  const other = await fileServer(() => ({ text: 'Seen.' }));
  const heard: string[] = [];
  const listens = createServer((request, response) => {
    heard.push(`${request.url} ${request.headers.authorization ?? 'nobody'}`);
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(listens, 'listening');
  const { port } = listens.address() as AddressInfo;
  const own = newFolder();
  writeFileSync(join(own, 'config.toml'), '[uploads]\non = true\n', { mode: 0o600 });
  const rows = [
    `[models.claude]\nmodel = "anthropic/claude-sonnet-5"\nbase_url = "${other.url}"`,
    `[models.qwen]\nmodel = "ollama/qwen3-vl"\nbase_url = "http://127.0.0.1:${port}"`,
  ];
  writeFileSync(join(folder, 'sightline.toml'), `${rows.join('\n')}\n`);
  const more = { SIGHTLINE_HOME: own, OLLAMA_API_KEY: 'ollama-canary-31415926', ANTHROPIC_BASE_URL: '' };
  const told = await sightline(['ask', '-m', 'claude', '-f', 'shot.png', 'What is this?'], more);
  expect(told.stderr).toContain('No key is sent to');
  await sightline(['ask', '-m', 'qwen', 'Hello?'], more);
  writeFileSync(join(folder, 'sightline.toml'), '');
  expect([other.uploads, other.bodies]).toEqual([[], []]);
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.join('\n')).not.toContain('canary');
  listens.close();
  await other.close();
});
