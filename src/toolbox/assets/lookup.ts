// What the asset tools share: the conversation whose assets they may touch, and the bytes behind a name.
import type { AssetStore } from '../../asset/store.ts';
import type { Asset, AssetId } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Holder, KnownAsset } from '../../tool/known-assets.ts';
import { assetName, findKnown, knownAssets } from '../../tool/known-assets.ts';
import type { ToolContext } from '../../tool/tool.ts';

export type AssetToolOptions = {
  /** The messages (or results) so far: only assets that they refer to can be looked at. Without it, those of the
   * conversation that the call belongs to. */
  conversation?: () => Iterable<Holder>;
  /** Where media are kept; without it, where the call keeps its own. */
  assets?: AssetStore;
};

/** The asset of the conversation that a name means. */
export function lookUp(name: string, options: AssetToolOptions, context: ToolContext): Read<KnownAsset> {
  return findKnown(name, allKnown(options, context));
}

/** All assets of the conversation. */
export function allKnown(options: AssetToolOptions, context: ToolContext): Map<AssetId, KnownAsset> {
  return knownAssets(messagesSoFar(options, context));
}

export function messagesSoFar({ conversation }: AssetToolOptions, context: ToolContext): Iterable<Holder> {
  return (conversation ?? context.conversation)?.() ?? [];
}

/** The bytes of an asset, unless the store has let them go. */
export async function assetBytes(asset: Asset, store: AssetStore): Promise<Read<Uint8Array>> {
  const bytes = await store.get(asset.id);
  if (bytes) return { ok: true, value: bytes };
  return refuse('not-found', `The bytes of ${assetName(asset)} are no longer stored`, 'Read or make it again.');
}

export function storeOf({ assets }: AssetToolOptions, context: ToolContext): AssetStore {
  return assets ?? context.assets;
}
