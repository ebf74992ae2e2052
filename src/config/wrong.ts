// What is wrong with a settings file, told with the line it stands on and what may have been meant.
import { isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';

/** A value that cannot be taken. The key is its path, such as `models.mine.temperature`. */
export function wrong(file: string, key: string, expected: string): SightlineError {
  return new SightlineError('config', `${file}: "${key}" must be ${expected}.`, { cause: { key } });
}

/** Refuses keys that mean nothing; a slip of the fingers is told what it may have meant. */
export function onlyKnown(table: Record<string, unknown>, known: readonly string[], file: string, at = ''): void {
  const stray = Object.keys(table).find((key) => !known.includes(key));
  if (stray === undefined) return;
  const meant = nearest(stray, known);
  const key = at === '' ? stray : `${at}.${stray}`;
  const next = meant === undefined ? `There are ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new SightlineError('config', `${file}: unknown key "${key}". ${next}`, { cause: { key } });
}

/** The same complaint with the number of its line, where the text has one. */
export function withLine(error: unknown, file: string, text: string): unknown {
  const key = error instanceof SightlineError && isRecord(error.cause) ? error.cause['key'] : undefined;
  const line = typeof key === 'string' ? lineOf(text, key) : undefined;
  if (!(error instanceof SightlineError) || line === undefined || !error.message.startsWith(`${file}: `)) return error;
  return new SightlineError('config', error.message.replace(`${file}: `, `${file}:${line}: `));
}

/** The line on which a key is written, or the table it belongs to. */
export function lineOf(text: string, key: string): number | undefined {
  const wanted = key.split('.');
  let table: string[] = [];
  let nearestLine: number | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[\[?([^\]]+)\]/.exec(line)?.[1];
    const name = /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/.exec(line)?.[1];
    if (header !== undefined) table = parts(header);
    const path = header !== undefined ? table : name !== undefined ? [...table, ...parts(name)] : undefined;
    if (path === undefined || !path.every((part, at) => part === wanted[at])) continue;
    nearestLine = index + 1;
    if (path.length === wanted.length) return nearestLine;
  }
  return nearestLine;
}

function parts(path: string): string[] {
  return path.split('.').map((part) => part.trim().replace(/^["']|["']$/g, ''));
}

/** The word that is a slip away: a third of its letters at most. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((one) => ({ one, away: distance(word.toLowerCase(), one.toLowerCase()) }))
    .toSorted((a, b) => a.away - b.away);
  return best && best.away <= Math.max(1, Math.floor(best.one.length / 3)) ? best.one : undefined;
}

/** The few names that hold the word, else those that are a slip away, the nearest first. */
export function nearestFew(word: string, names: readonly string[], most = 3): string[] {
  const wanted = word.toLowerCase();
  const holding = wanted.length < 3 ? [] : names.filter((name) => name.toLowerCase().includes(wanted));
  if (holding.length > 0) return holding.slice(0, most);
  const near = names
    .map((name) => ({ name, away: awayFrom(wanted, name.toLowerCase()) }))
    .toSorted((one, other) => one.away - other.away);
  const least = near[0]?.away ?? Infinity;
  if (least > Math.max(1, Math.floor(wanted.length / 4))) return [];
  return near
    .filter(({ away }) => away === least)
    .map(({ name }) => name)
    .slice(0, most);
}

/** From the whole name, from what stands behind its slash, or from one word of it. */
function awayFrom(word: string, name: string): number {
  const spellings = [name, name.slice(name.indexOf('/') + 1), ...name.split(/[/-]/).filter((part) => part.length > 3)];
  return Math.min(...spellings.map((one) => distance(word, one)));
}

/** Letters to add, drop, change or swap. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let at = 1; at <= other.length; at++) {
      const same = one[row - 1] === other[at - 1] ? 0 : 1;
      const swapped =
        one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1] ? (before[at - 2] ?? Infinity) + 1 : Infinity;
      next[at] = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + same, swapped);
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
}
