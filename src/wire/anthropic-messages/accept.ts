// A request of Anthropic's Messages API as a transcript. Results stand inside user messages and become messages of
// their own; what a model said beyond plain words and calls keeps its item as a seal.
import type { BlockInput } from '../../content/input.ts';
import { isRecord } from '../../content/json.ts';
import { parseBlock } from '../../content/parse.ts';
import type { Read } from '../../content/refusal.ts';
import { effortFor, effortTokens } from '../../window/options.ts';
import type { RequestOptions, ToolChoice } from '../../window/plan-types.ts';
import { efforts } from '../../window/rules.ts';
import type { Effort } from '../../window/rules.ts';
import {
  addAssistant,
  accepted,
  asUser,
  calledName,
  openBody,
  opaque,
  ownedBy,
  said,
  takeTools,
  toolSpec,
  unknownPart,
  withoutMark,
} from '../accepted.ts';
import type { Accepted, Author, Heard, Speaker } from '../accepted.ts';
import { definedOnly, flag, list, string, number, same, taker, takeNearest, textList } from '../fields.ts';
import type { Fields, Taker } from '../fields.ts';
import { giveBack } from '../reattach.ts';
import { inputSchema } from '../spelling.ts';

export function accept(body: unknown, author: Partial<Author> = {}): Read<Accepted> {
  const opened = openBody(body, 'anthropic-messages', 'messages');
  if (!opened.ok) return opened;
  const fields = taker(opened.value);
  const model = fields.take('model', string);
  const speaker: Speaker = {
    wire: 'anthropic-messages',
    author: { endpoint: author.endpoint ?? 'anthropic', model: author.model ?? model ?? '' },
  };
  const system = takeSystem(fields, opened.value['system']);
  const tools = takeTools(
    fields,
    (tool) =>
      isRecord(tool) && isCustom(tool) ? toolSpec(tool['name'], tool['description'], tool['input_schema']) : undefined,
    (tool) => ({
      name: tool.name,
      ...(tool.description && { description: tool.description }),
      input_schema: inputSchema(tool),
    }),
  );
  const messages = fields.take('messages', (value) => readMessages(list(value), speaker)) ?? [];
  const options = takeOptions(fields);
  const stream = fields.take('stream', (value) => (typeof value === 'boolean' ? value : undefined)) ?? false;
  return accepted({ system, tools, messages: giveBack(messages) }, { options, model, stream, extra: fields.rest() });
}

function isCustom(tool: Fields): boolean {
  return tool['type'] === undefined || tool['type'] === 'custom';
}

