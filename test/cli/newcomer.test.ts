// A newcomer's day: the packed tarball, installed into an empty folder, in an empty home; a question, a tool of one's own, MCP both
// ways, a provider that refuses, a page, a database, a client through the gateway, and everything taken away again.
// `npm run day` does it with Claude Code as the client and prints how long each command took.
import { execFile, spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { realClients } from '../../scripts/clients/clients.ts';
import { installed as installedClient } from '../../scripts/clients/install.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer, Asked, ScriptedRequest, ScriptedServer } from '../../src/model/script/index.ts';
import { effort } from '../effort.ts';
import { startPostgres } from '../postgres/server.ts';
import type { PostgresServer } from '../postgres/server.ts';
import { writeProgram } from '../program.ts';
import { newFolder } from './run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = existsSync(join(root, 'dist/cli/main.js'));
if (!built) console.warn('dist/ is not built: the day of a newcomer is not tried. Run "npm run build".');
const execute = promisify(execFile);

const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0'];

async function npmIn(folder: string, ...words: string[]): Promise<string> {
  return (await execute('npm', [...words, '--loglevel=error'], { cwd: folder, timeout: 240_000 })).stdout;
}

/** The program of the installed package, or nothing where no registry can be reached. */
async function installed(folder: string): Promise<string | undefined> {
  const packed = await npmIn(folder, 'pack', root, '--ignore-scripts', '--json');
  const [tarball] = JSON.parse(packed) as { filename: string; size: number; files: { path: string }[] }[];
  expect(tarball?.size).toBeLessThan(2_000_000);
  const wanted =
    /^(LICENSE|README\.md|package\.json|parts\/\w+\/package(-lock)?\.json|dist\/[\w./-]+\.(js|d\.ts|css|html|svg|py))$/;
  expect(tarball?.files.map(({ path }) => path).filter((path) => !wanted.test(path))).toEqual([]);
  writeFileSync(join(folder, 'package.json'), '{"name":"mine","private":true}');
  try {
    await npmIn(folder, 'install', `./${tarball?.filename ?? ''}`, ...quiet);
  } catch (error) {
    console.warn(`No registry can be reached: the day of a newcomer is not tried. ${String(error).split('\n')[0]}`);
    return undefined;
  }
  return join(folder, 'node_modules', '.bin', 'sightline');
}

/** What an installation weighs, and of how many packages it is. */
function weight(folder: string): { megabytes: number; packages: number; small: boolean; few: boolean } {
  const lock = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8')) as { packages: object };
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  const [megabytes, packages] = [bytes / 1e6, Object.keys(lock.packages).length];
  return { megabytes, packages, small: megabytes <= 70, few: packages <= 60 };
}

const { isLong } = effort;
const wholeDay = process.env['SIGHTLINE_DAY'] !== undefined;
const question = 'How did we do? Look at the picture.';

/** Calls the tool that the question is about, then says what it is of. */
function answer({ transcript }: Asked): Answer {
  const asked = JSON.stringify(transcript.messages.filter(({ role }) => role === 'user'));
  const tools = new Set((transcript.tools ?? []).map(({ name }) => name));
  const wanted = [
    { word: 'photo.png', name: 'read_file', input: { file_path: 'photo.png' } },
    { word: 'draw', name: 'chart', input: { values: [1, 2, 3] } },
    { word: 'MCP', name: 'self_read_file', input: { file_path: 'photo.png' } },
    { word: question, name: 'Read', input: { file_path: join(day.folder, 'photo.png') } },
  ].find(({ word, name }) => asked.includes(word) && tools.has(name));
  const isAnswered = transcript.messages.at(-1)?.role === 'tool';
  return wanted && !isAnswered ? { calls: [wanted] } : { text: 'Four bars.' };
}

/** A provider that does not take a picture of this name. */
function complaint({ transcript }: ScriptedRequest): Answer['error'] | undefined {
  const said = JSON.stringify(transcript?.messages ?? []);
  return said.includes('strange.png') && said.includes('"type":"image"')
    ? { status: 400, message: 'Could not process image' }
    : undefined;
}

/** The SDK of Anthropic as the client that `serve claude` starts. */
const smallClient = (sdk: string): string => `#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import Anthropic from ${JSON.stringify(sdk)};
const source = { type: 'base64', media_type: 'image/png', data: readFileSync('photo.png', 'base64') };
const { content } = await new Anthropic({ apiKey: 'none' }).messages.create({
  model: 'default',
  max_tokens: 1000,
  messages: [
    { role: 'user', content: process.argv[3] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source }] }] },
  ],
  tools: [{ name: 'Read', input_schema: { type: 'object' } }],
});
console.log(content[0].text);
`;

type Said = { stdout: string; stderr: string };

const day = {
  folder: newFolder(),
  env: {} as Record<string, string>,
  /** What was typed, and how many seconds it took. */
  typed: [] as [words: string, seconds: number][],
  program: undefined as string | undefined,
  client: '',
  model: undefined as ScriptedServer | undefined,
  postgres: undefined as PostgresServer | undefined,
};

async function timed<Result>(words: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    day.typed.push([words, (performance.now() - began) / 1000]);
  }
}

