// Requests over a real connection to a server that misbehaves.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MessageError } from '../../src/message/error.ts';
import type { ModelEvent } from '../../src/message/event.ts';
import { collect } from '../../src/message/collect.ts';
import { joinedHeaders } from '../../src/model/auth.ts';
import { prepare } from '../../src/model/prepare.ts';
import { send } from '../../src/model/send.ts';
import type { SendOptions } from '../../src/model/send.ts';
import type { RequestAttempt } from '../../src/record/record.ts';
import {
  answerWith,
  endsEarly,
  failWith,
  faultServer,
  inPieces,
  neverAnswers,
  partly,
  rawBody,
  redirectTo,
  reset,
  resetMidway,
  silence,
  startsOnly,
  streamOf,
} from './fault-server.ts';
import type { Act, FaultServer } from './fault-server.ts';
import { hastyClock } from './hasty-clock.ts';
import { fine } from './refusing-server.ts';

const key = 'sk-ant-very-secret-0123456789';
const unhandled: unknown[] = [];
const listen = (reason: unknown): void => void unhandled.push(reason);
let servers: FaultServer[] = [];

beforeAll(() => void process.on('unhandledRejection', listen));
afterAll(() => void process.off('unhandledRejection', listen));
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
  expect(unhandled).toEqual([]);
});

type Outcome = {
  text: string;
  error: MessageError | undefined;
  events: ModelEvent[];
  server: FaultServer;
  attempts: RequestAttempt[];
};

/** How long nothing may come unless a caller says otherwise. */
const idleMs = 5 * 60_000;

/** Asks a server that follows a script. Where it falls silent, the time passes that nothing may come. */
async function run(
  script: readonly Act[],
  options: SendOptions = {},
  onEvent: (event: ModelEvent) => void = () => undefined,
): Promise<Outcome> {
  const clock = hastyClock();
  const server = await faultServer(script.map((act) => (act === neverAnswers ? () => clock.pass(idleMs) : act)));
  servers.push(server);
  const messages = [{ role: 'user', content: 'Hello' }] as const;
  const request = await prepare({ messages }, { model: 'anthropic/claude-sonnet-4-5', baseUrl: server.url });
  const [events, attempts]: [ModelEvent[], RequestAttempt[]] = [[], []];
  const all = { key, clock, random: () => 0.5, onAttempt: (one: RequestAttempt) => attempts.push(one) };
  for await (const event of send(request, { ...all, ...options })) {
    events.push(event);
    onEvent(event);
    if (script.includes(silence)) clock.pass(idleMs);
  }
  const error = events.find((event) => event.type === 'message-error');
  const { content } = await collect(listed(events));
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  return { text, error, events, server, attempts };
}

async function* listed(events: readonly ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events;
}

const slow429 = { 'retry-after': '120' };
const odd: Act = (response) => void response.socket?.end('HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n');
const whole = {
  id: 'msg_1', type: 'message', role: 'assistant', model: 'x', content: [{ type: 'text', text: 'whole' }],
  stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 },
}; // prettier-ignore

