// The tool against a real server on loopback, which the program allows and a model cannot.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { addressesOf, isPublic, pinnedTo } from '../../src/media/remote/address.ts';
import { fetchMedium } from '../../src/media/remote/medium.ts';
import { storedZip } from '../../src/media/zip/write.ts';
import { fetchUrlTool } from '../../src/toolbox/web/fetch.ts';
import { pdfSaying, plain } from '../media/make.ts';
import { caller, pictures, words } from './caller.ts';
import { page, webServer } from './web-server.ts';

const chart = await plain(64, 48).png().toBuffer();
const bomb = gzipSync(Buffer.alloc(60_000_000, 'bomb '));
const server = await webServer({
  '/chart.png': (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(chart),
  '/to-cafe': (response) =>
    void response.writeHead(302, { location: Buffer.from('/café.txt').toString('latin1') }).end(),
  '/caf%C3%A9.txt': (response) => void response.end('une carte'),
  '/caf%E9.txt': (response) => void response.end('a menu'),
  '/report': (response) =>
    void response
      .writeHead(200, { 'content-disposition': 'attachment; filename="report.pdf"' })
      .end(pdfSaying('alpha', 'beta')),
  '/notes.txt': (response) => void response.end(Array.from({ length: 4000 }, (_, at) => `note ${at + 1}`).join('\n')),
  '/table.csv': (response) =>
    void response.end(Array.from({ length: 1000 }, (_, at) => `${at + 1},${at * 2}`).join('\n')),
  '/page': page('<h1>Title</h1><p>Some words</p>'),
  '/piece': (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Title</h1><script>evil()</script>'),
  '/rows': (response) => void response.writeHead(200, { 'content-type': 'text/csv' }).end('x,y\n1,2\n'),
  '/inline.csv': (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'inline' })
      .end('x,y\n1,2\n'),
  '/export': (response) =>
    void response
      .writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="gr__e.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe.csv`,
      })
      .end('x,y\n1,2\n'),
  '/gzip': (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed')),
  '/br': (response) => void response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('packed')),
  '/deflate': (response) => void response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('packed')),
  '/bad-gzip': (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip at all'),
  '/bomb': (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  '/moved': (response) => void response.writeHead(302, { location: '/page' }).end(),
  '/loop': (response) => void response.writeHead(302, { location: '/loop' }).end(),
  '/to-metadata': (response) =>
    void response.writeHead(302, { location: 'https://169.254.169.254/latest/meta-data' }).end(),
  '/to-other-port': (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  '/to-file': (response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/hangs': (response) => void response.writeHead(200).write('a beginning'),
  '/cut': (response) =>
    void response.writeHead(200, { 'content-length': '1000' }).write('short', () => response.destroy()),
  '/turned-away': (response) => void response.writeHead(999).end('not for programs'),
  '/zip': (response) => void response.end(storedZip([{ path: 'notes.txt', content: Buffer.from('a note') }])),
  '/cut-zip': (response) => void response.end(Buffer.from('504b0304140000000800', 'hex')),
});
afterAll(() => server.close());

const urls = { hosts: [server.host] };
const open = caller(() => [fetchUrlTool({ urls, timeoutMs: 120_000 })]);
const hurried = caller(() => [fetchUrlTool({ urls, timeoutMs: 500 })]);
const shut = caller(() => [fetchUrlTool()]);
const at = (path: string): { url: string } => ({ url: `${server.base}${path}` });

describe('fetch_url gives what a model can see of', () => {
  test.each([
    [
      'a picture, whatever the server calls it',
      at('/chart.png'),
      /^\[From .*\/chart\.png\]\n\[Image: chart\.png, 64x48, .*\]\n<image>$/,
    ],
    ['a PDF by its pages', { ...at('/report'), pages: '2-2' }, /^\[From .*\/report\]\n.*pages 2-2.*\n<document>$/],
    ['a page', at('/page'), /^\[From .*\/page\]\n<document>$/],
    ['a page that the server alone calls one', at('/piece'), /^\[From .*\/piece\]\n<document>$/],
    ['a table that the server alone calls one', at('/rows'), /^\[From .*\/rows\]\n<document>$/],
    ['a table that its address alone calls one', at('/inline.csv'), /^\[From .*\/inline\.csv\]\n<document>$/],
    ['a table that the name of the download alone calls one', at('/export'), /^\[From .*\/export\]\n<document>$/],
    [
      'a text in parts',
      { ...at('/notes.txt'), offset: 3999 },
      /^\[From .*\]\n\[Lines 3999-4000 of 4000\.\]\nnote 3999\nnote 4000$/,
    ],
    ['what was compressed by gzip', at('/gzip'), /\]\npacked$/],
    ['what was compressed by br', at('/br'), /\]\npacked$/],
    ['what was compressed by deflate', at('/deflate'), /\]\npacked$/],
    ['a file of an archive, by its name', { ...at('/zip'), part: 'notes.txt' }, /\na note$/],
    ['a file whose name was escaped before there was UTF-8', at('/caf%E9.txt'), /^\[From .*\/caf%E9\.txt\]\na menu$/],
    ['rows of a table', { ...at('/table.csv'), rows: '900-901' }, /\| 900 .*\n.*\| 901 /],
    ['where a redirect leads that is no ASCII', at('/to-cafe'), /^\[From .*\/caf%C3%A9\.txt\]\nune carte$/],
    ['where a redirect leads, by its own address', at('/moved'), /^\[From .*\/page\]\n<document>$/],
  ])('%s', async (_name, input, said) => {
    const answer = await open.call('fetch_url', input);
    expect(words(answer)).toMatch(said);
    expect(answer.isError).toBeUndefined();
  });

  test('a long text to the bound of one result, with one note, and the whole of it as an asset', async () => {
    const answer = await open.call('fetch_url', at('/notes.txt'));
    expect(words(answer)).toMatch(/^\[From .*\]\n\[Lines 1-\d+ of 4000\. Use offset=\d+ to continue\.\]\nnote 1\n/);
    expect(words(answer).length).toBeLessThanOrEqual(30_720);
    expect(answer.kept).toMatchObject([{ mediaType: 'text/plain', name: 'notes.txt' }]);
  });

  test('a picture, byte for byte', async () => {
    const [picture] = pictures(await open.call('fetch_url', at('/chart.png')));
    expect(Buffer.from((picture && (await open.assets.get(picture.asset.id))) ?? []).equals(chart)).toBe(true);
  });
});

