// Every example is run as a reader would run it, with the vendor's own SDK where it uses one, against a scripted model on
// this machine. What arrives there is judged by schemas nobody here wrote. The documents show these files.
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readSettings } from '../src/config/config.ts';
import type { WireName } from '../src/core.ts';
import { script, scriptedServer } from '../src/model/script/index.ts';
import type { ScriptedServer, Step } from '../src/model/script/index.ts';
import { base64InText, schemaErrors } from './judge/judge.ts';
import { onlySome } from './some.ts';

onlySome(14);

const words = 'Sales rose in every month.';
/** A program each, several at once, on a machine that may be busy. */
const patienceMs = 240_000;

function run(name: string, { url }: ScriptedServer, home: string): Promise<{ stdout: string }> {
  const addresses = {
    ANTHROPIC_BASE_URL: url,
    OPENAI_BASE_URL: `${url}/v1`,
    GOOGLE_GEMINI_BASE_URL: url,
    OLLAMA_HOST: url,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
    AWS_REGION: 'us-east-1',
  };
  const keys = { ANTHROPIC_API_KEY: 'key', OPENAI_API_KEY: 'key', GEMINI_API_KEY: 'key' };
  const signing = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const env = { ...process.env, ...addresses, ...keys, ...signing, SIGHTLINE_HOME: home };
  return promisify(execFile)(process.execPath, [`examples/${name}.ts`], { env, timeout: patienceMs });
}

const newHome = (): string => mkdtempSync(join(tmpdir(), 'sightline-examples-'));

/** What reached the model: no schema of its API complains, no medium is prose, and no byte was miscounted. */
async function judgeAll({ requests }: ScriptedServer, wire: WireName): Promise<void> {
  const asked = requests.filter((request) => request.wire !== undefined);
  for (const { wire: spoken, body, bytes, headers } of asked) {
    expect(spoken).toBe(wire);
    expect(await schemaErrors(wire, body)).toEqual([]);
    expect(base64InText(wire, body)).toEqual([]);
    expect(headers['content-length']).toBe(String(bytes));
  }
}

const reads = (file: string): Step => ({ calls: [{ name: 'read_file', input: { file_path: file } }] });
const refusedOnce: Step = { error: { status: 400, message: 'messages.2.content.0: Could not process image' } };

/** What the model says, one answer after the other, and what the example then prints. */
type Row = { wire: WireName; says: Step[]; prints: (string | RegExp)[] };

const rows: Record<string, Row> = {
  anthropic: { wire: 'anthropic-messages', says: [{ text: words }], prints: [words] },
  'openai-chat': { wire: 'openai-chat', says: [{ text: words }], prints: [words] },
  'openai-responses': { wire: 'openai-responses', says: [{ text: words }], prints: [words] },
  gemini: { wire: 'gemini', says: [{ text: words }], prints: [words] },
  bedrock: { wire: 'bedrock-converse', says: [{ text: words }], prints: [words] },
  ollama: { wire: 'ollama', says: [{ text: words }], prints: [words] },
  'by-address': { wire: 'anthropic-messages', says: [{ text: words }], prints: ['url', words] },
  fetch: { wire: 'anthropic-messages', says: [{ text: words }], prints: [words] },
  gateway: { wire: 'anthropic-messages', says: [{ text: words }], prints: [words] },
  'one-line': { wire: 'openai-chat', says: [{ text: words }], prints: [words] },
  stream: {
    wire: 'openai-responses',
    says: [{ thinking: 'Hm.', text: words, calls: [{ name: 'open_report', input: { quarter: 'Q4' } }] }],
    prints: [new RegExp(`^${words}\ncalls$`, 'm')],
  },
  'hosted-tool': {
    wire: 'openai-responses',
    says: [{ calls: [{ name: 'computer', input: { actions: [{ type: 'screenshot' }] } }] }, { text: words }],
    prints: [/^\{"actions":\[\{"type":"screenshot"\}\]\}$/m, new RegExp(`^${words}$`, 'm')],
  },
  'define-tool': {
    wire: 'anthropic-messages',
    says: [
      {
        calls: [
          { name: 'remove_rows', input: { table: 'drafts', rows: [1, 2] } },
          { name: 'remove_rows', input: { table: 'sent', rows: [1, 2, 3] } },
        ],
      },
      { text: words },
    ],
    prints: ['→ drafts', '  row 2 of drafts', '2 rows of ada are gone.', 'three rows are too many', words],
  },
  'document-tool': {
    wire: 'openai-chat',
    says: [
      { calls: [{ name: 'get_full_document_content', input: { document_id: 'r-2026' } }] },
      {
        calls: [
          { name: 'get_full_document_content', input: { document_id: 'r-2026', return_original: true } },
          { name: 'get_full_document_content', input: { document_id: 'r-2025' } },
        ],
      },
      { text: words },
    ],
    prints: [
      'Q3: 391 units',
      '[PDF "report.pdf", 1 page]',
      "type: 'document'",
      'Error: There is no document r-2025. There are r-2026.',
      words,
    ],
  },
  'agent-tool': {
    wire: 'anthropic-messages',
    says: [
      { calls: [{ name: 'ask_reader', input: { task: 'What does report.pdf say?' } }] },
      reads('examples/report.pdf'),
      { text: 'The third quarter was good.' },
      { text: words },
    ],
    prints: [words, /\d+ tokens, \$0\.\d{4}, the reader's among them/],
  },
  repair: {
    wire: 'anthropic-messages',
    says: [refusedOnce, { text: words }],
    prints: ['repaired: messages.2.content.0: Could not process image', words],
  },
  loop: { wire: 'openai-chat', says: [reads('chart.png'), { text: words }], prints: [words] },
  agent: {
    wire: 'anthropic-messages',
    says: [reads('report.pdf'), { text: words }],
    prints: [words, /^end, \$0\.\d{4}$/m],
  },
  steps: {
    wire: 'anthropic-messages',
    says: [reads('report.pdf'), { text: words }],
    prints: [`${words}\nend`],
  },
  output: {
    wire: 'anthropic-messages',
    says: [reads('report.pdf'), { text: '{"quarter":"Q3","rising":true}' }],
    prints: ['Q3 true'],
  },
  events: {
    wire: 'anthropic-messages',
    says: [{ calls: [{ name: 'fetch_url', input: { url: 'https://example.com' } }] }, { text: words }],
    prints: ['→ fetch_url {"url":"https://example.com"}', '← refused', words, /^end: \d+ tokens in, \d+ out$/m],
  },
  act: {
    wire: 'gemini',
    says: [reads('report.pdf'), { text: '{"quarter":"Q3","rising":true}' }],
    prints: ["[ 'read_file' ]", 'Q3 true 2'],
  },
  store: { wire: 'ollama', says: [{ text: words }], prints: ['A walk 2'] },
  'mcp-client': {
    wire: 'ollama',
    says: [{ calls: [{ name: 'charts_chart', input: { quarter: 'Q3' } }] }, { text: words }],
    prints: ['charts ready charts_chart', /^gone \w+ .*no-such-program/m, words],
  },
};

test.concurrent.each(Object.entries(rows))(
  'the example %s runs, and what it sends is what its API takes',
  async (name, row) => {
    await using server = await scriptedServer(script(row.says));
    const { stdout } = await run(name, server, newHome());
    for (const expected of row.prints) expect(stdout).toMatch(expected);
    expect(server.requests.filter(({ wire }) => wire !== undefined)).toHaveLength(row.says.length);
    await judgeAll(server, row.wire);
  },
);

test.concurrent('the example agent prints why it has no answer, and ends with 1', async () => {
  await using server = await scriptedServer(script([{ error: { status: 401, message: 'invalid x-api-key' } }]));
  const failed = await run('agent', server, newHome()).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 1, stdout: '', stderr: 'invalid x-api-key\n' });
});

