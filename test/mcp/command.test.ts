import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { connectServers } from '../../src/mcp/client.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';
import { mainFile } from '../cli/run.ts';
import { picture } from '../tool/samples.ts';
import { runNode } from './run.ts';

const program = [mainFile, 'mcp'];
const home = mkdtempSync(join(tmpdir(), 'sightline-home-'));
writeFileSync(
  join(home, 'config.toml'),
  `[mcp.mine]
command = ${JSON.stringify(process.execPath)}
args = ["test/mcp/programs/hostile-server.ts"]
tools = ["chatter"]
[mcp.lost]
command = "no-such-program"
[mcp.off]
command = "no-such-program"
enabled = false
`,
);

function start(...words: string[]): {
  child: ReturnType<typeof spawn>;
  lines: (of: 'stdout' | 'stderr') => AsyncIterator<string>;
} {
  const child = spawn(process.execPath, [...program, ...words], { env: { ...process.env, SIGHTLINE_HOME: home } });
  return { child, lines: (of) => createInterface({ input: child[of] })[Symbol.asyncIterator]() };
}

test('the tools have the limits and the hosts of the settings', async () => {
  const page = createServer((_, answer) => void answer.end('Hello from this machine.')).listen(0, '127.0.0.1');
  await once(page, 'listening');
  const host = `127.0.0.1:${(page.address() as AddressInfo).port}`;
  const mine = mkdtempSync(join(tmpdir(), 'sightline-home-'));
  writeFileSync(join(mine, 'config.toml'), `[web]\nhosts = ["${host}"]\n[limits]\nimage_bytes = 50\n`);
  writeFileSync(join(mine, 'picture.png'), picture.bytes);
  const server = { command: process.execPath, args: program, env: { SIGHTLINE_HOME: mine }, cwd: mine };
  await using servers = await connectServers({ server });
  const called = async (name: string, input: object): Promise<string> => {
    const full = servers.tools.find((one) => one.name.endsWith(name))?.name ?? '';
    const call = { type: 'call', id: 'a', name: full, input } as const;
    return JSON.stringify((await invokeTool(call, { tools: servers.tools })).content);
  };
  expect(await called('fetch_url', { url: `http://${host}/` })).toContain('Hello from this machine.');
  expect(await called('read_file', { file_path: 'picture.png' })).toContain('limit: 50 bytes');
  page.close();
});

test('on stdout nothing is written but the protocol, and the end of stdin is the end', async () => {
  const { child, lines } = start();
  const out = lines('stdout');
  const ask = async (message: object): Promise<unknown> => {
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    return JSON.parse(String((await out.next()).value));
  };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  expect(await ask({ id: 1, method: 'initialize', params })).toMatchObject({
    id: 1,
    result: { serverInfo: { name: 'sightline' } },
  });
  child.stdin?.write('this is no JSON\n');
  expect(
    await ask({ id: 2, method: 'tools/call', params: { name: 'read_file', arguments: { file_path: '/etc/passwd' } } }),
  ).toMatchObject({ id: 2, result: { isError: true } });
  expect(await ask({ id: 3, method: 'nonesuch' })).toMatchObject({ id: 3, error: { code: -32601 } });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  expect(await ended).toBe(0);
  expect((await out.next()).done).toBe(true);
});

test('images = "never" holds for other agents, too', async () => {
  const strict = mkdtempSync(join(tmpdir(), 'sightline-home-'));
  writeFileSync(join(strict, 'config.toml'), 'images = "never"\n');
  writeFileSync(join(strict, 'a.png'), picture.bytes);
  await using servers = await connectServers({
    ours: {
      command: process.execPath,
      args: [...program, '--root', strict],
      env: { SIGHTLINE_HOME: strict },
    },
  });
  const call = { type: 'call', id: '1', name: 'ours_read_file', input: { file_path: join(strict, 'a.png') } } as const;
  const { content } = await invokeTool(call, { tools: servers.tools });
  expect(content.map(({ type }) => type)).not.toContain('image');
  expect(JSON.stringify(content)).toContain('the settings keep pictures at home');
});

test('what the settings switch off, a tool or a group, is served to nobody', async () => {
  const own = mkdtempSync(join(tmpdir(), 'sightline-home-'));
  writeFileSync(join(own, 'config.toml'), '[tools.browser]\nenabled = false\n[tools.fetch_url]\nenabled = false\n');
  await using servers = await connectServers({
    ours: { command: process.execPath, args: [...program], env: { SIGHTLINE_HOME: own } },
  });
  const names = servers.tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['ours_read_file', 'ours_screenshot']));
  expect(names.filter((name) => /browser|webpage|compare|fetch/.test(name))).toEqual([]);
});

test('over HTTP the address and a token are told', async () => {
  const { child, lines } = start('--http');
  const told = lines('stderr');
  const [address, token] = [String((await told.next()).value), String((await told.next()).value)];
  expect(address).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  expect(token).toMatch(/^Token: [\w-]{32}$/);
  const url = address.replace('Listening on ', '');
  expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  const { host, port } = new URL(url);
  for (const head of [
    `TRACE /mcp HTTP/1.1\r\nHost: ${host}`,
    'GET /mcp HTTP/1.1\r\nHost: a@127.0.0.1',
    `GET //u@x/mcp HTTP/1.1\r\nHost: ${host}`,
    `GET // HTTP/1.1\r\nHost: ${host}`,
    `CONNECT ${host} HTTP/1.1\r\nHost: ${host}`,
  ]) {
    expect(await firstLine(Number(port), `${head}\r\n\r\n`)).toBe('HTTP/1.1 400 Bad Request');
  }
  expect(child.exitCode).toBe(null);
  child.kill();
});

/** What a program answers to bytes that no HTTP client would send. */
async function firstLine(port: number, bytes: string): Promise<string> {
  const chunks: Buffer[] = [];
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString().split('\r\n')[0] ?? '';
}

test('the list names every server, its tools and what is wrong with it', async () => {
  const { code, stdout } = await runNode([...program, 'list', '--json'], { SIGHTLINE_HOME: home });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual([
    { name: 'mine', state: 'ready', about: 'hostile 1', tools: ['mine_chatter'] },
    {
      name: 'lost',
      state: 'failed',
      problem: '"no-such-program" was not found; install it, or give its full path.',
      tools: [],
    },
  ]);
  const shown = await runNode([...program, 'list'], { SIGHTLINE_HOME: home });
  expect(shown.stdout).toMatch(/^mine {2}ready {2}hostile 1 {2}1 tool\n {2}mine_chatter\nlost {2}failed {2}0 tools\n/);
});

test('a tool that is not there is refused before anything is served', async () => {
  const { code, stderr } = await runNode([...program, '--tools', 'nonesuch'], { SIGHTLINE_HOME: home });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^Refused: There is no tool "nonesuch"\. Tools: read_file/);
});
