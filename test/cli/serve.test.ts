// `sightline serve` as a person starts it: with a client of hers, which here is a small program that asks one question.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { sentView } from '../../src/inspect/look.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { RequestRow } from '../../src/record/table.ts';
import { openSessions } from '../../src/session/store.ts';
import { writeProgram } from '../program.ts';
import { mainFile, run } from './run.ts';

const client = `#!/usr/bin/env node
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_API_KEY: theirs } = process.env;
const body = JSON.stringify({ model: 'whatever', max_tokens: 9, messages: [{ role: 'user', content: process.argv.slice(2).join(' ') }] });
fetch(url + '/v1/messages', { method: 'POST', headers: { authorization: 'Bearer ' + key }, body })
  .then((response) => response.json())
  .then(({ content }) => console.log(content[0].text, theirs));
`;

test('a client is started with the gateway, and any model answers it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sightline-serve-'));
  mkdirSync(join(home, 'bin'));
  writeProgram(join(home, 'bin', 'claude'), client);
  await using upstream = await scriptedServer(script(() => ({ text: 'Sales rose.' })));
  const env = {
    SIGHTLINE_HOME: home,
    OPENAI_API_KEY: 'ours',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    ANTHROPIC_API_KEY: '',
    PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
  };
  const ran = await run(['serve', 'claude', '-m', 'openai/gpt-5.2', '--', 'How', 'did we do?'], { cwd: home, env });
  expect(ran.stderr).toBe('');
  expect(ran.stdout).toContain('Sales rose. undefined');
  expect(ran.code).toBe(0);
  expect(upstream.requests.at(-1)).toMatchObject({ wire: 'openai-responses', model: 'gpt-5.2' });
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('How did we do?');
});

test('an interrupt is for the client to answer: the gateway stays until it ends', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sightline-serve-'));
  mkdirSync(join(home, 'bin'));
  const asking = client.replace(/fetch[^]*/, (call) => `process.on('SIGINT', () => ${call.replace(/;\s*$/, '')}
    .then(() => process.exit()));\nconsole.log('ready');\nsetInterval(() => undefined, 1000);\n`); // prettier-ignore
  writeProgram(join(home, 'bin', 'claude'), asking);
  await using upstream = await scriptedServer(script(() => ({ text: 'Sales rose.' })));
  const env = {
    ...process.env,
    SIGHTLINE_HOME: home,
    OPENAI_API_KEY: 'ours',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
  };
  const words = [mainFile, 'serve', 'claude', '-m', 'openai/gpt-5.2', '--', 'How', 'did we do?'];
  const child = spawn(process.execPath, words, {
    cwd: home,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
  await expect.poll(() => told).toContain('ready');
  process.kill(-(child.pid ?? 0), 'SIGINT'); // as a terminal does
  expect(await ended).toEqual([0, null]);
  expect(told).toContain('Sales rose.');
});

test.each([
  [
    'sublime',
    'these are claude, codex, gemini, opencode, qwen, pi. Any other works with the address that sightline serve prints.',
  ],
  ['cluade', 'pi (Did you mean claude?). Any other'],
])('%s cannot be started, and what can is told', async (word, told) => {
  const { code, stdout, stderr } = await run(['serve', word], { cwd: tmpdir() });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`error: "${word}" is no client that serve can start: `);
  expect(stderr).toContain(told);
});

test('a client that is not installed is told before anything is opened for it', async () => {
  const env = { PATH: tmpdir(), OPENAI_API_KEY: 'none' };
  const { code, stdout, stderr } = await run(['serve', 'codex', '-m', 'openai/gpt-5.2'], { cwd: tmpdir(), env });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Refused: Codex is not installed here: there is no program codex\n {2}Next: {2}Install it/);
});

test('a key is told once, with the lines for the settings', async () => {
  const { stdout, stderr } = await run(['serve', 'key', 'alice'], { cwd: tmpdir() });
  expect(stdout).toMatch(/^sl-[\w-]{32}\n$/);
  expect(stderr).toMatch(/\[serve\.keys\.alice\]\nhash = "sha256:[0-9a-f]{64}"/);
});

type Served = { url: string; told: () => string; signal: (name: NodeJS.Signals) => void; ended: Promise<unknown[]> };

