// Executables as tools: real little programs in real folders, called the way a loop calls them.
import { appendFileSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandFor } from '../../src/toolbox/executable/command.ts';
import { limits } from '../../src/toolbox/executable/limits.ts';
import { setTrust } from '../../src/toolbox/executable/place.ts';
import { executableTools, watchExecutables } from '../../src/toolbox/executable/tools.ts';
import { dot, newHome, shell, spec, textOf } from './executable-home.ts';
import { onlySome } from '../some.ts';

onlySome(20);

/** Says on what it was called: each argument on a line of its own. */
const echo = `for word in "$@"; do printf '<%s>\\n' "$word"; done`;

test('a file that answers --toolspec is a tool', async () => {
  const { write, call, options } = newHome();
  write('home/tools/hello', shell(spec('hello'), 'echo "Hello from $(basename "$PWD")"'));
  const { tools, states } = await executableTools(options);
  expect(tools.map(({ name, description }) => [name, description])).toEqual([['hello', 'Does hello.']]);
  expect(states).toMatchObject([{ name: 'hello', source: 'home', state: 'ready' }]);
  expect(await call('hello')).toMatchObject({ content: [{ type: 'text', text: 'Hello from project\n' }] });
});

const everything = {
  text: { type: 'string' },
  count: { type: 'number' },
  on: { type: 'boolean' },
  off: { type: 'boolean', default: false },
  list: { type: 'array' },
  record: { type: 'object' },
  either: { type: ['string', 'null', 'number'] },
  none: { type: ['string', 'null'], default: null },
};

test.each<[string, object, string[]]>([
  ['text', { text: 'a b "c"\n$d' }, ['--text', 'a b "c"\n$d']],
  ['text that looks like a flag', { text: '--count' }, ['--text=--count']],
  ['empty text', { text: '' }, ['--text=']],
  ['numbers', { count: -1.5 }, ['--count=-1.5']],
  ['true', { on: true, off: true }, ['--on', '--off']],
  ['false, said where it is not the default', { on: false, off: false }, ['--no-on']],
  ['arrays', { list: ['a', 1, false, null] }, ['--list', '["a",1,false,null]']],
  ['objects', { record: { a: [{}] } }, ['--record', '{"a":[{}]}']],
  ['null, said where it is not the default', { either: null, none: null }, ['--either', 'null']],
  ['text that would be JSON where JSON may stand', { either: 'null' }, ['--either', '"null"']],
  ['other text there', { either: 'plain' }, ['--either', 'plain']],
  ['null for what knows no null: not given', { text: null, count: 1 }, ['--count', '1']],
])('flags carry %s', async (_, input, words) => {
  const { write, call } = newHome();
  write('home/tools/echo', shell(spec('echo', {}, everything), echo));
  expect(textOf(await call('echo', input))).toBe(`${words.map((word) => `<${word}>`).join('\n')}\n`);
});

test('a flag the spec does not name never reaches the tool', async () => {
  const { write, call } = newHome();
  write('home/tools/echo', shell(spec('echo', {}, everything), echo));
  const result = await call('echo', { toolspec: true });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('input.toolspec: unknown');
});

test('with "input": "json" the arguments come on stdin as they are', async () => {
  const { write, call } = newHome();
  write('home/tools/echo', shell(spec('echo', { input: 'json' }), 'echo "$# words"; cat'));
  const input = { list: [1, null, false, '--x'], deep: { '': '\0' }, text: 'ä\n' };
  const said = textOf(await call('echo', input));
  expect(said.startsWith('0 words\n')).toBe(true);
  expect(JSON.parse(said.slice('0 words\n'.length))).toEqual(input);
});

test('one file may hold several tools', async () => {
  const { write, call } = newHome();
  const specs = [spec('one', { _subcommand: 'first' }), spec('two', { _subcommand: 'second' }, everything)];
  write('home/tools/both', shell(specs, echo));
  expect(textOf(await call('one'))).toBe('<first>\n');
  expect(textOf(await call('two', { text: 'x' }))).toBe('<second>\n<--text>\n<x>\n');
  write('home/tools/pair.sh', shell([spec('pair_left'), spec('right')], echo));
  expect(textOf(await call('pair_left'))).toBe('<left>\n');
  expect(textOf(await call('right'))).toBe('<right>\n');
});

const picture = { type: 'image', width: 2, height: 2 };

