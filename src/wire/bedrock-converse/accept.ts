// A request of Amazon Bedrock's Converse API as a transcript. The model's name and whether to stream stand in the
// address. Results stand inside user messages and become messages of their own.
import { decodeBase64 } from '../../content/base64.ts';
import type { MediaKind } from '../../content/block.ts';
import { isMediaKind } from '../../content/block.ts';
import type { BlockInput } from '../../content/input.ts';
import { isRecord, toJsonText } from '../../content/json.ts';
import type { Read } from '../../content/refusal.ts';
import type { RequestOptions, ToolChoice } from '../../window/plan-types.ts';
import {
  accepted,
  addAssistant,
  asUser,
  calledName,
  openBody,
  opaque,
  said,
  takeTools,
  toolSpec,
  unknownPart,
} from '../accepted.ts';
import type { Accepted, Author, Heard, Speaker } from '../accepted.ts';
import { readEffort, takeThinking } from '../anthropic-messages/accept.ts';
import { definedOnly, list, number, same, string, taker, takeNearest, textList } from '../fields.ts';
import type { Fields, Taker } from '../fields.ts';
import { giveBack } from '../reattach.ts';
import { inputSchema } from '../spelling.ts';
import { typeOfFormat } from './formats.ts';

export function accept(body: unknown, author: Partial<Author> = {}): Read<Accepted> {
  const opened = openBody(body, 'bedrock-converse', 'messages');
  if (!opened.ok) return opened;
  const fields = taker(opened.value);
  const model = fields.take('modelId', string) ?? author.model;
  const speaker: Speaker = {
    wire: 'bedrock-converse',
    author: { endpoint: author.endpoint ?? 'bedrock', model: model ?? '' },
  };
  const system = takeSystem(fields);
  const config = fields.inside('toolConfig');
  const tools = takeTools(
    config,
    (tool) => {
      const spec = isRecord(tool) && isRecord(tool['toolSpec']) ? tool['toolSpec'] : {};
      const schema = isRecord(spec['inputSchema']) ? spec['inputSchema']['json'] : undefined;
      return toolSpec(spec['name'], spec['description'], schema);
    },
    (tool) => ({
      toolSpec: {
        name: tool.name,
        ...(tool.description && { description: tool.description }),
        inputSchema: { json: inputSchema(tool) },
      },
    }),
    (given) => given.filter((tool) => !isMark(tool)),
  );
  const messages = fields.take('messages', (value) => readMessages(list(value), speaker)) ?? [];
  const options = takeOptions(fields, config);
  return accepted(
    { system, tools, messages: giveBack(messages) },
    { options, model, stream: false, extra: fields.rest() },
  );
}

/** A cache mark: where to put those is for the planner to say. */
function isMark(block: unknown): boolean {
  return isRecord(block) && isRecord(block['cachePoint']) && Object.keys(block).length === 1;
}

function takeSystem(fields: Taker): string | undefined {
  return (
    fields.take('system', (value) => {
      const blocks = list(value).filter((block) => !isMark(block));
      const texts = blocks.map((block) => (isRecord(block) ? string(block['text']) : undefined));
      return texts.every((text) => text !== undefined) ? texts.join('\n\n') : undefined;
    }) || undefined
  );
}

function readMessages(given: readonly unknown[], speaker: Speaker): Heard[] {
  const out: Heard[] = [];
  for (const message of given) {
    const { role, content } = isRecord(message) ? message : { role: 'user', content: [message] };
    const blocks = list(content).filter((block) => !isMark(block));
    if (role === 'assistant') {
      const model = `${speaker.author.endpoint}/${speaker.author.model}`;
      addAssistant(out, { role: 'assistant', model, content: blocks.map((block) => spoken(block, speaker)) });
      continue;
    }
    const results = blocks.filter(isResult);
    out.push(...results.map(({ toolResult }) => result(toolResult, out, speaker)));
    const rest = blocks.filter((block) => !isResult(block)).flatMap((block) => shown(block, speaker));
    if (rest.length > 0 || results.length === 0) out.push(asUser(role, rest));
  }
  return out;
}

function isResult(block: unknown): block is { toolResult: Fields } {
  return isRecord(block) && isRecord(block['toolResult']) && typeof block['toolResult']['toolUseId'] === 'string';
}

function result({ toolUseId, content, status }: Fields, before: readonly Heard[], speaker: Speaker): Heard {
  const callId = string(toolUseId) ?? '';
  const name = calledName(before, callId) ?? 'tool';
  const blocks = list(content).flatMap((block) => shown(block, speaker));
  return { role: 'tool', callId, name, content: blocks, ...(status === 'error' && { isError: true }) };
}

