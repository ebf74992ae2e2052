// A key that is set everywhere and quoted by everybody, through every command there is: no output may show it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Command } from '../../src/cli/parser.ts';
import { commands } from '../../src/cli/commands.ts';
import { loadAll } from '../../src/cli/program.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { hasTmux, openScreen } from '../tui/terminal.ts';
import { mainFile, newFolder, openProgram, run } from './run.ts';
import type { Program, Ran } from './run.ts';
import { onlySome } from '../some.ts';

onlySome(12);

const canary = 'canary-9f8e7d6c5b4a-of-every-command';
const home = newFolder();
let server: Server;
let many: Program;
let env: Record<string, string> = {};

/** A server that takes nothing and quotes everything that it was sent. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const { authorization, 'x-api-key': key, 'api-key': azure, 'x-goog-api-key': google } = request.headers;
    const message = `Incorrect API key provided: ${String(authorization ?? key ?? azure ?? google)}, again ${canary}`;
    request.resume().on('end', () => {
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = {
    SIGHTLINE_HOME: home, HOME: home, ANTHROPIC_API_KEY: canary, OPENAI_API_KEY: canary, AZURE_OPENAI_API_KEY: canary,
    GEMINI_API_KEY: canary, OLLAMA_API_KEY: canary, MY_SERVICE_TOKEN: canary, ANTHROPIC_BASE_URL: url, OPENAI_BASE_URL: url,
    AZURE_OPENAI_ENDPOINT: url, GOOGLE_GEMINI_BASE_URL: url, OLLAMA_HOST: url,
  }; // prettier-ignore
  const quoted = JSON.stringify(canary);
  const config = `[models.mine]\nmodel = "compatible/x"\nbase_url = "${url}"\napi_key = ${quoted}\n[mcp.theirs]\nurl = "${url}/mcp"\nheaders = { Authorization = ${JSON.stringify(`Bearer ${canary}`)} }\n`;
  writeFileSync(join(home, 'config.toml'), config, { mode: 0o600 });
  mkdirSync(join(home, 'work'));
  const said = `What is ${canary}?`;
  writeFileSync(join(home, 'work', 'talk.json'), JSON.stringify({ version: 1, messages: [{ role: 'user', content: said }] }));
  writeFileSync(join(home, 'work', 'notes.txt'), `The key is ${canary}.\n`);
  await sightline(['ask', '-m', 'anthropic/claude-sonnet-4-5', said]);
  many = openProgram();
}); // prettier-ignore

afterAll(() => {
  many.close();
  server.close();
});

/** These read from stdin, so each has a process of its own. */
const reading = new Set(['ask', 'chat', 'config add-endpoint', 'tools new']);

function sightline(words: readonly string[]): Promise<Ran> {
  return run(words, { cwd: join(home, 'work'), env });
}

/** The same command line beside others in one process. */
function oneOfMany(words: readonly string[]): Promise<Ran> {
  const reads = reading.has(words[0] ?? '') || reading.has(words.slice(0, 2).join(' '));
  return reads ? sightline(words) : many.run(words, { cwd: join(home, 'work'), env });
}

/** Every command that does something, with the words that lead to it and how many arguments it needs. */
function leaves(command: Command, words: readonly string[]): { words: readonly string[]; command: Command }[] {
  const inner = command.commands.flatMap((one) => leaves(one, [...words, one.name()]));
  return inner.length > 0 ? inner : [{ words, command }];
}

async function allCommands(): Promise<{ words: readonly string[]; command: Command }[]> {
  const program = new Command('sightline');
  for (const { name } of commands) program.command(name);
  await loadAll(program);
  return leaves(program, []);
}

function expectSilent(ran: Ran, words: readonly string[]): void {
  const all = `${ran.stdout}${ran.stderr}`;
  expect(all, words.join(' ')).not.toContain('canary-9f8e7d6c5b4a');
}

/** Those that serve until they are stopped; mcp has tests of its own below. */
const serving = new Set(['mcp', 'serve', 'inspect']);