test.each<[string, string, unknown[]]>([
  ['JSON', `echo '{"success":true,"base64":"${dot}","message":"Done"}'`, [{ type: 'text' }, picture]],
  [
    'JSON after a log',
    `echo Loading; echo '{"image":{"base64":"${dot}"}}'`,
    [{ text: 'Loading' }, { type: 'text' }, picture],
  ],
  [
    'JSON with numbers that only Python knows',
    `echo '{"base64":"${dot}","mean":NaN,"range":[-Infinity,Infinity],"note":"NaN, or -Infinity"}'`,
    [{ text: expect.stringMatching(/"mean":\s*"NaN"[^]*"-Infinity"[^]*"Infinity"[^]*"NaN, or -Infinity"/) }, picture],
  ],
  ['JSON before a log', `echo '{"base64":"${dot}"}'; echo Bye`, [{ type: 'text' }, picture, { text: 'Bye' }]],
  ['a byte order mark', `printf '\\357\\273\\277{"base64":"${dot}"}'`, [{ type: 'text' }, picture]],
  ['several pictures', `echo '{"images":["${dot}","${dot}"]}'`, [{ type: 'text' }, picture, picture]],
  ['bytes', `echo ${dot} | base64 -d`, [{ type: 'text' }, picture]],
  [
    'SVG',
    `echo '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>'`,
    [{ type: 'text' }, { type: 'image' }],
  ],
  ['blocks', `echo '{"content":[{"type":"text","text":"a"}]}'`, [{ type: 'text', text: 'a' }]],
  ['text', 'printf "two\\nlines"', [{ type: 'text', text: 'two\nlines' }]],
  ['nothing', ':', [{ type: 'text', text: 'Tool completed successfully (no output).' }]],
])('what is printed as %s arrives as what it is', async (_, body, content) => {
  const { write, call } = newHome();
  write('home/tools/show', shell(spec('show'), body));
  const result = await call('show');
  expect(result.isError).toBeUndefined();
  expect(result.content).toHaveLength(content.length);
  expect(result.content).toMatchObject(content);
});

test('the last JSON value counts, and what was printed before it is kept', async () => {
  const { write, call } = newHome();
  write('home/tools/log', shell(spec('log'), `echo '{"step":1}'; echo '[info] x'; printf '{\\n "done": true\\n}\\n'`));
  const { content } = await call('log');
  expect(content).toMatchObject([{ text: '{"step":1}\n[info] x' }, { text: '{\n  "done": true\n}' }]);
});

test('stderr is progress while a tool works, and part of the answer when it fails', async () => {
  const { write, call, root } = newHome();
  const heard = `until [ -e ${root}/half ]; do sleep 0.02; done`;
  write('home/tools/fail', shell(spec('fail'), `echo half >&2; ${heard}; echo whole >&2; echo so far; exit 3`));
  const lines: string[] = [];
  const onProgress = (line: string): void => {
    lines.push(line);
    write(line, '');
  };
  const result = await call('fail', {}, { onProgress });
  expect(lines).toEqual(['half', 'whole']);
  expect(result.isError).toBe(true);
  expect(result.content).toMatchObject([
    { text: 'The tool fail failed (exit code 3).' },
    { text: 'so far\n' },
    { text: 'stderr:\nhalf\nwhole' },
  ]);
});

test('a tool that fails still shows the picture it printed', async () => {
  const { write, call } = newHome();
  write('home/tools/fail', shell(spec('fail'), `echo '{"message":"no button","base64":"${dot}"}'; exit 1`));
  const result = await call('fail');
  expect(result.isError).toBe(true);
  expect(result.content).toMatchObject([{ text: 'The tool fail failed (exit code 1).' }, { type: 'text' }, picture]);
  expect(textOf(result)).toContain('no button');
  expect(textOf(result)).not.toContain(dot);
});

test('a picture that is printed after words is shown, and so are the words', async () => {
  const { write, call } = newHome();
  write('home/tools/plot', shell(spec('plot'), `echo 'rendering ...'; printf '${dot}' | base64 -d`));
  const { content } = await call('plot');
  expect(content).toMatchObject([{ type: 'text', text: 'rendering ...' }, { type: 'text' }, picture]);
});

