// `sightline demo`: what a visitor sees first.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { excerptLines } from '../../src/cli/demo/excerpt.ts';
import { read } from '../../src/media/read.ts';
import { newFolder, run } from './run.ts';

test.concurrent('shows a table, an excerpt and commands that work with what it saved', async () => {
  const folder = newFolder();
  const env = { NO_COLOR: '1', PATH: join(folder, 'node_modules', '.bin') };
  place(env.PATH);
  const { code, stdout, stderr } = await run(['demo', '--save', '.'], { cwd: folder, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(stdout).not.toContain('\u001B');
  expect(stdout).toMatch(/^openai-chat\/gpt-4\.1 +after results +after results +[\d,]+ +[\d.]+ kB$/m);
  expect(stdout).toMatch(/^ollama\/llama3\.1 +in words +in result, as text /m);
  expect(stdout).toContain(String.raw`[1. image \"chart.png\" 640×400, from tool draw_chart, call c1]`);
  const commands = [...stdout.matchAll(/npx sightline (.*)/g)].map(([, words = '']) => words.split(' '));
  expect(commands.map(([name]) => name)).toEqual(['read', 'wire', 'inspect']);
  const ran = await Promise.all(commands.slice(0, 2).map((words) => run(words, { cwd: folder })));
  expect(ran.map((one) => one.code)).toEqual([0, 0]);
  const chart = await read(join(folder, 'chart.png'));
  expect(chart).toMatchObject({ ok: true, value: { blocks: [{ width: 640, height: 400 }] } });
});

test.concurrent('where a shell finds the program, the commands begin with its name alone', async () => {
  const folder = newFolder();
  place(join(folder, 'bin'));
  const { stdout } = await run(['demo'], { env: { NO_COLOR: '1', PATH: join(folder, 'bin') } });
  expect(stdout).toMatch(/^ {2}sightline demo --save demo$/m);
  expect(stdout).not.toContain('npx');
});

/** The program as an installation leaves it there. */
function place(bin: string): void {
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'sightline'), '', { mode: 0o755 });
}

test.concurrent('--json is the same table', async () => {
  const { stdout, stderr } = await run(['demo', '--json']);
  expect(stderr).toBe('');
  const { models } = JSON.parse(stdout);
  expect(models).toHaveLength(7);
  expect(models[0]).toMatchObject({
    model: 'anthropic/claude-sonnet-5',
    picture: { where: 'result', as: 'picture' },
  });
});

test('an excerpt fits its width and still reads as JSON', () => {
  const value = {
    role: 'user',
    content: [
      { type: 'text', text: 'x'.repeat(100) },
      { type: 'file', file: { name: 'a' } },
    ],
  };
  const lines = excerptLines(value, 40);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  expect(JSON.parse(lines.join('\n'))).toMatchObject({ role: 'user', content: [{ type: 'text' }, { type: 'file' }] });
});
