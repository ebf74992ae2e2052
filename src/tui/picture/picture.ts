// A picture as lines of a terminal, in the best way this terminal has; none where it can show only words.
import type { AssetStore } from '../../asset/store.ts';
import type { ImageBlock } from '../../content/block.ts';
import { render, thumbnail } from '../../media/index.ts';
import { halfBlocks, iterm2, kitty, sixelLines } from './encode.ts';
import type { Cells, CellSize, Graphics } from './graphics.ts';
import { cellsFor, usualCell } from './graphics.ts';

/** A terminal scales by itself; more pixels than this only cost time on the way. */
const sentEdge = 1200;

let lastId = process.pid * 1000;

/** The lines, or none when the terminal shows no pictures or the picture cannot be had any more. */
export async function pictureLines(
  block: ImageBlock,
  graphics: Graphics,
  box: Cells,
  assets: AssetStore,
  cell: CellSize = usualCell,
): Promise<string[]> {
  if (graphics === 'none') return [];
  const cells = cellsFor(block, box, cell);
  if (graphics === 'kitty' || graphics === 'iterm2') {
    const png = await pngOf(block, assets);
    if (!png) return [];
    return graphics === 'kitty' ? kitty(png, cells, ++lastId) : iterm2(png, cells);
  }
  const { columns, rows } = cells;
  const small = await thumbnail(
    block,
    graphics === 'blocks' ? { width: columns, height: rows * 2 } : sixelSize(cells, cell),
    { assets },
  );
  if (!small.ok) return [];
  return graphics === 'blocks' ? halfBlocks(small.value) : sixelLines(small.value, rows);
}

/** Whole bands of six pixels that end above the last row's end: one more and some terminals scroll. */
function sixelSize({ columns, rows }: Cells, cell: CellSize): { width: number; height: number } {
  return { width: columns * cell.width, height: Math.max(6, Math.floor((rows * cell.height - 1) / 6) * 6) };
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
