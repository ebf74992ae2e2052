// `sightline ask` as a shell sees it, against a model that follows a script over the network.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isMedia } from '../../src/content/block.ts';
import type { Answer, Asked, ScriptedServer, Step } from '../../src/model/script/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { openSessions } from '../../src/session/store.ts';
import { event, faultServer, rawBody, streamOf } from '../model/fault-server.ts';
import { isRunning, writeProgram } from '../program.ts';
import type { Ran, Surroundings } from './run.ts';
import { mainFile, newFolder, run } from './run.ts';
import { sampleFolder } from './samples.ts';
import { onlySome } from '../some.ts';

onlySome(14);

const folder = sampleFolder();
const servers: ScriptedServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Nobody's keys and nobody's Ollama. */
const bare: Record<string, string> = {
  ...Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /_API_KEY$|_AUTH_TOKEN$/.test(name))
      .map((name) => [name, '']),
  ),
  OLLAMA_HOST: 'http://127.0.0.1:9',
};

type Asking = { env: Record<string, string>; server: ScriptedServer };

async function serving(steps: Parameters<typeof script>[0], home: string = newFolder()): Promise<Asking> {
  const server = await scriptedServer(script(steps));
  servers.push(server);
  const { url } = server;
  const env = { ...bare, SIGHTLINE_HOME: home, ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: url };
  return { server, env: { ...env, OPENAI_API_KEY: 'key', OPENAI_BASE_URL: `${url}/v1` } };
}

function ask(words: string[], { env }: Pick<Asking, 'env'>, more: Surroundings = {}): Promise<Ran> {
  return run(['ask', ...words], { cwd: folder, env, ...more });
}

const look: Step = { text: 'Looking.', calls: [{ name: 'read_file', input: { path: 'chart.png' } }] };

/** Attaches the newest asset that list_assets tells of. */
const attachNewest = ({ transcript }: Asked): Answer => {
  const [, name = ''] = /newest first\.\]\\n([0-9a-f]{8})/.exec(JSON.stringify(transcript.messages)) ?? [];
  return { calls: [{ name: 'attach_to_response', input: { assets: [name] } }] };
};

/** Names what came with the last message of the user. */
const inventory = ({ transcript }: Asked): { text: string } => {
  const last = transcript.messages.findLast(({ role }) => role === 'user')?.content ?? [];
  const blocks = Array.isArray(last) ? last : [last];
  return {
    text: blocks
      .map((block) =>
        typeof block === 'object' && isMedia(block)
          ? block.type
          : typeof block === 'object' && 'text' in block
            ? block.text
            : block,
      )
      .join('|'),
  };
};

/** What a provider says, and what helps. */
const failures: [status: number, message: string, next: string][] = [
  [401, 'invalid x-api-key', 'Check the key in ANTHROPIC_API_KEY, and that it may use'],
  [404, 'model: x', 'Check the name of the model and the address. "sightline models"'],
  [529, 'Overloaded', 'Ask again later, or choose another model with -m.'],
  [429, 'Slow down', 'Wait a little and ask again, or choose another model with -m.'],
  [400, 'max_tokens: too few', '"sightline inspect" shows what was sent.'],
];

test.concurrent.for(failures)(
  'what a provider refuses with %i %s is told with what helps',
  async ([status, message, next]) => {
    const asking = await serving(() => ({ error: { status, message } }));
    const { code, stderr } = await ask(['-m', 'anthropic/claude-sonnet-5', 'hello'], asking);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Failed: [^\n]+\n  Next:  /);
    expect(stderr).toContain(`  Next:  ${next}`);
  },
);

test.concurrent('the answer goes to stdout, what happens on the way and the cost to stderr', async () => {
  const usage = { inputTokens: 5000, outputTokens: 20, cachedTokens: 4000 };
  const asking = await serving([look, { text: 'Four bars.', usage }]);
  const { code, stdout, stderr } = await ask(['what', 'is in the chart?'], asking);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Looking.\nFour bars.\n' });
  expect(stderr).toContain('· read_file {"path":"chart.png"}\n');
  expect(stderr).toMatch(/image "chart\.png" 640×400, image\/png/);
  expect(stderr).toMatch(/tokens in, 4,000 of them cached, \d+ out · \$0\.\d{4}\n$/);
});

