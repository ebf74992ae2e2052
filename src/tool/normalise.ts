// Whatever a tool returned → one ToolResult. Strings stay strings, blocks are checked, bytes are sniffed, the result
// types of other frameworks are understood, media are found wherever they hide, and everything else becomes JSON text.
// Never throws, never gives empty content.
import type { Block, MediaBlock } from '../content/block.ts';
import { isCarried, isMedia } from '../content/block.ts';
import {
  describeMedia,
  emptyFailure,
  emptyResult,
  foundNote,
  keptNote,
  refusedNote,
  unreadableResult,
} from '../content/words.ts';
import type { Intake } from '../content/intake.ts';
import type { BlockInput } from '../content/input.ts';
import { isRecord, toJsonText } from '../content/json.ts';
import { refusalText, refuse } from '../content/refusal.ts';
import type { Read, Refusal } from '../content/refusal.ts';
import { bytesOfData, resolveBlock } from '../content/intake.ts';
import type { CutOptions } from './result-limits.ts';
import { cutTexts } from './result-limits.ts';
import type { Search } from './find-media.ts';
import { bytesIn, findMedia, namedFile, parseJson, plainText } from './find-media.ts';
import { withinCount } from './result-limits.ts';
import { contentBlock, foreignResult } from './foreign-shapes.ts';
import type { Told } from './foreign-shapes.ts';
import { checkBlocks, forgiving, isKnown, keptInWords, notShown } from './check.ts';
import { watchKept } from './known-assets.ts';
import type { ToolResult } from './result.ts';
import { bytesOfResponse, bytesOfStream, isResponse, isStream, unreadStream } from './streams.ts';
import { maxDepth, mayHoldMedia, opensJson, walk } from './walk.ts';
import { walkJson } from './walk-json.ts';

type Fields = Record<string, unknown>;

/** A result before its words are checked, those of its texts that were looked at already, and why media in them are not shown. */
type ResultDraft = ToolResult & { looked?: readonly Block[]; refused?: readonly Refusal[] };

/**
 * Turns any value into a result that every wire can carry.
 *
 * @example
 * const { content, isError } = await normalise(await run(input), headerIntake({ assets }));
 */
export async function normaliseResult(
  value: unknown,
  given: Intake,
  options: CutOptions & { signal?: AbortSignal | undefined } = {},
): Promise<ToolResult> {
  // Whoever hears of refusals still has the value as it came, and goes on with that when the store fails.
  const { intake, kept } = watchKept(options.onRefused ? given : forgiving(given));
  try {
    const { refused = [], looked, ...draft } = await draftOf(value, intake, undefined, { signal: options.signal });
    const checked = await checkBlocks(draft.content, intake, looked);
    for (const refusal of [...refused, ...checked.refused.map((one) => one.refusal)]) options.onRefused?.(refusal);
    const guarded = withinCount(checked.content);
    const content = await cutTexts(complete(guarded.content, draft.isError ?? false), intake, options);
    const assets = kept([...(draft.kept ?? []), ...guarded.surplus]);
    return { ...draft, content, ...(assets.length > 0 && { kept: assets }) };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'its own code failed';
    return { content: [text(unreadableResult(why))], isError: true };
  }
}

/** No empty text, and always some text: a result made of media alone says in words what it holds. */
function complete(content: readonly Block[], failed: boolean): Block[] {
  const kept = content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  if (kept.some((block) => block.type === 'text')) return kept;
  const media = kept.filter(isCarried);
  const nothing = failed ? emptyFailure : emptyResult;
  return [text(media.length === 0 ? nothing : `[${media.map(describeMedia).join('; ')}]`), ...kept];
}

/** Until when anybody waits for a value, and the values whose words it stands for. */
type Way = { signal?: AbortSignal | undefined; above?: readonly object[] };

/** `found` are the media of this very value, when they have been looked for before. */
async function draftOf(value: unknown, intake: Intake, found?: Search, way: Way = {}): Promise<ResultDraft> {
  if (value === undefined || value === null) return { content: [] };
  if (typeof value === 'string') return fromString(value, intake);
  if (value instanceof Error) return { content: [text(`Error: ${value.message || value.name}`)], isError: true };
  if (isRecord(value) && isResponse(value)) return fromResponse(value, intake, way);
  const stream = unreadStream(value);
  if (stream) return { content: await fromBody(await bytesOfStream(stream, way.signal), intake) };
  const bytes = await bytesIn(value);
  if (bytes) return { content: [await fromBytes(bytes, intake, nameOf(value))] };
  if (Array.isArray(value)) return fromArray(value, intake, found);
  if (isRecord(value)) return fromRecord(value, intake, found, way);
  return { content: [text(typeof value === 'bigint' ? value.toString() : toJsonText(value))] };
}

