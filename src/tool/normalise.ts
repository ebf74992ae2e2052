// Whatever a tool returned → one ToolResult. Strings stay strings, blocks are checked, bytes are sniffed, the result
// types of other frameworks are understood, media are found wherever they hide, and everything else becomes JSON text.
// Never throws, never gives empty content.
import type { Block } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { describe, emptyResult, keptNote } from '../content/describe.ts';
import type { Door } from '../content/ingest.ts';
import type { BlockInput, MediaInput } from '../content/input.ts';
import { isRecord, toJsonText } from '../content/json.ts';
import { kindOf, parseBlock, readBlock } from '../content/parse.ts';
import { refusalText } from '../content/refusal.ts';
import { resolveBlock } from '../content/resolve.ts';
import { bytesIn, findMedia, parseJson } from './find.ts';
import { guardText } from './guard.ts';
import type { ToolResult } from './result.ts';

type Fields = Record<string, unknown>;
type Draft = { content: Block[]; isError?: boolean; details?: unknown };

/** Turns any value into a result that every wire can carry. */
export async function normalise(value: unknown, door: Door): Promise<ToolResult> {
  const draft = await draftOf(value, door);
  const content = draft.content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  if (!content.some((block) => block.type === 'text')) content.unshift({ type: 'text', text: headline(content) });
  return {
    content,
    ...(draft.isError && { isError: true }),
    ...(draft.details !== undefined && { details: draft.details }),
  };
}

/** A result made of media alone still says in words what it holds. */
function headline(content: readonly Block[]): string {
  const media = content.filter(isMedia);
  return media.length === 0 ? emptyResult : `[${media.map(describe).join('; ')}]`;
}

async function draftOf(value: unknown, door: Door): Promise<Draft> {
  if (value === undefined || value === null) return { content: [] };
  if (typeof value === 'string') return fromString(value, door);
  if (value instanceof Error) return { content: [text(`Error: ${value.message || value.name}`)], isError: true };
  const bytes = bytesIn(value);
  if (bytes) return { content: [await fromBytes(bytes, door)] };
  if (value instanceof Blob) return { content: [await fromBlob(value, door)] };
  if (value instanceof Response) return fromResponse(value, door);
  if (Array.isArray(value)) return fromArray(value, door);
  if (isRecord(value)) return fromRecord(value, door);
  const plain = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
  return { content: [text(plain ? String(value) : toJsonText(value))] };
}

async function fromString(value: string, door: Door): Promise<Draft> {
  const inner = parseJson(value);
  if (inner !== undefined) {
    const found = await findMedia(inner, door);
    if (found.media.length > 0) return isRecord(inner) ? fromRecord(inner, door) : fromArray(inner as unknown[], door);
  }
  const guarded = await guardText(value, door);
  return { content: [text(guarded.text), ...guarded.media] };
}

async function fromBytes(bytes: Uint8Array, door: Door, name?: string): Promise<Block> {
  const hint = name === undefined ? {} : { name };
  const read = await door.ingest(bytes, hint);
  if (read.ok) return read.value;
  return text(keptNote(await door.keep(bytes, { mediaType: 'application/octet-stream', ...hint })));
}

async function fromBlob(value: Blob, door: Door): Promise<Block> {
  const name = 'name' in value && typeof value.name === 'string' ? value.name : undefined;
  return fromBytes(new Uint8Array(await value.arrayBuffer()), door, name);
}

async function fromResponse(value: Response, door: Door): Promise<Draft> {
  const type = value.headers.get('content-type') ?? '';
  const failed = value.ok ? {} : { isError: true };
  if (/^(?:text\/|application\/(?:json|xml|javascript))/.test(type)) {
    return { ...(await fromString(await value.text(), door)), ...failed };
  }
  return { content: [await fromBytes(new Uint8Array(await value.arrayBuffer()), door)], ...failed };
}

/** A list is content only if every element is a block (or a string beside blocks); otherwise it is data. */
async function fromArray(value: readonly unknown[], door: Door): Promise<Draft> {
  const blocks = value.map((item) =>
    typeof item === 'string' ? { type: 'text' as const, text: item } : parseBlock(item),
  );
  const isContent = value.some((item) => isRecord(item)) && blocks.every((block) => block !== undefined);
  return isContent ? { content: await resolveAll(blocks, door) } : fromData(value, door);
}

