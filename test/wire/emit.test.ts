// The vendors' own SDKs as clients of the scripted server: what they read is what the script says, on every wire,
// streamed and whole.
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer } from '../../src/model/script/index.ts';

const answer = {
  thinking: 'The bars rise, so sales rose.',
  text: 'Sales rose in März 😀.\nEvery month.',
  calls: [
    { name: 'zoom', input: { region: [1, 2, 3, 4], note: 'größer "please"' } },
    { name: 'stop', input: {} },
  ],
  usage: { inputTokens: 120, outputTokens: 34, cachedTokens: 100 },
};

test('a text without citations has no field for them: the AI SDK 6 takes a null for a broken answer', async () => {
  const asked = { model: 'claude-sonnet-5', max_tokens: 9, messages: [{ role: 'user', content: 'Hi.' }] };
  const headers = { 'content-type': 'application/json' };
  for (const stream of [false, true]) {
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify({ ...asked, stream }) });
    const told = await response.text();
    expect(told).toContain('"type":"text"');
    expect(told).not.toContain('citations');
  }
}); // prettier-ignore

/** What a client understood, in one form for all of them. */
type Understood = {
  text: string;
  thinking?: string;
  calls: { id: string | undefined; name: string; input: unknown }[];
  usage: { input: number | undefined; output: number | undefined; cached?: number | undefined };
  stop: string | null | undefined;
};

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer(
    script(({ transcript }) => {
      const asked = JSON.stringify(transcript.messages.at(-1));
      if (asked.includes('fail')) return { error: { status: 429, message: 'Slow down, please.', retryAfter: 1500 } };
      if (asked.includes('long'))
        return { text: 'It goes', stop: 'length', usage: { inputTokens: 1, outputTokens: 2 } };
      return answer;
    }),
  );
});
afterAll(() => server.close());

const anthropic = () => new Anthropic({ apiKey: 'key', baseURL: server.url, maxRetries: 0 });
const openai = () => new OpenAI({ apiKey: 'key', baseURL: `${server.url}/v1`, maxRetries: 0 });
const gemini = () => new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: server.url } });
const ollama = () => new Ollama({ host: server.url });

type Client = (prompt: string) => Promise<Understood>;

function fromAnthropic(message: Anthropic.Message): Understood {
  const { usage } = message;
  return {
    text: message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    thinking: message.content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join(''),
    calls: message.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
    usage: {
      input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0),
      output: usage.output_tokens,
      cached: usage.cache_read_input_tokens ?? undefined,
    },
    stop: message.stop_reason,
  };
}

function fromChat(completion: OpenAI.ChatCompletion): Understood {
  const [choice] = completion.choices;
  const message = choice?.message as OpenAI.ChatCompletionMessage & { reasoning_content?: string };
  return {
    text: message.content ?? '',
    ...(message.reasoning_content !== undefined && { thinking: message.reasoning_content }),
    calls: (message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }]
        : [],
    ),
    usage: {
      input: completion.usage?.prompt_tokens,
      output: completion.usage?.completion_tokens,
      cached: completion.usage?.prompt_tokens_details?.cached_tokens,
    },
    stop: choice?.finish_reason,
  };
}

function fromResponse(response: OpenAI.Responses.Response): Understood {
  return {
    text: response.output_text,
    thinking: response.output
      .flatMap((item) => (item.type === 'reasoning' ? item.summary.map(({ text }) => text) : []))
      .join(''),
    calls: response.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) as unknown }]
        : [],
    ),
    usage: {
      input: response.usage?.input_tokens,
      output: response.usage?.output_tokens,
      cached: response.usage?.input_tokens_details.cached_tokens,
    },
    stop: response.incomplete_details?.reason ?? response.status,
  };
}

type GeminiAnswer = Awaited<ReturnType<GoogleGenAI['models']['generateContent']>>;

function fromGemini(answers: GeminiAnswer[]): Understood {
  const parts = answers.flatMap((one) => one.candidates?.[0]?.content?.parts ?? []);
  const last = answers.at(-1);
  return {
    text: parts.flatMap((part) => (part.thought ? [] : [part.text ?? ''])).join(''),
    thinking: parts.flatMap((part) => (part.thought ? [part.text ?? ''] : [])).join(''),
    calls: parts.flatMap(({ functionCall: call }) =>
      call ? [{ id: call.id, name: call.name ?? '', input: call.args }] : [],
    ),
    usage: {
      input: last?.usageMetadata?.promptTokenCount,
      output: last?.usageMetadata?.candidatesTokenCount,
      cached: last?.usageMetadata?.cachedContentTokenCount,
    },
    stop: last?.candidates?.[0]?.finishReason,
  };
}

type OllamaAnswer = Awaited<ReturnType<typeof collectOllama>>[number];

