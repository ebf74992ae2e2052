// Untrusted JSON → a block of ours, or the loose form of one. Understands our own blocks, Anthropic and OpenAI parts,
// Gemini inline data, MCP content, Scrapybara parts and stored records, in camelCase and snake_case. A value is a block
// only if its type is known and its required fields have the right types; anything else is undefined: data, not a block.
import type { Asset, Block, Detail, MediaKind, Origin, Picture, Reference, Seal } from './block.ts';
import { isMediaKind, parseCitations } from './block.ts';
import type { BlockInput, Bytes, MediaInput } from './input.ts';
import { parseDataUri } from './base64.ts';
import { isRecord, toJsonText } from './json.ts';
import type { Json } from './json.ts';
import { resourceNote } from './words.ts';

type Fields = Record<string, unknown>;

/**
 * A value as a block, or undefined when it is not one.
 *
 * @example
 * parseBlock({ type: 'image_url', image_url: { url: 'data:image/png;base64,…' } })?.type; // 'image'
 */
export function parseBlock(value: unknown): BlockInput | undefined {
  if (!isRecord(value)) return undefined;
  const type = value['type'];
  if (type === undefined) return parseUntyped(value);
  if (typeof type !== 'string') return undefined;
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return parseText(value);
    case 'image':
    case 'document':
    case 'audio':
    case 'video':
      return parseMedia(type, value);
    case 'image_url':
    case 'input_image':
    case 'computer_screenshot':
      return parseImageUrl(value);
    case 'document_url':
      return parseDocumentUrl(value);
    case 'file':
    case 'input_file':
    case 'media':
    case 'image-data':
    case 'file-data':
    case 'image-url':
    case 'file-url':
    case 'image-file-id':
    case 'file-id':
    case 'image-file-reference':
    case 'file-reference':
      return parseFile(
        isRecord(value['file']) ? value['file'] : value,
        type.startsWith('image-') ? 'image' : undefined,
      );
    case 'reference':
      return parseReference(value);
    case 'input_audio':
      return parseAudio(value['input_audio']);
    case 'resource':
      return parseResource(value['resource']);
    case 'resource_link':
      return parseLink(value);
    case 'thinking':
    case 'reasoning':
      return parseThinking(value);
    case 'redacted_thinking':
      return typeof value['data'] === 'string' ? { type: 'thinking', text: '', redacted: true } : undefined;
    case 'call':
    case 'tool_use':
    case 'tool-call':
      return parseCall(value);
    case 'sealed':
      return parseSealed(value);
    default:
      return undefined;
  }
}

/**
 * A stored block of any age: what is not understood becomes text, never an error.
 *
 * @example
 * const blocks = stored.content.map(readBlock);
 */
export function readBlock(value: unknown): BlockInput {
  const block = parseBlock(value);
  if (block) return block;
  if (typeof value === 'string') return { type: 'text', text: value };
  const fields = isRecord(value) ? value : {};
  const untyped = fields['type'] === undefined ? text(fields, 'text') : undefined;
  return { type: 'text', text: untyped ?? text(fields, 'text_fallback', 'fallback', 'text') ?? toJsonText(value) };
}

function parseUntyped(value: Fields): BlockInput | undefined {
  const inline = value['inlineData'] ?? value['inline_data'];
  if (isRecord(inline)) {
    const data = text(inline, 'data');
    const mediaType = text(inline, 'mimeType', 'mime_type');
    return data !== undefined && mediaType !== undefined
      ? loose(mediaKindOf(mediaType), { data, mediaType, ...named(inline) })
      : undefined;
  }
  const file = value['fileData'] ?? value['file_data'];
  return isRecord(file) ? parseFileData(file) : undefined;
}

/** Google's own files have an address, too; it opens for nobody but their owner. */
const googleFile = /^https:\/\/generativelanguage\.googleapis\.com\/[\w/]*files\//;

function parseFileData(file: Fields): BlockInput | undefined {
  const uri = text(file, 'fileUri', 'file_uri');
  const mediaType = text(file, 'mimeType', 'mime_type');
  if (uri === undefined) return undefined;
  const isVideo = mediaType === undefined && /^https:\/\/(?:www\.)?youtu(?:be\.com|\.be)\//.test(uri);
  const kind = isVideo ? 'video' : mediaKindOf(mediaType ?? 'application/pdf');
  const about = { ...(mediaType !== undefined && { mediaType }), ...named(file) };
  if (googleFile.test(uri)) return loose(kind, { ...about, file: { endpoint: 'gemini', id: uri } });
  if (uri.startsWith('gs://')) return loose(kind, { ...about, file: { endpoint: 'vertex', id: uri } });
  return /^https?:/.test(uri) ? loose(kind, { ...about, url: uri }) : undefined;
}

