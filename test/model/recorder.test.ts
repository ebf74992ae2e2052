// What is told of every request: that it left, what it weighed, and how it ended; and that whoever is told cannot harm it.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ROOT_CONTEXT, context, trace } from '@opentelemetry/api';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import type { MessageInput } from '../../src/message/message.ts';
import { answer } from '../../src/model/answer.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { Ended, Recorder, RequestRecord } from '../../src/record/record.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { send } from '../../src/model/send.ts';
import type { SendOptions } from '../../src/model/send.ts';
import { all } from './all.ts';
import { answerWith, failWith, faultServer, partly, redirectTo, reset } from './fault-server.ts';
import type { Act, FaultServer, Heard } from './fault-server.ts';
import { hastyClock } from './hasty-clock.ts';
import { dislikes, picturesIn } from './refusing-server.ts';
import { shots } from './shots.ts';

const model = 'anthropic/claude-sonnet-4-5';
const key = 'sk-ant-canary-0123456789';
const hello: MessageInput[] = [{ role: 'user', content: 'Hello' }];
let servers: FaultServer[] = [];

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function serverOf(acts: Parameters<typeof faultServer>[0]): Promise<FaultServer> {
  const server = await faultServer(acts);
  servers.push(server);
  return server;
}

type Kept = Recorder & { records: RequestRecord[]; ends: Map<string, Ended>; calls: string[] };

function keeper(): Kept {
  const [records, calls]: [RequestRecord[], string[]] = [[], []];
  const ends = new Map<string, Ended>();
  return {
    records,
    ends,
    calls,
    begin: (record) => {
      calls.push('begin');
      records.push(record);
    },
    end: (id, ended) => {
      calls.push('end');
      ends.set(id, structuredClone(ended)); // as one that writes it down at once
    },
  };
}

function endsOf({ records, ends }: Kept): (Ended | undefined)[] {
  return records.map(({ id }) => ends.get(id));
}

async function sent(acts: readonly Act[], options: SendOptions = {}): Promise<Kept & { heard: Heard[] }> {
  const server = await serverOf(acts);
  const recorder = keeper();
  const request = await prepare({ messages: hello }, { model, baseUrl: server.url });
  await all(send(request, { key, clock: hastyClock(), random: () => 0.5, recorder, ...options }));
  return { ...recorder, heard: server.heard };
}

