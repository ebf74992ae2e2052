// LangChain: its chat models with a fetch that keeps the body.
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import type { Task } from '../harness.ts';
import type { Sink } from '../measure.ts';
import {
  base64Of,
  capture,
  mediaTypes,
  models,
  question,
  requestTask,
  resultText,
  toolDescription,
  toolName,
  toolSchema,
} from './task.ts';
import type { Kind, RequestInput, WireName } from './task.ts';

const task: Task<RequestInput, unknown> = requestTask(async (input) => {
  const data = base64Of(input);
  const invoke = await opened(input.wire);
  return (count) => {
    const messages = messagesOf(data.slice(0, count), input.kind);
    return async (sink) => {
      await invoke(sink, messages).catch(() => undefined); // the capturing server always answers 400
    };
  };
});
export default task;

type Invoke = (sink: Sink, messages: BaseMessage[]) => Promise<unknown>;

/** Only the chat model that is measured is loaded. */
async function opened(wire: WireName): Promise<Invoke> {
  const settings = { apiKey: 'none', model: models[wire], maxTokens: 1024, maxRetries: 0 };
  const described = { name: toolName, description: toolDescription, parameters: toolSchema };
  switch (wire) {
    case 'anthropic-messages': {
      const { ChatAnthropic } = await import('@langchain/anthropic');
      const tools = [{ name: toolName, description: toolDescription, input_schema: toolSchema }];
      return (sink, messages) =>
        new ChatAnthropic({ ...settings, clientOptions: { fetch: capture(() => sink) } })
          .bindTools(tools)
          .invoke(messages);
    }
    case 'openai-chat':
    case 'openai-responses': {
      const { ChatOpenAI } = await import('@langchain/openai');
      const useResponsesApi = wire === 'openai-responses';
      return (sink, messages) =>
        new ChatOpenAI({ ...settings, useResponsesApi, configuration: { fetch: capture(() => sink) } })
          .bindTools([{ type: 'function', function: described }])
          .invoke(messages);
    }
    case 'gemini': {
      const { ChatGoogleGenerativeAI } = await import('@langchain/google-genai');
      const tools = [{ functionDeclarations: [{ name: toolName, description: toolDescription }] }];
      return (sink, messages) => {
        globalThis.fetch = capture(() => sink); // it takes no other
        return new ChatGoogleGenerativeAI(settings).bindTools(tools).invoke(messages);
      };
    }
    case 'ollama': {
      const { ChatOllama } = await import('@langchain/ollama');
      return (sink, messages) =>
        new ChatOllama({ model: models[wire], fetch: capture(() => sink), maxRetries: 0 })
          .bindTools([{ type: 'function', function: described }])
          .invoke(messages);
    }
  }
}

function messagesOf(data: readonly string[], kind: Kind): BaseMessage[] {
  const type = kind === 'pdf' ? 'file' : 'image';
  const turns = data.flatMap((base64, turn): BaseMessage[] => [
    new AIMessage({ content: '', tool_calls: [{ id: `call_${turn}`, name: toolName, args: {}, type: 'tool_call' }] }),
    new ToolMessage({
      tool_call_id: `call_${turn}`,
      name: toolName,
      content: [
        { type: 'text', text: resultText(turn) },
        { type, mimeType: mediaTypes[kind], data: base64 },
      ],
    }),
  ]);
  return [new HumanMessage(question), ...turns];
}
