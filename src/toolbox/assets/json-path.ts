// A small path language over JSON: nothing in it can run code, loop or look anywhere but into the value.
//   rows[0].name      a field of an item; [-1] is the last one; ["odd key"] for any name
//   rows[10:20]       some items;  rows[*].name  a field of all;  .*  all fields;  ..name  that field at any depth
//   rows[?price>100]  items that fit: = != < <= > >=, and ~ for "contains" (any case)
// `| keys` and `| length` at the end give the names of the fields, or how many items or fields there are.
import { isRecord } from '../../content/json.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';

type Test = { path: string[]; operator: string; value: string | number | boolean | null };

type Step =
  | { type: 'field'; name: string }
  | { type: 'item'; at: number }
  | { type: 'range'; from: number | undefined; to: number | undefined }
  | { type: 'all' }
  | { type: 'deep'; name: string }
  | { type: 'filter'; test: Test }
  | { type: 'keys' | 'length' };

/** How many values one query may pass through. */
const maxVisited = 2_000_000;

const bare = String.raw`[\p{L}_$@][\p{L}\p{N}_$@-]*`;
const patterns: readonly [RegExp, (match: RegExpExecArray) => Step][] = [
  [/\|\s*(keys|length)\s*/y, ([, type]) => ({ type: type === 'keys' ? 'keys' : 'length' })],
  [/\.?\[\s*\*\s*\]|\.\*/y, () => ({ type: 'all' })],
  [/\.?\[\s*(-?\d*)\s*:\s*(-?\d*)\s*\]/y, ([, from, to]) => ({ type: 'range', from: whole(from), to: whole(to) })],
  [/\.?\[\s*(-?\d+)\s*\]/y, ([, at]) => ({ type: 'item', at: Number(at) })],
  [/\.?\[\s*("(?:[^"\\]|\\.)*")\s*\]/y, ([, name]) => ({ type: 'field', name: String(JSON.parse(name ?? '""')) })],
  [/\.?\[\s*'([^']*)'\s*\]/y, ([, name]) => ({ type: 'field', name: name ?? '' })],
  [
    new RegExp(
      String.raw`\.?\[\?\(?\s*(?:@\.)?((?:${bare})(?:\.${bare})*)\s*(==?|!=|<=|>=|<|>|~)\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^\]\s)]+)\s*\)?\s*\]`,
      'uy',
    ),
    ([, path, operator, value]) => ({
      type: 'filter',
      test: {
        path: (path ?? '').split('.'),
        operator: operator === '==' ? '=' : (operator ?? '='),
        value: literal(value ?? ''),
      },
    }),
  ],
  [new RegExp(String.raw`\.\.(${bare})`, 'uy'), ([, name]) => ({ type: 'deep', name: name ?? '' })],
  [new RegExp(String.raw`\.?(${bare})`, 'uy'), ([, name]) => ({ type: 'field', name: name ?? '' })],
];

/** A path taken apart, or where it cannot be understood. */
export function parsePath(path: string): Read<Step[]> {
  const text = path
    .trim()
    .replace(/^\$(?=$|[.[\s|])/, '')
    .trim();
  const steps: Step[] = [];
  let at = 0;
  while (at < text.length) {
    const step = stepAt(text, at);
    if (!step) {
      const next = 'Write it like rows[0].name, rows[*].id, rows[10:20], ..name, rows[?price>100] or rows | length.';
      return refuse('bad-range', `The path is not understood at "${text.slice(at, at + 20)}"`, next);
    }
    steps.push(step.step);
    at = step.end;
  }
  return { ok: true, value: steps };
}

function stepAt(text: string, from: number): { step: Step; end: number } | undefined {
  const start = text[from] === ' ' ? from + 1 : from;
  for (const [pattern, make] of patterns) {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (match) return { step: make(match), end: start + match[0].length };
  }
  return undefined;
}

/** All values the steps lead to, in order. */
export function follow(value: unknown, steps: readonly Step[]): Read<unknown[]> {
  let [found, visited]: [unknown[], number] = [[value], 0];
  for (const step of steps) {
    const next: unknown[] = [];
    for (const item of found) {
      for (const inner of taken(item, step)) {
        next.push(inner);
        if (++visited > maxVisited) {
          return refuse('too-large', 'The path leads to too many values', 'Narrow it with [a:b].', '2,000,000 values');
        }
      }
    }
    found = next;
  }
  return { ok: true, value: found };
}

function taken(value: unknown, step: Step): Iterable<unknown> {
  switch (step.type) {
    case 'field':
      return isRecord(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [];
    case 'item':
      return Array.isArray(value) && value.at(step.at) !== undefined ? [value.at(step.at)] : [];
    case 'range':
      return Array.isArray(value) ? value.slice(step.from, step.to) : [];
    case 'all':
      return childrenOf(value);
    case 'deep':
      return deep(value, step.name);
    case 'filter':
      return childrenOf(value).filter((item) => fits(item, step.test));
    case 'keys':
      return [isRecord(value) ? Object.keys(value) : Array.isArray(value) ? value.map((_, at) => at) : []];
    case 'length':
      return [typeof value === 'string' ? value.length : childrenOf(value).length];
  }
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}

function* deep(value: unknown, name: string): Generator {
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const item = stack.pop();
    if (isRecord(item) && Object.hasOwn(item, name)) yield item[name];
    for (const child of childrenOf(item).toReversed())
      if (typeof child === 'object' && child !== null) stack.push(child);
  }
}

function fits(item: unknown, { path, operator, value }: Test): boolean {
  const found = path.reduce<unknown>(
    (at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    item,
  );
  switch (operator) {
    case '=':
      return found === value;
    case '!=':
      return found !== value;
    case '~':
      return typeof found === 'string' && found.toLowerCase().includes(String(value).toLowerCase());
    default:
      return compares(found, operator, value);
  }
}

function compares(found: unknown, operator: string, value: Test['value']): boolean {
  if (typeof found !== typeof value || (typeof found !== 'number' && typeof found !== 'string') || value === null)
    return false;
  const less = found < value;
  if (operator === '<') return less;
  if (operator === '>=') return !less;
  return operator === '>' ? found > value : found <= value;
}

function literal(text: string): Test['value'] {
  if (text.startsWith("'")) return text.slice(1, -1);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? text : (value as Test['value']);
  } catch {
    return text;
  }
}

function whole(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text);
}
