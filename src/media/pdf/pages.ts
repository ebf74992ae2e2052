// What a caller says about pages in, a valid range (0-based, half-open) out. A range that cannot be is refused with
// the one that can.
import type { PageRange } from '../../content/block.ts';
import { toJsonText } from '../../content/json.ts';
import type { Read, Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';

/** Pages as people say them ("21-40", counted from one, both ends included), or as programs do ([20, 40]). */
export type PagesOption = string | PageRange;

/** A range that was asked for; without an end it goes on as far as one read may. `by` tells how its owner counts. */
export type PagesAsked = { start: number; end?: number; by?: 'number' };

/** The pages in whichever way they were asked for, if they were; `pages` speaks louder. */
export function askedPages(options: {
  pages?: PagesOption;
  page_start?: number;
  page_end?: number;
}): Read<PagesAsked> | undefined {
  const { pages, page_start: start, page_end: end } = options;
  if (pages !== undefined) return parsePages(pages);
  if (start === undefined && end === undefined) return undefined;
  return { ok: true, value: { start: start ?? 0, ...(end !== undefined && { end }) } };
}

/** Opens a part of what has pages, and says how to go on. */
export function pagesShown([start, end]: PageRange, total: number, form = ''): string {
  const next = end < total ? ` Use page_start=${end} to continue.` : '';
  return `[Showing pages ${start + 1}-${end} of ${total}${form}.${next}]`;
}

/** Reads the notation; whether such pages exist is only known once the document is open. */
export function parsePages(pages: PagesOption): Read<PagesAsked> {
  if (typeof pages !== 'string') {
    if (Array.isArray(pages)) return { ok: true, value: { start: pages[0], end: pages[1] } };
    const next = 'Write it as [start, end], counted from 0, or like "21-40".';
    return refuse('bad-range', `${toJsonText(pages)} is not a range of pages`, next);
  }
  const found = /^\s*(\d+)\s*(?:(-|–)\s*(\d+)?\s*)?$/.exec(pages);
  if (found === null) {
    return refuse('bad-range', `"${pages}" is not a range of pages`, 'Write it like "21-40" or "7", counted from 1.');
  }
  const [, first, dash, last] = found;
  const start = Number(first) - 1;
  const by = 'number' as const;
  if (last !== undefined) return { ok: true, value: { start, end: Number(last), by } };
  return { ok: true, value: dash === undefined ? { start, end: start + 1, by } : { start, by } };
}

/** The pages to read of a document with `total` pages, at most `most` of them; `where` is what it is called in a refusal. */
export function resolvePages(
  asked: PagesAsked | undefined,
  total: number,
  most: number,
  where = 'this PDF',
): Read<PageRange> {
  const { start, end } = asked ?? { start: 0 };
  const valid = Number.isInteger(start) && start >= 0 && start < total;
  const ordered = end === undefined || (Number.isInteger(end) && end > start);
  if (valid && ordered) return { ok: true, value: [start, Math.min(end ?? total, total, start + most)] };
  return asked?.by === 'number' ? noSuchNumbers(start + 1, end, total, where) : noSuchIndices(start, end, total, where);
}

/** In the words of those who count from one. */
function noSuchNumbers(
  first: number,
  last: number | undefined,
  total: number,
  where: string,
): { ok: false; refusal: Refusal } {
  const said = last === undefined ? `from ${first}` : first === last ? `numbered ${first}` : `${first}-${last}`;
  const order = last !== undefined && last < first ? ', the first one before the last' : '';
  const [next, limit] =
    total === 1
      ? ['Ask for page 1.', 'it has one page']
      : [`Ask for pages between 1 and ${total}${order}.`, `pages 1-${total}`];
  return refuse('bad-range', `There are no pages ${said} in ${where}`, next, limit);
}

/** In the words of those who count from zero. */
function noSuchIndices(
  start: number,
  end: number | undefined,
  total: number,
  where: string,
): { ok: false; refusal: Refusal } {
  const said = `page_start=${start}${end === undefined ? '' : ` and page_end=${end}`}`;
  const next = `Use page_start from 0 to ${total - 1} and page_end above it, up to ${total}.`;
  return refuse('bad-range', `There are no pages at ${said} in ${where}`, next, `${total} pages`);
}
