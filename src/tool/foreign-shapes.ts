// The result types of other frameworks. A record counts as one only if it has nothing but that type's fields: anything
// more is data, and data keeps all of its fields.
import type { Asset } from '../content/block.ts';
import { isMedia, isMediaKind } from '../content/block.ts';
import type { BlockInput } from '../content/input.ts';
import { canonicalJson, isRecord, parsed, toJsonText } from '../content/json.ts';
import { mediaKindOf, parseAsset, parseBlock, readBlock } from '../content/parse.ts';
import { refusalText } from '../content/refusal.ts';
import { refusedNote } from '../content/words.ts';

type Fields = Record<string, unknown>;

/** What a foreign result says: words, blocks to check, whether it failed, and what lies behind it. */
export type Told = {
  said?: unknown;
  blocks: BlockInput[];
  isError?: boolean;
  details?: unknown;
  data?: unknown;
  kept?: Asset[];
};

/** The record as a result of some framework, or undefined when it is none that we know. */
export function foreignResult(value: Fields): Told | undefined {
  return (
    reading(value) ?? refusal(value) ?? content(value) ?? outcome(value) ?? attachments(value) ?? scrapybara(value)
  );
}

function only(value: Fields, ...known: string[]): boolean {
  return Object.keys(value).every((key) => known.includes(key));
}

/** What `read` resolves to. A document brings its text and the pictures in it itself; beside one, only notes go along. */
function reading(value: Fields): Told | undefined {
  if (!only(value, 'ok', 'value') || value['ok'] !== true) return undefined;
  const inner = value['value'];
  if (!isRecord(inner) || typeof inner['output'] !== 'string' || !Array.isArray(inner['blocks'])) return undefined;
  const blocks = inner['blocks'].map(readBlock);
  const hasDocument = blocks.some((block) => block.type === 'document');
  const whole = isRecord(inner['data']) ? parseAsset(inner['data']['asset']) : undefined;
  return {
    ...(!hasDocument && { said: inner['output'] }),
    blocks: hasDocument ? blocks.filter(({ type }) => type !== 'image') : blocks.filter(isMedia).map(withoutWords),
    ...(whole && { kept: [whole] }),
  };
}

/** The text beside a medium says already what would stand for it. */
function withoutWords<Medium extends BlockInput>(block: Medium): Medium {
  if (!('fallback' in block)) return block;
  const { fallback: _, ...rest } = block;
  return rest as Medium;
}

function refusal(value: Fields): Told | undefined {
  const inner = value['refusal'];
  if (!only(value, 'ok', 'refusal') || value['ok'] !== false || !isRecord(inner)) return undefined;
  const { what, next, limit } = inner;
  if (typeof what !== 'string' || typeof next !== 'string') return undefined;
  const told = refusalText({ code: 'unsupported', what, next, ...(typeof limit === 'string' && { limit }) });
  return { said: told, blocks: [], isError: true };
}

/** Our own result, or an MCP one: `content`, `isError`, `structuredContent`. */
function content(value: Fields): Told | undefined {
  const known = ['content', 'isError', 'is_error', 'structuredContent', '_meta', 'details', 'kept'];
  const isAnswer = value['type'] === 'tool_result' || value['role'] === 'tool';
  const envelope = isAnswer ? ['type', 'role', 'tool_use_id', 'tool_call_id', 'callId', 'name', 'cache_control'] : [];
  const inner = value['content'];
  const listed = Array.isArray(inner) ? inner : [inner];
  if (!only(value, ...known, ...envelope) || inner === undefined) return undefined;
  const blocks = listed.filter((item) => !forUserOnly(item)).map(contentBlock);
  if (!blocks.every((block) => block !== undefined)) return undefined;
  if (blocks.length === 0 && listed.length > 0) blocks.push({ type: 'text', text: forUser });
  const structured = value['structuredContent'];
  const details = value['details'] ?? structured;
  const kept = Array.isArray(value['kept']) ? value['kept'].flatMap((asset) => parseAsset(asset) ?? []) : [];
  return {
    blocks,
    ...((value['isError'] === true || value['is_error'] === true) && { isError: true }),
    ...(structured !== undefined && !repeats(blocks, structured) && { data: structured }),
    ...(details !== undefined && { details }),
    ...(kept.length > 0 && { kept }),
  };
}

const forUser = 'The result was shown to the user only.';

/** MCP marks what only the person should see. */
export function forUserOnly(item: unknown): boolean {
  const annotations = isRecord(item) ? item['annotations'] : undefined;
  const audience = isRecord(annotations) ? annotations['audience'] : undefined;
  return Array.isArray(audience) && audience.length > 0 && !audience.includes('assistant');
}

/** Servers are asked to repeat structured content as text; once is enough. */
function repeats(blocks: readonly BlockInput[], structured: unknown): boolean {
  try {
    const wanted = canonicalJson(structured);
    return blocks.some((block) => {
      const said = block.type === 'text' ? parsed(block.text) : undefined;
      return said !== undefined && canonicalJson(said) === wanted;
    });
  } catch {
    return false; // what JSON cannot hold repeats no text
  }
}

