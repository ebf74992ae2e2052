// The list styles of an OpenDocument file in; the mark of each next item out. Numbers count on from list to list where the file says
// so, so the marks must be asked for in document order.
import type { XmlNode } from '../xml/tree.ts';
import { descendants, elements } from '../xml/tree.ts';
import { numeral } from './numeral.ts';

/** A list that is open, inside of another or by itself. */
export type OpenList = { style: string; level: number };

export type OdfLists = {
  begin(list: XmlNode, around: OpenList | undefined): OpenList;
  /** the mark of the next item; `-` where a list has no numbers. Where no sign follows a number, an item has a point, a heading none. */
  next(list: OpenList, item: XmlNode, isHeading?: boolean): string;
  end(list: XmlNode, open: OpenList): void;
  /** the number before a heading; nothing where the file gives them none */
  heading(heading: XmlNode): string;
};

/** `shown`: of so many levels the numbers stand in the mark. */
type Level = { format: string; before: string; after: string | undefined; start: number; shown: number };

/** Numbers of other scripts are written in digits. */
const formats = new Map([
  ['1', 'decimal'],
  ['a', 'lowerLetter'],
  ['A', 'upperLetter'],
  ['i', 'lowerRoman'],
  ['I', 'upperRoman'],
  ['01, 02, 03, ...', 'decimalZero'],
]);

export function odfLists(parts: readonly (XmlNode | undefined)[]): OdfLists {
  const styles = new Map<string, Map<number, Level>>();
  for (const style of parts.flatMap((part) => (part === undefined ? [] : descendants(part, 'list-style')))) {
    styles.set(style.attributes['name'] ?? '', levelsOf(style, 'list-level-style-number'));
  }
  const outline = parts
    .flatMap((part) => (part === undefined ? [] : descendants(part, 'outline-style')))
    .map((style) => levelsOf(style, 'outline-level-style'))[0];
  const headings: number[] = [];
  /** how far the lists got that others may go on with: by their names, and the last of each style */
  const [named, last] = [new Map<string, number[]>(), new Map<string, number[]>()];
  const outside: number[][] = [];
  let counts: number[] = [];
  return {
    begin({ attributes }, around) {
      const style = attributes['style-name'] ?? around?.style ?? '';
      const goesOn = attributes['continue-numbering'] === 'true';
      if (around !== undefined) {
        const level = around.level + 1;
        if (!goesOn) counts.length = Math.min(counts.length, level);
        return { style, level };
      }
      outside.push(counts);
      counts = [...(named.get(attributes['continue-list'] ?? '') ?? (goesOn ? last.get(style) : undefined) ?? [])];
      return { style, level: 0 };
    },
    next: ({ style, level }, item, isHeading) =>
      nextMark(counts, level, item, styles.get(style), isHeading === true ? '' : '.') ?? '-',
    heading(heading) {
      const level = Number(heading.attributes['outline-level'] ?? 1) - 1;
      if (outline === undefined || !(level >= 0 && level < 10) || heading.attributes['is-list-header'] === 'true')
        return '';
      return nextMark(headings, level, heading, outline, '') ?? '';
    },
    end({ attributes }, { style, level }) {
      if (level > 0) return;
      if (attributes['id'] !== undefined) named.set(attributes['id'], counts);
      last.set(style, counts);
      counts = outside.pop() ?? [];
    },
  };
}

/** Counts the next of a level; its mark, where the level has numbers, with a sign behind it where the level says none. */
function nextMark(
  counts: number[],
  level: number,
  { attributes }: XmlNode,
  levels: ReadonlyMap<number, Level> | undefined,
  otherwise: string,
): string | undefined {
  const own = levels?.get(level);
  const given = Number(attributes['start-value'] ?? Number.NaN);
  const before = counts[level];
  counts.length = Math.min(counts.length, level + 1);
  counts[level] = Number.isInteger(given) ? given : before === undefined ? (own?.start ?? 1) : before + 1;
  return (
    own && `${own.before}${numbersOf(counts, level, own, levels)}${own.after ?? (own.before === '' ? otherwise : '')}`
  );
}

function numbersOf(
  counts: readonly number[],
  level: number,
  { shown }: Level,
  levels: ReadonlyMap<number, Level> | undefined,
): string {
  const from = Math.max(0, level + 1 - shown);
  const numbers = Array.from({ length: level + 1 - from }, (_, at) => {
    const own = levels?.get(from + at);
    return own === undefined ? '' : numeral(counts[from + at] ?? own.start, own.format);
  });
  return numbers.filter((number) => number !== '').join('.');
}

/** Only levels that count; the others have bullets. */
function levelsOf(style: XmlNode, name: string): Map<number, Level> {
  return new Map(
    elements(style, name).flatMap(({ attributes }) => {
      const own = attributes['num-format'] ?? '';
      if (own === '') return [];
      const format = formats.get(own) ?? 'decimal';
      const [before, after] = [attributes['num-prefix'] ?? '', attributes['num-suffix']];
      const start = Number(attributes['start-value'] ?? 1);
      const shown = Number(attributes['display-levels'] ?? 1);
      return [[Number(attributes['level'] ?? 1) - 1, { format, before, after, start, shown }] as const];
    }),
  );
}
