// Two understandings of one document in, how much of each kind of thing is found again out.
import type { Understood } from './tree.ts';

export const kinds = ['headings', 'cells', 'items', 'notes', 'emphasis', 'links', 'words'] as const;
export type Kind = (typeof kinds)[number];

/** How many there should be, how many there are, and how many of them are the same. */
export type Tally = { there: number; here: number; same: number };

export function tallies(expected: Understood, found: Understood): Record<Kind, Tally> {
  const entries = kinds.map((kind) => {
    const [there, here] = [expected[kind], found[kind]];
    const same = kind === 'words' ? wordsInOrder(there, here) : shared(there, here);
    return [kind, { there: there.length, here: here.length, same }] as const;
  });
  return Object.fromEntries(entries) as Record<Kind, Tally>;
}

function shared(there: readonly string[], here: readonly string[]): number {
  const left = new Map<string, number>();
  for (const one of here) left.set(one, (left.get(one) ?? 0) + 1);
  let same = 0;
  for (const one of there) {
    const count = left.get(one) ?? 0;
    if (count > 0) same += 1;
    left.set(one, count - 1);
  }
  return same;
}

/** So many places of one word are tried; more only cost time. */
const mostPlaces = 400;

/** How many words stand in both in the same order: the longest rising row of places. */
export function wordsInOrder(there: readonly string[], here: readonly string[]): number {
  const places = new Map<string, number[]>();
  for (const [at, word] of here.entries()) {
    const list = places.get(word) ?? [];
    places.set(word, list);
    list.push(at);
  }
  const ends: number[] = [];
  for (const [at, word] of there.entries()) {
    const all = places.get(word) ?? [];
    const near =
      all.length <= mostPlaces ? all : all.filter((place) => Math.abs(place - at) < 2000).slice(0, mostPlaces);
    for (const place of near.toReversed()) {
      let [low, high] = [0, ends.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((ends[middle] ?? 0) < place) low = middle + 1;
        else high = middle;
      }
      ends[low] = place;
    }
  }
  return ends.length;
}

export function added(sum: Tally | undefined, one: Tally): Tally {
  return {
    there: (sum?.there ?? 0) + one.there,
    here: (sum?.here ?? 0) + one.here,
    same: (sum?.same ?? 0) + one.same,
  };
}

/** `.98/.97`: how much of what should be there is there, and how much of what is there should be. */
export function shares({ there, here, same }: Tally): { recall: number; precision: number } {
  return { recall: there === 0 ? 1 : same / there, precision: here === 0 ? 1 : same / here };
}
