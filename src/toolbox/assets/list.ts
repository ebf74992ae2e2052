// `list_assets`: what this conversation has seen and kept, newest first, each by the name the other tools take.
import { describeMedia, shortId } from '../../content/words.ts';
import { safeName } from '../../content/text.ts';
import { grouped } from '../../media/limits.ts';
import type { KnownAsset } from '../../tool/known-assets.ts';
import type { Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { integer, numberAt, object } from '../argument.ts';
import type { AssetToolOptions } from './lookup.ts';
import { allKnown } from './lookup.ts';

const perPage = 100;

export function listAssetsTool(options: AssetToolOptions): Tool {
  return defineTool({
    name: 'list_assets',
    effect: 'read',
    description:
      'List the pictures, documents, sounds and long texts of this conversation, newest first, with the names by ' +
      'which view_asset, read_asset_text and query_json take them.',
    input: object({ offset: integer('How many to pass over', { minimum: 0 }) }),
    run: (given, context) => {
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
  const name = asset.name === undefined ? '' : ` "${safeName(asset.name)}"`;
  const original = block !== undefined && block.asset.id !== asset.id ? ', the original' : '';
  const what = block ? `${describeMedia(block)}${original}` : `${asset.mediaType}${name}`;
  return `${shortId(asset.id)}  ${what}, ${grouped(asset.size)} bytes`;
}
