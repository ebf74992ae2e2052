// Whatever a tool returned → one ToolResult. Strings stay strings, blocks are checked, bytes are sniffed, the result
// types of other frameworks are understood, media are found wherever they hide, and everything else becomes JSON text.
// Never throws, never gives empty content.
import type { Block } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { describe, emptyResult, keptNote } from '../content/describe.ts';
import type { Door } from '../content/ingest.ts';
import type { BlockInput } from '../content/input.ts';
import { isRecord, toJsonText } from '../content/json.ts';
import { refusalText } from '../content/refusal.ts';
import { resolveBlock } from '../content/resolve.ts';
import { safeName, safeWords } from '../content/text.ts';
import { bytesIn, findMedia, parseJson, textIn } from './find.ts';
import { contentBlock, foreignResult } from './foreign.ts';
import type { Told } from './foreign.ts';
import { guardBlocks } from './guard.ts';
import type { ToolResult } from './result.ts';

type Fields = Record<string, unknown>;

/** Turns any value into a result that every wire can carry. */
export async function normalise(value: unknown, door: Door): Promise<ToolResult> {
  try {
    const draft = await draftOf(value, door);
    const guarded = await guardBlocks(draft.content, door);
    return { ...draft, content: complete(guarded) };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'its own code failed';
    return { content: [text(`Error: the result of the tool could not be read: ${why}`)], isError: true };
  }
}

/** No empty text, and always some text: a result made of media alone says in words what it holds. */
function complete(content: readonly Block[]): Block[] {
  const kept = content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  if (kept.some((block) => block.type === 'text')) return kept;
  const media = kept.filter(isMedia);
  return [text(media.length === 0 ? emptyResult : `[${media.map(describe).join('; ')}]`), ...kept];
}

async function draftOf(value: unknown, door: Door): Promise<ToolResult> {
  if (value === undefined || value === null) return { content: [] };
  if (typeof value === 'string') return fromString(value, door);
  if (value instanceof Error) return { content: [text(`Error: ${value.message || value.name}`)], isError: true };
  if (value instanceof Response) return fromResponse(value, door);
  const bytes = await bytesIn(value);
  if (bytes) return { content: [await fromBytes(bytes, door, nameOf(value))] };
  if (Array.isArray(value)) return fromArray(value, door);
  if (isRecord(value)) return fromRecord(value, door);
  return { content: [text(typeof value === 'bigint' ? value.toString() : toJsonText(value))] };
}

/** A string is kept as it is, unless it is JSON with media in it. */
async function fromString(value: string, door: Door): Promise<ToolResult> {
  const inner = parseJson(value);
  if (inner !== undefined && (await findMedia(inner, door)).media.length > 0) return draftOf(inner, door);
  return { content: [text(value)], ...(isRecord(inner) && inner['success'] === false && { isError: true }) };
}

async function fromBytes(bytes: Uint8Array, door: Door, name?: string): Promise<Block> {
  const hint = name === undefined ? {} : { name };
  const read = await door.ingest(bytes, hint);
  if (read.ok) return read.value;
  const plain = textIn(bytes);
  if (plain !== undefined) return text(plain);
  return text(keptNote(await door.keep(bytes, { mediaType: 'application/octet-stream', ...hint })));
}

function nameOf(value: unknown): string | undefined {
  return value instanceof Blob && 'name' in value && typeof value.name === 'string' ? value.name : undefined;
}

async function fromResponse(value: Response, door: Door): Promise<ToolResult> {
  const status = value.ok ? [] : [text(`HTTP ${value.status} ${value.statusText}`.trim())];
  const bytes = value.bodyUsed ? undefined : new Uint8Array(await value.arrayBuffer());
  const body = bytes && bytes.length > 0 ? [await fromBytes(bytes, door)] : [];
  return { content: [...status, ...body], ...(!value.ok && { isError: true }) };
}

