// Ollama /api/chat: tool messages name their tool, follow their call without a gap, and pictures are bare base64.

import { isBase64 } from './base64.ts';
import { unless } from './complaint.ts';
import { below, isObject, items, textOf } from './json.ts';
import type { Json, JsonObject } from './json.ts';

type Message = { readonly at: string; readonly message: JsonObject };

export function ollamaRules(body: JsonObject): string[] {
  const messages = items(body['messages']).flatMap((item, index) =>
    isObject(item) ? [{ at: below('/messages', index), message: item }] : [],
  );
  return [
    ...unless(messages.length > 0, '/messages: at least one message is required'),
    ...messages.flatMap(toolName),
    ...messages.flatMap(({ at, message }) =>
      items(message['images']).flatMap((image, index) => picture(image, below(below(at, 'images'), index))),
    ),
    ...messages.flatMap((one, index) => answered(one, messages.slice(index + 1))),
    ...messages.flatMap((one, index) => follows(one, messages.slice(0, index))),
  ];
}

function toolName({ at, message }: Message): string[] {
  return unless(message['role'] !== 'tool' || textOf(message['tool_name']) !== '', `${at}: tool_name is missing`);
}

function picture(image: Json, at: string): string[] {
  const text = textOf(image);
  if (text.startsWith('data:')) return [`${at}: must be bare base64, without a data: prefix`];
  return unless(isBase64(text), `${at}: is not base64`);
}

function answered({ at, message }: Message, after: Message[]): string[] {
  const calls = items(message['tool_calls']);
  if (calls.length === 0) return [];
  const end = after.findIndex((next) => next.message['role'] !== 'tool');
  const answers = end === -1 ? after : after.slice(0, end);
  if (answers.length !== calls.length) {
    return [`${at}: ${calls.length} calls, but ${answers.length} tool messages directly after`];
  }
  return calls.flatMap((call, index) => {
    const id = isObject(call) ? call['id'] : undefined;
    const count = answers.filter((answer) => answer.message['tool_call_id'] === id).length;
    const place = below(below(at, 'tool_calls'), index);
    return unless(id === undefined || count === 1, `${place}: ${count} tool messages have its id instead of one`);
  });
}

function follows({ at, message }: Message, before: Message[]): string[] {
  const asker = before.findLast((one) => one.message['role'] !== 'tool');
  const names = items(asker?.message['tool_calls']).map(functionName);
  return unless(
    message['role'] !== 'tool' || names.includes(textOf(message['tool_name'])),
    `${at}: no call of that name in the assistant message it follows`,
  );
}

function functionName(call: Json): string {
  const called = isObject(call) ? call['function'] : undefined;
  return isObject(called) ? textOf(called['name']) : '';
}
