// A request of OpenAI's Chat Completions API as a transcript. Words of the system at the head are the system prompt;
// fields of an assistant's message that the API does not know, such as a server's reasoning, go back as they came.
import type { BlockInput } from '../../content/input.ts';
import { isRecord } from '../../content/json.ts';
import type { Read } from '../../content/refusal.ts';
import type { RequestOptions, ToolChoice } from '../../window/plan-types.ts';
import { efforts } from '../../window/rules.ts';
import type { Effort } from '../../window/rules.ts';
import {
  accepted,
  asUser,
  calledName,
  failed,
  functionTool,
  openBody,
  partsOf,
  plainChoice,
  said,
  sealOf,
  systemFirst,
  takeTools,
} from '../accepted.ts';
import type { Accepted, Author, Heard, Speaker } from '../accepted.ts';
import { definedOnly, flag, list, string, number, same, taker, takeNearest, textList } from '../fields.ts';
import type { Fields, Taker } from '../fields.ts';
import { readArguments } from '../event-decoder.ts';
import { giveBack } from '../reattach.ts';
import { argumentsText, inputSchema } from '../spelling.ts';

export function accept(body: unknown, author: Partial<Author> = {}): Read<Accepted> {
  const opened = openBody(body, 'openai-chat', 'messages');
  if (!opened.ok) return opened;
  const fields = taker(opened.value);
  const model = fields.take('model', string);
  const speaker: Speaker = {
    wire: 'openai-chat',
    author: { endpoint: author.endpoint ?? 'openai-chat', model: author.model ?? model ?? '' },
  };
  const tools = takeTools(fields, functionTool, (tool) => ({
    type: 'function',
    function: {
      name: tool.name,
      ...(tool.description && { description: tool.description }),
      parameters: inputSchema(tool),
    },
  }));
  const given = fields.take('messages', list) ?? [];
  const { system, rest } = systemFirst(given, ['system', 'developer']);
  const messages: Heard[] = [];
  for (const message of rest)
    messages.push(readMessage(isRecord(message) ? message : { content: message }, messages, speaker));
  const options = takeOptions(fields);
  const stream = fields.take('stream', (value) => (typeof value === 'boolean' ? value : undefined)) ?? false;
  return accepted({ system, tools, messages: giveBack(messages) }, { options, model, stream, extra: fields.rest() });
}

function readMessage(message: Fields, before: readonly Heard[], speaker: Speaker): Heard {
  const { role } = message;
  if (role === 'assistant') {
    const model = `${speaker.author.endpoint}/${speaker.author.model}`;
    return { role, model, content: spoken(message, speaker) };
  }
  const content = partsOf(message['content'], speaker);
  if (role === 'tool' || role === 'function') {
    const callId = string(message['tool_call_id']) ?? '';
    const name = string(message['name']) ?? calledName(before, callId) ?? 'tool';
    return { role: 'tool', callId, name, content, ...failed(content) };
  }
  return asUser(role, content);
}

/** The fields of an assistant's message that we write ourselves. */
const known = new Set(['role', 'content', 'tool_calls', 'refusal', 'annotations', 'audio', 'name', 'function_call']);

function spoken(message: Fields, speaker: Speaker): BlockInput[] {
  const { content, refusal } = message;
  const other = Object.entries(message).filter(([field, value]) => !known.has(field) && value !== null);
  const named = ['audio', 'name', 'function_call'].flatMap((field) =>
    message[field] ? [[field, message[field]]] : [],
  );
  const thoughts = other.find(([, value]) => typeof value === 'string' && value !== '');
  const kept = Object.fromEntries([...other, ...named]);
  const words = partsOf(content, speaker).flatMap((block): BlockInput[] =>
    block.type === 'text' && block.text === '' ? [] : [block],
  );
  return [
    ...thoughtsIn(kept, string(thoughts?.[1]), speaker),
    ...words,
    ...(typeof refusal === 'string' && refusal !== '' ? [{ type: 'text' as const, text: refusal }] : []),
    ...list(message['tool_calls']).map((call) => callOf(call, speaker)),
  ];
}

