// The other side of a request: a provider's body read into our terms. Nothing is lost: what has no place here is kept
// as it came, blocks of a model under a seal, others named and as JSON, and fields of the body in `extra`. This is what
// the readers share.
import type { CallBlock, Seal, SealedBlock, TextBlock, ThinkingBlock } from '../content/block.ts';
import { roleNote, unknownNote } from '../content/words.ts';
import type { BlockInput } from '../content/input.ts';
import { deeperThan, isRecord, toJsonText } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import { parseBlock } from '../content/parse.ts';
import { refuse } from '../content/refusal.ts';
import type { Read } from '../content/refusal.ts';
import { cutText } from '../content/text.ts';
import type { MessageInput, TranscriptInput } from '../message/message.ts';
import type { ToolSpec } from '../tool/tool.ts';
import type { RequestOptions, ToolChoice } from '../window/plan-types.ts';
import type { WireName } from '../window/profile.ts';
import { list, same, string } from './fields.ts';
import type { Fields, Taker } from './fields.ts';

/** What a server understood of a client's body. */
export type Accepted = {
  transcript: TranscriptInput;
  options: RequestOptions;
  model?: string;
  stream: boolean;
  /** Fields of the body that have no place here, as they came: a request for the same wire takes them over as they are. */
  extra: Fields;
};

/** A message as a reader makes it: its content is always a list. */
export type Heard = Listed<MessageInput>;

type Listed<Kind> = Kind extends unknown ? Omit<Kind, 'content'> & { content: BlockInput[] } : never;

/** A body with the list that makes it one of this wire, or why it is none. */
export function openBody(body: unknown, wire: WireName, listed: string): Read<Fields> {
  const next = `A request of ${wire} is a JSON object with a list called "${listed}".`;
  const no = (what: string): Read<never> => refuse('bad-transcript', `This is no request of ${wire}: ${what}`, next);
  if (!isRecord(body)) return no('it is not a JSON object');
  if (deeperThan(body, maxDepth)) return no(`it is nested deeper than ${maxDepth} levels`);
  if (Array.isArray(body[listed]) || (wire === 'openai-responses' && typeof body[listed] === 'string'))
    return { ok: true, value: body };
  return no(`"${listed}" is ${body[listed] === undefined ? 'missing' : 'not a list'}`);
}

const maxDepth = 500;

/** Who answers: its seals carry these names, and go back to nobody else. */
export type Author = { endpoint: string; model: string };

/** Who is taken to have said the assistant's part: seals carry these names. */
export type Speaker = { wire: WireName; author: Author };

export function sealOf(item: unknown, { wire, author }: Speaker): Seal {
  return { wire, endpoint: author.endpoint, model: author.model, item: item as Json };
}

/** A block of a model. It is sealed with the item it came as, unless our own words for it give that item back. */
export function said<Said extends TextBlock | ThinkingBlock | CallBlock>(
  block: Said,
  item: unknown,
  ours: unknown,
  speaker: Speaker,
): Said {
  return same(item, ours) ? block : { ...block, seal: sealOf(item, speaker) };
}

/** Adds what the assistant said. Messages that follow each other are one turn for the API, so calls of both may be
 * answered together after the last: then they are one message here, too. */
export function addAssistant(out: Heard[], message: Extract<Heard, { role: 'assistant' }>): void {
  const last = out.at(-1);
  if (last?.role !== 'assistant' || !last.content.some(({ type }) => type === 'call')) out.push(message);
  else out[out.length - 1] = { ...last, content: [...last.content, ...message.content] };
}

/** An item of a provider that means nothing here. */
export function opaque(item: unknown, speaker: Speaker): SealedBlock {
  return { type: 'sealed', seal: sealOf(item, speaker) };
}

/** The tools of a body. Where they say more than we would, the list also stays in the body's other fields. */
export function takeTools(
  fields: Taker,
  read: (tool: unknown) => ToolSpec | undefined,
  write: (tool: ToolSpec) => unknown,
  plain: (tools: unknown[]) => unknown[] = (tools) => tools,
): ToolSpec[] {
  let specs: ToolSpec[] = [];
  fields.take('tools', (value) => {
    const items = list(value);
    specs = plain(items)
      .map(read)
      .filter((tool) => tool !== undefined);
    return same(items.map(withoutMark), specs.map(write)) ? specs : undefined;
  });
  return specs;
}

/** An item without its cache mark: where to put those is for the planner to say. */
export function withoutMark(item: unknown): unknown {
  if (!isRecord(item) || !('cache_control' in item)) return item;
  const { cache_control: _, ...rest } = item;
  return rest;
}

export function toolSpec(name: unknown, description: unknown, schema: unknown): ToolSpec | undefined {
  if (typeof name !== 'string') return undefined;
  const inputSchema = isRecord(schema) ? schema : { type: 'object', properties: {} };
  return { name, description: string(description) ?? '', inputSchema };
}

