// `sightline models`, with an Ollama on loopback and nothing else in reach.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { define } from '../../src/cli/models/command.ts';
import { checkModels, choiceOf, meantModels, neededKey, ownName } from '../../src/cli/model.ts';
import { Command } from '../../src/cli/parser.ts';
import { endpoints } from '../../src/window/catalog.ts';
import { keyVariables } from '../../src/config/environment.ts';
import { failWith, faultServer, rawBody } from '../model/fault-server.ts';
import type { FaultServer } from '../model/fault-server.ts';

let home = '';
let server: FaultServer;
let tags: unknown = { models: [] };

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'models-'));
  for (const name of Object.keys(endpoints)) for (const variable of keyVariables(name)) vi.stubEnv(variable, '');
  server = await faultServer(({ url }) =>
    url === '/api/tags' ? rawBody(JSON.stringify(tags), 'application/json') : failWith(404, 'no'),
  );
  vi.stubEnv('SIGHTLINE_HOME', home);
  vi.stubEnv('SIGHTLINE_MODEL', '');
  vi.stubEnv('OLLAMA_HOST', server.url);
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await server.close();
});

async function run(...words: string[]): Promise<{ code: number; out: string; told: string }> {
  const seen = { out: '', told: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((seen.out += String(text))));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((seen.told += String(text))));
  let code = -1;
  const command = new Command('models').exitOverride();
  define(command, (result) => (code = result));
  await command.parseAsync(words, { from: 'user' });
  vi.restoreAllMocks();
  return { code, ...seen };
}

const eyes = { name: 'eye\u001B[31m:1b', capabilities: ['completion', 'vision'], details: { context_length: 8192 } };

test('lists what can be reached and what it can see, and marks the default', async () => {
  tags = { models: [eyes, { name: 'blind:7b', capabilities: ['completion'] }] };
  writeFileSync(
    join(home, 'config.toml'),
    'model = "ollama/blind:7b"\n[models.house]\nmodel = "azure/my-deployment"\n',
  );
  const { code, out, told } = await run();
  expect(code).toBe(0);
  const lines = out.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim());
  expect(lines).toContain('house yes yes yes - - 1,000,000 -');
  expect(lines).toContain(String.raw`ollama/eye\x1b[31m:1b yes - - - - 8,192 -`);
  expect(lines).toContain('ollama/blind:7b * - - - - - 32,768 -');
  expect(told).toContain('* the default');
});

test('prints one JSON value, asks again with --refresh, and remembers otherwise', async () => {
  tags = { models: [eyes] };
  const first = JSON.parse((await run('ollama', '--json')).out) as { models: { model: string; vision: boolean }[] };
  expect(first.models).toMatchObject([{ vision: true, contextTokens: 8192 }]);
  tags = { models: [] };
  expect(JSON.parse((await run('ollama', '--json')).out)).toEqual({ ...first });
  expect(JSON.parse((await run('ollama', '--json', '--refresh')).out)).toEqual({ models: [], absent: [] });
});

test('without a key shows what the catalog knows, with its prices, and says what is missing', async () => {
  tags = { models: [] };
  const { code, out, told } = await run();
  expect(code).toBe(0);
  expect(out).toMatch(/^anthropic\/claude-sonnet-5 +yes .* 1,000,000 +\$2 \/ \$10$/m);
  expect(out).toMatch(/^openai\/gpt-5\.2 /m);
  expect(told).toContain('What is missing: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY.');
  expect(told).toContain('sightline config add-endpoint');
});

test("asks a server of one's own for its models, and each can be named behind its name", async () => {
  const own = await faultServer(() =>
    rawBody(JSON.stringify({ data: [{ id: 'first' }, { id: 'org/other' }] }), 'application/json'),
  );
  try {
    const rows = '[models.lab]\nmodel = "compatible/first"\ncapabilities = { vision = true }\n';
    writeFileSync(join(home, 'config.toml'), `${rows}base_url = "${own.url}/v1"\n`);
    const { out } = await run();
    expect(out).toMatch(/^lab +yes /m);
    expect(out).toMatch(/^lab\/org\/other +- /m);
    expect(out).not.toContain('lab/first');
    expect(choiceOf('lab/org/other')).toMatchObject({ model: 'compatible/org/other', baseUrl: `${own.url}/v1` });
    expect(ownName('compatible/org/other')).toBe('lab/org/other');
  } finally {
    await own.close();
  }
});

