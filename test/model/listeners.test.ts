// Raw sockets against every listener of ours: requests as clients write them, damaged by a seed, and a list of nasty
// ones. None may end the process, be left without an end, keep a descriptor, or get in without a token.
// A few to each, in the long form hundreds; SIGHTLINE_RUNS=3400 sends 10,000.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { effort } from '../effort.ts';

const count = Math.max(50, 3 * effort.runs);
const atOnce = 32;
const patienceMs = 30;
const hangsMs = 120_000;

type Name = 'mcp' | 'callback' | 'scripted' | 'proxy' | 'gateway';
const listeners = spawn(process.execPath, [fileURLToPath(new URL('listeners.ts', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const told = createInterface({ input: listeners.stdout })[Symbol.asyncIterator]();
let places: Record<Name, string>;
const heard = async (): Promise<unknown> => JSON.parse(String((await told.next()).value));
beforeAll(async () => {
  places = (await heard()) as typeof places;
});
afterAll(() => {
  listeners.kill();
});

async function descriptors(): Promise<number> {
  listeners.stdin.write('\n');
  return Number(await heard());
}

const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const post = (path: string, host: string, body: string, ...headers: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
const get = (target: string, ...headers: string[]): string =>
  [`GET ${target} HTTP/1.1`, ...headers, '', ''].join('\r\n');

/** Requests as real clients send them. */
function honest(name: Name, host: string): string[] {
  const { host: site } = new URL(places.scripted);
  const said = '{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}';
  return {
    mcp: [
      post('/mcp', host, list),
      post('/mcp', host, list, 'Authorization: Bearer wrong-token'),
      post('/mcp', host, list, 'Authorization: Bearer right-token'),
      get('/mcp', `Host: ${host}`, 'Accept: text/event-stream', 'Mcp-Session-Id: 0'),
      `DELETE /mcp HTTP/1.1\r\nHost: ${host}\r\nMcp-Session-Id: 0\r\n\r\n`,
    ],
    callback: [
      get(
        '/callback?code=a&state=guessed',
        `Host: ${host}`,
        'Sec-Fetch-Site: cross-site',
        'Sec-Fetch-Mode: navigate',
        'Sec-Fetch-Dest: document',
      ),
    ],
    scripted: [
      post('/v1/chat/completions', host, said),
      post('/v1/messages', host, said),
      get('/v1/models', `Host: ${host}`),
    ],
    gateway: [
      post('/v1/chat/completions', host, said),
      post('/v1/messages', host, said),
      post('/v1/responses', host, '{"model":"m","stream":true,"input":"hi"}'),
      post('/v1beta/models/m:generateContent', host, '{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'),
      post('/api/chat', host, said),
    ],
    proxy: [
      get(`http://${site}/v1/models`, `Host: ${host}`),
      get(`https://${site}/v1/models`, `Host: ${host}`),
      get('/x', `Host: ${host}`),
      `CONNECT ${site} HTTP/1.1\r\nHost: ${site}\r\n\r\n${get('/v1/models', `Host: ${site}`)}`,
    ],
  }[name];
}

/** Request lines, hosts and lengths that servers and proxies have tripped over. */
function nasty(host: string): string[] {
  const targets = [
    '//', '//u@x/mcp', '//u:p@x/mcp', '/\\x/mcp', '\\mcp', '*', '', 'mcp', `http://${host}/mcp`, `http://u@${host}/mcp`,
    'http://', 'http://[::1', 'http://%00/', 'https:///mcp', 'file:///etc/passwd', host, '[::1]:1', '/mcp#', '/%', '/%zz',
    '/%00', '/..%2f', '/../../mcp', '/mcp/', '/./mcp', '/mcp?', '/mcp?%', `/${'a'.repeat(15_000)}`, `/${'a'.repeat(40_000)}`,
    '/mcp\u0000', '/mcp\tx', '/m cp', '/\u00ff', '/callback', '/callback?state', '/callback?state=%', '/callback?state=%E0%A4%A',
  ]; // prettier-ignore
  const hosts = [
    '', ' ', 'a@127.0.0.1', 'a:b@127.0.0.1', '127.0.0.1:', '127.0.0.1:99999', '127.0.0.1:-1', '[::1', '::1', '[::1]x',
    '[::ffff:127.0.0.1]', '[fe80::1%25lo]', '%31', '127.1', '0x7f.1', '2130706433', 'localhost.', 'LOCALHOST', 'evil.example',
    '127.0.0.1/mcp', '127.0.0.1#', '127.0.0.1?x', '127.0.0.1\\x', `${'a'.repeat(300)}.example`, '\u00ff', '127.0.0.1, evil.example',
  ]; // prettier-ignore
  const methods = [
    'TRACE',
    'TRACK',
    'CONNECT',
    'OPTIONS',
    'PUT',
    'PATCH',
    'HEAD',
    'PROPFIND',
    'M-SEARCH',
    'get',
    'G ET',
    'PRI',
    '',
  ];
  const heads = [
    [`Host: ${host}`, `Host: ${host}`], ['Host: evil.example', `Host: ${host}`], [], [`Host: ${host}`, 'Origin: null'],
    [`Host: ${host}`, 'Origin: %'], [`Host: ${host}`, 'Origin: http://[', 'Origin: x'], [`Host: ${host}`, 'Sec-Fetch-Site: cross-site'],
    [`Host: ${host}`, 'Authorization: Bearer'], [`Host: ${host}`, 'Authorization: Bearer  '], [`Host: ${host}`, 'Authorization: bearer \u00ff'],
    [`Host: ${host}`, 'Authorization: Bearer wrong', 'Authorization: Bearer right-token'],
    [`Host: ${host}`, 'Upgrade: websocket', 'Connection: Upgrade'], [`Host: ${host}`, 'Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings'],
    [`Host: ${host}`, 'Expect: 100-continue'], [`Host: ${host}`, 'Expect: the-unexpected'], [`Host: ${host}`, 'Connection: close, \u0001'],
    [`Host: ${host}`, `X: ${'x'.repeat(15_000)}`], [`Host: ${host}`, `X: ${'x'.repeat(100_000)}`],
    [`Host: ${host}`, ...Array.from({ length: 1500 }, (_, at) => `A${at}: `)], [`Host: ${host}`, 'X: a\nY: b'], [`Host: ${host}`, ' folded: x'],
    [`Host: ${host}`, 'X : y'], [`Host: ${host}`, 'no colon'], [`Host: ${host}`, ': no name'], [`Host: ${host}`, 'Cookie: \u0000'],
  ]; // prettier-ignore
  const lengths = [
    ['Content-Length: -1'], ['Content-Length: 5', 'Content-Length: 46'], ['Content-Length: 46', 'Content-Length: 46'], ['Content-Length: 0x10'],
    ['Content-Length: 46, 46'], ['Content-Length: 99999999999999999999'], ['Content-Length: 1000000000'], ['Content-Length: 3'],
    ['Content-Length: '], ['Content-Length: 46', 'Transfer-Encoding: chunked'], ['Transfer-Encoding: chunked'], ['Transfer-Encoding: chunked, gzip'],
    ['Transfer-Encoding: gzip, chunked'], ['Transfer-Encoding: \u000bchunked'], ['Transfer-Encoding: identity'],
  ]; // prettier-ignore
  const bodies = [
    list, `5\r\nhello\r\n0\r\n\r\n`, 'ffffffffffffffff\r\nx\r\n0\r\n\r\n', '-1\r\n\r\n', 'zz\r\n\r\n', '5\r\nhel', '5;x=\u0001\r\nhello\r\n0\r\n\r\n',
    '0\r\nTrailer: \u0000\r\n\r\n', `0\r\n\r\nGET /mcp HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  ]; // prettier-ignore
  return [
    ...targets.flatMap((target) => [get(target, `Host: ${host}`), post(target, host, list)]),
    ...hosts.flatMap((name) => [get('/mcp', `Host: ${name}`), post('/mcp', name, list)]),
    ...methods.map((method) => `${method} /mcp HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
    ...methods.map((method) => `${method} ${host} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\nhi`),
    ...heads.map((lines) => get('/mcp', ...lines)),
    ...lengths.flatMap((lines) =>
      bodies.map((body) => `POST /mcp HTTP/1.1\r\nHost: ${host}\r\n${lines.join('\r\n')}\r\n\r\n${body}`),
    ),
    ...['0.9', '1.0', '1.2', '2.0', '9.9', '', 'x'].map((version) => `GET /mcp HTTP/${version}\r\nHost: ${host}\r\n\r\n`),
    `${get('/', `Host: ${host}`)}${get('//', `Host: ${host}`)}${post('/mcp', host, list)}`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\u0016\u0003\u0001\u0002\u0000\u0001', '\r\n\r\n\r\n', '\n', 'GET /', 'GET / HTTP/1.1\r\nHost',
    'GET /mcp\r\n\r\n', '\u0000'.repeat(1000),
  ]; // prettier-ignore
}

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const scraps = [
  '\r\n',
  '\n',
  '\0',
  ' ',
  '//',
  '@',
  ':',
  '%',
  '\\',
  '[',
  ']',
  '\u00ff',
  'Host: x\r\n',
  '-1',
  '9'.repeat(30),
  '\t',
];

function damaged(text: string, below: (below: number) => number): string {
  let out = text;
  for (let left = 1 + below(3); left > 0; left--) {
    const [at, length] = [below(out.length + 1), below(8)];
    const scrap = scraps[below(scraps.length)] ?? '';
    const change = [
      () => out.slice(0, at) + scrap + out.slice(at),
      () => out.slice(0, at) + out.slice(at + length),
      () => out.slice(0, at) + scrap + out.slice(at + length),
      () => out.slice(0, at) + out.slice(at, at + length).toUpperCase() + out.slice(at),
      () => out.slice(0, at),
      () => out.slice(0, at) + String.fromCodePoint(below(256)) + out.slice(at + 1),
    ][below(6)];
    out = change?.() ?? out;
  }
  return out;
}

type Manner = 'waits' | 'whole' | 'in pieces' | 'leaves at once';

/** What came back over one connection, which must come to its end. */
async function asked(port: number, bytes: Buffer, manner: Manner): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let hangs = false;
  const hang = setTimeout(() => {
    hangs = true;
    socket.destroy();
  }, hangsMs);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined); // it may be cut off in the middle of a request that is not worth reading
  if (manner === 'leaves at once') socket.write(bytes, () => socket.destroy());
  else {
    const pieces =
      manner === 'in pieces' ? [bytes.subarray(0, bytes.length >> 1), bytes.subarray(bytes.length >> 1)] : [bytes];
    for (const piece of pieces) {
      await new Promise((resolve) => socket.write(piece, resolve));
      await new Promise(setImmediate);
    }
    socket.once('data', () => socket.end());
    // One that waits for more of the request gets no more.
    if (manner !== 'waits') setTimeout(() => socket.end(), patienceMs).unref();
  }
  await closed;
  clearTimeout(hang);
  expect(hangs, `no end of ${JSON.stringify(bytes.toString('latin1').slice(0, 300))}`).toBe(false);
  return Buffer.concat(chunks).toString('latin1');
}

const manners: Manner[] = ['whole', 'whole', 'whole', 'whole', 'in pieces', 'leaves at once'];

test.each<[Name, mayAnswer: (text: string) => boolean]>([
  ['mcp', (text) => /right-token/i.test(text)],
  ['callback', () => false],
  ['scripted', () => true],
  ['proxy', () => true],
  ['gateway', () => true],
])('whatever is sent to %s, it goes on', async (name, mayAnswer) => {
  const place = new URL(places[name]);
  const [port, below] = [Number(place.port), random(name.length * 7919)];
  const [real, bad] = [honest(name, place.host), nasty(place.host)];
  // What a proxy is asked for must not lead away from this machine.
  const { host: home } = new URL(places.scripted);
  const away = new RegExp(`^CONNECT (?!${home} )|https:(?!//${home}/)`, 'im');
  const isHome = (text: string): boolean => name !== 'proxy' || !away.test(text);
  const requests = [...real, ...bad].filter(isHome);
  while (requests.length < count) {
    const base = below(4) === 0 ? bad : real;
    const text = damaged(base[below(base.length)] ?? '', below);
    if (isHome(text)) requests.push(text);
  }
  const before = await descriptors();
  const letIn: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < requests.length; at = next++) {
      const text = requests[at] ?? '';
      const answer = await asked(port, Buffer.from(text, 'latin1'), manners[at % manners.length] ?? 'whole');
      if (/HTTP\/1\.1 2\d\d/.test(answer) && !mayAnswer(text)) letIn.push(text.slice(0, 500));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  expect(letIn).toEqual([]);
  expect(listeners.exitCode).toBe(null);
  await expect.poll(descriptors).toBeLessThanOrEqual(before);
  const after = await asked(port, Buffer.from(real[0] ?? '', 'latin1'), 'waits');
  expect(after).toMatch(
    {
      mcp: /^HTTP\/1\.1 401/,
      callback: /^HTTP\/1\.1 404/,
      scripted: /^HTTP\/1\.1 200/,
      proxy: /^HTTP\/1\.1 200/,
      gateway: /^HTTP\/1\.1 200/,
    }[name],
  );
});
