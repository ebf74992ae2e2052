// `sightline tools`: looking after executables, from the shell.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { languages, templateOf } from '../../src/cli/tools/templates.ts';
import { hasTmux, openScreen } from '../tui/terminal.ts';
import { mainFile, newFolder, openProgram, run as runAlone } from './run.ts';
import type { Program, Ran } from './run.ts';
import { isRunning, writeProgram } from '../program.ts';
import { onlySome } from '../some.ts';

onlySome(8);

type Place = { home: string; project: string; run: (...words: string[]) => Promise<Ran> };

const folders: string[] = [];
let program: Program;
beforeAll(() => void (program = openProgram()));
afterAll(() => {
  program.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newPlace(): Place {
  const root = newFolder();
  folders.push(root);
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  mkdirSync(join(project, '.git'), { recursive: true });
  const path = `/usr/bin:/bin:${process.env['PATH'] ?? ''}`;
  const env = { SIGHTLINE_HOME: home, SILICA_TOOLS_DIR: join(root, 'silica'), PATH: path, SECRET_KEY: 'x' };
  return {
    home,
    project,
    run: (...words) => program.run(['tools', ...words], { cwd: project, env }),
  };
}

const plain = (name: string, body = 'echo hello'): string =>
  `#!/bin/sh\nif [ "$1" = --toolspec ]; then echo '{"name":"${name}","description":"Says ${name}.","input_schema":{"type":"object","properties":{"text":{"type":"string"}}}}'; exit; fi\n${body}\n`;

test.each(languages)('a new tool in %s works at once and shows its picture to every model', async (lang) => {
  const { run, home } = newPlace();
  const made = await run('new', 'shot', '--lang', lang);
  expect(made).toMatchObject({ code: 0, stdout: `Made ${join(home, 'tools', `shot.${lang}`)}\n` });
  const models = 'anthropic/claude-sonnet-4-5,openai/gpt-5.2,openai-chat/gpt-4.1,gemini/gemini-2.5-pro,ollama/qwen3-vl';
  const { code, stdout } = await run('test', 'shot', '-m', models);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\nblock 2: image .* \d+×\d+, image\/png, \d/);
  const table = stdout.split('\n').filter((line) => /^\S+\/\S+ /.test(line));
  expect(table.map((line) => line.split(/ {2,}/).slice(0, 3).join(' | '))).toEqual([
    'anthropic/claude-sonnet-4-5 | in the result | picture',
    'openai/gpt-5.2 | in the result | picture',
    'openai-chat/gpt-4.1 | after results | picture',
    'gemini/gemini-2.5-pro | after results | picture',
    'ollama/qwen3-vl | in the result | picture',
  ]);
});

test('what is no tool takes no name: notes and folders may be called like one', async () => {
  const { run, home } = newPlace();
  mkdirSync(join(home, 'tools', 'chart'), { recursive: true });
  for (const name of ['chart.json', 'chart.md']) writeFileSync(join(home, 'tools', name), '{}');
  expect((await run('new', 'chart', '--lang', 'sh')).stdout).toBe(`Made ${join(home, 'tools', 'chart.sh')}\n`);
});

test.each(languages)('the example in %s is what new writes, and it runs where it lies', async (lang) => {
  const example = fileURLToPath(new URL(`../../examples/tools/chart.${lang}`, import.meta.url));
  expect(readFileSync(example, 'utf8')).toBe(templateOf(lang, 'chart'));
  const { stdout } = await newPlace().run('test', example, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text' }, { type: 'image' }] });
});

test('a list says how each tool stands', async () => {
  const { run, home, project } = newPlace();
  expect((await run('list')).stderr).toContain('No tools of your own yet');
  writeFileSync(join(project, 'hello.sh'), plain('hello'));
  await run('new', 'hello', '--from', 'hello.sh');
  writeFileSync(join(home, 'tools', 'broken.sh'), 'exit 4\n');
  const { stdout, code } = await run('list');
  expect(code).toBe(0);
  expect(
    stdout
      .split('\n')
      .slice(0, 6)
      .map((line) => line.replaceAll(/ {2,}/g, ' | ')),
  ).toEqual([
    'tool | from | state | what it does',
    'broken | home | failing',
    ' | --toolspec: The tool broken.sh failed (exit code 4).',
    expect.stringContaining('Run it by hand'),
    'hello | home | ready | Says hello.',
    '',
  ]);
  const all = JSON.parse((await run('list', '--json')).stdout) as { name: string; source: string }[];
  expect(all.filter(({ source }) => source !== 'shipped')).toMatchObject([{ name: 'broken' }, { name: 'hello' }]);
  expect(all).toContainEqual(expect.objectContaining({ name: 'read_file', source: 'shipped', reach: 'reads' }));
  expect(stdout).toMatch(/^fetch_url +web +asks first +Fetch a URL/m);
});

test('without any setting, tools lie in the home of the person: ours, and those of Silica', async () => {
  const { project } = newPlace();
  const HOME = newFolder();
  folders.push(HOME);
  for (const [place, name] of [
    ['.sightline', 'mine'],
    ['.silica', 'theirs'],
  ] as const) {
    mkdirSync(join(HOME, place, 'tools'), { recursive: true });
    writeFileSync(join(HOME, place, 'tools', `${name}.sh`), plain(name));
  }
  const env = { HOME, SIGHTLINE_HOME: '', SILICA_TOOLS_DIR: '' };
  const { stdout } = await runAlone(['tools', 'list', '--json'], { cwd: project, env });
  const found = (JSON.parse(stdout) as { name: string; source: string; state: string }[]).filter(
    ({ source }) => source !== 'shipped',
  );
  expect(found.map(({ name, source, state }) => [name, source, state])).toEqual([
    ['mine', 'home', 'ready'],
    ['theirs', 'silica', 'ready'],
  ]);
});

const wait = (name: string): string => `while [ ! -e ${name} ]; do sleep 0.1; done`;

test.runIf(hasTmux)('what takes longer than a second is told on a terminal, in a line that goes away', async () => {
  const { home, project } = newPlace();
  const spec = '{"name":"slow","description":"Waits.","input_schema":{"type":"object","properties":{}}}';
  const code = `#!/bin/sh\nif [ "$1" = --toolspec ]; then ${wait('asked')}; echo '${spec}'; exit; fi\n${wait('called')}; echo over\n`;
  writeFileSync(join(project, 'slow.sh'), code);
  const command = `"${process.execPath}" "${mainFile}" tools test ./slow.sh; sleep 600`;
  const screen = openScreen(['sh', '-c', command], { cwd: project, env: { SIGHTLINE_HOME: home } });
  try {
    await screen.until('asking slow.sh what it is … ');
    writeFileSync(join(project, 'asked'), '');
    await screen.until('slow runs … ');
    writeFileSync(join(project, 'called'), '');
    expect(await screen.until('over')).not.toContain('slow runs');
  } finally {
    screen.close();
  }
});

test('archive takes a tool by its path, and no other file', async () => {
  const { run, home, project } = newPlace();
  mkdirSync(join(home, 'tools'), { recursive: true });
  for (const file of [join(home, 'tools', 'mine.sh'), join(project, 'mine.sh')]) writeFileSync(file, plain('mine'));
  const other = await run('archive', './mine.sh');
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('mine.sh does not lie among the tools')]);
  expect(existsSync(join(project, 'mine.sh'))).toBe(true);
  expect((await run('archive', join(home, 'tools', 'mine.sh'))).code).toBe(0);
  expect((await run('restore', 'mine')).stdout).toBe(`Back in ${join(home, 'tools', 'mine.sh')}\n`);
});

