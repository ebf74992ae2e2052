// Paragraphs of an old Word file in, Markdown out: headings, lists, tables, links, what was changed, the results of fields
// without their codes.
import type { Changes } from '../document/changes.ts';
import { change } from '../document/changes.ts';
import type { Piece } from '../document/markdown.ts';
import { isPageField, pageSign, unknownBox } from '../document/markdown.ts';
import { looks } from '../document/styled.ts';
import { equationText } from '../office/equation-field.ts';
import { fieldTarget } from '../office/docx-inline.ts';
import type { Numbering } from '../office/numbering.ts';
import { listCounter } from '../office/numbering.ts';
import type { Page } from './rtf-page.ts';
import { newPage } from './rtf-page.ts';
import type { WordParagraph, WordSpan } from './word-file.ts';
import { pictureSign } from './word-file.ts';
import type { NoteKind } from './word-notes.ts';
import type { PicturePlace } from './word-pictures.ts';

/** What is written of all stories of a document. */
export type StoryContext = {
  changes: Changes;
  lists: ReadonlyMap<number, Numbering>;
  /** what stands in the place of a note */
  noteText: (kind: NoteKind, index: number) => string;
  /** what stands in the place of a picture */
  pictureText: (place: PicturePlace) => string;
  /** whether the box of a form is ticked of which the file tells there */
  ticked: (place: PicturePlace | undefined) => boolean | undefined;
};

/** Writes the stories of one document, one after the other: numbers of lists count on. */
export function storyWriter(
  context: StoryContext,
): (paragraphs: readonly WordParagraph[], inMargin?: boolean) => Piece[] {
  const nextMark = listCounter();
  return (paragraphs, inMargin = false) => {
    const page = newPage();
    const shown = changedLook(context.changes);
    const write = spanWriter(page, context, shown, inMargin);
    for (const [index, paragraph] of paragraphs.entries()) {
      const { spans, end, heading, inTable, item, edges, changedEnd } = paragraph;
      const list = item && context.lists.get(item.list);
      const isEmpty = spans.every(({ text, picture }) => picture === undefined && text.trim() === '');
      const isCounted = !isEmpty || isBare(paragraph, paragraphs[index + 1]);
      const mark = item && list && isCounted ? nextMark(String(item.list), list, item.level) : undefined;
      const number = /[\p{L}\p{N}]/u.test(mark?.mark ?? '') ? (mark?.mark ?? '') : '';
      if (heading > 0 && !isEmpty && number !== '') page.words(`${number} `);
      // A number alone is all that a cell shows in a column that counts its rows.
      const before = paragraphs[index - 1];
      const isAlone = isEmpty && end === 'cell' && !(before?.inTable === true && before.end === 'paragraph');
      if (isAlone) page.words(number);
      for (const span of spans) write(span, heading > 0 ? looks.bold : 0);
      if (end === 'cell') page.endCell(isEmpty ? undefined : mark);
      else if (end === 'row') page.endRow(edges);
      else {
        const look = changedEnd === undefined ? 0 : shown(changedEnd);
        // Once the end of a paragraph is deleted, its words stand in the next.
        if (look === undefined) continue;
        const changed =
          (look & looks.deleted) !== 0 ? 'deleted' : (look & looks.inserted) !== 0 ? 'inserted' : undefined;
        const kind = heading > 0 ? { heading: heading - 1 } : mark === undefined ? {} : { item: mark };
        page.endParagraph({ inTable, changed, ...kind });
      }
    }
    return page.pieces();
  };
}

/** Whether a paragraph has nothing but its end, and so a number all the same; of others without words the words are hidden. */
function isBare({ spans, at, end, changedEnd }: WordParagraph, next: WordParagraph | undefined): boolean {
  const isEnded = (end === 'paragraph' || end === 'cell') && changedEnd === undefined;
  return isEnded && spans.length === 0 && (next === undefined || next.at === at + 1);
}

type Open = { code: string; start?: number; place?: PicturePlace | undefined };

/** Shows what a field gives and not how; fields may lie in each other and reach over paragraphs. */
function spanWriter(
  page: Page,
  { noteText, pictureText, ticked }: StoryContext,
  shown: (span: WordSpan) => number | undefined,
  inMargin: boolean,
): (span: WordSpan, without: number) => void {
  const fields: Open[] = [];
  /** Whether a field shows another number on each page. */
  const isOwn = (code: string): boolean => inMargin && isPageField(code);
  /** What a field shows that the file has no words for. */
  const resultOf = ({ code, place }: Open): string => {
    if (isOwn(code)) return pageSign;
    if (!/^\s*FORMCHECKBOX/.test(code)) return equationText(code) ?? '';
    const state = ticked(place);
    return state === undefined ? unknownBox : state ? '[x]' : '[ ]';
  };
  const close = (field: Open | undefined): void => {
    const url = fieldTarget(field?.code ?? '');
    if (field?.start !== undefined && url !== undefined) page.linkFrom(field.start, url);
  };
  return (span, without) => {
    if (span.note !== undefined) page.words(noteText(span.note.kind, span.note.index));
    const look = shown(span);
    if (look === undefined) return;
    const wordsOf = (part: string): string => {
      if (part === pictureSign && span.picture !== undefined) return pictureText(span.picture);
      return part.length === 1 && part <= '\u00a0' ? control(part) : part;
    };
    // oxlint-disable-next-line no-control-regex -- Word marks its fields with control characters
    for (const part of span.text.split(/([\u0000-\u001f\u00a0])/)) {
      const field = fields.at(-1);
      if (part === '\u0013') fields.push({ code: '' });
      else if (part === '\u0014' && field !== undefined) field.start = page.mark();
      else if (part === '\u0015') {
        close(fields.pop());
        if (field !== undefined && fields.every(({ start }) => start !== undefined))
          page.words(resultOf(field), look & ~without);
      } else if (part === pictureSign && field !== undefined && field.start === undefined) field.place = span.picture;
      else if (field !== undefined && field.start === undefined) field.code += part;
      else if (fields.every(({ start, code }) => start !== undefined && !isOwn(code)))
        page.words(wordsOf(part), part === pictureSign ? look & (looks.inserted | looks.deleted) : look & ~without);
    }
    if (fields.length > 100) fields.length = 0; // nothing sound goes that deep
  };
}

/** How a span is set; nothing when it is not to be seen. What was changed by one person in one go counts once. */
function changedLook(changes: Changes): (span: WordSpan) => number | undefined {
  const looked = { inserted: 0, deleted: 0 };
  const before: { inserted: string | undefined; deleted: string | undefined } = {
    inserted: undefined,
    deleted: undefined,
  };
  return (span) => {
    let look = span.look;
    for (const kind of ['inserted', 'deleted'] as const) {
      const author = span[kind];
      if (author !== undefined && author !== before[kind]) {
        const own = change(changes, kind, author);
        looked[kind] = own ?? -1;
      }
      before[kind] = author;
      if (author !== undefined) look = looked[kind] < 0 || look < 0 ? -1 : look | looked[kind];
    }
    return look < 0 ? undefined : look;
  };
}

const replaced = new Map([
  ['\u000b', '\n'],
  ['\u000a', '\n'],
  ['\u0009', '\t'],
  ['\u001e', '-'],
  ['\u00a0', ' '],
]);

function control(character: string): string {
  return replaced.get(character) ?? (character < ' ' ? '' : character);
}
