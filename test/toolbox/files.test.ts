// How a model finds files: real folders, through the tools as they are called.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { invokeTool } from '../../src/index.ts';
import { globFits } from '../../src/toolbox/files/pattern.ts';
import { shippedTools } from '../../src/toolbox/shipped.ts';
import { effort } from '../effort.ts';
import { words } from './caller.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-files-'));
const outside = mkdtempSync(join(tmpdir(), 'sightline-other-'));

function file(path: string, text = 'x'): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

file('.gitignore', '# built\n/dist/\n*.log\n!keep.log\nsecret-*\n**/cache/*.bin\n');
file('.git/config');
file('dist/index.js', 'total');
file('a.log', 'total');
file('keep.log', 'the total is kept');
file('secret-plan.txt', 'total');
file('src/.gitignore', 'made/\n/only-here.ts\n');
file('src/made/x.ts', 'total');
file('src/only-here.ts', 'total');
file('src/deep/only-here.ts', 'const total = 1;');
file('src/index.ts', 'first\nconst Total = 2;\nlast');
file('src/cache/1.bin', 'total');
file('pictures/shot.png', `total${'\0'.repeat(2000)}`);
file('notes/report 2025.txt', 'one\ntotal: 12\n');
writeFileSync(join(outside, 'far.txt'), 'total');
symlinkSync(outside, join(folder, 'link'));
symlinkSync('gone.ts', join(folder, 'dist/lost.ts'));

const { tools } = shippedTools({ roots: [folder] });

async function call(name: string, input: object): Promise<string> {
  return words(
    await invokeTool({ type: 'call', id: 'c', name, input: { ...input } }, { tools, assets: memoryAssets() }),
  );
}

test('a folder is listed with sizes, without what .gitignore leaves out and what lies outside', async () => {
  const listed = await call('list_files', {});
  expect(listed).toMatch(/^\[1-\d+ of \d+\.\]\n/);
  expect(
    listed
      .split('\n')
      .slice(1)
      .map((row) => row.split('  ')[0]),
  ).toEqual(['.gitignore', 'keep.log', 'notes/', 'pictures/', 'src/']);
  expect(await call('list_files', { path: 'pictures' })).toContain('pictures/shot.png  2.0 kB');
});

test('a glob finds files at every depth, as git would list them', async () => {
  expect(await call('list_files', { glob: '*.ts' })).toBe(
    '[1-2 of 2.]\nsrc/deep/only-here.ts  16 B\nsrc/index.ts  27 B',
  );
  expect(await call('list_files', { glob: '**/*.{png,txt}' })).toContain('notes/report 2025.txt');
  expect(await call('list_files', { glob: 'src/*.ts' })).not.toContain('deep');
  const all = (await call('list_files', { depth: 9 })).split('\n').slice(1);
  const ours = all.map((row) => row.split('  ')[0] ?? '').filter((path) => !path.endsWith('/'));
  const repository = mkdtempSync(join(tmpdir(), 'sightline-git-'));
  const git = (...more: string[]): string =>
    execFileSync('git', ['--git-dir', join(repository, '.git'), '--work-tree', folder, ...more], { encoding: 'utf8' });
  git('init', '-q');
  const theirs = git('-c', 'core.quotepath=off', 'ls-files', '--others', '--exclude-standard', '--full-name').split(
    '\n',
  );
  expect(ours.toSorted()).toEqual(
    theirs.filter((path) => path !== '' && path !== 'link' && !path.startsWith('.git/')).toSorted(),
  );
});

test('texts are searched by a regular expression, line by line', async () => {
  expect(await call('search_files', { pattern: 'total' })).toBe(
    '[3 lines.]\nkeep.log:1: the total is kept\nnotes/report 2025.txt:2: total: 12\nsrc/deep/only-here.ts:1: const total = 1;',
  );
  expect(await call('search_files', { pattern: '^const total', ignore_case: true, glob: '*.ts' })).toContain(
    'src/index.ts:2:',
  );
  expect(await call('search_files', { pattern: 'nowhere' })).toBe('No line fits.');
});