test('a tool keeps every byte of its file, and its name to itself', async () => {
  const { run, home, project } = newPlace();
  const code = Buffer.concat([Buffer.from(plain('hello', 'exit 0')), Buffer.from([0x80, 0xff, 0x00, 0x0a])]);
  writeFileSync(join(project, 'hello.sh'), code);
  await run('new', 'hello', '--from', 'hello.sh');
  expect(readFileSync(join(home, 'tools', 'hello.sh'))).toEqual(code);
  expect(await run('new', 'hello', '--lang', 'py')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is a tool in hello.sh already'),
  });
  expect(await run('new', 'other', '--from', '.')).toMatchObject({ code: 1 });
});

test('an update that is no tool leaves the old one in place; a good one archives it', async () => {
  const { run, home, project } = newPlace();
  const put = (code: string, ...more: string[]): Promise<Ran> => {
    writeFileSync(join(project, 'hello.sh'), code);
    return run('new', 'hello', '--from', 'hello.sh', ...more);
  };
  const file = join(home, 'tools', 'hello.sh');
  expect((await put(plain('hello', 'echo one'))).code).toBe(0);
  expect(await put(plain('hello', 'echo two'))).toMatchObject({ code: 1, stderr: expect.stringContaining('already') });
  const bad = await put('#!/bin/sh\necho no spec\n', '--replace');
  expect(bad.code).toBe(1);
  expect(bad.stderr).toContain('hello.sh is no tool: --toolspec must print JSON; it printed "no spec"');
  expect(bad.stderr).toContain('The old version is still in place.');
  expect(readFileSync(file, 'utf8')).toContain('echo one');
  expect((await put(plain('hello', 'echo two'), '--replace')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('echo two');
  const [archived = ''] = readdirSync(join(home, 'tools', '.archive'));
  expect(archived).toMatch(/^hello_\d{8}_\d{6}\.sh$/);
  expect(readdirSync(join(home, 'tools'))).toEqual(['.archive', 'hello.sh']);
  // and out, and back again
  expect((await run('archive', 'hello')).code).toBe(0);
  expect(existsSync(file)).toBe(false);
  expect((await run('restore', 'helo')).stderr).toContain('Restore one of these: hello.');
  expect(JSON.parse((await run('restore', 'hello', '--json')).stdout)).toEqual({ ok: true, value: { file } });
  expect(readFileSync(file, 'utf8')).toContain('echo two');
});

test('an installed tool follows its source, keeps working versions, and loses no change made here', async () => {
  const { run, home, project } = newPlace();
  const source = join(project, 'hello.sh');
  const write = (body: string): void => writeFileSync(source, plain('hello', body));
  const installed = (): string => readFileSync(join(home, 'tools', 'hello.sh'), 'utf8');
  write('echo one');
  expect(await run('install', 'hello.sh')).toMatchObject({
    code: 0,
    stdout: `Installed ${join(home, 'tools', 'hello.sh')}\n`,
    stderr: expect.stringContaining('A newer version later: sightline tools update hello'),
  });
  expect(await run('update')).toMatchObject({ code: 0, stdout: 'hello is the newest version.\n' });
  writeFileSync(source, '#!/bin/sh\necho no spec\n');
  const broken = await run('update', 'hello');
  expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('The old version is still in place.') });
  expect(await run('install', 'hello.sh')).toMatchObject({ code: 1, stderr: expect.stringContaining('is no tool') });
  expect(installed()).toContain('echo one');
  write('echo two');
  expect(await run('update', 'hello')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The old version is in'),
  });
  expect(installed()).toContain('echo two');
  write('echo three');
  expect((await run('install', 'hello.sh')).code).toBe(0); // the same source again is its next version
  expect(installed()).toContain('echo three');
  writeFileSync(join(home, 'tools', 'hello.sh'), plain('hello', 'echo mine'));
  write('echo four');
  expect(await run('update')).toMatchObject({ code: 1, stderr: expect.stringContaining('was changed where it lies') });
  expect(installed()).toContain('echo mine');
  expect((await run('update', '--replace')).code).toBe(0);
  expect(installed()).toContain('echo four');
  rmSync(source);
  expect(await run('update')).toMatchObject({ code: 1, stderr: expect.stringMatching(/no file[^]*installed stays/) });
  expect(installed()).toContain('echo four');
});

