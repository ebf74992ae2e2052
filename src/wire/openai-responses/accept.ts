// A request of OpenAI's Responses API as a transcript. Its input is one flat list: neighbouring items of the model are
// one message, and items that are more than words and calls keep themselves as a seal.
import type { BlockInput } from '../../content/input.ts';
import { isRecord } from '../../content/json.ts';
import type { Read } from '../../content/refusal.ts';
import type { RequestOptions, ToolChoice } from '../../window/plan-types.ts';
import type { ToolSpec } from '../../tool/tool.ts';
import {
  accepted,
  asUser,
  calledName,
  failed,
  openBody,
  opaque,
  partsOf,
  plainChoice,
  said,
  sealOf,
  systemFirst,
  takeTools,
  toolSpec,
} from '../accepted.ts';
import type { Accepted, Author, Heard, Speaker } from '../accepted.ts';
import { definedOnly, flag, list, string, number, same, taker } from '../fields.ts';
import type { Fields, Taker } from '../fields.ts';
import { readArguments } from '../event-decoder.ts';
import { amongTools, readVerbosity, takeEffort } from '../openai-chat/accept.ts';
import { giveBack } from '../reattach.ts';
import { groupedName, plainTools } from './client-tools.ts';
import { computerCall, computerResult } from './computer.ts';
import { argumentsText, inputSchema } from '../spelling.ts';

export function accept(body: unknown, author: Partial<Author> = {}): Read<Accepted> {
  const opened = openBody(body, 'openai-responses', 'input');
  if (!opened.ok) return opened;
  const fields = taker(opened.value);
  const model = fields.take('model', string);
  const speaker: Speaker = {
    wire: 'openai-responses',
    author: { endpoint: author.endpoint ?? 'openai', model: author.model ?? model ?? '' },
  };
  const instructions = fields.take('instructions', string);
  const tools = takeTools(fields, readTool, writeTool, plainTools);
  const input = fields.take('input', (value) =>
    typeof value === 'string' ? [{ role: 'user', content: value }] : list(value),
  );
  const { system: told, rest } = systemFirst(input ?? [], ['system', 'developer']);
  const system = [instructions, told].filter((text) => text !== undefined).join('\n\n');
  const messages = giveBack(readItems(rest, speaker));
  const options = takeOptions(fields);
  const stream = fields.take('stream', (value) => (typeof value === 'boolean' ? value : undefined)) ?? false;
  fields.take('store', (value) => (value === false ? true : undefined)); // we always say so
  return accepted({ system: system || undefined, tools, messages }, { options, model, stream, extra: fields.rest() });
}

function readTool(tool: unknown): ToolSpec | undefined {
  if (!isRecord(tool) || tool['type'] !== 'function') return undefined;
  return toolSpec(tool['name'], tool['description'], tool['parameters']);
}

function writeTool(tool: ToolSpec): object {
  return {
    type: 'function',
    name: tool.name,
    ...(tool.description && { description: tool.description }),
    parameters: inputSchema(tool),
    strict: false,
  };
}

function readItems(items: readonly unknown[], speaker: Speaker): Heard[] {
  const out: Heard[] = [];
  for (const item of items) {
    const fields = isRecord(item) ? item : { role: 'user', content: item };
    const heard = readItem(fields, out, speaker);
    const last = out.at(-1);
    if (heard.role === 'assistant' && last?.role === 'assistant') last.content.push(...heard.content);
    else out.push(heard);
  }
  return out;
}

function readItem(item: Fields, before: readonly Heard[], speaker: Speaker): Heard {
  const { type, role } = item;
  if (/^(?:function|custom_tool)_call_output$/.test(String(type)) && typeof item['call_id'] === 'string') {
    const callId = item['call_id'];
    const content = partsOf(item['output'], speaker);
    return { role: 'tool', callId, name: calledName(before, callId) ?? 'tool', content, ...failed(content) };
  }
  const screenshot = computerResult(item, speaker);
  if (screenshot) return screenshot;
  const isMessage = type === 'message' || type === undefined;
  if (isMessage && role !== 'assistant' && role !== undefined) return asUser(role, partsOf(item['content'], speaker));
  const model = `${speaker.author.endpoint}/${speaker.author.model}`;
  return { role: 'assistant', model, content: [spoken(item, speaker)] };
}

function spoken(item: Fields, speaker: Speaker): BlockInput {
  const { type, role, content, call_id, name } = item;
  if (role === 'assistant') {
    const parts = typeof content === 'string' ? [content] : list(content).map(wordsIn);
    const text = parts.filter((part) => typeof part === 'string').join('\n');
    return said({ type: 'text', text }, item, { role, content: text }, speaker);
  }
  if (type === 'function_call' && typeof call_id === 'string' && typeof name === 'string') {
    const given = string(item['arguments']) ?? '';
    const input = readArguments(given);
    const ours = { type, call_id, name, arguments: argumentsText(input) };
    const called = groupedName(item['namespace'], name);
    return said({ type: 'call', id: call_id, name: called, input }, item, ours, speaker);
  }
  if (type === 'custom_tool_call' && typeof call_id === 'string' && typeof name === 'string') {
    const call = { type: 'call' as const, id: call_id, name: groupedName(item['namespace'], name) };
    return said({ ...call, input: { input: item['input'] } }, item, undefined, speaker);
  }
  if (type !== 'reasoning') return computerCall(item, (own) => sealOf(own, speaker)) ?? opaque(item, speaker);
  const summary = list(item['summary']).map((part) => (isRecord(part) ? string(part['text']) : undefined));
  return said({ type: 'thinking', text: summary.filter(Boolean).join('\n') }, item, undefined, speaker);
}

/** A refusal stands in a part of its own. */
function wordsIn(part: unknown): unknown {
  return isRecord(part) ? (part['text'] ?? part['refusal']) : part;
}

function takeOptions(fields: Taker): RequestOptions {
  const reasoning = fields.inside('reasoning');
  const thinking = takeEffort(reasoning, 'effort');
  if (thinking) reasoning.take('summary', (value) => (value === 'auto' ? true : undefined));
  const text = fields.inside('text');
  return definedOnly({
    maxTokens: fields.take('max_output_tokens', number),
    temperature: fields.take('temperature', number),
    toolChoice: fields.take('tool_choice', readChoice),
    thinking,
    json: text.take('format', (value) => same(value, { type: 'json_object' }) || undefined),
    output: text.take('format', readFormat),
    verbosity: text.take('verbosity', readVerbosity),
    topP: fields.take('top_p', number),
    parallelCalls: fields.take('parallel_tool_calls', flag),
    user: fields.take('user', string),
  });
}

function readChoice(value: unknown): ToolChoice | undefined {
  const name = isRecord(value) ? string(value['name']) : undefined;
  if (name !== undefined && same(value, { type: 'function', name })) return { tool: name };
  return isRecord(value) && value['type'] === 'allowed_tools' ? amongTools(value) : plainChoice(value);
}

function readFormat(value: unknown): RequestOptions['output'] {
  const { name, schema } = isRecord(value) ? value : {};
  if (typeof name !== 'string' || !isRecord(schema)) return undefined;
  const strict = isRecord(value) ? flag(value['strict']) : undefined;
  const form = { name, schema, ...(strict !== undefined && { strict }) };
  return same(value, { type: 'json_schema', ...form }) ? form : undefined;
}
