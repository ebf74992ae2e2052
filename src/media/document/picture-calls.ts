// The Markdown of a document in, the same with a call beside each picture in it out, so that a reader of the words can ask for
// what they only name. Pure. The one place that does it, for every kind of document.
import type { DocumentKind } from './kinds.ts';

/** Where a picture stands in Markdown: `![words](name)`. */
export const pictureReference: RegExp = /!\[[^\]\n]*\]\(([^)\s]+)\)/g;

/** What stands in so many places is a logo or a background. */
export const manyPlaces = 3;

/** How often each picture is referred to. */
export function placesIn(markdown: string): Map<string, number> {
  const places = new Map<string, number>();
  for (const [, name = ''] of markdown.matchAll(pictureReference)) places.set(name, (places.get(name) ?? 0) + 1);
  return places;
}

/** `call` writes what stands beside a picture. What stands in many places has it in the first of them only. */
export function withPictureCalls(markdown: string, kind: DocumentKind, call: (name: string) => string): string {
  const places = placesIn(markdown);
  if (places.size === 0) return markdown;
  const told = new Set<string>();
  return markdown.replaceAll(pictureReference, (reference, name: string) => {
    const isTold = told.has(name) && (places.get(name) ?? 0) >= manyPlaces;
    told.add(name);
    return isTold || !liesInside(name, kind) ? reference : `${reference} ${call(name)}`;
  });
}

/** An address leads outside; of a page only what is written into it lies in the file. */
function liesInside(name: string, kind: DocumentKind): boolean {
  return kind === 'html' ? /^picture-\d+\.\w+$/.test(name) : !/[/:]/.test(name);
}