test('only what was installed is updated, and only a tool is installed', async () => {
  const { run, home, project } = newPlace();
  expect(await run('update')).toMatchObject({ code: 1, stderr: expect.stringContaining('tools install FILE') });
  expect(await run('install', 'nowhere.sh')).toMatchObject({ code: 1, stderr: expect.stringContaining('no file') });
  writeFileSync(join(project, 'notes.md'), '# notes\n');
  expect(await run('install', 'notes.md')).toMatchObject({ code: 1, stderr: expect.stringContaining('is no tool') });
  expect(existsSync(join(home, 'installed.json'))).toBe(false);
  await run('new', 'mine', '--lang', 'sh');
  writeFileSync(join(project, 'mine.sh'), plain('mine'));
  expect(await run('install', 'mine.sh')).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace') });
  const { stdout } = await run('install', 'mine.sh', '--replace', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, value: { name: 'mine', outcome: 'new' } });
  expect(await run('update', 'other')).toMatchObject({ code: 1, stderr: expect.stringContaining('These were: mine.') });
});

test('a tool that its file is not named after is updated by the name that its installation told', async () => {
  const { run, home, project } = newPlace();
  writeFileSync(join(project, 'mine.sh'), plain('hello', 'echo one'));
  const told = /sightline tools (test|update) (\S+)/g;
  for (const words of ['echo one', 'echo two', 'echo two']) {
    writeFileSync(join(project, 'mine.sh'), plain('hello', words));
    const { stderr } = await run('install', 'mine.sh');
    for (const [, command = '', name = ''] of stderr.matchAll(told)) expect((await run(command, name)).code).toBe(0);
    expect([...stderr.matchAll(told)].map(([, , name]) => name)).toEqual(['hello', 'hello']);
  }
  expect(await run('update')).toMatchObject({ code: 0, stdout: 'hello is the newest version.\n' });
  expect((await run('update', 'mine')).code).toBe(0);
  expect(readFileSync(join(home, 'tools', 'mine.sh'), 'utf8')).toContain('echo two');
  expect(await run('update', 'other')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('These were: hello.'),
  });
});

