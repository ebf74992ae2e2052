// What a real SDK of OpenTelemetry exports of our requests: names and shapes as its conventions for generative AI document
// them (2026-11), media as hashes, and a trace that the provider's server can go on with.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { openGateway } from '../../src/gateway/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { memorySessions } from '../../src/session/store.ts';
import { shotBytes } from '../model/shots.ts';

const folder = join(import.meta.dirname, 'node_modules', '@opentelemetry');
const hasTelemetrySdk = existsSync(join(folder, 'sdk-trace'));
if (!hasTelemetrySdk)
  console.warn('No spans are exported: "npm install --no-save --prefix test/telemetry" installs the SDK.');

type Finished = {
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  status: { code: number; message?: string };
  spanContext: () => { traceId: string; spanId: string };
};
type Exporter = { getFinishedSpans: () => Finished[]; reset: () => void };
type Sdk = {
  InMemorySpanExporter: new () => Exporter;
  SimpleSpanProcessor: new (options: { exporter: Exporter }) => object;
  TracerProvider: new (options: { spanProcessors: object[] }) => object;
};
type Core = { W3CTraceContextPropagator: new () => object };
type Hooks = { AsyncLocalStorageContextManager: new () => { enable: () => object } };
type Api = {
  context: { setGlobalContextManager: (manager: object) => void; disable: () => void };
  trace: { setGlobalTracerProvider: (provider: object) => void; disable: () => void };
  propagation: { setGlobalPropagator: (propagator: object) => void; disable: () => void };
};

const need = createRequire(join(import.meta.dirname, 'package.json'));
const load = (name: string): unknown => need(`@opentelemetry/${name}`);

