// The tables of footnotes, endnotes and comments of a Word 97 to 2003 file in; where each is referred to, where its words
// begin in their own story, and who wrote it, out.
export type NoteKind = 'footnotes' | 'endnotes' | 'comments';

export type WordNotes = {
  /** by the place in the text */
  references: ReadonlyMap<number, { kind: NoteKind; index: number }>;
  /** by the kind: where the words of each note begin in the story of its kind */
  starts: ReadonlyMap<NoteKind, readonly number[]>;
  /** of comments, by their number */
  authors: readonly string[];
};

/** Of each kind: where its references and its words are listed, and how many bytes are said of each reference. */
const fields: readonly (readonly [kind: NoteKind, references: number, words: number, size: number])[] = [
  ['footnotes', 0xaa, 0xb2, 2],
  ['endnotes', 0x20a, 0x212, 2],
  ['comments', 0xba, 0xc2, 30],
];
const [authorsField, authorAt] = [0x1ba, 20];

export function wordNotes(stream: Buffer, tables: Buffer): WordNotes {
  const table = (field: number): Buffer => {
    const from = stream.readUInt32LE(field);
    return tables.subarray(from, from + stream.readUInt32LE(field + 4));
  };
  const references = new Map<number, { kind: NoteKind; index: number }>();
  const starts = new Map<NoteKind, number[]>();
  const owners = ownersIn(table(authorsField));
  const authors: string[] = [];
  for (const [kind, referencesAt, wordsAt, size] of fields) {
    const [places, words] = [table(referencesAt), table(wordsAt)];
    const count = Math.max(0, Math.floor((places.length - 4) / (4 + size)));
    for (let index = 0; index < count; index += 1) {
      references.set(places.readUInt32LE(index * 4), { kind, index });
      const about = (count + 1) * 4 + index * size;
      if (kind === 'comments') authors.push(owners[places.readUInt16LE(about + authorAt)] ?? '');
    }
    const own = Array.from({ length: Math.min(count, words.length >> 2) }, (_, at) => words.readUInt32LE(at * 4));
    starts.set(kind, own);
  }
  return { references, starts, authors };
}

/** Names one after the other, each behind its length. */
function ownersIn(list: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at + 2 <= list.length;) {
    const end = at + 2 + list.readUInt16LE(at) * 2;
    names.push(list.toString('utf16le', at + 2, Math.min(end, list.length)));
    at = end;
  }
  return names;
}