test('how many calls may run at once is part of the spec', async () => {
  const { write, options } = newHome();
  write('home/tools/one', shell(spec('one', { max_concurrency: 1 }), ''));
  write('home/tools/zero', shell(spec('zero', { max_concurrency: 0 }), ''));
  const { tools, states } = await executableTools(options);
  expect(tools).toMatchObject([{ name: 'one', concurrency: 1 }]);
  expect(states[1]).toMatchObject({ state: 'invalid', why: expect.stringContaining('max_concurrency') });
});

test('{"success": false} is an error whatever the exit code', async () => {
  const { write, call } = newHome();
  write('home/tools/no', shell(spec('no'), `echo '{"success": false, "error": "no camera"}'`));
  const result = await call('no');
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('no camera');
});

const block = (path: string): string => `echo '{"content":[{"type":"image","path":"${path}"}]}'`;
const named = (path: string): string => `echo '{"path":"${path}","media_type":"image/png"}'`;

test('a file that a tool names is read below the working directory and nowhere else', async () => {
  const { write, call } = newHome();
  write('project/inside.png', Buffer.from(dot, 'base64'), 0o644);
  const outside = write('outside.png', Buffer.from(dot, 'base64'), 0o644);
  write('home/tools/inside', shell(spec('inside'), block('inside.png')));
  write('home/tools/outside', shell(spec('outside'), block(outside)));
  expect((await call('inside')).content).toMatchObject([{ type: 'text' }, picture]);
  write('home/tools/named', shell(spec('named'), named('inside.png')));
  write('home/tools/astray', shell(spec('astray'), named(outside)));
  expect((await call('named')).content).toMatchObject([{ type: 'text' }, picture]);
  const why = '[file "outside.png" not shown: outside.png lies outside the allowed folders. Name a file inside them.]';
  expect((await call('astray')).content).toMatchObject([{ type: 'text' }, { type: 'text', text: why }]);
  const refused = await call('outside');
  expect(refused.content).toMatchObject([{ type: 'text' }]);
  expect(textOf(refused)).not.toContain(outside);
});

test('a tool sees no key but the ones it was granted', async () => {
  const { write, call } = newHome();
  write('home/tools/keys', shell(spec('keys'), 'echo "$ANTHROPIC_API_KEY/$MAP_KEY/$HOME"'));
  const environment = { PATH: process.env['PATH'], HOME: '/h', ANTHROPIC_API_KEY: 'secret', MAP_KEY: 'map' };
  expect(textOf(await call('keys', {}, { environment }))).toBe('///h\n');
  const granted = {
    environment,
    settings: {
      keys: { enabled: true, env: ['MAP_KEY'] },
      other: { enabled: true, env: ['ANTHROPIC_API_KEY'] },
    },
  };
  expect(textOf(await call('keys', {}, granted))).toBe('/map//h\n');
});

test('a tool that is switched off is listed and not offered', async () => {
  const { write, options } = newHome();
  write('home/tools/a', shell(spec('a'), ''));
  const { tools, states } = await executableTools({ ...options, settings: { a: { enabled: false, env: [] } } });
  expect(tools).toEqual([]);
  expect(states).toMatchObject([{ name: 'a', state: 'off' }]);
});

test('an unchanged file starts no process; a changed one is asked again', async () => {
  const { write, options, root } = newHome();
  const count = join(root, 'count');
  const counting = (name: string): string => shell(spec(name), '').replace('\n', `\necho x >> ${count}\n`);
  const file = write('home/tools/known', counting('known'));
  const asked = (): number => readFileSync(count, 'utf8').trim().split('\n').length;
  await executableTools(options);
  await executableTools(options);
  expect(asked()).toBe(1);
  utimesSync(file, new Date(), new Date()); // touched, but the same
  await executableTools(options);
  expect(asked()).toBe(1);
  writeFileSync(file, counting('newer'));
  const { tools } = await executableTools(options);
  expect(tools.map(({ name }) => name)).toEqual(['newer']);
  expect(asked()).toBe(2);
  await executableTools({ ...options, refresh: true });
  expect(asked()).toBe(3);
});

test('files are asked for their specs side by side', async () => {
  const { write, options, root } = newHome();
  const waits = (own: string, other: string): string =>
    shell(spec(own), '').replace('\n', `\ntouch ${root}/${own}\nuntil [ -e ${root}/${other} ]; do sleep 0.02; done\n`);
  write('home/tools/one', waits('one', 'two'));
  write('home/tools/two', waits('two', 'one'));
  expect((await executableTools(options)).tools.map(({ name }) => name)).toEqual(['one', 'two']);
});