/** A string is kept as it is, unless it is JSON with media in it. */
async function fromString(value: string, intake: Intake): Promise<ResultDraft> {
  const worthParsing = opensJson(value) && (mayHoldMedia(value) || value.includes('success'));
  const inner = worthParsing ? parseJson(value) : undefined;
  const found = inner === undefined ? undefined : await findMedia(inner, intake, 1, walkJson);
  if (found && found.media.length + found.refused.length > 0)
    return { ...(await draftOf(inner, closed(intake), found)), refused: found.refused };
  return { content: [text(value)], ...(isRecord(inner) && inner['success'] === false && { isError: true }) };
}

/** Text may hold media, but it does not choose what is opened. */
function closed(intake: Intake): Intake {
  return { ...intake, open: refuseToOpen };
}

const refuseToOpen: Intake['open'] = () =>
  Promise.resolve(refuse('not-allowed', 'a path in a text is not opened', 'Return the file itself.'));

async function fromBytes(bytes: Uint8Array, intake: Intake, name?: string): Promise<Block> {
  const hint = name === undefined ? {} : { name };
  const read = await intake.check(bytes, hint);
  if (read.ok) return read.value;
  const plain = plainText(bytes);
  if (plain !== undefined) return text(plain);
  if (isKnown(read.refusal)) return text(await notShown(read.refusal, bytes, intake));
  return text(await keptInWords(bytes, intake, { mediaType: 'application/octet-stream', ...hint }));
}

function nameOf(value: unknown): string | undefined {
  return value instanceof Blob && 'name' in value && typeof value.name === 'string' ? value.name : undefined;
}

async function fromResponse(value: Response, intake: Intake, { signal }: Way): Promise<ToolResult> {
  const status = value.ok ? [] : [text(`HTTP ${value.status} ${value.statusText}`.trim())];
  if (value.bodyUsed)
    return { content: [text('Error: the response was already read; return its contents.')], isError: true };
  const body = await fromBody(await bytesOfResponse(value, signal), intake);
  return { content: [...status, ...body], ...(!value.ok && { isError: true }) };
}

async function fromBody(bytes: Uint8Array, intake: Intake): Promise<Block[]> {
  return bytes.length > 0 ? [await fromBytes(bytes, intake)] : [];
}

/** A list is content only if every element is a block (or a string beside blocks); otherwise it is data. */
async function fromArray(value: readonly unknown[], intake: Intake, found?: Search): Promise<ResultDraft> {
  if (value.length === 0) return { content: [] };
  const blocks = value.some(isRecord) ? value.map(contentBlock) : [undefined];
  return blocks.every((block) => block !== undefined)
    ? { content: await resolveAll(blocks, intake) }
    : dataResult(found ?? (await findMedia(value, intake, 1, walk, true)));
}

async function fromRecord(
  value: Fields,
  intake: Intake,
  found: Search | undefined,
  { signal, above = [] }: Way,
): Promise<ResultDraft> {
  const block = contentBlock(value);
  if (block) return { content: await resolveAll([block], intake) };
  const holdsItself = above.includes(value) || above.length > maxDepth;
  const told = holdsItself ? undefined : foreignResult(value);
  return told ? fromTold(told, intake, { signal, above: [...above, value] }) : fromFlat(value, intake, found);
}

async function fromTold(told: Told, intake: Intake, way: Way): Promise<ResultDraft> {
  const said: ResultDraft =
    typeof told.said === 'string' ? { content: [text(told.said)] } : await draftOf(told.said, intake, undefined, way);
  const blocks = await resolveAll(told.blocks, intake);
  const shown = [...said.content, ...blocks].filter(isMedia).length;
  const found = told.data === undefined ? undefined : await findMedia(told.data, intake, shown + 1);
  const data = found && dataResult(found);
  const details = await detailsOf(told, found, intake);
  return {
    content: [...said.content, ...blocks, ...(data?.content ?? [])],
    looked: [...(said.looked ?? []), ...(data?.looked ?? [])],
    ...(told.isError && { isError: true }),
    ...(details !== undefined && { details }),
    ...(told.kept && { kept: told.kept }),
  };
}

/** Details that are the data as well have been searched with it. */
async function detailsOf({ data, details }: Told, found: Search | undefined, intake: Intake): Promise<unknown> {
  if (details === undefined) return undefined;
  return found && details === data ? found.value : (await findMedia(details, intake)).value;
}

