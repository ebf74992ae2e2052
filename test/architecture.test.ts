// The folder list is the data flow: a stage may import itself and the stages before it. The first seven are pure.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { expect, test } from 'vitest';
import { pureStages, stages } from '../scripts/docs/stages.ts';
import { compare, readExceptions } from '../scripts/house/exceptions.ts';
import { measures } from '../scripts/house/measures.ts';
import { publicNames } from '../scripts/house/public.ts';
import { sourceFiles } from '../scripts/house/tree.ts';
import { conditionsIn, reasonFor } from './skipped.ts';

const pure = new Set(stages.slice(0, pureStages));
const surfaces = new Set(['mcp', 'gateway', 'inspect', 'tui']);

type Import = { file: string; stage: string; target: string; to: string | undefined };

const imports: Import[] = globSync('src/*/**/*.ts')
  .filter((file) => !file.startsWith('src/web/'))
  .flatMap((file) => {
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
  expect([...folders].filter((folder) => folder !== 'web' && !stages.includes(folder ?? ''))).toEqual([]);
});

test('content flows one way through the stages', () => {
  const against = imports.filter(({ stage, to }) => to !== undefined && stages.indexOf(to) > stages.indexOf(stage));
  expect(against).toEqual([]);
});

test('the page imports pure stages only, and its library in one file', () => {
  const files = globSync('src/web/*.{ts,tsx}');
  const targets = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '([^']+)'/g)].map((match) => ({ file, target: match[1] ?? '' })),
  );
  expect(files.length).toBeGreaterThan(5);
  const outside = targets.filter(({ target }) => target.startsWith('../') && !pure.has(target.split('/')[1] ?? ''));
  expect(outside).toEqual([]);
  expect(new Set(targets.filter(({ target }) => !target.startsWith('.')).map(({ file }) => file))).toEqual(
    new Set(['src/web/kit.ts']),
  );
});

test('whatever a file exports says its type there', () => {
  const typed = globSync(['{src,test,examples,scripts,bench}/**/*.{ts,tsx}', '*.config.ts'], {
    exclude: (path) => path.includes('node_modules'),
  });
  const silent = typed.flatMap((file) =>
    isolatedDeclarationSync(file, readFileSync(file, 'utf8')).errors.map(({ message }) => `${file}: ${message}`),
  );
  expect(typed.length).toBeGreaterThan(1000);
  expect(silent).toEqual([]);
});

test('no stage imports the roots of the package', () => {
  expect(imports.filter(({ to }) => to?.endsWith('.ts'))).toEqual([]);
});

test('the pure stages import nothing but each other', () => {
  expect(imports.filter(({ stage, to }) => pure.has(stage) && to === undefined)).toEqual([]);
});

test('the pure stages use no clock, no randomness, and nothing that only Node has', () => {
  const impure =
    /\b(?:Date\.now|new Date\(|Math\.random|performance\.now|process\.|getBuiltinModule|Buffer\.|setTimeout|require\()/;
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
    './ai-sdk': {
      workerd: './dist/ai-sdk/edge.js',
      browser: './dist/ai-sdk/edge.js',
      default: './dist/ai-sdk/index.js',
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
    './wire/bedrock-converse': './dist/wire/bedrock-converse/index.js',
    './package.json': './package.json',
  });
});

const files = sourceFiles();
const exceptions = readExceptions();

test.each(measures)('no more than listed, and nothing listed in vain: $what', ({ name, count }) => {
  const { more, less } = compare(count(files), exceptions[name] ?? {});
  expect(
    more,
    'decide it in the one place (mutants are counted by `npm run mutate -- FILE`); a list in test/house-exceptions.json grows only when a file was renamed',
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
  'LedgerEntry (src/window/ledger.ts)',
  'Mark (src/message/pair.ts)',
  'WireServer (src/wire/wire.ts)',
  'Split (src/wire/framing/splitter.ts)',
  ...['WriteItem', 'PlanItem'].map((name) => `${name} (src/wire/item-memo.ts)`),
  'JsonSegment (src/wire/json-slots.ts)',
  'Snapshot (src/content/snapshot.ts)',
  'Encoded (src/media/image/codec.ts)',
  'LedgerDelta (src/session/entry.ts)',
  'KeptElement (src/record/body.ts)',
  'KeptRun (src/record/delta.ts)',
]);

/** `sightline/wire/<name>` has them. */
const isWire = (type: string): boolean => /\(src\/wire\/[^/]+\/types\.ts\)$/.test(type);

/** What is public, door by door; the wires speak the spelling of their vendors. */
const doors = publicDoors().map((entry) => ({ entry, names: publicNames(entry, files) }));

test('every type in a public signature can be imported by its name', () => {
  const known = new Set(doors.flatMap(({ names }) => names.map(({ id }) => id)));
  const missing = doors.flatMap(({ entry, names }) =>
    names.flatMap(({ name, types }) =>
      types
        .filter((type) => !known.has(type) && !unnamed.has(type) && !isWire(type))
        .map((type) => `${name} of ${entry} names ${type}`),
    ),
  );
  expect(publicApi.length).toBeGreaterThan(200);
  expect(missing, 'export it from the entry whose function names it').toEqual([]);
});

test('every public function says why it exists, with an example', () => {
  const functions = doors.flatMap(({ names }) => names.filter(({ isFunction }) => isFunction));
  const silent = functions.filter(({ doc }) => !/^\/\*\*\s+\*\s+\S[^]*@example\n \* \S/.test(doc));
  expect(functions.length).toBeGreaterThan(50);
  expect([...new Set(silent.map(({ id }) => id))]).toEqual([]);
});

test('every name that was public and is no more stands on the page of those who upgrade', () => {
  const once = JSON.parse(readFileSync('test/once-public.json', 'utf8')) as Record<string, string[]>;
  const page = readFileSync('docs/upgrading.md', 'utf8');
  const told = new Set([...page.matchAll(/`(\w+)`/g)].map((match) => match[1]));
  const gone = Object.entries(once).flatMap(([entry, names]) => {
    const now = new Set(doors.find((door) => door.entry === entry)?.names.map(({ name }) => name));
    return names.filter((name) => !now.has(name) && !told.has(name)).map((name) => `${name} of ${entry}`);
  });
  expect(gone).toEqual([]);
});

/** The modules behind the export map. */
function publicDoors(): string[] {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };
  const paths = Object.values(manifest.exports).flatMap((path) =>
    typeof path === 'object' && path !== null ? Object.values(path) : [path],
  );
  const built = paths.filter((path): path is string => typeof path === 'string' && path.endsWith('.js'));
  return [...new Set(built)].map((path) => path.replace('./dist/', 'src/').replace(/\.js$/, '.ts'));
}

test('whatever leaves a test out has its reason, which the run tells', () => {
  const tests = globSync('test/**/*.test.ts', { exclude: (path) => path.includes('node_modules') });
  const silent = tests.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const conditions = conditionsIn(text).filter(({ condition }) => reasonFor(condition) === undefined);
    const marks = text.matchAll(/\bcontext\.skip\(\)|\b(?:test|describe)\.(?:skip|todo)\(/g);
    return [...conditions.map(({ condition }) => condition), ...[...marks].map(([mark]) => mark)].map(
      (one) => `${file}: ${one}`,
    );
  });
  expect(silent).toEqual([]);
});
