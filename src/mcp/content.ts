// A tool's result → what an MCP client takes: pictures and sounds as themselves, documents as embedded resources with
// their text beside them, JSON as structured content too. What is too large for clients stays here as a resource, and
// words with a link stand for it.
import type { AssetStore } from '../asset/store.ts';
import { base64Length, encodeBase64 } from '../content/base64.ts';
import type { Asset, AssetId, Block, MediaBlock, ReferenceBlock } from '../content/block.ts';
import { hashIn, isMedia } from '../content/block.ts';
import { asResource, describeMedia, shortId, unstored, words } from '../content/words.ts';
import { isRecord, parsed } from '../content/json.ts';
import { safeName } from '../content/text.ts';
import { render } from '../media/index.ts';
import type { ToolResult } from '../tool/result.ts';
import { blindMcpClient, mcpClient } from '../window/viewer.ts';
import { decide, partialRange } from '../window/decide.ts';
import type { Decision } from '../window/decide.ts';
import type { PlannedMedia } from '../window/plan-types.ts';
import { renditionKey } from '../window/rendition.ts';
import type { Fact, Rendition } from '../window/rendition.ts';

type McpContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; blob: string } }
  | { type: 'resource_link'; uri: string; name: string; mimeType?: string; size?: number };

type McpResult = { content: McpContent[]; structuredContent?: Record<string, unknown>; isError?: true };

type ContentOptions = {
  assets: AssetStore;
  signal?: AbortSignal;
  /** Told about every asset the client was given a name for, so that it can be read later. */
  offer: (asset: Asset) => void;
  /** Pictures, documents and videos stay here; the client gets their words. */
  picturesStay?: boolean;
  /** Words as they may leave; as they are when left out. */
  hide?: (text: string) => string;
};

const maxStructured = 100_000;
/** Links to what the words name but no block holds. */
const maxLinks = 20;
const scheme = 'sightline://asset/';

/** The name under which a client may read an asset. */
export function assetUri(asset: Asset): string {
  return `${scheme}${hashIn(asset.id)}`;
}

/** What a client sees of an asset before it reads it. */
export function assetLink(asset: Asset): { uri: string; name: string; mimeType: string; size: number } {
  const { id, name, mediaType, size } = asset;
  return { uri: assetUri(asset), name: safeName(name ?? shortId(id)), mimeType: mediaType, size };
}

/** All blocks in their order; nothing is left out without words. */
export async function mcpResult(result: ToolResult, options: ContentOptions): Promise<McpResult> {
  const content: McpContent[] = [];
  for (const block of result.content)
    content.push(...(await parts(block, mcpClient.requestBytes - total(content), options)));
  const kept = result.kept?.filter((asset) => !options.picturesStay || isWords(asset)) ?? [];
  content.push(...kept.slice(0, maxLinks).map((asset) => linkHere(asset, options)));
  const structured = structuredContent(result.content, options.hide);
  return {
    content,
    ...(structured && { structuredContent: structured }),
    ...(result.isError && { isError: true as const }),
  };
}

/** What the client is shown of a block; what has no room left is a resource that it may read. */
async function parts(block: Block, room: number, options: ContentOptions): Promise<McpContent[]> {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type === 'reference') return [linkTo(block)];
  if (!isMedia(block)) return [];
  const decision = await settled(block, 'result', options);
  const itself = block.type === 'document' && !options.picturesStay ? await settled(block, 'user', options) : undefined;
  const isShown = itself?.action !== 'inside' || decision.action !== 'words';
  const shown: McpContent[] = [];
  for (const one of [...(isShown ? decision.blocks : []), ...(itself?.action === 'inside' ? itself.blocks : [])]) {
    if (one.type === 'text') shown.push({ type: 'text', text: one.text });
    else if (one.type !== 'remote') shown.push(...(await mediumParts(one, block, room - total(shown), options)));
  }
  const isMissing = itself ? itself.action !== 'inside' : decision.place === 'words';
  const stays = options.picturesStay && block.type !== 'audio';
  if (!isMissing || stays) return shown;
  // Pages that cannot be cut out stand there in words; only the document that they are of can be read.
  const isPart = block.type === 'document' && partialRange(block) !== undefined;
  return [...shown, ...(isPart ? [linkHere(block.asset, options)] : linked(block, options))];
}

/** A client may open an address by itself; an id means nothing to it. */
function linkTo(block: ReferenceBlock): McpContent {
  const { at, name = describeMedia(block), mediaType } = block;
  if ('file' in at) return { type: 'text', text: words(block) };
  return { type: 'resource_link', uri: at.url, name, ...(mediaType !== undefined && { mimeType: mediaType }) };
}

/** What the ladder makes of a block for this client; renditions are made as it asks for them. */
async function settled(block: MediaBlock, slot: 'result' | 'user', options: ContentOptions): Promise<Decision> {
  const facts = new Map<string, Fact>();
  const profile = options.picturesStay ? blindMcpClient : mcpClient;
  const shared = { profile, gone: new Set<AssetId>(), viewable: false, legible: new Set([block.asset.id]) };
  for (;;) {
    const needs: Rendition[] = [];
    const decision = decide(block, slot, { ...shared, facts, need: (rendition) => needs.push(rendition) });
    if (decision) return decision;
    for (const need of needs) facts.set(renditionKey(need), await render(need, rendering(options)));
  }
}

async function mediumParts(
  planned: PlannedMedia,
  block: MediaBlock,
  room: number,
  options: ContentOptions,
): Promise<McpContent[]> {
  if (base64Length(planned.asset.size) > room) return linked(block, options);
  options.offer(planned.asset);
  const bytes = await options.assets.get(planned.asset.id);
  return bytes ? [embedded(planned, bytes)] : [{ type: 'text', text: words(block, { why: unstored }) }];
}

function rendering({ assets, signal }: ContentOptions): { assets: AssetStore; signal?: AbortSignal } {
  return signal ? { assets, signal } : { assets };
}

function embedded(block: PlannedMedia, bytes: Uint8Array): McpContent {
  const data = encodeBase64(bytes);
  const { mediaType } = block.asset;
  if (block.type === 'image' || block.type === 'audio') return { type: block.type, data, mimeType: mediaType };
  return { type: 'resource', resource: { uri: assetUri(block.asset), mimeType: mediaType, blob: data } };
}

function linked(block: MediaBlock, options: ContentOptions): McpContent[] {
  return [{ type: 'text', text: words(block, { why: asResource }) }, linkHere(block.asset, options)];
}

function linkHere(asset: Asset, { offer }: ContentOptions): McpContent {
  offer(asset);
  return { type: 'resource_link', ...assetLink(asset) };
}

/** Text that was too long to show; anything else may hold a picture. */
function isWords({ mediaType }: Asset): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json';
}

/** Only for a result that is nothing but one JSON object: clients that see structured content drop media beside it. */
function structuredContent(
  content: readonly Block[],
  hide: ContentOptions['hide'] = (text) => text,
): Record<string, unknown> | undefined {
  const [block, ...more] = content;
  if (block?.type !== 'text' || more.length > 0 || block.text.length > maxStructured) return undefined;
  const value = block.text.startsWith('{') ? parsed(hide(block.text)) : undefined;
  return isRecord(value) && !hasLongNumber(block.text) ? value : undefined;
}

/** Whether a number stands in JSON that would be another one once it is read, as ids of 19 digits. */
function hasLongNumber(json: string): boolean {
  const bare = json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return (bare.match(/(?<![\d.])\d{16,}(?![\d.])/g) ?? []).some((digits) => !Number.isSafeInteger(Number(digits)));
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
