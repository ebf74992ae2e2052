// The WordDocument stream of an old Word file (2 to 2003) in, its text in order out, cut where the file says that one
// story ends and the next begins. Numbers in the file are only believed as far as bytes exist for them.
import type { Compound } from './compound.ts';
import { openedStream, rc4Way } from './rc4.ts';
import { signText } from '../document/symbol-font.ts';
import type { Numbering } from '../office/numbering.ts';
import type { MarkedRun, Marks, WordItem } from './word-marks.ts';
import { markedRuns, oldMarkedRuns } from './word-marks.ts';
import type { NoteKind, WordNotes } from './word-notes.ts';
import { wordNotes } from './word-notes.ts';
import { guessedText } from './code-page.ts';
import { floatingPictures } from './word-floating.ts';
import type { PicturePlace } from './word-pictures.ts';

/** Words that are set alike, or the place of a note. */
export type WordSpan = {
  text: string;
  look: number;
  inserted?: string;
  deleted?: string;
  note?: { kind: NoteKind; index: number };
  /** where the picture lies that its sign stands for */
  picture?: PicturePlace;
};

/** A paragraph as it stands in the file: its words, where it begins in its story, what ended it, what is known of its style. */
export type WordParagraph = {
  spans: WordSpan[];
  at: number;
  end: 'paragraph' | 'cell' | 'row' | 'page';
  heading: number;
  inTable: boolean;
  item?: WordItem;
  /** the sign of its end, where that was inserted or deleted */
  changedEnd?: WordSpan;
  /** where the cells of the row end that it ends */
  edges?: number[];
};

/** All that is read of a document. */
export type WordText = {
  stories: ReadonlyMap<Story, WordParagraph[]>;
  notes: WordNotes;
  lists: ReadonlyMap<number, Numbering>;
};

/** The stories of a document, in the order of the file. */
export const stories = [
  'body',
  'footnotes',
  'headers',
  'macros',
  'comments',
  'endnotes',
  'boxes',
  'header boxes',
] as const;

export type Story = (typeof stories)[number];

/** Text that lies in one row in the file, in so many bytes. */
type Piece = { text: string; start: number; width: 1 | 2; bytes: number };

const [word2, modern] = [0xa5db, 0xa5ec];
/** Word 2, Word 6 and 95, those of the Far East, and everything from 97 on. */
const identities = new Set([word2, 0xa5dc, 0xa697, 0xa698, 0xa699, modern]);

export function isOldWord(stream: Buffer): boolean {
  return stream.length > 0x200 && identities.has(stream.readUInt16LE(0));
}

export function isEncryptedWord(stream: Buffer): boolean {
  return (stream.readUInt16LE(10) & encryptedFlag) !== 0;
}

const openHead = 68;

/** The whole file without its encryption; nothing when the password is another one or the way is not known. */
export function openedWord(stream: Buffer, container: Compound, password: string): Buffer | undefined {
  const name = tablesOf(stream);
  const sealed = container.stream(name);
  const headSize = stream.readUInt32LE(14);
  const open = sealed && rc4Way(sealed.subarray(0, headSize), password);
  if (sealed === undefined || open === undefined) return undefined;
  const words = openedStream(stream, openHead, open);
  words.writeUInt16LE(words.readUInt16LE(10) & ~encryptedFlag, 10);
  const pictures = container.stream('Data');
  return container.replaced(
    new Map([
      ['WordDocument', words],
      [name, openedStream(sealed, headSize, open)],
      ...(pictures ? [['Data', openedStream(pictures, 0, open)] as const] : []),
    ]),
  );
}

const encryptedFlag = 0x100;

function tablesOf(stream: Buffer): string {
  return (stream.readUInt16LE(10) & 0x200) === 0 ? '0Table' : '1Table';
}

