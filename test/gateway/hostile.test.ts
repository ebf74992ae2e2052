// Whatever comes over the line, the gateway answers or hangs up, lives on, and keeps no descriptor.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBody } from '../../src/gateway/body.ts';
import { openGateway } from '../../src/gateway/index.ts';
import type { Gateway } from '../../src/gateway/index.ts';
import { openKnownStrings } from '../../src/gateway/strings.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer } from '../../src/model/script/index.ts';
import { effort } from '../effort.ts';

let upstream: ScriptedServer;
let gateway: Gateway;

beforeAll(async () => {
  upstream = await scriptedServer(script(() => ({ text: 'Fine.' })));
  const model = { model: 'anthropic/claude-sonnet-5' as const, baseUrl: upstream.url, key: 'ours' };
  gateway = await openGateway({ port: 0, models: { claude: model }, default: 'claude', bodyMib: 1 });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** Sends bytes as they are; what comes back until the line is closed, or it has been silent for long. */
function raw(bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    let heard = '';
    socket.setTimeout(2000, () => socket.destroy());
    socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(heard));
    socket.end(bytes);
  });
}

const post = (path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${gateway.url}${path}`, { method: 'POST', body, headers });

const chat = (more: object = {}): string =>
  JSON.stringify({ model: 'claude', messages: [{ role: 'user', content: 'Hi.' }], ...more });

const much = Buffer.alloc(50 * 1024 * 1024);

test.each<[string, number, () => Promise<Response>]>([
  ['a body above the ceiling', 413, () => post('/v1/messages', 'x'.repeat(1024 * 1024 + 1))],
  [
    'a small body that unpacks to much',
    413,
    () => post('/v1/messages', gzipSync(much), { 'content-encoding': 'gzip' }),
  ],
  ['the same by deflate', 413, () => post('/v1/messages', deflateSync(much), { 'content-encoding': 'deflate' })],
  ['the same by Brotli', 413, () => post('/v1/messages', brotliCompressSync(much), { 'content-encoding': 'br' })],
  ['the same by Zstandard', 413, () => post('/v1/messages', zstdCompressSync(much), { 'content-encoding': 'zstd' })],
  ['a body that is not packed as it says', 400, () => post('/v1/messages', 'plain', { 'content-encoding': 'gzip' })],
  ['a packing that nobody knows', 415, () => post('/v1/messages', chat(), { 'content-encoding': 'rar' })],
  ...['toString', 'constructor', '__proto__', 'gzip, br'].map((packing): [string, number, () => Promise<Response>] => [
    `a packing named ${packing}`,
    415,
    () => post('/v1/messages', chat(), { 'content-encoding': packing }),
  ]),
  [
    'brackets without end',
    400,
    () => post('/v1/chat/completions', `{"model":"claude","messages":${'['.repeat(100_000)}`),
  ],
  [
    'a deep body',
    400,
    () => post('/v1/chat/completions', `{"model":"claude","messages":[${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}]}`),
  ],
  ['no UTF-8', 400, () => post('/v1/messages', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
  ['a list', 400, () => post('/v1/messages', '[1,2]')],
  ['messages that are none', 400, () => post('/v1/chat/completions', chat({ messages: 'Hi.' }))],
  ['nobody in the messages', 400, () => post('/v1/chat/completions', chat({ messages: [] }))],
])('%s', async (_name, status, ask) => {
  const response = await ask();
  expect(response.status).toBe(status);
  expect(await response.text()).toMatch(/^\{.*error/);
});

test('a body above the ceiling that holds unless another is set is refused, announced or not', async () => {
  await using usual = await openGateway({ port: 0, models: {} });
  const large = (async function* () {
    const part = Buffer.alloc(1024 * 1024, 'x');
    for (let mib = 0; mib < 65; mib++) yield part;
  })();
  const ask = async (body: BodyInit, headers = {}): Promise<number | undefined> =>
    (await fetch(`${usual.url}/v1/messages`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)).status;
  expect(await ask('x'.repeat(65 * 1024 * 1024))).toBe(413);
  expect(await ask(large as unknown as BodyInit)).toBe(413);
  expect((await fetch(`${usual.url}/healthz`)).status).toBe(200);
});

test.each(['GZIP', 'x-gzip', 'Identity'])('a body packed as %s is read', async (packing) => {
  const body = packing === 'Identity' ? chat() : gzipSync(chat());
  const answered = await post('/v1/chat/completions', body, { 'content-encoding': packing });
  expect(answered.status).toBe(200);
});

test('trouble while a body comes ends its own request alone', async () => {
  const chunks = Readable.from([Buffer.from(JSON.stringify({ data: 'A'.repeat(3000) }))]);
  const incoming = Object.assign(chunks, { headers: {} }) as unknown as IncomingMessage;
  const known = openKnownStrings();
  known.alike.get = () => {
    throw new Error('Out of room.');
  };
  const clock = { now: () => 0, after: () => () => undefined };
  await expect(readBody(incoming, 10_000, clock, known)).rejects.toThrow('Out of room.');
});

test('keys that stand there twice, wrong base64 and paths of this machine do no harm', async () => {
  const twice = await post(
    '/v1/chat/completions',
    '{"model":"nobody","model":"claude","messages":[{"role":"user","content":"Hi."}]}',
  );
  expect(twice.status).toBe(200);
  const content = [
    { type: 'image_url', image_url: { url: 'data:image/png;base64,%%%' } },
    { type: 'image_url', image_url: { url: 'file:///etc/passwd' } },
    { type: 'image_url', image_url: { url: 'http://169.254.169.254/latest/meta-data' } },
    { type: 'image', path: '/etc/passwd' },
  ];
  const paths = await post('/v1/chat/completions', chat({ messages: [{ role: 'user', content }] }));
  expect(paths.status).toBe(200);
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toMatch(/root:|daemon/);
});

test.each([
  '"model":"x",MORE,"m\\u006fdel":"claude"',
  '"model":"x",MORE,"model":"claude"',
  '"m\\u006fdel":"claude",MORE',
  '"model":"claude-sonnet-5","model":"claude",MORE',
])('the model that is asked is the one that was looked for, however a relayed body names it: %s', async (fields) => {
  const more = '"max_tokens":9,"messages":[{"role":"user","content":"Hi."}]';
  const answered = await post('/v1/messages', `{${fields.replace('MORE', more)}}`);
  expect([answered.status, answered.headers.get('x-sightline-way')]).toEqual([200, 'relay']);
  expect(upstream.requests.at(-1)?.body).toMatchObject({ model: 'claude-sonnet-5', messages: [{ content: 'Hi.' }] });
});

const head = (path: string, more = ''): string => `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${more}`;

test.each([
  ['a length that lies', `${head('/v1/messages', 'content-length: 100\r\n')}\r\n{}`],
  ['two lengths', `${head('/v1/messages', 'content-length: 2\r\ncontent-length: 3\r\n')}\r\n{}`],
  [
    'a length and chunks',
    `${head('/v1/messages', 'content-length: 2\r\ntransfer-encoding: chunked\r\n')}\r\n0\r\n\r\n`,
  ],
  ['another host', 'POST /v1/messages HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 2\r\n\r\n{}'],
  ['half a request', 'POST /v1/mess'],
  ['no request', '\u0000\u0001\u0002'],
  ['a proxy request', 'GET http://127.0.0.1/v1/models HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'],
])('on the line: %s', async (_name, bytes) => {
  expect(await raw(bytes)).toMatch(/^(?:HTTP\/1\.1 4\d\d[\s\S]*)?$/);
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
});

/** As the system lists it. */
const hexPort = (url: string): string => Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');

/** How many connections to the gateway or to its model are open; other test files of this process have theirs. */
function open(): number {
  const ports = new Set([gateway.url, upstream.url].map(hexPort));
  const rows = readFileSync('/proc/net/tcp', 'latin1').split('\n').slice(1).map((row) => row.trim().split(/\s+/)); // prettier-ignore
  const over = new Set(['0A', '06']); // who listens, and what lingers after its end
  const isOurs = (end = ''): boolean => ports.has(end.slice(-4));
  return rows.filter(([, from, to, state = '']) => !over.has(state) && (isOurs(from) || isOurs(to))).length; // prettier-ignore
}

const times = Math.max(1, effort.runs / 10);

test(
  'random bytes, random paths and random bodies: it lives on and keeps nothing open',
  async () => {
    const runs = 400 * times;
    let state = Number(process.env['SIGHTLINE_SEED'] ?? 1) >>> 0;
    const random = (below: number): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) % below;
    const paths = [
      '/v1/messages',
      '/v1/chat/completions',
      '/v1/responses',
      '/api/chat',
      '/api/show',
      '/v1beta/models/claude:generateContent',
      '/v1beta/models/claude:streamGenerateContent?alt=sse',
      '/v1beta/models/claude:streamGenerateContent',
      '/v1beta/models/claude:countTokens',
      '/v1/messages/count_tokens',
      '/v1/responses/input_tokens',
      '/openai/deployments/claude/chat/completions',
      '/v1/models',
      '/v1beta/models',
      '/api/tags',
      '/api/version',
      '/api/ps',
      '/healthz',
      '/readyz',
      '/metrics',
      '/anthropic',
      '/',
    ];
    const one = (): string => {
      const path = paths[random(paths.length)] ?? '/';
      const whole = path.endsWith('responses')
        ? '{"model":"claude","input":"Hi."}'
        : chat({ max_tokens: 5, stream: random(2) === 0 });
      const letters = whole.split('');
      for (let cut = random(6); cut > 0; cut--) letters[random(letters.length)] = String.fromCharCode(32 + random(95));
      const body = letters.slice(0, random(4) === 0 ? random(letters.length) : letters.length).join('');
      const length = random(5) === 0 ? random(500) : body.length;
      const request = `${head(path, `content-length: ${length}\r\nconnection: close\r\n`)}\r\n${body}`;
      return random(4) === 0 ? request.replace('POST', random(2) === 0 ? 'GET' : 'HEAD') : request;
    };
    for (let done = 0; done < runs; done += 20) await Promise.all(Array.from({ length: 20 }, () => raw(one())));
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    if (process.platform === 'linux') await expect.poll(open).toBeLessThan(40);
  },
  300_000 * times,
);
