// The places that each measure still allows. The lists may only shrink: what is no longer needed has to go.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Counts } from './measures.ts';

const file = fileURLToPath(new URL('../../test/house-exceptions.json', import.meta.url));

export type Exceptions = Record<string, Counts>;

export function readExceptions(): Exceptions {
  return JSON.parse(readFileSync(file, 'utf8')) as Exceptions;
}

/** One place a line, so that two who shrink a list at the same time do not meet. */
export function writeExceptions(exceptions: Exceptions): void {
  writeFileSync(file, `${JSON.stringify(exceptions, null, 2)}\n`);
}

/** Where more was found than is allowed, and where less. */
export function compare(found: Counts, allowed: Counts): { more: string[]; less: string[] } {
  const say = (place: string): string => `${place}: ${found[place] ?? 0}, listed ${allowed[place] ?? 0}`;
  const places = Object.keys({ ...allowed, ...found });
  return {
    more: places.filter((place) => (found[place] ?? 0) > (allowed[place] ?? 0)).map(say),
    less: places.filter((place) => (found[place] ?? 0) < (allowed[place] ?? 0)).map(say),
  };
}

/** What is allowed from now on: never more than before. */
export function tightened(found: Counts, allowed: Counts): Counts {
  const rows = Object.entries(allowed).map(([place, count]) => [place, Math.min(count, found[place] ?? 0)] as const);
  return Object.fromEntries(rows.filter(([, count]) => count > 0));
}