/** A plain object: `base64` or `image.base64` at its top is the picture, the other fields are the text beside it. */
async function fromFlat(value: Fields, intake: Intake, searched?: Search): Promise<ResultDraft> {
  const isError = value['success'] === false || value['isError'] === true ? { isError: true } : {};
  if (isStream(value))
    return {
      content: [text('Error: the tool returned a stream, not what comes out of it. Its author has to read it first.')],
      isError: true,
    };
  const found = searched ?? (await findMedia(value, intake, 1, walk, true));
  if (!isRecord(found.value)) return { ...dataResult(found), ...isError };
  const file = found.media.length === 0 ? await namedFile(found.value, intake) : undefined;
  if (file) return { ...besideMedia({ ...found, ...file, unshown: [...found.unshown, ...file.unshown] }), ...isError };
  const { base64, media_type: _snake, mediaType: _camel, image, ...rest } = found.value;
  // A picture that is shown needs no field any more; the words for one that is not stay where it stood.
  const notes = new Set<unknown>(found.media.map((block, at) => foundNote(block, at + 1)));
  const top = notes.has(base64);
  const nested = isRecord(value['image']) && isRecord(image) && notes.has(image['base64']);
  const kept = nested && isRecord(image) ? without(image, 'base64', 'media_type', 'mediaType') : {};
  const alone = nested && Object.keys(kept).length === 0;
  const picture = nested ? (alone ? {} : { image: kept }) : image === undefined ? {} : { image };
  const types = top ? {} : without(found.value, 'base64', 'image');
  const shown = top || nested ? { ...rest, ...types, ...picture } : found.value;
  return { ...besideMedia({ ...found, value: shown }), ...isError };
}

/** The fields as the text beside the media; none of both is lost. */
function besideMedia({ value, media, unshown, whole }: Search & { value: Fields }): ResultDraft {
  const silent = Object.keys(value).length === 0 && media.length > 0;
  const said = silent ? [] : [text(jsonText(value, media.length))];
  return { content: [...said, ...unshown.map(text), ...media], details: value, ...(whole && { looked: said }) };
}

function without(value: Fields, ...keys: string[]): Fields {
  return Object.fromEntries(Object.entries(value).filter(([field]) => !keys.includes(field)));
}

/** Anything else: JSON text with a note where each medium stood, then the media. */
function dataResult({ value, media, unshown, whole }: Search): ResultDraft {
  const said = text(typeof value === 'string' ? value : jsonText(value, media.length));
  const details = typeof value === 'string' ? {} : { details: value };
  return { content: [said, ...unshown.map(text), ...media], ...details, ...(whole && { looked: [said] }) };
}

/** Indented as people read it, or on one line beside a picture. */
function jsonText(value: unknown, mediaCount: number): string {
  return JSON.stringify(value, undefined, mediaCount > 0 ? undefined : 2);
}

/** Checks each block; one that is refused becomes the words that say why. */
async function resolveAll(inputs: readonly BlockInput[], intake: Intake): Promise<Block[]> {
  const content: Block[] = [];
  for (const input of inputs) {
    const read =
      'asset' in input && isMedia(input) ? await recheck(input, intake) : await resolveBlock(input, intake, 'tool');
    content.push(read.ok ? read.value : await fromRefused(input, read.refusal, intake));
  }
  return content;
}

/** A value that names an asset is believed as far as the stored bytes bear it out. */
async function recheck(claimed: MediaBlock, intake: Intake): Promise<Read<Block>> {
  const bytes = await intake.stored(claimed.asset.id);
  if (!bytes) return refuse('not-found', 'its bytes are not stored here', 'Return the file itself.');
  const { name } = claimed.asset;
  const read = await intake.check(bytes, name === undefined ? {} : { name });
  if (!read.ok || read.value.type !== claimed.type || read.value.asset.id !== claimed.asset.id) return read;
  return { ok: true, value: { ...claimed, ...sizes(read.value), asset: read.value.asset } as Block };
}

/** What the bytes say about a medium, whatever was claimed. */
function sizes(block: Block): object {
  if (block.type === 'image') return { width: block.width, height: block.height };
  return block.type === 'document' && block.pages !== undefined ? { pages: block.pages } : {};
}

/** A document that turns out to be text is text; other bytes that cannot be shown are kept, and the note names them. */
async function fromRefused(input: BlockInput, refusal: Refusal, intake: Intake): Promise<Block> {
  const given = 'data' in input && input.data !== undefined ? await bytesOfData(input.data) : undefined;
  const bytes = given?.ok ? given.value.bytes : undefined;
  if (input.type === 'document' && (refusal.code === 'unsupported' || refusal.code === 'unknown')) {
    const file = 'path' in input && input.path !== undefined ? await intake.open({ path: input.path }, 'tool') : given;
    const plain = file?.ok ? plainText(file.value.bytes) : undefined;
    if (plain !== undefined) return text(plain);
  }
  const note = refusedNote(input, refusalText(refusal));
  if (!bytes || bytes.length === 0) return text(note);
  const asset = await intake.keep(bytes, { mediaType: 'application/octet-stream' }).catch(() => undefined);
  const isSaid = asset === undefined && refusal.code === 'not-allowed'; // that the store fails is why it was refused
  return text(isSaid ? note : `${note}\n${keptNote(asset)}`);
}

function text(value: string): Block & { type: 'text' } {
  return { type: 'text', text: value.toWellFormed() };
}