describe('an answer is had in spite of', () => {
  const rows: [string, Act[], string, number][] = [
    ['nothing at all', [answerWith('fine')], 'fine', 1],
    ['a rate limit', [failWith(429, 'slow down'), answerWith('fine')], 'fine', 2],
    ['a rate limit that names its time', [failWith(429, 'slow', { 'retry-after': '2' }), answerWith('fine')], 'fine', 2],
    ['a rate limit in milliseconds', [failWith(429, 'slow', { 'retry-after-ms': '90' }), answerWith('fine')], 'fine', 2],
    ['a server error', [failWith(500, 'oops'), answerWith('fine')], 'fine', 2],
    ['a bad gateway that sends a page', [rawBody('<html><title>502</title>', 'text/html', 502), answerWith('ok')], 'ok', 2],
    ['an overloaded server', [failWith(529, 'Overloaded'), failWith(503, 'x'), answerWith('fine')], 'fine', 3],
    ['a connection that is reset', [reset, answerWith('fine')], 'fine', 2],
    ['a stream that ends after its first event', [startsOnly, answerWith('fine')], 'fine', 2],
    ['an error as the first event', [rawBody('event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'), answerWith('fine')], 'fine', 2],
    ['silence', [neverAnswers, answerWith('fine')], 'fine', 2],
    ['characters cut in half', [inPieces('grüße, 世界 😀', 1)], 'grüße, 世界 😀', 1],
    ['an answer that is not streamed', [rawBody(JSON.stringify(whole), 'application/json')], 'whole', 1],
    ['a redirect on the same host', [redirectTo('/elsewhere?x=1'), answerWith('fine')], 'fine', 2],
  ]; // prettier-ignore
  test.each(rows)('%s', async (_name, script, text, tries) => {
    const outcome = await run(script);
    expect(outcome.error).toBeUndefined();
    expect(outcome.text).toBe(text);
    expect(outcome.events.at(-1)).toMatchObject({ type: 'message-end', stop: 'end' });
    expect(outcome.server.heard).toHaveLength(tries);
    for (const { body, length, headers } of outcome.server.heard) {
      expect(headers['content-length']).toBe(String(length));
      expect(headers['transfer-encoding']).toBeUndefined();
      expect(JSON.parse(body)).toMatchObject({ stream: true, messages: [{ role: 'user' }] });
    }
  });
});

describe('an answer ends with its trouble:', () => {
  const rows: [string, Act[], Partial<MessageError>, number][] = [
    ['a rate limit that stays', Array<Act>(9).fill(failWith(429, 'slow down')), { code: 'rate-limited', status: 429, retryable: true }, 3],
    ['a rate limit that lasts too long', [failWith(429, 'slow', slow429)], { code: 'rate-limited', retryAfter: 120_000 }, 1],
    ['a quota that is used up', [failWith(429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } })], { code: 'rate-limited', retryable: false }, 1],
    ['an overloaded server', Array<Act>(9).fill(failWith(529, 'Overloaded')), { code: 'overloaded', status: 529 }, 3],
    ['a server error', Array<Act>(9).fill(rawBody('', 'text/plain', 500)), { code: 'server' }, 3],
    ['resets', Array<Act>(9).fill(reset), { code: 'network', retryable: true }, 3],
    ['a status that is none', Array<Act>(9).fill(odd), { code: 'network' }, 3],
    ['a reset in the middle', [resetMidway], { code: 'network' }, 1],
    ['a stream that stops without an end', [endsEarly], { code: 'cut-off', retryable: true }, 1],
    ['silence in the middle', [silence], { code: 'timed-out', retryable: true }, 1],
    ['silence from the start', Array<Act>(9).fill(neverAnswers), { code: 'timed-out' }, 3],
    ['half a character and no more', [partly(0.5, (response) => void response.end(Buffer.from([0xf0, 0x9f])))], { code: 'cut-off' }, 1],
    ['no JSON', Array<Act>(9).fill(rawBody('data: {nonsense\n\n')), { code: 'malformed' }, 3],
    ['a web page', [rawBody('<html>Welcome</html>', 'text/html')], { code: 'malformed', retryable: false }, 1],
    ['a redirect to another host', [redirectTo('https://evil.example/v1/messages')], { code: 'redirected', retryable: false }, 1],
    ['redirects without end', Array<Act>(9).fill(redirectTo('/again')), { code: 'redirected' }, 6],
    ['a wrong key', [failWith(401, 'invalid x-api-key')], { code: 'auth', retryable: false }, 1],
    ['no right', [failWith(403, 'not allowed')], { code: 'auth' }, 1],
    ['an unknown model', [failWith(404, 'model: claude-x')], { code: 'not-found' }, 1],
    ['a picture that is refused', [failWith(400, 'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes')], { code: 'media', path: 'messages.0.content.1.image.source.base64' }, 1],
    ['a request that is too large', [failWith(413, 'Request exceeds the maximum size')], { code: 'too-large' }, 1],
    ['anything else', [failWith(400, 'max_tokens: must be positive')], { code: 'invalid', status: 400 }, 1],
  ]; // prettier-ignore
  test.each(rows)('%s', async (_name, script, error, tries) => {
    const outcome = await run(script);
    expect(outcome.error).toMatchObject(error);
    expect(outcome.events.at(-1)).toBe(outcome.error);
    expect(outcome.server.heard).toHaveLength(tries);
  });

  test('the host of a redirect is named, and nothing was sent there', async () => {
    const { error } = await run([redirectTo('https://evil.example/v1/messages')]);
    expect(error?.message).toContain('evil.example');
  });

  test('what came before a break is kept', async () => {
    const { text, error } = await run([resetMidway]);
    expect(error?.code).toBe('network');
    expect(text).toContain('half');
  });

  test('a server that is not there', async () => {
    const server = await faultServer();
    await server.close();
    const request = await prepare(
      { messages: [{ role: 'user', content: 'x' }] },
      { model: 'ollama/llava', baseUrl: server.url },
    );
    const { stop } = await collect(send(request, { clock: hastyClock() }));
    expect(stop).toBe('error');
  });

  test('the whole takes too long', async () => {
    const busy = Array<Act>(50).fill(failWith(500, 'x', { 'retry-after': '50' }));
    const { error, server } = await run(busy, { tries: 50, totalMs: 120_000 });
    expect(error).toMatchObject({ code: 'timed-out' });
    expect(server.heard).toHaveLength(3);
  });
});