function sightline(...words: string[]): Promise<Said> {
  return timed(`sightline ${words.join(' ')}`, async () => {
    const { folder, env, program = '' } = day;
    const running = execute(program, words, { cwd: folder, env, timeout: 240_000 });
    running.child.stdin?.end();
    return await running;
  });
}

async function run(...words: string[]): Promise<string> {
  return (await sightline(...words)).stdout;
}

/** What the model was shown last. */
function shown(): string {
  return JSON.stringify(day.model?.requests.at(-1)?.transcript?.messages ?? []);
}

beforeAll(async () => {
  if (!built || !(isLong || wholeDay)) return;
  const { folder } = day;
  for (const name of ['home', 'tmp', 'bin']) mkdirSync(join(folder, name));
  day.program = await timed('npm install sightline', () => installed(folder));
  if (day.program === undefined) return;
  copyFileSync(join(root, 'examples/chart.png'), join(folder, 'photo.png'));
  copyFileSync(join(root, 'examples/chart.png'), join(folder, 'strange.png'));
  const claude = realClients.find(({ name }) => name === 'claude');
  day.client = wholeDay && claude ? await installedClient(claude) : join(folder, 'bin');
  if (!wholeDay) writeProgram(join(folder, 'bin/claude'), smallClient(import.meta.resolve('@anthropic-ai/sdk')));
  [day.model, day.postgres] = await Promise.all([
    scriptedServer(script(answer), { check: complaint }),
    startPostgres(),
  ]);
  // The Node of this test, a home with nothing in it, no key but that of the scripted model.
  day.env = {
    PATH: [dirname(process.execPath), dirname(day.program), day.client, process.env['PATH'] ?? ''].join(':'),
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: day.model.url,
    GEMINI_API_KEY: 'key',
    GOOGLE_GEMINI_BASE_URL: day.model.url,
  };
});

afterAll(async () => {
  await day.model?.close();
  day.postgres?.close();
  const seconds = day.typed.reduce((sum, [, took]) => sum + took, 0);
  const lines = day.typed.map(([words, took]) => `${took.toFixed(1).padStart(6)} s  ${words}`);
  if (wholeDay) console.log([...lines, `${day.typed.length} commands, ${seconds.toFixed(0)} s`].join('\n'));
  rmSync(day.folder, { recursive: true, force: true });
});

/** One part of the day, where there is one. */
function part(name: string, work: () => Promise<void>): void {
  test(name, async () => {
    if (day.program !== undefined) await work();
  });
}

