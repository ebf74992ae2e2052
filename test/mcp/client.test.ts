import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { McpServer } from '../../src/config/mcp.ts';
import type { Block } from '../../src/content/block.ts';
import { connectServers } from '../../src/mcp/client.ts';
import type { ConnectOptions, Servers } from '../../src/mcp/client.ts';
import type { ToolMessage } from '../../src/tool/result.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';
import { isRunning } from '../program.ts';

const hostileServer: McpServer = { command: process.execPath, args: ['test/mcp/programs/hostile-server.ts'], env: {} };
const patient: ConnectOptions = { callMs: 120_000, startMs: 120_000 };
const assets = memoryAssets();

let hostile: Servers;
beforeAll(async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'secret'); // no server sees it
  hostile = await connectServers({ hostile: hostileServer }, patient);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await hostile.close();
});

function call(servers: Servers, name: string, input: object = {}, signal?: AbortSignal): Promise<ToolMessage> {
  const options = { tools: servers.tools, assets, ...(signal && { signal }) };
  return invokeTool({ type: 'call', id: 'c1', name, input }, options);
}

function wordsOf({ content }: { content: readonly Block[] }): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function kindsOf({ content }: { content: readonly Block[] }): string[] {
  return content.map(({ type }) => type);
}

test('all pages of a list are read, and what is no tool is left out', () => {
  const [state] = hostile.states;
  expect(state).toMatchObject({ name: 'hostile', state: 'ready', about: 'hostile 1' });
  expect(state?.tools).toHaveLength(hostile.tools.length);
  expect(state?.tools.slice(0, 3)).toEqual(['hostile_die', 'hostile_hang', 'hostile_flood']);
  expect(state?.tools.length).toBeGreaterThan(14);
});