/** The system prompt as one text. Where it is more than that, its blocks stay in the body's other fields too. */
function takeSystem(fields: Taker, given: unknown): string | undefined {
  const blocks = list(given);
  const texts = blocks.flatMap((block) =>
    isRecord(block) && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  const whole = typeof given === 'string' ? given : blocks.length > 0 ? texts.join('\n\n') : undefined;
  const plain =
    typeof given === 'string' ||
    (blocks.length === 1 && same(withoutMark(blocks[0]), { type: 'text', text: texts[0] }));
  if (plain) fields.take('system', () => true);
  return whole;
}

function readMessages(given: readonly unknown[], speaker: Speaker): Heard[] {
  const out: Heard[] = [];
  for (const message of given) {
    const { role, content } = isRecord(message) ? message : { role: 'user', content: [message] };
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
    if (role === 'assistant') {
      const model = `${speaker.author.endpoint}/${speaker.author.model}`;
      addAssistant(out, { role: 'assistant', model, content: blocks.map((block) => spoken(block, speaker)) });
      continue;
    }
    const read = (item: unknown): BlockInput[] => shown(item).map((block) => ownedBy(block, speaker));
    out.push(...blocks.filter(isResult).map((block) => result(block, out, read)));
    const rest = blocks.filter((block) => !isResult(block)).flatMap(read);
    if (rest.length > 0 || blocks.length === 0) out.push(asUser(role, rest));
  }
  return out;
}

function isResult(block: unknown): block is Fields {
  return isRecord(block) && block['type'] === 'tool_result' && typeof block['tool_use_id'] === 'string';
}

function result(block: Fields, before: readonly Heard[], read: (item: unknown) => BlockInput[]): Heard {
  const callId = string(block['tool_use_id']) ?? '';
  const given = block['content'] ?? [];
  const content = typeof given === 'string' ? [{ type: 'text' as const, text: given }] : list(given).flatMap(read);
  const failed = block['is_error'] === true ? { isError: true } : {};
  return { role: 'tool', callId, name: calledName(before, callId) ?? 'tool', content, ...failed };
}

/** What may stand in a user message or a result. A document may be a list of blocks, and may bring words about itself. */
function shown(item: unknown): BlockInput[] {
  if (!isRecord(item)) return [unknownPart(item)];
  const source = isRecord(item['source']) ? item['source'] : {};
  const about = item['type'] === 'document' ? [item['title'], item['context']] : [];
  const words = about.filter((text) => typeof text === 'string').map((text): BlockInput => ({ type: 'text', text }));
  if (source['type'] === 'content') {
    const inner = source['content'];
    return [...words, ...(typeof inner === 'string' ? [inner] : list(inner)).flatMap(shown)];
  }
  if (source['type'] === 'text') return [...words, { type: 'text', text: string(source['data']) ?? '' }];
  const block = item['type'] === 'tool_use' ? undefined : parseBlock(item);
  if (!block || block.type === 'thinking') return [unknownPart(withoutMark(item))];
  return typeof item['context'] === 'string' ? [{ type: 'text', text: item['context'] }, block] : [block];
}

function spoken(item: unknown, speaker: Speaker): BlockInput {
  const plain = withoutMark(item);
  const { type, text, id, name, input, thinking } = isRecord(item) ? item : {};
  if (type === 'text' && typeof text === 'string') return said({ type, text }, plain, { type, text }, speaker);
  if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string')
    return said({ type: 'call', id, name, input }, plain, { type, id, name, input }, speaker);
  if (type === 'thinking') return said({ type, text: string(thinking) ?? '' }, item, undefined, speaker);
  if (type === 'redacted_thinking')
    return said({ type: 'thinking', text: '', redacted: true }, item, undefined, speaker);
  return opaque(item, speaker);
}

function takeOptions(fields: Taker): RequestOptions {
  const config = fields.inside('output_config');
  const effort = takeNearest(config, 'effort', readEffort, (near) => near);
  const output = config.take('format', readFormat);
  const choice = fields.inside('tool_choice');
  const alone = choice.take('disable_parallel_tool_use', flag);
  const rest = choice.rest();
  const toolChoice = readChoice(rest);
  if (toolChoice) for (const name of Object.keys(rest)) choice.take(name, () => true);
  const thinking = takeThinking(fields, effort);
  return definedOnly({
    maxTokens: fields.take('max_tokens', number),
    temperature: fields.take('temperature', number),
    toolChoice: toolChoice === 'auto' && alone !== undefined ? undefined : toolChoice,
    parallelCalls: alone === undefined ? undefined : !alone,
    thinking,
    output,
    stop: fields.take('stop_sequences', textList),
    topP: fields.take('top_p', number),
    topK: fields.take('top_k', number),
    user: fields.inside('metadata').take('user_id', string),
  });
}

function readChoice(value: unknown): ToolChoice | undefined {
  const { type, name } = isRecord(value) ? value : {};
  if (type === 'tool' && typeof name === 'string' && same(value, { type, name })) return { tool: name };
  if (same(value, { type: 'any' })) return 'required';
  return same(value, { type: 'auto' }) ? 'auto' : same(value, { type: 'none' }) ? 'none' : undefined;
}

export function readEffort(value: unknown): Effort | undefined {
  return value === 'off' ? undefined : efforts.find((effort) => effort === value);
}

function readFormat(value: unknown): RequestOptions['output'] {
  if (!isRecord(value) || value['type'] !== 'json_schema' || !isRecord(value['schema'])) return undefined;
  const { schema } = value;
  return same(value, { type: 'json_schema', schema }) ? { schema } : undefined;
}

/** Claude's thinking, also where its budget is one that no effort has, or more is said of it than we would say. */
export function takeThinking(fields: Taker, effort: Effort | undefined): Effort | undefined {
  return takeNearest(fields, 'thinking', (value) => readThinking(value, effort), writtenThinking) ?? effort;
}

function readThinking(value: unknown, effort: Effort = 'high'): Effort | undefined {
  const { type, budget_tokens: tokens } = isRecord(value) ? value : {};
  if (type === 'disabled') return 'off';
  if (type === 'adaptive') return effort;
  return typeof tokens === 'number' ? effortFor(tokens) : undefined;
}

function writtenThinking(effort: Effort, value: unknown): object {
  if (effort === 'off') return { type: 'disabled' };
  const { type, display } = isRecord(value) ? value : {};
  if (type === 'enabled') return { type, budget_tokens: effortTokens[effort] };
  return { type: 'adaptive', ...(display === 'summarized' && { display }) }; // as every Claude is asked to
}
