// New items as text, in which media that stand in the old ones are only pointed at: a picture is neither kept nor
// written anew when it comes again with the next request.
import type { Fields } from '../wire/fields.ts';
import type { Piece } from './memory.ts';
import { longStrings } from './body-outline.ts';

const uriMark = ';base64,';

export function piecesOf(items: readonly Fields[], raw: string): Piece[] {
  const text = items.map((item) => JSON.stringify(item)).join(',');
  const pieces: Piece[] = [];
  let at = 0;
  for (const [start, end] of longStrings(text)) {
    const mark = text.slice(start, start + 200).indexOf(uriMark);
    const body = mark < 0 ? start : start + mark + uriMark.length;
    const found = placeIn(raw, text.slice(body, end));
    if (found < 0) continue;
    pieces.push(copied(text.slice(at, body)), { from: found, to: found + end - body });
    at = end;
  }
  return [...pieces, copied(text.slice(at))];
}

/** Searched for by its beginning first: a text of a million letters is found as quickly as one of a hundred. */
function placeIn(raw: string, part: string): number {
  const head = part.slice(0, 256);
  for (let at = raw.indexOf(head); at >= 0; at = raw.indexOf(head, at + 1))
    if (raw.slice(at, at + part.length) === part) return at;
  return -1;
}

/** A text of its own: a slice would keep the whole that it was cut from in memory. */
function copied(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