describe('fetch_url refuses', () => {
  test.each([
    ['what is not found', at('/absent'), /answered 404\. Check the address/],
    ['an answer with a number that no answer has', at('/turned-away'), /answered 999\. Check the address/],
    ['redirects without end', at('/loop'), /redirects without end \(limit: 5 redirects\)/],
    ['a redirect to an address of the cloud', at('/to-metadata'), /^169\.254\.169\.254 lies in a private network/],
    ['a redirect to a port that is not allowed', at('/to-other-port'), /^127\.0\.0\.1:9 lies in a private network/],
    ['a redirect to a file', at('/to-file'), /^URLs with file: are not opened/],
    ['an answer that breaks off', at('/cut'), /broke off/],
    ['a broken compression', at('/bad-gzip'), /broke off/],
    ['a bomb', at('/bomb'), /^Text too large/],
    ['an archive as a whole', at('/zip'), /Give part to read one of its files: notes\.txt/],
    ['what is left of one', at('/cut-zip'), /is damaged/],
    ['a port where nobody listens', { url: 'https://localhost:1/' }, /lies in a private network/],
  ])('%s', async (_name, input, said) => {
    const answer = await open.call('fetch_url', input);
    expect(answer.isError).toBe(true);
    expect(words(answer)).toMatch(said);
  });

  test.each([
    'http://127.0.0.1/', 'https://127.0.0.1/', 'https://localhost/', 'https://0/', 'https://2130706433/', 'https://0x7f.1/',
    'https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://[64:ff9b::7f00:1]/', 'https://10.1.2.3/', 'https://192.168.0.1/',
    'https://172.20.0.1/', 'https://169.254.169.254/', 'https://100.64.0.1/', 'https://[fe80::1]/', 'https://[fd00::1]/',
    'https://user:password@example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'data:text/plain,x', 'javascript:1', 'nonsense', '',
  ])('%j before anything is sent', async (url) => {
    const answer = await shut.call('fetch_url', { url });
    expect(answer.isError).toBe(true);
    expect(words(answer)).not.toMatch(/answered|could not be reached|took too long|broke off/);
  }); // prettier-ignore

  test('an answer that never ends', async () => {
    expect(words(await hurried.call('fetch_url', at('/hangs')))).toMatch(/took too long \(limit: 0\.5 s\)/);
  });

  test('the loopback server that only the program could allow', async () => {
    const before = server.seen.length;
    expect(words(await shut.call('fetch_url', at('/page')))).toMatch(
      /lies in a private network or on this machine\. .*--allow-host 127\.0\.0\.1:\d+, or by hosts under \[web\]/,
    );
    expect(server.seen.length).toBe(before);
  });

  test('to go on when it is cancelled', async () => {
    const stop = new AbortController();
    const before = server.seen.length;
    const going = open.call('fetch_url', at('/hangs'), stop.signal);
    await expect.poll(() => server.seen.length).toBe(before + 1);
    stop.abort();
    expect(words(await going)).toContain('Cancelled');
  });
});

test.each([
  ['8.8.8.8', true], ['1.1.1.1', true], ['2606:4700::1111', true], ['172.32.0.1', true], ['192.167.0.1', true],
  ['224.0.0.1', false], ['255.255.255.255', false], ['0.0.0.0', false], ['::', false], ['fc00::1', false],
  ['168.63.129.16', false], ['168.63.129.17', true],
  ['2001:db8::1', false], ['2002:7f00:1::', false], ['2001::1', false], ['ff02::1', false], ['::ffff:8.8.8.8', false],
  ['not an address', false],
])('%s is public: %s', (address, wanted) => {
  expect(isPublic(address)).toBe(wanted);
}); // prettier-ignore

test('a name is not asked for again after it was checked', async () => {
  const checked = await addressesOf(new URL('https://localhost:1'), { hosts: ['localhost'] });
  const pinned = pinnedTo(checked.ok ? checked.value : []);
  const seen = await new Promise((resolve) => {
    pinned('elsewhere.example', { all: true }, (_error, addresses) => resolve(addresses));
  });
  expect(seen).toEqual(checked.ok ? checked.value : 'nothing');
  expect(await addressesOf(new URL('https://localhost:1'), {})).toMatchObject({ ok: false });
});

test('a medium that is given up in the middle is not taken for whole', async () => {
  const stop = new AbortController();
  // More than lies between two programs on its way: when all of it is gone, the reader is at work.
  const half = Buffer.alloc(24 * 1024 * 1024, 'half of a text\n');
  const slow = await webServer({
    '/slow.txt': (response) => void response.writeHead(200).write(half, () => stop.abort()),
  });
  const found = await fetchMedium(`${slow.base}/slow.txt`, 'document', { hosts: [slow.host] }, { signal: stop.signal });
  expect(found).toMatchObject({ ok: false, refusal: { code: 'timed-out' } });
  await slow.close();
});
