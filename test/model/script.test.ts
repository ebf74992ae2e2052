// The scripted model: it says what its script says, in process and over the network, and fails as it is told to.
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import type { ModelEvent } from '../../src/message/event.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { Send } from '../../src/model/send.ts';
import { script, scriptedSend, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer, Fault, Script, ScriptedServer, ServerOptions } from '../../src/model/script/index.ts';
import type { WireName } from '../../src/window/profile.ts';
import { decodeEvents } from '../../src/wire/decode.ts';
import { wires } from '../../src/wire/registry.ts';

const open: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function start(steps: Script, options?: ServerOptions): Promise<ScriptedServer> {
  const server = await scriptedServer(steps, options);
  open.push(server);
  return server;
}

const paths: Record<WireName, string> = {
  'anthropic-messages': '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  gemini: '/v1beta/models/m:streamGenerateContent?alt=sse',
  ollama: '/api/chat',
  'bedrock-converse': '/model/m/converse-stream',
};

function bodyOf(wire: WireName, prompt: string): object {
  if (wire === 'gemini') return { contents: [{ role: 'user', parts: [{ text: prompt }] }] };
  if (wire === 'bedrock-converse') return { messages: [{ role: 'user', content: [{ text: prompt }] }] };
  if (wire === 'openai-responses') return { model: 'm', input: prompt, stream: true };
  return { model: 'm', messages: [{ role: 'user', content: prompt }], stream: true };
}

