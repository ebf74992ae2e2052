// The folder list is the data flow: a stage may import itself and the stages before it. The first six are pure.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';
import { compare, readExceptions } from '../scripts/house/exceptions.ts';
import { measures } from '../scripts/house/measures.ts';
import { publicNames } from '../scripts/house/public.ts';
import { sourceFiles } from '../scripts/house/tree.ts';

const stages = [
  'content', 'tool', 'message', 'window', 'wire', 'record', 'config', 'asset', 'media', 'toolbox', 'model',
  'session', 'agent', 'fetch', 'mcp', 'gateway', 'tui', 'cli',
]; // prettier-ignore
const pure = new Set(stages.slice(0, 6));
const surfaces = new Set(['mcp', 'gateway', 'tui']);

type Import = { file: string; stage: string; target: string; to: string | undefined };

const imports: Import[] = globSync('src/*/**/*.ts').flatMap((file) => {
  const stage = file.split('/')[1] ?? '';
  const source = readFileSync(file, 'utf8');
  const specifiers = [...source.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1] ?? '');
  return specifiers.map((target) => {
    const inside = target.startsWith('.') ? relative('src', normalize(join(dirname(file), target))) : undefined;
    return { file, stage, target, to: inside?.split('/')[0] };
  });
});

test('there are imports to look at', () => {
  expect(imports.length).toBeGreaterThan(100);
});

test('every folder of src is a stage', () => {
  const folders = new Set(globSync('src/*/**/*.ts').map((file) => file.split('/')[1]));
  expect([...folders].filter((folder) => !stages.includes(folder ?? ''))).toEqual([]);
});

test('content flows one way through the stages', () => {
  const against = imports.filter(({ stage, to }) => to !== undefined && stages.indexOf(to) > stages.indexOf(stage));
  expect(against).toEqual([]);
});

test('no stage imports the roots of the package', () => {
  expect(imports.filter(({ to }) => to?.endsWith('.ts'))).toEqual([]);
});

test('the pure stages import nothing but each other', () => {
  expect(imports.filter(({ stage, to }) => pure.has(stage) && to === undefined)).toEqual([]);
});

test('the pure stages use no clock, no randomness, and nothing that only Node has', () => {
  const impure = /\b(?:Date\.now|new Date\(|Math\.random|performance\.now|process\.|Buffer\.|setTimeout|require\()/;
  const files = globSync(`src/{${[...pure].join(',')}}/**/*.ts`);
  const found = files.filter((file) =>
    impure.test(readFileSync(file, 'utf8').replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '')),
  );
  expect(found).toEqual([]);
});

test('no file needs, to run, one that needs it', () => {
  const needs = new Map(
    globSync('src/**/*.ts').map((file) => {
      const found = readFileSync(file, 'utf8').matchAll(
        /^(?:import|export)\s+(?!type\b)(?:[^'";]*?from\s+)?'(\.[^']+)'/gm,
      );
      return [file, [...found].map((match) => normalize(join(dirname(file), match[1] ?? '')))];
    }),
  );
  const [rings, done]: [string[], Set<string>] = [[], new Set()];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) return void rings.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    for (const next of needs.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of needs.keys()) visit(file, []);
  expect(rings).toEqual([]);
});

test('surfaces never import each other', () => {
  const across = imports.filter(({ stage, to }) => surfaces.has(stage) && to !== stage && surfaces.has(to ?? ''));
  expect(across).toEqual([]);
});

test('each library is imported by exactly one file', () => {
  const libraries = new Map<string, Set<string>>();
  for (const { file, target, to } of imports) {
    if (to !== undefined || target.startsWith('node:')) continue;
    libraries.set(target, (libraries.get(target) ?? new Set()).add(file));
  }
  const shared = [...libraries].filter(([, files]) => files.size > 1);
  expect(shared).toEqual([]);
});

test('the export map is this, and a new entry is a decision', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: object };
  expect(manifest.exports).toEqual({
    '.': './dist/index.js',
    './core': './dist/core.js',
    './media': './dist/media/index.js',
    './session': './dist/session/index.js',
    './act': './dist/agent/act.js',
    './fetch': {
      workerd: './dist/fetch/edge.js',
      browser: './dist/fetch/edge.js',
      default: './dist/fetch/index.js',
    },
    './gateway': './dist/gateway/index.js',
    './ui': './dist/agent/ui/index.js',
    './script': './dist/model/script/index.js',
    './contract': './dist/session/contract.js',
    './executable': './dist/toolbox/executable/author.js',
    './wire/anthropic-messages': './dist/wire/anthropic-messages/index.js',
    './wire/openai-chat': './dist/wire/openai-chat/index.js',
    './wire/openai-responses': './dist/wire/openai-responses/index.js',
    './wire/gemini': './dist/wire/gemini/index.js',
    './wire/ollama': './dist/wire/ollama/index.js',
    './package.json': './package.json',
  });
});

const files = sourceFiles();
const exceptions = readExceptions();

test.each(measures)('no more than listed, and nothing listed in vain: $what', ({ name, count }) => {
  const { more, less } = compare(count(files), exceptions[name] ?? {});
  expect(
    more,
    'decide it in the one place; a list in test/house-exceptions.json grows only when a file was renamed',
  ).toEqual([]);
  expect(less, 'this got better: `npm run house -- --tighten` takes it off the list').toEqual([]);
});

test('every list of exceptions belongs to a measure', () => {
  expect(Object.keys(exceptions).filter((name) => !measures.some((measure) => measure.name === name))).toEqual([]);
});

const publicApi = publicNames('src/index.ts', files);

/** Steps of a type's own reckoning, and the inside of what is handed on as it is. */
const unnamed = new Set([
  'Known (src/window/catalog.ts)',
  'Rows (src/window/catalog.ts)',
  'BodyList (src/wire/registry.ts)',
  ...['AnyObject', 'Flat', 'FromType', 'RequiredBy'].map((name) => `${name} (src/tool/schema.ts)`),
  ...['PlanItem', 'SettledOptions'].map((name) => `${name} (src/window/plan-types.ts)`),
  'LedgerEntry (src/window/ledger.ts)',
]);

/** `sightline/wire/<name>` has them. */
const isWire = (type: string): boolean => /\(src\/wire\/[^/]+\/types\.ts\)$/.test(type);

test('every type in a public signature can be imported by its name', () => {
  const others = ['src/core.ts', 'src/media/index.ts', 'src/session/index.ts'];
  const known = new Set([...publicApi, ...others.flatMap((entry) => publicNames(entry, files))].map(({ id }) => id));
  const missing = publicApi.flatMap(({ name, types }) =>
    types
      .filter((type) => !known.has(type) && !unnamed.has(type) && !isWire(type))
      .map((type) => `${name} names ${type}`),
  );
  expect(publicApi.length).toBeGreaterThan(200);
  expect(missing, 'export it from src/index.ts').toEqual([]);
});

test('every public function says why it exists, with an example', () => {
  const functions = publicApi.filter(({ isFunction }) => isFunction);
  const silent = functions.filter(({ doc }) => !/^\/\*\*\s+\*\s+\S[^]*@example\n \* \w/.test(doc));
  expect(functions.length).toBeGreaterThan(25);
  expect(silent.map(({ name }) => name)).toEqual([]);
});