async function collectOllama(prompt: string) {
  const messages = [{ role: 'user', content: prompt }];
  const all = [];
  for await (const one of await ollama().chat({ model: 'm', messages, stream: true })) all.push(one);
  return all;
}

function fromOllama(answers: OllamaAnswer[]): Understood {
  const last = answers.at(-1);
  return {
    text: answers.map(({ message }) => message.content).join(''),
    thinking: answers.map(({ message }) => message.thinking ?? '').join(''),
    calls: answers
      .flatMap(({ message }) => message.tool_calls ?? [])
      .map((call) => ({
        id: (call as { id?: string }).id,
        name: call.function.name,
        input: call.function.arguments,
      })),
    usage: { input: last?.prompt_eval_count, output: last?.eval_count },
    stop: last?.done_reason,
  };
}

const user = (content: string) => [{ role: 'user' as const, content }];

const clients: [string, Client, { stop: string; length: string; cached?: boolean; thinking?: boolean }][] = [
  [
    'Anthropic, whole',
    async (prompt) =>
      fromAnthropic(await anthropic().messages.create({ model: 'm', max_tokens: 9, messages: user(prompt) })),
    { stop: 'tool_use', length: 'max_tokens' },
  ],
  [
    'Anthropic, streamed',
    async (prompt) =>
      fromAnthropic(
        await anthropic()
          .messages.stream({ model: 'm', max_tokens: 9, messages: user(prompt) })
          .finalMessage(),
      ),
    { stop: 'tool_use', length: 'max_tokens' },
  ],
  [
    'OpenAI chat, whole',
    async (prompt) => fromChat(await openai().chat.completions.create({ model: 'm', messages: user(prompt) })),
    { stop: 'tool_calls', length: 'length' },
  ],
  [
    'OpenAI chat, streamed',
    async (prompt) => {
      const stream = openai().chat.completions.stream({
        model: 'm',
        messages: user(prompt),
        stream_options: { include_usage: true },
      });
      let thinking = ''; // the SDK has no field for it, and puts no pieces together
      stream.on('chunk', ({ choices: [choice] }) => {
        thinking += (choice?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? '';
      });
      return { ...fromChat(await stream.finalChatCompletion()), thinking };
    },
    { stop: 'tool_calls', length: 'length' },
  ],
  [
    'OpenAI responses, whole',
    async (prompt) => fromResponse(await openai().responses.create({ model: 'm', input: prompt })),
    { stop: 'completed', length: 'max_output_tokens' },
  ],
  [
    'OpenAI responses, streamed',
    async (prompt) => fromResponse(await openai().responses.stream({ model: 'm', input: prompt }).finalResponse()),
    { stop: 'completed', length: 'max_output_tokens' },
  ],
  [
    'Gemini, whole',
    async (prompt) => fromGemini([await gemini().models.generateContent({ model: 'm', contents: prompt })]),
    { stop: 'STOP', length: 'MAX_TOKENS' },
  ],
  [
    'Gemini, streamed',
    async (prompt) => {
      const all: GeminiAnswer[] = [];
      const stream = await gemini().models.generateContentStream({ model: 'm', contents: prompt });
      for await (const one of stream) all.push(one);
      return fromGemini(all);
    },
    { stop: 'STOP', length: 'MAX_TOKENS' },
  ],
  [
    'Ollama, whole',
    async (prompt) => fromOllama([await ollama().chat({ model: 'm', messages: user(prompt) })]),
    { stop: 'stop', length: 'length', cached: false },
  ],
  [
    'Ollama, streamed',
    async (prompt) => fromOllama(await collectOllama(prompt)),
    { stop: 'stop', length: 'length', cached: false },
  ],
];

describe.each(clients)('%s', (_name, ask, { stop, length, cached = true }) => {
  test('the SDK reads the words, the thoughts, the calls and the cost of a scripted answer', async () => {
    const understood = await ask('How did we do?');
    expect(understood.text).toBe(answer.text);
    expect(understood.thinking).toBe(answer.thinking);
    expect(understood.calls.map(({ name, input }) => ({ name, input }))).toEqual(answer.calls);
    expect(new Set(understood.calls.map(({ id }) => id)).size).toBe(2);
    expect(understood.usage).toEqual({ input: 120, output: 34, ...(cached && { cached: 100 }) });
    expect(understood.stop).toBe(stop);
  });

  test('an answer that was cut short says so', async () => {
    const understood = await ask('a long story');
    expect(understood.text).toBe('It goes');
    expect(understood.stop).toBe(length);
  });

  test('an error has the status and the words of the script', async () => {
    const error: unknown = await ask('fail').then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    const { message, status, status_code: code } = error as Error & { status?: number; status_code?: number };
    expect(message).toContain('Slow down, please.');
    expect(status ?? code).toBe(429);
  });
});