function post(server: ScriptedServer, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${server.url}${path}`, { method: 'POST', body: text, redirect: 'manual', ...(signal && { signal }) });
}

async function ask(server: ScriptedServer, wire: WireName, prompt = 'Hi'): Promise<ModelEvent[]> {
  const response = await post(server, paths[wire], bodyOf(wire, prompt));
  return collect(decodeEvents(wire, { endpoint: 'here', model: 'm' }, response));
}

async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function textOf(events: readonly ModelEvent[]): string {
  return events.flatMap((event) => (event.type === 'block-delta' ? [event.text] : [])).join('');
}

const names = Object.keys(wires) as WireName[];
const long = { text: 'One, two, three, four, five, six, sévén, 😀 eight, nine, ten.' };

describe('a script', () => {
  test('answers request after request, and says so when it has no more', async () => {
    const server = await start(script([{ text: 'one' }, { text: 'two' }]));
    expect(textOf(await ask(server, 'openai-chat'))).toBe('one');
    expect(textOf(await ask(server, 'ollama'))).toBe('two');
    const last = (await ask(server, 'anthropic-messages')).at(-1);
    expect(last).toMatchObject({
      type: 'message-error',
      status: 400,
      message: 'The script has 2 answers, and this is request 3. Add a step, or pass one function that answers all.',
    });
  });

  test.each(names)('may answer about what it sees (%s)', async (wire) => {
    const server = await start(
      script(({ transcript, index, model }) => ({ text: `${index} ${model} ${JSON.stringify(transcript.messages)}` })),
    );
    expect(textOf(await ask(server, wire, 'Look!'))).toMatch(/^0 m .*Look!/);
    expect(server.requests).toMatchObject([{ wire, model: 'm', stream: true, method: 'POST', path: paths[wire] }]);
    expect(server.requests[0]?.transcript?.messages).toHaveLength(1);
  });

  test('that throws is told as an error of the server', async () => {
    const broken = script(() => {
      throw new Error('no idea');
    });
    const response = await post(await start(broken), paths.ollama, bodyOf('ollama', 'Hi'));
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('no idea');
  });

  test('of something else is refused when it is made', () => {
    expect(() => script(['hello' as unknown as Answer])).toThrow(
      'Step 1 of the script is neither an answer nor a function.',
    );
  });
});

describe('the server', () => {
  test('answers for its rules first, and keeps the answer for the next request', async () => {
    const server = await start(script([{ text: 'fine' }]), {
      check: ({ transcript }) => {
        const pictures = (transcript?.messages ?? []).flatMap(({ content }) =>
          (content as { type: string }[]).filter(({ type }) => type === 'image'),
        );
        if (pictures.length > 11)
          return { status: 400, message: 'messages.0.content.11.image: Could not process image' };
        return undefined;
      },
    });
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const client = new Anthropic({ apiKey: 'key', baseURL: server.url, maxRetries: 0 });
    const asked = (count: number) =>
      client.messages.create({
        model: 'm',
        max_tokens: 9,
        messages: [
          { role: 'user', content: Array.from({ length: count }, () => picture) as Anthropic.ImageBlockParam[] },
        ],
      });
    await expect(asked(12)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('content.11.image') as string,
    });
    expect((await asked(11)).content).toMatchObject([{ text: 'fine' }]);
    expect(server.requests).toHaveLength(2);
  });

  const wrong: [string, string, unknown, number, RegExp][] = [
    ['an address it does not have', '/v2/nothing', {}, 404, /no POST \/v2\/nothing/],
    [
      'a body that is no JSON',
      '/v1/messages',
      '{"model":',
      400,
      /invalid_request_error.*no request of anthropic-messages/,
    ],
    ['a body of another wire', '/v1beta/models/m:generateContent', { messages: [] }, 400, /INVALID_ARGUMENT/],
  ];
  test.each(wrong)('refuses %s', async (_what, path, body, status, words) => {
    const response = await post(await start(script([])), path, body);
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(words);
  });

  test('lists its models to every SDK', async () => {
    const server = await start(script([]), { models: ['a', 'b'] });
    const openai = await new OpenAI({ apiKey: 'key', baseURL: `${server.url}/v1` }).models.list();
    const anthropic = await new Anthropic({ apiKey: 'key', baseURL: server.url }).models.list();
    const gemini = await new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: server.url } }).models.list();
    const client = new Ollama({ host: server.url });
    expect(openai.data.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(anthropic.data.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(gemini.page.map(({ name }) => name)).toEqual(['models/a', 'models/b']);
    expect((await client.list()).models.map(({ name }) => name)).toEqual(['a', 'b']);
    expect((await client.show({ model: 'a' })).capabilities).toContain('vision');
  });

  test('counts tokens', async () => {
    const server = await start(script([]));
    const client = new Anthropic({ apiKey: 'key', baseURL: server.url });
    const count = await client.messages.countTokens({
      model: 'm',
      messages: [{ role: 'user', content: 'x'.repeat(400) }],
    });
    expect(count.input_tokens).toBeGreaterThanOrEqual(100);
  });

  test('closes in the middle of a slow answer, and when it goes out of scope', async () => {
    let url: string;
    {
      await using server = await scriptedServer(script([{ ...long, slow: 60_000 }]));
      ({ url } = server);
      const response = await post(server, paths.ollama, bodyOf('ollama', 'Hi'));
      await response.body?.getReader().read();
    }
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});

/** How each fault looks to who reads the answer, over the network and in process. */
const faults: [Fault, { code: string; overNetwork?: string }][] = [
  [{ error: { status: 503, message: 'Busy.', retryAfter: 2000 } }, { code: 'overloaded' }],
  [
    { error: { status: 400, message: 'messages.0: image exceeds 5 MB maximum' } },
    { code: 'media', overNetwork: 'invalid' },
  ],
  [{ cutAfter: 3 }, { code: 'cut-off' }],
  [{ reset: 'middle' }, { code: 'network' }],
  [{ malformed: true }, { code: 'malformed' }],
  [{ halfCharacter: true }, { code: 'cut-off' }],
];

describe.each(faults)('%o', (fault, { code, overNetwork = code }) => {
  test.each(names)('over the network (%s)', async (wire) => {
    const server = await start(script([{ ...long, ...fault }]));
    const events = await ask(server, wire);
    expect(events.at(-1)).toMatchObject({ type: 'message-error', code: overNetwork });
    expect(long.text.startsWith(textOf(events))).toBe(true);
  });

  test('in process', async () => {
    const request = await prepare({ messages: [{ role: 'user', content: 'Hi' }] }, { model: 'ollama/qwen3-vl' });
    const events = await collect(scriptedSend(script(() => ({ ...long, ...fault })))(request));
    expect(events.at(-1)).toMatchObject({ type: 'message-error', code });
  });
});

describe('on the line', () => {
  test.each(names)('characters may come in pieces (%s)', async (wire) => {
    const server = await start(script([{ ...long, writeBytes: 3 }]));
    const events = await ask(server, wire);
    expect(textOf(events)).toBe(long.text);
    expect(events.at(-1)).toMatchObject({ type: 'message-end', stop: 'end' });
  });

  test('a connection may be reset before anything is sent', async () => {
    const server = await start(script([{ ...long, reset: 'before' }]));
    await expect(ask(server, 'ollama')).rejects.toThrow('fetch failed');
  });

  test('a request may be sent elsewhere', async () => {
    const server = await start(script([{ redirect: 'https://elsewhere.example/' }]));
    const response = await post(server, paths.gemini, bodyOf('gemini', 'Hi'));
    expect([response.status, response.headers.get('location')]).toEqual([307, 'https://elsewhere.example/']);
  });

  test('an answer may claim to be something else', async () => {
    const server = await start(script([{ text: 'x', contentType: 'text/html' }]));
    const response = await post(server, paths.ollama, bodyOf('ollama', 'Hi'));
    expect(response.headers.get('content-type')).toBe('text/html');
  });

  test('an error may ask to wait', async () => {
    const server = await start(script([{ error: { status: 429, message: 'Wait.', retryAfter: 1500 } }]));
    const response = await post(server, paths['openai-chat'], bodyOf('openai-chat', 'Hi'));
    expect(response.headers.get('retry-after')).toBe('2');
    expect(response.headers.get('retry-after-ms')).toBe('1500');
  });

  test.each([{ silence: 80 }, { slow: 10 }])('an answer may take its time: %o', async (fault) => {
    const server = await start(script([{ ...long, ...fault }]));
    const before = performance.now();
    expect(textOf(await ask(server, 'ollama'))).toBe(long.text);
    expect(performance.now() - before).toBeGreaterThan(70);
  });
});

describe('in process', () => {
  test('a step that throws is an error of the provider', async () => {
    const send: Send = scriptedSend(
      script(() => {
        throw new Error('no idea');
      }),
    );
    const request = await prepare({ messages: [{ role: 'user', content: 'Hi' }] }, { model: 'ollama/qwen3-vl' });
    const message = expect.stringContaining('no idea') as string;
    expect(await collect(send(request))).toMatchObject([{ type: 'message-error', code: 'server', message }]);
  });

  test.each(['anthropic/claude-sonnet-4-5', 'openai/gpt-5.4', 'gemini/gemini-3-pro-preview'])(
    'the answer carries the seals that go back to %s, and nobody else',
    async (model) => {
      const send = scriptedSend(script([{ thinking: 'Hm.', calls: [{ name: 'shot', input: { x: 1 } }] }]));
      const request = await prepare({ messages: [{ role: 'user', content: 'Hi' }] }, { model });
      const blocks = (await collect(send(request))).flatMap((event) =>
        event.type === 'block-end' ? [event.block] : [],
      );
      expect(blocks.map(({ type }) => type)).toEqual(['thinking', 'call']);
      const seals = blocks.flatMap((block) => ('seal' in block && block.seal ? [block.seal] : []));
      expect(seals.map(({ endpoint, model: id }) => `${endpoint}/${id}`)).toEqual([model]);
    },
  );

  test('a cancelled request ends with the word for it', async () => {
    const send = scriptedSend(script([{ ...long, slow: 60_000 }]));
    const request = await prepare({ messages: [{ role: 'user', content: 'Hi' }] }, { model: 'ollama/qwen3-vl' });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 1);
    const events = await collect(send(request, { signal: stop.signal }));
    expect(events).toMatchObject([{ type: 'message-error', code: 'aborted' }]);
  });

  test('what may pass is tried again as over the network, and every try is known', async () => {
    const request = await prepare({ messages: [{ role: 'user', content: 'Hi' }] }, { model: 'openai/gpt-5.4' });
    const busy = { error: { status: 529, message: 'Overloaded', retryAfter: 50_000 } };
    const steps = [busy, { text: 'One', cutAfter: 1 }, { text: 'Hello.' }];
    const send = scriptedSend(script(steps));
    expect(textOf(await collect(send(request)))).toBe('Hello.');
    expect(send.requests).toMatchObject(
      [0, 1, 2].map((index) => ({ index, wire: 'openai-responses', model: 'gpt-5.4' })),
    );
    expect(send.requests[0]?.body).toEqual(await request.json());
    expect(() => send.done()).not.toThrow();
    const once = scriptedSend(script(steps));
    expect(await collect(once(request, { tries: 1 }))).toMatchObject([{ type: 'message-error', code: 'overloaded' }]);
    expect(() => once.done()).toThrow('Only 1 of 3 answers were asked for. "requests" holds what was asked.');
    const lasting = scriptedSend(script([{ error: { status: 401, message: 'No.' } }]));
    expect(await collect(lasting(request))).toMatchObject([{ code: 'auth' }]);
    await collect(lasting(request, { tries: 1 }));
    expect(() => lasting.done()).toThrow('2 answers were asked for, and there are 1.');
  });

  test('a step sees the same transcript as over the network, pictures included', async () => {
    const bytes = await import('node:fs/promises').then((fs) => fs.readFile('examples/chart.png'));
    const seen: string[] = [];
    const send = scriptedSend(
      script(({ transcript }) => {
        const blocks = transcript.messages.flatMap(({ content }) => content as { type: string }[]);
        seen.push(...blocks.map(({ type }) => type));
        return { text: 'I see.' };
      }),
    );
    const request = await prepare(
      {
        messages: [
          { role: 'user', content: 'Look' },
          { role: 'assistant', content: [{ type: 'call', id: 'c', name: 'shot', input: {} }] },
          { role: 'tool', callId: 'c', name: 'shot', content: [{ type: 'image', data: new Uint8Array(bytes) }] },
        ],
      },
      { model: 'openai-chat/gpt-4.1' },
    );
    expect(textOf(await collect(send(request)))).toBe('I see.');
    expect(seen).toEqual(['text', 'call', 'image']);
  });
});
