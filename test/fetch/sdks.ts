// The real SDKs, each as its own documents tell people to use it: one tool that returns words and media, one loop. What
// a tool returns is given in the SDK's own types; where it has none for media, as JSON, which is what people do then.
import Anthropic from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { GoogleGenAI } from '@google/genai';
import type { Content } from '@google/genai';
import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool as agentTool,
} from '@openai/agents';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import type { LanguageModel } from 'ai';
import { Ollama } from 'ollama';
import type { Message } from 'ollama';
import OpenAI from 'openai';
import type { WireName } from '../../src/core.ts';

/** What the tool returns, in no framework's terms. */
export type Part = { text: string } | { data: string; mediaType: string; name?: string };

export type Run = {
  /** Where the server is, without a path. */
  url: string;
  fetch?: typeof fetch;
  /** What the tool returns, by the number of its call. */
  returns: (call: number) => readonly Part[];
  stream?: boolean;
  failed?: boolean;
};

export type Sdk = { name: string; wire: WireName; model: string; run: (how: Run) => Promise<string> };

export const toolName = 'open_report';
const about = 'Opens the report of a quarter, with its chart.';
const parameters = { type: 'object' as const, properties: { quarter: { type: 'string' as const } } };
const question = 'How did we do?';

/** MCP's spelling, which is what most tools return that know of no SDK. */
function asMcp(parts: readonly Part[]): unknown[] {
  return parts.map((part) => {
    if ('text' in part) return { type: 'text', text: part.text };
    const { data, mediaType, name } = part;
    if (mediaType.startsWith('image/')) return { type: 'image', data, mimeType: mediaType };
    return { type: 'resource', resource: { uri: `file:///${name ?? 'file'}`, mimeType: mediaType, blob: data } };
  });
}

function counter(): () => number {
  let calls = 0;
  return () => calls++;
}

// The AI SDK.

function aiSdk(name: string, wire: WireName, id: string, make: (how: Run) => LanguageModel): Sdk {
  return {
    name: `AI SDK, ${name}`,
    wire,
    model: id,
    run: async (how) => {
      Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
      const next = counter();
      const openReport = tool({
        description: about,
        inputSchema: jsonSchema<{ quarter?: string }>(parameters),
        execute: () => [...how.returns(next())],
        toModelOutput: ({ output }) => ({
          type: 'content',
          value: output.map((part) =>
            'text' in part
              ? { type: 'text', text: part.text }
              : {
                  type: 'file',
                  mediaType: part.mediaType,
                  data: { type: 'data', data: part.data },
                  ...(part.name !== undefined && { filename: part.name }),
                },
          ),
        }),
      });
      const asked = {
        model: make(how),
        tools: { [toolName]: openReport },
        prompt: question,
        stopWhen: stepCountIs(4),
        maxRetries: 0,
      };
      if (!how.stream) return (await generateText(asked)).text;
      return await streamText(asked).text;
    },
  };
}

function access({ fetch: given }: Run): { apiKey: string; fetch?: typeof fetch } {
  return { apiKey: 'key', ...(given && { fetch: given }) };
}

export const aiSdks: Sdk[] = [
  aiSdk('OpenAI Chat', 'openai-chat', 'gpt-4.1', (how) =>
    createOpenAI({ ...access(how), baseURL: `${how.url}/v1` }).chat('gpt-4.1'),
  ),
  aiSdk('OpenAI Responses', 'openai-responses', 'gpt-5.2', (how) =>
    createOpenAI({ ...access(how), baseURL: `${how.url}/v1` }).responses('gpt-5.2'),
  ),
  aiSdk('Anthropic', 'anthropic-messages', 'claude-sonnet-4-5', (how) =>
    createAnthropic({ ...access(how), baseURL: `${how.url}/v1` })('claude-sonnet-4-5'),
  ),
  aiSdk('Gemini 2.5', 'gemini', 'gemini-2.5-pro', (how) =>
    createGoogleGenerativeAI({ ...access(how), baseURL: `${how.url}/v1beta` })('gemini-2.5-pro'),
  ),
  aiSdk('Gemini 3', 'gemini', 'gemini-3-flash', (how) =>
    createGoogleGenerativeAI({ ...access(how), baseURL: `${how.url}/v1beta` })('gemini-3-flash'),
  ),
  aiSdk('compatible server', 'openai-chat', 'qwen2.5-vl', (how) =>
    createOpenAICompatible({ ...access(how), name: 'own', baseURL: `${how.url}/v1` })('qwen2.5-vl'),
  ),
  aiSdk('Mistral', 'openai-chat', 'pixtral-large-latest', (how) =>
    createMistral({ ...access(how), baseURL: `${how.url}/v1` })('pixtral-large-latest'),
  ),
];

