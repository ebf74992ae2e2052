// `list_assets`: what this conversation has seen and kept, newest first, each by the name the other tools take, or all that
// is known of one of them.
import type { AssetId, MediaBlock } from '../../content/block.ts';
import { toJsonText } from '../../content/json.ts';
import { caption, describeAsset, describeMedia, shortId } from '../../content/words.ts';
import { cutText, safeWords } from '../../content/text.ts';
import { grouped } from '../../media/limits.ts';
import type { Holder, KnownAsset } from '../../tool/known-assets.ts';
import { assetName, knownAssets } from '../../tool/known-assets.ts';
import type { Tool, ToolContext } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { integer, numberAt, object, string, textAt } from '../argument.ts';
import type { AssetToolOptions } from './lookup.ts';
import { allKnown, messagesSoFar, lookUp, storeOf } from './lookup.ts';

const perPage = 100;

export function listAssetsTool(options: AssetToolOptions): Tool {
  return defineTool({
    name: 'list_assets',
    effect: 'read',
    description:
      'List the pictures, documents, sounds and long texts of this conversation, newest first, with the names by ' +
      'which view_asset, read_asset_text and query_json take them. With asset, all that is known of that one: type, ' +
      'size, pixels, pages or seconds, and where it came from.',
    input: object({
      offset: integer('How many to pass over', { minimum: 0 }),
      asset: string('The name of one asset, such as ab12cd34'),
    }),
    run: async (given, context) => {
      const one = textAt(given, 'asset');
      if (one !== undefined) return await allAbout(one, options, context);
      const all = [...allKnown(options, context).values()].toReversed();
      if (all.length === 0) return 'This conversation has no assets yet.';
      const offset = numberAt(given, 'offset') ?? 0;
      const shown = all.slice(offset, offset + perPage);
      const more = offset + shown.length < all.length ? ` Use offset=${offset + shown.length} to continue.` : '';
      const range = shown.length === 0 ? 'None here' : `Assets ${offset + 1}-${offset + shown.length}`;
      return [`[${range} of ${all.length}, newest first.${more}]`, ...shown.map(line)].join('\n');
    },
  });
}

function line({ asset, block }: KnownAsset): string {
  const original = block !== undefined && block.asset.id !== asset.id ? ', the original' : '';
  const what = block ? `${describeMedia(block)}${original}` : describeAsset(asset);
  return `${shortId(asset.id)}  ${what}, ${grouped(asset.size)} bytes`;
}

/** Each thing that is known, on a line of its own. */
async function allAbout(name: string, options: AssetToolOptions, context: ToolContext): Promise<unknown> {
  const found = lookUp(name, options, context);
  if (!found.ok) return found;
  const { asset, block } = found.value;
  const gone = (await storeOf(options, context).missing([asset.id])).has(asset.id);
  const lines = [
    `${assetName(asset)}: ${block ? describeMedia(block) : describeAsset(asset)}`,
    `hash: ${asset.id}`,
    `type: ${asset.mediaType}`,
    `size: ${grouped(asset.size)} bytes${gone ? ', which are no longer stored' : ''}`,
    ...(block ? aboutBlock(asset.id, block) : []),
    ...placesOf(asset.id, [...messagesSoFar(options, context)]).map((place) => `came from: ${place}`),
    `to see more: ${waysTo(block)}`,
  ];
  return lines.join('\n');
}

function aboutBlock(id: AssetId, block: MediaBlock): string[] {
  const { fallback } = block;
  const made = caption(block);
  const words = [
    ...(made === undefined ? [] : [`what was done to it: ${made}`]),
    ...(fallback === undefined ? [] : [`described by its author: ${cutText(fallback, 500)}`]),
  ];
  if (block.type !== 'image' || !block.original) return words;
  const { asset, width, height } = block.original;
  if (asset.id === id) return [`this is the original; it is shown as ${assetName(block.asset)}`, ...words];
  const original = `${assetName(asset)}, ${asset.mediaType}, ${width}×${height}, ${grouped(asset.size)} bytes`;
  return [`original: ${original}`, ...words];
}

/** A message as far as it says whose it is. */
type Said = Holder & { role?: string; callId?: string; name?: string; model?: string };

const mostPlaces = 10;

/** Who gave it, each call with its arguments; the newest last. */
function placesOf(id: AssetId, messages: readonly Said[]): string[] {
  const places = messages.flatMap((message) => {
    if (!knownAssets([message]).has(id)) return [];
    if (message.role === 'user') return ['a message of the user'];
    if (message.role === 'assistant') return [`an answer of ${message.model ?? 'the model'}`];
    const { callId = '', name = 'a tool' } = message;
    const call = messages
      .flatMap(({ content }) => content)
      .find((block) => block.type === 'call' && block.id === callId);
    const input = call?.type === 'call' ? ` ${cutText(toJsonText(call.input), 300)}` : '';
    return [`tool ${safeWords(name)}, call ${safeWords(callId)}${input}`];
  });
  return places.slice(-mostPlaces);
}

function waysTo(block: MediaBlock | undefined): string {
  if (!block) return 'read_asset_text for its words, query_json if it is JSON or a table';
  if (block.type === 'image') return 'view_asset shows it or a region of it, read_asset_text the words on it';
  if (block.type === 'document') return 'view_asset shows it or a page, read_asset_text its words';
  return 'view_asset gives it again';
}