test('every command, given the key as each of its arguments', async () => {
  const found = await allCommands();
  expect(found.length).toBeGreaterThan(20);
  for (const { words, command } of found) {
    if (serving.has(words.join(' '))) continue;
    const given = command.registeredArguments.map(() => canary);
    const json = command.options.some(({ long }) => long === '--json') ? ['--json'] : [];
    expectSilent(await oneOfMany([...words, ...given, ...json]), words);
  }
}, 300_000);

const telling: string[][] = [
  ['doctor'],
  ['models', '--refresh'],
  ['models', 'anthropic', '--refresh'],
  ['config'],
  ['config', '--json'],
  ['ask', '-m', 'mine', 'what?'],
  ['ask', '-m', 'gemini/gemini-2.5-pro', '--json', `is it ${canary}?`],
  ['ask', '-m', 'openai/gpt-5.2', '-q', 'what?'],
  ['read', 'notes.txt'],
  ['read', 'notes.txt', '--json'],
  ['wire', 'talk.json', '-m', 'mine'],
  ['wire', 'last', '--explain'],
  ['sessions', 'list'],
  ['sessions', 'show', 'last', '--raw'],
  ['sessions', 'search', canary],
  ['mcp', 'list'],
  ['wire', 'talk.json', '-m', 'mine', '--full'],
  ['wire', 'last', '--full'],
];

test.each(telling.map((words) => [words.join(' ').replaceAll(canary, 'the key'), words] as const))(
  '%s',
  async (_name, words) => expectSilent(await oneOfMany(words), words),
);

test('an export as a page, as Markdown and as JSON', async () => {
  await sightline(['ask', '-m', 'mine', `Is it ${canary}?`]);
  for (const file of ['page.html', 'page.md', 'page.json']) {
    const ran = await oneOfMany(['sessions', 'export', 'last', file]);
    expect(ran.code, ran.stderr).toBe(0);
    const text = readFileSync(join(home, 'work', file), 'utf8');
    expect(text).toContain('[key]');
    expect(text).not.toContain('canary-9f8e7d6c5b4a');
  }
});

test('wire --full says that a key stands in the body, and is a body but for it', async () => {
  const { code, stdout, stderr } = await sightline(['wire', 'talk.json', '-m', 'mine', '--full']);
  expect(code).toBe(0);
  expect(JSON.stringify(JSON.parse(stdout))).toContain('What is [key]?');
  expect(stderr).toContain('A key of yours stands in this body');
});

const asked = [
  { method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } },
  { method: 'tools/list', params: {} },
  { method: 'tools/call', params: { name: 'read_file', arguments: { path: 'notes.txt' } } },
  { method: 'tools/call', params: { name: canary, arguments: {} } },
  { method: 'tools/call', params: { name: 'read_file', arguments: { path: `${canary}.txt` } } },
  { method: 'resources/read', params: { uri: `asset://${canary}` } },
]; // prettier-ignore

