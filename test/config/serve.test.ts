import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../src/config/config.ts';
import type { Settings } from '../../src/config/config.ts';

function settingsWith(text: string, project = ''): Settings {
  const home = mkdtempSync(join(tmpdir(), 'sightline-serve-'));
  const folder = join(home, 'project');
  mkdirSync(folder);
  writeFileSync(join(home, 'config.toml'), text);
  if (project !== '') writeFileSync(join(folder, 'sightline.toml'), project);
  return readSettings({ SIGHTLINE_HOME: home }, folder);
}

test('names for models, and where to listen', () => {
  const { serve } = settingsWith(
    '[serve]\nport = 5000\ndefault = "house"\n[serve.routes]\nhouse = ["anthropic/a", "openai/b"]\n"claude-*" = "gemini/c"\n',
  );
  expect(serve).toEqual({
    port: 5000,
    default: 'house',
    routes: { house: ['anthropic/a', 'openai/b'], 'claude-*': ['gemini/c'] },
  });
});

/** Settings with an origin that no browser ever names. */
const noOrigin = (origin: string): [string, RegExp] => [
  `[serve]\norigins = ["${origin}"]\n`,
  /"serve.origins" must be/,
];

test.each([
  ['[serve]\nport = 70000\n', /:2: "serve.port" must be a port/],
  ['[serve]\nprot = 1\n', /Did you mean "port"/],
  [
    '[serve]\norigins = ["https://app.example.com/"]\n',
    /:2: "serve.origins" must be a list of origins such as .* without a path or the usual port/,
  ],
  ['[serve]\norigins = ["*"]\n', /"serve.origins" must be/],
  ...['app.example.com', 'https://*.example.com', 'https://App.example.com', 'https://bücher.example'].map(noOrigin),
  ...['https://app.example.com:443', 'http://localhost:80', 'https://me@app.example.com', 'file://'].map(noOrigin),
  ['[serve.routes]\nhouse = []\n', /"serve.routes.house" must be a model/],
])('what means nothing is told with its line: %j', (text, words) => {
  expect(() => settingsWith(text)).toThrow(words);
});

test('a project does not say whose keys pay', () => {
  expect(() => settingsWith('', '[serve]\nport = 1\n')).toThrow(/"serve" must be in config.toml of your home/);
});

test('pages of browsers and of programs with a page of their own may be let in', () => {
  const origins = [
    'https://app.example.com',
    'http://localhost:5173',
    'tauri://localhost',
    'chrome-extension://abcdef',
    'https://xn--bcher-kva.example',
    'http://[::1]:3000',
    'null',
  ];
  expect(settingsWith(`[serve]\norigins = ${JSON.stringify(origins)}\n`).serve.origins).toEqual(origins);
});
