// Media for the screen: pictures made small and pages drawn in a child process, never the file itself where it could run.
import { availableParallelism } from 'node:os';
import type { AssetStore } from '../content/asset-store.ts';
import type { AssetId } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { fewAtOnce } from '../content/few-at-once.ts';
import { mediaTypeOf } from '../content/header-intake.ts';
import { memoryAssets } from '../content/memory-assets.ts';
import { render } from '../media/index.ts';

export type DrawnPicture = { bytes: Uint8Array<ArrayBuffer>; mediaType: string };

const pictures = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
/** What is smaller is shown as it is. */
const smallBytes = 200_000;
const cachedBytes = 64 * 1024 * 1024;

/** Draws a medium, as large as asked for; undefined where it cannot, and where nobody waits for it any more. */
export type Pictures = (
  id: AssetId,
  how: { edge?: number; page?: number; signal?: AbortSignal },
) => Promise<DrawnPicture | undefined>;

type Drawing = { askers: (AbortSignal | undefined)[]; shown: Promise<DrawnPicture | undefined> };

/** One core is left to the page and its server. */
const usual = Math.max(1, Math.min(2, availableParallelism() - 1));

/** Draws media of a store, so many at a time, and remembers the newest. */
export function drawingOf(assets: AssetStore, atOnce: number = usual): Pictures {
  const known = new Map<string, Drawing>();
  const inTurn = fewAtOnce(atOnce); // whoever waits can still be turned away
  let held = 0;
  const remember = (key: string, shown: DrawnPicture | undefined): DrawnPicture | undefined => {
    held += shown?.bytes.length ?? 0;
    if (!shown) known.delete(key);
    if (held <= cachedBytes) return shown;
    known.clear();
    held = 0;
    return shown;
  };
  return async (id, { signal, ...how }) => {
    const key = `${id} ${how.edge ?? ''} ${how.page ?? ''}`;
    const before = known.get(key);
    if (before) {
      before.askers.push(signal);
      return await before.shown;
    }
    const askers = [signal];
    const isWanted = (): boolean => askers.some((asker) => asker?.aborted !== true);
    const shown = inTurn(async () => remember(key, isWanted() ? await drawn(assets, id, how) : undefined));
    known.set(key, { askers, shown });
    try {
      return await shown;
    } catch (error) {
      known.delete(key); // a store that is away is asked again
      throw error;
    }
  };
}

async function drawn(
  assets: AssetStore,
  id: AssetId,
  { edge, page = 0 }: { edge?: number; page?: number },
): Promise<DrawnPicture | undefined> {
  const bytes = await assets.get(id);
  if (!bytes) return undefined;
  const mediaType = mediaTypeOf(bytes);
  const asset = { id, mediaType, size: bytes.length };
  const plain = { bytes: new Uint8Array(bytes), mediaType };
  if (pictures.has(mediaType) && (edge === undefined || bytes.length < smallBytes)) return plain;
  const made = memoryAssets();
  const both: AssetStore = { ...made, get: async (one) => (await assets.get(one)) ?? (await made.get(one)) };
  const what =
    mediaType === 'application/pdf'
      ? ({ to: 'pages', asset, range: [page, page + 1], maxEdge: edge ?? 1200 } as const)
      : ({ to: 'image', asset, types: ['image/webp', 'image/png'], maxEdge: edge ?? 1200, maxBase64: 4e6 } as const);
  const fact = await render(what, { assets: both });
  const block = fact.ok ? fact.value.find(isMedia) : undefined;
  const small = block && (await both.get(block.asset.id));
  if (!block || !small) return pictures.has(mediaType) ? plain : undefined;
  return { bytes: new Uint8Array(small), mediaType: block.asset.mediaType };
}