describe('a record', () => {
  test('says what left and how it ended', async () => {
    const kept = await sent([answerWith('fine')]);
    const [record] = kept.records;
    expect(record).toMatchObject({ version: 1, purpose: 'answer', via: 'send', model, wire: 'anthropic-messages' });
    expect(record?.bytes).toBe(kept.heard[0]?.length);
    expect(record?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/messages$/);
    expect(record?.totals?.used.tokens).toBeGreaterThan(0);
    expect(endsOf(kept)).toMatchObject([
      {
        state: 'answered',
        stop: 'end',
        attempts: [{ status: 200 }],
        usage: { inputTokens: 10 },
        cost: expect.closeTo(10 * 3e-6, 3),
        latency: { totalMs: 0 },
      },
    ]);
    expect(kept.calls).toEqual(['begin', 'end']);
  });

  test('knows each time that a request went out, and the waits between', async () => {
    const busy = failWith(529, 'Overloaded', { 'request-id': 'req_7' });
    const kept = await sent([busy, redirectTo('/v1/other'), reset, answerWith('fine')]);
    expect(endsOf(kept)).toMatchObject([{ state: 'answered' }]);
    expect(endsOf(kept)[0]?.attempts).toEqual([
      { ms: 0, status: 529, requestId: 'req_7', error: expect.stringContaining('Overloaded') },
      { ms: 0, status: 307, wait: 500 },
      { ms: 0, error: expect.stringContaining('No answer') },
      { ms: 0, status: 200, wait: 1000 },
    ]);
  });

  test.each([
    ['refused', [failWith(400, `No ${key} here`)], 'invalid'],
    ['broken', [reset, reset, reset], 'network'],
  ] as const)('ends as %s', async (state, acts, code) => {
    const kept = await sent(acts);
    expect(endsOf(kept)).toMatchObject([{ state, error: { code } }]);
  });

  test('ends as aborted when nobody listens any more, and when the caller cancels', async () => {
    const server = await serverOf([partly(0.7, () => undefined), partly(0.7, () => undefined)]);
    const request = await prepare({ messages: hello }, { model, baseUrl: server.url });
    const recorder = keeper();
    for await (const event of send(request, { key, recorder })) if (event.type === 'block-delta') break;
    const cancel = new AbortController();
    for await (const event of send(request, { key, recorder, signal: cancel.signal }))
      if (event.type === 'block-delta') cancel.abort();
    expect(endsOf(recorder).map((ended) => ended?.state)).toEqual(['aborted', 'aborted']);
    expect(endsOf(recorder)[0]?.attempts).toMatchObject([{ status: 200 }]);
  });

  test('is made once where `send` is handed to `answer`, and of a scripted model too', async () => {
    const server = await serverOf([]);
    const recorder = keeper();
    const about = { model, baseUrl: server.url, key, recorder };
    await all(answer({ messages: hello }, { ...about, send }));
    await all(answer({ messages: hello }, { ...about, send: scriptedSend(script([{ text: 'Good.' }])) }));
    expect(recorder.records.map(({ via }) => via)).toEqual(['answer', 'answer']);
    expect(endsOf(recorder).map((ended) => ended?.state)).toEqual(['answered', 'answered']);
  });

  test('tells probes from answers, and what was repaired', async () => {
    const assets = memoryAssets();
    const { texts, blocks } = await shots(4, assets);
    const isBad = ({ body }: Heard): boolean =>
      picturesIn('anthropic-messages', body).some(({ data }) => data === texts[1]);
    const server = await serverOf((heard) =>
      isBad(heard) ? dislikes('anthropic-messages', undefined) : answerWith('fine'),
    );
    const recorder = keeper();
    const messages: MessageInput[] = [{ role: 'user', content: blocks }];
    await all(answer({ messages }, { model, assets, baseUrl: server.url, key, clock: hastyClock(), recorder }));
    const { records } = recorder;
    expect(records.map(({ purpose }) => purpose)).toEqual(['answer', 'probe', 'probe', 'answer']);
    expect(endsOf(recorder).map((ended) => ended?.state)).toEqual(['refused', 'refused', 'answered', 'answered']);
    expect(records[0]?.repairs).toEqual([]);
    expect(records[3]?.repairs).toHaveLength(1);
    expect(records[0]?.receipts.filter(({ asset }) => asset)).toHaveLength(4);
    expect(records.map(({ bytes }) => bytes)).toEqual(server.heard.map(({ length }) => length));
  });

  test('holds no key, whatever header, address or error it stood in', async () => {
    const echo = failWith(400, `Bad key ${key} and hush-hush-hush`, { 'request-id': key });
    const server = await serverOf([echo, echo]);
    const base = server.url.replace('//', `//me:${key}@`);
    const request = await prepare({ messages: hello }, { model, baseUrl: base });
    const recorder = keeper();
    const clumsy = async function* (): ReturnType<typeof send> {
      yield { type: 'message-error', code: 'auth', message: `Wrong: ${key}`, retryable: false } as const;
    };
    await all(send(request, { key, recorder, headers: { 'x-api-key': key } }));
    await all(answer({ messages: hello }, { model, baseUrl: server.url, key, recorder, send: clumsy }));
    expect(recorder.records).toHaveLength(2);
    expect(JSON.stringify([recorder.records, ...recorder.ends])).not.toContain(key);
  });

  test('is made of requests with media under another SDK', async () => {
    const { texts } = await shots(1, memoryAssets());
    const server = await serverOf([failWith(429, 'Later')]);
    const recorder = keeper();
    const source = { type: 'base64', media_type: 'image/png', data: texts[0] };
    const asked = [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source }] }] },
    ];
    const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, messages: asked });
    const fetchIt = sightlineFetch({ recorder });
    for (const _ of [1, 2])
      await (
        await fetchIt(`${server.url}/v1/messages`, { method: 'POST', headers: { 'x-api-key': key }, body })
      ).text();
    expect(recorder.records).toMatchObject([{ via: 'fetch', model, bytes: server.heard[0]?.length }, { via: 'fetch' }]);
    expect(recorder.records[0]?.receipts.filter(({ asset }) => asset)).toHaveLength(1);
    await expect.poll(() => endsOf(recorder).length).toBe(2);
    expect(endsOf(recorder)).toMatchObject([
      { state: 'refused', attempts: [{ status: 429 }], error: { message: 'Later' } },
      { state: 'answered', attempts: [{ status: 200 }] },
    ]);
    expect(JSON.stringify(recorder.records)).not.toContain(key);
  });
});

