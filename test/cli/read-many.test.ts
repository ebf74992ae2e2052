// Many files into a folder: a line for each, once each, whatever ended it, by as many machines as there are.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { png } from '../session/samples.ts';
import { mainFile, newFolder, run } from './run.ts';
import type { Ran } from './run.ts';

type Line = {
  file: string;
  ok: boolean;
  hash?: string;
  output?: string;
  refusal?: { code: string };
  blocks?: unknown[];
};

function filled(count: number): string {
  const home = newFolder();
  mkdirSync(join(home, 'many', 'below'), { recursive: true });
  for (let at = 0; at < count; at++)
    writeFileSync(join(home, 'many', at % 2 ? 'below' : '.', `${at}.txt`), `file ${at}\n`);
  return home;
}

const sightline = (home: string, ...words: string[]): Promise<Ran> =>
  run(words, { cwd: home, env: { SIGHTLINE_HOME: home } });
const linesIn = (file: string): Line[] =>
  readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Line); // prettier-ignore

test('each file is one line, media lie beside, refusals are lines, and what changed is read again', async () => {
  const home = filled(6);
  writeFileSync(join(home, 'many', 'tree.png'), png(3));
  writeFileSync(join(home, 'many', 'broken.png'), png(3).slice(0, 10));
  const first = await sightline(home, 'read', 'many', '--out', 'out', '--jobs', '2');
  expect([first.code, first.stdout]).toEqual([1, `8 of 8 files read, 1 refused: ${join('out', 'results.jsonl')}\n`]);
  const file = join(home, 'out', 'results.jsonl');
  const lines = new Map(linesIn(file).map((line) => [line.file, line]));
  expect(lines.size).toBe(8);
  expect(lines.get(join('below', '3.txt'))).toMatchObject({ ok: true, output: 'file 3\n' });
  expect(lines.get('broken.png')).toMatchObject({ ok: false, refusal: { code: 'corrupt' } });
  const [block] = (lines.get('tree.png')?.blocks ?? []) as { asset: { id: string } }[];
  const hash = block?.asset.id.slice(7) ?? '';
  expect(existsSync(join(home, 'out', 'assets', hash.slice(0, 2), hash))).toBe(true);
  writeFileSync(join(home, 'many', '0.txt'), 'another\n');
  const again = await sightline(home, 'read', 'many', '--out', 'out', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ read: 1, before: 7, all: 8, refused: 1 });
  expect(linesIn(file).at(-1)).toMatchObject({ file: '0.txt', output: 'another\n' });
});

test('a folder of results that lies among the files is none of them', async () => {
  const home = filled(2);
  writeFileSync(join(home, 'many', 'tree.png'), png(3));
  const again = async (): Promise<unknown> => {
    const ran = await run(['read', '.', '--out', 'out', '--json'], {
      cwd: join(home, 'many'),
      env: { SIGHTLINE_HOME: home },
    });
    return JSON.parse(ran.stdout);
  };
  expect(await again()).toMatchObject({ read: 3, before: 0, all: 3 });
  expect(await again()).toMatchObject({ read: 0, before: 3, all: 3 });
});

test('a text with line separators of Unicode is one line, and is not read again', async () => {
  const home = filled(0);
  for (const name of ['a', 'b', 'c']) writeFileSync(join(home, 'many', `${name}.txt`), `${name}\u2028after\u2029end\n`);
  await sightline(home, 'read', 'many', '--out', 'out', '--jobs', '1');
  const again = await sightline(home, 'read', 'many', '--out', 'out', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ read: 0, before: 3, all: 3 });
  expect(linesIn(join(home, 'out', 'results.jsonl'))).toHaveLength(3);
});

test('a process that was killed is gone on with, and shares are all of it', async () => {
  const home = filled(120);
  const env = { ...process.env, SIGHTLINE_HOME: home };
  const child = spawn(process.execPath, [mainFile, 'read', 'many', '--out', 'out', '--jobs', '2'], { cwd: home, env });
  const file = join(home, 'out', 'results.jsonl');
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').length > 500).toBe(true);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
  appendFileSync(file, '{"file":"cut o');
  const [whole, ...shares] = await Promise.all([
    sightline(home, 'read', 'many', '--out', 'out', '--json'),
    ...[1, 2, 3].map((at) => sightline(home, 'read', 'many', '--out', 'shared', '--shard', `${at}/3`, '--json')),
  ]);
  expect(JSON.parse(whole.stdout)).toMatchObject({ all: 120, refused: 0 });
  const names = linesIn(file).map((line) => line.file);
  expect([names.length, new Set(names).size]).toEqual([120, 120]);
  const shared = [1, 2, 3].flatMap((at) =>
    linesIn(join(home, 'shared', `results-${at}-of-3.jsonl`)).map((line) => line.file),
  );
  expect(shares.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(shared.toSorted()).toEqual(names.toSorted());
});

test('what is no share, no file or no folder is told', async () => {
  const home = filled(1);
  const [share, stdin, alone] = await Promise.all([
    sightline(home, 'read', 'many', '--out', 'out', '--shard', '3/2'),
    sightline(home, 'read', '-', '--out', 'out'),
    sightline(home, 'read', 'many', '--jobs', '2'),
  ]);
  expect([share.code, share.stderr]).toEqual([1, expect.stringContaining('"3/2" is no share')]);
  expect([stdin.code, stdin.stderr]).toEqual([1, expect.stringContaining('"-" is no file')]);
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--jobs and --shard need --out')]);
});
