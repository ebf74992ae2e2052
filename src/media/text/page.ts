// A whole text in, the lines to show and the note that goes first out. Pure. Lines are counted from one. A place
// beyond the end is refused with the lines there are.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { cutText } from '../../content/text.ts';
import { grouped } from '../limits.ts';

export type Lines = { offset?: number; limit?: number };

/** `shown` is the first and the last line; `output` is at most as long as it may be, its note included. */
export type Excerpt = { output: string; lines: number; shown: readonly [first: number, last: number]; whole: boolean };

const noteRoom = 200;

/** As many whole lines as fit; a line that alone is too long is cut between characters. */
export function excerpt(text: string, { offset = 1, limit }: Lines, maxCharacters: number): Read<Excerpt> {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop(); // a line end at the end begins no further line
  const total = lines.length;
  const right = Number.isInteger(offset) && offset >= 1 && offset <= total;
  if (!right || (limit !== undefined && !(Number.isInteger(limit) && limit >= 1))) {
    const next = `Use an offset from 1 to ${total} and a limit of at least 1.`;
    return refuse(
      'bad-range',
      `There are no lines at offset ${offset}${limit === undefined ? '' : ` with limit ${limit}`}`,
      next,
    );
  }
  if (offset === 1 && (limit === undefined || limit >= total) && text.length <= maxCharacters) {
    return { ok: true, value: { output: text, lines: total, shown: [1, total], whole: true } };
  }
  const asked = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit);
  const room = Math.max(1, maxCharacters - noteRoom);
  const fitting = fittingLines(asked, room);
  const shown = [offset, offset + Math.max(1, fitting) - 1] as const;
  const body = fitting === 0 ? cutText(asked[0] ?? '', room) : asked.slice(0, fitting).join('\n');
  const cut =
    fitting === 0
      ? `the first ${grouped(body.length)} of ${grouped(asked[0]?.length ?? 0)} characters of line ${offset}`
      : undefined;
  return { ok: true, value: { output: `${note(shown, total, cut)}\n${body}`, lines: total, shown, whole: false } };
}

function fittingLines(lines: readonly string[], room: number): number {
  let used = -1;
  for (const [index, line] of lines.entries()) {
    used += line.length + 1;
    if (used > room) return index;
  }
  return lines.length;
}

/** First, so that no later cut can lose it. */
function note([first, last]: readonly [number, number], total: number, cut: string | undefined): string {
  const range = cut ?? (first === last ? `line ${first}` : `lines ${first}-${last}`);
  const next = last < total ? ` Use offset=${last + 1} to continue.` : '';
  return `[Showing ${range} of ${total}.${next}]`;
}