test('a tool whose name another file has is not put beside it', async () => {
  const { run, home, project } = newPlace();
  await run('new', 'hello', '--lang', 'sh');
  writeFileSync(join(project, 'mine.sh'), plain('hello'));
  for (const words of [
    ['install', 'mine.sh'],
    ['new', 'mine', '--from', 'mine.sh'],
  ])
    expect(await run(...words)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/the name "hello" is taken by hello\.sh[^]*archive/),
    });
  expect(readdirSync(join(home, 'tools')).filter((name) => /^[a-z].*\.sh$/.test(name))).toEqual(['hello.sh']);
  expect((await run('archive', 'hello')).code).toBe(0);
  expect((await run('install', 'mine.sh')).code).toBe(0);
  expect((await run('install', 'mine.sh', '--project')).code).toBe(0); // in a project it goes over that of the home
});

test('test shows what a model would get, errors and progress included', async () => {
  const { run, project } = newPlace();
  writeFileSync(join(project, 'tool.sh'), plain('tool', 'echo working >&2; echo "got $2"; [ "$2" != bad ]'));
  const good = await run('test', './tool.sh', 'text=good');
  expect(good).toEqual({ code: 0, stdout: 'got good\n', stderr: 'working\n' });
  const bad = await run('test', './tool.sh', '--input', '{"text":"bad"}', '--json');
  expect(bad.code).toBe(1);
  expect(JSON.parse(bad.stdout)).toMatchObject({
    isError: true,
    content: [{ text: 'The tool tool failed (exit code 1).' }, { text: 'got bad\n' }, { text: 'stderr:\nworking' }],
  });
  const wrong = await run('test', './tool.sh', 'colour=red');
  expect(wrong.stdout).toContain('input.colour: unknown; known are text');
});

test.each([
  ['that it tells itself', 0],
  ['that it tells itself and by its code', 1],
])('test shows all that stands on stderr after a failure %s', async (_, code) => {
  const { run, project } = newPlace();
  const trace = 'Traceback (most recent call last):\n  File "tool.py", line 7, in <module>\nValueError: no';
  const body = `cat >&2 <<'END'\n${trace}\nEND\necho '{"success":false,"error":"no"}'; exit ${code}`;
  writeFileSync(join(project, 'tool.sh'), plain('tool', body));
  const failed = await run('test', './tool.sh');
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain(`stderr:\n${trace}\nThe model is told`);
});

test('a project lends its tools after trust', async () => {
  const { run, project } = newPlace();
  mkdirSync(join(project, '.sightline', 'tools'), { recursive: true });
  writeFileSync(join(project, '.sightline', 'tools', 'local.sh'), plain('local', 'echo local'));
  const before = await run('test', 'local');
  expect(before.code).toBe(1);
  expect(before.stderr).toContain('the project is not trusted');
  expect((await run('trust')).stdout).toContain('local.sh');
  expect((await run('test', 'local')).stdout).toBe('local\n');
  await run('trust', '--remove');
  expect((await run('test', 'local')).code).toBe(1);
});

