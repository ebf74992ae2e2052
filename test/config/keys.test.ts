// Keys and addresses in settings files, and the default model that is written into one.
import { mkdtempSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { modelNamed, readSettings } from '../../src/config/config.ts';
import type { ModelSettings } from '../../src/config/config.ts';
import { withModel, writeDefaultModel } from '../../src/config/write.ts';

function read(place: 'home' | 'project', text: string, environment: Record<string, string> = {}): ModelSettings {
  const folders = { home: mkdtempSync(join(tmpdir(), 'keys-')), project: mkdtempSync(join(tmpdir(), 'keys-')) };
  writeFileSync(join(folders[place], place === 'home' ? 'config.toml' : 'sightline.toml'), text);
  return modelNamed('a', readSettings({ SIGHTLINE_HOME: folders.home, ...environment }, folders.project));
}

const row = '[models.a]\nmodel = "openai/gpt-5.2"\n';

test('a model of the home has its own key, address, version, temperature and dialect', () => {
  const all = `${row}api_key = "own"\nbase_url = "https://x"\napi_version = "2024-10-21"\ntemperature = 0.1\nmax_tokens = 4096\nroles = ["executor"]\ntier = 0\n[models.a.dialect]\nbridge = true\nreasoning = "reasoning"`;
  const expected = {
    key: 'own',
    baseUrl: 'https://x',
    apiVersion: '2024-10-21',
    temperature: 0.1,
    roles: ['executor'],
    tier: 0,
  };
  expect(read('home', all)).toMatchObject({
    ...expected,
    overrides: { maxOutputTokens: 4096, dialect: { bridge: true, reasoning: 'reasoning' } },
  });
});

test('a model may always be asked for the same, and what means nothing is told with what it must be', () => {
  const asked = 'top_p = 0.5\ntop_k = 3\nseed = 7\nstop = ["END"]\nverbosity = "low"\nthinking = "high"\n';
  expect(read('home', `${row}${asked}parallel_calls = false\nuser = "me"`).options).toEqual({
    topP: 0.5,
    topK: 3,
    seed: 7,
    stop: ['END'],
    verbosity: 'low',
    thinking: 'high',
    parallelCalls: false,
    user: 'me',
  });
  expect(() => read('home', `${row}top_p = 7`)).toThrow('"models.a.top_p" must be a number from 0 to 1');
  expect(() => read('home', `${row}stop = "END"`)).toThrow('"models.a.stop" must be a list of words');
});

test('a key may stand in a variable of any name', () => {
  expect(read('home', `${row}api_key_env = "HOUSE_KEY"`, { HOUSE_KEY: 'from there' }).key).toBe('from there');
});

test('a variable that is not set leaves a model without a key, the usual one of its vendor included', () => {
  const { key, unset } = read('home', `${row}api_key_env = "HOUSE_KEY"`, { OPENAI_API_KEY: 'secret' });
  expect([key, unset]).toEqual(['', 'HOUSE_KEY']);
});

test('an address that a project names gets no key of the user', () => {
  expect(read('project', `${row}base_url = "https://elsewhere"`).key).toBe('');
  expect(read('project', row).key).toBeUndefined();
  expect(read('project', `${row}base_url = "https://elsewhere"\napi_key = "theirs"`).key).toBe('theirs');
});

test.each<['home' | 'project', string, string]>([
  ['project', `${row}api_key_env = "OPENAI_API_KEY"`, 'may not choose among your keys'],
  ['home', `${row}api_key_env = ""`, 'the name of a variable'],
  ['home', `${row}temperature = 3`, 'a number from 0 to 2'],
  ['home', `${row}tier = "large"`, 'a whole number of 0 or more'],
  ['home', `${row}[models.a.dialect]\nmumble = true`, 'There are tool_name'],
  ['home', `${row}[models.a.dialect]\nbridge = 1`, 'true or false'],
  ['home', `${row}[models.a.dialect]\nreasoning = 1`, 'the name of a field'],
  ['home', `${row}dialect = 1`, 'a table'],
  ['home', `${row}capabilities = 1`, 'a table'],
  ['home', `${row}roles = "executor"`, 'a list of words'],
  ['home', `${row}base_url = 1`, 'a string'],
  ['home', 'models = 1', 'a table such as [models.mine]'],
  ['home', '[models]\na = 1', 'a table'],
  ['home', 'mcp = 1', 'a table such as [mcp.files]'],
  ['home', '[mcp.b]\ncommand = "x"\ncwd = 1', 'a string'],
  ['home', '[mcp.b]\ncommand = "x"\nenv = 1', 'a table of strings'],
  ['home', '[window]\nstrict = 1', 'true or false'],
  ['home', '[window]\nunchanged = "loud"', '"send" or "note"'],
  ['home', '[images]\ndetail = "closely"', 'low, high, original or auto'],
  ['home', '[images]\nnever = 1', 'true or false'],
  ['home', '[limits]\nimageBytes = 0', 'a whole number above 0'],
])('in the %s, %j is told', (place, text, expected) => {
  expect(() => read(place, text, { OPENAI_API_KEY: 'secret' })).toThrow(expected);
});

test.each([
  ['an empty file', ''],
  ['another default', 'model = "old/one"\n'],
  ['another default, oddly written', "  'model'   =  'old/one' # mine\n[models.model]\nmodel = \"ollama/x\"\n"],
  ['comments and tables', '# my settings\n\n[models.a]\nmodel = "ollama/x" # keep\n\n[mcp.x]\ncommand = "y"\n'],
  ['a key that only begins alike', 'modelled = 1\n'],
])('the default goes into %s and leaves the rest', (_name, text) => {
  const name = 'compatible/"quoted"\\model';
  const after = withModel(text, name);
  const { model, ...rest } = parse(after);
  const { model: _old, ...before } = parse(text);
  expect(model).toBe(name);
  expect(rest).toEqual(before);
  for (const line of text.split('\n').filter((one) => one.includes('#'))) expect(after).toContain(line.split('#')[1]);
});

test('a file that does not exist yet is made, with its folder', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'keys-')), 'new', 'config.toml');
  writeDefaultModel(file, 'ollama/llava');
  writeDefaultModel(file, 'ollama/qwen3-vl');
  expect(readFileSync(file, 'utf8')).toBe('model = "ollama/qwen3-vl"\n');
});

test.skipIf(process.platform === 'win32')(
  'where config.toml is a link, what it leads to is written, and the link stays',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'keys-'));
    const [file, kept] = [join(folder, 'config.toml'), join(folder, 'dotfiles.toml')];
    writeFileSync(kept, '[models.a]\nmodel = "ollama/x"\n');
    symlinkSync(kept, file);
    writeDefaultModel(file, 'ollama/llava');
    expect(readlinkSync(file)).toBe(kept);
    expect(readFileSync(kept, 'utf8')).toBe('model = "ollama/llava"\n[models.a]\nmodel = "ollama/x"\n');
  },
);

test.each(['model = "old/one"\r\n', '[models.a]\r\nmodel = "ollama/x"\r\n'])(
  'the default goes into a file of Windows, with its mark at the beginning and its line ends: %j',
  (text) => {
    const file = join(mkdtempSync(join(tmpdir(), 'keys-')), 'config.toml');
    writeFileSync(file, `\uFEFF${text}`);
    writeDefaultModel(file, 'ollama/llava');
    expect(parse(readFileSync(file, 'utf8'))['model']).toBe('ollama/llava');
  },
);
