// Where requests go, with which keys, and in which dialect.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { image } from '../../src/content/input.ts';
import type { MessageError } from '../../src/message/error.ts';
import type { TranscriptInput } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';
import { send } from '../../src/model/send.ts';
import type { SendOptions } from '../../src/model/send.ts';
import type { ProfileOverrides } from '../../src/window/profile.ts';
import { all } from './all.ts';
import { faultServer } from './fault-server.ts';
import type { Heard } from './fault-server.ts';
import { fine } from './refusing-server.ts';

afterEach(() => vi.unstubAllEnvs());

const hello: TranscriptInput = { messages: [{ role: 'user', content: 'Hello' }] };

type Where = {
  model: string;
  path?: string;
  apiVersion?: string;
  profile?: ProfileOverrides;
  transcript?: TranscriptInput;
};

/** What a server hears of one request. */
async function heardOf({ model, path = '', transcript = hello, ...more }: Where, options: SendOptions = {}): Promise<{ heard: Heard | undefined; error: MessageError | undefined }> {
  const server = await faultServer(() => fine(request.wire));
  const request = await prepare(transcript, { model, baseUrl: server.url + path, assets: memoryAssets(), ...more });
  let error: MessageError | undefined;
  for await (const event of send(request, options)) if (event.type === 'message-error') error = event;
  await server.close();
  return { heard: server.heard[0], error };
} // prettier-ignore

describe('a key goes where its vendor wants it', () => {
  const rows: [Where, SendOptions, string, Record<string, string>][] = [
    [{ model: 'anthropic/claude-sonnet-4-5' }, { key: 'k-1234' }, '/v1/messages', { 'x-api-key': 'k-1234', 'anthropic-version': '2026-10-21' }],
    [{ model: 'anthropic/claude-sonnet-4-5', path: '/v1/' }, { token: 't-1234' }, '/v1/messages', { authorization: 'Bearer t-1234' }],
    [{ model: 'openai/gpt-5.2', path: '/v1' }, { key: 'k-1234' }, '/v1/responses', { authorization: 'Bearer k-1234' }],
    [{ model: 'openai-chat/gpt-4.1', path: '/v1' }, { key: () => Promise.resolve('k-1234') }, '/v1/chat/completions', { authorization: 'Bearer k-1234' }],
    [{ model: 'azure/mine' }, { key: 'k-1234' }, '/openai/v1/responses', { 'api-key': 'k-1234' }],
    [{ model: 'azure/mine', path: '/openai/v1' }, { token: () => 'entra-1234' }, '/openai/v1/responses', { authorization: 'Bearer entra-1234' }],
    [{ model: 'azure-chat/mine' }, { key: 'k-1234' }, '/openai/v1/chat/completions', { 'api-key': 'k-1234' }],
    [{ model: 'azure-chat/my one', apiVersion: '2024-10-21' }, { key: 'k-1234' }, '/openai/deployments/my%20one/chat/completions?api-version=2024-10-21', { 'api-key': 'k-1234' }],
    [{ model: 'azure/mine', apiVersion: '2025-04-01-preview' }, { key: 'k-1234' }, '/openai/responses?api-version=2025-04-01-preview', { 'api-key': 'k-1234' }],
    [{ model: 'gemini/gemini-2.5-pro', path: '/v1beta' }, { key: 'k-1234' }, '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse', { 'x-goog-api-key': 'k-1234' }],
    [{ model: 'google/gemini-2.5-pro', path: '/v1/projects/p/locations/l/publishers/google' }, { token: 't-1234' }, '/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse', { authorization: 'Bearer t-1234' }],
    [{ model: 'ollama/llava' }, {}, '/api/chat', {}],
    [{ model: 'xai/grok-4', path: '/v1' }, { key: 'k-1234' }, '/v1/responses', { authorization: 'Bearer k-1234' }],
    [{ model: 'openrouter/qwen/qwen3-vl', path: '/api/v1' }, { key: 'k-1234' }, '/api/v1/chat/completions', { authorization: 'Bearer k-1234' }],
    [{ model: 'compatible/x', path: '/v1' }, { headers: { 'x-team': 'a' } }, '/v1/chat/completions', { 'x-team': 'a' }],
  ]; // prettier-ignore
  test.each(rows)('%o', async (where, options, path, headers) => {
    const { heard, error } = await heardOf(where, options);
    expect(error).toBeUndefined();
    expect(heard?.url).toBe(path);
    expect(heard?.headers).toMatchObject(headers);
    if (Object.keys(headers).length === 0) expect(heard?.headers.authorization).toBeUndefined();
  });
});

