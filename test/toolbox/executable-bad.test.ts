// Tools that misbehave: each gets a clear error result, loses nothing that was printed, and leaves no process behind.
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { executableTools } from '../../src/toolbox/executable/tools.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';
import { pdfSaying } from '../media/make.ts';
import { dot, newHome, running, shell, spec, textOf } from './executable-home.ts';
import { onlySome } from '../some.ts';

onlySome(16);

const patient = { timeout: 600 };

/** Time passes as ever, but for a leap to the limit of a patient tool when it says something. */
function leap(): { onProgress: () => void } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  return { onProgress: () => void setImmediate(() => vi.advanceTimersByTime(600_000)) }; // all it said has been read
}

afterEach(() => void vi.useRealTimers());

/** Whether nothing of a tool is left; the machine may take a moment to end it. */
async function expectNoneOf(root: string): Promise<void> {
  vi.useRealTimers();
  await expect.poll(() => running(root)).toEqual([]);
}

test('a tool that prints without end is stopped at the limit', async () => {
  const { write, call, root } = newHome();
  write('home/tools/flood', shell(spec('flood'), `echo first; sh -c 'yes more; : ${root}'`));
  const result = await call('flood');
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(
    /^The tool flood printed too much and was stopped \(limit: 32 MiB\)\. Ask it for less\.\n/,
  );
  expect(textOf(result)).toContain('It began with:\nfirst\nmore\nmore\n');
  expect(textOf(result).length).toBeLessThan(40_000);
  await expectNoneOf(root);
});

test('a tool that floods stderr is stopped as well, and its last words are kept', async () => {
  const { write, call, root } = newHome();
  write('home/tools/noise', shell(spec('noise'), `cat /dev/zero | tr '\\0' x >&2 # ${root}`));
  const result = await call('noise');
  expect(textOf(result)).toContain('printed too much');
  expect(textOf(result).length).toBeLessThan(10_000);
  await expectNoneOf(root);
});

test('a tool that hangs is stopped at its limit, and what it said is kept', async () => {
  const { write, call, root } = newHome();
  write('home/tools/hang', shell(spec('hang', patient), `echo so far; echo waiting >&2; sleep 900 & wait # ${root}`));
  const result = await call('hang', {}, leap());
  expect(result.content).toMatchObject([
    {
      text: 'The tool hang took too long and was stopped (limit: 600 s). Ask it for less, or raise "timeout" in its spec.',
    },
    { text: 'so far\n' },
    { text: 'stderr:\nwaiting' },
  ]);
  await expectNoneOf(root);
});

test('a tool that does not listen is ended by force, with its children and with what left its group', async () => {
  const { write, call, root } = newHome();
  const body = `trap '' TERM
sh -c 'trap "" TERM; sleep 900; : ${root} child' &
setsid sh -c 'trap "" TERM; echo ready >&2; sleep 900; : ${root} daemon' &
while :; do sleep 1; done # ${root}`;
  write('home/tools/stubborn', shell(spec('stubborn', patient), body));
  const result = await call('stubborn', {}, leap());
  expect(textOf(result)).toContain('took too long');
  await expectNoneOf(root);
});

test('children left in the background end with the call, and it does not wait for them', async () => {
  const { write, call, root } = newHome();
  write('home/tools/fork', shell(spec('fork'), `for i in 1 2 3; do sh -c 'sleep 900; : ${root} $i' & done; echo done`));
  expect(await call('fork')).toMatchObject({ content: [{ text: 'done\n' }] });
  await expectNoneOf(root);
});

test('a cancelled call ends its process', async () => {
  const { write, call, root } = newHome();
  write('home/tools/long', shell(spec('long'), `echo begun >&2; sh -c 'sleep 900; : ${root}'`));
  const stop = new AbortController();
  const result = await call('long', {}, { signal: stop.signal, onProgress: () => stop.abort() });
  expect(textOf(result)).toBe('Cancelled: the run was stopped before this call finished.');
  await expectNoneOf(root);
});

