import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSettings } from '../../src/config/config.ts';

const root = mkdtempSync(join(tmpdir(), 'sightline-config-tools-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const [home, project] = [join(root, 'home'), join(root, 'project')];
for (const folder of [home, project]) mkdirSync(folder);

function settings(own: string, theirs = ''): unknown {
  writeFileSync(join(home, 'config.toml'), own);
  writeFileSync(join(project, 'sightline.toml'), theirs);
  return readSettings({ SIGHTLINE_HOME: home }, project).tools;
}

test('the user grants variables, a project may only switch off', () => {
  const own = '[tools.map]\nenv = ["MAP_KEY"]\n[tools.mail]\nenabled = false';
  expect(settings(own, '[tools.map]\nenabled = false\n[tools.mail]\nenabled = true')).toEqual({
    map: { enabled: false, env: ['MAP_KEY'] },
    mail: { enabled: false, env: [] },
  });
});

test.each<[string, string, string, string]>([
  ['a project that grants itself a key', '', '[tools.map]\nenv = ["OPENAI_API_KEY"]', 'in config.toml of your home'],
  ['a list that is none', '[tools.map]\nenv = "MAP_KEY"', '', 'must be a list of names'],
  ['a word for a switch', '[tools.map]\nenabled = "no"', '', 'must be true or false'],
  [
    'an unknown key',
    '[tools.map]\nenvironment = []',
    '',
    'unknown key "tools.map.environment". There are enabled, env',
  ],
  ['no table', 'tools = 1', '', 'must be a table'],
])('%s is an error that names the file', (_, own, theirs, words) => {
  expect(() => settings(own, theirs)).toThrow(words);
});

test('a project may do without a server of the home, and start others', () => {
  const read = (own: string, theirs: string): unknown => {
    settings(own, theirs);
    return readSettings({ SIGHTLINE_HOME: home }, project).mcp;
  };
  const own = '[mcp.mail]\ncommand = "mail-server"\n[mcp.files]\ncommand = "files"\n';
  expect(read(own, '[mcp.mail]\nenabled = false\n[mcp.shop]\nurl = "https://shop.example/mcp"')).toMatchObject({
    files: { command: 'files' },
    shop: { url: 'https://shop.example/mcp', project },
  });
  expect(read(own, '[mcp.mail]\nenabled = false')).not.toHaveProperty('mail');
  expect(() => read('[mcp.mail]\ncommand = "x"\nenabled = "no"', '')).toThrow(
    '"mcp.mail.enabled" must be true or false',
  );
});
