// Bedrock Converse: pairing, order and content rules, with the provider's own words where they are known.

import { unless } from './complaint.ts';
import { below, isObject, items, textOf } from './json.ts';
import type { Json, JsonObject } from './json.ts';

type Block = { readonly at: string; readonly kind: string; readonly held: Json; readonly block: JsonObject };
type Message = { readonly at: string; readonly role: string; readonly blocks: Block[] };

export function converseRules(body: JsonObject): string[] {
  const messages = items(body['messages']).flatMap((item, index) => message(item, below('/messages', index)));
  const outer = messages.flatMap(({ blocks }) => blocks);
  const nested = outer.flatMap(({ at, kind, held }) =>
    kind === 'toolResult' && isObject(held) ? blocksOf(held['content'], below(below(at, kind), 'content')) : [],
  );
  return [
    ...unless(messages.length > 0, '/messages: at least one message is required'),
    ...unless(messages.at(-1)?.role !== 'assistant', '/messages: a conversation must end with a user message'),
    ...unless(messages[0]?.role !== 'assistant', '/messages: a conversation must start with a user message'),
    ...messages.flatMap((one, index) => alternation(one, messages[index - 1])),
    ...messages.flatMap((one, index) => answered(one, messages[index + 1])),
    ...messages.flatMap((one, index) => asked(one, messages[index - 1])),
    ...messages.flatMap(standing),
    ...outer.flatMap(ids),
    ...[...outer, ...nested, ...blocksOf(body['system'], '/system')].flatMap(blank),
    ...names([...outer, ...nested]),
    ...tools(body, outer),
    ...schemas(body),
    ...marks(body),
  ];
}

function message(item: Json, at: string): Message[] {
  if (!isObject(item)) return [];
  return [{ at, role: textOf(item['role']), blocks: blocksOf(item['content'], below(at, 'content')) }];
}

function blocksOf(content: Json | undefined, at: string): Block[] {
  return items(content).flatMap((block, index) => {
    const [kind = '', held = null] = isObject(block) ? (Object.entries(block)[0] ?? []) : [];
    return isObject(block) ? [{ at: below(at, index), kind, held, block }] : [];
  });
}

function of(one: Message | undefined, kind: string): { at: string; held: JsonObject }[] {
  const found = one?.blocks.filter((block) => block.kind === kind) ?? [];
  return found.flatMap(({ at, held }) => (isObject(held) ? [{ at, held }] : []));
}

function alternation(one: Message, before: Message | undefined): string[] {
  return unless(one.role !== before?.role, `${one.at}: roles must alternate`);
}

/** "Expected toolResult blocks at messages.2.content for the following Ids". */
function answered(one: Message, next: Message | undefined): string[] {
  const results = of(next, 'toolResult').map(({ held }) => held['toolUseId']);
  return of(one, 'toolUse').flatMap(({ at, held }) => {
    if (held['type'] === 'server_tool_use') return [];
    const count = results.filter((id) => id === held['toolUseId']).length;
    return unless(count === 1, `${at}: toolUse has ${count} results in the next message instead of one`);
  });
}

function asked(one: Message, before: Message | undefined): string[] {
  if (one.role !== 'user') return [];
  const calls = new Set(of(before, 'toolUse').map(({ held }) => textOf(held['toolUseId'])));
  return of(one, 'toolResult').flatMap(({ at, held }) =>
    unless(calls.has(textOf(held['toolUseId'])), `${at}: answers no toolUse of the message before`),
  );
}

/** Where each kind of block may stand, how many, and what a document needs beside it. */
function standing(one: Message): string[] {
  const images = of(one, 'image').length;
  const documents = of(one, 'document').length;
  const isUser = one.role === 'user';
  const misplaced = one.blocks.filter(({ kind }) =>
    isUser
      ? kind === 'toolUse' || kind === 'reasoningContent'
      : ['image', 'document', 'video', 'cachePoint'].includes(kind),
  );
  return [
    ...unless(one.blocks.length > 0, `${one.at}: content is empty`),
    ...misplaced.map(({ at, kind }) => `${at}: ${kind} may not stand here`),
    ...unless(images <= 20, `${one.at}: ${images} images, at most 20 are allowed`),
    ...unless(documents <= 5, `${one.at}: ${documents} documents, at most 5 are allowed`),
    ...unless(documents === 0 || has(one, 'text'), `${one.at}: a message with a document must hold text`),
  ];
}

function has(one: Message, kind: string): boolean {
  return one.blocks.some((block) => block.kind === kind);
}

function ids({ at, kind, held }: Block): string[] {
  if ((kind !== 'toolUse' && kind !== 'toolResult') || !isObject(held)) return [];
  const id = held['toolUseId'];
  const good = /^[a-zA-Z0-9_-]{1,64}$/.test(textOf(id));
  return [
    ...unless(good, `${at}: toolUseId ${JSON.stringify(id)} is not allowed`),
    ...unless(kind !== 'toolUse' || isObject(held['input']), `${at}: the input of a toolUse must be an object`),
    ...unless(kind !== 'toolResult' || items(held['content']).length > 0, `${at}: a toolResult must hold something`),
  ];
}

/** "The text field in the ContentBlock object is blank." */
function blank({ at, kind, held }: Block): string[] {
  return unless(kind !== 'text' || textOf(held).trim() !== '', `${at}: the text field is blank`);
}

/** "alphanumeric characters, whitespace characters (no more than one in a row), hyphens, parentheses, square brackets". */
function names(blocks: readonly Block[]): string[] {
  const seen = new Set<string>();
  return blocks.flatMap(({ at, kind, held }) => {
    if (kind !== 'document' || !isObject(held)) return [];
    const name = textOf(held['name']);
    const isNew = !seen.has(name);
    seen.add(name);
    return [
      ...unless(
        /^[A-Za-z0-9()[\]-]+(?: [A-Za-z0-9()[\]-]+)*$/.test(name) && name.length <= 200,
        `${at}: the name "${name}" is not allowed`,
      ),
      ...unless(isNew, `${at}: a second document has the name "${name}"`),
    ];
  });
}

/** "The toolConfig field must be defined when using toolUse and toolResult content blocks." */
function tools(body: JsonObject, outer: readonly Block[]): string[] {
  const uses = outer.some(({ kind }) => kind === 'toolUse' || kind === 'toolResult');
  return unless(
    !uses || isObject(body['toolConfig']),
    '/toolConfig: must be defined when toolUse and toolResult are used',
  );
}

/** The model of the SDK takes any JSON there. */
function schemas(body: JsonObject): string[] {
  const config = body['toolConfig'];
  return items(isObject(config) ? config['tools'] : []).flatMap((tool, index) => {
    const spec = isObject(tool) && isObject(tool['toolSpec']) ? tool['toolSpec'] : {};
    const schema = isObject(spec['inputSchema']) ? spec['inputSchema']['json'] : undefined;
    return unless(schema === undefined || isObject(schema), `/toolConfig/tools/${index}: the schema must be an object`);
  });
}

function marks(body: JsonObject): string[] {
  const count = JSON.stringify(body).split('"cachePoint":').length - 1;
  return unless(count <= 4, `/: ${count} cache points, at most 4 are allowed`);
}