async function ask(recorder: Recorder): Promise<string[]> {
  const events = await all(
    answer({ messages: hello }, { model, key, recorder, send: scriptedSend(script([{ text: 'Good.' }])) }),
  );
  return events.map(({ type }) => type);
}

describe('a recorder that', () => {
  const fails: [string, () => Promise<void>][] = [
    ['throws', () => { throw new Error(`no room for ${key}`); }],
    ['rejects', () => Promise.reject(new Error(`no room for ${key}`))],
    ['hangs', () => new Promise(() => undefined)],
  ]; // prettier-ignore

  describe.each(['begin', 'end'] as const)('at its %s', (place) => {
    test.each(fails)('%s changes no answer, is told once and hears nothing more', async (_, fail) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
      try {
        const calls: string[] = [];
        const recorder: Recorder = {
          begin: () => (calls.push('begin'), place === 'begin' ? fail() : undefined),
          end: () => (calls.push('end'), place === 'end' ? fail() : undefined),
        };
        expect((await ask(recorder)).at(-1)).toBe('request-accepted');
        await vi.advanceTimersByTimeAsync(10_000);
        expect((await ask(recorder)).at(-1)).toBe('request-accepted');
        await vi.advanceTimersByTimeAsync(10_000);
        expect(calls).toEqual(place === 'begin' ? ['begin'] : ['begin', 'end']);
        expect(warned).toHaveBeenCalledTimes(1);
        expect(warned.mock.calls[0]?.[0]).toMatch(/^The recorder of requests failed/);
        expect(String(warned.mock.calls[0]?.[0])).not.toContain(key);
      } finally {
        warned.mockRestore();
        vi.useRealTimers();
      }
    });
  });

  test('answers late gets the end after the beginning', async () => {
    const kept = keeper();
    const begun = Promise.withResolvers<void>();
    const recorder: Recorder = { ...kept, begin: (...given) => begun.promise.then(() => kept.begin(...given)) };
    expect((await ask(recorder)).at(-1)).toBe('request-accepted');
    expect(kept.calls).toEqual([]);
    begun.resolve();
    await expect.poll(() => kept.calls).toEqual(['begin', 'end']);
  });
});

test('OpenTelemetry gets a span over all tries of a request', async () => {
  const spans: { name: string; options: object; attributes: Record<string, unknown>; ended: boolean }[] = [];
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan: (name, options = {}) => {
        const one = { name, options, attributes: { ...options.attributes }, ended: false };
        spans.push(one);
        const span = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 });
        return Object.assign(span, {
          setAttributes: (given: object) => (Object.assign(one.attributes, given), span),
          end: () => void (one.ended = true),
        });
      },
      startActiveSpan: () => {
        throw new Error('not used here');
      },
    }),
  });
  try {
    await context.with(ROOT_CONTEXT, () => sent([failWith(529, 'Overloaded'), answerWith('fine')]));
    await sent([failWith(400, 'No')]);
    await expect.poll(() => spans.filter(({ ended }) => ended)).toHaveLength(2);
  } finally {
    trace.disable();
  }
  expect(spans[0]).toMatchObject({ name: 'chat claude-sonnet-4-5', options: { kind: 2 } });
  expect(spans[0]?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.request.model': 'claude-sonnet-4-5',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 10,
    'server.address': '127.0.0.1',
    'sightline.attempts': 2,
    'sightline.model': model,
  });
  expect(spans[1]?.attributes).toMatchObject({ 'error.type': '400', 'sightline.attempts': 1 });
});
