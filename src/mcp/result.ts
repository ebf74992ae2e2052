// What a server answered → what `normalise` takes. Links to the server's own resources are followed, parts of unknown
// kinds become words, what is for the user only goes to the details, and a flood of media is kept but not shown.
import type { AssetStore } from '../asset/store.ts';
import { decodeBase64 } from '../content/base64.ts';
import type { Asset } from '../content/block.ts';
import { floodNote } from '../content/words.ts';
import { isRecord, toJsonText } from '../content/json.ts';
import { maxMedia } from '../content/limits.ts';
import { contentBlock, forUserOnly } from '../tool/foreign-shapes.ts';

type Links = (uri: string) => Promise<unknown[]>;

const maxLinks = 20;
/** Words longer than this are not said twice. */
const maxRepeat = 100;

/** `links` reads a resource of the server the result came from; without it links stay words. */
export async function resultOf(raw: unknown, assets: AssetStore, links?: Links): Promise<unknown> {
  if (!isRecord(raw)) return raw;
  const listed: unknown[] = [raw['content'] ?? []].flat(); // some servers answer with one part, or bare words
  const forUser: unknown[] = [];
  for (const item of listed.filter(forUserOnly)) forUser.push(await named(item, assets));
  const followed = links ? await followLinks(listed, links) : listed;
  const { content, kept } = await withinCount(followed, assets);
  const { isError } = raw;
  const structuredContent = newIn(raw['structuredContent'], listed);
  const details = {
    ...(raw['structuredContent'] !== undefined && { structuredContent: raw['structuredContent'] }),
    ...(forUser.length > 0 && { forUser }),
  };
  if (content.length === 0 && structuredContent === undefined && raw['toolResult'] !== undefined) {
    return raw['toolResult']; // how servers answered before content had blocks
  }
  return {
    content,
    ...(isError === true && { isError }),
    ...(structuredContent !== undefined && { structuredContent }),
    ...(Object.keys(details).length > 0 && { details }),
    ...(kept.length > 0 && { kept }),
  };
}

/**
 * Structured content without what the blocks say already: servers repeat texts, and even pictures, in it. Nothing when
 * no value in it is new.
 */
function newIn(structured: unknown, listed: readonly unknown[]): unknown {
  const said = new Set(listed.flatMap((item) => valuesIn(item)));
  if (structured === undefined || valuesIn(structured).every((value) => said.has(value))) return undefined;
  return withoutRepeats(structured, said);
}

const maxDepth = 100;

/** Every word and number in a value; what lies too deep counts as one. */
function valuesIn(value: unknown, depth = 0): unknown[] {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [value];
  return Object.values(value).flatMap((item) => valuesIn(item, depth + 1));
}

function withoutRepeats(value: unknown, said: ReadonlySet<unknown>, depth = 0): unknown {
  if (typeof value === 'string') return value.length > maxRepeat && said.has(value) ? '[as above]' : value;
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  if (Array.isArray(value)) return value.map((item) => withoutRepeats(item, said, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutRepeats(item, said, depth + 1)]));
}

/** A link is followed by what it leads to; one that leads nowhere says so. */
async function followLinks(listed: readonly unknown[], links: Links): Promise<unknown[]> {
  const wanted = listed.filter((item) => linkOf(item) !== undefined && !forUserOnly(item)).slice(0, maxLinks);
  const found = new Map<unknown, unknown[]>();
  await Promise.all(wanted.map(async (item) => found.set(item, await links(linkOf(item) ?? ''))));
  return listed.flatMap((item) => [item, ...(found.get(item) ?? [])]);
}

function linkOf(item: unknown): string | undefined {
  if (!isRecord(item) || item['type'] !== 'resource_link') return undefined;
  const uri = item['uri'];
  return typeof uri === 'string' && uri !== '' ? uri : undefined;
}

/** All parts; of the media the first ones, and one sentence that names where the others are. */
async function withinCount(
  listed: readonly unknown[],
  assets: AssetStore,
): Promise<{ content: unknown[]; kept: Asset[] }> {
  const content: unknown[] = [];
  const kept: Asset[] = [];
  let media = 0;
  for (const item of listed) {
    const isMedium = bytesOf(item) !== undefined && !forUserOnly(item);
    if (isMedium) media++;
    if (!isMedium || media <= maxMedia) content.push(contentBlock(item) ? item : inWords(item));
    else kept.push(...(await keptAsset(item, assets)));
  }
  if (media > maxMedia) content.unshift(words(floodNote(media, maxMedia, kept)));
  return { content, kept };
}

/** The base64 a part carries. */
function bytesOf(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  const data = isRecord(item['resource']) ? item['resource']['blob'] : item['data'];
  return typeof data === 'string' ? data : undefined;
}

/** A part for screens: a medium is named by its asset, so that whoever shows it finds its bytes. */
async function named(item: unknown, assets: AssetStore): Promise<unknown> {
  const bytes = decodeBase64(bytesOf(item) ?? '');
  if (!isRecord(item) || !bytes || bytes.length === 0) return item;
  const { data: _data, resource: _resource, ...rest } = item;
  return { ...rest, asset: await assets.put(bytes, { mediaType: mediaTypeOf(item) }) };
}

async function keptAsset(item: unknown, assets: AssetStore): Promise<Asset[]> {
  const bytes = decodeBase64(bytesOf(item) ?? '');
  return bytes ? [await assets.put(bytes, { mediaType: mediaTypeOf(item) })] : [];
}

/** What a part says it is; the bytes were not looked at. */
function mediaTypeOf(item: unknown): string {
  const fields = isRecord(item) ? (isRecord(item['resource']) ? item['resource'] : item) : {};
  return typeof fields['mimeType'] === 'string' ? fields['mimeType'] : 'application/octet-stream';
}

function inWords(item: unknown): object {
  return words(typeof item === 'string' ? item : toJsonText(item));
}

function words(text: string): { type: 'text'; text: string } {
  return { type: 'text', text };
}
