// The scripts beside the product: each that a document or `package.json` names is there and tells how it is used.
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { topOf } from '../scripts/arguments.ts';
import { drawn } from './some.ts';

const { scripts: named } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const pages = ['README.md', 'AGENTS.md', 'REVIEW.md', 'SECURITY.md', ...globSync('docs/*.md')];
const words = pages.map((page) => readFileSync(page, 'utf8')).join('\n');
const started = /\bnode ((?:scripts|bench)\/[-\w/]+\.ts)/g;
const files = new Set([...Object.values(named), words].flatMap((text) => [...text.matchAll(started)].map(([, file = '']) => file))); // prettier-ignore

test('every npm script that a document names is there', () => {
  const wanted = new Set([...words.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name));
  expect([...wanted].filter((name) => !Object.hasOwn(named, name))).toEqual([]);
});

test.each([...files])('%s says on its top how it is called, with every option', (file) => {
  expect(existsSync(file)).toBe(true);
  const source = readFileSync(file, 'utf8');
  const call = /argumentsOf\(\s*import\.meta\.filename,[\s\S]*?\)/.exec(source)?.[0];
  expect(call).toBeDefined();
  const options = [...(call ?? '').matchAll(/([-\w]+)'?: \{ type:/g)].map(([, name = '']) => `--${name}`);
  expect(topOf(file)).toMatch(/npm run|npx node/);
  expect(options.filter((option) => !topOf(file).includes(option))).toEqual([]);
});

test.each(drawn([...files], 2, inject('seed')))('%s --help prints that, and nothing else', async (file) => {
  const { stdout } = await promisify(execFile)(process.execPath, [file, '--help']);
  expect(stdout).toBe(`${topOf(file)}\n`);
});

/** As the page has it: libraries for one machine each are one. */
function nameIn(purl: string): string {
  const [, name = purl] = /^pkg:npm\/(.+)@[^@]+$/.exec(purl) ?? [];
  return decodeURIComponent(name).replace(/^(@img\/sharp(?:-libvips)?)-.*/, '$1-…');
}

test('the document of what is in the package has all that stands on the page of dependencies, and nothing else', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sightline-sbom-')), 'sbom.json');
  await promisify(execFile)(process.execPath, ['scripts/sbom.ts', '--to', file]);
  const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8')) as {
    bomFormat: string;
    components: { purl: string; scope: string; hashes: object[] }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  expect(components.filter(({ hashes }) => hashes.length === 0)).toEqual([]);
  const found = components.map(({ purl }) => nameIn(purl));
  const page = readFileSync('docs/dependencies.md', 'utf8');
  const listed = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
  expect([...new Set(found)].toSorted()).toEqual([...new Set(listed)].toSorted());
  const scopeOf = (name: string): string | undefined =>
    components.find(({ purl }) => purl.includes(`/${name}@`))?.scope;
  expect([scopeOf('tesseract.js'), scopeOf('zod')]).toEqual(['optional', 'required']);
});

test('an option that a script does not have ends it before it has done anything', async () => {
  const run = promisify(execFile)(process.execPath, ['scripts/bring.ts', '--everything']);
  await expect(run).rejects.toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("'--everything'") });
});
