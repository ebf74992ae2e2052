// A picture as lines of a terminal, in the best way this terminal has; none where it can show only words.
import type { AssetStore } from '../../asset/store.ts';
import type { ImageBlock } from '../../content/block.ts';
import { render, thumbnail } from '../../media/index.ts';
import { halfBlocks, iterm2, kitty, sixel } from './encode.ts';
import type { Cells, Graphics } from './graphics.ts';
import { cellsFor } from './graphics.ts';

/** A terminal scales by itself; more pixels than this only cost time on the way. */
const sentEdge = 1200;
const cellPixels = { width: 8, height: 16 };

let lastId = process.pid * 1000;

/** The lines, or none when the terminal shows no pictures or the picture cannot be had any more. */
export async function pictureLines(
  block: ImageBlock,
  graphics: Graphics,
  box: Cells,
  assets: AssetStore,
): Promise<string[]> {
  if (graphics === 'none') return [];
  const cells = cellsFor(block, box);
  if (graphics === 'kitty' || graphics === 'iterm2') {
    const png = await pngOf(block, assets);
    if (!png) return [];
    return graphics === 'kitty' ? kitty(png, cells, ++lastId) : iterm2(png, cells);
  }
  const { columns, rows } = cells;
  const sized =
    graphics === 'blocks'
      ? { width: columns, height: rows * 2 }
      : { width: columns * cellPixels.width, height: rows * cellPixels.height };
  const small = await thumbnail(block, sized, { assets });
  if (!small.ok) return [];
  return graphics === 'blocks' ? halfBlocks(small.value) : [sixel(small.value)];
}

async function pngOf(block: ImageBlock, assets: AssetStore): Promise<Uint8Array | undefined> {
  const wanted = {
    to: 'image',
    asset: block.asset,
    types: ['image/png'],
    maxEdge: sentEdge,
    maxBase64: 8_000_000,
  } as const;
  const made = await render(wanted, { assets });
  const picture = made.ok ? made.value.find((item) => item.type === 'image') : undefined;
  return picture && (await assets.get(picture.asset.id));
}
