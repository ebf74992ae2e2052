// A text that is too long to be held in, some of its lines out. It is read in steps: lines before the asked ones are
// counted and forgotten, long ones keep their beginning, or what follows a place in them, those after are counted as far as that takes no time.
import type { Read } from '../../content/refusal.ts';
import type { Excerpt, Line, Lines } from './page.ts';
import { compose, longestLine, wrongCharacter, wrongLines } from './page.ts';

const stepBytes = 1024 * 1024;
/** How far beyond the asked lines the rest of them are counted. */
const countBytes = 512 * 1024 * 1024;

type Parts = (start: number, length: number) => Promise<Uint8Array>;

type Scan = { wanted: Line[]; line: Line; lines: number; ended: boolean };

/** Whether the lines are well-formed was decided by the head of the file; what is broken later is replaced. */
export async function streamedExcerpt(
  part: Parts,
  encoding: string,
  asked: Lines,
  { maxCharacters, signal }: { maxCharacters: number; signal?: AbortSignal | undefined },
): Promise<Read<Excerpt>> {
  const { offset = 1, character } = asked;
  const limit = character === undefined ? (asked.limit ?? Infinity) : 1;
  const room = { from: (character ?? 1) - 1, longest: maxCharacters };
  const wrong = wrongLines(asked, Infinity);
  if (wrong !== undefined) return wrong;
  const decoder = new TextDecoder(encoding);
  const scan: Scan = { wanted: [], line: { text: '', length: 0 }, lines: 0, ended: false };
  let [characters, beyond, open] = [0, 0, false];
  const take = (line: Line): void => {
    scan.lines += 1;
    if (scan.lines < offset || scan.wanted.length >= limit || characters > maxCharacters) return;
    scan.wanted.push(line);
    characters += Math.min(line.text.length, longestLine) + 1;
  };
  for (let at = 0; !scan.ended; at += stepBytes) {
    if (signal?.aborted === true) break;
    const bytes = await part(at, stepBytes);
    scan.ended = bytes.length < stepBytes;
    feed(scan, decoder.decode(bytes, { stream: !scan.ended }), room, take);
    if (scan.wanted.length >= limit || characters > maxCharacters) beyond += bytes.length;
    open = !scan.ended && beyond > countBytes;
    if (open) break;
  }
  if (scan.line.length > 0 && !open) take(scan.line);
  return (
    wrongLines(asked, scan.lines) ??
    wrongCharacter(asked, scan.wanted) ?? {
      ok: true,
      value: compose(scan.wanted, asked, { total: scan.lines, maxCharacters, open }),
    }
  );
}

/** From which character on a line is kept, and how much of it. */
type Room = { from: number; longest: number };

/** Adds decoded text to the line that is open, and gives each line that ends to `take`. */
function feed(scan: Scan, text: string, room: Room, take: (line: Line) => void): void {
  let from = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
    take(extended(scan.line, text.slice(from, end), room));
    scan.line = { text: '', length: 0 };
    from = end + 1;
  }
  scan.line = extended(scan.line, text.slice(from), room);
}

function extended({ text, length }: Line, more: string, { from, longest }: Room): Line {
  const start = Math.max(0, from - length);
  return { text: text + more.slice(start, start + longest - text.length), length: length + more.length };
}
