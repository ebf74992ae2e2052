// One turn of an AI SDK prompt in our terms, and back: all results of a turn, or a message of the user. Parts that nothing
// has to be done about stay the very objects they were, with whatever options they carry.
import { parseDataUri, encodeBase64 } from '../content/base64.ts';
import type { MediaKind } from '../content/block.ts';
import type { BlockInput, MediaInput } from '../content/input.ts';
import type { MessageInput } from '../message/message.ts';
import type { PlanItem, PlannedMedia, PlannedRemote, PlannedResult, Shown } from '../window/plan-types.ts';
import type {
  LanguageModelV4FilePart as FilePart,
  LanguageModelV4Message as PromptMessage,
  LanguageModelV4TextPart as TextPart,
  LanguageModelV4ToolResultOutput as Output,
  LanguageModelV4ToolResultPart as ResultPart,
} from './types.ts';

type ToolPrompt = Extract<PromptMessage, { role: 'tool' }>;
type UserPrompt = Extract<PromptMessage, { role: 'user' }>;
type ContentPart = Extract<Output, { type: 'content' }>['value'][number];
type AnyPart = ContentPart | TextPart | FilePart;

/** Messages of a prompt that belong together: the results of a turn, or what a user said. */
export type PromptTurn = { from: number; messages: (ToolPrompt | UserPrompt)[] };

/** The turns of a prompt that may hold media. */
export function promptTurns(prompt: readonly PromptMessage[]): PromptTurn[] {
  const turns: PromptTurn[] = [];
  for (const [at, message] of prompt.entries()) {
    if (message.role !== 'tool' && message.role !== 'user') continue;
    const last = turns.at(-1);
    const goesOn = message.role === 'tool' && last?.messages[0]?.role === 'tool';
    if (goesOn && last.from + last.messages.length === at) last.messages.push(message);
    else turns.push({ from: at, messages: [message] });
  }
  return turns;
}

/** A turn as messages, and the parts behind the words that stand for what nobody here may touch. */
export type TurnInput = { messages: MessageInput[]; kept: ReadonlyMap<string, AnyPart> };

export function turnInput({ messages }: PromptTurn, model: string): TurnInput {
  const kept = new Map<string, AnyPart>();
  const blockOf = (part: AnyPart): BlockInput => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const medium = part.type === 'file' ? mediumOf(part) : undefined;
    return medium ?? keptPart(part);
  };
  /** What a user names by its address the AI SDK has fetched already, where the model does not take it. */
  const resultBlock = (part: AnyPart): BlockInput =>
    (part.type === 'file' ? mediumElsewhere(part) : undefined) ?? blockOf(part);
  const keptPart = (part: AnyPart): BlockInput => {
    const word = `\u0001kept ${kept.size}`;
    kept.set(word, part);
    return { type: 'text', text: word };
  };
  const results = messages.flatMap((message) => (message.role === 'tool' ? resultsIn(message) : []));
  const said = messages.flatMap((message): MessageInput[] => {
    if (message.role === 'user') return [{ role: 'user', content: message.content.map(blockOf) }];
    return resultsIn(message).map(({ toolCallId, toolName, output }) => ({
      role: 'tool',
      callId: toolCallId,
      name: toolName,
      content: outputParts(output).map(resultBlock),
      ...(output.type.startsWith('error') && { isError: true }),
    }));
  });
  if (results.length === 0) return { messages: said, kept };
  const calls = results.map(({ toolCallId, toolName }): BlockInput => ({
    type: 'call',
    id: toolCallId,
    name: toolName,
    input: {},
  })); // prettier-ignore
  return { messages: [{ role: 'assistant', model, content: calls }, ...said], kept };
}

function resultsIn({ content }: ToolPrompt): ResultPart[] {
  return content.filter((part) => part.type === 'tool-result');
}

function outputParts(output: Output): ContentPart[] {
  switch (output.type) {
    case 'content':
      return output.value;
    case 'json':
    case 'error-json':
      return [{ type: 'text', text: JSON.stringify(output.value) ?? '' }];
    case 'execution-denied':
      return [{ type: 'text', text: output.reason ?? '' }];
    default:
      return [{ type: 'text', text: output.value }];
  }
}

/** A file whose bytes are here; undefined for one that is only named. */
export function mediumOf({ data, mediaType, filename }: Extract<AnyPart, { type: 'file' }>): MediaInput | undefined {
  const uri = data.type === 'url' ? parseDataUri(data.url.href)?.data : undefined;
  const bytes = data.type === 'data' ? data.data : uri;
  if (bytes === undefined) return undefined;
  return { type: kindOf(mediaType), data: bytes, mediaType, ...(filename !== undefined && { name: filename }) };
}

/** A file on the web, by its address. */
export function mediumElsewhere({
  data,
  mediaType,
  filename,
}: Extract<AnyPart, { type: 'file' }>): MediaInput | undefined {
  if (data.type !== 'url' || !/^https?:$/.test(data.url.protocol)) return undefined;
  const [, subtype = '*'] = mediaType.split('/'); // a kind alone is no media type
  return {
    type: kindOf(mediaType),
    url: data.url.href,
    ...(subtype !== '*' && { mediaType }),
    ...(filename !== undefined && { name: filename }),
  };
}