test.concurrent.each(Object.entries(rows))('the example %s says why it has no answer', async (name) => {
  const refused: Step = { error: { status: 401, message: 'invalid x-api-key' } };
  await using server = await scriptedServer(script(Array.from({ length: 9 }, () => refused)));
  const ended = await run(name, server, newHome()).catch((error: unknown) => error);
  const { stdout, stderr } = ended as { stdout: string; stderr: string };
  expect(stdout + stderr).toContain('invalid x-api-key');
});

test.concurrent('the example session goes on where it ended, in another process', async () => {
  await using server = await scriptedServer(script([{ text: words }, { text: 'It rose.' }]));
  const home = newHome();
  expect((await run('session', server, home)).stdout).toBe(`${words}\n2 messages so far\n`);
  expect((await run('session', server, home)).stdout).toBe('It rose.\n4 messages so far\n');
  await judgeAll(server, 'openai-responses');
});

/** These bring their own server, or need none. */
const alone: Record<string, (string | RegExp)[]> = {
  script: ['I was shown 2 media.', /^2 requests, the last one with \d+ bytes$/m],
  'script-send': ['Hello.'],
  contract: [/an older lease stores nothing/, /fail 0/],
  heal: [
    'you are told: messages.0.content.0.image.source.base64.data: Could not process image',
    'not shown: the provider refused it as it was',
    'answer: I was not shown the chart.',
  ],
  read: ['The third quarter was weak', "code: 'too-large'"],
  tools: ['read_file: read, reads', 'expected number, received string'],
};

/** Pages that show what an example prints. */
const pages: Record<string, string> = { heal: 'docs/agents.md', read: 'docs/limits.md' };

/** What stands fenced on a page in one language. */
function fencedIn(page: string, wanted: string): string[] {
  const fences = readFileSync(page, 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...fences].flatMap(([, language, body = '']) => (language === wanted ? [body] : []));
}

test.concurrent.each(Object.entries(alone))('the example %s runs by itself', async (name, prints) => {
  await using server = await scriptedServer(script([]));
  const { stdout } = await run(name, server, newHome());
  for (const expected of prints) expect(stdout).toMatch(expected);
  expect(server.requests).toEqual([]);
  for (const output of pages[name] ? fencedIn(pages[name], '') : []) expect(stdout).toContain(output);
});

test('no example is left out', () => {
  const parts = ['conversation', 'mcp-server', 'session']; // imported, started or run by others
  const known = [...Object.keys(rows), ...Object.keys(alone), ...parts];
  const files = globSync('examples/*.ts').map((file) => basename(file, '.ts'));
  expect(files.filter((name) => !/^(?:with-|ai-sdk)/.test(name)).toSorted()).toEqual(known.toSorted());
});

test.each(['configuration', 'mcp', 'write-a-tool'])('the settings on the page %s are taken as they stand', (page) => {
  const ours = fencedIn(`docs/${page}.md`, 'toml').filter((text) => !text.includes('[mcp_servers.')); // that is Codex's
  expect(ours).not.toEqual([]);
  for (const text of ours) {
    const home = newHome();
    writeFileSync(join(home, 'config.toml'), text);
    const environment = { SIGHTLINE_HOME: home, HOUSE_KEY: 'key' };
    expect(() => readSettings(environment, home)).not.toThrow();
  }
});