const location = (page: number): object => ({
  type: 'page_location',
  cited_text: `Page ${page}.`,
  document_index: 0,
  document_title: 'report.pdf',
  start_page_number: page,
  end_page_number: page + 1,
  file_id: null,
});

test.concurrent('--citations numbers the sources of an answer and names them below it', async () => {
  const blocks: [string, object[]][] = [['Sales ', []], ['grew', [location(1)]], [' and then ', []], ['fell', [location(2), location(1)]], ['.', []]];
  const frames = blocks.flatMap(([text, citations], index) => [
    event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }),
    ...citations.map((citation) => event({ type: 'content_block_delta', index, delta: { type: 'citations_delta', citation } })),
    event({ type: 'content_block_stop', index }),
  ]);
  const [start = '', ...rest] = streamOf('').split(/(?=event: )/);
  const server = await faultServer(() => rawBody([start, ...frames, ...rest.slice(-2)].join('')));
  const env = { ...bare, SIGHTLINE_HOME: newFolder(), ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url };
  const expected = 'Sales grew[1] and then fell[2][1].\n\n[1] report.pdf, page 1: "Page 1."\n[2] report.pdf, page 2: "Page 2."\n';
  const asked = ['-m', 'anthropic/claude-sonnet-4-5', '--citations', '-f', 'report.pdf', 'what?'];
  expect(await ask(asked, { env })).toMatchObject({ code: 0, stdout: expected });
  expect(await ask(['-q', ...asked], { env })).toMatchObject({ code: 0, stdout: expected });
  expect(server.heard[0]?.body).toContain('"citations":{"enabled":true}');
  await server.close();
}); // prettier-ignore

test.concurrent('--quiet is the answer alone', async () => {
  const asking = await serving([look, { text: 'Four bars.' }]);
  expect(await ask(['-q', 'what?'], asking)).toEqual({ code: 0, stdout: 'Four bars.\n', stderr: '' });
});

test.concurrent('--json is a line for each event, without the ledger', async () => {
  const asking = await serving([look, { text: 'Four bars.' }]);
  const { code, stdout } = await ask(['--json', '-m', 'openai/gpt-5.2', 'what?'], asking);
  const events = stdout.trim().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
  expect(code).toBe(0);
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['step-start', 'call-end', 'block-delta']));
  expect(events.at(-1)).toMatchObject({ type: 'run-end', stop: 'end' });
  expect(stdout).not.toContain('"ledger"');
});

test.concurrent.each<[words: string[], stdin: string | Uint8Array, heard: string]>([
  [
    ['of @report.pdf?', '-f', 'chart.png'],
    '',
    '[attached: chart.png]|image|[attached: report.pdf]|document|of @report.pdf?',
  ],
  [['review this'], 'a diff', '[attached: stdin]|a diff|review this'],
  [['-f', '-', 'what?'], readFileSync(join(folder, 'chart.png')), '[attached: stdin]|image|what?'],
  [['-'], 'What is 5 - 3?', '[attached: stdin]|What is 5 - 3?'],
  [['review', 'this', '-'], 'a diff', '[attached: stdin]|a diff|review this'],
  [['-', 'what?'], readFileSync(join(folder, 'chart.png')), '[attached: stdin]|image|what?'],
  [['what', 'is', '5', '-', '3'], '', 'what is 5 - 3'],
])('%j is heard with its files', async (words, stdin, heard) => {
  const { code, stdout } = await ask(['-q', ...words], await serving(inventory), { stdin });
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${heard}\n` });
});

test.concurrent('stdin that is named has to hold something, and is read once', async () => {
  const empty = await ask(['-'], await serving([]));
  expect(empty).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('stdin is empty') as string });
  const twice = await ask(['-', '-f', '-'], await serving([]), { stdin: 'what?' });
  expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('can be read only once') as string });
});

test.concurrent('a file that is not there is said, not swallowed', async () => {
  const { code, stdout, stderr } = await ask(['what is @absent.png?', '-f', 'missing.png'], await serving([]));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('There is no file absent.png, so it is sent as text.');
  expect(stderr).toContain('Refused: missing.png does not exist');
});

test.concurrent('a refusal is a line of JSON for programs', async () => {
  const { code, stdout } = await ask(['what?', '-f', 'absent.png', '--json'], await serving([]));
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ type: 'refused', refusal: { code: 'not-found' } });
});

test.concurrent('a question that cannot be asked for want of a key leaves no conversation behind', async () => {
  const home = newFolder();
  const { code, stderr } = await ask(['-m', 'openai/gpt-5.2', 'hello'], { env: { ...bare, SIGHTLINE_HOME: home } });
  expect(code).toBe(1);
  expect(stderr).toContain('There is no key for openai\n  Next:  Set OPENAI_API_KEY');
  await using store = openSessions({ home });
  expect(await store.list()).toEqual([]);
});

test.concurrent('--thinking says how hard the model thinks, --allow-host where the web tools may go', async () => {
  const site = await serving([]);
  const host = new URL(site.server.url).host;
  const asking = await serving([
    { calls: [{ name: 'fetch_url', input: { url: `http://${host}/v1/models` } }] },
    { text: 'Seen.' },
  ]);
  const flags = ['-m', 'anthropic/claude-sonnet-4-5', '--thinking', 'high', '--tools', 'fetch_url'];
  const { code, stdout } = await ask([...flags, '--allow-host', host, 'look'], asking);
  expect([code, stdout]).toEqual([0, 'Seen.\n']);
  const bodies = asking.server.requests.flatMap(({ wire, body }) => (wire ? [body] : []));
  expect(bodies[0]).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 16_384 } });
  expect(JSON.stringify(bodies.at(-1))).toContain('scripted'); // the list of the other server
});

