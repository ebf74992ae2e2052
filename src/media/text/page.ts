// Lines of a text in, what to show of them and the note that goes first out. Pure. Lines are counted from one. A place
// beyond the end is refused with the lines there are. Nothing here ever ends in half a character.
import type { Read, Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { cutText } from '../../content/text.ts';
import { grouped } from '../limits.ts';

/** With `character`, counted from one, only the line at `offset` is shown, from there on. */
export type Lines = { offset?: number; limit?: number; character?: number; lineNumbers?: boolean };

/** `shown` is the first and the last line; `output` is at most as long as it may be, its note included. */
export type Excerpt = { output: string; lines: number; shown: readonly [first: number, last: number]; whole: boolean };

/** A line, or a part of it with the length that the whole has. */
export type Line = { text: string; length: number };

const noteRoom = 200;
const tailRoom = 100;
const numberRoom = 20;
/** How much of a line is shown among others. */
export const longestLine = 2000;

/** As many lines as fit; a line that is too long for company is cut between characters. */
export function excerpt(text: string, asked: Lines, maxCharacters: number): Read<Excerpt> {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop(); // a line end at the end begins no further line
  const total = lines.length;
  const wrong = wrongLines(asked, total);
  if (wrong !== undefined) return wrong;
  const { offset = 1, limit, character, lineNumbers = false } = asked;
  const all = offset === 1 && character === undefined && (limit === undefined || limit >= total);
  const plain = lineNumbers ? numbered(lines, 1).join('\n') : text;
  if (all && plain.length <= maxCharacters) {
    return { ok: true, value: { output: plain, lines: total, shown: [1, total], whole: true } };
  }
  const count = character === undefined ? limit : 1;
  const wanted = lines.slice(offset - 1, count === undefined ? undefined : offset - 1 + count);
  const found = wanted.map((line) => ({ text: line.slice((character ?? 1) - 1), length: line.length }));
  return wrongCharacter(asked, found) ?? { ok: true, value: compose(found, asked, { total, maxCharacters }) };
}

/** The refusal for lines that do not exist. */
export function wrongLines({ offset = 1, limit }: Lines, total: number): { ok: false; refusal: Refusal } | undefined {
  const right = Number.isInteger(offset) && offset >= 1 && offset <= total;
  if (right && (limit === undefined || (Number.isInteger(limit) && limit >= 1))) return undefined;
  const said = `There are no lines at offset ${offset}${limit === undefined ? '' : ` with limit ${limit}`}`;
  return refuse('bad-range', said, `Use an offset from 1 to ${total} and a limit of at least 1.`);
}

/** The refusal for a place that the line does not have. */
export function wrongCharacter(
  { offset = 1, character = 1 }: Lines,
  [line]: readonly Line[],
): { ok: false; refusal: Refusal } | undefined {
  const last = Math.max(1, line?.length ?? 0);
  if (Number.isInteger(character) && character >= 1 && character <= last) return undefined;
  const said = `Line ${offset} has no character ${character}`;
  return refuse('bad-range', said, `Use a character from 1 to ${last}.`);
}

/** Puts the note and the lines that fit together. `open` says that there are more lines than `total`. */
export function compose(
  wanted: readonly Line[],
  { offset = 1, character = 1, lineNumbers = false }: Lines,
  { total, maxCharacters, open = false }: { total: number; maxCharacters: number; open?: boolean },
): Excerpt {
  const room = Math.max(1, maxCharacters - noteRoom);
  const [first] = wanted;
  const alone = wanted.length === 1 && first !== undefined;
  const cut = alone
    ? [cutText(first.text.toWellFormed(), room - numberRoom)]
    : wanted.map((line, at) => shortened(line, offset + at, room));
  const ready = lineNumbers ? numbered(cut, offset) : cut;
  const fitting = Math.max(1, fittingLines(ready, room));
  const shown = [offset, offset + fitting - 1] as const;
  const body = cutText(ready.slice(0, fitting).join('\n'), room);
  const [last, length] = [character - 1 + (cut[0]?.length ?? 0), first?.length ?? 0];
  const part = alone && (character > 1 || last < length) ? { from: character, to: last, of: length } : undefined;
  return { output: `${note(shown, total, open, part)}\n${body}`, lines: total, shown, whole: false };
}

/** Every line behind its number, as programs for programmers print it. */
function numbered(lines: readonly string[], first: number): string[] {
  const width = String(first + lines.length - 1).length;
  return lines.map((line, at) => `${String(first + at).padStart(width)}\t${line}`);
}

/** A line among others keeps its beginning and says how to see more of it. */
function shortened({ text, length }: Line, number: number, room: number): string {
  if (length <= Math.min(longestLine, room)) return text;
  const kept = cutText(text, Math.max(1, Math.min(longestLine, room - tailRoom)));
  return `${kept} [${grouped(length - kept.length)} more characters; offset=${number} limit=1 shows more]`;
}

function fittingLines(lines: readonly string[], room: number): number {
  let used = -1;
  for (const [index, line] of lines.entries()) {
    used += line.length + 1;
    if (used > room) return index;
  }
  return lines.length;
}

type PartOfLine = { from: number; to: number; of: number };

/** First, so that no later cut can lose it. `part` is what is shown of a line that is too long to be shown at once. */
function note(
  [first, last]: readonly [number, number],
  total: number,
  open: boolean,
  part: PartOfLine | undefined,
): string {
  const range = first === last ? `Line ${first}` : `Lines ${first}-${last}`;
  const among = part && `, characters ${grouped(part.from)}-${grouped(part.to)} of ${grouped(part.of)}`;
  const rest = part && part.to < part.of ? `offset=${first} character=${part.to + 1}` : undefined;
  const next = rest ?? (last < total || open ? `offset=${last + 1}` : undefined);
  const call = next === undefined ? '' : ` Use ${next} to continue.`;
  return `[${range} of ${open ? 'more than ' : ''}${total}${among ?? ''}.${call}]`;
}
