// Tracked changes on their way: how many there are and whose they are in, the line that tells it before all else out.
import { changesNote } from '../../content/words.ts';
import type { Piece } from './markdown.ts';
import { oneLine } from './markdown.ts';
import { looks } from './styled.ts';

/** What is known of the changes of one document so far. `clean`: they are taken as accepted, and comments are left out. */
export type Changes = { clean: boolean; insertions: number; deletions: number; authors: Set<string> };

export function newChanges(clean = false): Changes {
  return { clean, insertions: 0, deletions: 0, authors: new Set() };
}

/** Counts one change and gives the look of its words; nothing when they are not to be shown. */
export function change(changes: Changes, kind: 'inserted' | 'deleted', author = ''): number | undefined {
  if (changes.clean) return kind === 'inserted' ? 0 : undefined;
  if (kind === 'inserted') changes.insertions += 1;
  else changes.deletions += 1;
  if (author.trim() !== '') changes.authors.add(oneLine(author));
  return looks[kind];
}

/** Words with the sign of their end where that was inserted or deleted; where all of them were, that says it. */
export function withChangedEnd(text: string, kind: 'inserted' | 'deleted' | undefined): string {
  if (kind === undefined || text.trim() === '') return text;
  const [open, close] = kind === 'inserted' ? ['{++', '++}'] : ['{--', '--}'];
  const words = text.trim();
  const isWhole = words.startsWith(open) && words.indexOf(close) === words.length - close.length;
  return isWhole ? text : `${text.trimEnd()}${open}¶${close}`;
}

/** The first line of a document that was changed. */
export function changesPieces({ insertions, deletions, authors }: Changes): Piece[] {
  return insertions + deletions === 0 ? [] : [{ text: changesNote(insertions, deletions, [...authors]) }];
}

/** A comment where it stands, in the marks that go with those of changes. */
export function commentText({ clean }: Changes, author: string, words: string): string {
  const said = oneLine(words);
  return clean || said === '' ? '' : `{>>${author === '' ? '' : `${oneLine(author)}: `}${said}<<}`;
}
