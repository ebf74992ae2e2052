// A golden case: what the code makes of one input, as a few values, and the short hash of each.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Nothing is made before it is asked for. */
export type Case = { name: string; make: () => Promise<readonly unknown[]> };

/** Cases of one kind; `columns` names their values, over and over when a case has more of them. */
export type Group = { name: string; about: string; columns: readonly string[]; cases: () => AsyncIterable<Case> };

/** Where the hashes of a group are kept. */
export function fileOf({ name }: Group): string {
  return fileURLToPath(new URL(`../../test/golden/${name}.txt`, import.meta.url));
}

/** The hashes of each case, as they were written. */
export function linesOf(group: Group): Map<string, string[]> {
  const file = fileOf(group);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const rows = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'));
  return new Map(rows.map(([name = '', hashes = '']) => [name, hashes.split(' ')]));
}

/** Short, because only a change shall show. A body's order of fields counts; it is text when it gets here. */
export function shortHash(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(sorted(value ?? null));
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** The order of fields says nothing in what never becomes bytes. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([key, item]) => [key, sorted(item)]));
}

/** What a value is called: its column, and which round of the columns it belongs to when there are several. */
export function labelOf({ columns }: Group, at: number, count: number): string {
  const column = columns[at % columns.length] ?? 'value';
  return count > columns.length ? `${column} ${Math.floor(at / columns.length) + 1}` : column;
}

/** A value for people: base64 and other very long words become their length and hash. */
export function readable(value: unknown): unknown {
  const parsed: unknown = typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : value;
  const text = JSON.stringify(parsed ?? null, (_, item: unknown) =>
    typeof item === 'string' && /\S{400}/.test(item) ? `<${item.length} characters, ${shortHash(item)}>` : item,
  );
  return JSON.parse(text);
}

/** The first place where two values differ, with what stands there in each. */
export function firstDifference(one: unknown, other: unknown, path = ''): string | undefined {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
  if (a === b) return undefined;
  if (typeof one === 'object' && typeof other === 'object' && one !== null && other !== null) {
    const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
    for (const key of Object.keys({ ...left, ...right })) {
      const found = firstDifference(left[key], right[key], `${path}/${key}`);
      if (found !== undefined) return found;
    }
    return `${path}: the order of fields`;
  }
  return `${path}: ${cut(a)} became ${cut(b)}`;
}

function cut(text: string | undefined): string {
  return text === undefined ? 'nothing' : text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
