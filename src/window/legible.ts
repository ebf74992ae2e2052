// Items that are not decided yet in, the media out whose words may be read off them for a model that cannot see. Pure.
// Reading takes time, so only the newest few are; what was decided before stays as the ledger has it.
import type { AssetId } from '../content/block.ts';
import type { Item } from '../message/pair.ts';
import { mediaOf } from './draft.ts';
import type { Profile } from './profile.ts';

const mostRead = 4;
/** Letters need some pixels. */
const smallestEdge = 16;

export function legibleMedia(items: readonly Item[], { media }: Profile): Set<AssetId> {
  const unseen = items.flatMap(mediaOf).filter(({ block, slot }) => {
    if (block.fallback || media.image[slot] !== 'words') return false;
    if (block.type === 'image') return Math.min(block.width, block.height) >= smallestEdge;
    return block.type === 'document' && media.document[slot] === 'words';
  });
  return new Set(unseen.slice(-mostRead).map(({ block }) => block.asset.id));
}