test.concurrent.each([
  ['none', []],
  ['read_file', ['read_file']],
  ['screenshot', ['screenshot']],
  ['all', ['read_file', 'fetch_url', 'screenshot']],
])('--tools %s offers %j', async (tools, offered) => {
  const asking = await serving([{ text: 'Fine.' }]);
  await ask(['hello', '--tools', tools], asking);
  const body = asking.server.requests.find(({ wire }) => wire)?.body as { tools?: { name: string }[] };
  const names = (body.tools ?? []).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(offered));
  expect(names.includes('fetch_url')).toBe(tools === 'all');
  if (tools !== 'all') expect(names).toEqual(offered);
});

test.concurrent('a tool or a group that the settings switch off is offered to no model', async () => {
  const home = newFolder();
  writeFileSync(join(home, 'config.toml'), '[tools.browser]\nenabled = false\n[tools.fetch_url]\nenabled = false\n');
  const asking = await serving([{ text: 'Fine.' }], home);
  await ask(['hello', '--tools', 'all'], asking);
  const body = asking.server.requests.find(({ wire }) => wire)?.body as { tools?: { name: string }[] };
  const names = (body.tools ?? []).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['read_file', 'view_asset', 'screenshot']));
  expect(names.filter((name) => /^browser|webpage|compare|fetch/.test(name))).toEqual([]);
});

test.concurrent('an executable that has the name of a shipped tool does not take its place, and the person is told', async () => {
  const home = newFolder();
  const spec = { name: 'read_file', description: 'Mine.', input_schema: { type: 'object', properties: {} } };
  mkdirSync(join(home, 'tools'));
  writeProgram(join(home, 'tools', 'mine'), `#!/bin/sh\necho '${JSON.stringify(spec)}'\n`);
  const asking = await serving([{ text: 'Fine.' }], home);
  const { code, stderr } = await ask(['hello', '--tools', 'read_file'], asking);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('read_file: another tool has this name'),
  });
  const body = asking.server.requests.find(({ wire }) => wire)?.body as { tools?: { description: string }[] };
  expect(body.tools?.map(({ description }) => description)).toEqual([expect.not.stringContaining('Mine.')]);
});

test.concurrent('a tool that cannot be used is told once, with what to do about it', async () => {
  const home = newFolder();
  const spec = {
    name: 'mail',
    description: 'Mail.',
    requires_auth: true,
    input_schema: { type: 'object', properties: {} },
  };
  mkdirSync(join(home, 'tools'));
  const body = `[ "$1" = --authorize ] && echo '{"success":false,"message":"no token"}' || echo '${JSON.stringify(spec)}'`;
  writeProgram(join(home, 'tools', 'mail'), `#!/bin/sh\n${body}\n`);
  const asking = await serving([look, { text: 'Fine.' }], home);
  const { code, stderr } = await ask(['hello', '--tools', 'all'], asking);
  expect(code).toBe(0);
  expect(stderr.match(/^.*\bmail\b.*$/gm)).toEqual(['mail: no token. Run: sightline tools auth mail']);
  for (const { body: sent } of asking.server.requests) expect(JSON.stringify(sent ?? {})).not.toContain('"mail"');
});

