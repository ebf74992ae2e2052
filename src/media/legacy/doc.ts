// An old Word file (Word 2 to 2003) in, its Markdown out: the text, then notes, comments, text boxes, headers and
// footers. Refused: passwords that do not open it, damage, containers without a Word document in them.
import { refuse } from '../../content/refusal.ts';
import type { Read } from '../../content/refusal.ts';
import { changesPieces, commentText, newChanges } from '../document/changes.ts';
import type { Piece } from '../document/markdown.ts';
import { footnote, heading, joined, picture } from '../document/markdown.ts';
import type { DocumentReader, Extract, ReaderOptions } from '../document/reader.ts';
import { finish } from '../web/markdown.ts';
import type { Compound } from './compound.ts';
import { isCompound, openCompound } from './compound.ts';
import { corrupt, encrypted, withUnlocked } from '../document/refusals.ts';
import type { Story, WordParagraph } from './word-file.ts';
import { isEncryptedWord, isOldWord, openedWord, wordText } from './word-file.ts';
import { storyWriter } from './word-markdown.ts';
import type { NoteKind } from './word-notes.ts';
import type { PicturePlace } from './word-pictures.ts';
import { boxAt, wordPictures } from './word-pictures.ts';

const titles: readonly (readonly [Story, string])[] = [
  ['body', ''],
  ['boxes', 'Text boxes'],
  ['footnotes', 'Footnotes'],
  ['endnotes', 'Endnotes'],
  ['comments', 'Comments'],
  ['headers', 'Headers and footers'],
  ['header boxes', 'Text boxes in headers and footers'],
];

export const readDoc: DocumentReader = async (bytes, options) => {
  const { name, password } = options;
  const container = openCompound(bytes);
  if (container === undefined && isCompound(bytes)) return corrupt(name, 'its container cannot be opened');
  if (container?.has('EncryptedPackage') === true) return encrypted(name, password);
  const stream = container === undefined ? Buffer.from(bytes) : container.stream('WordDocument');
  if (container?.isWhole('WordDocument') === false) return corrupt(name, 'its text is cut off');
  if (stream === undefined || !isOldWord(stream)) {
    return refuse(
      'unsupported',
      `${name} is no Word document`,
      'Open it in the program it comes from and save it anew.',
    );
  }
  if (isEncryptedWord(stream)) {
    const unlocked = container && password !== undefined ? openedWord(stream, container, password) : undefined;
    return unlocked ? withUnlocked(unlocked, await readDoc(unlocked, options)) : encrypted(name, password);
  }
  try {
    return wordExtract(stream, container, options);
  } catch (error) {
    if (error instanceof RangeError) return corrupt(name, 'it points outside of itself');
    throw error;
  }
};

/** Kinds of notes whose marks stand in the text, if the file says where. */
const noteKinds: readonly NoteKind[] = ['footnotes', 'endnotes', 'comments'];

function wordExtract(stream: Buffer, container: Compound | undefined, options: ReaderOptions): Read<Extract> {
  const { stories, notes, lists } = wordText(stream, container);
  const changes = newChanges(options.clean);
  const own = new Map(noteKinds.map((kind) => [kind, notesIn(stories.get(kind), notes.starts.get(kind))]));
  const data = container?.stream('Data');
  const pictures = wordPictures(data, stream.length * 2 + (data?.length ?? 0));
  const pictureText = (place: PicturePlace): string => {
    const name = pictures.nameAt(place);
    return name === undefined ? '' : picture('', name);
  };
  const ticked = (place: PicturePlace | undefined): boolean | undefined => boxAt(data, place);
  const writeComment = storyWriter({ changes, lists, noteText: () => '', pictureText, ticked });
  const comment = (index: number): string =>
    commentText(changes, notes.authors[index] ?? '', joined(writeComment(own.get('comments')?.[index] ?? [])));
  const noteText = (kind: NoteKind, index: number): string =>
    kind === 'comments' ? comment(index) : `[^${noteMark(kind, index)}]`;
  const write = storyWriter({ changes, lists, noteText, pictureText, ticked });
  const pieces: Piece[] = [];
  for (const [story, title] of titles) {
    const kind = noteKinds.find((one) => one === story);
    const notesOfKind = kind === undefined ? [] : (own.get(kind) ?? []);
    if (kind === undefined || notesOfKind.length === 0) {
      for (const piece of titled(title, write(stories.get(story) ?? [], story.startsWith('header'))))
        pieces.push(piece);
    } else if (kind !== 'comments') {
      for (const [index, paragraphs] of notesOfKind.entries()) {
        const text = joined(write(paragraphs));
        if (text !== '') pieces.push({ text: footnote(noteMark(kind, index), text), tight: true });
      }
    }
  }
  return finish(joined([...changesPieces(changes), ...pieces]), options, { pictures: pictures.found });
}

function noteMark(kind: NoteKind, index: number): string {
  return `${kind === 'endnotes' ? 'e' : ''}${index + 1}`;
}

/** A header stands once, however many sections repeat it. */
function titled(title: string, pieces: readonly Piece[]): Piece[] {
  if (title === '' || pieces.length === 0) return [...pieces];
  const texts = new Map(pieces.map((piece) => [piece.text, piece]));
  return [{ text: heading(2, title) }, ...texts.values()];
}

/** The paragraphs of each note out of the story of its kind. */
function notesIn(story: readonly WordParagraph[] = [], starts: readonly number[] = []): WordParagraph[][] {
  const notes = starts.map((): WordParagraph[] => []);
  let index = -1;
  for (const paragraph of story) {
    while (index + 1 < starts.length && (starts[index + 1] ?? 0) <= paragraph.at) index += 1;
    notes[index]?.push(paragraph);
  }
  return notes;
}