function thoughtsIn(kept: Fields, text: string | undefined, speaker: Speaker): BlockInput[] {
  if (Object.keys(kept).length === 0) return [];
  return [{ type: 'thinking', text: text ?? '', seal: sealOf(kept, speaker) }];
}

/** A call of a function, or of a custom tool, which has words for its input. */
function callOf(item: unknown, speaker: Speaker): BlockInput {
  const call = isRecord(item) ? item : {};
  const called = [call['function'], call['custom']].find(isRecord) ?? {};
  const id = string(call['id']) ?? '';
  const name = string(called['name']) ?? '';
  const given = called['arguments'] ?? called['input'];
  const input = typeof given === 'string' && called === call['function'] ? readArguments(given) : given;
  const ours = { id, type: 'function', function: { name, arguments: argumentsText(input) } };
  return said({ type: 'call', id, name, input }, item, ours, speaker);
}

function takeOptions(fields: Taker): RequestOptions {
  const maxTokens = fields.take('max_completion_tokens', number) ?? fields.take('max_tokens', number);
  const json = fields.take('response_format', (value) => same(value, { type: 'json_object' }) || undefined);
  return definedOnly({
    maxTokens,
    temperature: fields.take('temperature', number),
    toolChoice: fields.take('tool_choice', readChoice),
    thinking: takeEffort(fields, 'reasoning_effort'),
    output: fields.take('response_format', readFormat),
    json,
    stop: fields.take('stop', textList),
    topP: fields.take('top_p', number),
    seed: fields.take('seed', number),
    parallelCalls: fields.take('parallel_tool_calls', flag),
    verbosity: fields.take('verbosity', readVerbosity),
    user: fields.take('user', string),
  });
}

/** OpenAI's words for how much is said. */
export function readVerbosity(value: unknown): RequestOptions['verbosity'] {
  return value === 'low' || value === 'medium' || value === 'high' ? value : undefined;
}

function readChoice(value: unknown): ToolChoice | undefined {
  const name = isRecord(value) && isRecord(value['function']) ? string(value['function']['name']) : undefined;
  if (name !== undefined && same(value, { type: 'function', function: { name } })) return { tool: name };
  const { type, allowed_tools: allowed } = isRecord(value) ? value : {};
  return type === 'allowed_tools' ? amongTools(allowed) : plainChoice(value);
}

/** OpenAI's choice among some tools: both of its APIs list them, one of them one level deeper. */
export function amongTools(value: unknown): ToolChoice | undefined {
  const { mode, tools } = isRecord(value) ? value : {};
  const names = list(tools).map((tool) => {
    const { name, function: called } = isRecord(tool) ? tool : {};
    return string(name) ?? (isRecord(called) ? string(called['name']) : undefined);
  });
  const among = names.filter((name) => name !== undefined);
  return among.length === 0 ? undefined : { among, ...(mode === 'required' && { required: true }) };
}

/** OpenAI's words for how much a model thinks, of which it has one more than there are here. */
export function takeEffort(fields: Taker, name: string): Effort | undefined {
  return takeNearest(fields, name, readEffort, (near) => (near === 'off' ? 'none' : near));
}

function readEffort(value: unknown): Effort | undefined {
  if (value === 'none') return 'off';
  if (value === 'minimal') return 'low';
  return value === 'off' ? undefined : efforts.find((effort) => effort === value);
}

function readFormat(value: unknown): RequestOptions['output'] {
  const { name, schema } = isRecord(value) && isRecord(value['json_schema']) ? value['json_schema'] : {};
  if (typeof name !== 'string' || !isRecord(schema)) return undefined;
  const strict = isRecord(value) && isRecord(value['json_schema']) ? flag(value['json_schema']['strict']) : undefined;
  const form = { name, schema, ...(strict !== undefined && { strict }) };
  return same(value, { type: 'json_schema', json_schema: form }) ? form : undefined;
}
