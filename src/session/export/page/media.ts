// Media of a session as figures of a page: pictures and sounds inline, documents as pictures of their first pages.
import { memoryAssets } from '../../../content/memory-assets.ts';
import type { AssetStore } from '../../../asset/store.ts';
import type { Asset, DocumentBlock, MediaBlock } from '../../../content/block.ts';
import { isMedia } from '../../../content/block.ts';
import { grouped } from '../../../content/figures.ts';
import { describeMedia, placeholder } from '../../../content/words.ts';
import { render } from '../../../media/index.ts';
import type { Receipt } from '../../../window/receipt.ts';
import type { Html } from '../../../page/html.ts';
import { markup } from '../../../page/html.ts';

export type Gallery = { figure: (block: MediaBlock) => Promise<Html>; leftOut: () => number };

const pagesShown = 4;
const pageEdge = 900;

/** `maxBytes` bounds the page: pictures after that are left out with words. */
export function gallery(
  assets: AssetStore,
  { maxBytes, receipts }: { maxBytes: number; receipts: readonly Receipt[] },
): Gallery {
  let [room, leftOut] = [maxBytes, 0];
  const made = memoryAssets();
  // Pages are drawn for this page alone, so they stay out of the session's store.
  const both: AssetStore = { ...made, get: async (id) => (await assets.get(id)) ?? (await made.get(id)) };

  const source = async ({ id, mediaType, size }: Asset, from: AssetStore): Promise<string | undefined> => {
    if (!inlineTypes.has(mediaType)) return undefined;
    const bytes = size > room ? undefined : await from.get(id);
    if (bytes === undefined) return undefined;
    room -= bytes.length;
    return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
  };

  const shown = async (block: MediaBlock): Promise<Html | undefined> => {
    const data = block.type === 'document' ? undefined : await source(block.asset, assets);
    if (block.type === 'document') return await pages(block);
    if (data === undefined) return undefined;
    if (block.type === 'image') {
      const { width, height } = block;
      return markup`<img
        src="${data}"
        alt="${describeMedia(block)}"
        width="${width}"
        height="${height}"
        style="height:auto"
      />`;
    }
    return markup`<audio controls src="${data}"></audio>`;
  };

  const pages = async ({ asset, range }: DocumentBlock): Promise<Html | undefined> => {
    if (asset.mediaType !== 'application/pdf') return undefined;
    const start = range?.[0] ?? 0;
    const end = Math.min(range?.[1] ?? Number.MAX_SAFE_INTEGER, start + pagesShown);
    const drawn = await render({ to: 'pages', asset, range: [start, end], maxEdge: pageEdge }, { assets: both });
    const pictures = drawn.ok ? drawn.value.filter(isMedia) : [];
    const sources = await Promise.all(pictures.map((picture) => source(picture.asset, both)));
    const images = sources.filter((data) => data !== undefined).map((data) => markup`<img src="${data}" alt="page" />`);
    return images.length === 0 ? undefined : markup`<div class="pages">${images}</div>`;
  };

  return {
    leftOut: () => leftOut,
    figure: async (block) => {
      const caption = markup`<figcaption>${describeMedia(block)}${wentAs(block, receipts)}</figcaption>`;
      const inside = await shown(block);
      if (inside) return markup`<figure>${inside}${caption}</figure>`;
      const stored = (await assets.missing([block.asset.id])).size === 0;
      if (stored && block.asset.size > room) leftOut++;
      const words = stored
        ? (block.fallback ?? `${block.asset.mediaType}, ${block.asset.size} bytes`)
        : placeholder(block);
      return markup`<figure>
        <div class="lost">${words}</div>
        ${caption}
      </figure>`;
    },
  };
}

const inlineTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'audio/wav', 'audio/mpeg']);

const places = { inside: 'in the result', after: 'after the results', words: 'in words' } as const;

/** How the model of the session got it. */
function wentAs({ asset }: MediaBlock, receipts: readonly Receipt[]): Html | undefined {
  const receipt = receipts.find((one) => one.asset === asset.id);
  if (!receipt) return undefined;
  const { action, callId, place, tokens, why } = receipt;
  const at = place === 'inside' && callId === undefined ? 'in its message' : place && places[place];
  const where = at === undefined ? action : `${at}${action === place ? '' : `, ${action}`}`;
  const cost = tokens === undefined ? '' : `, about ${grouped(tokens)} tokens`;
  return markup`<span class="went" title="${why}"> · sent ${where}${cost}</span>`;
}