// LangChain, by each of the three ways in which its messages can hold a medium.

type Spelling = 'content' | 'contentBlocks' | 'source_type';

function standardBlock(part: Part): Record<string, unknown> {
  if ('text' in part) return { type: 'text', text: part.text };
  const type = part.mediaType.startsWith('image/') ? 'image' : 'file';
  return {
    type,
    mimeType: part.mediaType,
    data: part.data,
    ...(type === 'file' && { metadata: { filename: part.name } }),
  };
}

function olderBlock(part: Part): Record<string, unknown> {
  if ('text' in part) return { type: 'text', text: part.text };
  const type = part.mediaType.startsWith('image/') ? 'image' : 'file';
  return { type, source_type: 'base64', mime_type: part.mediaType, data: part.data, metadata: { filename: part.name } };
}

function toolMessage(spelling: Spelling, parts: readonly Part[], id: string, failed: boolean): ToolMessage {
  const common = { tool_call_id: id, name: toolName, ...(failed && { status: 'error' as const }) };
  if (spelling === 'contentBlocks')
    return new ToolMessage({ ...common, contentBlocks: parts.map(standardBlock) as never });
  return new ToolMessage({
    ...common,
    content: parts.map(spelling === 'content' ? standardBlock : olderBlock) as never,
  });
}

function langChain(
  name: string,
  wire: WireName,
  id: string,
  spelling: Spelling,
  make: (how: Run) => BaseChatModel,
): Sdk {
  return {
    name: `LangChain, ${name}, ${spelling}`,
    wire,
    model: id,
    run: async (how) => {
      const next = counter();
      const schema = { type: 'function', function: { name: toolName, description: about, parameters } };
      const model = make(how).bindTools?.([schema]);
      if (!model) throw new Error('This model binds no tools.');
      const messages: BaseMessage[] = [new HumanMessage(question)];
      for (let step = 0; step < 4; step++) {
        const answer = how.stream ? await streamed(model, messages) : await model.invoke(messages);
        messages.push(answer);
        if (!answer.tool_calls?.length) return answer.text;
        for (const call of answer.tool_calls)
          messages.push(toolMessage(spelling, how.returns(next()), call.id ?? '', how.failed ?? false));
      }
      return '';
    },
  };
}

type Bound = NonNullable<ReturnType<NonNullable<BaseChatModel['bindTools']>>>;

async function streamed(model: Bound, messages: BaseMessage[]): ReturnType<Bound['invoke']> {
  let whole: Awaited<ReturnType<Bound['invoke']>> | undefined;
  for await (const chunk of await model.stream(messages)) whole = whole ? whole.concat(chunk) : chunk;
  if (!whole) throw new Error('The stream was empty.');
  return whole;
}

const chainModels: [string, WireName, string, (how: Run) => BaseChatModel][] = [
  ['OpenAI Chat', 'openai-chat', 'gpt-4.1', (how) =>
    new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'key', maxRetries: 0, useResponsesApi: false,
      configuration: { baseURL: `${how.url}/v1`, ...(how.fetch && { fetch: how.fetch }) } })],
  ['OpenAI Responses', 'openai-responses', 'gpt-5.2', (how) =>
    new ChatOpenAI({ model: 'gpt-5.2', apiKey: 'key', maxRetries: 0, useResponsesApi: true,
      configuration: { baseURL: `${how.url}/v1`, ...(how.fetch && { fetch: how.fetch }) } })],
  ['Anthropic', 'anthropic-messages', 'claude-sonnet-4-5', (how) =>
    new ChatAnthropic({ model: 'claude-sonnet-4-5', apiKey: 'key', maxRetries: 0, anthropicApiUrl: how.url,
      clientOptions: how.fetch ? { fetch: how.fetch } : {} })],
  ['Gemini 2.5', 'gemini', 'gemini-2.5-pro', (how) =>
    new ChatGoogleGenerativeAI({ model: 'gemini-2.5-pro', apiKey: 'key', maxRetries: 0, baseUrl: how.url })],
]; // prettier-ignore