async function fromRecord(value: Fields, door: Door): Promise<Draft> {
  const block = parseBlock(value);
  if (block) return { content: await resolveAll([block], door) };
  if (value['ok'] === true && isRecord(value['value'])) return fromReading(value['value'], door);
  if (value['ok'] === false && isRecord(value['refusal'])) return fromRefusal(value['refusal']);
  if (Array.isArray(value['content']) && isContentList(value['content'])) return fromContent(value, door);
  if (typeof value['success'] === 'boolean' && 'output' in value) return fromOutcome(value, door);
  if ('attachment' in value || 'attachments' in value) return fromAttachments(value, door);
  if ('base64_image' in value || 'base64Image' in value) return fromScrapybara(value, door);
  return fromFlat(value, door);
}

/** What `read` resolves to. Its text goes along only where no document stands for it. */
async function fromReading(value: Fields, door: Door): Promise<Draft> {
  const blocks = Array.isArray(value['blocks']) ? await resolveAll(value['blocks'].map(readBlock), door) : [];
  const output = typeof value['output'] === 'string' ? value['output'] : '';
  const isDocument = blocks.some((item) => item.type === 'document');
  const lead = isDocument ? [] : (await fromString(output, door)).content;
  return { content: [...lead, ...blocks.filter((item) => item.type !== 'text' || output === '')] };
}

function fromRefusal(value: Fields): Draft {
  const what = typeof value['what'] === 'string' ? value['what'] : 'The request was refused';
  const next = typeof value['next'] === 'string' ? value['next'] : '';
  const limit = typeof value['limit'] === 'string' ? { limit: value['limit'] } : {};
  return { content: [text(refusalText({ code: 'unsupported', what, next, ...limit }))], isError: true };
}

function isContentList(value: readonly unknown[]): boolean {
  return value.every((item) => parseBlock(item) !== undefined);
}

/** Our own result, or an MCP one: `content`, `isError`, `structuredContent`. */
async function fromContent(value: Fields, door: Door): Promise<Draft> {
  const shown = (value['content'] as unknown[]).filter((item) => !forUserOnly(item));
  const content = await resolveAll(shown.map(readBlock), door);
  const structured = value['structuredContent'];
  if (structured !== undefined && !repeats(content, structured)) {
    content.push(...(await fromData(structured, door)).content);
  }
  const details = value['details'] ?? structured;
  return { content, ...(value['isError'] === true && { isError: true }), ...(details !== undefined && { details }) };
}

/** MCP marks what only the person should see. */
function forUserOnly(item: unknown): boolean {
  const annotations = isRecord(item) ? item['annotations'] : undefined;
  const audience = isRecord(annotations) ? annotations['audience'] : undefined;
  return Array.isArray(audience) && audience.length > 0 && !audience.includes('assistant');
}

function repeats(content: readonly Block[], structured: unknown): boolean {
  const wanted = toJsonText(structured);
  return content.some((block) => block.type === 'text' && toJsonText(parseJson(block.text)) === wanted);
}

/** `{ success, output, content_blocks?, error? }` */
async function fromOutcome(value: Fields, door: Door): Promise<Draft> {
  const blocks = value['content_blocks'] ?? value['contentBlocks'];
  const content = Array.isArray(blocks) ? await resolveAll(blocks.map(readBlock), door) : [];
  const failed = value['success'] === false;
  const lead = failed ? failureText(value) : value['output'];
  const isDocument = content.some((block) => block.type === 'document');
  const said = isDocument && !failed ? [] : (await draftOf(lead, door)).content;
  const details = value['data'] ?? undefined;
  return {
    content: [...said, ...content],
    ...(failed && { isError: true }),
    ...(details !== undefined && { details }),
  };
}

function failureText(value: Fields): string {
  const error = value['error'];
  const output = typeof value['output'] === 'string' && value['output'] !== '' ? `\n${value['output']}` : '';
  return `Error: ${typeof error === 'string' && error !== '' ? error : 'the tool failed'}${output}`;
}

/** `{ text, attachment | attachments: [{ mime_type, content | file_path, description }] }` */
async function fromAttachments(value: Fields, door: Door): Promise<Draft> {
  const listed = Array.isArray(value['attachments']) ? value['attachments'] : [value['attachment']];
  const inputs = listed
    .filter(isRecord)
    .map(attachment)
    .filter((input) => input !== undefined);
  const lead = await draftOf(value['text'] ?? value['data'], door);
  return { content: [...lead.content, ...(await resolveAll(inputs, door))] };
}