/** Our own block, as it comes back from storage. */
function parseReference(value: Fields): BlockInput | undefined {
  const { kind } = value;
  const at = parsePlace(value['at']);
  if (!at || !isMediaKind(kind)) return undefined;
  const mediaType = text(value, 'mediaType');
  const sizes = (['width', 'height', 'pages', 'seconds'] as const).flatMap((key) =>
    typeof value[key] === 'number' ? [[key, value[key]] as const] : [],
  );
  const { fallback, detail, range } = extras(value);
  return {
    type: 'reference',
    kind,
    at,
    ...named(value),
    ...(mediaType !== undefined && { mediaType }),
    ...(fallback !== undefined && { fallback }),
    ...(detail && { detail }),
    ...(range && { range }),
    ...Object.fromEntries(sizes),
  };
}

function parsePlace(value: unknown): Reference | undefined {
  if (!isRecord(value)) return undefined;
  const { url, file } = value;
  if (typeof url === 'string' && URL.canParse(url)) return { url };
  const found = parseOwned(file);
  return found && { file: found };
}

/** A file's id with whose it is. */
function parseOwned(value: unknown): { endpoint: string; id: string } | undefined {
  if (!isRecord(value) || typeof value['endpoint'] !== 'string' || typeof value['id'] !== 'string') return undefined;
  return { endpoint: value['endpoint'], id: value['id'] };
}

function parseText(value: Fields): BlockInput | undefined {
  if (typeof value['text'] !== 'string') return undefined;
  const seal = parseSeal(value['seal']);
  const citations = parseCitations(value['citations']);
  return { type: 'text', text: value['text'], ...(citations && { citations }), ...(seal && { seal }) };
}

function parseMedia(type: MediaKind, value: Fields): BlockInput | undefined {
  const checked = parseChecked(type, value);
  if (checked) return checked;
  const common = { ...named(value), ...extras(value) };
  const mediaType = text(value, 'mediaType', 'media_type', 'mimeType', 'mime_type');
  const typed = mediaType === undefined ? common : { ...common, mediaType };
  const data = value['data'];
  if (typeof data === 'string' || isBytes(data)) return loose(type, { ...typed, data });
  const path = text(value, 'path', 'source_path', 'sourcePath');
  if (path !== undefined && path !== '') return loose(type, { ...typed, path });
  const url = text(value, 'url');
  if (url !== undefined) return loose(type, { ...typed, ...urlOrData(url) });
  const file = parseOwned(value['file']);
  if (file) return loose(type, { ...typed, file });
  const image = carriedBy(value['image']);
  if (image) return loose(type, { ...typed, ...image });
  if (isRecord(value['source'])) return parseSource(type, value['source'], typed);
  return undefined;
}

function parseSource(type: MediaKind, source: Fields, common: Partial<MediaInput>): BlockInput | undefined {
  const mediaType = text(source, 'media_type', 'mediaType');
  const typed = mediaType === undefined ? common : { ...common, mediaType };
  switch (source['type']) {
    case 'base64':
      return typeof source['data'] === 'string' ? loose(type, { ...typed, data: source['data'] }) : undefined;
    case 'url':
      return typeof source['url'] === 'string' ? loose(type, { ...typed, ...urlOrData(source['url']) }) : undefined;
    case 'file':
      return typeof source['file_id'] === 'string'
        ? loose(type, { ...typed, file: { endpoint: 'anthropic', id: source['file_id'] } })
        : undefined;
    case 'text':
      return typeof source['data'] === 'string' ? { type: 'text', text: source['data'] } : undefined;
    default:
      return undefined;
  }
}

/** Our own block, as it comes back from storage. */
function parseChecked(type: MediaKind, value: Fields): Block | undefined {
  const asset = parseAsset(value['asset']);
  if (!asset) return undefined;
  const origin = parseOrigin(value['origin']);
  const fallback = text(value, 'fallback');
  const common = { asset, ...(origin && { origin }), ...(fallback !== undefined && { fallback }) };
  if (type === 'image') {
    const original = parsePicture(value['original']);
    const detail = parseDetail(value['detail']);
    const size = { width: count(value['width']) ?? 0, height: count(value['height']) ?? 0 };
    const seal = parseSeal(value['seal']);
    const textPx = value['textPx'];
    return {
      type,
      ...common,
      ...size,
      ...(original && { original }),
      ...(typeof textPx === 'number' && textPx > 0 && { textPx }),
      ...(detail && { detail }),
      ...(seal && { seal }),
    };
  }
  if (type === 'document') {
    const pages = count(value['pages']);
    const range = parseRange(value['range']);
    return { type, ...common, ...(pages !== undefined && { pages }), ...(range && { range }) };
  }
  return { type, ...common, seconds: typeof value['seconds'] === 'number' ? value['seconds'] : 0 };
}