test('trust is given to this folder for the servers of its sightline.toml, and to the project for its tools', async () => {
  const { run, project, home } = newPlace();
  const web = join(project, 'web');
  mkdirSync(join(project, '.sightline', 'tools'), { recursive: true });
  mkdirSync(web);
  writeFileSync(join(project, '.sightline', 'tools', 'local.sh'), plain('local'));
  writeFileSync(join(web, 'sightline.toml'), '[mcp.db]\ncommand = "no-such-program"\n');
  const trusted = (): unknown => JSON.parse(readFileSync(join(home, 'trusted.json'), 'utf8'));
  expect((await run('trust', 'web')).stdout).toBe(`Trusted: ${web}\nTrusted: ${project}\n  local.sh\n`);
  expect(trusted()).toEqual([web, project]);
  expect((await run('trust', 'web', '--remove')).stdout).toBe(
    `No longer trusted: ${web}\nNo longer trusted: ${project}\n`,
  );
  expect(trusted()).toEqual([]);
});

test('a tool made for a project of its own is trusted with it', async () => {
  const { run, project } = newPlace();
  writeFileSync(join(project, 'hello.sh'), plain('hello'));
  const made = await run('new', 'hello', '--project', '--from', 'hello.sh');
  expect(made.stdout).toContain(join(project, '.sightline', 'tools', 'hello.sh'));
  expect((await run('test', 'hello')).stdout).toBe('hello\n');
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const)('%s ends the program and the tool that it runs', async (signal, code) => {
  const { home, project } = newPlace();
  const sign = join(project, 'pid');
  mkdirSync(join(home, 'tools'), { recursive: true });
  writeProgram(
    join(home, 'tools', 'nap.sh'),
    plain('nap', `echo $$ > '${sign}.new'; mv '${sign}.new' '${sign}'; exec sleep 300`),
  );
  const env = { ...process.env, SIGHTLINE_HOME: home };
  const child = spawn(process.execPath, [mainFile, 'tools', 'test', 'nap'], { cwd: project, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await expect.poll(() => existsSync(sign), { timeout: 30_000 }).toBe(true);
  const pid = Number(readFileSync(sign, 'utf8'));
  child.kill(signal);
  const how = await ended;
  try {
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(how).toBe(code);
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});

test('auth lets a tool ask, and believes what it says afterwards', async () => {
  const { run, home, project } = newPlace();
  const token = join(project, 'token');
  const ask = `[ "$SIGHTLINE_INTERACTIVE" = 1 ] && [ -e ${project}/person ] && touch ${token}; [ -e ${token} ]; exit`;
  mkdirSync(join(home, 'tools'), { recursive: true });
  const code = plain('mail', `if [ "$1" = --authorize ]; then ${ask}; fi\necho mail`);
  writeFileSync(join(home, 'tools', 'mail.sh'), code.replace('"name"', '"requires_auth":true,"name"'));
  expect((await run('test', 'mail')).stderr).toContain('Run: sightline tools auth mail');
  const refused = await run('auth', 'mail');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('mail is not authorised: --authorize ended with code 1');
  writeFileSync(join(project, 'person'), '');
  expect(await run('auth', 'mail')).toEqual({ code: 0, stdout: 'mail is authorised.\n', stderr: '' });
  expect((await run('test', 'mail')).stdout).toBe('mail\n');
});

test('inspect tells what a tool is and what it gets', async () => {
  const { run, project } = newPlace();
  writeFileSync(join(project, 'tool.sh'), plain('tool'));
  const facts = JSON.parse((await run('inspect', './tool.sh', '--json')).stdout);
  expect(facts).toMatchObject({ name: 'tool', source: 'path', state: 'ready', seconds: 60, arguments: 'flags' });
  expect(facts.environment).not.toContain('SECRET_KEY');
});

test.each<[string, string[], string]>([
  ['no such tool', ['test', 'nope'], 'There is no tool "nope"'],
  ['no such file', ['inspect', './nope.py'], 'There is no file nope.py'],
  ['a bad name', ['new', '../evil'], '"../evil" is no name for a tool'],
  [
    'nothing archived',
    ['restore', 'nope'],
    'Nothing is archived yet; "sightline tools archive NAME" puts a tool there.',
  ],
  ['no project', ['trust'], 'no .sightline/tools in it'],
])('%s is told in a sentence', async (_, words, sentence) => {
  const { run } = newPlace();
  const { code, stdout, stderr } = await run(...words);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(sentence);
});