function kindOf(mediaType: string): MediaKind {
  const [kind] = mediaType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document';
}

/** Gives the base64 of a medium that a plan names. */
export type Letters = (media: PlannedMedia) => Promise<string>;

/** A turn as it was decided, in the AI SDK's terms. The very same messages when nothing changed. */
export async function writeTurn(
  turn: PromptTurn,
  items: readonly PlanItem[],
  { kept }: TurnInput,
  letters: Letters,
): Promise<PromptMessage[]> {
  const given = turn.messages.flatMap((message): AnyPart[] =>
    message.role === 'user' ? message.content : resultsIn(message).flatMap(({ output }) => outputParts(output)),
  );
  const write = (blocks: readonly Shown[]): Promise<AnyPart[]> =>
    Promise.all(blocks.map((block) => partFor(block, given, kept, letters)));
  const written: PromptMessage[] = [];
  const batch = items.find((item) => item.role === 'batch');
  for (const message of turn.messages) {
    if (message.role === 'tool') written.push(await toolMessage(message, batch?.results ?? [], write));
    else written.push(await userMessage(message, items, write));
  }
  if (!batch || batch.after.length === 0) return written;
  if (batch.bridge !== undefined) written.push({ role: 'assistant', content: [{ type: 'text', text: batch.bridge }] });
  return [...written, { role: 'user', content: (await write(batch.after)) as UserPrompt['content'] }];
}

type Write = (blocks: readonly Shown[]) => Promise<AnyPart[]>;

async function userMessage(message: UserPrompt, items: readonly PlanItem[], write: Write): Promise<UserPrompt> {
  const content = await write(items.flatMap((item) => (item.role === 'user' ? item.content : [])));
  return areSame(content, message.content) ? message : { ...message, content: content as UserPrompt['content'] };
}

async function toolMessage(message: ToolPrompt, results: readonly PlannedResult[], write: Write): Promise<ToolPrompt> {
  const content = await Promise.all(
    message.content.map(async (part) => {
      const result = part.type === 'tool-result' && results.find(({ callId }) => callId === part.toolCallId);
      if (!result || part.output.type === 'execution-denied') return part;
      const output = outputOf(part.output, await write(result.content));
      return output === part.output ? part : { ...part, output };
    }),
  );
  return areSame(content, message.content) ? message : { ...message, content };
}

/** Words alone go as words: several packages would write a list of parts as JSON. */
function outputOf(output: Output, parts: AnyPart[]): Output {
  const before = outputParts(output);
  if (output.type === 'content' ? areSame(parts, before) : sameWords(parts, before)) return output;
  const words = parts.every((part) => part.type === 'text') ? parts.map((part) => part.text).join('\n') : undefined;
  if (words === undefined) return { type: 'content', value: parts };
  const options = 'providerOptions' in output && output.providerOptions;
  const type = output.type.startsWith('error') ? ('error-text' as const) : ('text' as const);
  return { type, value: words, ...(options && { providerOptions: options }) };
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

function sameWords(one: readonly AnyPart[], other: readonly AnyPart[]): boolean {
  const [mine, theirs] = [one[0], other[0]];
  return one.length === 1 && mine?.type === 'text' && theirs?.type === 'text' && mine.text === theirs.text;
}

async function partFor(
  block: Shown,
  given: readonly AnyPart[],
  kept: ReadonlyMap<string, AnyPart>,
  letters: Letters,
): Promise<AnyPart> {
  if (block.type === 'text') {
    const same = given.find((part) => part.type === 'text' && part.text === block.text);
    return kept.get(block.text) ?? same ?? { type: 'text', text: block.text };
  }
  if (block.type === 'remote') return given.find((part) => liesAt(part, block)) ?? remotePart(block);
  const { mediaType, name } = block.asset;
  const data = await letters(block);
  const same = given.find((part) => part.type === 'file' && lettersOf(part) === data);
  if (same?.type !== 'file') {
    const filename = name === undefined ? {} : { filename: name };
    return { type: 'file', mediaType, data: { type: 'data', data }, ...filename };
  }
  const isRight = same.mediaType === mediaType || same.mediaType.replace(/\/\*$/, '') === mediaType.split('/')[0];
  return isRight ? same : { ...same, mediaType };
}

function liesAt(part: AnyPart, { at }: PlannedRemote): boolean {
  return part.type === 'file' && part.data.type === 'url' && 'url' in at && part.data.url.href === at.url;
}

/** What lies elsewhere, by its address. */
function remotePart({
  kind,
  at,
  mediaType = kind === 'document' ? 'application/pdf' : `${kind}/*`,
}: PlannedRemote): FilePart {
  return { type: 'file', mediaType, data: { type: 'url', url: new URL('url' in at ? at.url : at.file) } };
}

function lettersOf(part: Extract<AnyPart, { type: 'file' }>): string | undefined {
  const data = mediumOf(part)?.data;
  return data instanceof Uint8Array ? encodeBase64(data) : typeof data === 'string' ? data : undefined;
}