describe('keys come from the usual variables', () => {
  const rows: [string, string, string][] = [
    ['anthropic/claude-sonnet-4-5', 'ANTHROPIC_API_KEY', 'x-api-key'],
    ['openai/gpt-5.2', 'OPENAI_API_KEY', 'authorization'],
    ['azure/mine', 'AZURE_OPENAI_API_KEY', 'api-key'],
    ['gemini/gemini-2.5-pro', 'GEMINI_API_KEY', 'x-goog-api-key'],
    ['gemini/gemini-2.5-pro', 'GOOGLE_API_KEY', 'x-goog-api-key'],
    ['openrouter/a/b', 'OPENROUTER_API_KEY', 'authorization'],
    ['deepseek/deepseek-chat', 'DEEPSEEK_API_KEY', 'authorization'],
    ['groq/llama-4', 'GROQ_API_KEY', 'authorization'],
    ['mistral/mistral-small-latest', 'MISTRAL_API_KEY', 'authorization'],
    ['xai/grok-4', 'XAI_API_KEY', 'authorization'],
  ];
  test.each(rows)('%s reads %s', async (model, variable, header) => {
    for (const [, name] of rows) vi.stubEnv(name, '');
    const without = await heardOf({ model });
    expect(without.error).toMatchObject({ code: 'auth', retryable: false });
    expect(without.error?.message).toMatch(/^There is no key for \w+\. Set [A-Z_]+/);
    expect(without.heard).toBeUndefined();
    vi.stubEnv(variable, 'from-the-environment');
    const { heard } = await heardOf({ model });
    expect(heard?.headers[header]).toContain('from-the-environment');
  });

  test('a message names the variable', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    const { error } = await heardOf({ model: 'anthropic/claude-sonnet-4-5' });
    expect(error?.message).toContain('ANTHROPIC_API_KEY');
  });

  test('Azure without an address says which variable would hold it', async () => {
    vi.stubEnv('AZURE_OPENAI_ENDPOINT', '');
    const request = await prepare(hello, { model: 'azure/mine' });
    const events = await all(send(request, { key: 'k' }));
    expect(events).toMatchObject([
      { code: 'auth', message: expect.stringContaining('AZURE_OPENAI_ENDPOINT') as string },
    ]);
  });

  test('a base URL of the environment holds unless the caller names one', async () => {
    const server = await faultServer();
    vi.stubEnv('ANTHROPIC_BASE_URL', server.url);
    const request = await prepare(hello, { model: 'anthropic/claude-sonnet-4-5' });
    await all(send(request, { key: 'k' }));
    expect(server.heard).toHaveLength(1);
    await server.close();
  });

  test('no key of the environment goes to an address that only a project names', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'mine-alone');
    const { heard, error } = await heardOf({ model: 'openai/gpt-5.2' }, { key: '' });
    expect(heard).toBeUndefined();
    expect(error).toMatchObject({ code: 'auth', message: expect.stringContaining('127.0.0.1') as string });
  });
});

describe('a stream is asked for in the words of the wire', () => {
  const rows: [string, object][] = [
    ['anthropic/claude-sonnet-4-5', { stream: true }],
    ['openai/gpt-5.2', { stream: true }],
    ['openai-chat/gpt-4.1', { stream: true, stream_options: { include_usage: true } }],
    ['mistral/mistral-small-latest', { stream: true }],
    ['ollama/llava', { stream: true }],
    ['gemini/gemini-2.5-pro', {}],
  ];
  test.each(rows)('%s', async (model, fields) => {
    const { heard } = await heardOf({ model }, { key: 'k' });
    const { stream, stream_options: options } = JSON.parse(heard?.body ?? '{}') as Record<string, unknown>;
    expect({
      ...(stream !== undefined && { stream }),
      ...(options !== undefined && { stream_options: options }),
    }).toEqual(fields);
  });

  test('and not in what other clients get', async () => {
    const request = await prepare(hello, { model: 'openai-chat/gpt-4.1' });
    expect(await request.json()).not.toHaveProperty('stream');
  });
});

describe('strict servers get what they want', () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const transcript: TranscriptInput = {
    messages: [
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        model: 'a/b',
        content: [{ type: 'call', id: 'toolu_not_of_mistral', name: 'shot', input: {} }],
      },
      { role: 'tool', callId: 'toolu_not_of_mistral', name: 'shot', content: image({ data: png }) },
    ],
  };
  type Body = { messages: { role: string; name?: string; tool_call_id?: string; reasoning_content?: string }[] };
  const bodyFor = async (model: string, profile: ProfileOverrides = {}): Promise<Body> => {
    const capabilities = { vision: true };
    const request = await prepare(transcript, { model, assets: memoryAssets(), profile: { capabilities, ...profile } });
    return (await request.json()) as unknown as Body;
  };

  test('Mistral: names, ids of its own kind, and an assistant before the user', async () => {
    const { messages } = await bodyFor('mistral/pixtral-large-latest');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(messages[2]).toMatchObject({ name: 'shot', tool_call_id: expect.stringMatching(/^[a-z0-9]{9}$/) as string });
  });

  test('DeepSeek: a reasoning field on every assistant message', async () => {
    const { messages } = await bodyFor('deepseek/deepseek-chat');
    expect(messages[1]).toMatchObject({ role: 'assistant', reasoning_content: '' });
  });

  test('OpenAI: none of it', async () => {
    const { messages } = await bodyFor('openai-chat/gpt-4.1');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(messages[2]).not.toHaveProperty('name');
    expect(messages[1]).not.toHaveProperty('reasoning_content');
  });

  test('any other: what its user says', async () => {
    const { messages } = await bodyFor('compatible/house', { dialect: { bridge: true, toolName: true } });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(messages[2]).toHaveProperty('name');
  });
});
