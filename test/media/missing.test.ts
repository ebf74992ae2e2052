// A copy of the program without any library: what is our own work is read, everything else says what to install.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { missingLibrary } from '../../src/media/child/missing.ts';
import type { read } from '../../src/media/index.ts';
import { archive, docx, paragraph } from './archive.ts';
import { pdfSaying, plain } from './make.ts';

const home = mkdtempSync(join(tmpdir(), 'sightline-bare-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What a program reads that was copied without `node_modules`. */
function readBare(files: Record<string, Uint8Array>): Promise<Record<string, Awaited<ReturnType<typeof read>>>> {
  cpSync(new URL('../../src', import.meta.url), join(home, 'src'), { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  const names = Object.keys(files);
  for (const name of names) writeFileSync(join(home, name), files[name] ?? '');
  const program = `
    const { read } = await import(${JSON.stringify(pathToFileURL(join(home, 'src/media/index.ts')).href)});
    const results = {};
    for (const name of ${JSON.stringify(names)}) results[name] = await read(name);
    console.log(JSON.stringify(results));`;
  return new Promise((resolve, reject) => {
    const options = { cwd: home, timeout: 240_000 };
    execFile(process.execPath, ['--input-type=module', '-e', program], options, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    );
  });
}

test('a library that is not installed is named, with the command that installs it', async () => {
  const sheet = { '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' };
  const results = await readBare({
    'letter.docx': docx(paragraph('our own work')),
    'shot.png': await plain(20, 10).png().toBuffer(),
    'photo.heic': readFileSync(new URL('../fixtures/image/hopper.heif', import.meta.url)),
    'book.pdf': pdfSaying('word'),
    'sums.xlsx': archive(sheet),
    'page.html': Buffer.from('<!doctype html><html><body>words</body></html>'),
  });
  expect(results['letter.docx']).toMatchObject({ ok: true, value: { output: 'our own work' } });
  for (const [name, library, command] of [
    ['shot.png', 'sharp', 'npm install --include=optional sharp'],
    ['photo.heic', 'libheif-js', 'sightline doctor --install heic'],
    ['book.pdf', '@embedpdf/pdfium', 'npm install @embedpdf/pdfium'],
    ['sums.xlsx', '@e965/xlsx', 'npm install @e965/xlsx'],
    ['page.html', 'htmlparser2', 'npm install htmlparser2'],
  ] as const) {
    expect.soft(results[name], name).toMatchObject({
      ok: false,
      refusal: {
        code: 'missing-decoder',
        what: expect.stringContaining(` ${library},`),
        next: expect.stringContaining(command),
      },
    });
  }
});

test('a part that is installed after it was missed is there for the next picture', async () => {
  const bare = mkdtempSync(join(tmpdir(), 'sightline-late-'));
  const checkout = fileURLToPath(new URL('../../', import.meta.url));
  cpSync(join(checkout, 'src'), join(bare, 'src'), { recursive: true });
  writeFileSync(join(bare, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(bare, 'home/parts'), { recursive: true });
  symlinkSync(join(checkout, 'node_modules'), join(bare, 'node_modules'), 'junction');
  const program = `
    const { symlinkSync } = await import('node:fs');
    const { canReadPictures, read } = await import(${JSON.stringify(pathToFileURL(join(bare, 'src/media/index.ts')).href)});
    const photo = ${JSON.stringify(join(checkout, 'test/fixtures/image/hopper.heif'))};
    const before = [canReadPictures(), await read(photo)];
    for (const part of ['heic', 'ocr'])
      symlinkSync(${JSON.stringify(join(checkout, 'parts/'))} + part, 'home/parts/' + part, 'junction');
    const after = [canReadPictures(), await read(photo)];
    console.log(JSON.stringify([before, after].map(([words, { ok, refusal }]) => [words, ok ? 'read' : refusal.code])));`;
  const said = await new Promise<string>((resolve, reject) => {
    const env = { ...process.env, SIGHTLINE_HOME: join(bare, 'home') };
    const options = { cwd: bare, timeout: 240_000, env };
    execFile(process.execPath, ['--input-type=module', '-e', program], options, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
  rmSync(bare, { recursive: true, force: true });
  expect(JSON.parse(said)).toEqual([
    [false, 'missing-decoder'],
    [true, 'read'],
  ]);
});

test.each([
  [`Cannot find package 'sharp' imported from /x/codec.js`, 'sharp'],
  [`Cannot find package '@embedpdf/pdfium' imported from /x/pdfium.js`, '@embedpdf/pdfium'],
  [`Cannot find module '/x/node_modules/@e965/xlsx/dist/cpexcel.full.mjs' imported from /x/y.js`, '@e965/xlsx'],
  [`Cannot find module 'C:\\x\\node_modules\\htmlparser2\\index.js'`, 'htmlparser2'],
  ['Could not load the "sharp" module using the linux-x64 runtime\nPossible solutions:', 'sharp'],
  [`Cannot find module '/x/dist/media/codec.js' imported from /x/y.js`, 'sightline'],
  ['Input buffer contains unsupported image format', undefined],
])('of "%s" the library is told', (message, library) => {
  expect(missingLibrary(new Error(message))).toBe(library);
});
