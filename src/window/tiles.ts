// A picture whose writing a model would not see large enough → how to cut it so that it would: how many pieces, how large
// each is shown, what they cost together. Pure arithmetic over what the front end keeps of a picture.
import type { Detail, ImageBlock, TileGrid } from '../content/block.ts';
import type { MediaPolicy, SentDetail } from './plan-types.ts';
import { sightOf } from './sight.ts';
import type { Sight } from './sight.ts';
import type { Viewer } from './viewer.ts';

/** How high letters have to be for a picture to go as it is. */
const enough = { careful: 6, auto: 9, off: 0 } as const;
/** At this height nearly everything is read; below the other one, so little that a sentence says it. */
export const legible = 9;
export const nearlyLost = 7;
const [wanted, least, step] = [10, 6, 0.93];
/** Letters above this height may be made smaller. */
export const ample = 12;

/** What the pieces of one picture may cost together, how many there may be, how long an edge of one. */
const [mostTokens, mostTiles, pieceEdge] = [6000, 12, 2000];
const mostOverview = 400;
/** What neighbours share, in sizes of the letters: a word that a cut goes through is whole on one of them, a line too. */
const [wordWidth, lineHeight] = [6, 2];
/** A piece may be larger than an even share by this part of it: it ends where nothing is written. */
export const leeway = 0.06;
/** What one piece costs more, its neighbour costs less, unless tokens go by steps: then each may cost a step more. */
const aStep = 1.25;

type Extent = { width: number; height: number };

/** `overview`: the long edge of a small picture of the whole that goes before the pieces. */
export type Tiling = { grid: TileGrid; tokens: number; textPx: number; overview?: number };

/** How a picture with writing goes to a model, and how high its letters are then. */
type Showing =
  | { to: 'whole'; textPx: number }
  /** from its original, so long */
  | { to: 'resized'; maxEdge: number; smaller: boolean; textPx: number }
  | ({ to: 'tiles' } & Tiling);

/** `wholePx`: how high they are on the picture as it stands in the conversation. `tooDear`: what pieces in which they can be
 * read would exceed. */
export type ReadableForm = Showing & { wholePx: number; tooDear?: Most };

/** What the pieces of one picture may take together. */
type Most = { tokens: number; pictures: number };

/** How a picture is cut for a model; nothing where it goes whole. */
export function gridFor(block: ImageBlock, viewer: Viewer, policy: MediaPolicy): TileGrid | undefined {
  const form = formOf(block, sentDetail(block.detail, viewer), viewer, policy);
  return form?.to === 'tiles' ? form.grid : undefined;
}

/** Always explicit where the API knows it: left open, some models take the dearest. */
export function sentDetail(asked: Detail | undefined, profile: Viewer): SentDetail | undefined {
  if (profile.details.length === 0) return undefined;
  const meant = asked === undefined || asked === 'whole' ? profile.defaultDetail : asked;
  return meant !== 'whole' && profile.details.includes(meant) ? meant : 'high';
}

/** The form in which the writing on a picture can be read, as far as the policy wishes; nothing where none is known. */
export function formOf(
  block: ImageBlock,
  detail: SentDetail | undefined,
  viewer: Viewer,
  policy: MediaPolicy,
): ReadableForm | undefined {
  const rule = viewer.tokens?.image;
  const { textPx } = block;
  const asOriginal = detail === 'original' || block.detail === 'original';
  if (textPx === undefined || rule === undefined || detail === 'low' || asOriginal) return undefined;
  const see = (width: number, height: number): Sight => sightOf(rule, width, height, detail);
  const now = see(block.width, block.height);
  const wholePx = textPx * (block.width / (block.original ?? block).width) * now.scale;
  return { ...chosen({ ...block, textPx }, { see, now, wholePx }, viewer, policy), wholePx };
}

type See = (width: number, height: number) => Sight;

