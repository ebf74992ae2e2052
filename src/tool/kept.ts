// What was kept behind the door while a result was read: its words name these assets, but no block holds them.
import type { Asset } from '../content/block.ts';
import type { Door } from '../content/ingest.ts';

/** The door with an eye on what is kept behind it; `kept` gives it all, each asset once, after those known before. */
export function watchKept(door: Door): { door: Door; kept: (before?: readonly Asset[]) => Asset[] } {
  const seen: Asset[] = [];
  const keep: Door['keep'] = async (bytes, about) => {
    const asset = await door.keep(bytes, about);
    seen.push(asset);
    return asset;
  };
  const kept = (before: readonly Asset[] = []): Asset[] => [
    ...new Map([...before, ...seen].map((asset) => [asset.id, asset])).values(),
  ];
  return { door: { ...door, keep }, kept };
}
