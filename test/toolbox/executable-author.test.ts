// Tools in TypeScript with `sightline/executable`, each run as a program of its own.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { executableTools } from '../../src/toolbox/executable/tools.ts';
import { newHome, textOf } from './executable-home.ts';

const from = (path: string): string => JSON.stringify(new URL(`../../${path}`, import.meta.url).href);

const several = `
import { executable, png } from ${from('src/toolbox/executable/author.ts')};
import * as z from ${from('node_modules/zod/index.js')};

const dot = png(2, 2, () => [255, 0, 0]);
executable(
  {
    name: 'pictures',
    description: 'Pictures in a record.',
    input: z.object({ count: z.number().int().default(2) }),
    timeout: 9,
    tags: ['art'],
    run: async ({ count }) => {
      console.log('drawing', count);
      return { message: 'drawn', images: Array.from({ length: count }, () => dot), one: new Blob([dot]) };
    },
  },
  { name: 'raw', description: 'Bytes.', input: { type: 'object' }, run: () => dot },
  { name: 'blob', description: 'A blob.', input: { type: 'object' }, run: () => new Blob([dot]) },
  { name: 'words', description: 'Words.', input: { type: 'object', properties: { text: { type: 'string' }, loud: { type: 'boolean' }, list: { type: 'array' } } }, run: (input) => 'got ' + JSON.stringify(input) },
  { name: 'nothing', description: 'Nothing.', input: { type: 'object' }, run: () => undefined },
  { name: 'no', description: 'Says no.', input: { type: 'object' }, run: () => ({ success: false, error: 'no camera' }) },
  { name: 'steps', description: 'Steps.', input: { type: 'object' }, async *run() { yield 'one'; yield 'two'; return { done: true }; } },
  { name: 'broken', description: 'Breaks.', input: { type: 'object' }, run: () => { throw new Error('out of paper'); } },
);
`;

const { write, call, options } = newHome();
const file = write('home/tools/several.ts', several, 0o644);

test('definitions become specs', async () => {
  const { states } = await executableTools(options);
  expect(states.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'ready'));
  expect(states[0]?.spec).toMatchObject({
    name: 'pictures',
    input: 'json',
    subcommand: 'pictures',
    seconds: 9,
    tags: ['art'],
  });
  expect(states[0]?.spec?.inputSchema).toMatchObject({ properties: { count: { type: 'integer', default: 2 } } });
});

const picture = { type: 'image', width: 2, height: 2 };

test.each<[string, object, unknown[]]>([
  ['pictures', { count: 1 }, [{ type: 'text' }, picture, picture]],
  ['raw', {}, [{ type: 'text' }, picture]],
  ['blob', {}, [{ type: 'text' }, picture]],
  ['words', { text: '--x' }, [{ type: 'text', text: 'got {"text":"--x"}' }]],
  ['nothing', {}, [{ type: 'text', text: 'Tool completed successfully (no output).' }]],
])('%s gives what it returns', async (name, input, content) => {
  const result = await call(name, input);
  expect(result.isError).toBeUndefined();
  expect(result.content).toHaveLength(content.length);
  expect(result.content).toMatchObject(content);
});

test('what a generator yields is progress, and its result is what it returns', async () => {
  const lines: string[] = [];
  const result = await call('steps', {}, { onProgress: (line) => lines.push(line) });
  expect(lines.at(-1)).toBe('two');
  expect(result.details).toEqual({ done: true });
});

test('what is logged is progress, and a default of the schema holds', async () => {
  const lines: string[] = [];
  expect((await call('pictures', {}, { onProgress: (line) => lines.push(line) })).content).toHaveLength(4);
  expect(lines).toContain('drawing 2');
});

test.each([
  ['no', 'no camera'],
  ['broken', 'out of paper'],
])('%s fails in one sentence', async (name, words) => {
  const result = await call(name);
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain(words);
  expect(textOf(result)).not.toContain('.ts:');
});

test('a person can call it with flags', async () => {
  const words = [file, 'words', '--text', 'a b', '--no-loud', '--list=["x",1]'];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  expect(stdout).toBe('got {"text":"a b","loud":false,"list":["x",1]}');
});
