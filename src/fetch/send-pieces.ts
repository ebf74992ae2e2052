// A body that was made, on its way to the fetch that sends it.
import type { SeenRequest } from './request.ts';

/** Sends a long body in some other way than as one text. */
export type SendLong = (pieces: readonly string[], seen: SeenRequest, send: typeof fetch) => Promise<Response>;

/** Up to here nobody notices how long it takes to join a text. */
const longBody = 4 * 1024 * 1024;

/** Sends pieces as one body. Whatever else the program does has its turn before each long part of that. */
export async function sendPieces(
  pieces: readonly string[],
  seen: SeenRequest,
  send: typeof fetch,
  sendLong?: SendLong,
): Promise<Response> {
  const isLong = lengthOf(pieces) > longBody;
  if (isLong) await nextTurn();
  if (isLong && sendLong) return sendLong(pieces, seen, send);
  const text = pieces.join('');
  if (isLong) await nextTurn();
  return send(...seen.with(text));
}

/** Whether pieces are this text, found out without joining them. */
export function spells(pieces: readonly string[], text: string): boolean {
  if (pieces.length === 1) return pieces[0] === text; // what was left alone is the very same text
  let end = 0;
  const continues = (piece: string): boolean => text.startsWith(piece, (end += piece.length) - piece.length);
  return lengthOf(pieces) === text.length && pieces.every(continues);
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve);
  });
}
