// Untrusted JSON → a transcript, or a refusal that names the place. Media are still loose here; `resolveTranscript`
// takes them through the door. Nothing is guessed: a wrong role or a missing call id is told, not repaired.
import type { Block } from '../content/block.ts';
import type { Door } from '../content/ingest.ts';
import type { BlockInput, ContentInput } from '../content/input.ts';
import { isRecord } from '../content/json.ts';
import { parseBlock, readBlock } from '../content/parse.ts';
import { refusalText, refuse } from '../content/refusal.ts';
import type { Read, Refusal } from '../content/refusal.ts';
import { resolveBlock } from '../content/resolve.ts';
import { guardBlocks } from '../tool/guard.ts';
import { refusedNote } from '../tool/normalise.ts';
import type { ToolSpec } from '../tool/tool.ts';
import type { Message, MessageInput, Transcript, TranscriptInput } from './message.ts';

/** Reads a transcript file's JSON. */
export function parseTranscript(value: unknown): Read<TranscriptInput> {
  if (!isRecord(value)) return wrong('it is not a JSON object');
  if (deeperThan(value, maxDepth)) return wrong('it is nested too deeply', `${maxDepth} levels`);
  if (value['version'] !== undefined && value['version'] !== 1)
    return wrong(`its version is ${JSON.stringify(value['version'])}`, '1');
  if (value['system'] !== undefined && typeof value['system'] !== 'string') return wrong('"system" is not a string');
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
    const message = parseMessage(item);
    if (typeof message === 'string')
      return wrong(`messages[${index}]${message.startsWith('content[') ? '.' : ': '}${message}`);
    messages.push(message);
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

/** Whether a value is nested deeper than so many levels; walks level by level, so depth itself does no harm. */
function deeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < levels && level.length > 0; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return level.some((item) => typeof item === 'object' && item !== null);
}

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
  return { name: value['name'], description, inputSchema: schema };
}

/** One message, or what is wrong with it. */
function parseMessage(value: unknown): MessageInput | string {
  if (!isRecord(value)) return 'not an object';
  const content = parseContent(value['content']);
  if (typeof content === 'string') return content;
  switch (value['role']) {
    case 'user':
      return { role: 'user', content };
    case 'assistant':
      return { role: 'assistant', content, ...(typeof value['model'] === 'string' && { model: value['model'] }) };
    case 'tool': {
      const callId = value['callId'] ?? value['tool_call_id'] ?? value['toolCallId'];
      const name = value['name'] ?? value['toolName'] ?? value['tool_name'];
      if (typeof callId !== 'string') return 'a tool message needs the "callId" of the call it answers';
      if (typeof name !== 'string') return 'a tool message needs the "name" of its tool';
      return { role: 'tool', callId, name, content, ...(value['isError'] === true && { isError: true }) };
    }
    default:
      return `the role ${JSON.stringify(value['role'])} is not one of user, assistant, tool`;
  }
}

function parseContent(value: unknown): BlockInput[] | string {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (isRecord(value)) return [readBlock(value)];
  if (!Array.isArray(value)) return '"content" is neither a string nor a list of blocks';
  const blocks: BlockInput[] = [];
  for (const [index, item] of value.entries()) {
    if (typeof item !== 'string' && !isRecord(item)) return `content[${index}] is not a block`;
    const incomplete = isRecord(item) && mediaTypes.has(String(item['type'])) && parseBlock(item) === undefined;
    if (incomplete) return `content[${index}]: the ${String(item['type'])} has neither "path", "data" nor "url"`;
    blocks.push(readBlock(item));
  }
  return blocks;
}

const mediaTypes = new Set(['image', 'document', 'audio', 'video']);

export type Trouble = { message: number; block: number; refusal: Refusal };

/** Checks every medium of a transcript. One that is refused becomes words in place, and is reported. */
export async function resolveTranscript(
  input: TranscriptInput,
  door: Door,
): Promise<{ transcript: Transcript; troubles: Trouble[] }> {
  const troubles: Trouble[] = [];
  const messages: Message[] = [];
  for (const [index, message] of input.messages.entries()) {
    const content = await resolveContent(message.content, door, (block, refusal) =>
      troubles.push({ message: index, block, refusal }),
    );
    const guarded = await guardBlocks(content, door);
    if (message.role === 'assistant') messages.push({ ...message, model: message.model ?? '', content: guarded });
    else messages.push({ ...message, content: guarded });
  }
  const transcript: Transcript = {
    version: 1,
    ...(input.system !== undefined && { system: input.system }),
    ...(input.tools && { tools: [...input.tools] }),
    messages,
  };
  return { transcript, troubles };
}

async function resolveContent(
  content: ContentInput,
  door: Door,
  trouble: (block: number, refusal: Refusal) => void,
): Promise<Block[]> {
  const inputs = Array.isArray(content)
    ? (content as readonly (string | BlockInput)[])
    : [content as string | BlockInput];
  const blocks: Block[] = [];
  for (const [index, item] of inputs.entries()) {
    const input: BlockInput = typeof item === 'string' ? { type: 'text', text: item } : item;
    const read = await resolveBlock(input, door);
    if (read.ok) blocks.push(read.value);
    else {
      trouble(index, read.refusal);
      blocks.push({ type: 'text', text: refusedNote(input, refusalText(read.refusal)) });
    }
  }
  return blocks;
}
