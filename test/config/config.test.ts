import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modelNamed, readSettings } from '../../src/config/config.ts';
import { capabilitiesOf, profileFor } from '../../src/window/profile.ts';

function place(files: Record<string, string>): { home: string; project: string } {
  const root = mkdtempSync(join(tmpdir(), 'sightline-config-'));
  const places = { home: join(root, 'home'), project: join(root, 'project') };
  for (const folder of Object.values(places)) mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return places;
}

test('without any file there are no settings', () => {
  const { home, project } = place({});
  expect(readSettings({ SIGHTLINE_HOME: home }, project)).toEqual({
    models: {},
    mcp: {},
    tools: {},
    window: {},
    images: {},
    requests: {},
    store: {},
    uploads: {},
    serve: {},
    web: {},
    limits: {},
  });
});

test('the project goes over the home, and the environment over both', () => {
  const { home, project } = place({
    'home/config.toml': 'model = "ollama/llava"\n[models.a]\nmodel = "ollama/one"\n[models.b]\nmodel = "ollama/two"',
    'project/sightline.toml': 'model = "openai/gpt-5.2"\n[models.b]\nmodel = "ollama/three"',
  });
  const settings = readSettings({ SIGHTLINE_HOME: home }, project);
  expect(settings.model).toBe('openai/gpt-5.2');
  expect(settings.models['a']?.model).toBe('ollama/one');
  expect(settings.models['b']?.model).toBe('ollama/three');
  expect(readSettings({ SIGHTLINE_HOME: home, SIGHTLINE_MODEL: 'anthropic/x' }, project).model).toBe('anthropic/x');
});

test('only the home says where sessions go, and which hosts of yours the web tools may reach', () => {
  const stored = '[store]\nsessions = "postgres://ada@db/agents"\n';
  const { home, project } = place({ 'home/config.toml': stored });
  expect(readSettings({ SIGHTLINE_HOME: home }, project).store).toEqual({ sessions: 'postgres://ada@db/agents' });
  const cloned = place({ 'project/sightline.toml': stored });
  expect(() => readSettings({ SIGHTLINE_HOME: cloned.home }, cloned.project)).toThrow(
    '"store" must be in config.toml of your home, not in a project',
  );
  const opened = place({ 'project/sightline.toml': '[web]\nhosts = ["localhost:5173"]\n' });
  expect(() => readSettings({ SIGHTLINE_HOME: opened.home }, opened.project)).toThrow(
    '"web" must be in config.toml of your home, not in a project',
  );
  const wrong = place({ 'home/config.toml': '[store]\nsessions = "mysql://x"\n' });
  expect(() => readSettings({ SIGHTLINE_HOME: wrong.home }, wrong.project)).toThrow(
    '"store.sessions" must be an address such as "postgres://name@host/database"',
  );
  const shared = '[store]\nsessions = "postgres://db/a"\nassets = "s3://agents/media"\ncache = "500 MiB"\n';
  expect(readSettings({ SIGHTLINE_HOME: place({ 'home/config.toml': shared }).home }, project).store).toEqual({
    sessions: 'postgres://db/a',
    assets: 's3://agents/media',
    cacheBytes: 500 * 1024 ** 2,
  });
  for (const [table, told] of [
    ['assets = "s3://agents"', '"store.assets" must be set together with store.sessions'],
    ['assets = "gs://agents"', '"store.assets" must be an address such as "s3://bucket/prefix"'],
    ['cache = 5', '"store.cache" must be a size such as "2 GiB"'],
  ] as const) {
    const bad = place({ 'home/config.toml': `[store]\n${table}\n` });
    expect(() => readSettings({ SIGHTLINE_HOME: bad.home }, bad.project)).toThrow(told);
  }
});

test('words before media are stated at home, and a project states none', () => {
  const row = '[models.a]\nmodel = "openai-chat/gpt-4.1"\nmedia_lead = "Here is what you asked for:"\n';
  const { home, project } = place({ 'home/config.toml': row });
  const { model, overrides } = modelNamed('a', readSettings({ SIGHTLINE_HOME: home }, project));
  expect(profileFor(model, overrides).mediaLead).toBe('Here is what you asked for:');
  const theirs = place({ 'project/sightline.toml': row });
  expect(() => readSettings({ SIGHTLINE_HOME: theirs.home }, theirs.project)).toThrow(
    'a project may not speak for you',
  );
});

test('stated capabilities override what was detected', () => {
  const { home, project } = place({
    'home/config.toml':
      '[models.mine]\nprovider = "compatible"\nmodel = "house-model"\nbase_url = "http://localhost:9000/v1"\ncontext_tokens = 9000\n[models.mine.capabilities]\nvision = true\naudio_output = false',
  });
  const { model, baseUrl, overrides } = modelNamed('mine', readSettings({ SIGHTLINE_HOME: home }, project));
  const profile = profileFor(model, overrides);
  expect(baseUrl).toBe('http://localhost:9000/v1');
  expect(profile.contextTokens).toBe(9000);
  expect(capabilitiesOf(profile)).toMatchObject({ vision: true, nativePdf: false });
  expect(profile.media.image.result).toBe('after');
});

test("Loom's providers are known by its names", () => {
  const rows = ['anthropic', 'openai_chat', 'openai_compatible', 'ollama'].map(
    (provider) => `[models.${provider}]\nprovider = "${provider}"\nmodel = "m"`,
  );
  const { home, project } = place({ 'home/config.toml': rows.join('\n') });
  const { models } = readSettings({ SIGHTLINE_HOME: home }, project);
  expect(Object.values(models).map(({ model }) => model)).toEqual([
    'anthropic/m',
    'openai-chat/m',
    'compatible/m',
    'ollama/m',
  ]);
  expect(profileFor(models['openai_compatible']?.model ?? '').endpoint).toBe('compatible');
});

test('a name that is not configured is a model as it stands', () => {
  expect(modelNamed('anthropic/claude-sonnet-4-5', { models: {} }).model).toBe('anthropic/claude-sonnet-4-5');
});

const wrongs: [string, string, string][] = [
  ['broken TOML', 'model = ', 'not valid TOML'],
  ['a model that is no string', 'model = 3', '"model" must be a string'],
  ['a row without a model', '[models.a]\nas = "x"', '"models.a.model" must be endpoint/model'],
  [
    'an unknown capability',
    '[models.a]\nmodel = "ollama/x"\n[models.a.capabilities]\nsmell = true',
    'config.toml:4: unknown key "models.a.capabilities.smell". There are vision',
  ],
  [
    'a capability that is no switch',
    '[models.a]\nmodel = "ollama/x"\n[models.a.capabilities]\nvision = 1',
    'true or false',
  ],
  ['a detail nobody knows', '[models.a]\nmodel = "ollama/x"\nimage_detail = "huge"', 'low, high, original or auto'],
  ['words that open nothing', '[models.a]\nmodel = "ollama/x"\nmedia_lead = ""', 'words'],
  ['a window that is no number', '[models.a]\nmodel = "ollama/x"\ncontext_tokens = "big"', 'a whole number above 0'],
];

test.each(wrongs)('%s is told with the file and the key', (_what, text, expected) => {
  const { home, project } = place({ 'home/config.toml': text });
  expect(() => readSettings({ SIGHTLINE_HOME: home }, project)).toThrow(expected);
  expect(() => readSettings({ SIGHTLINE_HOME: home }, project)).toThrow('config.toml');
});
