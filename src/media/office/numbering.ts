// What lists of Word say of their levels in, the mark of each next item out. Numbers count on from paragraph to paragraph, so
// the marks must be asked for in document order.
import { numeral } from './numeral.ts';

/** How one level counts; `%1` in its text is the number of the first level. */
export type ListLevel = {
  format: string;
  text: string;
  start: number;
  /** the numbers of all levels in its text are digits */
  legal?: boolean;
  /** It counts on, unless one of so many outer levels counts; where that is not said, each of them. */
  under?: number;
};

/** A use of a list: those of one `abstract` count on together, unless a level restarts. */
export type Numbering = {
  levels: ReadonlyMap<number, ListLevel>;
  abstract: string;
  restarts: ReadonlyMap<number, number>;
};

export type ListMark = { level: number; mark: string };

/** Counts the items of all lists of one document. */
export function listCounter(): (id: string, list: Numbering, level: number) => ListMark {
  const counters = new Map<string, (number | undefined)[]>();
  const begun = new Set<string>();
  return (id, list, level) => {
    const counts = counters.get(list.abstract) ?? [];
    counters.set(list.abstract, counts);
    const restart = begun.has(`${id} ${level}`) ? undefined : list.restarts.get(level);
    const start = list.levels.get(level)?.start ?? 1;
    const before = counts[level];
    counts[level] = restart ?? (before === undefined ? start : before + 1);
    for (let inner = level + 1; inner < counts.length; inner += 1) {
      if (level < (list.levels.get(inner)?.under ?? inner)) counts[inner] = undefined;
    }
    begun.add(`${id} ${level}`);
    return { level, mark: markOf(counts, level, list) };
  };
}

function markOf(counts: readonly (number | undefined)[], level: number, { levels }: Numbering): string {
  const own = levels.get(level);
  if (own === undefined || own.format === 'bullet') return '-';
  if (own.format === 'none') return '';
  return own.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
    const at = Number(digit) - 1;
    const format = levels.get(at)?.format ?? 'decimal';
    const isDigits = own.legal === true && format !== 'decimalZero';
    return numeral(counts[at] ?? levels.get(at)?.start ?? 1, isDigits ? 'decimal' : format);
  });
}
