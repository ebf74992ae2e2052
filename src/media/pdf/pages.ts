// What a caller says about pages in, a valid range (0-based, half-open) out. A range that cannot be is refused with
// the one that can.
import type { PageRange } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';

/** Pages as people say them ("21-40", counted from one, both ends included), or as programs do ([20, 40]). */
export type PagesOption = string | PageRange;

/** A range that was asked for; without an end it goes on as far as one read may. */
export type PagesAsked = { start: number; end?: number };

/** Reads the notation; whether such pages exist is only known once the document is open. */
export function parsePages(pages: PagesOption): Read<PagesAsked> {
  if (typeof pages !== 'string') return { ok: true, value: { start: pages[0], end: pages[1] } };
  const found = /^\s*(\d+)\s*(?:(-|–)\s*(\d+)?\s*)?$/.exec(pages);
  if (found === null) {
    return refuse('bad-range', `"${pages}" is not a range of pages`, 'Write it like "21-40" or "7", counted from 1.');
  }
  const [, first, dash, last] = found;
  const start = Number(first) - 1;
  if (last !== undefined) return { ok: true, value: { start, end: Number(last) } };
  return { ok: true, value: dash === undefined ? { start, end: start + 1 } : { start } };
}

/** The pages to read of a document with `total` pages, at most `most` of them. */
export function resolvePages(asked: PagesAsked | undefined, total: number, most: number): Read<PageRange> {
  const { start, end } = asked ?? { start: 0 };
  const valid = Number.isInteger(start) && start >= 0 && start < total;
  const ordered = end === undefined || (Number.isInteger(end) && end > start);
  if (valid && ordered) return { ok: true, value: [start, Math.min(end ?? total, total, start + most)] };
  const said = end === undefined ? `from ${start + 1}` : `${start + 1}-${end}`;
  return refuse(
    'bad-range',
    `There are no pages ${said} in this PDF`,
    `Ask for pages between 1 and ${total} (page_start from 0 to ${total - 1}, page_end above page_start up to ${total}).`,
    `pages 1-${total}`,
  );
}