/** A tool as OpenAI's chat API and Ollama spell it: all about it lies in `function`. */
export function functionTool(tool: unknown): ToolSpec | undefined {
  const { name, description, parameters } = isRecord(tool) && isRecord(tool['function']) ? tool['function'] : {};
  return toolSpec(name, description, parameters);
}

/** OpenAI's spelling of a tool choice; both of its APIs put the name of a tool in a place of their own. */
export function plainChoice(value: unknown): ToolChoice | undefined {
  return value === 'auto' || value === 'none' || value === 'required' ? value : undefined;
}

/** The name of the tool that a call with this id asked for. */
export function calledName(messages: readonly Heard[], callId: string): string | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const call = messages[at]?.content.findLast((block) => block.type === 'call' && block.id === callId);
    if (call?.type === 'call') return call.name;
  }
  return undefined;
}

/** The parts of a message in OpenAI's spelling; a refusal is words, too. */
export function partsOf(given: unknown, speaker: Speaker): BlockInput[] {
  return list(given).map((part): BlockInput => {
    const declined = isRecord(part) && part['type'] === 'refusal' ? string(part['refusal']) : undefined;
    if (declined !== undefined) return { type: 'text', text: declined };
    const block = parseBlock(part);
    return block && block.type !== 'call' && block.type !== 'thinking' ? ownedBy(block, speaker) : unknownPart(part);
  });
}

/** An id in a request is one of whoever the request is for. */
export function ownedBy(block: BlockInput, { author: { endpoint } }: Speaker): BlockInput {
  return 'file' in block && block.file ? { ...block, file: { endpoint, id: block.file.id } } : block;
}

/** The longest JSON that stands for a part, and what is left of a long text in one that is longer. */
const longest = { json: 16 * 1024, text: 500 };

/** What is neither words nor a medium: its kind, and all that it holds. Only what nobody could read anyhow is cut. */
export function unknownPart(part: unknown): TextBlock {
  if (!isRecord(part)) return { type: 'text', text: string(part) ?? toJsonText(part) };
  const kind = string(part['type']) ?? Object.keys(part)[0] ?? 'nothing';
  const whole = toJsonText(part);
  const cut = whole.length > longest.json;
  const json = cut ? cutText(JSON.stringify(JSON.parse(whole), shortened), longest.json) : whole;
  return { type: 'text', text: `${unknownNote(kind, cut)}\n${json}` };
}

function shortened(_: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= longest.text) return value;
  return `${cutText(value, longest.text)}… (${value.length} characters)`;
}

/** A message of a role that we have none for. */
export function asUser(role: unknown, content: readonly BlockInput[]): Heard {
  if (role === 'user') return { role: 'user', content: [...content] };
  return { role: 'user', content: [{ type: 'text', text: roleNote(string(role) ?? toJsonText(role)) }, ...content] };
}

/** On wires without a flag for it, a failure is told by how its text begins. */
export function failed(content: readonly BlockInput[]): { isError?: true } {
  const [first] = content;
  return first?.type === 'text' && /^error:/i.test(first.text) ? { isError: true } : {};
}

/** Plain words of the system at the head of a list of messages, as one text. */
export function systemFirst(
  messages: readonly unknown[],
  roles: readonly unknown[],
): { system: string | undefined; rest: readonly unknown[] } {
  const texts = messages.map((message) => {
    if (!isRecord(message) || !roles.includes(message['role'])) return undefined;
    const { content } = message;
    const parts = list(content).map((part) => (isRecord(part) ? string(part['text']) : string(part)));
    return (
      string(content) ?? (parts.every((part) => part !== undefined) && parts.length > 0 ? parts.join('\n') : undefined)
    );
  });
  const end = texts.indexOf(undefined);
  const head = texts.slice(0, end < 0 ? texts.length : end);
  return { system: head.length > 0 ? head.join('\n\n') : undefined, rest: messages.slice(head.length) };
}

/** The whole of what was read. */
export function accepted(
  parts: { system: string | undefined; tools: readonly ToolSpec[]; messages: readonly MessageInput[] },
  rest: Omit<Accepted, 'transcript' | 'model'> & { model: string | undefined },
): Read<Accepted> {
  const { system, tools, messages } = parts;
  const { model, ...others } = rest;
  return {
    ok: true,
    value: {
      transcript: {
        version: 1,
        ...(system !== undefined && { system }),
        ...(tools.length > 0 && { tools }),
        messages,
      },
      ...(model !== undefined && { model }),
      ...others,
    },
  };
}

/** Whether a stream shall tell what it cost: Chat Completions do so only for who asks. */
export function wantsUsage({ extra }: Pick<Accepted, 'extra'>): boolean {
  const asked = extra['stream_options'];
  return isRecord(asked) && asked['include_usage'] === true;
}
