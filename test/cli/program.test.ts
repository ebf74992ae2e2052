// The program as a whole: help, mistakes, exit codes, pipes and signals.
import { spawn, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { mainFile, newFolder, run } from './run.ts';
import { sampleFolder } from './samples.ts';

test('without words it helps, with examples', async () => {
  const { code, stdout, stderr } = await run([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Usage: sightline');
  expect(stdout).toContain('sightline read report.pdf');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(82);
});

const helped = [
  'ask',
  'chat',
  'models',
  'tools',
  'sessions',
  'config',
  'doctor',
  'read',
  'wire',
  'serve',
  'mcp',
  'inspect',
];

test.concurrent.each(helped)('the help of %s fits on 80 columns', async (name) => {
  const { stdout } = await run([name, '--help']);
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).not.toContain('display help'); // these words are not ours
});

test('--version is the version of the package', async () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect((await run(['--version'])).stdout).toBe(`${manifest.version}\n`);
});

const mistakes: [words: string[], said: string][] = [
  [['shine'], "unknown command 'shine'"],
  [['read'], "missing required argument 'path'"],
  [['read', '-', '-'], 'can be read only once'],
  [['read', 'x.pdf', '--password'], 'no terminal to ask for the password'],
  [['wire', 'x.json'], 'such as -m anthropic/claude-sonnet-5'],
  [['wire', 'x.json', '-m', 'a/b,c/d'], 'one model'],
  [['mcp', '--root', '/nonexistent'], '/nonexistent is no folder'],
  [['read', 'x.txt', '--lines', '9-3'], 'Write it like 200-400'],
  [['wire', 'x.json', '-m', 'a/b', '--max-tokens', 'many'], 'whole number above 0'],
];

test.concurrent.each(mistakes)('%j is wrong usage', async (words, said) => {
  const { code, stdout, stderr } = await run(words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(said);
  expect(stderr).toMatch(/\nTry: sightline .*--help\n$/);
});

test.concurrent.each<[words: string[], code: string, what: string]>([
  [['read'], 'usage', "missing required argument 'path'"],
  [['sessions', 'fork', 'abc', 'none'], 'usage', 'It must be a whole number above 0.'],
  [['models', 'nowhere'], 'usage', 'unknown endpoint "nowhere"; one of'],
  [['models', 'default', 'nowhere/x'], 'failed', 'unknown endpoint "nowhere"'],
  [['demo', '--save', '/dev/null/x'], 'failed', 'ENOTDIR'],
  [['help', 'bogus'], 'usage', "unknown command 'bogus'"],
])('%j with --json fails as JSON, too', async (words, code, what) => {
  const { stdout, stderr } = await run([...words, '--json']);
  const told = JSON.parse(stdout) as unknown;
  expect(told).toMatchObject({ ok: false, refusal: { code, what: expect.stringContaining(what) } });
  expect(stderr).toContain(what);
});

test.concurrent.each([
  [['help', '--json'], /^Usage: sightline \[command\][^]*Every model sees[^]*\S$/],
  [['--json', '-h'], /^Usage: sightline \[command\]/],
  [['help', 'read', '--json'], /^Usage: sightline read[^]*Examples:[^]*\S$/],
  [['sessions', 'search', '--help', '--json'], /^Usage: sightline sessions search/],
  [['--version', '--json'], /^\d+\.\d+\.\d+$/],
  [['--json', '--version'], /^\d+\.\d+\.\d+$/],
])('%j is one value', async (words, text) => {
  const { code, stdout } = await run(words);
  const told = { ok: true, value: expect.stringMatching(text) as unknown };
  expect({ code, told: JSON.parse(stdout) as unknown }).toEqual({ code: 0, told });
});

test('an older Node is told which one is needed, the one that the package names', () => {
  const older = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"22.18.0"}})';
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', older, mainFile, 'demo'], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  expect(stderr).toContain(`sightline needs Node ${engines.node.replace('>=', '')} or newer`);
});

test('trouble with the machine is one line without a stack', async () => {
  const { code, stdout, stderr } = await run(['demo', '--save', `${newFolder()}/absent/folder`]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^Failed: ENOENT.*\n$/);
});

test('a closed pipe is silent', async () => {
  const child = spawn(process.execPath, [mainFile, 'wire', 'turn.json', '-m', 'openai/gpt-5.2'], {
    cwd: sampleFolder(),
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('an interrupt ends with 130', async () => {
  const child = spawn(process.execPath, [mainFile, 'wire', '-', '-m', 'openai/gpt-5.2'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // More than a pipe holds: once it is gone, the program is at work.
  child.stdin.write(' '.repeat(1_000_000), () => child.kill('SIGINT'));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(130);
});

test('one file writes to the terminal, besides the check of the Node version', () => {
  const writers = globSync('src/cli/**/*.ts').filter((file) =>
    /\bconsole\.|process\.(?:stdout|stderr)\.write/.test(readFileSync(file, 'utf8')),
  );
  expect(writers.toSorted()).toEqual(['src/cli/main.ts', 'src/cli/terminal.ts']);
});

/** The files that are loaded with these, types and what is imported later left out. */
function loadedWith(...files: string[]): string[] {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = readFileSync(file, 'utf8');
    for (const [, target = ''] of source.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from '(\.[^']+)'/gm))
      visit(join(dirname(file), target));
  };
  files.forEach(visit);
  return [...seen];
}

test('the chat is on the screen before anything heavy is loaded', () => {
  const loaded = loadedWith('src/cli/main.ts', 'src/cli/program.ts', 'src/cli/chat/chat.ts', 'src/tui/chat.ts');
  expect(loaded).toContain('src/session/store.ts');
  const heavy = loaded.filter((file) => /^src\/(?:agent\/run|mcp|toolbox|model|wire|fetch|media)\b/.test(file));
  const small = ['src/media/limits.ts', 'src/media/remote/address.ts', 'src/model/uploads/port.ts'];
  expect(heavy.toSorted()).toEqual(small);
});

test('the help is written without the option parser', () => {
  expect(loadedWith('src/cli/program.ts')).not.toContain('src/cli/parser.ts');
});