test('half a JSON is an error that shows what there is', async () => {
  const { write, call } = newHome();
  write('home/tools/half', shell(spec('half'), `echo log; printf '{"success": true, "message": "almost'`));
  const result = await call('half');
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('printed JSON that ends in the middle');
  expect(textOf(result)).toContain('log\n{"success": true, "message": "almost');
});

test('a picture of 20 MB as base64 arrives as a picture', async () => {
  const { write, call } = newHome();
  // An uncompressed BMP of 2600 × 2600: 20.3 MB of bytes, 27 MB of base64.
  const code = `
    if (process.argv[2] === '--toolspec') console.log(${JSON.stringify(JSON.stringify(spec('big')))});
    else {
      const side = 2600, size = 54 + side * side * 3, bytes = Buffer.alloc(size, 120);
      bytes.fill(0, 0, 54); bytes.write('BM'); bytes.writeUInt32LE(size, 2); bytes.writeUInt32LE(54, 10);
      bytes.writeUInt32LE(40, 14); bytes.writeInt32LE(side, 18); bytes.writeInt32LE(side, 22);
      bytes.writeUInt16LE(1, 26); bytes.writeUInt16LE(24, 28);
      console.log(JSON.stringify({ base64: bytes.toString('base64') }));
    }`;
  write('home/tools/big.js', code);
  const result = await call('big');
  expect(result.content).toMatchObject([{ type: 'text' }, { type: 'image', width: 2000, height: 2000 }]);
});

test('a picture beyond every limit is kept out of the text and named', async () => {
  const { write, call } = newHome();
  const body = `printf '\\211PNG\\r\\n\\032\\n'; head -c 23000000 /dev/zero`;
  write('home/tools/huge', shell(spec('huge'), body));
  const result = await call('huge');
  expect(result.content).toHaveLength(1);
  expect(textOf(result)).toMatch(/^\[image "huge" not shown: .*too large.*\(limit: .*\)/i);
  expect(textOf(result)).toMatch(/23,000,008 bytes, asset [0-9a-f]{8}, kept out of the text\]$/);
});

test.each<[string, Buffer, object[]]>([
  [
    'a PNG called JPEG',
    Buffer.from(dot, 'base64'),
    [{ type: 'text' }, { type: 'image', asset: { mediaType: 'image/png' } }],
  ],
  [
    'a PDF called PNG',
    pdfSaying('hello'),
    [{ type: 'text' }, { type: 'document', asset: { mediaType: 'application/pdf' } }],
  ],
  ['words called PNG', Buffer.from('no picture at all, only words'), [{ type: 'text' }]],
])('of %s the bytes decide', async (_, bytes, content) => {
  const { write, call } = newHome();
  const declared = bytes[0] === 0x89 ? 'image/jpeg' : 'image/png';
  const said = JSON.stringify({ success: true, base64: bytes.toString('base64'), media_type: declared });
  write('project/said.json', said, 0o644);
  write('home/tools/lie', shell(spec('lie'), 'cat said.json'));
  const result = await call('lie');
  expect(result.content).toHaveLength(content.length);
  expect(result.content).toMatchObject(content);
});

test.each<[string, string, string]>([
  ['exits 137', 'exit 137', 'The tool bad failed (exit code 137: it was killed, mostly because memory ran out).'],
  ['is killed', 'kill -9 $$', 'The tool bad was ended by SIGKILL, mostly because memory ran out.'],
  ['crashes', 'kill -11 $$', 'The tool bad was ended by SIGSEGV.'],
  ['calls what is not there', 'no-such-program-here', 'exit code 127: a program in it was not found'],
])('a tool that %s says so', async (_, body, words) => {
  const { write, call } = newHome();
  write('home/tools/bad', shell(spec('bad'), body));
  const result = await call('bad');
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain(words);
});

test('arguments that no command line can carry are refused before anything starts', async () => {
  const { write, call } = newHome();
  write('home/tools/echo', shell(spec('echo', {}, { text: { type: 'string' } }), 'echo started'));
  for (const [text, words] of [
    ['x'.repeat(140_000), 'too long for a command line (limit: 131071 bytes)'],
    ['a\0b', 'holds a NUL character'],
  ] as const) {
    const result = await call('echo', { text });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(words);
  }
});