/** Such a record as it is stored: the JSON of it as a text. Undefined for every other text. */
export function storedOutcome(text: string): Told | undefined {
  const value = /^\s*\{/.test(text) && text.includes('"success"') ? parsed(text) : undefined;
  return isRecord(value) && 'error' in value && 'files_changed' in value ? outcome(value) : undefined;
}

/** `{ success, output, content_blocks?, data?, files_changed?, error? }` */
function outcome(value: Fields): Told | undefined {
  const known = [
    'success',
    'output',
    'content_blocks',
    'contentBlocks',
    'data',
    'files_changed',
    'filesChanged',
    'error',
  ];
  if (!only(value, ...known) || typeof value['success'] !== 'boolean' || !('output' in value)) return undefined;
  const given = value['content_blocks'] ?? value['contentBlocks'] ?? [];
  if (!Array.isArray(given)) return undefined;
  const blocks = given.map((item) => contentBlock(item) ?? readBlock(item));
  const failed = !value['success'];
  const hasDocument = blocks.some((block) => block.type === 'document');
  const details = value['data'] ?? undefined;
  return {
    ...((failed || !hasDocument || isShort(value['output'])) && {
      said: failed ? failure(value['error'], value['output']) : success(value),
    }),
    blocks,
    ...(failed && { isError: true }),
    ...(details !== undefined && { details }),
  };
}

/** A sentence beside a document says something of its own; a long text is the document's, and is not paid twice. */
function isShort(output: unknown): boolean {
  return typeof output === 'string' && output.length <= 1000;
}

/** The output as it is; a warning beside it is not lost. */
function success({ output, error }: Fields): unknown {
  return words(error) === '' ? output : [words(output), words(error)].filter((part) => part !== '').join('\n');
}

function words(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : toJsonText(value);
}

function failure(error: unknown, output: unknown): string {
  const more = words(output);
  return `Error: ${words(error) || 'the tool failed'}${more && `\n${more}`}`;
}

/** `{ text, attachment | attachments: [{ mime_type, content | file_path, description }] }` */
function attachments(value: Fields): Told | undefined {
  if (!only(value, 'text', 'data', 'attachment', 'attachments')) return undefined;
  const one = value['attachment'] ?? undefined;
  const isText = typeof value['text'] === 'string' && !('data' in value);
  const listed = value['attachments'] ?? (one !== undefined ? [one] : isText ? [] : undefined);
  if (!Array.isArray(listed)) return undefined;
  const blocks = listed.map((item) => (isRecord(item) ? attachment(item) : undefined));
  if (!blocks.every((block) => block !== undefined)) return undefined;
  const { text, data } = value;
  if (text === undefined) return { said: data, blocks };
  return { said: text, blocks, ...(data !== undefined && { details: data }) };
}

function attachment(value: Fields): BlockInput | undefined {
  const mediaType = field(value, 'mime_type', 'mimeType', 'media_type', 'mediaType');
  if (mediaType === undefined) return undefined;
  const description = field(value, 'description');
  const common = { type: mediaKindOf(mediaType), mediaType, ...(description && { fallback: description }) };
  const data = value['content'];
  if (typeof data === 'string' && mediaType.startsWith('text/')) return { type: 'text', text: data };
  if (data instanceof Uint8Array || data instanceof ArrayBuffer || typeof data === 'string') return { ...common, data };
  const path = field(value, 'file_path', 'filePath', 'path');
  if (path !== undefined) return { ...common, path };
  const said = Object.keys(value).filter((key) => value[key] !== undefined && value[key] !== null);
  if (!said.every((key) => aboutAttachments.has(key))) return undefined;
  return { type: 'text', text: refusedNote(common, 'it came without content and path. Return its bytes.') };
}

const aboutAttachments: ReadonlySet<string> = new Set([
  'mime_type',
  'mimeType',
  'media_type',
  'mediaType',
  'description',
]);

/** `{ output, error?, base64_image, system? }`: the text is the output, the error makes it a failure. */
function scrapybara(value: Fields): Told | undefined {
  if (!only(value, 'output', 'error', 'base64_image', 'base64Image', 'system')) return undefined;
  if (!('base64Image' in value) && !('base64_image' in value)) return undefined;
  const data = value['base64Image'] ?? value['base64_image'] ?? '';
  if (typeof data !== 'string') return undefined;
  const { output, error } = value;
  const failed = typeof error === 'string' && error !== '';
  return {
    said: failed ? failure(error, output) : words(output),
    blocks: data === '' ? [] : [{ type: 'image', data }],
    ...(failed && { isError: true }),
  };
}

/** The fields a block of content may have in any of the dialects; a value with others is data that looks like one. */
const blockFields = new Set(
  (
    'type text data path url name title filename mediaType media_type mimeType mime_type detail fallback text_fallback ' +
    'range page_range pageRange source image source_path sourcePath width height size_bytes page_count extracted_text ' +
    'asset original origin pages seconds seal image_url file input_audio resource uri description size inlineData ' +
    'inline_data file_data file_url cache_control citations context annotations _meta transformations metadata ' +
    'providerOptions source_type'
  ).split(' '),
);

/** A value as a block of content. Calls and thinking are a model's, not a tool's; unknown fields make it data. */
export function contentBlock(value: unknown): BlockInput | undefined {
  if (typeof value === 'string') return { type: 'text', text: value };
  if (!isRecord(value) || !Object.keys(value).every((key) => blockFields.has(key))) return undefined;
  const block = parseBlock(value);
  return block && (block.type === 'text' || isMediaKind(block.type)) ? block : undefined;
}

function field(value: Fields, ...keys: string[]): string | undefined {
  return keys.map((key) => value[key]).find((item) => typeof item === 'string');
}
