// Footnotes of pages and books: a link that is marked as a reference to one in, its mark out; and where the note itself
// stands, the same mark.
import type { Element } from './tree.ts';

export type WebNotes = {
  /** The mark of a reference; nothing for a link that is none. */
  referenceIn(link: Element, words: string): string | undefined;
  /** The mark of an element that is a note somebody refers to. */
  markOf(one: Element): string | undefined;
  /** what the notes say, in order */
  told: string[];
};

/** Where a link leads inside of what is read, as a name for that place; nothing when it leads out. */
export type PlaceName = (href: string) => string | undefined;

/** `known` is shared by the pages of a book; `here` names a place on this page. */
export function webNotes(known: Map<string, string>, placeOf: PlaceName, here: (id: string) => string): WebNotes {
  let taken: Set<string> | undefined; // by the pages before, and here
  return {
    told: [],
    referenceIn(link, words) {
      const place = isReference(link) ? placeOf((link.attributes.get('href') ?? '').trim()) : undefined;
      if (place === undefined) return undefined;
      taken ??= new Set(known.values());
      const found = known.get(place) ?? newMark(words, taken, known.size);
      taken.add(found);
      known.set(place, found);
      return found;
    },
    markOf(one) {
      const id = one.attributes.get('id');
      return id === undefined ? undefined : known.get(here(id));
    },
  };
}

/** The sign that the page shows, where no other note has it. */
function newMark(words: string, taken: ReadonlySet<string>, count: number): string {
  const sign = words.normalize('NFKC').replaceAll(/\W/g, '').slice(0, 20);
  if (sign !== '' && !taken.has(sign)) return sign;
  return `${sign === '' ? 'n' : `${sign}-`}${count + 1}`;
}

function isReference({ attributes }: Element): boolean {
  return (
    attributes.get('role') === 'doc-noteref' ||
    /\bnoteref\b/.test(attributes.get('epub:type') ?? '') ||
    /(?:^|\s)(?:footnote-?ref|noteref)(?:\s|$)/i.test(attributes.get('class') ?? '')
  );
}

/** The way back from a note says nothing. */
export function isBacklink({ attributes }: Element): boolean {
  return (
    attributes.get('role') === 'doc-backlink' ||
    /\bbacklink\b/.test(attributes.get('epub:type') ?? '') ||
    /(?:^|\s)footnote-back/i.test(attributes.get('class') ?? '')
  );
}

/** A place where only notes stand; the line above them goes with them. */
export function holdsNotes({ attributes }: Element): boolean {
  return (
    /^doc-(?:end|foot)notes$/.test(attributes.get('role') ?? '') ||
    /\b(?:foot|end|rear)notes\b/.test(attributes.get('epub:type') ?? '')
  );
}
