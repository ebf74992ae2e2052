// What `read` is given: each kind of source once, and words that lead on for what is none.
import { mkdtempSync, openAsBlob, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SightlineError } from '../../src/content/refusal.ts';
import { openIntake } from '../../src/media/intake.ts';
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
  const opened = await openIntake().open({ path: '/proc/self/mem' }, 'person');
  expect(opened).toMatchObject({ ok: false, refusal: { code: 'corrupt' } });
});

test('a file that is changed while a blob of it is read is refused', async () => {
  const path = join(folder, 'growing.log');
  writeFileSync(path, 'first');
  const blob = await openAsBlob(path);
  writeFileSync(path, 'first and more');
  expect(await read(blob)).toMatchObject({ ok: false, refusal: { code: 'corrupt' } });
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

const typed = (type: string, body: string, name?: string): Response => {
  const disposition: Record<string, string> = name === undefined ? {} : { 'content-disposition': `filename="${name}"` };
  return new Response(body, { headers: { 'content-type': type, ...disposition } });
};
const piece = '<h1>Hello</h1><script>evil()</script><p>a &amp; b</p>';

describe('text of no kind of its own is what it is declared to be', () => {
  test.each<[string, Source, string, kind: string | undefined, name: string]>([
    ['a piece of a page', typed('text/html; charset=utf-8', piece), '# Hello\n\na & b', 'html', 'document.html'],
    ['a page with a title first', typed('text/html', `<title>T</title>${piece}`), '# Hello', 'html', 'document.html'],
    ['a page under the name of a program', typed('Text/HTML', piece, 'a.php'), '# Hello', 'html', 'a.php.html'],
    ['XHTML', typed('application/xhtml+xml', piece), '# Hello', 'html', 'document.html'],
    ['a page of a Blob', new Blob([piece], { type: 'text/html' }), '# Hello', 'html', 'document.html'],
    [
      'a page of a data URL',
      new URL(`data:text/html,${encodeURIComponent(piece)}`),
      '# Hello',
      'html',
      'document.html',
    ],
    ['a table', typed('text/csv', 'x,y\n1,2\n'), '| 1 | 2 |', 'csv', 'document.csv'],
    ['a table between tabs', typed('text/tab-separated-values', 'x\ty\n1\t2\n'), '| 1 | 2 |', 'tsv', 'document.tsv'],
    ['a mail', typed('message/rfc822', 'Subject: Sum\n\nBody', 'm.eml'), 'Body', 'eml', 'm.eml'],
    ['a mail without a name', typed('message/rfc822', 'Subject: Sum\n\nBody'), '# Sum', 'eml', 'document.eml'],
    ['an answer of a program called a page', typed('text/html', '{"a":"<b>"}'), '{"a":"<b>"}', undefined, 'input'],
    ['words called a page', typed('text/html', 'only words'), 'only words', undefined, 'input'],
    ['Markdown', typed('text/markdown', '# Head'), '# Head', undefined, 'input'],
    ['a page called a picture', typed('image/png', '<html><p>not found'), 'not found', 'html', 'document.html'],
    ['a page called a table', typed('text/csv', '<!doctype html><p>no'), 'no', 'html', 'document.html'],
  ])('%s', async (_what, source, words, kind, name) => {
    const result = await read(source);
    const { output = '', data } = result.ok ? result.value : {};
    expect(output).toContain(words);
    expect(output).not.toContain('evil');
    expect(data).toMatchObject(kind === undefined ? { type: 'text', name } : { type: 'document', kind, name });
  });
});

test.each([
  ['a page', 'text/html; charset=iso-8859-9', '<p>'],
  ['a table', 'text/csv; charset="ISO-8859-9"', 'a,'],
  ['a text', 'text/plain;charset=iso-8859-9', ''],
])('%s that does not say how it is written is read as its server says', async (_what, type, head) => {
  const turkish = Buffer.from([0x49, 0xfe, 0xfd, 0x6b]);
  const headers = { 'content-type': type };
  const result = await read(new Response(Buffer.concat([Buffer.from(head), turkish]), { headers }));
  expect(result.ok && result.value.output).toMatch(/^(?!.*encoding)[^]*Işık/);
  const other = await read(new Response(`${head}Größe`, { headers }));
  expect(other.ok && other.value.output).toContain('Größe');
});