test('a file that is gone when it is called is an error', async () => {
  const { write, options, assets } = newHome();
  const file = write('home/tools/gone', shell(spec('gone'), 'echo here'));
  const { tools } = await executableTools(options);
  rmSync(file);
  const result = await invokeTool({ type: 'call', id: '1', name: 'gone', input: {} }, { tools, assets });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe('The tool file gone is gone or cannot be read. Restore it.');
});

test('a file that is still being written when it is asked is waited for', async () => {
  const { write, call } = newHome();
  const writer = openSync(write('home/tools/fresh', shell(spec('fresh'), 'echo here')), 'r+');
  setTimeout(() => closeSync(writer), 50);
  expect(textOf(await call('fresh'))).toBe('here\n');
});

test('numbers with more digits than JavaScript can count keep them all', async () => {
  const { write, call } = newHome();
  write('home/tools/exact', shell(spec('exact'), `echo '{"id": 12345678901234567890}'`));
  expect(textOf(await call('exact'))).toContain('12345678901234567890');
});

const loop = {
  type: 'object',
  properties: { a: { $ref: '#/$defs/a' } },
  $defs: { a: { properties: { b: { $ref: '#/$defs/a' } } } },
};
const schema = (properties: object, more: object = {}): object => ({
  name: 'x',
  description: 'X.',
  input_schema: { type: 'object', properties, ...more },
});

test.each<[string, string, 'invalid' | 'failing', string]>([
  [
    'is no JSON',
    "#!/bin/sh\necho 'Usage: tool [options]'",
    'invalid',
    '--toolspec must print JSON; it printed "Usage: tool [options]"',
  ],
  ['is empty', '#!/bin/sh\n:', 'invalid', '--toolspec must print JSON; it printed nothing'],
  ['has no name', shell({ description: 'x', input_schema: {} }, ''), 'invalid', 'a spec: "name" is missing'],
  ['has a bad name', shell({ ...spec('a b') }, ''), 'invalid', 'The tool name "a b" is not one that every API takes'],
  ['has no schema', shell({ name: 'x', description: 'X.' }, ''), 'invalid', '"x": "input_schema" is missing'],
  [
    'refers to itself',
    shell({ name: 'x', description: 'X.', input_schema: loop }, ''),
    'invalid',
    'its schema refers to itself',
  ],
  [
    'refers to nothing',
    shell(schema({ a: { $ref: '#/$defs/b' } }), ''),
    'invalid',
    'refers to "#/$defs/b", which is not in it',
  ],
  [
    'has an unknown type',
    shell(schema({ a: { type: 'text' } }), ''),
    'invalid',
    'the parameter "a" has the unknown type "text"',
  ],
  ['requires what is not there', shell(schema({}, { required: ['a'] }), ''), 'invalid', '"required" names "a"'],
  ['has a name that is no flag', shell(schema({ 'a b': { type: 'string' } }), ''), 'invalid', 'cannot be a flag'],
  ['has two of one name', shell([spec('x'), spec('x')], ''), 'invalid', 'it has two tools named "x"'],
  ['is a union', shell(schema({}, { anyOf: [{}] }), ''), 'invalid', 'must not be a union'],
  ['fails', '#!/bin/sh\necho broken >&2; exit 2', 'failing', '--toolspec: The tool bad failed (exit code 2). broken'],
  [
    'needs a missing interpreter',
    '#!/usr/bin/env no-such-language\n',
    'failing',
    'bad needs no-such-language, which is not installed here',
  ],
  [
    'needs a missing program',
    '#!/opt/no/such/program\n',
    'failing',
    'bad needs /opt/no/such/program, which is not installed here',
  ],
  ['floods', '#!/bin/sh\nyes', 'failing', 'printed too much'],
])('a tool whose spec %s is listed with the reason and not offered', async (_, code, state, why) => {
  const { write, options } = newHome();
  write('home/tools/bad', code);
  write('home/tools/good', shell(spec('good'), ''));
  const { tools, states } = await executableTools(options);
  expect(tools.map(({ name }) => name)).toEqual(['good']);
  expect(states[0]).toMatchObject({ state });
  expect(states[0]?.why).toContain(why);
});

