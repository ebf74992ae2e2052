// Every example is run as a reader would run it, with the vendor's own SDK, against a server on this machine that
// answers in the provider's protocol. What arrives there is judged by schemas nobody here wrote.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WireName } from '../src/core.ts';
import { base64InText, schemaErrors } from './judge/judge.ts';

const run = promisify(execFile);
const words = 'Sales rose in every month.';

/** A whole answer of each API, as its reference documents it. */
const answers: Record<WireName, unknown> = {
  'anthropic-messages': {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [{ type: 'text', text: words }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  'openai-chat': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4.1',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: words, refusal: null } }],
  },
  'openai-responses': {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'gpt-5.2',
    output: [
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: words, annotations: [] }],
      },
    ],
  },
  gemini: { candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [{ text: words }] } }] },
  ollama: {
    model: 'qwen3-vl',
    created_at: '2026-01-01T00:00:00Z',
    done: true,
    message: { role: 'assistant', content: words },
  },
};

function wireOf(path: string): WireName {
  if (path.endsWith('/messages')) return 'anthropic-messages';
  if (path.endsWith('/chat/completions')) return 'openai-chat';
  if (path.endsWith('/responses')) return 'openai-responses';
  return path.endsWith(':generateContent') ? 'gemini' : 'ollama';
}

type Seen = { wire: WireName; body: unknown; bytes: number; declared: string | undefined };

const seen: Seen[] = [];
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const wire = wireOf(new URL(request.url ?? '/', 'http://localhost').pathname);
      const declared = request.headers['content-length'];
      seen.push({ wire, body: JSON.parse(bytes.toString('utf8')), bytes: bytes.length, declared });
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[wire]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const rows: [string, WireName][] = [
  ['anthropic', 'anthropic-messages'],
  ['openai-chat', 'openai-chat'],
  ['openai-responses', 'openai-responses'],
  ['gemini', 'gemini'],
  ['ollama', 'ollama'],
  ['fetch', 'anthropic-messages'],
];

test.each(rows)('the example %s sends a request that its API takes, and prints the answer', async (name, wire) => {
  seen.length = 0;
  const { stdout } = await run(process.execPath, [`examples/${name}.ts`], {
    env: {
      ...process.env,
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: origin,
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: `${origin}/v1`,
      GEMINI_API_KEY: 'key',
      GOOGLE_GEMINI_BASE_URL: origin,
      OLLAMA_HOST: origin,
    },
  });
  expect(stdout).toContain(words);
  const [request] = seen;
  expect(seen).toHaveLength(1);
  expect(request?.wire).toBe(wire);
  expect(await schemaErrors(wire, request?.body)).toEqual([]);
  expect(base64InText(wire, request?.body)).toEqual([]);
  expect(request?.declared).toBe(String(request?.bytes));
});