test('mcp, on stdin and stdout', async () => {
  const child = spawn(process.execPath, [mainFile, 'mcp'], { cwd: join(home, 'work'), env: { ...process.env, ...env } });
  let all = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (all += chunk.toString()));
  for (const [id, message] of asked.entries())
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`);
  await expect.poll(() => all.match(/"id":\d/g)?.length).toBe(asked.length);
  child.stdin.end();
  await once(child, 'close');
  expect(all).toContain('The key is [key].');
  expectSilent({ code: 0, stdout: all, stderr: '' }, ['mcp']);
}); // prettier-ignore

test('mcp, over HTTP', async () => {
  const token = `${canary}-of-mcp`;
  const child = spawn(process.execPath, [mainFile, 'mcp', '--http'], {
    cwd: join(home, 'work'),
    env: { ...process.env, ...env, SIGHTLINE_MCP_TOKEN: token },
  });
  let all = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (all += chunk.toString()));
  await expect.poll(() => all).toMatch(/http:\S+/);
  const url = /http:\S+/.exec(all)?.[0] ?? '';
  let session = '';
  for (const [id, message] of asked.entries()) {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream',
        ...(session !== '' && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, ...message }),
    }); // prettier-ignore
    session ||= response.headers.get('mcp-session-id') ?? '';
    all += await response.text();
  }
  child.kill();
  await once(child, 'close');
  expect(all).toContain('The key is [key].');
  expectSilent({ code: 0, stdout: all, stderr: '' }, ['mcp', '--http']);
});

test('serve: answers, errors on both ways, lists, counters, the log and the words to paste', async () => {
  const child = spawn(process.execPath, [mainFile, 'serve', '--port', '0', '-m', 'mine'], {
    cwd: join(home, 'work'),
    env: { ...process.env, ...env },
  });
  let all = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (all += chunk.toString()));
  await expect.poll(() => all).toMatch(/http:\S+/);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(all)?.[0] ?? '';
  const ask = async (path: string, body?: object): Promise<void> => {
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${canary}`, 'x-api-key': canary },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    all += `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
  };
  const messages = [{ role: 'user', content: 'What is it?' }];
  for (const model of ['claude-sonnet-4-5', 'openai/gpt-5.2', 'gemini/gemini-2.5-pro', 'mine', 'nobody'])
    for (const stream of [false, true]) {
      await ask('/v1/messages', { model, max_tokens: 9, messages, stream });
      await ask('/v1/chat/completions', { model, messages, stream });
    }
  await ask('/v1/messages/count_tokens', { model: 'claude-sonnet-4-5', messages });
  for (const path of ['/v1/models', `/v1beta/models?key=${canary}`, '/metrics', '/healthz', `/nowhere/${url.length}`])
    await ask(path);
  child.kill();
  await once(child, 'close');
  expect(all.match(/"way":"relay"/g)?.length).toBeGreaterThan(1);
  expect(all.match(/"way":"convert"/g)?.length).toBeGreaterThan(1);
  expectSilent({ code: 0, stdout: all, stderr: '' }, ['serve']);
});

test.runIf(hasTmux)('chat, on its screen and line by line', async () => {
  await using model = await scriptedServer(
    script(({ index }) =>
      index % 2 === 0
        ? { calls: [{ name: 'read_file', input: { path: 'notes.txt' } }] }
        : { thinking: `Is it ${canary}?`, text: `It is ${canary}, I think.` },
    ),
  );
  for (const TERM of ['xterm-256color', 'dumb']) {
    const around = { ...env, ANTHROPIC_BASE_URL: model.url, SIGHTLINE_GRAPHICS: 'none' };
    const words = ['env', `TERM=${TERM}`, process.execPath, mainFile, 'chat', '-m', 'anthropic/claude-sonnet-4-5'];
    const screen = openScreen(words, { cwd: join(home, 'work'), env: around });
    try {
      await screen.until(TERM === 'dumb' ? '> ' : '/help');
      screen.type('what is the key?', 'Enter');
      const shown = await screen.until(/It is \[key\], I think/);
      if (TERM !== 'dumb') expect(shown).toContain('The key is [key]');
      expect(shown.replaceAll(/\s/g, '')).not.toContain('canary-9f8e');
    } finally {
      screen.close();
    }
  }
});

test('with the way to a bug asked for, too', async () => {
  env = { ...env, SIGHTLINE_DEBUG: '1' };
  expectSilent(await sightline(['models', 'default', canary]), ['models', 'default']);
  expect(readdirSync(home)).toContain('config.toml');
});

test('settings with a key that others can read are warned about, beside the result and whatever comes of it', async () => {
  const file = join(home, 'config.toml');
  chmodSync(file, 0o644);
  const warned = await sightline(['sessions', 'list', '--json']);
  expect(warned.stderr).toContain(`chmod 600 ${file}`);
  expect(() => JSON.parse(warned.stdout) as unknown).not.toThrow();
  const failed = await sightline(['sessions', 'show', 'nothing-of-this-name', '--json']);
  expect(failed.stdout).not.toContain('chmod');
  chmodSync(file, 0o600);
  expect((await sightline(['sessions', 'list'])).stderr).not.toContain('chmod');
});
