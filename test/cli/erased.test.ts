// What `sightline sessions rm` promises, as a person meets it right after an answer: words, tool results and the files that were
// looked at are nowhere in the home any more, and what another conversation still shows stays.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { newFolder, run } from './run.ts';

/** The canaries that are left in a folder, however deep. */
function canariesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const texts = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'latin1'));
  return [...new Set(texts.flatMap((text) => text.match(/canary-\w+/g) ?? []))].toSorted();
}

function reads(name: string): { name: string; input: object } {
  return { name: 'read_file', input: { file_path: name } };
}

test('right after an answer, nothing of a removed session is left, and what another one shows is', async () => {
  const [home, cwd, tools] = [newFolder(), newFolder(), newFolder()];
  mkdirSync(join(home, 'tools'));
  const tool = `#!/bin/sh
if [ "$1" = --toolspec ]; then echo '{"name":"sing","description":"Sings.","parameters":{"type":"object","properties":{}}}'; exit; fi
cat ${join(tools, 'song')}`;
  writeFileSync(join(home, 'tools', 'sing'), tool);
  chmodSync(join(home, 'tools', 'sing'), 0o755);
  writeFileSync(join(tools, 'song'), 'La, canary-tool.');
  writeFileSync(join(cwd, 'long.txt'), `canary-file ${'x'.repeat(50_000)} canary-end`);
  writeFileSync(join(cwd, 'both.txt'), `canary-both ${'y'.repeat(50_000)}`);
  await using server = await scriptedServer(
    script([
      { calls: [reads('both.txt')] },
      { text: 'Read.' },
      { calls: [reads('long.txt'), reads('both.txt'), { name: 'sing', input: {} }] },
      { thinking: 'canary-thought', text: 'canary-answer' },
    ]),
  );
  const env = { SIGHTLINE_HOME: home, ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url };
  const ask = async (words: string): Promise<void> => {
    const { code } = await run(['ask', words, '-m', 'anthropic/claude-sonnet-4-5', '--tools', 'all'], { cwd, env });
    expect(code).toBe(0);
  };
  await ask('What is in it?');
  expect(canariesIn(home)).toEqual(['canary-both']);
  await ask('canary-prompt?');
  expect(canariesIn(home)).toEqual(
    ['answer', 'both', 'end', 'file', 'prompt', 'thought', 'tool'].map((name) => `canary-${name}`),
  );
  const { code, stderr } = await run(['sessions', 'rm', 'last'], { cwd, env });
  expect([code, stderr]).toEqual([0, expect.stringContaining('Removed ')]);
  expect(canariesIn(home)).toEqual(['canary-both']);
  expect((await run(['sessions', 'rm', 'last'], { cwd, env })).code).toBe(0);
  expect(canariesIn(home)).toEqual([]);
});