/** A server that leaves a sign where it works, and never answers. */
function hangingServer(home: string): string {
  const file = join(home, 'started');
  const program = 'require("fs").writeFileSync(process.argv[1], ""); setInterval(() => undefined, 1000)';
  const args = JSON.stringify(['-e', program, file]);
  writeFileSync(
    join(home, 'config.toml'),
    `[mcp.slow]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${args}\n`,
  );
  return file;
}

test.concurrent.each([
  [[], 'Your own tools are off here ([mcp.slow]): --tools all turns them on.\n'],
  [['--tools', 'read_file'], ''],
])('with %j no server is started whose tools are not offered', async (words, told) => {
  const home = newFolder();
  const sign = hangingServer(home);
  const { code, stderr } = await ask(['hello', ...words], await serving([{ text: 'Fine.' }], home));
  expect({ code, started: existsSync(sign) }).toEqual({ code: 0, started: false });
  expect(stderr).toContain(told);
});

test.concurrent('an interrupt ends the program at once while servers still start', async () => {
  const home = newFolder();
  const sign = hangingServer(home);
  const { env } = await serving([], home);
  const words = ['ask', '--tools', 'all', 'hello'];
  const child = spawn(process.execPath, [mainFile, ...words], { env: { ...process.env, ...env }, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await expect.poll(() => existsSync(sign), { timeout: 30_000 }).toBe(true);
  child.kill('SIGINT');
  expect(await ended).toBe(130);
});

test.concurrent('a tool nobody has is refused with what may have been meant', async () => {
  const { code, stderr } = await ask(['hello', '--tools', 'raed_file'], await serving([]));
  expect(code).toBe(1);
  expect(stderr).toContain('There is no tool "raed_file"\n  Next:  Did you mean "read_file"?');
});

test.concurrent('-r last goes on with the newest conversation', async () => {
  const home = newFolder();
  const asking = await serving([{ text: 'I will.' }, { text: 'You are Ada.' }], home);
  await ask(['my name is Ada'], asking);
  const { stdout } = await ask(['-r', 'last', 'who am I?'], asking);
  expect(stdout).toBe('You are Ada.\n');
  expect(JSON.stringify(asking.server.requests.at(-1)?.body)).toContain('my name is Ada');
});

test.concurrent('-c goes on with the model that answered last, by its own name, unless another is named', async () => {
  const home = newFolder();
  const asking = await serving(({ model }) => ({ text: `I am ${model}.` }), home);
  const [own, url] = ['model = "openai-chat/mine"', `base_url = "${asking.server.url}/v1"`];
  writeFileSync(join(home, 'config.toml'), `[models.mine]\n${own}\n${url}\napi_key = "k"\n`, { mode: 0o600 });
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...env } = asking.env;
  await ask(['-m', 'mine', 'hello'], { env });
  const { stdout, stderr } = await ask(['-c', 'who are you?'], { env });
  expect(stdout).toBe('I am mine.\n');
  expect(stderr).toMatch(/^Going on with mine, which answered last; -m chooses another\.\n/);
  const other = await ask(['-c', '-m', 'anthropic/claude-sonnet-4-5', 'and you?'], { env });
  expect(other.stdout).toBe('I am claude-sonnet-4-5.\n');
  expect(other.stderr).not.toContain('Going on with');
  expect((await ask(['-c', '-q', 'and now?'], { env })).stderr).toBe('');
});

test.concurrent.each([
  ['openai/gpt-5.2', 'there is no key for openai', 'Set OPENAI_API_KEY'],
  ['vendor-of-old/model', 'it is not known here any more', 'Add it to config.toml'],
])('-c says what to do when %s answered last and cannot be asked any more', async (model, what, next) => {
  const home = newFolder();
  const { env } = await serving([], home);
  const store = openSessions({ home });
  await store.create({ title: 'A walk', model });
  await store.close();
  const { code, stderr } = await ask(['-c', 'and now?'], { env: { ...env, OPENAI_API_KEY: '' } });
  expect(code).toBe(1);
  expect(stderr).toContain(`Refused: ${model} answered in this conversation, but ${what}\n`);
  expect(stderr).toMatch(new RegExp(`Next: {2}${next}, or add: -m anthropic/`));
});

test.concurrent('-r with an id that nobody has is refused', async () => {
  const { stderr, code } = await ask(['-r', 'nothing', 'who?'], await serving([]));
  expect(code).toBe(1);
  expect(stderr).toContain('Refused: There is no session nothing');
});

test.concurrent('the next model takes over, and what it is not its own is not printed twice', async () => {
  const asking = await serving(({ model }) =>
    model === 'gpt-5.2' ? { text: 'I can.' } : { text: 'I will tell you all about it, but', cutAfter: 6 },
  );
  const { code, stdout, stderr } = await ask(['-m', 'anthropic/claude-sonnet-4-5,openai/gpt-5.2', 'tell'], asking);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'I can.\n' });
  expect(stderr).toContain('Trying again with openai/gpt-5.2.');
});