test('a glob with a slash fits from the root and from the folder that is named', async () => {
  const found = '[1-1 of 1.]\nsrc/deep/only-here.ts  16 B';
  for (const glob of ['src/deep/*.ts', 'deep/*.ts', './deep/*.ts'])
    expect(await call('list_files', { path: 'src', glob }), glob).toBe(found);
  expect(await call('search_files', { pattern: 'total', path: 'src', glob: 'deep/*.ts' })).toContain('only-here.ts:1:');
});

test('rules of .gitignore mean what they mean to git: letters as they are, and no braces', async () => {
  const place = mkdtempSync(join(tmpdir(), 'sightline-rules-'));
  for (const path of ['build/kept', 'Build/left', 'arch/kept', '{arch}/left', '😀/left', 'x😀/kept', 'a{b/left']) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), 'total');
  }
  writeFileSync(join(place, '.gitignore'), 'Build/\n{arch}/\n😀/\na{b\n');
  execFileSync('git', ['init', '-q'], { cwd: place });
  const theirs = execFileSync(
    'git',
    ['-c', 'core.ignorecase=false', 'ls-files', '-z', '--others', '--exclude-standard'],
    { cwd: place, encoding: 'utf8' },
  );
  const all = shippedTools({ roots: [place] });
  const input = { depth: 9 };
  const listed = words(
    await invokeTool(
      { type: 'call', id: 'c', name: 'list_files', input },
      { tools: all.tools, assets: memoryAssets() },
    ),
  );
  const ours = listed.split('\n').slice(1).map((row) => row.split('  ')[0] ?? '').filter((path) => !path.endsWith('/')); // prettier-ignore
  expect(ours.toSorted()).toEqual(theirs.split('\0').filter(Boolean).toSorted());
});

test('texts of old programs are searched like those in UTF-8', async () => {
  file('old/.gitignore', '');
  writeFileSync(join(folder, 'old/latin.txt'), Buffer.from('Die Straße\ntotal 1\n', 'latin1'));
  writeFileSync(join(folder, 'old/wide.txt'), Buffer.from('\uFEFFfirst\r\ntotal 2\r\n', 'utf16le'));
  expect(await call('search_files', { pattern: 'total|Straße', path: 'old' })).toBe(
    '[3 lines.]\nold/latin.txt:1: Die Straße\nold/latin.txt:2: total 1\nold/wide.txt:2: total 2',
  );
});

test('read_file names the parts of a file that has not the one that was asked for', async () => {
  const parts = ['a.csv', 'b.csv'].map((name) => `Content-Disposition: attachment; filename=${name}\n\n1\n`);
  file('notes/two.eml', `Subject: s\nContent-Type: multipart/mixed; boundary=x\n\n--x\n${parts.join('--x\n')}--x--\n`);
  expect(await call('read_file', { file_path: 'notes/two.eml', part: 'c.csv' })).toMatch(
    /two\.eml has no part "c\.csv"[^]*Give one of a\.csv, b\.csv/,
  );
  rmSync(join(folder, 'notes/two.eml'));
});

test('read_file lists a folder, and knows what a slip meant', async () => {
  expect(await call('read_file', { file_path: 'notes' })).toBe('[1-1 of 1.]\nnotes/report 2025.txt  14 B');
  expect(await call('read_file', { file_path: 'src/indx.ts' })).toContain('Did you mean src/index.ts?');
  expect(await call('read_file', { file_path: 'src/quite-other.md' })).toContain('Check the path');
  expect(await call('read_file', { file_path: 'dist/lost.ts' })).toContain('lost.ts leads to no file');
  expect(await call('read_file', { file_path: '~/index.ts' })).toContain('give the whole path');
  expect(await call('read_file', { file_path: outside })).toContain('lies outside the allowed folders');
});

