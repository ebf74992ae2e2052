// The tables of lists of a Rich Text document in, word by word; the mark of the next item of a list out. Used where no
// text stands in for the mark.
import { numeral } from '../office/numeral.ts';

export type RtfLists = {
  /** a control word inside of the tables */
  take(name: string, value: number | undefined): void;
  mark(list: number, level: number): string;
};

const bullet = 23;
const ways = new Map([
  [1, 'upperRoman'],
  [2, 'lowerRoman'],
  [3, 'upperLetter'],
  [4, 'lowerLetter'],
]);

export function rtfLists(): RtfLists {
  const levels = new Map<number, number[]>();
  const lists = new Map<number, number>();
  const counters = new Map<number, number[]>();
  let [formats, id]: [number[], number] = [[], 0];
  return {
    take(name, value = 0) {
      if (name === 'list') formats = [];
      else if (name === 'listlevel') formats.push(0);
      else if (name === 'levelnfc' && formats.length > 0) formats[formats.length - 1] = value;
      else if (name === 'listid') {
        id = value;
        if (!levels.has(id)) levels.set(id, formats);
      } else if (name === 'ls') lists.set(value, id);
    },
    mark(list, level) {
      const kind = lists.get(list) ?? -1;
      const format = levels.get(kind)?.[level];
      if (format === undefined || format >= bullet) return '-';
      const counts = counters.get(kind) ?? [];
      counters.set(kind, counts);
      counts.length = Math.min(counts.length, level + 1);
      counts[level] = (counts[level] ?? 0) + 1;
      return `${numeral(counts[level] ?? 1, ways.get(format) ?? 'decimal')}.`;
    },
  };
}
