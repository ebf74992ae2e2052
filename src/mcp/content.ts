// A tool's result → what an MCP client takes: pictures and sounds as themselves, documents as embedded resources with
// their text beside them, JSON as structured content too. What is too large for clients stays here as a resource, and
// words with a link stand for it.
import type { AssetStore } from '../asset/store.ts';
import { base64Length, encodeBase64 } from '../content/base64.ts';
import type { Asset, Block, DocumentBlock, MediaBlock } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { describeMedia, shortId, textHeading, words } from '../content/words.ts';
import { isRecord } from '../content/json.ts';
import { cutText, safeName } from '../content/text.ts';
import { limits, render } from '../media/index.ts';
import type { ToolResult } from '../tool/result.ts';

type McpContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; blob: string } }
  | { type: 'resource_link'; uri: string; name: string; mimeType: string; size: number };

type McpResult = { content: McpContent[]; structuredContent?: Record<string, unknown>; isError?: true };

type ContentOptions = {
  assets: AssetStore;
  signal?: AbortSignal;
  /** Told about every asset the client was given a name for, so that it can be read later. */
  offer: (asset: Asset) => void;
  /** Pictures, documents and videos stay here; the client gets their words. */
  picturesStay?: boolean;
};

/** What clients take: one picture, one other medium, and all of a result together, as base64. */
const maxImage = 5_000_000;
const maxMedium = 10_000_000;
const maxTotal = 18_000_000;
const maxStructured = 100_000;
/** Links to what the words name but no block holds. */
const maxLinks = 20;
/** Pages of a document without words, and how large they are drawn. */
const maxPagePictures = 5;
const pageEdge = 1568;

const scheme = 'sightline://asset/';

/** The name under which a client may read an asset. */
export function assetUri(asset: Asset): string {
  return `${scheme}${asset.id.slice('sha256:'.length)}`;
}

/** What a client sees of an asset before it reads it. */
export function assetLink(asset: Asset): { uri: string; name: string; mimeType: string; size: number } {
  const { id, name, mediaType, size } = asset;
  return { uri: assetUri(asset), name: safeName(name ?? shortId(id)), mimeType: mediaType, size };
}

/** All blocks in their order; nothing is left out without words. */
export async function mcpResult(result: ToolResult, options: ContentOptions): Promise<McpResult> {
  const content: McpContent[] = [];
  for (const block of result.content) content.push(...(await parts(block, maxTotal - total(content), options)));
  const kept = result.kept?.filter((asset) => !options.picturesStay || isWords(asset)) ?? [];
  for (const asset of kept.slice(0, maxLinks)) {
    options.offer(asset);
    content.push({ type: 'resource_link', ...assetLink(asset) });
  }
  const structured = structuredContent(result.content);
  return {
    content,
    ...(structured && { structuredContent: structured }),
    ...(result.isError && { isError: true as const }),
  };
}

async function parts(block: Block, room: number, options: ContentOptions): Promise<McpContent[]> {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (!isMedia(block)) return [];
  if (options.picturesStay && block.type !== 'audio') return [{ type: 'text', text: await wordsOnly(block, options) }];
  if (block.type !== 'document') return await mediumParts(block, room, options);
  const legible = await documentWords(block, options);
  const pages = legible.filter(isMedia);
  const shown: McpContent[] = legible.flatMap((part) =>
    part.type === 'text' ? [{ type: 'text', text: part.text }] : [],
  );
  for (const medium of [...pages, await onlyItsPages(block, options)]) {
    shown.push(...(await mediumParts(medium, room - total(shown), options)));
  }
  return shown;
}

async function mediumParts(block: MediaBlock, room: number, options: ContentOptions): Promise<McpContent[]> {
  const largest = block.type === 'image' ? maxImage : maxMedium;
  const size = base64Length(block.asset.size);
  options.offer(block.asset);
  if (size > Math.min(largest, room)) return linked(block);
  const bytes = await options.assets.get(block.asset.id);
  return bytes ? [embedded(block, bytes)] : [{ type: 'text', text: words(block, { why: 'its bytes are gone' }) }];
}