/** LangChain's Gemini package takes no `fetch` of its own: there the global one is wrapped while it runs. */
function underGlobalFetch(sdk: Sdk): Sdk {
  return {
    ...sdk,
    run: async (how) => {
      const before = globalThis.fetch;
      if (how.fetch) globalThis.fetch = how.fetch;
      try {
        return await sdk.run(how);
      } finally {
        globalThis.fetch = before;
      }
    },
  };
}

export const langChains: Sdk[] = (['content', 'contentBlocks', 'source_type'] as const).flatMap((spelling) =>
  chainModels.map(([name, wire, id, make]) => {
    const sdk = langChain(name, wire, id, spelling, make);
    return wire === 'gemini' ? underGlobalFetch(sdk) : sdk;
  }),
);

// The OpenAI Agents SDK.

function agents(name: string, wire: WireName, id: string): Sdk {
  return {
    name: `OpenAI Agents, ${name}`,
    wire,
    model: id,
    run: async (how) => {
      setTracingDisabled(true);
      const next = counter();
      const client = new OpenAI({
        apiKey: 'key',
        baseURL: `${how.url}/v1`,
        maxRetries: 0,
        ...(how.fetch && { fetch: how.fetch }),
      });
      const model =
        wire === 'openai-chat' ? new OpenAIChatCompletionsModel(client, id) : new OpenAIResponsesModel(client, id);
      const openReport = agentTool({
        name: toolName,
        description: about,
        strict: false,
        parameters: { ...parameters, required: [], additionalProperties: true },
        execute: () =>
          how.returns(next()).map((part) => {
            if ('text' in part) return { type: 'text' as const, text: part.text };
            if (part.mediaType.startsWith('image/'))
              return { type: 'image' as const, image: { data: part.data, mediaType: part.mediaType } };
            const filename = part.name ?? 'file.pdf';
            return { type: 'file' as const, file: { data: part.data, mediaType: part.mediaType, filename } };
          }),
      });
      const agent = new Agent({ name: 'Analyst', instructions: 'Be brief.', model, tools: [openReport] });
      if (!how.stream) return (await run(agent, question)).finalOutput ?? '';
      const result = await run(agent, question, { stream: true });
      await result.completed;
      return result.finalOutput ?? '';
    },
  };
}

export const agentSdks: Sdk[] = [
  agents('Chat', 'openai-chat', 'gpt-4.1'),
  agents('Responses', 'openai-responses', 'gpt-5.2'),
];

// The vendors' own SDKs, in a loop as people write one: what a tool returned goes in as JSON.

const openaiChat: Sdk = {
  name: 'openai, Chat',
  wire: 'openai-chat',
  model: 'gpt-4.1',
  run: async ({ url, fetch: given, returns }) => {
    const next = counter();
    const client = new OpenAI({ apiKey: 'key', baseURL: `${url}/v1`, maxRetries: 0, ...(given && { fetch: given }) });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
    for (let step = 0; step < 4; step++) {
      const answer = await client.chat.completions.create({
        model: 'gpt-4.1',
        messages,
        tools: [{ type: 'function', function: { name: toolName, description: about, parameters } }],
      });
      const message = answer.choices[0]?.message;
      if (!message?.tool_calls?.length) return message?.content ?? '';
      messages.push(message);
      for (const call of message.tool_calls)
        messages.push({
          role: 'tool',
          tool_call_id: call.id,
          content: JSON.stringify({ content: asMcp(returns(next())) }),
        });
    }
    return '';
  },
};

