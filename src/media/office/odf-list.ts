// The list styles of an OpenDocument file in; the mark of an item by style, level and number out.
import type { XmlNode } from '../xml/tree.ts';
import { descendants, elements } from '../xml/tree.ts';
import { numeral } from './numeral.ts';

/** The mark of the nth item; `-` where a list has no numbers. */
export type ListStyles = (style: string, level: number, number: number) => string;

type Level = { format: string; before: string; after: string; start: number };

const formats = new Map([
  ['1', 'decimal'],
  ['a', 'lowerLetter'],
  ['A', 'upperLetter'],
  ['i', 'lowerRoman'],
  ['I', 'upperRoman'],
]);

export function listStyles(parts: readonly (XmlNode | undefined)[]): ListStyles {
  const styles = new Map<string, Map<number, Level>>();
  for (const style of parts.flatMap((part) => (part === undefined ? [] : descendants(part, 'list-style')))) {
    styles.set(style.attributes['name'] ?? '', levelsOf(style));
  }
  return (name, level, number) => {
    const found = styles.get(name)?.get(level);
    if (found === undefined) return '-';
    return `${found.before}${numeral(found.start + number - 1, found.format)}${found.after}`;
  };
}

/** Only levels that count; the others have bullets. */
function levelsOf(style: XmlNode): Map<number, Level> {
  return new Map(
    elements(style, 'list-level-style-number').flatMap(({ attributes }) => {
      const format = formats.get(attributes['num-format'] ?? '');
      if (format === undefined) return [];
      const [before, after] = [attributes['num-prefix'] ?? '', attributes['num-suffix'] ?? '.'];
      const start = Number(attributes['start-value'] ?? 1);
      return [[Number(attributes['level'] ?? 1) - 1, { format, before, after, start }] as const];
    }),
  );
}
