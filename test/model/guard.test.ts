import { expect, test } from 'vitest';
import { admit, checkRules, isToken } from '../../src/model/guard.ts';
import type { GuardRules } from '../../src/model/guard.ts';

const rules: GuardRules = { host: '127.0.0.1', methods: ['GET', 'POST'], maxBytes: 100, token: 'right' };
const allowed = ['Host', '127.0.0.1:4000', 'Authorization', 'Bearer right'];

function status(line: string, rawHeaders: readonly string[] = allowed, more: Partial<GuardRules> = {}): number {
  const [method = '', url = ''] = line.split(' ');
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers[rawHeaders[at]?.toLowerCase() ?? ''] ??= rawHeaders[at + 1] ?? '';
  const admission = admit({ method, url, headers, rawHeaders: [...rawHeaders] }, { ...rules, ...more });
  return admission.ok ? 200 : admission.status;
}

const named = (host: string): string[] => ['Host', host, ...allowed.slice(2)];

test.each<[line: string, status: number]>([
  ['GET /mcp', 200],
  ['POST /mcp?x=%zz', 200],
  ['TRACE /mcp', 400],
  ['CONNECT 127.0.0.1:80', 400],
  ['PUT /mcp', 405],
  ['OPTIONS *', 400],
  ['GET //', 400],
  ['GET //u@x/mcp', 400],
  ['GET /\\x/mcp', 400],
  ['GET http://127.0.0.1/mcp', 400],
  ['GET 127.0.0.1:4000', 400],
  ['GET mcp', 400],
  ['GET /mcp#x', 400],
  ['GET ', 400],
])('%s: %d', (line, expected) => {
  expect(status(line)).toBe(expected);
});

test.each<[host: string, status: number]>([
  ['localhost', 200],
  ['LOCALHOST:1', 200],
  ['[::1]:4000', 200],
  ['', 400],
  ['a@127.0.0.1', 400],
  ['127.0.0.1:99999', 400],
  ['127.0.0.1/x', 400],
  ['[::1', 400],
  ['127.0.0.1, evil.example', 400],
  ['evil.example', 403],
  ['127.0.0.1.evil.example', 403],
  ['2130706433', 403],
  ['localhost.', 403],
])('the host "%s": %d', (host, expected) => {
  expect(status('GET /', named(host))).toBe(expected);
});

const fetched = (site: string, mode: string, dest: string): string[] =>
  ['Sec-Fetch-Site', site, 'Sec-Fetch-Mode', mode, 'Sec-Fetch-Dest', dest]; // prettier-ignore

test.each<[what: string, headers: string[], status: number, more?: Partial<GuardRules>]>([
  ['no token', ['Host', 'localhost'], 401],
  ['a token that only begins like ours', ['Host', 'localhost', 'Authorization', 'Bearer righ'], 401],
  ['another scheme', ['Host', 'localhost', 'Authorization', 'Basic right'], 401],
  ['any name, where any address is listened on', named('box.example'), 200, { host: '0.0.0.0' }],
  ['two hosts', [...allowed, 'Host', 'evil.example'], 400],
  ['two tokens', [...allowed, 'Authorization', 'Bearer right'], 400],
  ['a hundred headers more', [...allowed, ...Array.from({ length: 200 }, String)], 431],
  ['a page of this machine', [...allowed, 'Origin', 'http://localhost:3000'], 200],
  ['a page from elsewhere', [...allowed, 'Origin', 'https://evil.example'], 403],
  ['a page without an origin of its own', [...allowed, 'Origin', 'null'], 403],
  ['a browser that a person sent here', [...allowed, ...fetched('none', 'navigate', 'document')], 200],
  ['a link of another site', [...allowed, ...fetched('cross-site', 'navigate', 'document')], 403],
  ['a redirect of a login', [...allowed, ...fetched('cross-site', 'navigate', 'document')], 200, { byRedirect: true }],
  ['a picture of another site', [...allowed, ...fetched('cross-site', 'no-cors', 'image')], 403, { byRedirect: true }],
  ['a frame of another site', [...allowed, ...fetched('cross-site', 'navigate', 'iframe')], 403, { byRedirect: true }],
  ['a body of a hundred bytes', [...allowed, 'Content-Length', '100'], 200],
  ['a body of one byte more', [...allowed, 'Content-Length', '101'], 413],
  ['a length that is no number', [...allowed, 'Content-Length', 'x'], 413],
  ['a body where none is expected', [...allowed, 'Transfer-Encoding', 'chunked'], 413, { maxBytes: 0 }],
])('%s: %#', (_what, headers, expected, more) => {
  expect(status('POST /mcp', headers, more)).toBe(expected);
});

test('off this machine a token is wanted, and it is not empty', () => {
  const without: GuardRules = { host: '127.0.0.1', methods: [], maxBytes: 0 };
  for (const host of ['127.0.0.1', '::1', 'localhost']) checkRules({ ...without, host });
  const head = { method: 'GET', url: '/', headers: { host: 'localhost' }, rawHeaders: ['Host', 'localhost'] };
  expect(admit(head, { ...without, methods: ['GET'] }).ok).toBe(true);
  for (const host of ['0.0.0.0', '::', '192.168.1.2'])
    expect(() => checkRules({ ...without, host })).toThrow(/needs a token/);
  expect(() => checkRules({ ...without, token: '' })).toThrow('The token is empty.');
  expect([isToken('right', 'right'), isToken('righT', 'right'), isToken('', 'right')]).toEqual([true, false, false]);
});