test('a script that uv may have to install for has the longer time of a first run, any other has not', () => {
  const { write, root } = newHome();
  write('bin/uv', '#!/bin/sh\n');
  const installs = (file: string): unknown => {
    const started = commandFor(file, join(root, 'bin'));
    return started.ok ? started.value.installs : started.refusal.what;
  };
  const withUv = write('home/tools/named.py', '#!/usr/bin/env -S uv run\n');
  const plain = write('home/tools/plain.mjs', '');
  expect([withUv, plain].map(installs)).toEqual([true, false]);
  expect(limits.firstRunMs).toBeGreaterThan(5 * limits.specMs);
});

test('a Python script that says what it needs runs with uv, which installs it; without uv by its first line', () => {
  const { write, root } = newHome();
  const needs = '# /// script\n# dependencies = ["pillow"]\n# ///\n';
  const runsOn = (first: string, rest: string): unknown => {
    const started = commandFor(write('home/tools/chart.py', `${first}\n${rest}`), join(root, 'bin'));
    return started.ok ? [basename(started.value.command.file), started.value.installs] : started.refusal.what;
  };
  write('bin/python3', '#!/bin/sh\n');
  const [line, own] = ['#!/usr/bin/env python3', `#!${join(root, 'bin/python3')}`];
  expect(runsOn(line, needs)).toEqual(['chart.py', false]);
  write('bin/uv', '#!/bin/sh\n');
  expect(runsOn(line, needs)).toEqual(['uv', true]);
  expect(runsOn('', needs)).toEqual(['uv', true]);
  expect(runsOn(line, 'import json\n')).toEqual(['chart.py', false]);
  expect(runsOn(own, needs)).toEqual(['chart.py', false]); // whoever names a Python has what it needs there
});

test('a damaged cache is asked anew and nothing else happens', async () => {
  const { write, options, home } = newHome();
  write('home/tools/a', shell(spec('a'), ''));
  await executableTools(options);
  writeFileSync(join(home, 'cache', 'toolspecs.json'), '{"shape":1,"files":');
  expect((await executableTools(options)).tools).toHaveLength(1);
});

test('changes are seen while the program runs', async () => {
  const { write, options } = newHome();
  const file = write('home/tools/a', shell(spec('a'), ''));
  const changes: (() => void)[] = [];
  const watcher = watchExecutables(options, () => changes.shift()?.());
  try {
    for (const change of [
      () => appendFileSync(file, '# more\n'),
      () => write('home/tools/b', shell(spec('b'), '')),
      () => rmSync(file),
    ]) {
      const seen = new Promise<void>((resolve) => changes.push(resolve));
      change();
      await seen;
    }
  } finally {
    watcher.close();
  }
  expect((await executableTools(options)).tools.map(({ name }) => name)).toEqual(['b']);
});

test('folders that did not exist, and trust that was given, are seen while the program runs', async () => {
  const { write, options, home, project, root } = newHome();
  write('project/src/deep/file.txt', '', 0o644);
  const here = { ...options, project: join(project, 'src', 'deep'), silica: join(root, 'silica', 'tools') };
  rmSync(join(root, 'silica'), { recursive: true, force: true });
  rmSync(join(home, 'tools'), { recursive: true, force: true });
  rmSync(join(project, '.sightline'), { recursive: true, force: true });
  let seen = 0;
  const watcher = watchExecutables(here, () => (seen += 1));
  const names = async (): Promise<string[]> => (await executableTools(here)).tools.map(({ name }) => name).toSorted();
  try {
    for (const [change, expected] of [
      [() => write('home/tools/a', shell(spec('a'), '')), ['a']],
      [() => write('silica/tools/b', shell(spec('b'), '')), ['a', 'b']],
      [() => write('project/.sightline/tools/c', shell(spec('c'), '')), ['a', 'b']], // nobody trusts it yet
      [() => setTrust(home, project, true), ['a', 'b', 'c']],
      [() => write('project/.sightline/tools/d', shell(spec('d'), '')), ['a', 'b', 'c', 'd']],
    ] as const) {
      const before = seen;
      change();
      await expect.poll(() => seen).toBeGreaterThan(before);
      await expect.poll(names).toEqual(expected);
    }
    const quiet = seen;
    writeFileSync(join(home, 'sessions.db'), 'x'); // what else lies in these folders is nobody's tool
    writeFileSync(join(project, 'src', 'deep', 'file.txt'), 'y');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(seen).toBe(quiet);
  } finally {
    watcher.close();
  }
});

