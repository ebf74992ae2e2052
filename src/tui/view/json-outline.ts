// JSON that a tool returned, for eyes: folded to a line for each thing in it, opened to all of it, indented.
import { grouped } from '../../content/figures.ts';
import { isRecord, parsed, toJsonText } from '../../content/json.ts';

/** A text as it is shown folded and as it is shown opened. */
export type Folded = { folded: string; opened: string };

/** Parsing more than this would be felt. */
const mostParsed = 2_000_000;

/** The outline of a text that is one JSON object or list; any other text stays as it is. */
export function jsonOutline(text: string): Folded {
  const value = /^\s*[[{]/.test(text) && text.length <= mostParsed ? parsed(text) : undefined;
  if (!Array.isArray(value) && !isRecord(value)) return { folded: text, opened: text };
  const rows = Array.isArray(value)
    ? value.map((item: unknown) => `- ${short(item, 3)}`)
    : Object.entries(value).map(([key, item]) => `${key}: ${short(item, 2)}`);
  return { folded: rows.length === 0 ? text.trim() : rows.join('\n'), opened: toJsonText(value, 2) };
}

const mostLetters = 80;
const mostKeys = 6;

/** A value in a few words: so many levels of it, the rest counted. */
function short(value: unknown, levels: number): string {
  if (typeof value === 'string') {
    const cut = value.length > mostLetters;
    return cut
      ? `${JSON.stringify(value.slice(0, mostLetters))}… ${grouped(value.length)} characters`
      : toJsonText(value);
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (value.every((item) => typeof item === 'number') && value.length <= mostKeys) return `[${value.join(', ')}]`;
    const first = levels > 1 ? `, the first ${short(value[0], levels - 1)}` : '';
    return `${grouped(value.length)} ${value.length === 1 ? 'item' : 'items'}${first}`;
  }
  if (!isRecord(value)) return toJsonText(value);
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  if (levels <= 1) return `{ ${keys.slice(0, mostKeys).join(', ')}${keys.length > mostKeys ? ', …' : ''} }`;
  const some = keys.slice(0, mostKeys).map((key) => `${key}: ${short(value[key], levels - 1)}`);
  return `{ ${some.join(', ')}${keys.length > mostKeys ? ', …' : ''} }`;
}