/** A server between us and the scripted model that remembers the headers. */
async function between(url: string): Promise<{ url: string; headers: IncomingHttpHeaders[]; close: () => void }> {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, outgoing) => {
    headers.push(incoming.headers);
    void (async () => {
      const body = await new Response(incoming as unknown as ReadableStream).arrayBuffer();
      const answer = await fetch(`${url}${incoming.url}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      outgoing.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      outgoing.end(Buffer.from(await answer.arrayBuffer()));
    })();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, headers, close: () => server.close() };
}

describe.skipIf(!hasTelemetrySdk)('spans of a real SDK', () => {
  let api: Api;
  let exporter: Exporter;

  beforeAll(() => {
    const [sdk, core] = [load('sdk-trace') as Sdk, load('core') as Core];
    api = load('api') as Api;
    exporter = new sdk.InMemorySpanExporter();
    api.trace.setGlobalTracerProvider(
      new sdk.TracerProvider({ spanProcessors: [new sdk.SimpleSpanProcessor({ exporter })] }),
    );
    const hooks = load('context-async-hooks') as Hooks;
    api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
    api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  });
  afterAll(() => {
    api.trace.disable();
    api.propagation.disable();
    api.context.disable();
  });

  async function ran(
    telemetry?: 'off' | 'spans' | 'content',
  ): Promise<{ spans: Finished[]; others: Finished[]; headers: IncomingHttpHeaders[]; session: string }> {
    exporter.reset();
    const [picture] = await shotBytes(1, 320);
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      input: { type: 'object', properties: {} },
      run: () => ({ type: 'image' as const, data: picture ?? new Uint8Array(), name: 'a.png' }),
    });
    await using server = await scriptedServer(
      script([{ calls: [{ name: 'look', input: { at: 1 } }] }, { text: 'A tree.' }]),
    );
    const way = await between(server.url);
    const session = await memorySessions().create();
    await runAgent({
      model: 'openai-chat/gpt-4.1',
      baseUrl: way.url,
      key: 'k',
      system: 'Be brief.',
      prompt: 'What is there?',
      tools: [look],
      session,
      temperature: 0.5,
      ...(telemetry && { telemetry }),
    });
    way.close();
    if (telemetry !== 'off') await expect.poll(() => exporter.getFinishedSpans().length).toBe(4); // exported a little later
    const all = exporter.getFinishedSpans();
    return {
      spans: all.filter(({ name }) => name.startsWith('chat')),
      others: all.filter(({ name }) => !name.startsWith('chat')),
      headers: way.headers,
      session: session.id,
    };
  }

  test('tell how each request went, and nothing of what was said', async () => {
    const { spans, others, headers, session } = await ran();
    expect(others.map(({ name, kind }) => [name, kind])).toEqual([
      ['execute_tool look', 0],
      ['invoke_agent', 0],
    ]);
    expect(others[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.id': expect.any(String),
    });
    const traces = new Set([...spans, ...others].map((span) => span.spanContext().traceId));
    expect(traces.size).toBe(1);
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
      ['chat gpt-4.1', 2],
      ['chat gpt-4.1', 2],
    ]);
    expect(spans[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4.1',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.stream': true,
      'gen_ai.response.finish_reasons': ['tool_call'],
      'gen_ai.response.id': expect.stringMatching(/^chatcmpl/),
      'gen_ai.response.model': 'gpt-4.1',
      'gen_ai.conversation.id': session,
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
      'server.address': '127.0.0.1',
      'server.port': expect.any(Number),
      'sightline.request': expect.any(String),
    });
    expect(spans[1]?.attributes).toMatchObject({
      'gen_ai.response.finish_reasons': ['stop'],
      'sightline.media': 1,
      'sightline.receipts': [expect.stringContaining('a.png')],
    });
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toMatch(/What is there|Be brief|A tree/);
    const parents = spans.map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`);
    expect(headers.map(({ traceparent }) => traceparent)).toEqual(parents);
  });

  test('with content, hold what was said in the shapes of the conventions, and media by their hash alone', async () => {
    const { spans } = await ran('content');
    const told = (at: number, name: string): unknown => JSON.parse(String(spans[at]?.attributes[`gen_ai.${name}`]));
    expect(told(1, 'system_instructions')).toEqual([{ type: 'text', content: 'Be brief.' }]);
    expect(told(1, 'tool.definitions')).toMatchObject([{ type: 'function', name: 'look', description: 'Looks.' }]);
    const input = told(1, 'input.messages') as { role: string; parts: { type: string }[] }[];
    expect(input.slice(0, 2)).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'What is there?' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: expect.any(String), name: 'look', arguments: { at: 1 } }] },
    ]);
    expect(input[2]).toMatchObject({ role: 'tool', parts: [{ type: 'tool_call_response', id: expect.any(String) }] });
    const media = JSON.stringify(input).match(/\{"type":"uri"[^}]*\}/g) ?? [];
    expect(media).toHaveLength(1);
    expect(JSON.parse(media[0] ?? '')).toEqual({
      type: 'uri',
      modality: 'image',
      mime_type: 'image/png',
      uri: expect.stringMatching(/^ni:\/\/\/sha-256;[\w-]{43}$/),
    });
    expect(told(0, 'output.messages')).toMatchObject([
      { role: 'assistant', finish_reason: 'tool_call', parts: [{ type: 'tool_call', name: 'look' }] },
    ]);
    expect(told(1, 'output.messages')).toEqual([
      { role: 'assistant', finish_reason: 'stop', parts: [{ type: 'text', content: 'A tree.' }] },
    ]);
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toMatch(/[A-Za-z0-9+/]{400}/);
  });

  test('are not made, and nothing is passed on, when they are switched off', async () => {
    const { spans, headers } = await ran('off');
    expect(spans).toEqual([]);
    expect(headers.map(({ traceparent }) => traceparent)).toEqual([undefined, undefined]);
  });

  test('say where the prefix of a request broke', async () => {
    exporter.reset();
    await using server = await scriptedServer(script([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]));
    const session = await memorySessions().create();
    const how = { model: 'openai-chat/gpt-4.1', baseUrl: server.url, key: 'k', session, prompt: 'Go on.' } as const;
    for (const system of ['Be brief.', 'Be brief.', 'Be long.']) await runAgent({ ...how, system });
    await expect.poll(() => exporter.getFinishedSpans().length).toBe(6);
    const chats = exporter.getFinishedSpans().filter(({ name }) => name.startsWith('chat'));
    expect(chats.map(({ attributes }) => attributes['sightline.prefix.broke'])).toEqual([
      undefined,
      undefined,
      'system changed: messages.0.content',
    ]);
  });

  test.each(['openai-chat/gpt-4.1', 'anthropic/claude-sonnet-4-5'] as const)(
    'of a gateway that asks %s go on with the trace of its client, and so does the provider',
    async (model) => {
      exporter.reset();
      await using server = await scriptedServer(script([{ text: 'Hello.' }]));
      const way = await between(server.url);
      const gateway = await openGateway({ port: 0, models: { any: { model, baseUrl: way.url, key: 'k' } } });
      const trace = '0af7651916cd43dd8448eb211c80319c';
      const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello' }] });
      const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01`, 'content-type': 'application/json' };
      expect((await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })).status).toBe(200);
      expect(String(way.headers[0]?.['traceparent'])).toContain(`00-${trace}-`);
      await expect.poll(() => exporter.getFinishedSpans().length).toBe(model.startsWith('anthropic') ? 2 : 1);
      const spans = exporter.getFinishedSpans();
      expect(spans.map((span) => span.spanContext().traceId)).toEqual(spans.map(() => trace));
      expect(spans.at(-1)).toMatchObject({
        name: 'POST /v1/chat/completions',
        kind: 1,
        attributes: { 'http.response.status_code': 200 },
      });
      await gateway.close();
      way.close();
    },
  );
});
