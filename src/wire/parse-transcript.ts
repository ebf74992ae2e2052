// Untrusted JSON → a transcript, or a refusal that names the place. Calls and results in the spelling of OpenAI and
// Anthropic become ours, and so do results and thinking as Loom stores them. Media are still loose here; `resolveTranscript` takes them through the intake. Nothing is guessed:
// a wrong role or a missing call id is told, not repaired.
import type { Asset } from '../content/block.ts';
import { isMediaKind } from '../content/block.ts';
import type { BlockInput } from '../content/input.ts';
import { deeperThan, isRecord, toJsonText } from '../content/json.ts';
import { parseAsset, parseBlock, parseSeal, readBlock } from '../content/parse.ts';
import { refuse } from '../content/refusal.ts';
import type { Read } from '../content/refusal.ts';
import { forUserOnly, storedOutcome } from '../tool/foreign-shapes.ts';
import type { Told } from '../tool/foreign-shapes.ts';
import type { ToolSpec } from '../tool/tool.ts';
import type { AssistantMessage, MessageInput, TranscriptInput } from '../message/message.ts';
import { sealThinking } from './anthropic-messages/thinking.ts';

/**
 * Reads a transcript file's JSON.
 *
 * @example
 * const transcript = parseTranscript(JSON.parse(await readFile('transcript.json', 'utf8')));
 * if (transcript.ok) await prepare(transcript.value, { model: 'anthropic/claude-sonnet-5' });
 */
export function parseTranscript(value: unknown): Read<TranscriptInput> {
  if (!isRecord(value)) return wrong('it is not a JSON object');
  if (deeperThan(value, maxDepth)) return wrong('it is nested too deeply', `${maxDepth} levels`);
  if (value['version'] !== undefined && value['version'] !== 1)
    return wrong(`its version is ${JSON.stringify(value['version'])}`, '1');
  if (typeof (value['system'] ?? '') !== 'string') return wrong('"system" is not a string');
  if (!Array.isArray(value['messages'])) return wrong('"messages" is missing or not an array');
  const tools = value['tools'] ?? [];
  if (!Array.isArray(tools)) return wrong('"tools" is not an array');
  const specs: ToolSpec[] = [];
  for (const [index, tool] of tools.entries()) {
    const spec = parseTool(tool);
    if (!spec) return wrong(`tools[${index}] needs a name, a description and an inputSchema`);
    specs.push(spec);
  }
  if (value['messages'].length === 0) return wrong('"messages" is empty');
  const messages: MessageInput[] = [];
  for (const [index, item] of value['messages'].entries()) {
    const parsed = parseMessage(item, messages);
    if (typeof parsed === 'string')
      return wrong(`messages[${index}]${parsed.startsWith('content[') ? '.' : ': '}${parsed}`);
    messages.push(...parsed);
  }
  return {
    ok: true,
    value: {
      version: 1,
      ...(typeof value['system'] === 'string' && { system: value['system'] }),
      ...(specs.length > 0 && { tools: specs }),
      messages,
    },
  };
}

const maxDepth = 200;

function wrong(what: string, limit?: string): Read<never> {
  return refuse(
    'bad-transcript',
    `This is not a transcript: ${what}`,
    'A transcript is { "version": 1, "system"?, "tools"?, "messages": [{ "role": "user" | "assistant" | "tool", "content": … }] }.',
    limit,
  );
}

function parseTool(value: unknown): ToolSpec | undefined {
  if (!isRecord(value) || typeof value['name'] !== 'string') return undefined;
  const schema = value['inputSchema'] ??
    value['input_schema'] ??
    value['parameters'] ?? { type: 'object', properties: {} };
  if (!isRecord(schema)) return undefined;
  const description = typeof value['description'] === 'string' ? value['description'] : '';
  const { hosted } = value;
  const spelt = isRecord(hosted) && { hosted: hosted as NonNullable<ToolSpec['hosted']> };
  return { name: value['name'], description, inputSchema: schema, ...spelt };
}