/** Throws a RangeError when the file points outside of itself. */
export function wordText(stream: Buffer, container: Compound | undefined): WordText {
  const flags = stream.readUInt16LE(10);
  const isModern = stream.readUInt16LE(0) === modern;
  const tables = isModern ? container?.stream(tablesOf(stream)) : stream;
  const counts = stories.map((_, at) => stream.readUInt32LE((isModern ? 0x4c : 0x34) + at * 4));
  const pieces = isModern ? [] : plainText(stream, flags);
  const known = isModern ? tables : undefined;
  const notes = known === undefined ? noNotes : wordNotes(stream, known);
  if (pieces.length === 0 && tables !== undefined)
    for (const piece of piecesOf(stream, tables, isModern)) pieces.push(piece);
  const marks = known === undefined ? oldMarks(stream, pieces) : markedRuns(stream, known);
  const floating = known === undefined ? undefined : floatingPictures(stream, known);
  return {
    stories: divided(pieces, isModern ? counts : [Infinity], marks, { ...notes, floating }),
    notes,
    lists: marks?.lists ?? new Map(),
  };
}

/** Word 6 and 95 tell how words are set by their bytes, so only where each letter is as many bytes as any other. */
function oldMarks(stream: Buffer, pieces: readonly Piece[]): Marks | undefined {
  const isEven = pieces.every(({ text, width, bytes }) => text.length * width === bytes);
  return isEven && stream.readUInt16LE(0) !== word2 && stream.readUInt16LE(0) !== modern
    ? oldMarkedRuns(stream)
    : undefined;
}

const noNotes: WordNotes = { references: new Map(), starts: new Map(), authors: [] };

/** Before Word 97 a file that was saved whole holds its text in one row. */
function plainText(stream: Buffer, flags: number): Piece[] {
  if ((flags & 4) !== 0 && stream.readUInt16LE(0) !== word2) return [];
  const [start, end] = [stream.readUInt32LE(0x18), stream.readUInt32LE(0x1c)];
  const bytes = stream.subarray(start, end);
  if (isWide(stream)) return [{ text: bytes.toString('utf16le'), start, width: 2, bytes: bytes.length }];
  return [{ text: guessedText(bytes, stream.readUInt16LE(6)), start, width: 1, bytes: bytes.length }];
}

/** Word 95 of the Far East wrote every character in two bytes. */
function isWide(stream: Buffer): boolean {
  return (stream.readUInt16LE(10) & 0x1000) !== 0;
}

const missing = ' [a piece of the text is missing here] ';

function piecesOf(stream: Buffer, tables: Buffer, isModern: boolean): Piece[] {
  const at = isModern ? 0x1a2 : 0x160;
  const clx = tables.subarray(stream.readUInt32LE(at), stream.readUInt32LE(at) + stream.readUInt32LE(at + 4));
  let from = 0;
  while (clx[from] === 1) from += 3 + clx.readUInt16LE(from + 1);
  if (clx[from] !== 2) throw new RangeError('no table of pieces');
  const plc = clx.subarray(from + 5, from + 5 + clx.readUInt32LE(from + 1));
  const count = Math.floor((plc.length - 4) / 12);
  const language = isModern ? 0 : stream.readUInt16LE(6);
  const pieces: Piece[] = [];
  let budget = stream.length; // sound pieces never show a byte twice
  for (let index = 0; index < count && budget > 0; index += 1) {
    const length = plc.readUInt32LE(index * 4 + 4) - plc.readUInt32LE(index * 4);
    const place = plc.readUInt32LE((count + 1) * 4 + index * 8 + 2);
    const width = (isModern ? (place & 0x40000000) === 0 : isWide(stream)) ? 2 : 1;
    const start = isModern && width === 1 ? (place & 0x3fffffff) / 2 : place;
    if (length < 0) throw new RangeError('a piece that ends before it begins');
    const bytes = stream.subarray(start, start + Math.min(length * width, budget));
    budget -= bytes.length;
    const text = width === 2 ? bytes.toString('utf16le') : guessedText(bytes, language);
    if (start + length * width <= stream.length) pieces.push({ text, start, width, bytes: bytes.length });
    else {
      // What lies outside of the file is told in its place, and counts as long as it was.
      const gap = `${text}${missing}`.padEnd(text.length + Math.min(length - text.length, budget));
      budget -= gap.length;
      pieces.push({ text: gap, start, width, bytes: bytes.length });
    }
  }
  return pieces;
}