test('a script without the right to be executed says how to get it', async () => {
  const { write, options } = newHome();
  write('home/tools/locked', shell(spec('locked'), ''), 0o644);
  expect((await executableTools(options)).states).toMatchObject([
    { name: 'locked', state: 'failing', why: 'locked is not executable', next: 'Run: chmod +x locked' },
  ]);
});

test('a program in a format that this machine does not know is failing', async () => {
  const { write, options } = newHome();
  write('home/tools/odd', Buffer.from([1, 2, 3, 4]));
  expect((await executableTools(options)).states).toMatchObject([{ name: 'odd', state: 'failing' }]);
});

test('of two files with one tool name in one folder the first is offered', async () => {
  const { write, options } = newHome();
  write('home/tools/a', shell(spec('same'), ''));
  write('home/tools/b', shell(spec('same'), ''));
  expect((await executableTools(options)).states).toMatchObject([
    { state: 'ready' },
    { state: 'invalid', why: 'the name "same" is taken by a' },
  ]);
});

test('a file that never says what it is is waited for once, not each time', async () => {
  const { write, options, root } = newHome();
  const noted = join(root, 'asked');
  const asked = (): string => (existsSync(noted) ? readFileSync(noted, 'utf8') : '');
  write('home/tools/stuck', `#!/bin/sh\necho once >> ${noted}\nsleep 900 & wait # ${root}\n`);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  const waited = async (times: string, more = {}): Promise<unknown> => {
    const found = executableTools({ ...options, ...more });
    await expect.poll(asked).toBe(times);
    vi.advanceTimersByTime(20_000);
    return (await found).states;
  };
  const stuck = { name: 'stuck', state: 'failing', why: 'it did not answer --toolspec within 20 s' };
  expect(await waited('once\n')).toMatchObject([stuck]);
  expect((await executableTools(options)).states).toMatchObject([stuck]);
  expect(asked()).toBe('once\n');
  expect(await waited('once\nonce\n', { refresh: true })).toMatchObject([stuck]);
  vi.advanceTimersByTime(600_000);
  expect(await waited('once\nonce\nonce\n')).toMatchObject([stuck]);
  write('home/tools/stuck', shell(spec('stuck'), 'echo free'));
  expect((await executableTools(options)).states).toMatchObject([{ name: 'stuck', state: 'ready' }]);
  await expectNoneOf(root);
});

test('a tool that never says whether it may work is waited for once, too', async () => {
  const { write, options, root } = newHome();
  const noted = join(root, 'asked');
  const asked = (): string => (existsSync(noted) ? readFileSync(noted, 'utf8') : '');
  const authorize = `if [ "$1" = --authorize ]; then echo once >> ${noted}; sleep 900 & wait; fi # ${root}`;
  write('home/tools/mail', shell(spec('mail', { requires_auth: true }), authorize));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  const found = executableTools(options);
  await expect.poll(asked).toBe('once\n');
  vi.advanceTimersByTime(30_000);
  const mail = { state: 'needs-auth', why: 'it did not answer --authorize within 30 s' };
  expect((await found).states).toMatchObject([mail]);
  expect((await executableTools(options)).states).toMatchObject([mail]);
  expect(asked()).toBe('once\n');
  await expectNoneOf(root);
});

test('a script that uv may have to install for is given up after three minutes, and not before', async () => {
  const { write, options, root } = newHome();
  const begun = join(root, 'begun');
  write('bin/uv', `#!/bin/sh\ntouch ${begun}\nsleep 900 & wait # ${root}\n`);
  write('home/tools/slow.py', '#!/usr/bin/env -S uv run\n');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  const PATH = `${join(root, 'bin')}:${options.environment?.['PATH'] ?? ''}`;
  const found = executableTools({ ...options, environment: { ...options.environment, PATH } });
  await expect.poll(() => existsSync(begun)).toBe(true);
  vi.advanceTimersByTime(180_000);
  expect((await found).states).toMatchObject([
    { name: 'slow', state: 'failing', why: 'it did not answer --toolspec within 180 s' },
  ]);
  await expectNoneOf(root);
});