function parseImageUrl(value: Fields): BlockInput | undefined {
  const nested = value['image_url'];
  const url = typeof nested === 'string' ? nested : isRecord(nested) ? text(nested, 'url') : undefined;
  const detail = parseDetail(isRecord(nested) ? nested['detail'] : value['detail']);
  const id = text(value, 'file_id');
  if (url === undefined && id === undefined) return undefined;
  const place = url === undefined ? { file: { endpoint: 'openai', id: id ?? '' } } : urlOrData(url);
  return loose('image', { ...place, ...(detail && { detail }) });
}

/** Mistral's part for a document. */
function parseDocumentUrl(value: Fields): BlockInput | undefined {
  const url = text(value, 'document_url');
  return url === undefined
    ? undefined
    : loose('document', { ...urlOrData(url), ...named({ name: value['document_name'] }) });
}

function parseFile(file: Fields, told?: MediaKind): BlockInput | undefined {
  const metadata = isRecord(file['metadata']) ? file['metadata'] : {};
  const name = text(file, 'filename', 'name') ?? text(metadata, 'filename', 'name');
  const given = name === undefined ? {} : { name };
  const mediaType = text(file, 'mediaType', 'media_type', 'mimeType', 'mime_type');
  // The AI SDK and LangChain say the type beside bare data; without it, or with words, `data` is anybody's field.
  const typed = mediaType !== undefined && !mediaType.startsWith('text/');
  const isTagged = isRecord(file['data']) && !carriedBy(file['data']);
  const tagged = typed ? (isTagged ? (file['data'] as Fields) : { data: file['data'] }) : {};
  const data = text(file, 'file_data', 'fileData') ?? text(tagged, 'data');
  const carried = data === undefined ? carriedBy(tagged['data']) : urlOrData(data);
  const url =
    text(file, 'file_url') ??
    text(tagged, 'url') ??
    (String(file['type']).endsWith('-url') ? text(file, 'url') : undefined);
  const kind = told ?? mediaKindOf(mediaType ?? parseDataUri(data ?? '')?.mediaType ?? 'application/pdf');
  const about = { ...given, ...(mediaType && { mediaType }) };
  if (carried) return loose(kind, { ...about, ...carried });
  if (url !== undefined) return loose(kind, { ...about, ...urlOrData(url) });
  const owned = fileIdIn(file) ?? fileIdIn(tagged);
  return owned && loose(kind, { ...about, file: owned });
}

/** An id in the spelling of OpenAI, or the AI SDK's list of ids, one a provider. */
function fileIdIn(file: Fields): { endpoint: string; id: string } | undefined {
  const id = file['file_id'] ?? file['fileId'] ?? file['reference'] ?? file['providerReference'];
  if (typeof id === 'string') return { endpoint: 'openai', id };
  const [first] = isRecord(id) ? Object.entries(id) : [];
  return first && typeof first[1] === 'string' ? { endpoint: first[0], id: first[1] } : undefined;
}

function parseAudio(value: unknown): BlockInput | undefined {
  if (typeof value === 'string') return loose('audio', urlOrData(value));
  return isRecord(value) && typeof value['data'] === 'string' ? loose('audio', { data: value['data'] }) : undefined;
}

function parseResource(value: unknown): BlockInput | undefined {
  if (!isRecord(value)) return undefined;
  if (typeof value['text'] === 'string') return { type: 'text', text: value['text'] };
  if (typeof value['blob'] !== 'string') return undefined;
  const mediaType = text(value, 'mimeType', 'mime_type') ?? 'application/octet-stream';
  const name = text(value, 'uri')?.split('/').at(-1);
  return loose(mediaKindOf(mediaType), { data: value['blob'], mediaType, ...(name && { name }) });
}

function parseLink(value: Fields): BlockInput | undefined {
  const uri = text(value, 'uri');
  if (uri === undefined) return undefined;
  const parts = [text(value, 'name'), text(value, 'mimeType'), text(value, 'description')].filter((part) => part);
  return { type: 'text', text: resourceNote(uri, parts.join(', ')) };
}

function parseThinking(value: Fields): BlockInput | undefined {
  const words = text(value, 'text', 'thinking', 'reasoning');
  const seal = parseSeal(value['seal']);
  if (words === undefined && !seal) return undefined;
  return {
    type: 'thinking',
    text: words ?? '',
    ...(value['redacted'] === true && { redacted: true as const }),
    ...(seal && { seal }),
  };
}

