// What `read` is given: each kind of source once, and words that lead on for what is none.
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { SightlineError } from '../../src/content/refusal.ts';
import { read } from '../../src/media/read.ts';
import type { Source } from '../../src/media/source.ts';

const folder = mkdtempSync(join(tmpdir(), 'source-'));
const file = join(folder, 'note.txt');
writeFileSync(file, 'Hello.');
symlinkSync('loop', join(folder, 'loop'));

const bytes = new TextEncoder().encode('Hello.');
const streamOf = (chunk: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> => new Blob([chunk]).stream();

test.each<[string, Source]>([
  ['a path', file],
  ['a file URL', pathToFileURL(file)],
  ['a data URL', new URL('data:text/plain,Hello.')],
  ['bytes', bytes],
  ['an ArrayBuffer', bytes.buffer],
  ['a Blob', new Blob([bytes])],
  ['a Response', new Response(bytes)],
  ['a stream', streamOf(bytes)],
])('%s is read', async (_what, source) => {
  expect(await read(source)).toMatchObject({ ok: true, value: { output: 'Hello.' } });
});

test.each<[string, Source, string]>([
  ['a link to itself', join(folder, 'loop'), 'not-found'],
  ['a name that is too long', 'x'.repeat(5000), 'not-found'],
  ['a file URL that is no path', new URL('file:///a%2Fb'), 'not-found'],
  ['an address', new URL('https://example.com/x.png'), 'not-allowed'],
])('%s is refused', async (_what, source, code) => {
  expect(await read(source)).toMatchObject({ ok: false, refusal: { code } });
});

test('a file that fails while it is read is refused', async (context) => {
  if (process.platform !== 'linux') context.skip('it is about another system');
  expect(await read('/proc/self/mem')).toMatchObject({ ok: false, refusal: { code: 'corrupt' } });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a number', 42],
  ['a list', [1, 2]],
  ['a stream of Node', Readable.from(['Hello.'])],
  ['a view that is no bytes', new Uint16Array(4)],
])('%s is wrong use, and the error says what is taken', async (_what, source) => {
  await expect(read(source as Source)).rejects.toThrow(SightlineError);
  await expect(read(source as Source)).rejects.toThrow('read takes a path, a URL');
});

test('a stream that was read already is wrong use', async () => {
  const response = new Response('Hello.');
  await response.text();
  await expect(read(response)).rejects.toThrow('was read already');
});
