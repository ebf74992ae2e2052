// The vendors' own SDKs as clients of a gateway: one tool that returns words, a picture and a PDF, each in the spelling
// of its API, and one loop. What the SDK could read of the answer is what comes back.
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import type { Content } from '@google/genai';
import { Ollama } from 'ollama';
import type { Message } from 'ollama';
import OpenAI from 'openai';
import { readFileSync } from 'node:fs';
import type { WireName } from '../../src/core.ts';

export const chart: string = readFileSync('examples/chart.png').toString('base64');
export const report: string = readFileSync('examples/report.pdf').toString('base64');

/** One model of each dialect that clients speak. */
export const targets = {
  claude: 'anthropic/claude-sonnet-5',
  chat: 'openai-chat/gpt-4.1',
  gpt: 'openai/gpt-5.4',
  gemini: 'gemini/gemini-3-pro-preview',
  qwen: 'ollama/qwen3-vl',
} as const;

export type Turn = { url: string; model: string; stream: boolean };
export type Client = { wire: WireName; run: (turn: Turn) => Promise<string> };

const toolName = 'open_report';
const parameters = { type: 'object' as const, properties: { quarter: { type: 'string' as const } } };
const question = 'How did we do?';
const description = 'Opens the report of a quarter, with its chart.';
const lead = 'The report, and its chart:';

async function anthropic({ url, model, stream }: Turn): Promise<string> {
  const client = new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 });
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
  for (let step = 0; step < 4; step++) {
    const body = {
      model,
      max_tokens: 1000,
      messages,
      tools: [{ name: toolName, description, input_schema: parameters }],
    };
    const message = stream
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create({ ...body, stream: false });
    const calls = message.content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    messages.push({ role: 'assistant', content: message.content as Anthropic.ContentBlockParam[] });
    messages.push({
      role: 'user',
      content: calls.map(({ id }) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: [
          { type: 'text' as const, text: lead },
          {
            type: 'image' as const,
            source: { type: 'base64' as const, media_type: 'image/png' as const, data: chart },
          },
          {
            type: 'document' as const,
            source: { type: 'base64' as const, media_type: 'application/pdf' as const, data: report },
          },
        ],
      })),
    });
  }
  throw new Error('It never stops calling.');
}

async function chat({ url, model, stream }: Turn): Promise<string> {
  const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  for (let step = 0; step < 4; step++) {
    const body = {
      model,
      messages,
      tools: [{ type: 'function' as const, function: { name: toolName, description, parameters } }],
    };
    const answer = stream
      ? await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
      : await client.chat.completions.create({ ...body, stream: false });
    const message = answer.choices[0]?.message;
    if (!message?.tool_calls?.length) return message?.content ?? '';
    messages.push(message);
    for (const { id } of message.tool_calls) {
      const content: unknown = [
        { type: 'text', text: lead },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${chart}` } },
        { type: 'file', file: { filename: 'report.pdf', file_data: `data:application/pdf;base64,${report}` } },
      ];
      messages.push({ role: 'tool', tool_call_id: id, content: content as string });
    }
  }
  throw new Error('It never stops calling.');
}

async function responses({ url, model, stream }: Turn): Promise<string> {
  const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 });
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: question }];
  for (let step = 0; step < 4; step++) {
    const body = {
      model,
      input,
      store: false,
      tools: [{ type: 'function' as const, name: toolName, description, parameters, strict: false }],
    };
    const answer = stream
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create({ ...body, stream: false });
    const calls = answer.output.filter((item) => item.type === 'function_call');
    if (calls.length === 0)
      return answer.output
        .flatMap((item) => (item.type === 'message' ? item.content : []))
        .map((part) => (part.type === 'output_text' ? part.text : ''))
        .join('');
    input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]));
    for (const { call_id } of calls as OpenAI.Responses.ResponseFunctionToolCall[])
      input.push({
        type: 'function_call_output',
        call_id,
        output: [
          { type: 'input_text', text: lead },
          { type: 'input_image', image_url: `data:image/png;base64,${chart}`, detail: 'auto' },
          { type: 'input_file', filename: 'report.pdf', file_data: `data:application/pdf;base64,${report}` },
        ],
      });
  }
  throw new Error('It never stops calling.');
}

async function gemini({ url, model, stream }: Turn): Promise<string> {
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } });
  const contents: Content[] = [{ role: 'user', parts: [{ text: question }] }];
  for (let step = 0; step < 4; step++) {
    const body = {
      model,
      contents,
      config: {
        tools: [{ functionDeclarations: [{ name: toolName, description, parametersJsonSchema: parameters }] }],
      },
    };
    const parts: NonNullable<Content['parts']> = [];
    if (stream) {
      for await (const chunk of await client.models.generateContentStream(body))
        parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    } else parts.push(...((await client.models.generateContent(body)).candidates?.[0]?.content?.parts ?? []));
    const calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []));
    if (calls.length === 0) return parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join('');
    contents.push({ role: 'model', parts });
    contents.push({
      role: 'user',
      parts: calls.map(({ id, name }) => ({
        functionResponse: {
          ...(id !== undefined && { id }),
          name: name ?? '',
          response: { output: lead },
          parts: [
            { inlineData: { mimeType: 'image/png', data: chart } },
            { inlineData: { mimeType: 'application/pdf', data: report } },
          ],
        },
      })),
    });
  }
  throw new Error('It never stops calling.');
}

async function ollama({ url, model, stream }: Turn): Promise<string> {
  const client = new Ollama({ host: url });
  const messages: Message[] = [{ role: 'user', content: question }];
  for (let step = 0; step < 4; step++) {
    const body = {
      model,
      messages,
      tools: [{ type: 'function', function: { name: toolName, description, parameters } }],
    };
    const said: Message = { role: 'assistant', content: '' };
    if (stream) {
      for await (const { message } of await client.chat({ ...body, stream: true })) {
        said.content += message.content;
        if (message.tool_calls) said.tool_calls = [...(said.tool_calls ?? []), ...message.tool_calls];
      }
    } else Object.assign(said, (await client.chat({ ...body, stream: false })).message);
    if (!said.tool_calls?.length) return said.content;
    messages.push(said);
    for (const _ of said.tool_calls)
      messages.push({ role: 'tool', tool_name: toolName, content: `${lead} ${report}`, images: [chart] });
  }
  throw new Error('It never stops calling.');
}

export const clients: readonly Client[] = [
  { wire: 'anthropic-messages', run: anthropic },
  { wire: 'openai-chat', run: chat },
  { wire: 'openai-responses', run: responses },
  { wire: 'gemini', run: gemini },
  { wire: 'ollama', run: ollama },
];
