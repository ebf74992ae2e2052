// The words of all pages in; what stands at the head or foot of most of them, said once, and the pages without it out.
// Pure.
import type { PageGlyphs, LaidRun, QuarterTurn } from './page.ts';
import { lineRows, spoken, laidWords } from './words.ts';

const leastPages = 3;
const share = 0.6;
/** How much of a page at its top and at its bottom may be head and foot. */
const margin = 0.1;
const mostRows = 3;

type Found = { page: number; runs: () => LaidRun[]; text: string };

/** Takes heads and feet off pages that have other words too. Their numbers may differ from page to page. */
export function withoutFurniture(
  pages: readonly PageGlyphs[],
  turns: readonly QuarterTurn[],
): { pages: PageGlyphs[]; repeated: string[] } {
  if (pages.length < leastPages) return { pages: [...pages], repeated: [] };
  const candidates = new Map<string, Found[]>();
  for (const [at, page] of pages.entries()) {
    for (const { key, found } of edgeRows(page, at, turns[at] ?? 0)) {
      const held = candidates.get(key);
      if (held === undefined) candidates.set(key, [found]);
      else held.push(found);
    }
  }
  const enough = Math.max(leastPages, pages.length * share);
  const chosen = [...candidates.values()].filter(
    (held) => held.length >= enough && new Set(held.map(({ page }) => page)).size >= enough,
  );
  if (chosen.length === 0) return { pages: [...pages], repeated: [] };
  const gone = new Set(chosen.flat().flatMap(({ runs }) => runs()));
  const bare = pages.map((page) => page.runs.every((run) => gone.has(run)));
  return {
    pages: pages.map((page, at) =>
      bare[at] === true ? page : { ...page, runs: page.runs.filter((run) => !gone.has(run)) },
    ),
    repeated: bare.every(Boolean) ? [] : chosen.map((held) => held[0]?.text ?? ''),
  };
}

/** The rows near the top and the bottom of a page, by what they say and where. */
function edgeRows(page: PageGlyphs, at: number, turn: QuarterTurn): { key: string; found: Found }[] {
  const near = edgeRuns(page, turn);
  const rows = lineRows(laidWords(near));
  const edges = rows.length <= mostRows * 2 ? rows : [...rows.slice(0, mostRows), ...rows.slice(-mostRows)];
  return edges.map((row) => {
    const text = spoken(row.words);
    const own = (): LaidRun[] => runsIn(row, near);
    return { key: `${Math.round(row.base / 4)} ${sameWords(text)}`, found: { page: at, runs: own, text } };
  });
}

/** What stands near the top and the bottom of a page, of all that runs in one direction. */
function edgeRuns({ runs, width, height }: PageGlyphs, turn: QuarterTurn): LaidRun[] {
  let top = Infinity;
  let bottom = -Infinity;
  for (let at = 0; at < runs.length; at += 1) {
    const run = runs[at];
    if (run?.turn !== turn) continue;
    if (run.top < top) top = run.top;
    if (run.bottom > bottom) bottom = run.bottom;
  }
  const reach = Math.max(width, height) * margin;
  const near: LaidRun[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const run = runs[at];
    if (run?.turn === turn && (run.bottom < top + reach || run.top > bottom - reach)) near.push(run);
  }
  return near;
}

function runsIn({ base, size, words }: ReturnType<typeof lineRows>[number], runs: readonly LaidRun[]): LaidRun[] {
  const [left, right] = [Math.min(...words.map((word) => word.left)), Math.max(...words.map((word) => word.right))];
  return runs.filter(
    (run) => Math.abs(run.base - base) < size * 0.5 && run.left >= left - 0.1 && run.right <= right + 0.1,
  );
}

/** A head says the same on each page but for the number of the page, and perhaps how many there are. */
function sameWords(text: string): string {
  const numbers = text.match(/\d+/g);
  if (numbers === null) return text;
  return numbers.length > 2 || /\d[.,]\d/.test(text) ? text : text.replaceAll(/\d+/g, '#');
}