/** `sightline serve` in a process of its own, when it listens. */
async function serving(home: string, more: Record<string, string> = {}): Promise<Served> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, SIGHTLINE_HOME: home, ...more };
  const child = spawn(process.execPath, [mainFile, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  await expect.poll(() => told).toMatch(/Listening on http:\S+\n/);
  const url = /Listening on (\S+)/.exec(told)?.[1] ?? '';
  return { url, told: () => told, signal: (name) => void child.kill(name), ended: once(child, 'exit') };
}

test('where the settings keep pictures at home, every model gets their words, and receipts say so', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sightline-serve-'));
  await using upstream = await scriptedServer(script(() => ({ text: 'Sales rose.' })));
  const own = `[models.one]\nmodel = "gemini/gemini-2.5-pro"\nbase_url = "${upstream.url}"\napi_key = "k"\n`;
  writeFileSync(join(home, 'config.toml'), `images = "never"\neyes = "one"\n${own}`);
  const { url, signal, ended } = await serving(home, {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: upstream.url,
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
  });
  const [picture, pdf] = ['chart.png', 'report.pdf'].map((name) => readFileSync(`examples/${name}`).toString('base64'));
  const content = [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf } },
  ];
  const ways = [];
  for (const model of ['claude-sonnet-5', 'anthropic/claude-sonnet-5', 'openai/gpt-5.4', 'one']) {
    const body = JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content }] });
    const { status, headers } = await fetch(`${url}/v1/messages`, { method: 'POST', body });
    ways.push([status, headers.get('x-sightline-way')]);
    expect(headers.get('x-sightline-receipts'), model).toMatch(/^1 words, 1 text[,;]/);
  }
  signal('SIGTERM');
  await ended;
  expect(ways).toEqual(['relay', 'relay', 'convert', 'convert'].map((way) => [200, way]));
  expect(upstream.requests).toHaveLength(4);
  for (const { body } of upstream.requests)
    expect(JSON.stringify(body)).not.toMatch(/"(?:image|document|input_image|input_file|inlineData)"|base64/);
});

