// A request of Ollama's /api/chat as a transcript. Text and media of a message travel apart; media of a result go where
// its notes stand.
import type { BlockInput } from '../../content/input.ts';
import { isRecord, toJsonText } from '../../content/json.ts';
import type { Read } from '../../content/refusal.ts';
import type { RequestOptions } from '../../window/plan-types.ts';
import type { Effort } from '../../window/rules.ts';
import {
  accepted,
  asUser,
  calledName,
  failed,
  functionTool,
  openBody,
  sealOf,
  systemFirst,
  takeTools,
  unknownPart,
} from '../accepted.ts';
import type { Accepted, Author, Heard, Speaker } from '../accepted.ts';
import { definedOnly, list, string, number, taker, textList } from '../fields.ts';
import type { Fields, Taker } from '../fields.ts';
import { giveBack, placeAttached } from '../reattach.ts';
import { inputSchema } from '../spelling.ts';

export function accept(body: unknown, author: Partial<Author> = {}): Read<Accepted> {
  const opened = openBody(body, 'ollama', 'messages');
  if (!opened.ok) return opened;
  const fields = taker(opened.value);
  const model = fields.take('model', string);
  const speaker: Speaker = {
    wire: 'ollama',
    author: { endpoint: author.endpoint ?? 'ollama', model: author.model ?? model ?? '' },
  };
  const tools = takeTools(fields, functionTool, (tool) => ({
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: inputSchema(tool) },
  }));
  const { system, rest } = systemFirst(fields.take('messages', list) ?? [], ['system']);
  const messages: Heard[] = [];
  for (const message of rest)
    messages.push(readMessage(isRecord(message) ? message : { content: message }, messages, speaker));
  const options = takeOptions(fields);
  const stream = fields.take('stream', (value) => (typeof value === 'boolean' ? value : undefined)) ?? true;
  fields.take('truncate', (value) => (value === false ? true : undefined)); // we always say so
  return accepted({ system, tools, messages: giveBack(messages) }, { options, model, stream, extra: fields.rest() });
}

function readMessage(message: Fields, before: readonly Heard[], speaker: Speaker): Heard {
  const { role, content: given } = message;
  const text = string(given) ?? (given === undefined || given === null ? '' : toJsonText(given));
  const media = list(message['images']).map((data): BlockInput =>
    typeof data === 'string' ? { type: 'image', data } : unknownPart(data),
  );
  if (role === 'assistant') {
    const model = `${speaker.author.endpoint}/${speaker.author.model}`;
    return {
      role,
      model,
      content: [
        ...thoughtsIn(message['thinking'], speaker),
        ...words(text),
        ...media,
        ...calls(message, before.length),
      ],
    };
  }
  if (role === 'tool') {
    const name = string(message['tool_name']) ?? string(message['name']);
    const callId = string(message['tool_call_id']) ?? nextOpen(before, name);
    const content = placeAttached(text, media);
    return {
      role,
      callId,
      name: name ?? calledName(before, callId) ?? 'tool',
      content,
      ...(media.length === 0 && failed(content)),
    };
  }
  return asUser(role, [...words(text), ...media]);
}

function words(text: string): BlockInput[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function thoughtsIn(text: unknown, speaker: Speaker): BlockInput[] {
  if (typeof text !== 'string' || text === '') return [];
  return [{ type: 'thinking', text, seal: sealOf({ thinking: text }, speaker) }];
}

/** Calls may come without ids; each then gets one from its place, and results are matched by their tool's name. */
function calls(message: Fields, at: number): BlockInput[] {
  return list(message['tool_calls']).map((item, index) => {
    const { name, arguments: input } = isRecord(item) && isRecord(item['function']) ? item['function'] : {};
    if (typeof name !== 'string') return unknownPart(item);
    const id = (isRecord(item) ? string(item['id']) : undefined) ?? `call_${at}_${index}`;
    return { type: 'call', id, name, input };
  });
}

/** The first call of the last turn that this tool has not answered yet. */
function nextOpen(before: readonly Heard[], name: string | undefined): string {
  const turn = before.findLastIndex((message) => message.role === 'assistant');
  const results = before.slice(turn + 1).flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
  const answered = new Set(results);
  const open = (before[turn]?.content ?? []).filter((block) => block.type === 'call' && !answered.has(block.id));
  const mine =
    open.find((block) => block.type === 'call' && block.name === name) ?? (name === undefined ? open[0] : undefined);
  return mine?.type === 'call' ? mine.id : '';
}

function takeOptions(fields: Taker): RequestOptions {
  const settings = fields.inside('options');
  const schema = fields.take('format', (value) => (isRecord(value) ? value : undefined));
  return definedOnly({
    maxTokens: settings.take('num_predict', number),
    temperature: settings.take('temperature', number),
    thinking: fields.take('think', readThink),
    output: schema && { schema },
    json: fields.take('format', (value) => (value === 'json' ? true : undefined)),
    stop: settings.take('stop', textList),
    topP: settings.take('top_p', number),
    topK: settings.take('top_k', number),
    seed: settings.take('seed', number),
  });
}

function readThink(value: unknown): Effort | undefined {
  if (value === false) return 'off';
  if (value === true) return 'high';
  return value === 'low' || value === 'medium' || value === 'high' || value === 'max' ? value : undefined;
}