test.concurrent('a provider that refuses is a line and exit 1', async () => {
  const asking = await serving(() => ({ error: { status: 401, message: 'invalid x-api-key' } }));
  const { code, stdout, stderr } = await ask(['hello'], asking);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/Failed: .*invalid x-api-key/);
});

test.concurrent('an answer that was cut off by its length is printed, told as such, and ends with 1', async () => {
  const asking = await serving([{ text: 'It begins with', stop: 'length' }]);
  const { code, stdout, stderr } = await ask(['tell me all'], asking);
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'It begins with\n' });
  expect(stderr).toContain('The answer is cut off: it has reached its length limit. "sightline ask -c go on" lets it.');
});

test.concurrent('a limit of cost that could not hold is refused before anything is sent', async () => {
  const { server, env } = await serving([]);
  const local = { ...env, OLLAMA_HOST: server.url };
  const { code, stderr } = await ask(['hello', '-m', 'ollama/qwen3-vl', '--max-cost', '1'], { env: local });
  expect(code).toBe(1);
  expect(stderr).toContain('Failed: The catalog has no prices of ollama/qwen3-vl');
  expect(server.requests.filter(({ wire }) => wire !== undefined)).toEqual([]);
});

test.concurrent.each([
  [[], /there is no question\. Write it after the command\.\nTry: sightline ask "what does @chart\.png show\?"\n$/],
  [['hello', '--max-steps', '0'], /whole number above 0/],
  [['hello', '--max-cost', 'much'], /amount of dollars/],
])('%j is wrong usage', async (words, said) => {
  const { code, stderr } = await ask(words, await serving([]));
  expect(code).toBe(2);
  expect(stderr).toMatch(said);
});

test.concurrent('a model nobody knows is refused before anything is stored', async () => {
  const home = newFolder();
  const asking = await serving([], home);
  const { code, stderr } = await ask(['hello', '-m', 'gpt-5.2'], asking);
  expect(code).toBe(1);
  expect(stderr).toContain('Refused: The model "gpt-5.2" has no endpoint');
  expect((await run(['sessions', 'list', '--json'], { env: asking.env })).stdout.trim()).toBe('[]');
});

