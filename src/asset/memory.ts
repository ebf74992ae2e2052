// The one store of this process for whoever was given no other.
import type { AssetStore } from '../content/asset-store.ts';
import { memoryAssets } from '../content/memory-assets.ts';

let shared: AssetStore | undefined;

/**
 * One bounded store for everything in this process that was given no other.
 *
 * @example
 * const bytes = await sharedAssets().get(block.asset.id);
 */
export function sharedAssets(): AssetStore {
  shared ??= memoryAssets();
  return shared;
}
