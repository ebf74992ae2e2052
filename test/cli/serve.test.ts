// `sightline serve` as a person starts it: with a client of hers, which here is a small program that asks one question.
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { run } from './run.ts';

const client = `#!/usr/bin/env node
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_API_KEY: theirs } = process.env;
const body = JSON.stringify({ model: 'whatever', max_tokens: 9, messages: [{ role: 'user', content: process.argv.slice(2).join(' ') }] });
fetch(url + '/v1/messages', { method: 'POST', headers: { authorization: 'Bearer ' + key }, body })
  .then((response) => response.json())
  .then(({ content }) => console.log(content[0].text, theirs));
`;

test('a client is started with the gateway, and any model answers it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sightline-serve-'));
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'claude'), client);
  chmodSync(join(home, 'bin', 'claude'), 0o755);
  await using upstream = await scriptedServer(script(() => ({ text: 'Sales rose.' })));
  const env = {
    SIGHTLINE_HOME: home,
    OPENAI_API_KEY: 'ours',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    ANTHROPIC_API_KEY: '',
    PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
  };
  const ran = await run(['serve', 'claude', '-m', 'openai/gpt-5.2', '--', 'How', 'did we do?'], { cwd: home, env });
  expect(ran.stderr).toBe('');
  expect(ran.stdout).toContain('Sales rose. undefined');
  expect(ran.code).toBe(0);
  expect(upstream.requests.at(-1)).toMatchObject({ wire: 'openai-responses', model: 'gpt-5.2' });
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('How did we do?');
});

test('a key is told once, with the lines for the settings', async () => {
  const { stdout, stderr } = await run(['serve', 'key', 'alice'], { cwd: tmpdir() });
  expect(stdout).toMatch(/^sl-[\w-]{32}\n$/);
  expect(stderr).toMatch(/\[serve\.keys\.alice\]\nhash = "sha256:[0-9a-f]{64}"/);
});