const clouds = ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'GOOGLE_CLOUD_PROJECT', 'GCLOUD_PROJECT', 'ANTHROPIC_VERTEX_PROJECT_ID', 'GOOGLE_CLOUD_LOCATION', 'GOOGLE_CLOUD_REGION', 'CLOUD_ML_REGION', 'GOOGLE_APPLICATION_CREDENTIALS']; // prettier-ignore

function noClouds(): void {
  for (const name of clouds) vi.stubEnv(name, '');
  vi.stubEnv('CLOUDSDK_CONFIG', home);
}

test.each([
  ['bedrock', {}, 'Set AWS_REGION and AWS_BEARER_TOKEN_BEDROCK (or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY).'],
  ['bedrock-claude', { AWS_REGION: 'us-east-1' }, 'Set AWS_BEARER_TOKEN_BEDROCK (or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY).'],
  ['bedrock', { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }, 'Name one, such as bedrock/us.amazon.nova-pro-v1:0.'],
  ['vertex', { GOOGLE_CLOUD_PROJECT: 'p' }, 'Set GOOGLE_CLOUD_LOCATION and GOOGLE_APPLICATION_CREDENTIALS (or run "gcloud'],
])('%s with %o says what is missing', async (endpoint, set, words) => {
  noClouds();
  for (const [name, value] of Object.entries(set)) vi.stubEnv(name, value);
  const { code, told } = await run(endpoint);
  expect(code).toBe(1);
  expect(told).toContain(words);
}); // prettier-ignore

test('where nothing can be reached, the clouds say what they need, and which of them can be asked by name', async () => {
  noClouds();
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'a');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'b');
  vi.stubEnv('OLLAMA_HOST', 'http://127.0.0.1:9');
  const { told } = await run();
  expect(told).toMatch(/^vertex\/…, vertex-claude\/… need GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION and GOOGLE/m);
  expect(told).toMatch(/^Can be asked by name: .*bedrock\/…/m);
});

test.each([
  ['openai/gpt-5.2', 'OPENAI_API_KEY'],
  ['ollama/x', undefined],
  ['bedrock-claude/anthropic.claude-sonnet-5', undefined],
  ['vertex/gemini-2.5-pro', undefined],
])('%s needs %s before it is asked', (name, needed) => {
  expect(neededKey(name)).toBe(needed);
});

test.each([
  ['sonet', 'anthropic/claude-sonnet-5 or anthropic/claude-sonnet-4-6'],
  ['nothing-like-it', undefined],
  ['anthropic/claude-sonet-5', 'anthropic/claude-sonnet-5'],
  ['sonnet', 'anthropic/claude-sonnet-5 or anthropic/claude-sonnet-4-6'],
  ['openai/gpt-5.2', undefined],
])('of %s, %s may be meant', (name, meant) => {
  expect(meantModels(name)).toBe(meant && `Did you mean ${meant}?`);
});

test('a name that nobody knows is answered with those that may be meant', () => {
  expect(() => checkModels(['sonnet'])).toThrow(
    /The model "sonnet" has no endpoint\. Did you mean anthropic\/claude-sonnet-5 or/,
  );
});

test('says what is missing where it was asked for', async () => {
  const { code, told } = await run('anthropic');
  expect(code).toBe(1);
  expect(told).toContain('ANTHROPIC_API_KEY');
  expect((await run('nowhere')).code).toBe(2);
});

test('writes the default, and refuses a name that means nothing', async () => {
  const file = join(home, 'config.toml');
  writeFileSync(file, '# mine\n[models.house]\nmodel = "ollama/x"\n');
  expect((await run('default', 'house')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('model = "house"\n# mine\n[models.house]\nmodel = "ollama/x"\n');
  const { code, told } = await run('default', 'gpt-5.2');
  expect(code).toBe(1);
  expect(told).toContain('openai/gpt-5.2');
  vi.stubEnv('SIGHTLINE_MODEL', 'ollama/other');
  expect((await run('default', 'house')).told).toContain('ollama/other');
});