test('every name fits every API and no two are the same', () => {
  const names = hostile.tools.map(({ name }) => name);
  expect(names.filter((name) => !/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain('hostile_has_spaces_and__nicode');
});

test('progress that arrives together with the result is heard before it', async () => {
  const heard: string[] = [];
  const hasty = { type: 'call', id: 'c1', name: 'hostile_hasty', input: {} } as const;
  const { tools } = hostile;
  const result = await invokeTool(hasty, { tools, assets, progress: (_call, message) => heard.push(message) });
  expect([wordsOf(result), heard]).toEqual(['done', ['nearly there']]);
});

const troubles: [tool: string, words: RegExp][] = [
  ['die', /failed: it ended during the call: it ended with code 7\. The call may have done part of its work/],
  [
    'last_words',
    /failed: it ended during the call: it ended with code 8\. It said: OSError: no such device\. The call/,
  ],
  ['flood', /failed: it ended during the call: it sent a message of more than 64 MiB\./],
  ['broken', /^The MCP server "hostile" failed: that tool is broken\.$/],
];

test.each(troubles)(
  'a server that does "%s" gives a clear error, and the next call finds it at work',
  async (tool, words) => {
    const result = await call(hostile, `hostile_${tool}`);
    expect(result.isError).toBe(true);
    expect(wordsOf(result)).toMatch(words);
    const next = await call(hostile, 'hostile_chatter');
    expect(next.isError).toBeUndefined();
    expect(wordsOf(next)).toBe('heard');
  },
);

test('a call without a sign of life is given up after its time', async () => {
  await using servers = await connectServers({ slow: { ...hostileServer, timeoutMs: 300 } }, patient);
  const result = await call(servers, 'slow_hang');
  expect(result.isError).toBe(true);
  expect(wordsOf(result)).toBe(
    'The MCP server "slow" failed: it gave no sign of life for 0.3 s, so the call was cancelled. ' +
      'Ask for less, or raise its timeout.',
  );
});

const aDayPasses = (): unknown => vi.setSystemTime(Date.now() + 86_400_000);

test('a call that reports progress goes on, however long it takes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const steady = { type: 'call', id: 'c1', name: 'hostile_steady', input: {} } as const;
  try {
    const result = await invokeTool(steady, { tools: hostile.tools, assets, progress: aDayPasses });
    expect(wordsOf(result)).toBe('done');
  } finally {
    vi.useRealTimers();
  }
});

test('5 000 texts all arrive: the first to be seen, the whole to be looked up', async () => {
  const result = await call(hostile, 'hostile_many_texts');
  expect(wordsOf(result)).toMatch(
    /^\[The first .* of 48,889 characters; the whole text is asset .*\]\nline 0\nline 1\n/,
  );
  const whole = await assets.get(result.kept?.[0]?.id ?? 'sha256:');
  expect(new TextDecoder().decode(whole)).toMatch(/^line 0\nline 1\n[^]*\nline 4999$/);
});

test('of 5 000 pictures the first hundred are shown, the others are kept, and the result says so', async () => {
  const result = await call(hostile, 'hostile_many_pictures');
  expect(kindsOf(result).filter((kind) => kind === 'image')).toHaveLength(100);
  expect(wordsOf(result)).toBe(
    '[5000 media came back; the first 100 are shown, the others are kept as assets: 6b7fa434]',
  );
  expect(result.kept?.map(({ mediaType }) => mediaType)).toEqual(['image/png']);
});

test('one medium that is no base64 costs nothing but itself', async () => {
  const result = await call(hostile, 'hostile_bad_base64');
  expect(kindsOf(result)).toEqual(['text', 'text', 'image', 'text']);
  expect(wordsOf(result)).toMatch(/^before\n\[image not shown: The data is not base64.*\]\nafter$/);
});

test('parts of unknown kinds become words, and what is beside them stays', async () => {
  const result = await call(hostile, 'hostile_strange');
  expect(kindsOf(result)).toEqual(['text', 'text', 'image']);
  expect(wordsOf(result)).toBe('{"type":"hologram","depth":3}\n5');
});

test('a result without anything is said to be one', async () => {
  expect(wordsOf(await call(hostile, 'hostile_nothing'))).toBe('Tool completed successfully (no output).');
});

test.each([
  ['bare_words', 'only words'],
  ['one_part', 'one part'],
  ['null_error', 'fine'],
])('what a server says in an odd form is heard: %s', async (tool, words) => {
  expect(wordsOf(await call(hostile, `hostile_${tool}`))).toBe(words);
});

test('structured content that says more is kept beside the picture', async () => {
  const result = await call(hostile, 'hostile_structured');
  expect(kindsOf(result)).toEqual(['text', 'image', 'text']);
  expect(wordsOf(result)).toContain('"note": "extra"');
  expect(result.details).toEqual({ structuredContent: { width: 1, note: 'extra' } });
});

test('a link leads to what it names, and one that leads nowhere says so', async () => {
  const result = await call(hostile, 'hostile_links');
  expect(kindsOf(result)).toEqual(['text', 'image', 'text', 'text']);
  expect(wordsOf(result)).toMatch(/\[hostile:\/\/missing could not be read: no such resource\]$/);
});

test('a server sees no key of ours', async () => {
  const names = wordsOf(await call(hostile, 'hostile_surroundings')).split(' ');
  expect(names).toContain('PATH');
  expect(names.filter((name) => /KEY|TOKEN|SECRET/.test(name))).toEqual([]);
});

test('a tool that comes later is found', async () => {
  await call(hostile, 'hostile_change');
  await expect.poll(() => hostile.tools.map(({ name }) => name)).toContain('hostile_late');
  expect(wordsOf(await call(hostile, 'hostile_late'))).toBe('here now');
});

test('a call that is cancelled is answered at once', async () => {
  const stop = new AbortController();
  const going = call(hostile, 'hostile_hang', {}, stop.signal);
  await sleep(50);
  stop.abort();
  expect(wordsOf(await going)).toMatch(/^Cancelled/);
});

test('a server that cannot be started again says so, and one that was closed stays closed', async () => {
  const environment: NodeJS.ProcessEnv = { MODE: 'good' };
  const server = { command: process.execPath, args: ['test/mcp/programs/hostile-server.ts'], env: { MODE: '${MODE}' } };
  const servers = await connectServers({ once: server }, { ...patient, environment });
  const { tools } = servers;
  const ask = (tool: string): Promise<ToolMessage> =>
    invokeTool({ type: 'call', id: 'c1', name: `once_${tool}`, input: {} }, { tools, assets });
  delete environment['MODE'];
  await ask('die');
  expect(wordsOf(await ask('chatter'))).toBe(
    'The MCP server "once" failed: it cannot be started: it needs the environment variable MODE, which is not set.',
  );
  await servers.close();
  expect(wordsOf(await ask('chatter'))).toContain('the servers were closed');
});

test('nothing is left behind when servers are closed', async () => {
  const servers = await connectServers({ hostile: hostileServer }, patient);
  const pid = Number(wordsOf(await call(servers, 'hostile_orphan')));
  expect(isRunning(pid)).toBe(true);
  await servers.close();
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(servers.states).toMatchObject([{ state: 'closed', tools: [] }]);
});

/** A program that answers its requests with these, one after the other. */
function answering(...results: object[]): McpServer {
  const lines = results.map((result, id) => `read line; echo '${JSON.stringify({ jsonrpc: '2.0', id, ...result })}';`);
  return { command: 'sh', args: ['-c', `${lines.join(' read line; ')} sleep 300`], env: {} };
}

const begun = (protocolVersion: string, capabilities: object): object => ({
  result: { protocolVersion, capabilities, serverInfo: { name: 'odd', version: '1' } },
});
const unknownMethod = { error: { code: -32_601, message: 'Method not found' } };

const unwilling = JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code: -1, message: 'not today' } });
const missing: [what: string, server: McpServer, state: string, problem: RegExp][] = [
  ['a missing program', { command: 'no-such-program', args: [], env: {} }, 'failed', /"no-such-program" was not found/],
  ['a program that ends', { command: 'sh', args: ['-c', 'echo cannot >&2; exit 3'], env: {} }, 'failed', /^It ended with code 3\. It said: cannot\.$/],
  ['a program that does not want', { command: 'sh', args: ['-c', `read line; echo '${unwilling}'; sleep 300`], env: {} }, 'failed', /^Not today\.$/],
  ['a program of another time', answering(begun('2099-01-01', {})), 'failed', /^It speaks version 2099-01-01 of the protocol, which is not known here\.$/],
  ['a program whose list fails', answering(begun('2025-06-18', { tools: {} }), unknownMethod), 'failed', /^Method not found\.$/],
  ['a program that is silent', { command: 'sleep', args: ['300'], env: {} }, 'failed', /^It did not answer within 0\.5 s\.$/],
  ['a variable that is not set', { url: 'http://127.0.0.1:9/', headers: { a: '${NO_SUCH_NAME}' } }, 'failed', /needs the environment variable NO_SUCH_NAME/],
  ['a site that is not there', { url: 'http://127.0.0.1:2/mcp', headers: {} }, 'failed', /^Fetch failed: .*ECONNREFUSED/],
  ['a project that is not trusted', { ...hostileServer, project: '/somewhere' }, 'untrusted', /sightline tools trust/],
]; // prettier-ignore