test('a project lends its tools after it was trusted, and its tools go over those of the home', async () => {
  const { write, options, home, project, root } = newHome();
  const trace = join(root, 'trace');
  write('project/.sightline/tools/shot', shell(spec('shot'), '').replace('\n', `\ntouch ${trace}\n`));
  write('home/tools/shot', shell(spec('shot'), 'echo home'));
  write('silica/shot', shell(spec('shot'), 'echo silica'));
  const inner = join(project, 'src', 'deep');
  write('project/src/deep/file.txt', '', 0o644);
  const here = { ...options, project: inner };
  const before = await executableTools(here);
  expect(before.states.map(({ source, state }) => `${source} ${state}`)).toEqual([
    'project untrusted',
    'home ready',
    'silica shadowed',
  ]);
  expect(existsSync(trace)).toBe(false);
  setTrust(home, project, true);
  const after = await executableTools(here);
  expect(after.states.map(({ source, state }) => `${source} ${state}`)).toEqual([
    'project ready',
    'home shadowed',
    'silica shadowed',
  ]);
  setTrust(home, project, false);
  expect((await executableTools(here)).states[0]?.state).toBe('untrusted');
});

test('files of Silica are tools, its helpers are not', async () => {
  const { write, options } = newHome();
  write(
    'silica/read_image.py',
    '#!/usr/bin/env python3\nprint(\'{"name":"read_image","description":"Reads.","input_schema":{"type":"object","properties":{}}}\')',
  );
  write('silica/_silica_toolspec.py', 'raise SystemExit(1)');
  write('silica/.archive/old.py', 'raise SystemExit(1)');
  write('silica/README.md', '# tools');
  expect((await executableTools(options)).states).toMatchObject([
    { name: 'read_image', source: 'silica', state: 'ready' },
  ]);
});

test.each([0, 1])(
  'a tool that needs authorisation is offered when it has it, and says why not (exit code %i)',
  async (code) => {
    const { write, options, root } = newHome();
    const token = join(root, 'token');
    const authorize = `if [ "$1" = --authorize ]; then [ -e ${token} ] && exit 0; echo '{"success":false,"message":"no token"}'; exit ${code}; fi`;
    write('home/tools/mail', shell(spec('mail', { requires_auth: true }), authorize));
    const before = await executableTools(options);
    expect(before.tools).toEqual([]);
    expect(before.states).toMatchObject([
      { state: 'needs-auth', why: 'no token', next: 'Run: sightline tools auth mail' },
    ]);
    writeFileSync(token, '');
    expect((await executableTools(options)).tools).toHaveLength(1);
    rmSync(token); // a yes is remembered as long as the file stays the same
    expect((await executableTools(options)).tools).toHaveLength(1);
  },
);

test.each<[string, string]>([
  ['tool.js', 'process.stdout.write(process.argv[2] === "--toolspec" ? SPEC : "node")'],
  ['tool.ts', 'const word: string = process.argv[2] ?? ""; console.log(word === "--toolspec" ? SPEC : "node")'],
  ['tool.sh', `[ "$1" = --toolspec ] && echo 'SPEC' || echo sh`],
  ['tool.py', 'import sys\nprint(SPEC if "--toolspec" in sys.argv else "python")'],
])('%s needs neither a first line nor the right to be executed', async (name, code) => {
  const { write, call } = newHome();
  const printed = JSON.stringify(spec('tool'));
  write(`home/tools/${name}`, code.replace("'SPEC'", `'${printed}'`).replace('SPEC', `'${printed}'`), 0o644);
  expect(textOf(await call('tool')).trim()).toBe({ js: 'node', ts: 'node', sh: 'sh', py: 'python' }[name.slice(5)]);
});

test('a script for uv runs with python3 where uv is not installed', async () => {
  const { write, call } = newHome();
  const code = `#!/usr/bin/env -S nosuchuv run\nimport sys\nprint('${JSON.stringify(spec('tool'))}' if "--toolspec" in sys.argv else "python")`;
  write('home/tools/tool.py', code);
  expect(textOf(await call('tool'))).toBe('python\n');
});