function divided(
  pieces: readonly Piece[],
  counts: readonly number[],
  marks: Marks | undefined,
  { references, floating }: WordNotes & { floating: ReturnType<typeof floatingPictures> | undefined },
): Map<Story, WordParagraph[]> {
  const found = new Map<Story, WordParagraph[]>();
  let [story, left, place, begin]: [number, number, number, number] = [0, counts[0] ?? 0, 0, 0];
  let spans: WordSpan[] = [];
  const push = (end: WordParagraph['end'], style?: Partial<WordParagraph>): void => {
    const name = stories[story] ?? 'body';
    const list = found.get(name) ?? [];
    found.set(name, list);
    list.push({ heading: 0, inTable: false, ...style, spans, at: begin, end });
    [spans, begin] = [[], place];
  };
  for (const piece of pieces) {
    let from = 0;
    const take = (to: number, next = to): void => {
      for (const span of spansIn(piece, from, to, marks)) spans.push(span);
      from = next;
    };
    for (let at = 0; at < piece.text.length; at += 1) {
      while (left <= 0 && story < stories.length - 1) {
        take(at);
        if (spans.length > 0) push('paragraph');
        story += 1;
        left = counts[story] ?? 0;
        [place, begin] = [0, 0];
      }
      left -= 1;
      place += 1;
      const note = story === 0 ? references.get(place - 1) : undefined;
      if (note !== undefined) {
        take(at + 1);
        spans.push({ text: '', look: 0, note });
      }
      const isTied = piece.text.charCodeAt(at) === tiedSign;
      const pictures = isTied ? floating?.get(stories[story] ?? '')?.get(place - 1) : undefined;
      if (pictures !== undefined) {
        take(at, at + 1);
        for (const picture of pictures) spans.push({ text: pictureSign, look: 0, picture });
      }
      const end = enders.get(piece.text.charCodeAt(at));
      if (end === undefined) continue;
      take(at, at + 1);
      const style = marks?.paragraphs?.get(piece.start + (at + 1) * piece.width);
      // Before Word 97 nothing here tells the end of a row; a cell that is empty at that place is one.
      const row =
        marks?.paragraphs === undefined
          ? spans.length === 0 && lastEnd(found, stories[story]) === 'cell'
          : style?.rowEnd === true;
      const changedEnd = spansIn(piece, at, at + 1, marks).find((one) => (one.inserted ?? one.deleted) !== undefined);
      push(end === 'cell' && row ? 'row' : end, changedEnd === undefined ? style : { ...style, changedEnd });
    }
    take(piece.text.length);
  }
  if (spans.length > 0) push('paragraph');
  return found;
}

/** What stands in the text where a picture is, and where a drawing is tied to it. */
export const pictureSign = '\u0001';
const tiedSign = 8;

const enders = new Map<number, WordParagraph['end']>([
  [13, 'paragraph'],
  [7, 'cell'],
  [12, 'page'],
]);

function lastEnd(found: Map<Story, WordParagraph[]>, story: Story | undefined): string | undefined {
  return story === undefined ? undefined : found.get(story)?.at(-1)?.end;
}

function signsOf({ sign }: MarkedRun, text: string, font: string): string {
  return signText(sign === undefined ? text : String.fromCharCode(sign), font);
}

/** A stretch of a piece by how its words are set, without what is hidden in it. */
function spansIn({ text, start, width }: Piece, from: number, to: number, marks: Marks | undefined): WordSpan[] {
  const spans: WordSpan[] = [];
  const add = (first: number, last: number, run: Omit<WordSpan, 'text'> & { text?: string }): void => {
    if (last > first) spans.push({ text: text.slice(first, last), ...run });
  };
  let at = from;
  for (const run of marks?.within(start + from * width, start + to * width) ?? []) {
    const begin = Math.max(at, Math.ceil((run.start - start) / width));
    const end = Math.max(begin, Math.min(to, Math.ceil((run.end - start) / width)));
    add(at, begin, { look: 0 });
    const by = (author: number | undefined): string => marks?.authors[author ?? 0] ?? '';
    if (!run.hidden)
      add(begin, end, {
        look: run.look,
        ...(run.inserted !== undefined && { inserted: by(run.inserted) }),
        ...(run.deleted !== undefined && { deleted: by(run.deleted) }),
        ...(run.picture !== undefined && { picture: run.picture }),
        ...(run.font !== undefined && { text: signsOf(run, text.slice(begin, end), marks?.fonts[run.font] ?? '') }),
      });
    at = end;
  }
  add(at, to, { look: 0 });
  return spans;
}