/** One message, or several where another dialect keeps in one what is several here; or what is wrong with it. */
function parseMessage(value: unknown, before: readonly MessageInput[]): MessageInput[] | string {
  if (!isRecord(value)) return 'not an object';
  const calls = Array.isArray(value['tool_calls']) ? value['tool_calls'].map(parseToolCall) : [];
  if (!calls.every((call) => call !== undefined)) return 'a call in "tool_calls" has no id or no name';
  const given = value['content'] ?? (calls.length > 0 ? [] : undefined);
  switch (value['role']) {
    case 'user': {
      const results = (Array.isArray(given) ? given : []).filter(isToolResult);
      const rest = results.length > 0 && Array.isArray(given) ? given.filter((item) => !isToolResult(item)) : given;
      const content = parseContent(rest);
      if (typeof content === 'string') return content;
      const answers = results.map((result) => parseToolResult(result, before));
      const wrongOne = answers.find((answer) => typeof answer === 'string');
      if (typeof wrongOne === 'string') return wrongOne;
      const messages = answers.filter((answer) => typeof answer !== 'string');
      return content.length > 0 || messages.length === 0 ? [...messages, { role: 'user', content }] : messages;
    }
    case 'assistant': {
      const model = typeof value['model'] === 'string' ? value['model'] : undefined;
      const said = parseContent(given, model);
      if (typeof said === 'string') return said;
      const content = [...storedThinking(value['thinking_blocks'], model), ...said];
      const { usage, stop, latency, error } = value as Pick<AssistantMessage, 'usage' | 'stop' | 'latency' | 'error'>;
      return [
        {
          role: 'assistant',
          content: [...content, ...calls],
          ...(model !== undefined && { model }),
          ...(isRecord(usage) && { usage }),
          ...(typeof stop === 'string' && { stop }),
          ...(isRecord(latency) && { latency }),
          ...(isRecord(error) && { error }),
        },
      ];
    }
    case 'tool': {
      const stored = typeof given === 'string' ? storedOutcome(given) : undefined;
      const content = stored ? blocksOf(stored) : parseContent(given);
      if (typeof content === 'string') return content;
      const callId = value['callId'] ?? value['tool_call_id'] ?? value['toolCallId'];
      if (typeof callId !== 'string') return 'a tool message needs the "callId" of the call it answers';
      const name = value['name'] ?? value['toolName'] ?? value['tool_name'] ?? calledName(callId, before);
      if (typeof name !== 'string') return 'a tool message needs the "name" of its tool';
      const details = value['details'] === undefined ? {} : { details: value['details'] };
      const isError = failed(stored?.isError === true ? stored : value);
      const seal = parseSeal(value['seal']);
      const around = { ...(seal && { seal }), ...(value['approved'] === true && { approved: true }) };
      return [{ role: 'tool', callId, name, content, ...isError, ...details, ...keptIn(value), ...around }];
    }
    default:
      return `the role ${JSON.stringify(value['role'])} is not one of user, assistant, tool`;
  }
}

/** What a stored result says, and its media. */
function blocksOf({ said, blocks }: Told): BlockInput[] {
  const text = typeof said === 'string' ? said : said === undefined ? '' : toJsonText(said);
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...blocks];
}

/** Thinking that is stored beside an answer, `{ thinking, signature }`, stands before its words. */
function storedThinking(value: unknown, model: string | undefined): BlockInput[] {
  const rows = Array.isArray(value) ? value.filter(isRecord) : [];
  return rows.flatMap(({ thinking, signature }) => {
    if (typeof thinking !== 'string') return [];
    const signed = typeof signature === 'string' && signature !== '';
    const redacted = thinking === '[redacted]' && signed;
    const item = redacted
      ? { type: 'redacted_thinking', data: signature }
      : { type: 'thinking', thinking, ...(signed && { signature }) };
    return [
      sealThinking(item, model) ?? { type: 'thinking', text: redacted ? '' : thinking, ...(redacted && { redacted }) },
    ];
  });
}

/** The assets that the words of a result name. */
function keptIn({ kept }: Record<string, unknown>): { kept?: Asset[] } {
  const assets = (Array.isArray(kept) ? kept : []).flatMap((item) => parseAsset(item) ?? []);
  return assets.length === 0 ? {} : { kept: assets };
}

function failed(value: { isError?: unknown; is_error?: unknown }): { isError?: true } {
  return value.isError === true || value.is_error === true ? { isError: true } : {};
}

/** OpenAI keeps calls beside the content, their arguments as text. */
function parseToolCall(value: unknown): BlockInput | undefined {
  const called = isRecord(value) && isRecord(value['function']) ? value['function'] : undefined;
  if (!isRecord(value) || !called || typeof value['id'] !== 'string' || typeof called['name'] !== 'string')
    return undefined;
  return { type: 'call', id: value['id'], name: called['name'], input: parsedArguments(called['arguments']) };
}

function parsedArguments(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? {};
  try {
    return JSON.parse(given);
  } catch {
    return { input: given }; // arguments that are no JSON are still what the model said
  }
}

function isToolResult(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && value['type'] === 'tool_result';
}

/** Anthropic answers calls inside a user message. */
function parseToolResult(value: Record<string, unknown>, before: readonly MessageInput[]): MessageInput | string {
  const callId = value['tool_use_id'];
  if (typeof callId !== 'string') return 'a tool_result needs its "tool_use_id"';
  const content = parseContent(value['content'] ?? []);
  if (typeof content === 'string') return content;
  return { role: 'tool', callId, name: calledName(callId, before) ?? 'tool', content, ...failed(value) };
}

/** The name of the tool that a call with this id asked for. */
function calledName(callId: string, before: readonly MessageInput[]): string | undefined {
  for (let at = before.length - 1; at >= 0; at--) {
    const content: unknown = before[at]?.content;
    const blocks = Array.isArray(content) ? (content as BlockInput[]) : [];
    const call = blocks.findLast((block) => block.type === 'call' && block.id === callId);
    if (call?.type === 'call') return call.name;
  }
  return undefined;
}

function parseContent(value: unknown, model?: string): BlockInput[] | string {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (isRecord(value)) return [readBlock(value)];
  if (!Array.isArray(value)) return '"content" is neither a string nor a list of blocks';
  const blocks: BlockInput[] = [];
  for (const [index, item] of value.entries()) {
    if (typeof item !== 'string' && !isRecord(item)) return `content[${index}] is not a block`;
    const incomplete = isRecord(item) && isMediaKind(item['type']) && parseBlock(item) === undefined;
    if (incomplete) return `content[${index}]: the ${String(item['type'])} has neither "path", "data" nor "url"`;
    if (!forUserOnly(item)) blocks.push(sealThinking(item, model) ?? readBlock(item));
  }
  return blocks;
}