function chosen(
  block: ImageBlock & { textPx: number },
  { see, now, wholePx }: { see: See; now: Sight; wholePx: number },
  { tokens, largeEdge, maxImages = mostTiles }: Viewer,
  { tiles = 'careful', legibility, maxImageTokens = mostTokens }: MediaPolicy,
): Showing & { tooDear?: Most } {
  const { textPx, original } = block;
  const source = original ?? block;
  const asIs: Showing = { to: 'whole', textPx: wholePx };
  if (wholePx > ample && legibility === 'thrifty') return thrifty(source, textPx, see, now) ?? asIs;
  const cap = tokens?.image.by === 'area' ? 8000 : tokens?.image.by === 'budget' ? largeEdge : undefined;
  const larger = original && cap !== undefined ? enlarged(original, textPx, see, cap) : undefined;
  const free = larger && larger.form.textPx >= wholePx * 1.08 && larger.tokens <= now.tokens * 1.1;
  const whole = free ? larger.form : asIs;
  if (block.detail === 'whole' || whole.textPx >= enough[tiles]) return whole;
  const most = { tokens: Math.min(mostTokens, maxImageTokens), pictures: Math.min(mostTiles, maxImages) };
  const cut = tilingFor(source, textPx, see, most);
  if (larger && larger.form.textPx >= wanted && larger.tokens <= (cut?.tokens ?? most.tokens)) return larger.form;
  if (!cut) return { ...whole, tooDear: most };
  return cut.textPx >= whole.textPx * 1.2 ? { to: 'tiles', ...cut } : whole;
}

/** As much of the original as an edge allows, and a little more than the model keeps of it. */
function enlarged({ width, height }: Extent, textPx: number, see: See, cap: number): { form: Showing; tokens: number } {
  const fit = Math.min(1, cap / Math.max(width, height));
  const seen = see(Math.round(width * fit), Math.round(height * fit));
  const maxEdge = Math.min(cap, Math.ceil(1.25 * Math.max(seen.width, seen.height)), Math.max(width, height));
  return { form: { to: 'resized', maxEdge, smaller: false, textPx: textPx * fit * seen.scale }, tokens: seen.tokens };
}

/** A picture as small as its letters allow, where that is cheaper. */
function thrifty({ width, height }: Extent, textPx: number, see: See, now: Sight): Showing | undefined {
  const factor = ample / textPx;
  const seen = see(Math.ceil(width * factor), Math.ceil(height * factor));
  const maxEdge = Math.ceil(Math.max(width, height) * factor);
  return seen.tokens <= now.tokens * 0.95 ? { to: 'resized', maxEdge, smaller: true, textPx: ample } : undefined;
}

/** The cheapest grid whose pieces a front end leaves as they are and whose letters are large enough; where that is too dear,
 * with smaller letters, down to what can still be read. */
function tilingFor(size: Extent, textPx: number, see: See, most: Most): Tiling | undefined {
  for (let target = wanted; target > least - 0.1; target *= step) {
    const found = cheapest(size, textPx, Math.min(1, target / textPx), see, most);
    if (found) return found;
  }
  return undefined;
}

function cheapest({ width, height }: Extent, textPx: number, scale: number, see: See, most: Most): Tiling | undefined {
  const overlap = { columns: Math.round(wordWidth * textPx), rows: Math.round(lineHeight * textPx) };
  const overview = overviewEdge({ width, height }, see);
  let best: Tiling | undefined;
  for (let columns = 1; columns <= most.pictures; columns++)
    for (let rows = 1; columns * rows <= most.pictures; rows++) {
      const grid = { columns, rows, scale, overlap };
      const above = columns > 1 ? overview : undefined;
      if (columns * rows < 2 || columns * rows + (above ? 1 : 0) > most.pictures) continue;
      const across = pieceOf(width, columns, overlap.columns);
      const down = pieceOf(height, rows, overlap.rows);
      const edge = Math.max(across, down) * (1 + leeway) * scale;
      const seen = see(Math.round(across * (1 + leeway) * scale), Math.round(down * (1 + leeway) * scale));
      if (edge > pieceEdge || seen.scale < 0.96) continue;
      const even = see(Math.round(across * scale), Math.round(down * scale)).tokens;
      const piece = seen.tokens > even * aStep ? seen.tokens : even;
      const tokens = piece * columns * rows + (above?.tokens ?? 0);
      if (tokens > most.tokens || (best && tokens >= best.tokens)) continue;
      best = { grid, tokens, textPx: textPx * scale * seen.scale, ...(above && { overview: above.edge }) };
    }
  return best;
}

function pieceOf(length: number, count: number, overlap: number): number {
  return count === 1 ? length : Math.min(length, length / count + overlap);
}

/** The long edge of a small picture of the whole, for grids whose order alone does not tell where a piece belongs. */
function overviewEdge({ width, height }: Extent, see: See): { edge: number; tokens: number } | undefined {
  const longest = Math.max(width, height);
  for (const edge of [768, 640, 512]) {
    const factor = Math.min(1, edge / longest);
    const { tokens } = see(Math.round(width * factor), Math.round(height * factor));
    if (tokens <= mostOverview) return { edge, tokens };
  }
  return undefined;
}