describe.runIf(built && (isLong || wholeDay))('a newcomer', () => {
  part('looks, reads, asks', async () => {
    const { folder } = day;
    expect(await run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await run('--help')).toContain('sightline ask "what does @chart.png show?"');
    expect(await run('demo')).toContain('anthropic/');
    expect(await run('read', 'photo.png')).toContain('image "photo.png" 640×400');
    expect(await run('read', 'photo.png', '-m', 'ollama/llama3.1')).toContain(
      'OCR would read what is written on pictures for models that see none. Install it once (64 MB) with: sightline doctor',
    );
    mkdirSync(join(folder, 'home', '.sightline'), { recursive: true });
    writeFileSync(
      join(folder, 'home', '.sightline', 'config.toml'),
      '[models.small]\nmodel = "openai-chat/gpt-4.1"\ncontext_tokens = 4000\nmax_tokens = 500\n',
    );
    writeFileSync(join(folder, 'long.txt'), 'Some words of a long text. '.repeat(400));
    expect(await run('read', 'long.txt', '-m', 'small')).toContain(
      'The window is more than half full by an estimate; its tokens could be counted. Install it once (30 MB) with: sightline doctor --install tokenizer',
    );
    expect(await run('ask', 'what is in photo.png?')).toBe('Four bars.\n');
    expect(existsSync(join(folder, 'home', '.sightline', 'sessions.db'))).toBe(true);
    expect(weight(join(folder, 'node_modules'))).toMatchObject({ small: true, few: true });
  });

  part('writes a tool in Python, and uses MCP both ways', async () => {
    await run('tools', 'new', 'chart', '--lang', 'py');
    expect(await run('tools', 'test', 'chart')).toContain('block 2: image "image.png" 96×120');
    expect(await run('ask', '--tools', 'all', 'draw')).toBe('Four bars.\n');
    expect(shown()).toMatch(/A chart of 3 bars.*"type":"image"/);
    appendFileSync(
      join(day.folder, 'home/.sightline/config.toml'),
      '[mcp.self]\ncommand = "sightline"\nargs = ["mcp"]\n',
    );
    expect(await run('ask', '--tools', 'all', 'over MCP')).toBe('Four bars.\n');
    expect(shown()).toMatch(/self_read_file.*"type":"image"/);
  });

  part('is answered though the provider refuses the picture, and told so', async () => {
    const { stdout, stderr } = await sightline('ask', 'what does @strange.png show?');
    expect(stdout).toBe('Four bars.\n');
    expect(stderr).toContain('Refused: Could not process image. Asking again in another form.');
    expect(stderr).toContain('1 only described, the request was planned anew, because something was refused');
  });

  part('makes a page, and moves the conversations into PostgreSQL and back', async () => {
    await run('sessions', 'export', 'last', 'talk.html');
    expect(readFileSync(join(day.folder, 'talk.html'), 'utf8')).toMatch(/^<!doctype html>[\s\S]*data:image\/png/i);
    const url = (await day.postgres?.newDatabase()) ?? '';
    await expect(run('sessions', 'move', '--to', url)).rejects.toThrow('npm install pg');
    await timed('npm install pg', () => npmIn(day.folder, 'install', 'pg', ...quiet));
    const there = await sightline('sessions', 'move', '--to', url);
    const [, lines = ''] = /config\.toml of your home:\n((?: {2}.*\n)+)/.exec(there.stderr) ?? [];
    const settings = join(day.folder, 'home/.sightline/config.toml');
    const before = readFileSync(settings, 'utf8');
    appendFileSync(settings, lines);
    expect(await run('ask', '-c', 'and now?')).toBe('Four bars.\n');
    const back = await sightline('sessions', 'move', '--to', join(day.folder, 'home/.sightline'), '--remove');
    expect(back.stderr).toContain('take [store] out of config.toml');
    writeFileSync(settings, before);
    expect(await run('sessions', 'show', 'last')).toContain('and now?');
  });

  part('has a client answered by another model, and sees in the inspector what that model got', async () => {
    const { folder, env, program = '' } = day;
    const words = ['-p', question, '--model', 'default', '--allowedTools', 'Read'];
    expect(await run('serve', 'claude', '-m', 'gemini/gemini-2.5-pro', '--port', '0', '--', ...words)).toContain(
      'Four bars.',
    );
    const page = spawn(program, ['inspect', '--no-open'], { cwd: folder, env });
    const closed = new Promise((resolve) => page.once('close', resolve));
    try {
      let told = '';
      page.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
      await expect.poll(() => told).toMatch(/#token=\S+\n/);
      const [base = '', token = ''] = told.split('\n')[0]?.split('/#token=') ?? [];
      const entered = await fetch(`${base}/api/enter`, { method: 'POST', body: JSON.stringify({ token }) });
      const headers = { cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '' };
      const listed = (await (await fetch(`${base}/api/conversations`, { headers })).json()) as { id: string }[];
      const looked = await fetch(`${base}/api/conversations/${listed[0]?.id ?? ''}`, { headers });
      expect(await looked.text()).toContain('gemini/gemini-2.5-pro');
    } finally {
      page.kill('SIGINT');
      await closed;
    }
  });

  part('brings a part when a file needs it', async () => {
    const { folder, env } = day;
    copyFileSync(join(root, 'test/fixtures/image/hopper.heif'), join(folder, 'phone.heic'));
    await expect(run('read', 'phone.heic')).rejects.toThrow(
      'Install it once (9 MB) with: sightline doctor --install heic',
    );
    Object.assign(env, { ...process.env, ...env, npm_config_userconfig: join(homedir(), '.npmrc') }); // where npm finds packages
    expect(await run('doctor', '--install', 'heic')).toMatch(/^✓ heic is in .*parts/);
    expect(await run('read', 'phone.heic')).toContain('converted from HEIC');
    expect(await run('doctor', '--install', 'heic')).toMatch(/^✓ heic is here already/);
  });

  part('takes it away by the commands of the page, and nothing is left', async () => {
    const { folder, env } = day;
    const [, commands = ''] =
      /## Uninstall[\s\S]*?```sh\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/quick-start.md'), 'utf8')) ?? [];
    for (const command of commands.trim().split('\n'))
      await timed(command, () => execute('sh', ['-c', command], { cwd: folder, env }));
    const ofOthers = /^(\.npm|\.claude|claude-|cc-)/; // npm's and the client's own
    const left = (below: string): string[] => readdirSync(join(folder, below)).filter((name) => !ofOthers.test(name));
    expect([left('home'), left('tmp')]).toEqual([[], []]);
    expect(existsSync(join(folder, 'node_modules/sightline'))).toBe(false);
  });
});
