// The letters of some pages in, the text of each as a person reads it out, with what stands on each of them said once.
// Pure.
import type { Edge, PageGlyphs, PagePiece, LaidRun, QuarterTurn } from './page.ts';
import { readDownwards } from './downwards.ts';
import { inOrder } from './order.ts';
import { plainLines } from './plain.ts';
import { fewestEdges, ruledTables } from './ruled.ts';
import { toldApart } from './touching.ts';
import { readsLeftwards, segmentedRows, laidWords } from './words.ts';
import type { PlacesOfPages } from './furniture.ts';
import { withoutFurniture } from './furniture.ts';
import { scaleOf, pageMarkdown } from './write.ts';

/** The pages as Markdown; `turnedEdges` gives the lines of a page as seen along its text. */
export function laidOut(
  letters: readonly PageGlyphs[],
  places: PlacesOfPages,
  turnedEdges: (edges: readonly Edge[], turn: QuarterTurn) => Edge[],
): { texts: string[]; repeated: string[] } {
  const pages = letters.map((page) => ({ ...page, runs: readDownwards(page.runs) }));
  const turns = pages.map(({ runs }) => mainTurn(runs));
  const { pages: bare, repeated } = withoutFurniture(pages, turns, places);
  const pieces = bare.map((page, at) => pagePieces(page, turns[at] ?? 0, turnedEdges));
  const scale = scaleOf(pieces);
  return { texts: pieces.map((page) => tidyText(pageMarkdown(page, scale))), repeated: repeated.map(tidyText) };
}

/** The direction in which most letters run. */
function mainTurn(runs: readonly LaidRun[]): QuarterTurn {
  const first = runs[0]?.turn ?? 0;
  if (areAll(runs, first)) return first;
  const counts = [0, 0, 0, 0];
  for (const { turn, text } of runs) counts[turn] = (counts[turn] ?? 0) + text.length;
  const most = counts.indexOf(Math.max(...counts));
  return most === 1 || most === 2 || most === 3 ? most : 0;
}

function areAll(runs: readonly LaidRun[], turn: QuarterTurn): boolean {
  for (let at = 0; at < runs.length; at += 1) if (runs[at]?.turn !== turn) return false;
  return true;
}

/** First what runs as most of the page does, then what stands across it. */
function pagePieces(
  { runs, edges }: PageGlyphs,
  main: QuarterTurn,
  turnedEdges: (edges: readonly Edge[], turn: QuarterTurn) => Edge[],
): PagePiece[] {
  if (areAll(runs, main)) return piecesAlong(runs, turnedEdges(edges, main));
  const turns: QuarterTurn[] = [0, 1, 2, 3];
  const order = [main, ...turns.filter((turn) => turn !== main)];
  let flows = 0;
  return order.flatMap((turn) => {
    const along = runs.filter((run) => run.turn === turn);
    const pieces = piecesAlong(along, turn === main ? turnedEdges(edges, turn) : []).map((piece) =>
      piece.kind === 'line' ? { ...piece, flow: piece.flow + flows } : piece,
    );
    flows += 10_000;
    return pieces;
  });
}

/** What runs in one direction, in the order in which it is read. */
function piecesAlong(runs: readonly LaidRun[], edges: readonly Edge[]): PagePiece[] {
  const words = laidWords(runs);
  if (words.length === 0) return [];
  const plain = edges.length < fewestEdges ? plainLines(words) : undefined;
  if (plain !== undefined) return plain;
  const { tables, rest } = ruledTables(words, edges);
  const rows = toldApart(segmentedRows(rest));
  for (const table of tables) rows.push({ base: table.base, segments: [table] });
  if (tables.length > 0) rows.sort((one, other) => one.base - other.base);
  return inOrder(rows, readsLeftwards(words));
}

/** One form of each letter and nothing that is none; words that are struck over several lines are struck once. */
function tidyText(page: string): string {
  const text = page.includes('~~ ~~') ? page.replaceAll('~~ ~~', ' ') : page;
  if (!/[\u0300-\uffff\0\u00ad]/.test(text)) return text.trim();
  return text.replaceAll('\u0000', '').replaceAll('\u00ad', '').toWellFormed().normalize('NFC').trim();
}