describe('a request that is cancelled ends at once', () => {
  const slowly = failWith(429, 'slow', { 'retry-after': '50' });
  const rows: [string, (stop: () => void) => Parameters<typeof run>, number][] = [
    ['before it begins', (stop) => (stop(), [[answerWith('fine')]]), 0],
    ['while nothing comes', (stop) => [[stop]], 1],
    ['in the middle of the answer', (stop) => [[partly(0.7, () => undefined)], {}, stop], 1],
    ['while it waits for the next try', (stop) => [[slowly], { onAttempt: () => queueMicrotask(stop) }], 1],
    ['while its key is fetched', (stop) => [[], { key: () => (queueMicrotask(stop), new Promise<string>(() => undefined)) }], 0],
  ]; // prettier-ignore
  test.each(rows)('%s', async (_name, asked, heard) => {
    const controller = new AbortController();
    const [script, options, onEvent] = asked(() => controller.abort());
    const { error, server } = await run(script, { ...options, signal: controller.signal }, onEvent);
    expect(error).toMatchObject({ code: 'aborted', retryable: false });
    expect(server.heard).toHaveLength(heard);
  });

  test('and when nobody listens any more, the line is closed', async () => {
    const server = await faultServer([silence]);
    servers.push(server);
    const request = await prepare(
      { messages: [{ role: 'user', content: 'x' }] },
      { model: 'anthropic/claude-sonnet-4-5', baseUrl: server.url },
    );
    for await (const event of send(request, { key })) if (event.type === 'block-delta') break;
    expect(server.heard).toHaveLength(1);
  });
});

test('an answer in one piece may take longer than a stream may be silent', async () => {
  const clock = hastyClock();
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'at last' }] }];
  const server = await faultServer((heard) => {
    expect(heard.body).not.toContain('"stream"');
    clock.pass(idleMs + 1000);
    return rawBody(JSON.stringify({ id: 'resp_1', object: 'response', status: 'completed', output }), 'application/json');
  }); // prettier-ignore
  servers.push(server);
  const profile = { dialect: { unstreamed: true } };
  const messages = [{ role: 'user', content: 'x' }] as const;
  const request = await prepare({ messages }, { model: 'openai/gpt-5.2', baseUrl: server.url, profile });
  const { content } = await collect(send(request, { key, clock }));
  expect(content).toMatchObject([{ type: 'text', text: 'at last' }]);
  expect(server.heard).toHaveLength(1);
});

