// OpenAI's two wires. Chat: tool messages answer at once and carry text only. Responses: outputs find their call by id.

import { isBase64 } from './base64.ts';
import { unless } from './complaint.ts';
import { below, isObject, items, textOf } from './json.ts';
import type { Json, JsonObject } from './json.ts';

type Entry = { readonly at: string; readonly item: JsonObject };

export function chatRules(body: JsonObject): string[] {
  const messages = entries(body['messages'], '/messages');
  return [
    ...unless(messages.length > 0, '/messages: at least one message is required'),
    ...messages.flatMap((one, index) => answered(one, messages.slice(index + 1))),
    ...messages.flatMap((one, index) => follows(one, messages.slice(0, index))),
    ...messages.flatMap(textOnly),
    ...messages.flatMap(({ at, item }) => entries(item['content'], below(at, 'content'))).flatMap(chatMedia),
  ];
}

/** "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'." */
function answered({ at, item }: Entry, after: Entry[]): string[] {
  const calls = entries(item['tool_calls'], below(at, 'tool_calls'));
  const end = after.findIndex((next) => next.item['role'] !== 'tool');
  const answers = (end === -1 ? after : after.slice(0, end)).map((next) => next.item['tool_call_id']);
  return calls.flatMap((call) => {
    const id = call.item['id'];
    const count = answers.filter((answer) => answer === id).length;
    const namesakes = calls.filter((other) => other.item['id'] === id).length;
    return unless(
      count === 1,
      `${call.at}: ${count} tool messages directly after it answer this call instead of one`,
    ).concat(unless(namesakes === 1, `${call.at}: id is used twice`));
  });
}

function follows({ at, item }: Entry, before: Entry[]): string[] {
  const asker = before.findLast((one) => one.item['role'] !== 'tool')?.item;
  const ids = entries(asker?.['tool_calls'], '').map((call) => call.item['id']);
  const known = asker?.['role'] === 'assistant' && ids.includes(item['tool_call_id']);
  return unless(item['role'] !== 'tool' || known, `${at}: answers no call of the assistant message it follows`);
}

function textOnly({ at, item }: Entry): string[] {
  if (item['role'] !== 'tool') return [];
  return entries(item['content'], below(at, 'content')).flatMap((part) =>
    unless(part.item['type'] === 'text', `${part.at}: tool messages are text only`),
  );
}

function chatMedia({ at, item }: Entry): string[] {
  const file = inner(item, 'file')['file_data'];
  const audio = inner(item, 'input_audio')['data'];
  return [
    ...imageUrl(inner(item, 'image_url')['url'], below(below(at, 'image_url'), 'url')),
    // "File inputs" guide: Chat Completions takes PDF files only, as a data URL.
    ...unless(
      file === undefined || isDataUrl(file, /^application\/pdf$/),
      `${below(at, 'file')}: file_data must be a data URL of a PDF`,
    ),
    ...unless(audio === undefined || isBase64(textOf(audio)), `${below(at, 'input_audio')}: data must be bare base64`),
  ];
}

export function responsesRules(body: JsonObject): string[] {
  const input = entries(body['input'], '/input');
  // With a stored conversation the other half of a pair may lie on the server.
  const stored = typeof body['previous_response_id'] === 'string' || (body['conversation'] ?? null) !== null;
  return [
    ...input.flatMap(callId),
    ...input.flatMap((one, index) => oneOutput(one, input.slice(index + 1))),
    ...input.flatMap((one) => ownId(one, input)),
    ...(stored ? [] : input.flatMap((one, index) => callBefore(one, input.slice(0, index)))),
    ...(body['store'] === false ? input.flatMap(encrypted) : []),
    ...input
      .flatMap(({ at, item }) => ['content', 'output'].flatMap((key) => entries(item[key], below(at, key))))
      .flatMap(responsesMedia),
  ];
}

const outputOf: Record<string, string> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
};

function callId({ at, item }: Entry): string[] {
  const paired = Object.entries(outputOf).flat().includes(textOf(item['type']));
  const { length } = textOf(item['call_id']);
  return unless(!paired || (length >= 1 && length <= 64), `${at}: call_id must have 1 to 64 characters`);
}

function oneOutput({ at, item }: Entry, after: Entry[]): string[] {
  const wanted = outputOf[textOf(item['type'])];
  const count = after.filter((next) => next.item['type'] === wanted && next.item['call_id'] === item['call_id']).length;
  return unless(wanted === undefined || count === 1, `${at}: ${count} outputs after this call instead of one`);
}

function ownId({ at, item }: Entry, all: Entry[]): string[] {
  if (!(textOf(item['type']) in outputOf)) return [];
  const same = all.filter((other) => other.item['type'] === item['type'] && other.item['call_id'] === item['call_id']);
  return unless(same.length === 1, `${at}: call_id is used twice`);
}

/** "No tool call found for function call output with call_id …" */
function callBefore({ at, item }: Entry, before: Entry[]): string[] {
  const wanted = Object.keys(outputOf).find((key) => outputOf[key] === item['type']);
  const found = before.some((one) => one.item['type'] === wanted && one.item['call_id'] === item['call_id']);
  return unless(wanted === undefined || found, `${at}: no call before this output has its call_id`);
}

function encrypted({ at, item }: Entry): string[] {
  return unless(
    item['type'] !== 'reasoning' || textOf(item['encrypted_content']) !== '',
    `${at}: reasoning without encrypted_content cannot be replayed when store is false`,
  );
}

function responsesMedia({ at, item }: Entry): string[] {
  const file = item['file_data'];
  return [
    ...imageUrl(item['image_url'], below(at, 'image_url')),
    ...unless(
      file === undefined || isDataUrl(file, /^[\w.+-]+\/[\w.+-]+$/),
      `${below(at, 'file_data')}: must be a data URL`,
    ),
  ];
}

function imageUrl(url: Json | undefined, at: string): string[] {
  const good = /^https?:\/\//.test(textOf(url)) || isDataUrl(url, /^image\/(png|jpeg|webp|gif)$/);
  return unless(typeof url !== 'string' || good, `${at}: must be a web address or a data URL of an image`);
}

function isDataUrl(value: Json | undefined, mediaType: RegExp): boolean {
  const [head = '', data = ''] = textOf(value).split(';base64,', 2);
  return head.startsWith('data:') && mediaType.test(head.slice(5)) && isBase64(data);
}

function inner(item: JsonObject, key: string): JsonObject {
  const value = item[key];
  return isObject(value) ? value : {};
}

function entries(list: Json | undefined, at: string): Entry[] {
  return items(list).flatMap((item, index) => (isObject(item) ? [{ at: below(at, index), item }] : []));
}
