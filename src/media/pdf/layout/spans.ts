// Where columns of a table stand, and what stands in them. Pure.
import type { Segment } from './page.ts';

export type Extent = { left: number; right: number };

/** The column in which something stands; -1 for none. */
export function columnAt(spans: readonly Extent[], { left, right }: Extent): number {
  return spans.findIndex((span) => left < span.right && right > span.left);
}

/** Whether words are a number, with its sign and its unit. */
export function isNumeric({ words }: Segment): boolean {
  return /^[\s\p{Sc}+−(-]*\d[\d\s.,:/%()-]*[\p{L}\p{Sc}%)]{0,3}$/u.test(words.map(({ text }) => text).join(' '));
}