describe('no key and no base64', () => {
  const endless = 'QUJD'.repeat(4000);
  test.each([400, 401, 500])('stand in what is told of a status %i', async (status) => {
    const echo = failWith(status, `Bad key ${key} for data:image/png;base64,${endless}`);
    const { error, attempts } = await run([echo, echo, echo], { headers: { 'x-my-token': 'hush-hush-hush' } });
    const told = JSON.stringify([error, attempts]);
    expect(told).not.toContain(key);
    expect(told).not.toContain('hush-hush');
    expect(told).not.toContain(endless.slice(0, 300));
    expect(attempts[0]).toMatchObject({ status, error: expect.stringContaining('Bad key [key]') });
  });

  test('stand in it though they were given as a header, and look like nothing', async () => {
    const own = 'plain words 9f8e7d6c5b4a'.replaceAll(' ', '-');
    const echo = failWith(401, `No user has the key ${own}.`);
    const { error } = await run([echo], { key: '', headers: { Authorization: `Bearer ${own}` } });
    expect(error).toMatchObject({ code: 'auth', message: 'No user has the key [key].' });
  });

  test('stand in it though somebody gave them in the place of the address', async () => {
    const messages = [{ role: 'user', content: 'Hello' }] as const;
    const request = await prepare({ messages }, { model: 'anthropic/claude-sonnet-4-5', baseUrl: key });
    const { error } = await collect(send(request, { key: 'another' }));
    expect(error?.message).toBe('"[key]/v1/messages" is not an address. Check the base URL.');
  });

  test('a listener that throws changes nothing', async () => {
    const { text } = await run([answerWith('fine')], {
      onAttempt: () => {
        throw new Error('mine');
      },
    });
    expect(text).toBe('fine');
  });
});

test('an answer that breaks off behind what a filter found in the question has not begun', async () => {
  // As Azure begins every stream, long before the model says a word.
  const safe = { hate: { filtered: false, severity: 'safe' } };
  const found = { id: '', object: '', created: 0, model: '', choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: safe }] }; // prettier-ignore
  const filtered: Act = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(found)}\n\n`, () => response.socket?.resetAndDestroy());
  };
  const server = await faultServer([filtered, fine('openai-chat')]);
  servers.push(server);
  const request = await prepare(
    { messages: [{ role: 'user', content: 'Hello' }] },
    { model: 'azure-chat/gpt-4.1', baseUrl: server.url },
  );
  const { content, stop } = await collect(send(request, { key, clock: hastyClock() }));
  expect({ content, stop }).toEqual({ content: [{ type: 'text', text: 'fine' }], stop: 'end' });
  expect(server.heard).toHaveLength(2);
});

test('a header of the caller takes the place of ours, however its name is written', async () => {
  const headers = { 'X-Api-Key': 'another-0123456789', 'User-Agent': 'mine' };
  const { server } = await run([answerWith('fine')], { headers, fetch: globalThis.fetch });
  expect(server.heard[0]?.headers).toMatchObject({ 'x-api-key': 'another-0123456789', 'user-agent': 'mine' });
  expect(joinedHeaders({ 'anthropic-beta': 'ours' }, undefined, { 'Anthropic-Beta': 'theirs' })).toEqual({
    'anthropic-beta': 'ours,theirs',
  });
});

test('any other fetch does as well', async () => {
  const { text, server } = await run([failWith(500, 'x'), answerWith('fine')], { fetch: globalThis.fetch });
  expect(text).toBe('fine');
  expect(server.heard).toHaveLength(2);
});

test('a compressed answer is read', async () => {
  const { gzipSync } = await import('node:zlib');
  const { text } = await run([
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(gzipSync(streamOf('packed')));
    },
  ]);
  expect(text).toBe('packed');
});
