// LangChain: its chat models with a fetch that keeps the body.
import { ChatAnthropic } from '@langchain/anthropic';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import type { Task } from '../harness.ts';
import type { Sink } from '../measure.ts';
import {
  base64Of,
  capture,
  models,
  question,
  requestTask,
  resultText,
  toolDescription,
  toolName,
  toolSchema,
} from './task.ts';
import type { RequestInput, WireName } from './task.ts';

const task: Task<RequestInput, unknown> = requestTask(async (input) => {
  const data = base64Of(input);
  return (pictures) => {
    const messages = messagesOf(data.slice(0, pictures));
    return async (sink) => {
      await invoke(input.wire, sink, messages).catch(() => undefined); // the capturing server always answers 400
    };
  };
});
export default task;

async function invoke(wire: WireName, sink: Sink, messages: BaseMessage[]): Promise<void> {
  const client = { fetch: capture(() => sink) };
  const settings = { apiKey: 'none', model: models[wire], maxTokens: 1024, maxRetries: 0 };
  if (wire === 'openai-chat') {
    const parameters = { name: toolName, description: toolDescription, parameters: toolSchema };
    await new ChatOpenAI({ ...settings, configuration: client })
      .bindTools([{ type: 'function', function: parameters }])
      .invoke(messages);
  } else {
    const tools = [{ name: toolName, description: toolDescription, input_schema: toolSchema }];
    await new ChatAnthropic({ ...settings, clientOptions: client }).bindTools(tools).invoke(messages);
  }
}

function messagesOf(data: readonly string[]): BaseMessage[] {
  const turns = data.flatMap((base64, turn): BaseMessage[] => [
    new AIMessage({ content: '', tool_calls: [{ id: `call_${turn}`, name: toolName, args: {}, type: 'tool_call' }] }),
    new ToolMessage({
      tool_call_id: `call_${turn}`,
      name: toolName,
      content: [
        { type: 'text', text: resultText(turn) },
        { type: 'image', mimeType: 'image/png', data: base64 },
      ],
    }),
  ]);
  return [new HumanMessage(question), ...turns];
}
