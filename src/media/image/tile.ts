// A picture and a grid in, its pieces out, row by row, decoded once: each ends where nothing is written, shares a margin with
// its neighbours, and tells how its coordinates lead back to the whole. Runs in a child process.
import type { TileGrid } from '../../content/block.ts';
import { leeway } from '../../window/tiles.ts';
import type { Encoded } from './codec.ts';
import { decoded, pieceOfPixels } from './codec.ts';
import type { Pixels, Region, Target } from './fit.ts';
import type { ImageHeader } from './format.ts';

export type Tile = { region: Region; picture: Encoded };

/** The pieces, or nothing when one cannot be made small enough. */
export async function cutTiles(
  bytes: Uint8Array,
  header: ImageHeader,
  grid: TileGrid,
  target: Target,
  maxPixels: number,
): Promise<Tile[] | undefined> {
  const pixels = await decoded(bytes, header, maxPixels);
  const tiles: Tile[] = [];
  for (const region of regionsOf(pixels, grid)) {
    const size = { width: scaled(region.width, grid.scale), height: scaled(region.height, grid.scale) };
    const picture = await pieceOfPixels(pixels, { region, size }, header.type, target);
    if (!picture) return undefined;
    tiles.push({ region, picture });
  }
  return tiles;
}

function scaled(length: number, scale: number): number {
  return Math.max(1, Math.round(length * scale));
}

/** Where the pieces of a grid lie, row by row. */
export function regionsOf(pixels: Pixels, { columns, rows, overlap }: TileGrid): Region[] {
  const across = spans(pixels.width, columns, overlap.columns, (x) => liveliness(pixels, x, 'column'));
  const down = spans(pixels.height, rows, overlap.rows, (y) => liveliness(pixels, y, 'row'));
  return down.flatMap(([y, bottom]) => across.map(([x, right]) => ({ x, y, width: right - x, height: bottom - y })));
}

function spans(length: number, count: number, overlap: number, lively: (at: number) => number): [number, number][] {
  const cuts = Array.from({ length: count - 1 }, (_, at) => quietest(length / count, at + 1, lively));
  const margin = Math.round(overlap / 2);
  return Array.from({ length: count }, (_, at) => [
    Math.max(0, (cuts[at - 1] ?? 0) - margin),
    Math.min(length, (cuts[at] ?? length) + margin),
  ]);
}

/** The line with the least on it near an even cut; of equal ones the nearest. */
function quietest(share: number, at: number, lively: (at: number) => number): number {
  const even = Math.round(share * at);
  const reach = Math.floor(share * (leeway / 2));
  let [best, least] = [even, lively(even)];
  for (let away = 1; away <= reach && least > 0; away++)
    for (const line of [even - away, even + away]) {
      const here = lively(line);
      if (here < least) [best, least] = [line, here];
    }
  return best;
}

/** Steps of grey that count as an edge of a letter. */
const swing = 24;

/** How many edges a row or a column of pixels crosses. */
function liveliness({ data, width, height, channels }: Pixels, at: number, line: 'row' | 'column'): number {
  const [start, step, count] =
    line === 'row' ? [at * width * channels, channels, width] : [at * channels, width * channels, height];
  let edges = 0;
  let before = data[start + 1] as number;
  for (let index = 1, from = start + step; index < count; index++, from += step) {
    const here = data[from + 1] as number;
    if (Math.abs(here - before) > swing) edges++;
    before = here;
  }
  return edges;
}
