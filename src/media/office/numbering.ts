// What lists of Word say of their levels in, the mark of each next item out. Numbers count on from paragraph to paragraph, so
// the marks must be asked for in document order.
import { numeral } from './numeral.ts';

/** How one level counts; `%1` in its text is the number of the first level. */
export type ListLevel = { format: string; text: string; start: number };

/** A use of a list: those of one `abstract` count on together, unless a level restarts. */
export type Numbering = {
  levels: ReadonlyMap<number, ListLevel>;
  abstract: string;
  restarts: ReadonlyMap<number, number>;
};

export type ListMark = { level: number; mark: string };

/** Counts the items of all lists of one document. */
export function listCounter(): (id: string, list: Numbering, level: number) => ListMark {
  const counters = new Map<string, number[]>();
  const begun = new Set<string>();
  return (id, list, level) => {
    const counts = counters.get(list.abstract) ?? [];
    counters.set(list.abstract, counts);
    const restart = begun.has(`${id} ${level}`) ? undefined : list.restarts.get(level);
    const start = list.levels.get(level)?.start ?? 1;
    counts[level] = restart ?? (counts[level] === undefined ? start : counts[level] + 1);
    counts.length = level + 1;
    begun.add(`${id} ${level}`);
    return { level, mark: markOf(counts, level, list) };
  };
}

function markOf(counts: readonly number[], level: number, { levels }: Numbering): string {
  const own = levels.get(level);
  if (own === undefined || own.format === 'bullet') return '-';
  if (own.format === 'none') return '';
  return own.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
    const at = Number(digit) - 1;
    return numeral(counts[at] ?? levels.get(at)?.start ?? 1, levels.get(at)?.format ?? 'decimal');
  });
}