function attachment(value: Fields): MediaInput | undefined {
  const mediaType = field(value, 'mime_type', 'mimeType', 'media_type', 'mediaType');
  const description = field(value, 'description');
  const common = {
    type: kindOf(mediaType ?? 'application/octet-stream'),
    ...(mediaType && { mediaType }),
    ...(description && { fallback: description }),
  };
  const content = value['content'];
  const bytes = bytesIn(content);
  if (bytes) return { ...common, data: bytes };
  if (typeof content === 'string') return { ...common, data: content };
  const path = field(value, 'file_path', 'filePath', 'path');
  return path === undefined ? undefined : { ...common, path };
}

/** `{ output, error?, base64_image, system? }`: the text is the output, the error makes it a failure. */
async function fromScrapybara(value: Fields, door: Door): Promise<Draft> {
  const { base64_image: snake, base64Image: camel, output, error, system: _system, ...rest } = value;
  const failed = typeof error === 'string' && error !== '';
  const said = [failed ? `Error: ${error}` : '', typeof output === 'string' ? output : toJsonText(output ?? '')];
  const other = Object.keys(rest).length > 0 ? (await fromData(rest, door)).content : [];
  const data = camel ?? snake;
  const picture = typeof data === 'string' && data !== '' ? [{ type: 'image' as const, data }] : [];
  return {
    content: [text(said.filter(Boolean).join('\n')), ...other, ...(await resolveAll(picture, door))],
    ...(failed && { isError: true }),
  };
}

/** A plain object: `base64` or `image` at its top is the picture, the other fields are the text beside it. */
async function fromFlat(value: Fields, door: Door): Promise<Draft> {
  const isError = value['success'] === false || value['isError'] === true;
  const picture = flatPicture(value);
  const read = picture && (await resolveBlock(picture.input, door));
  const data = picture && read?.ok ? picture.rest : value;
  const rest = Object.keys(data).length > 0 ? await fromData(data, door) : { content: [] };
  return {
    ...rest,
    content: read?.ok ? [...rest.content, read.value] : rest.content,
    ...(isError && { isError: true }),
  };
}

function flatPicture(value: Fields): { input: MediaInput; rest: Fields } | undefined {
  const { base64, media_type: snake, mediaType: camel, image: nested, ...rest } = value;
  if (typeof base64 === 'string') {
    const kept = nested === undefined ? rest : { ...rest, image: nested };
    return { input: { type: 'image', data: base64, ...typed(snake ?? camel) }, rest: kept };
  }
  if (!isRecord(nested) || typeof nested['base64'] !== 'string') return undefined;
  const { image: _image, ...others } = value;
  return { input: { type: 'image', data: nested['base64'], ...typed(nested['media_type']) }, rest: others };
}

function typed(mediaType: unknown): { mediaType?: string } {
  return typeof mediaType === 'string' ? { mediaType } : {};
}

/** Anything else: JSON text with a note where each medium stood, then the media. */
async function fromData(value: unknown, door: Door): Promise<Draft> {
  const found = await findMedia(value, door);
  const said =
    typeof found.value === 'string' ? found.value : toJsonText(found.value, found.media.length > 0 ? undefined : 2);
  return { content: [text(said), ...found.media], details: found.value };
}

/** Checks each block; one that is refused becomes the words that say why. */
async function resolveAll(inputs: readonly BlockInput[], door: Door): Promise<Block[]> {
  const content: Block[] = [];
  for (const input of inputs) {
    const read = await resolveBlock(input, door);
    if (!read.ok) content.push(text(refusedNote(input, refusalText(read.refusal))));
    else if (read.value.type !== 'text') content.push(read.value);
    else {
      const guarded = await guardText(read.value.text, door);
      content.push(guarded.text === read.value.text ? read.value : text(guarded.text), ...guarded.media);
    }
  }
  return content;
}

/** Why a medium is missing, with its author's words if there are any. */
export function refusedNote(input: BlockInput, why: string): string {
  const fallback = 'fallback' in input && input.fallback ? `\n${input.fallback}` : '';
  return `[${input.type} not shown: ${why}]${fallback}`;
}

function field(value: Fields, ...keys: string[]): string | undefined {
  return keys.map((key) => value[key]).find((item) => typeof item === 'string');
}

function text(value: string): Block & { type: 'text' } {
  return { type: 'text', text: value.toWellFormed() };
}