/** What may stand in a user message or a result. */
function shown(block: unknown, speaker: Speaker): BlockInput[] {
  if (!isRecord(block) || Object.keys(block).length !== 1) return [unknownPart(block)];
  const { text, json } = block;
  if (typeof text === 'string') return [{ type: 'text', text }];
  if (json !== undefined) return [{ type: 'text', text: toJsonText(json) }];
  const [kind = '', held] = Object.entries(block)[0] ?? [];
  return isMediaKind(kind) && isRecord(held) ? medium(kind, held, speaker) : [unknownPart(block)];
}

function asText(text: unknown): BlockInput[] {
  return typeof text === 'string' ? [{ type: 'text', text }] : [];
}

function medium(kind: MediaKind, held: Fields, { author: { endpoint } }: Speaker): BlockInput[] {
  const source = isRecord(held['source']) ? held['source'] : {};
  const format = string(held['format']) ?? '';
  const mediaType = typeOfFormat(kind, format);
  const given = string(held['name']);
  const name = given === undefined ? {} : { name: format === '' ? given : `${given}.${format}` };
  const about = asText(held['context']);
  const named = [...asText(given), ...about]; // where a document is nothing but words
  const { bytes, s3Location, text, content } = source;
  if (typeof text === 'string') return [...named, { type: 'text', text }];
  if (Array.isArray(content)) return [...named, ...content.flatMap((one) => shown(one, { wire: 'bedrock-converse', author: { endpoint, model: '' } }))]; // prettier-ignore
  if (isRecord(s3Location) && typeof s3Location['uri'] === 'string')
    return [...about, { type: kind, mediaType, ...name, file: { endpoint, id: s3Location['uri'] } }];
  const data = bytes instanceof Uint8Array ? bytes : string(bytes);
  if (data === undefined) return [unknownPart({ [kind]: held })];
  const words = mediaType.startsWith('text/') && typeof data === 'string' ? decodeBase64(data) : undefined;
  if (words) return [...named, { type: 'text', text: new TextDecoder().decode(words) }];
  return [...about, { type: kind, mediaType, ...name, data }];
}

function spoken(block: unknown, speaker: Speaker): BlockInput {
  const { text, toolUse, reasoningContent } = isRecord(block) ? block : {};
  if (typeof text === 'string') return said({ type: 'text', text }, block, { text }, speaker);
  if (isRecord(toolUse) && toolUse['type'] !== 'server_tool_use') {
    const { toolUseId, name, input } = toolUse;
    const call = { type: 'call' as const, id: string(toolUseId) ?? '', name: string(name) ?? 'tool', input };
    return said(call, block, { toolUse: { toolUseId, name, input } }, speaker);
  }
  if (!isRecord(reasoningContent)) return opaque(block, speaker);
  const { reasoningText, redactedContent } = reasoningContent;
  if (redactedContent !== undefined)
    return said({ type: 'thinking', text: '', redacted: true }, block, undefined, speaker);
  const words = isRecord(reasoningText) ? string(reasoningText['text']) : undefined;
  const signed = isRecord(reasoningText) && typeof reasoningText['signature'] === 'string';
  const thought = { type: 'thinking' as const, text: words ?? '' };
  return signed ? said(thought, block, undefined, speaker) : thought;
}

function takeOptions(fields: Taker, config: Taker): RequestOptions {
  const inference = fields.inside('inferenceConfig');
  const extra = fields.inside('additionalModelRequestFields');
  const effort = takeNearest(extra.inside('output_config'), 'effort', readEffort, (near) => near);
  return definedOnly({
    maxTokens: inference.take('maxTokens', number),
    temperature: inference.take('temperature', number),
    topP: inference.take('topP', number),
    stop: inference.take('stopSequences', textList),
    toolChoice: config.take('toolChoice', readChoice),
    thinking: takeThinking(extra, effort) ?? takeNearest(extra, 'reasoning_effort', readEffort, (near) => near),
    output: fields.inside('outputConfig').take('textFormat', readFormat),
  });
}

function readChoice(value: unknown): ToolChoice | undefined {
  const { tool } = isRecord(value) ? value : {};
  if (isRecord(tool) && typeof tool['name'] === 'string') return { tool: tool['name'] };
  return same(value, { any: {} }) ? 'required' : same(value, { auto: {} }) ? 'auto' : undefined;
}

function readFormat(value: unknown): RequestOptions['output'] {
  const structure = isRecord(value) && isRecord(value['structure']) ? value['structure']['jsonSchema'] : undefined;
  const { schema, name } = isRecord(structure) ? structure : {};
  if (typeof schema !== 'string') return undefined;
  try {
    const read: unknown = JSON.parse(schema);
    return isRecord(read) ? { schema: read, ...(typeof name === 'string' && { name }) } : undefined;
  } catch {
    return undefined;
  }
}