/** A document of which some pages were asked for goes as just these pages. */
async function onlyItsPages(block: DocumentBlock, options: ContentOptions): Promise<MediaBlock> {
  if (!block.range || block.asset.mediaType !== 'application/pdf') return block;
  const made = await render({ to: 'pdf', asset: block.asset, range: block.range }, rendering(options));
  const [cut] = made.ok ? made.value : [];
  return cut && isMedia(cut) ? cut : block;
}

function rendering({ assets, signal }: ContentOptions): { assets: AssetStore; signal?: AbortSignal } {
  return signal ? { assets, signal } : { assets };
}

function embedded(block: MediaBlock, bytes: Uint8Array): McpContent {
  const data = encodeBase64(bytes);
  const { mediaType } = block.asset;
  if (block.type === 'image' || block.type === 'audio') return { type: block.type, data, mimeType: mediaType };
  return { type: 'resource', resource: { uri: assetUri(block.asset), mimeType: mediaType, blob: data } };
}

function linked(block: MediaBlock): McpContent[] {
  return [
    { type: 'text', text: words(block, { why: 'too large to send, read it as a resource' }) },
    { type: 'resource_link', ...assetLink(block.asset) },
  ];
}

/** Most clients cannot show a document, so its words go along, or its first pages as pictures where it has no words. */
async function documentWords(block: DocumentBlock, options: ContentOptions): Promise<Block[]> {
  const text = await textIn('text', block, options);
  if (text === '') return await pagePictures(block, options);
  return [{ type: 'text', text: `${textHeading(block)}\n${bounded(text)}` }];
}

/** What is written in it, else what can be read off it, else what its author says of it. */
async function wordsOnly(block: Exclude<MediaBlock, { type: 'audio' }>, options: ContentOptions): Promise<string> {
  const why = 'the settings keep pictures at home';
  const own = block.type === 'document' ? await textIn('text', block, options) : '';
  const text = own === '' && block.type !== 'video' ? await textIn('words', block, options) : own;
  return text === '' ? words(block, { why }) : `${textHeading(block, why)}\n${bounded(text)}`;
}

async function textIn(to: 'text' | 'words', block: MediaBlock, options: ContentOptions): Promise<string> {
  const range = block.type === 'document' && block.range !== undefined ? { range: block.range } : {};
  const made = await render({ to, asset: block.asset, ...range }, rendering(options));
  return made.ok ? made.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') : '';
}

function bounded(text: string): string {
  const shown = cutText(text, limits.outputCharacters);
  if (shown.length === text.length) return text;
  return `${shown}\n[Cut after ${shown.length} of ${text.length} characters; ask for fewer pages.]`;
}

/** Text that was too long to show; anything else may hold a picture. */
function isWords({ mediaType }: Asset): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json';
}

async function pagePictures(block: DocumentBlock, options: ContentOptions): Promise<Block[]> {
  const [start, end] = block.range ?? [0, block.pages ?? 0];
  if (block.asset.mediaType !== 'application/pdf' || end <= start) return [];
  const last = Math.min(end, start + maxPagePictures);
  const asked = { to: 'pages', asset: block.asset, range: [start, last], maxEdge: pageEdge } as const;
  const made = await render(asked, rendering(options));
  if (!made.ok) return [];
  const more = last < end ? `; pages ${last + 1}-${end} are not shown, ask for them` : '';
  return [
    { type: 'text', text: `[${describeMedia(block)}: no text in it; pages ${start + 1}-${last} as pictures${more}]` },
    ...made.value,
  ];
}

/** Only for a result that is nothing but one JSON object: clients that see structured content drop media beside it. */
function structuredContent(content: readonly Block[]): Record<string, unknown> | undefined {
  const [block, ...more] = content;
  if (block?.type !== 'text' || more.length > 0 || block.text.length > maxStructured) return undefined;
  if (!block.text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(block.text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function total(content: readonly McpContent[]): number {
  return content.reduce((sum, part) => sum + sizeOf(part), 0);
}

function sizeOf(part: McpContent): number {
  switch (part.type) {
    case 'text':
      return part.text.length;
    case 'image':
    case 'audio':
      return part.data.length;
    case 'resource':
      return part.resource.blob.length;
    case 'resource_link':
      return part.uri.length;
  }
}