/** A list is content only if every element is a block (or a string beside blocks); otherwise it is data. */
async function fromArray(value: readonly unknown[], door: Door): Promise<ToolResult> {
  if (value.length === 0) return { content: [] };
  const blocks = value.some(isRecord) ? value.map(contentBlock) : [undefined];
  return blocks.every((block) => block !== undefined)
    ? { content: await resolveAll(blocks, door) }
    : fromData(value, door);
}

async function fromRecord(value: Fields, door: Door): Promise<ToolResult> {
  const block = contentBlock(value);
  if (block) return { content: await resolveAll([block], door) };
  const told = foreignResult(value);
  return told ? fromTold(told, door) : fromFlat(value, door);
}

async function fromTold(told: Told, door: Door): Promise<ToolResult> {
  const said = typeof told.said === 'string' ? { content: [text(told.said)] } : await draftOf(told.said, door);
  const blocks = await resolveAll(told.blocks, door);
  const data = told.data === undefined ? [] : (await fromData(told.data, door)).content;
  const details = told.details === undefined ? undefined : (await findMedia(told.details, door)).value;
  return {
    content: [...said.content, ...blocks, ...data],
    ...(told.isError && { isError: true }),
    ...(details !== undefined && { details }),
  };
}

/** A plain object: `base64` or `image.base64` at its top is the picture, the other fields are the text beside it. */
async function fromFlat(value: Fields, door: Door): Promise<ToolResult> {
  const isError = value['success'] === false || value['isError'] === true ? { isError: true } : {};
  const found = await findMedia(value, door);
  if (!isRecord(found.value)) return { ...dataResult(found), ...isError };
  const { base64, media_type: _snake, mediaType: _camel, image, ...rest } = found.value;
  const top = typeof value['base64'] === 'string' && base64 !== value['base64'];
  const nested = isRecord(value['image']) && isRecord(image) && image['base64'] !== value['image']['base64'];
  const others = top ? (image === undefined ? rest : { ...rest, image }) : without(found.value, 'image');
  const shown = top || nested ? others : found.value;
  const said =
    Object.keys(shown).length === 0 && found.media.length > 0 ? [] : [text(jsonText(shown, found.media.length))];
  return { content: [...said, ...found.media], details: shown, ...isError };
}

function without(value: Fields, key: string): Fields {
  return Object.fromEntries(Object.entries(value).filter(([field]) => field !== key));
}

/** Anything else: JSON text with a note where each medium stood, then the media. */
async function fromData(value: unknown, door: Door): Promise<ToolResult> {
  return dataResult(await findMedia(value, door));
}

function dataResult({ value, media }: Awaited<ReturnType<typeof findMedia>>): ToolResult {
  const said = typeof value === 'string' ? value : jsonText(value, media.length);
  return { content: [text(said), ...media], details: value };
}

/** Indented as people read it, or on one line beside a picture. */
function jsonText(value: unknown, mediaCount: number): string {
  return toJsonText(value, mediaCount > 0 ? undefined : 2);
}

/** Checks each block; one that is refused becomes the words that say why. */
async function resolveAll(inputs: readonly BlockInput[], door: Door): Promise<Block[]> {
  const content: Block[] = [];
  for (const input of inputs) {
    const read = await resolveBlock(input, door);
    content.push(read.ok ? read.value : text(refusedNote(input, refusalText(read.refusal))));
  }
  return content;
}

/** Why a medium is missing: what it was called, and its author's words if there are any. */
export function refusedNote(input: BlockInput, why: string): string {
  const called = 'name' in input && typeof input.name === 'string' ? ` "${safeName(input.name)}"` : '';
  const from = 'url' in input && typeof input.url === 'string' && called === '' ? ` ${safeWords(input.url)}` : '';
  const fallback = 'fallback' in input && input.fallback ? `\n${input.fallback}` : '';
  return `[${input.type}${called}${from} not shown: ${why}]${fallback}`;
}

function text(value: string): Block & { type: 'text' } {
  return { type: 'text', text: value.toWellFormed() };
}
