// The package as it is built: whole, and cheap to import. What an import costs is counted in files and in what they
// bring along; the time itself is measured in `bench/`.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const built = existsSync('dist/index.js');
if (!built) console.warn('dist/ is not built: the package is not tested. Run "npm run build".');
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, string | Record<string, string>>;
};

/** What a file names after `from`, or imports for its own sake; with `later`, also what it loads in the end. */
function imported(file: string, later = false): string[] {
  const source = readFileSync(file, 'utf8');
  const now = source.matchAll(/^(?:import|export)\b(?:[^;'"`]*?\bfrom)?\s*["']([^"']+)["']/gm);
  const then = later ? source.matchAll(/\bimport\(\s*["']([^"']+)["']/g) : [];
  return [...now, ...then].map((match) => match[1] ?? '');
}

const typesOf = (path: string): string => path.replace(/\.js$/, '.d.ts');

/** All that is loaded with a file, or that its types name: files of ours, and what comes from elsewhere. */
function loaded(entry: string): { files: Set<string>; outside: Set<string> } {
  const types = entry.endsWith('.d.ts');
  const files = new Set([entry]);
  const outside = new Set<string>();
  for (const file of files) {
    for (const name of imported(file, types)) {
      if (name.startsWith('.')) files.add(join(dirname(file), types ? typesOf(name) : name));
      else outside.add(name);
    }
  }
  return { files, outside };
}

const doors = Object.entries(manifest.exports)
  .flatMap(([name, path]) =>
    typeof path === 'string'
      ? [[name, path] as const]
      : Object.entries(path).map(([condition, each]) => [`${name} (${condition})`, each] as const),
  )
  .filter(([, path]) => path.endsWith('.js'));

test.runIf(built)('every file that a built file names is there, and so are its types', () => {
  const missing = globSync('dist/**/*.{js,d.ts}').flatMap((file) =>
    imported(file, true)
      .filter((name) => name.startsWith('.'))
      .map((name) => join(dirname(file), file.endsWith('.d.ts') ? typesOf(name) : name))
      .filter((path) => !existsSync(path))
      .map((path) => `${file} names ${path}`),
  );
  expect(missing).toEqual([]);
  expect(doors.filter(([, path]) => !existsSync(typesOf(path)))).toEqual([]);
});

test.runIf(built)('what Node compiles is ASCII, which is read sooner', () => {
  const scripts = globSync('dist/**/*.js').filter((file) => !file.startsWith('dist/web'));
  expect(scripts.filter((file) => readFileSync(file).some((byte) => byte > 127))).toEqual([]);
});

test.runIf(built)('files that are opened by name are where they are looked for', () => {
  const opened = ['cli/main.js', 'media/child/main.js', 'toolbox/executable/python/sightline_tool.py'];
  expect(opened.filter((path) => !existsSync(join('dist', path)))).toEqual([]);
  // One folder down, like its source: it counts its way to all of them from there.
  const knows = globSync('dist/**/*.js').filter((file) => readFileSync(file, 'utf8').includes('src/config/package.ts'));
  expect(knows.map((file) => dirname(file))).toEqual(['dist/chunk']);
});

test.runIf(built).each(doors)('sightline, %s, loads few files and nothing heavy', (_name, path) => {
  const { files, outside } = loaded(path.replace('./', ''));
  expect(files.size).toBeLessThanOrEqual(12);
  const heavy = [...outside].filter(
    (name) => !name.startsWith('node:') || /:(?:https?|tls|sqlite|child_pro)/.test(name),
  );
  expect(heavy).toEqual([]);
});

test.runIf(built).each(['dist/index.js', 'dist/core.js', 'dist/fetch/index.js'])(
  '%s leaves what hashes, inflates and asserts to the first use',
  (path) => {
    expect([...loaded(path).outside].filter((name) => /:(?:crypto|zlib|assert)/.test(name))).toEqual([]);
  },
);

/** The packages whose words a door speaks. */
const spokenBy = (path: string): string[] => (path.includes('/ai-sdk/') ? ['@ai-sdk/provider'] : []);

test.runIf(built).each(doors)('the types of sightline, %s, name no package', (_name, path) => {
  const { outside } = loaded(typesOf(path.replace('./', '')));
  expect([...outside].filter((name) => !name.startsWith('node:'))).toEqual(spokenBy(path));
});

test.runIf(built).each(doors.filter(([name]) => /core|wire|workerd|browser/.test(name)))(
  '%s needs no Node',
  (_name, path) => {
    const file = path.replace('./', '');
    expect([...loaded(file).outside, ...loaded(typesOf(file)).outside]).toEqual(spokenBy(path));
  },
);