const openaiResponses: Sdk = {
  name: 'openai, Responses',
  wire: 'openai-responses',
  model: 'gpt-5.2',
  run: async ({ url, fetch: given, returns }) => {
    const next = counter();
    const client = new OpenAI({ apiKey: 'key', baseURL: `${url}/v1`, maxRetries: 0, ...(given && { fetch: given }) });
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: question }];
    for (let step = 0; step < 4; step++) {
      const answer = await client.responses.create({
        model: 'gpt-5.2',
        input,
        tools: [{ type: 'function', name: toolName, description: about, parameters, strict: false }],
      });
      const calls = answer.output.filter((item) => item.type === 'function_call');
      if (calls.length === 0) return answer.output_text;
      input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]));
      for (const call of calls)
        input.push({
          type: 'function_call_output',
          call_id: call.call_id,
          output: JSON.stringify({ content: asMcp(returns(next())) }),
        });
    }
    return '';
  },
};

const anthropic: Sdk = {
  name: '@anthropic-ai/sdk',
  wire: 'anthropic-messages',
  model: 'claude-sonnet-4-5',
  run: async ({ url, fetch: given, returns, stream }) => {
    const next = counter();
    const client = new Anthropic({ apiKey: 'key', baseURL: url, maxRetries: 0, ...(given && { fetch: given }) });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
    for (let step = 0; step < 4; step++) {
      const asked = {
        model: 'claude-sonnet-4-5',
        max_tokens: 500,
        messages,
        tools: [{ name: toolName, description: about, input_schema: parameters }],
      };
      const answer = stream ? await client.messages.stream(asked).finalMessage() : await client.messages.create(asked);
      messages.push({ role: 'assistant', content: answer.content });
      const results = answer.content.flatMap((block): Anthropic.ToolResultBlockParam[] =>
        block.type === 'tool_use'
          ? [
              {
                type: 'tool_result',
                tool_use_id: block.id,
                content: JSON.stringify({ content: asMcp(returns(next())) }),
              },
            ]
          : [],
      );
      if (results.length === 0)
        return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      messages.push({ role: 'user', content: results });
    }
    return '';
  },
};

const googleGenai: Sdk = {
  name: '@google/genai',
  wire: 'gemini',
  model: 'gemini-2.5-pro',
  run: async ({ url, fetch: given, returns }) => {
    const next = counter();
    const client = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: url, ...(given && { fetch: given }) } });
    const contents: Content[] = [{ role: 'user', parts: [{ text: question }] }];
    for (let step = 0; step < 4; step++) {
      const answer = await client.models.generateContent({
        model: 'gemini-2.5-pro',
        contents,
        config: {
          tools: [{ functionDeclarations: [{ name: toolName, description: about, parametersJsonSchema: parameters }] }],
        },
      });
      const calls = answer.functionCalls ?? [];
      if (calls.length === 0) return answer.text ?? '';
      const said = answer.candidates?.[0]?.content;
      if (said) contents.push(said);
      const parts = calls.map(({ id, name }) => ({
        functionResponse: {
          ...(id !== undefined && { id }),
          ...(name !== undefined && { name }),
          response: { content: asMcp(returns(next())) },
        },
      }));
      contents.push({ role: 'user', parts });
    }
    return '';
  },
};

const ollama: Sdk = {
  name: 'ollama',
  wire: 'ollama',
  model: 'qwen3-vl',
  run: async ({ url, fetch: given, returns }) => {
    const next = counter();
    const client = new Ollama({ host: url, ...(given && { fetch: given }) });
    const messages: Message[] = [{ role: 'user', content: question }];
    for (let step = 0; step < 4; step++) {
      const { message } = await client.chat({
        model: 'qwen3-vl',
        messages,
        tools: [{ type: 'function', function: { name: toolName, description: about, parameters } }],
      });
      messages.push(message);
      if (!message.tool_calls?.length) return message.content;
      for (const call of message.tool_calls)
        messages.push({
          role: 'tool',
          tool_name: call.function.name,
          content: JSON.stringify({ content: asMcp(returns(next())) }),
        });
    }
    return '';
  },
};

export const vendorSdks: Sdk[] = [openaiChat, openaiResponses, anthropic, googleGenai, ollama];

export const sdks: Sdk[] = [...aiSdks, ...langChains, ...agentSdks, ...vendorSdks];