test.each([
  ['list_files', { path: outside }, /lies outside the allowed folders/],
  ['list_files', { path: 'link' }, /lies outside the allowed folders/],
  ['list_files', { path: '../..' }, /lies outside the allowed folders/],
  ['list_files', { path: 'nowhere' }, /There is no folder nowhere.*List the folder above it/s],
  ['list_files', { path: 'keep.log' }, /is no folder.*read_file/s],
  ['list_files', { glob: '{a' }, /is no glob/],
  ['search_files', { pattern: '' }, /There is no pattern/],
])('%s %j is refused with a sentence', async (name, input, said) => {
  expect(await call(name, input)).toMatch(said);
});

test('a pattern that would never end is stopped', async () => {
  file('long/row.txt', `${'a'.repeat(40)}!`);
  expect(await call('search_files', { pattern: '^(a+)+$', path: 'long' })).toMatch(/takes too long on this text/);
});

test.each([
  String.raw`function\s+\w+\(.*\)\s*{`,
  String.raw`say\(\"total\"`,
  String.raw`\-\-total\_sum`,
  '(?i)TOTAL_SUM',
  '(?im)say',
])('the pattern %s is read as other programs read it', async (pattern) => {
  file('escaped/row.txt', 'function say() { say("total" --total_sum) }\n');
  expect(await call('search_files', { pattern, path: 'escaped' })).toContain('escaped/row.txt:1:');
});

test('what is no regular expression is looked for as it is written', async () => {
  file('odd/row.txt', 'f(x\n');
  expect(await call('search_files', { pattern: 'f(x', path: 'odd' })).toContain('odd/row.txt:1: f(x');
});

test('rules and globs that are written to take for ever do not', async () => {
  const name = `${'a'.repeat(200)}b`;
  const rules = [`${'*a'.repeat(60)}c`, `${'**/'.repeat(60)}x`, `{${'{a,b}'.repeat(30)}}`].join('\n');
  file('hostile/.gitignore', rules);
  file(`hostile/${'d/'.repeat(30)}${name}`);
  expect(await call('list_files', { path: 'hostile', glob: `${'*a'.repeat(60)}*` })).toContain(name);
});

test.runIf(process.platform === 'linux')('a pipe in the place of rules or texts holds nobody up', async () => {
  mkdirSync(join(folder, 'pipes'));
  execFileSync('mkfifo', [join(folder, 'pipes/.gitignore'), join(folder, 'pipes/words.txt')]);
  file('pipes/real.txt', 'total');
  expect(await call('search_files', { pattern: 'total', path: 'pipes' })).toBe('[1 line.]\npipes/real.txt:1: total');
});

test.runIf(effort.isWhole)('a walk that ends before its end says so, though little of it fits', async () => {
  const many = mkdtempSync(join(tmpdir(), 'sightline-many-'));
  for (let at = 0; at < 50_000; at++) writeFileSync(join(many, `${at}`), '');
  writeFileSync(join(many, 'z.txt'), 'total');
  const all = shippedTools({ roots: [many] });
  const ask = async (name: string, input: Record<string, unknown>): Promise<string> =>
    words(await invokeTool({ type: 'call', id: 'c', name, input }, { tools: all.tools, assets: memoryAssets() }));
  const only = 'Only the first 50,000 files and folders were looked at: name a folder below.';
  expect(await ask('list_files', { glob: '*.txt' })).toBe(`Nothing is there that fits. ${only}`);
  expect(await ask('search_files', { pattern: 'total', glob: '*.txt' })).toBe(`No line fits. ${only}`);
  rmSync(many, { recursive: true });
});

test.each([
  ['*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/deep/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['[!a]?.md', 'bc.md', true],
  ['[!a]?.md', 'ac.md', false],
  ['{report,notes}*', 'notes-1', true],
  ['a+b(1).txt', 'a+b(1).txt', true],
  ['😀?.md', 'docs/😀🎉.md', true],
  ['[😀-😂].md', '😁.md', true],
])('the glob %s and %s', (glob, path, fits) => {
  expect(globFits(glob)?.(path)).toBe(fits);
});
