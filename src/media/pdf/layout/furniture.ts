// The words of all pages in; what stands at the head or foot of most of them, said once, and the pages without it out.
// Pure.
import type { PageGlyphs, LaidRun, QuarterTurn } from './page.ts';
import { lineRows, spoken, laidWords } from './words.ts';

const leastPages = 3;
const share = 0.6;
/** How much of a page at its top and at its bottom may be head and foot. */
const margin = 0.1;
const mostRows = 3;
/** How far the number on a page may be ahead of what is counted: covers and parts may be left out of the file. */
const mostAhead = 5;

/** Where pages lie in their document: the place of each, counted from zero, and how many pages there are. */
export type PlacesOfPages = { at: readonly number[]; of: number };

type Found = { page: number; runs: () => LaidRun[]; text: string };

/** Takes heads and feet off pages that have other words too. Only the number of the page may differ on them. */
export function withoutFurniture(
  pages: readonly PageGlyphs[],
  turns: readonly QuarterTurn[],
  places: PlacesOfPages,
): { pages: PageGlyphs[]; repeated: string[] } {
  if (pages.length < leastPages) return { pages: [...pages], repeated: [] };
  const candidates = new Map<string, Found[]>();
  for (const [at, page] of pages.entries()) {
    for (const row of edgeRows(page, at, turns[at] ?? 0)) {
      for (const [key, found] of readings(row, places.at[at] ?? at, places.of)) {
        const held = candidates.get(key);
        if (held === undefined) candidates.set(key, [found]);
        else held.push(found);
      }
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

/** What a row may be on other pages, too: the same words, or the same words with the number of that page. */
function readings({ place, found }: EdgeRow, at: number, of: number): [key: string, found: Found][] {
  const same: [string, Found] = [`${place} ${found.text}`, found];
  const number = pageNumberIn(found.text, of);
  if (number === undefined) return [same];
  // A number that goes along with the pages is as far from the place of each.
  return [same, [`${place} ${number.value - at} ${number.rest}`, { ...found, text: number.rest }]];
}

type EdgeRow = { place: number; found: Found };

/** The rows near the top and the bottom of a page, and where they stand. */
function edgeRows(page: PageGlyphs, at: number, turn: QuarterTurn): EdgeRow[] {
  const near = edgeRuns(page, turn);
  const rows = lineRows(laidWords(near));
  const edges = rows.length <= mostRows * 2 ? rows : [...rows.slice(0, mostRows), ...rows.slice(-mostRows)];
  return edges.map((row) => {
    const text = spoken(row.words);
    const own = (): LaidRun[] => runsIn(row, near);
    return { place: Math.round(row.base / 4), found: { page: at, runs: own, text } };
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

/** What the number of a page looks like: alone, before how many there are, or beside a word for page. Any other number
 * is said of something else, even when it rises by one from page to page. */
const pageNumbers = [
  /^[\s\-–—·•|.()[\]]*(?<number>\d+)[\s\-–—·•|.()[\]]*$/,
  /^\P{N}{0,12}?(?<number>\d+)\s*(?:\/|\||\p{L}+)\s*(?<of>\d+)\P{N}?$/u,
  /(?<!\p{L})(?:(?:page|seite|página|pagina|pág|pag|sida|side|sivu|strona|страница|oldal|sayfa)\.?|p\.)\s*(?<number>\d+)(?!\d|[.,-]\d)/iu,
  /(?<number>\d+)\s*(?:页|頁|ページ|쪽)/,
];

/** The number of a page in a row, and the row without it. `of` is how many pages the document has. */
function pageNumberIn(text: string, of: number): { value: number; rest: string } | undefined {
  for (const looks of pageNumbers) {
    const found = looks.exec(text);
    const digits = found?.groups?.['number'];
    if (found === null || digits === undefined) continue;
    const told = Number(found.groups?.['of'] ?? of);
    if (Number(digits) > of + mostAhead || Math.abs(told - of) > mostAhead) continue;
    const start = found.index + found[0].indexOf(digits);
    return { value: Number(digits), rest: `${text.slice(0, start)}#${text.slice(start + digits.length)}` };
  }
  return undefined;
}
