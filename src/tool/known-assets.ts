// The assets a conversation refers to, and nothing else: those of its blocks, and those its words name. A name alone
// gives no access to what another conversation stored.
import type { Asset, AssetId, Block, MediaBlock } from '../content/block.ts';
import { hashIn, isMedia } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { shortId } from '../content/words.ts';
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import { safeWords } from '../content/text.ts';

/** A message or a result, as far as it can refer to assets. */
export type Holder = { content: readonly Block[]; kept?: readonly Asset[] };

/** `block` is how it was last shown; bytes and texts that were only kept have none. */
export type KnownAsset = { asset: Asset; block?: MediaBlock };

/** All assets that these refer to, in the order in which they came; what came again counts as new. */
export function knownAssets(holders: Iterable<Holder>): Map<AssetId, KnownAsset> {
  const known = new Map<AssetId, KnownAsset>();
  const add = (entry: KnownAsset): void => {
    known.delete(entry.asset.id);
    known.set(entry.asset.id, entry);
  };
  for (const { content, kept = [] } of holders) {
    for (const asset of kept) add({ asset });
    for (const block of content) {
      if (block.type === 'text') for (const asset of block.kept ?? []) add({ asset });
      if (!isMedia(block)) continue;
      add({ asset: block.asset, block });
      if (block.type === 'image' && block.original) add({ asset: block.original.asset, block });
    }
  }
  return known;
}

/** The asset that a name or the beginning of one means, as a placeholder shows it. */
export function findKnown(name: string, known: ReadonlyMap<AssetId, KnownAsset>): Read<KnownAsset> {
  const hash = name
    .trim()
    .toLowerCase()
    .replace(/^\[?(?:asset\s+)?(?:sha256:)?/, '')
    .replace(/\]$/, '');
  const list = 'Call list_assets to see which there are.';
  if (!/^[0-9a-f]{4,64}$/.test(hash)) {
    return refuse('not-found', `"${safeWords(name)}" is no asset`, `Give the characters after "asset". ${list}`);
  }
  const found = [...known.values()].filter(({ asset }) => asset.id.startsWith(`sha256:${hash}`));
  const [first, second] = found;
  if (!first) return refuse('not-found', `This conversation has no asset ${hash.slice(0, 16)}`, list);
  if (!second) return { ok: true, value: first };
  const names = found.slice(0, 5).map(({ asset }) => hashIn(asset.id).slice(0, 16));
  return refuse('not-found', `Several assets begin with ${hash}`, `Give one of ${names.join(', ')}.`);
}

/** What an asset is called in words: `asset ab12cd34`. */
export function assetName({ id }: Asset): string {
  return `asset ${shortId(id)}`;
}

/** The intake with an eye on what is kept there; `kept` gives it all, each asset once, after those known before. */
export function watchKept(intake: Intake): { intake: Intake; kept: (before?: readonly Asset[]) => Asset[] } {
  const seen: Asset[] = [];
  const keep: Intake['keep'] = async (bytes, about) => {
    const asset = await intake.keep(bytes, about);
    seen.push(asset);
    return asset;
  };
  const kept = (before: readonly Asset[] = []): Asset[] => [
    ...new Map([...before, ...seen].map((asset) => [asset.id, asset])).values(),
  ];
  return { intake: { ...intake, keep }, kept };
}
