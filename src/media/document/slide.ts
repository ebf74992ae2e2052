// A slide in, its Markdown out. Every reader of slides writes them here, so that a deck reads alike in whichever format it was saved. Pure.
import type { PageRange } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import type { PagesAsked } from '../pdf/pages.ts';
import { resolvePages } from '../pdf/pages.ts';
import type { Piece } from './markdown.ts';
import { heading, oneLine, quote } from './markdown.ts';
import type { Extract } from './reader.ts';

export type Slide = {
  /** As it stands on it; nothing where it has none. */
  title: string;
  hidden?: boolean;
  /** What else stands on it, in the order in which a person reads. */
  pieces: readonly Piece[];
  /** Its own head and foot, where all slides do not have the same. */
  margin?: string;
  /** What the speaker wrote for himself. */
  notes: string;
  comments: readonly SlideComment[];
};

export type SlideComment = { author: string; words: string };

/** Which slides of a deck were asked for. */
export type Chosen = { range: PageRange; parts: NonNullable<Extract['parts']> };

/** Slides are the pages of a deck: all of them, or those that were asked for. */
export function chosenSlides(count: number, asked: PagesAsked | undefined): Read<Chosen> {
  const parts = { count, unit: 'slides' };
  if (asked === undefined || count === 0) return { ok: true, value: { range: [0, count], parts } };
  const found = resolvePages(asked, count, count, 'this presentation');
  if (!found.ok) return found;
  const range = found.value;
  const isAll = range[0] === 0 && range[1] === count;
  return { ok: true, value: { range, parts: isAll ? parts : { ...parts, range } } };
}

/** Slides are numbered from one. */
export function slidePieces({ title, hidden, pieces, margin = '', notes, comments }: Slide, number: number): Piece[] {
  const titled = title.trim() === '' ? '' : `: ${title}`;
  const beside = [
    ...(margin === '' ? [] : [`On this slide: ${oneLine(margin)}`]),
    ...(notes.trim() === '' ? [] : [`Notes: ${notes.trim()}`]),
    ...comments.flatMap(commentWords),
  ];
  return [
    { text: heading(2, `Slide ${number}${hidden === true ? ' (hidden)' : ''}${titled}`) },
    ...pieces,
    ...beside.map((text) => ({ text: quote(text) })),
  ];
}

function commentWords({ author, words }: SlideComment): string[] {
  const by = author.trim() === '' ? '' : `${oneLine(author)}: `;
  return words.trim() === '' ? [] : [`Comment: ${by}${words.trim()}`];
}