function parseCall(value: Fields): BlockInput | undefined {
  const id = text(value, 'id', 'toolCallId', 'tool_call_id');
  const called = text(value, 'toolCallId', 'tool_call_id') ?? id;
  const name = text(value, 'name', 'toolName', 'tool_name');
  if (called === undefined || name === undefined) return undefined;
  const seal = parseSeal(value['seal']);
  const input = 'input' in value ? value['input'] : (value['args'] ?? {});
  const { doubts } = value;
  const doubted = Array.isArray(doubts) && { doubts: doubts.map(String) };
  return { type: 'call', id: called, name, input, ...doubted, ...(seal && { seal }) };
}

function parseSealed(value: Fields): BlockInput | undefined {
  const seal = parseSeal(value['seal']);
  return seal && { type: 'sealed', seal };
}

/** What a provider sealed, as it comes back from storage. */
export function parseSeal(value: unknown): Seal | undefined {
  if (!isRecord(value)) return undefined;
  const wire = text(value, 'wire');
  const endpoint = text(value, 'endpoint');
  const model = text(value, 'model');
  if (wire === undefined || endpoint === undefined || model === undefined || value['item'] === undefined)
    return undefined;
  return { wire, endpoint, model, item: value['item'] as Json };
}

/** The name of some bytes, as it comes back from storage. */
export function parseAsset(value: unknown): Asset | undefined {
  if (!isRecord(value)) return undefined;
  const id = text(value, 'id');
  const mediaType = text(value, 'mediaType', 'media_type');
  const size = count(value['size']);
  if (id === undefined || !isAssetId(id) || mediaType === undefined || size === undefined) return undefined;
  return { id, mediaType, size, ...named(value) };
}

function isAssetId(id: string): id is Asset['id'] {
  return /^sha256:[0-9a-f]{64}$/.test(id);
}

function parseOrigin(value: unknown): Origin | undefined {
  if (!isRecord(value) || typeof value['source'] !== 'string') return undefined;
  const page = count(value['page']);
  const made = text(value, 'made');
  return { source: value['source'], ...(page !== undefined && { page }), ...(made !== undefined && { made }) };
}

function parsePicture(value: unknown): Picture | undefined {
  if (!isRecord(value)) return undefined;
  const asset = parseAsset(value['asset']);
  return asset && { asset, width: count(value['width']) ?? 0, height: count(value['height']) ?? 0 };
}

const details: readonly Detail[] = ['low', 'high', 'original', 'auto', 'whole'];

function parseDetail(value: unknown): Detail | undefined {
  return details.find((detail) => detail === value);
}

function parseRange(value: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [start, end] = [count(value[0]), count(value[1])];
  return start === undefined || end === undefined ? undefined : [start, end];
}

function extras(value: Fields): Partial<MediaInput> {
  const fallback = text(value, 'fallback', 'text_fallback');
  const detail = parseDetail(value['detail']);
  const range = parseRange(value['range'] ?? value['page_range'] ?? value['pageRange']);
  return { ...(fallback && { fallback }), ...(detail && { detail }), ...(range && { range }) };
}

function named(value: Fields): { name?: string } {
  const name = text(value, 'name', 'title', 'filename', 'displayName', 'display_name');
  return name === undefined ? {} : { name };
}

/** Some callers put a data URI or plain base64 where a URL is expected. */
function urlOrData(value: string): { url: string } | { data: string } {
  return /^(https?|file):\/\//i.test(value) ? { url: value } : { data: value };
}

/** A medium as the AI SDK carries it: letters, bytes, or a `URL`. */
function carriedBy(value: unknown): { url: string } | { data: Bytes | string } | undefined {
  if (typeof value === 'string') return urlOrData(value);
  if (value instanceof URL) return urlOrData(value.href);
  return isBytes(value) ? { data: value } : undefined;
}

function isBytes(value: unknown): value is Bytes {
  return value instanceof Uint8Array || value instanceof ArrayBuffer || value instanceof Blob;
}

export function mediaKindOf(mediaType: string): MediaKind {
  const family = mediaType.split('/')[0];
  return isMediaKind(family) ? family : 'document';
}

function loose(type: MediaKind, fields: Omit<MediaInput, 'type'>): MediaInput {
  return { type, ...fields };
}

/** The first of these fields that holds a string. */
function text(value: Fields, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const field = value[key];
    if (typeof field === 'string') return field;
  }
  return undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** Fields such as `image_url` and `fileUri`, by their endings: a search that begins with a quote stops at every one. */
const placeFields = /(?:ur[il]|Uri)"\s*:\s*"(?:https?|gs|s3):|"file_id"\s*:/;

/** Whether something in a JSON text may be a medium by its address or its id, without reading it. */
export function mayRefer(json: string): boolean {
  return placeFields.test(json);
}
