// `sightline config` and `doctor` as a shell sees them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { writeProgram } from '../program.ts';
import { newFolder, run } from './run.ts';

/** A home and a project with these files. */
function places(home: string, project = ''): { cwd: string; env: Record<string, string> } {
  const [homeFolder, cwd] = [newFolder(), newFolder()];
  if (home !== '') writeFileSync(join(homeFolder, 'config.toml'), home);
  if (project !== '') writeFileSync(join(cwd, 'sightline.toml'), project);
  return { cwd, env: { SIGHTLINE_HOME: homeFolder, OLLAMA_HOST: 'http://127.0.0.1:9', ANTHROPIC_API_KEY: '' } };
}

const home = `model = "mine"
[models.mine]
model = "ollama/qwen3-vl"
api_key = "sk-ant-very-secret-1234567890"
[mcp.files]
command = "files"
args = ["--token", "sk-also-secret-1234567890"]
env = { TOKEN = "short", OTHER = "\${PASSED}" }
[mcp.web]
url = "https://me:word@example.com/mcp?api_key=hidden"
[images]
detail = "low"
`;

test.concurrent('config shows what holds, where each value comes from, and no secret', async () => {
  const here = places(home, 'model = "openai/gpt-5.2"\n[images]\ndetail = "high"\n');
  const { code, stdout } = await run(['config'], here);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^images\.detail = "high" {2}.*sightline\.toml$/m);
  expect(stdout).toMatch(/^model = "openai\/gpt-5\.2" {2}.*sightline\.toml$/m);
  expect(stdout).toMatch(/^models\.mine\.model = "ollama\/qwen3-vl" {2}.*config\.toml$/m);
  expect(stdout).toContain('mcp.files.env.OTHER = "${PASSED}"');
  for (const secret of ['very-secret', 'also-secret', 'short', 'word@', 'hidden']) expect(stdout).not.toContain(secret);
  const env = { ...here.env, SIGHTLINE_MODEL: 'ollama/llama3.1' };
  const rows: unknown = JSON.parse((await run(['config', '--json'], { ...here, env })).stdout);
  expect(rows).toContainEqual({ key: 'model', value: 'ollama/llama3.1', from: 'SIGHTLINE_MODEL' });
});

test.concurrent('the example of the page holds as it is, and the key that is not set is missed only by whoever needs it', async () => {
  const [, example = ''] = /```toml\n([\s\S]*?)```/.exec(readFileSync('docs/configuration.md', 'utf8')) ?? [];
  const here = places(example);
  writeFileSync(join(here.cwd, 'a.txt'), 'Read without a model.');
  const shown = await run(['config'], here);
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toMatch(/^models\.house\.api_key_env = "HOUSE_KEY" /m);
  const reading = await run(['read', 'a.txt'], here);
  expect([reading.code, reading.stdout]).toEqual([0, expect.stringContaining('Read without a model.')]);
  const asked = await run(['ask', 'Hello.'], {
    ...here,
    env: { ...here.env, AZURE_OPENAI_API_KEY: 'not-for-the-house' },
  });
  expect(asked.code).toBe(1);
  expect(asked.stderr).toContain('There is no key for azure\n  Next:  Set HOUSE_KEY');
});

test.concurrent.each([
  [
    '[limits]\nimage_byte = 5\n',
    '',
    'config.toml:2: unknown key "limits.image_byte"\n  Next:  Did you mean "image_bytes"?',
  ],
  ['[models.x]\nmodel = "a/b"\n[models.x.capabilities]\nvisoin = true\n', '', 'Did you mean "vision"?'],
  ['model = "a/b"\nmodel = 3\n', '', 'config.toml:2 is not valid TOML'],
  ['model = [\n', '', 'config.toml:2 is not valid TOML: invalid value\n  Next:  Correct it there.'],
  ['', '[limits]\nimage_bytes = 5\n', 'sightline.toml:1: "limits" must be in config.toml of your home'],
])('%j with the project %j is told with its line', async (own, project, said) => {
  const { code, stdout, stderr } = await run(['config'], places(own, project));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^Refused: /);
  expect(stderr).toContain(said);
});

test.concurrent('nothing set is said, with where to begin', async () => {
  const { code, stderr } = await run(['config'], places(''));
  expect(code).toBe(0);
  expect(stderr).toMatch(/Nothing is set\. Write .*config\.toml/);
});

test.concurrent('doctor says of every part whether it is on, and what to do when not', async () => {
  const { code, stdout } = await run(['doctor', '--json'], places(''));
  const findings = JSON.parse(stdout) as Finding[];
  const parts = new Map(findings.map((finding) => [finding.part, finding]));
  expect(code).toBe(0);
  for (const part of ['pictures', 'PDF']) expect(parts.get(part)).toMatchObject({ state: 'on' });
  for (const part of [
    'ocr',
    'heic',
    'jq',
    'tokenizer',
    'browser',
    'terminal',
    'config',
    'ollama',
    'your tools',
    'MCP',
    'home',
  ])
    expect([...parts.keys()]).toContain(part);
  for (const { part, state, next } of findings) if (state === 'off' && part !== 'MCP') expect(next, part).toMatch(/\w/);
});

test.concurrent('doctor says that a home cannot be written, and what to do', async () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  const here = places('');
  const env = { ...here.env, SIGHTLINE_HOME: join(file, 'home') };
  const { code, stdout } = await run(['doctor', '--json'], { ...here, env });
  expect(code).toBe(1);
  expect((JSON.parse(stdout) as Finding[]).find(({ part }) => part === 'home')).toMatchObject({
    state: 'broken',
    says: `${join(file, 'home')} cannot be made: ${file} is no folder`,
    next: expect.stringContaining('SIGHTLINE_HOME'),
  });
});

test.concurrent('doctor finds a broken configuration and a broken tool, and goes on', async () => {
  const here = places('[widnow]\nbatch = 3\n');
  mkdirSync(join(here.env['SIGHTLINE_HOME'] ?? '', 'tools'));
  writeProgram(join(here.env['SIGHTLINE_HOME'] ?? '', 'tools', 'bad'), '#!/bin/sh\necho no spec\n');
  const { code, stdout, stderr } = await run(['doctor'], here);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(/✗ config .*unknown key "widnow"\n +Did you mean "window"\?/);
  expect(stdout).toMatch(/✗ your tools .*bad/);
  expect(stdout).toMatch(/✓ pictures/);
});
