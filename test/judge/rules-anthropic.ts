// Anthropic Messages: pairing, order and content rules, with the provider's own words where they are known.

import { isBase64 } from './base64.ts';
import { unless } from './complaint.ts';
import { below, isObject, items, textOf } from './json.ts';
import type { Json, JsonObject } from './json.ts';

type Block = { readonly at: string; readonly type: string; readonly block: JsonObject };
type Message = {
  readonly at: string;
  readonly role: string;
  readonly text: Json | undefined;
  readonly blocks: Block[];
};

export function anthropicRules(body: JsonObject): string[] {
  const messages = items(body['messages']).flatMap((item, index) => message(item, below('/messages', index)));
  const outer = messages.flatMap((one) => one.blocks);
  const nested = outer.flatMap(({ at, block }) => blocksOf(block['content'], below(at, 'content')));
  return [
    ...messages.flatMap(roles),
    ...messages.flatMap(order),
    ...messages.flatMap((one, index) => answered(one, messages[index + 1])),
    ...messages.flatMap((one, index) => asked(one, messages[index - 1])),
    ...messages.flatMap(emptyMessage),
    ...outer.flatMap(ids),
    ...outer.flatMap(toolInput),
    ...outer.flatMap(failedResult),
    ...[...outer, ...nested, ...blocksOf(body['system'], '/system')].flatMap(emptyText),
    ...[...outer, ...nested].flatMap(bareData),
    ...lastMessage(messages),
    ...breakpoints(body),
  ];
}

function message(item: Json, at: string): Message[] {
  if (!isObject(item)) return [];
  const content = item['content'];
  return [{ at, role: textOf(item['role']), text: content, blocks: blocksOf(content, below(at, 'content')) }];
}

function blocksOf(content: Json | undefined, at: string): Block[] {
  return items(content).flatMap((block, index) =>
    isObject(block) ? [{ at: below(at, index), type: textOf(block['type']), block }] : [],
  );
}

function ofType(one: Message | undefined, type: string): Block[] {
  return one?.blocks.filter((block) => block.type === type) ?? [];
}

function roles(one: Message): string[] {
  return one.blocks.flatMap(({ at, type }) => {
    if (type === 'tool_result') return unless(one.role === 'user', `${at}: tool_result only in user messages`);
    if (type === 'tool_use') return unless(one.role === 'assistant', `${at}: tool_use only in assistant messages`);
    return unless(one.role !== 'system' || type === 'text', `${at}: system messages are text only`);
  });
}

function order(one: Message): string[] {
  const firstOther = one.blocks.findIndex(({ type }) => type !== 'tool_result');
  const late = firstOther === -1 ? [] : one.blocks.slice(firstOther);
  return late.flatMap(({ at, type }) =>
    unless(type !== 'tool_result', `${at}: tool_result blocks come first in their message`),
  );
}

/** "Each `tool_use` block must have a corresponding `tool_result` block in the next message." */
function answered(one: Message, next: Message | undefined): string[] {
  const results = ofType(next, 'tool_result').map(({ block }) => block['tool_use_id']);
  return ofType(one, 'tool_use').flatMap(({ at, block }) => {
    const count = results.filter((id) => id === block['id']).length;
    return unless(count === 1, `${at}: tool_use has ${count} results in the next message instead of one`);
  });
}

function asked(one: Message, before: Message | undefined): string[] {
  const calls = new Set(ofType(before, 'tool_use').map(({ block }) => textOf(block['id'])));
  return ofType(one, 'tool_result').flatMap(({ at, block }) =>
    unless(calls.has(textOf(block['tool_use_id'])), `${at}: answers no tool_use of the message before`),
  );
}

function ids({ at, type, block }: Block): string[] {
  const field = type === 'tool_use' ? 'id' : 'tool_use_id';
  const id = block[field];
  const good = /^[a-zA-Z0-9_-]{1,64}$/.test(textOf(id));
  return unless(
    (type !== 'tool_use' && type !== 'tool_result') || good,
    `${at}: id ${JSON.stringify(id)} is not allowed`,
  );
}

/** The SDK types `input` as unknown; the API wants an object. */
function toolInput({ at, type, block }: Block): string[] {
  return unless(type !== 'tool_use' || isObject(block['input']), `${below(at, 'input')}: must be an object`);
}

/** "all content must be type 'text' if 'is_error' is true", and there must be some. */
function failedResult({ at, type, block }: Block): string[] {
  if (type !== 'tool_result' || block['is_error'] !== true) return [];
  const content = block['content'];
  const some = textOf(content) !== '' || items(content).length > 0;
  return [
    ...unless(some, `${at}: content cannot be empty if is_error is true`),
    ...blocksOf(content, below(at, 'content')).flatMap((inner) =>
      unless(inner.type === 'text', `${inner.at}: all content must be type text if is_error is true`),
    ),
  ];
}

function bareData({ at, block }: Block): string[] {
  const source = block['source'];
  const good = !isObject(source) || source['type'] !== 'base64' || isBase64(textOf(source['data']));
  return unless(good, `${below(below(at, 'source'), 'data')}: must be bare base64`);
}

function emptyText({ at, type, block }: Block): string[] {
  return unless(type !== 'text' || textOf(block['text']).trim() !== '', `${at}: text must be non-empty`);
}

function emptyMessage(one: Message): string[] {
  return unless(textOf(one.text).trim() !== '' || one.blocks.length > 0, `${one.at}: message must have content`);
}

/** Current models take no words put into their mouth: the last message is not the assistant's. */
function lastMessage(messages: Message[]): string[] {
  const last = messages.at(-1);
  if (last === undefined) return ['/messages: at least one message is required'];
  return unless(last.role !== 'assistant', `${last.at}: the last message must not be the assistant's`);
}

function breakpoints(body: JsonObject): string[] {
  const count = countBreakpoints(body);
  return unless(count <= 4, `/: ${count} cache_control breakpoints, at most 4 are allowed`);
}

function countBreakpoints(node: Json): number {
  if (Array.isArray(node)) return node.reduce<number>((sum, item) => sum + countBreakpoints(item), 0);
  if (!isObject(node)) return 0;
  // Free-form JSON of tools may hold any key.
  const inner = Object.entries(node).filter(([key]) => key !== 'input' && key !== 'input_schema');
  return inner.reduce((sum, [, item]) => sum + countBreakpoints(item), isObject(node['cache_control']) ? 1 : 0);
}