test.each(missing)('%s costs its own tools and says why', async (_what, server, state, problem) => {
  const silent = problem.source.includes('did not answer');
  await using servers = await connectServers({ bad: server }, silent ? { startMs: 500 } : patient);
  expect(servers.tools).toEqual([]);
  expect(servers.states).toMatchObject([{ name: 'bad', state, tools: [] }]);
  expect(servers.states[0]?.problem).toMatch(problem);
});

test('a server that has no tools, and never said so, is ready', async () => {
  const program = answering(begun('2025-06-18', { prompts: {} }), unknownMethod);
  await using servers = await connectServers({ prompts: program }, patient);
  expect(servers.states).toMatchObject([{ state: 'ready', about: 'odd 1', tools: [] }]);
});

test('a trusted project may start its servers, and only the tools that were asked for are taken', async () => {
  const server = { ...hostileServer, project: '/somewhere', tools: ['chatter'] };
  await using servers = await connectServers(
    { bad: server },
    { ...patient, trusts: (folder) => folder === '/somewhere' },
  );
  expect(servers.states).toMatchObject([{ state: 'ready', tools: ['bad_chatter'] }]);
});

test('a server may take as long as one can say', async () => {
  const ever = { ...patient, startMs: Infinity };
  await using servers = await connectServers({ slow: { ...hostileServer, timeoutMs: Infinity } }, ever);
  expect(servers.states).toMatchObject([{ state: 'ready' }]);
  expect(wordsOf(await call(servers, 'slow_chatter'))).toBe('heard');
});

/** The line of a shell that says a message of the protocol. */
const said = (message: object): string => `echo '${JSON.stringify({ jsonrpc: '2.0', ...message })}';`;

test('a list that changed while the first one was on its way is asked for again', async () => {
  const list = (id: number, name: string): string =>
    said({ id, result: { tools: [{ name, inputSchema: { type: 'object' } }] } });
  const changed = said({ method: 'notifications/tools/list_changed' });
  const begin = `read line; ${said({ id: 0, ...begun('2025-06-18', { tools: { listChanged: true } }) })} read line;`;
  const program = `${begin} read line; ${changed} sleep 0.3; ${list(1, 'early')} read line; ${list(2, 'late')} sleep 300`;
  await using servers = await connectServers({ lazy: { command: 'sh', args: ['-c', program], env: {} } }, patient);
  await expect.poll(() => servers.tools.map(({ name }) => name)).toEqual(['lazy_late']);
});