test('it reads its settings again when told to, records what goes through it, and ends when nobody is cut off', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sightline-serve-'));
  let words = 'Sales rose.';
  await using upstream = await scriptedServer(script(() => ({ text: words, slow: words.length > 20 ? 40 : 0 })));
  const settings = (model: string): void =>
    writeFileSync(
      join(home, 'config.toml'),
      `[models.one]\nmodel = "${model}"\nbase_url = "${upstream.url}"\napi_key = "k"\n[serve.routes]\nhouse = "one"\n`,
    );
  settings('anthropic/claude-sonnet-5');
  const { url, told, signal, ended } = await serving(home);
  expect(told()).not.toContain('There is no model');
  const ask = (stream = false): Promise<Response> =>
    fetch(`${url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ model: 'house', stream, max_tokens: 9, messages: [{ role: 'user', content: 'How did we do?' }] }),
    }); // prettier-ignore
  const model = async (): Promise<string | null> => (await ask()).headers.get('x-sightline-model');
  expect(await model()).toBe('anthropic/claude-sonnet-5');
  signal('SIGHUP');
  await expect.poll(told).toMatch(/The settings were read again/);
  settings('gemini/gemini-2.5-pro');
  await expect.poll(model).toBe('gemini/gemini-2.5-pro');
  settings('nobody');
  signal('SIGHUP');
  await expect.poll(told).toMatch(/The settings stay as they were: .*nobody/);
  expect(await model()).toBe('gemini/gemini-2.5-pro');

  words = 'Slow and steady wins the race, as the fable tells us all, and all of those who listen know it well.';
  const before = upstream.requests.length;
  const streams = Array.from({ length: 50 }, async () => (await ask(true)).text());
  await expect.poll(() => upstream.requests.length).toBe(before + 50);
  signal('SIGTERM');
  for (const text of await Promise.all(streams)) expect(text).toMatch(/fable[\s\S]*message_stop/);
  expect(await ended).toEqual([0, null]);
  await expect(fetch(url)).rejects.toThrow();

  await using store = openSessions({ home, readOnly: true });
  const conversations = (await store.requests?.conversations()) ?? [];
  const rows: RequestRow[] = [];
  for (const { conversation } of conversations) rows.push(...((await store.requests?.list(conversation)) ?? []));
  expect(rows.length).toBe(upstream.requests.length);
  expect(rows.map(({ via }) => via)).toEqual(rows.map(() => 'gateway'));
  expect(new Set(rows.map(({ ended: over }) => over?.state))).toEqual(new Set(['answered']));
});

test('settings behind a link are read again, and a key that is not set is told at the start', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sightline-serve-'));
  const others = mkdtempSync(join(tmpdir(), 'sightline-dotfiles-'));
  const own = '[models.one]\nmodel = "anthropic/claude-sonnet-5"\napi_key_env = "KEY_OF_NOBODY"\n';
  writeFileSync(join(others, 'sightline.toml'), own);
  symlinkSync(join(others, 'sightline.toml'), join(home, 'config.toml'));
  const { told, signal, ended } = await serving(home);
  await expect.poll(told).toMatch(/one cannot be asked: KEY_OF_NOBODY, which holds its key, is not set\./);
  writeFileSync(join(others, 'sightline.toml'), `${own}temperature = 0.5\n`);
  await expect.poll(told).toMatch(/The settings were read again/);
  signal('SIGTERM');
  await ended;
});

test('an interrupt lets the answers under way end, too', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sightline-serve-'));
  const words = 'Slow and steady wins the race, as the fable tells us all, and all of those who listen know it well.';
  await using upstream = await scriptedServer(script(() => ({ text: words, slow: 40 })));
  const own = `[models.one]\nmodel = "anthropic/claude-sonnet-5"\nbase_url = "${upstream.url}"\napi_key = "k"\n`;
  writeFileSync(join(home, 'config.toml'), own);
  const { url, told, signal, ended } = await serving(home);
  const messages = [{ role: 'user', content: 'How did we do?' }];
  const body = JSON.stringify({ model: 'one', stream: true, max_tokens: 9, messages });
  const answer = fetch(`${url}/v1/messages`, { method: 'POST', body }).then((response) => response.text());
  await expect.poll(() => upstream.requests.length).toBe(1);
  signal('SIGINT');
  expect(await answer).toMatch(/fable[\s\S]*message_stop/);
  expect(await ended).toEqual([0, null]);
  expect(told()).toContain('Ending when the answers under way are complete. Stop again to end at once.');
});

test('what the inspector shows of pictures is kept, whichever dialect they went to and however small they are', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sightline-serve-'));
  await using upstream = await scriptedServer(script(() => ({ text: 'Seen.' })));
  const models = {
    chat: 'openai-chat/gpt-4.1',
    responses: 'openai/gpt-5.2',
    google: 'gemini/gemini-2.5-pro',
    local: 'ollama/qwen3-vl',
    own: 'anthropic/claude-sonnet-5',
  };
  const settings = Object.entries(models).map(
    ([name, model]) => `[models.${name}]\nmodel = "${model}"\nbase_url = "${upstream.url}"\napi_key = "k"\n`,
  );
  writeFileSync(join(home, 'config.toml'), settings.join(''));
  const plain = sharp({ create: { width: 16, height: 16, channels: 3, background: '#0a0' } });
  const pictures = [plain.png(), noise(60), noise(200), noise(2000, 'jpeg')];
  const { url, signal, ended } = await serving(home);
  const sent: string[] = [];
  for (const picture of pictures) {
    const data = (await picture.toBuffer()).toString('base64');
    sent.push(data);
    for (const model of Object.keys(models)) {
      const source = { type: 'base64', media_type: data.startsWith('/') ? 'image/jpeg' : 'image/png', data };
      const content = [
        { type: 'text', text: `${sent.length} for ${model}` },
        { type: 'image', source },
      ];
      const body = JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content }] });
      expect((await fetch(`${url}/v1/messages`, { method: 'POST', body })).status).toBe(200);
    }
  }
  signal('SIGTERM');
  await ended;

  await using store = openSessions({ home, readOnly: true });
  let [requests, shown] = [0, 0];
  for (const { conversation } of (await store.requests?.conversations()) ?? [])
    for (const { id, model } of (await store.requests?.list(conversation)) ?? []) {
      const { sections, missing } = await sentView(store, id, true);
      const media = sections.flatMap(({ leaves }) => leaves.filter(({ kind }) => kind === 'medium'));
      const asText = sections.some(({ leaves }) =>
        leaves.some((leaf) => leaf.kind === 'text' && leaf.text === sent[0]),
      );
      expect([model, missing, media.length > 0 || asText]).toEqual([model, [], true]);
      const named = (await store.requests?.chain(id))?.flatMap(({ assets }) => assets) ?? [];
      expect([...(await store.assets.missing(named))]).toEqual([]);
      requests++;
      shown += named.length;
    }
  expect(requests).toBe(pictures.length * Object.keys(models).length);
  expect(shown).toBeGreaterThanOrEqual(requests - 1);
});

/** A picture that packs badly. */
function noise(edge: number, as: 'png' | 'jpeg' = 'png'): Sharp {
  const raw = { width: edge, height: edge, channels: 3 } as const;
  return sharp(randomBytes(edge * edge * 3), { raw }).toFormat(as);
}