test.concurrent('without a key and a local model one screen says what was looked for and how to go on', async () => {
  const { code, stdout, stderr } = await ask(['hello'], { env: { ...bare, SIGHTLINE_HOME: newFolder() } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  for (const word of ['ANTHROPIC_API_KEY', 'Ollama', 'ollama pull', 'sightline demo', 'config.toml'])
    expect(stderr).toContain(word);
  expect(stderr.split('\n').length).toBeLessThan(12);
});

test.concurrent('an interrupt ends with 130, and what was said is kept', async () => {
  const home = newFolder();
  const endless = { text: `One two three ${'and more '.repeat(2000)}`, slow: 100 };
  const asking = await serving([endless], home);
  const child = spawn(process.execPath, [mainFile, 'ask', '--json', 'count'], {
    cwd: folder,
    env: { ...process.env, ...asking.env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let seen = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const before = seen.includes('block-delta');
    seen += chunk.toString();
    if (!before && seen.includes('block-delta')) child.kill('SIGINT');
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(130);
  expect(JSON.parse(seen.trim().split('\n').at(-1) ?? '')).toMatchObject({ type: 'run-end', stop: 'aborted' });
  const shown = await run(['sessions', 'search', 'One', '--json'], { env: asking.env });
  expect(JSON.parse(shown.stdout)).toHaveLength(1);
});

test('a second interrupt ends the program at once, and the tool that does not care', async () => {
  const home = newFolder();
  const [sign, asked] = [join(home, 'pid'), join(home, 'asked')];
  const spec = { name: 'nap', description: 'Naps.', input_schema: { type: 'object', properties: {} } };
  const body = `trap "touch '${asked}'" TERM\necho $$ > '${sign}.new'; mv '${sign}.new' '${sign}'\nwhile :; do sleep 0.1; done`;
  mkdirSync(join(home, 'tools'));
  writeProgram(
    join(home, 'tools', 'nap.sh'),
    `#!/bin/sh\n[ "$1" = --toolspec ] && { echo '${JSON.stringify(spec)}'; exit; }\n${body}\n`,
  );
  const { env } = await serving([{ calls: [{ name: 'nap' }] }], home);
  const child = spawn(process.execPath, [mainFile, 'ask', '--tools', 'nap', 'sleep'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await expect.poll(() => existsSync(sign), { timeout: 30_000 }).toBe(true);
  const pid = Number(readFileSync(sign, 'utf8'));
  child.kill('SIGINT');
  await expect.poll(() => existsSync(asked), { timeout: 30_000 }).toBe(true);
  child.kill('SIGINT');
  const code = await ended;
  try {
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(code).toBe(130);
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});

test.concurrent('ceilings of the settings hold, and one that means nothing is told with its line', async () => {
  const home = newFolder();
  const asking = await serving(inventory, home);
  writeFileSync(join(home, 'config.toml'), '[limits]\nimage_bytes = 1000\n');
  const small = await ask(['what?', '-f', 'chart.png'], asking);
  expect(small).toMatchObject({ code: 1 });
  expect(small.stderr).toContain('Limit: 1,000 bytes');
  expect((await run(['read', 'chart.png'], { cwd: folder, env: asking.env })).stderr).toContain('Limit: 1,000 bytes');
  writeFileSync(join(home, 'config.toml'), '[limits]\nimage_byte = 1000\n');
  const wrong = await run(['read', 'chart.png'], { cwd: folder, env: asking.env });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('config.toml:2: unknown key "limits.image_byte"');
  expect(wrong.stderr).toContain('Did you mean "image_bytes"?');
});

test.concurrent('what the settings ask of a model is asked of it', async () => {
  const home = newFolder();
  const text = '[models.cool]\nmodel = "openai-chat/gpt-4.1"\ntemperature = 0.1\nmax_tokens = 700\nseed = 7\n';
  writeFileSync(join(home, 'config.toml'), text, { mode: 0o600 });
  const asking = await serving([{ text: 'Fine.' }], home);
  await ask(['-m', 'cool', 'hello'], asking);
  expect(asking.server.requests.find(({ wire }) => wire)?.body).toMatchObject({
    temperature: 0.1,
    max_completion_tokens: 700,
    seed: 7,
  });
});

test.concurrent('the settings say how many pictures stay in sight', async () => {
  const home = newFolder();
  writeFileSync(join(home, 'config.toml'), '[window]\nimages_to_keep = 1\nstrict = true\n', { mode: 0o600 });
  const asking = await serving([look, look, { text: 'Fine.' }], home);
  await ask(['-m', 'anthropic/claude-sonnet-4-5', 'look twice'], asking);
  const bodies = asking.server.requests.flatMap(({ wire, body }) => (wire ? [JSON.stringify(body)] : []));
  expect(bodies.map((body) => body.split('"type":"image"').length - 1)).toEqual([0, 1, 1]);
  expect(bodies.at(-1)).toMatch(/chart\.png.{0,60} not shown.{0,60} call view_asset to see it/);
});

test.concurrent('a home that cannot be written keeps nothing, says so, and answers all the same', async () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  const asking = await serving([{ text: 'Hello.' }], join(file, 'home'));
  const [asked, goesOn] = await Promise.all([ask(['hi'], asking), ask(['-c', 'hi'], asking)]);
  expect(asked).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  expect(asked.stderr).toContain(
    `Nothing of this conversation will be kept: ${join(file, 'home')} cannot be made: ${file} is no folder.`,
  );
  expect(goesOn).toMatchObject({ code: 1, stdout: '' });
});

test.concurrent('of a long text in a pipe the person is told what the model sees', async () => {
  const asking = await serving([{ text: 'A log.' }]);
  const { code, stderr } = await ask(['why?'], asking, { stdin: 'one more line\n'.repeat(50_000) });
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /stdin, 700 kB: the model sees lines 1 to [\d,]+ of 50,000 now; it can read and search the rest/,
  );
});

test.concurrent.each([
  ['no question', ['--json'], 'usage'],
  ['an option that is none', ['--json', '--colour', 'what?'], 'usage'],
  ['a model that is none', ['--json', '-m', 'nowhere/x', 'what?'], 'config'],
  ['a session that is none', ['--json', '-r', 'no-such-session', 'what?'], undefined],
])('--json with %s is one line that says so', async (_name, words, code) => {
  const ran = await ask(words, await serving([]));
  expect(ran.code).not.toBe(0);
  const lines = ran.stdout.trim().split('\n');
  expect(lines).toHaveLength(1);
  const told = JSON.parse(lines[0] ?? '') as { type: string; refusal: { code: string; next: string } };
  expect(told.type).toBe('refused');
  if (code !== undefined) expect(told.refusal.code).toBe(code);
  expect(told.refusal.next).not.toBe('');
});

test.concurrent('--json gives the reason of a failure, not what was told before it', async () => {
  const words = ['--json', 'what is @absent.pdf?'];
  const { stdout, stderr } = await ask(words, { env: { ...bare, SIGHTLINE_HOME: newFolder() } });
  expect(stderr).toContain('There is no file absent.pdf');
  expect(JSON.parse(stdout)).toMatchObject({ type: 'refused', refusal: { what: 'There is no model to ask yet.' } });
});

test.concurrent('--json with a provider that refuses is a line for each event, the failure last', async () => {
  const asking = await serving([{ error: { status: 401, message: 'no such key' } }]);
  const { code, stdout } = await ask(['--json', '-m', 'openai/gpt-5.2', 'what?'], asking);
  expect(code).toBe(1);
  const events = stdout.trim().split('\n').map((line) => JSON.parse(line) as { type: string }); // prettier-ignore
  expect(events.filter(({ type }) => type === 'run-end' || type === 'refused')).toEqual([
    expect.objectContaining({ type: 'run-end', stop: 'error', error: expect.objectContaining({ code: 'auth' }) }),
  ]);
  expect(events.at(-1)?.type).toBe('run-end');
});

test.concurrent('a model of one’s own stays itself in what is shown of its conversation later', async () => {
  const home = newFolder();
  const asking = await serving([look, { text: 'Four bars.' }], home);
  const own = `[models.mine]\nmodel = "openai-chat/gpt-4.1"\nbase_url = "${asking.server.url}/house/v1"\n[models.mine.capabilities]\nvision = false\n`;
  writeFileSync(join(home, 'config.toml'), own);
  expect((await ask(['-m', 'mine', 'what?'], asking)).code).toBe(0);
  const show = async (...words: string[]): Promise<string> =>
    (await run(words, { cwd: folder, env: asking.env })).stdout;
  for (const words of [['wire', 'last', '--json'], ['wire', 'last'], ['sessions', 'show', 'last', '--raw'], ['sessions', 'show', 'last', '--raw', '--json']]) {
    const shown = await show(...words);
    if (!words.includes('--raw') || !words.includes('--json')) expect(shown, words.join(' ')).toContain('/house/v1');
    expect(shown, words.join(' ')).not.toContain('image_url');
    if (words.includes('--json')) expect(shown, words.join(' ')).toContain('this model takes no pictures');
  }
  const page = join(newFolder(), 'page.html');
  await show('sessions', 'export', 'last', page);
  expect(readFileSync(page, 'utf8')).toContain('sent in words');
}); // prettier-ignore

test('what the model gives along with its answer lies in a file that is named', async () => {
  const asking = await serving([look, { calls: [{ name: 'list_assets' }] }, attachNewest, { text: 'Here it is.' }]);
  const { code, stdout, stderr } = await ask(['give me the chart'], asking);
  expect([code, stdout]).toEqual([0, 'Looking.\nHere it is.\n']);
  expect(stderr).toContain('attached: image "chart.png" ');
  const [file = ''] = /^ {2}(\/.*chart\.png)$/m.exec(stderr)?.slice(1) ?? [];
  expect(readFileSync(file)).toEqual(readFileSync(join(folder, 'chart.png')));
  expect(statSync(file).mode & 0o077).toBe(0);
});
