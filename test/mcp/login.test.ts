// Logging in at a server over HTTP: a loopback server that is both the MCP server and the one that gives tokens, with
// discovery, registration, PKCE, refreshing and nothing left to trust.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { connectServers } from '../../src/mcp/client.ts';
import type { Servers } from '../../src/mcp/client.ts';
import { logIn } from '../../src/mcp/log-in.ts';
import { loginFile } from '../../src/mcp/login.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';
import { mainFile, run } from '../cli/run.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-login-'));
const servers: Server[] = [];
afterAll(() => {
  servers.forEach((server) => server.close());
  rmSync(scratch, { recursive: true });
});

type Site = {
  url: string;
  doors: unknown[];
  expire: () => void;
  revoke: () => void;
  restore: () => void;
  grants: string[];
};

/** Gives a token to whoever proves to be the one that asked for it; a token that has expired is refused. */
async function site(door?: string): Promise<Site> {
  const [codes, grants]: [Map<string, string>, string[]] = [new Map(), []];
  const doors: unknown[] = []; // what whoever gives tokens got to see of it
  let [valid, count, refreshable] = ['', 0, true];
  const give = (): object => {
    valid = `token-${++count}`;
    return { access_token: valid, token_type: 'Bearer', expires_in: 3600, refresh_token: `refresh-${count}` };
  };
  const routes: Record<string, (request: IncomingMessage, response: ServerResponse, body: string) => void> = {
    '/.well-known/oauth-protected-resource/mcp': (_request, response) =>
      json(response, 200, { resource: `${base}/mcp`, authorization_servers: [giver] }),
    '/.well-known/oauth-authorization-server': (_request, response) =>
      json(response, 200, {
        issuer: giver,
        authorization_endpoint: `${giver}/authorize`,
        token_endpoint: `${giver}/token`,
        registration_endpoint: `${giver}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      }),
    '/register': (_request, response, body) => json(response, 201, { ...JSON.parse(body), client_id: 'us' }),
    '/authorize': (request, response) => {
      const asked = new URL(request.url ?? '', base).searchParams;
      codes.set('a-code', asked.get('code_challenge') ?? '');
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code: 'a-code', state: asked.get('state') ?? '', iss: giver }).toString();
      response.writeHead(302, { location: back.href }).end();
    },
    '/token': (request, response, body) => {
      doors.push(request.headers['x-door']);
      const form = new URLSearchParams(body);
      grants.push(form.get('grant_type') ?? '');
      const proof = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url'); // prettier-ignore
      const isCode = form.get('grant_type') === 'authorization_code' && codes.get(form.get('code') ?? '') === proof;
      const isRefresh = form.get('refresh_token') === `refresh-${count}` && refreshable;
      json(response, isCode || isRefresh ? 200 : 400, isCode || isRefresh ? give() : { error: 'invalid_grant' });
    },
    '/mcp': (request, response, body) => {
      if (request.headers['x-door'] !== door) return void response.writeHead(403).end();
      if (valid === '' || request.headers.authorization !== `Bearer ${valid}`) {
        const about = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;
        return void response.writeHead(401, { 'www-authenticate': about }).end();
      }
      const { id, method, params } = body === '' ? {} : JSON.parse(body);
      if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
      json(response, 200, { jsonrpc: '2.0', id, result: answers(params?.protocolVersion)[String(method)] });
    },
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const route = routes[new URL(request.url ?? '/', base).pathname];
      if (route) route(request, response, Buffer.concat(chunks).toString());
      else response.writeHead(404).end();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const giver = door === undefined ? base : base.replace('127.0.0.1', 'localhost'); // another origin
  const expire = (): void => void (valid = 'none that was given');
  return {
    url: `${base}/mcp`,
    doors,
    grants,
    expire,
    revoke: () => [expire(), (refreshable = false)],
    restore: () => (refreshable = true),
  };
}

const answers = (protocolVersion: string): Record<string, unknown> => ({
  initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'locked', version: '1' } },
  'tools/list': { tools: [{ name: 'hello', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'come in' }] },
});

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const noHurry = (): AbortSignal => AbortSignal.timeout(60_000);
/** What a browser does with the address, the person agreeing at once. */
const agree = (address: URL): void => void fetch(address).catch(() => undefined);

const connected = (url: string, logins: string): Promise<Servers> =>
  connectServers({ locked: { url, headers: {} } }, { logins });

async function hello({ tools }: Servers): Promise<string> {
  return JSON.stringify(
    (await invokeTool({ type: 'call', id: '1', name: 'locked_hello', input: {} }, { tools })).content,
  );
}

test('a server that wants a login says so; after it, its tools are there, and tokens are refreshed', async () => {
  const logins = mkdtempSync(join(scratch, 'home-'));
  const { url, expire, revoke, grants } = await site();
  const file = loginFile(logins, 'locked');
  const before = await connected(url, logins);
  expect(before.states).toMatchObject([
    { state: 'failed', problem: expect.stringMatching(/^It wants a login\. Run: sightline mcp login locked; or give/) },
  ]);
  await before.close();
  expect(await logIn(url, { file, signal: noHurry(), ask: agree })).toBe('done');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await using after = await connected(url, logins);
  expect(await hello(after)).toContain('come in');
  expire();
  expect(await hello(after)).toContain('come in');
  expect(grants).toEqual(['authorization_code', 'refresh_token']);
  expect(readFileSync(file, 'utf8')).toContain('token-2'); // the next program has it, too
  revoke();
  expect(await hello(after)).toMatch(/it wants a login\. Run: sightline mcp login locked/);
});

test('calls at once after a token has expired share one new token', async () => {
  const logins = mkdtempSync(join(scratch, 'home-'));
  const { url, expire, grants } = await site();
  await logIn(url, { file: loginFile(logins, 'locked'), signal: noHurry(), ask: agree });
  await using locked = await connected(url, logins);
  expire();
  const said = await Promise.all([1, 2, 3].map(() => hello(locked)));
  expect(said.map((words) => words.includes('come in'))).toEqual([true, true, true]);
  expect(grants).toEqual(['authorization_code', 'refresh_token']);
});

test('a login that was made meanwhile, by whichever program, holds at once', async () => {
  const logins = mkdtempSync(join(scratch, 'home-'));
  const { url, expire, revoke, restore } = await site();
  const file = loginFile(logins, 'locked');
  await logIn(url, { file, signal: noHurry(), ask: agree });
  await using first = await connected(url, logins);
  await using second = await connected(url, logins);
  expire();
  expect(await hello(first)).toContain('come in');
  expect(await hello(second)).toContain('come in'); // its token is refused, and the file has a new one
  revoke();
  expect(await hello(first)).toContain('it wants a login');
  restore();
  await logIn(url, { file, signal: noHurry(), ask: agree });
  expect(await hello(first)).toContain('come in');
  expect(await hello(second)).toContain('come in');
});

test('a login knocks with the headers of the server, and shows them to nobody else', async () => {
  const home = mkdtempSync(join(scratch, 'home-'));
  const { url, doors, expire } = await site('open sesame');
  const headers = '{ X-Door = "open ${WORD}", Authorization = "Bearer ${NOT_SET}" }';
  writeFileSync(join(home, 'config.toml'), `[mcp.locked]\nurl = "${url}"\nheaders = ${headers}\n`);
  const env = { ...process.env, SIGHTLINE_HOME: home, WORD: 'sesame' };
  const child = spawn(process.execPath, [mainFile, 'mcp', 'login', 'locked'], { env });
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk.toString();
    const [, address] = /^ {2}(http\S+)\n/m.exec(told) ?? [];
    if (address !== undefined && doors.length === 0) agree(new URL(address));
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect({ code, told }).toEqual({ code: 0, told: expect.stringContaining('Logged in at 127.0.0.1:') });
  const known = { locked: { url, headers: { 'X-Door': 'open sesame' } } };
  await using locked = await connectServers(known, { logins: join(home, 'mcp') });
  expire();
  expect(await hello(locked)).toContain('come in');
  expect(doors).toEqual([undefined, undefined]);
  const { WORD: _word, ...less } = env;
  const unset = await run(['mcp', 'login', 'locked'], { env: { ...less, SIGHTLINE_HOME: home } });
  expect(unset.stderr).toContain('it needs the environment variable WORD, which is not set');
});

test('a login is used for the address it was made for, and for no other', async () => {
  const logins = mkdtempSync(join(scratch, 'home-'));
  const [mine, other] = [await site(), await site()];
  const file = loginFile(logins, 'locked');
  await logIn(mine.url, { file, signal: noHurry(), ask: agree });
  await using elsewhere = await connected(other.url, logins);
  expect(elsewhere.states).toMatchObject([{ state: 'failed' }]);
  expect(other.grants).toEqual([]);
  writeFileSync(file, 'torn {');
  await using torn = await connected(mine.url, logins);
  expect(torn.states).toMatchObject([{ state: 'failed', problem: expect.stringContaining('It wants a login') }]);
});

test('an answer to another question is not taken, and waiting ends', async () => {
  const { url } = await site();
  const file = loginFile(mkdtempSync(join(scratch, 'home-')), 'locked');
  const stop = new AbortController();
  const forge = async (address: URL): Promise<void> => {
    const back = new URL(address.searchParams.get('redirect_uri') ?? '');
    back.search = '?code=a-code&state=guessed';
    expect((await fetch(back)).status).toBe(404);
    stop.abort();
  };
  const failed = logIn(url, { file, signal: stop.signal, ask: (address) => void forge(address) });
  await expect(failed).rejects.toThrow(
    /The login at 127\.0\.0\.1:\d+ failed: nobody came back from the browser in time/,
  );
  expect(existsSync(file)).toBe(false);
});
