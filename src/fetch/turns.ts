// A list of items cut into the turns that may hold media: all results of a turn together with whatever stands among
// them, and each message of the user alone. Everything else is left as it is. And the blocks in them that the wrapper
// has no business with, such as a citation, or a picture whose URL is good where it stands: each is swapped for a word before
// a turn is read and put back, as the very same JSON, after it was written.
import { isRecord } from '../content/json.ts';
import { mayRefer } from '../content/parse.ts';
import { mayHoldMedia } from '../tool/walk.ts';
import type { WireName } from '../window/profile.ts';
import type { Fields } from '../wire/fields.ts';
import { wires } from '../wire/registry.ts';
import type { Call, DecidesReference } from '../wire/turns.ts';
import type { OutlinedItem } from './body-outline.ts';

export type Turn = {
  /** Its items: from this one to before that one. */
  from: number;
  to: number;
  /** The calls that are answered here, and those of the turn that nobody answers. */
  calls: Call[];
};

/** The fewest letters in a row that a medium has as base64; ids are shorter. */
export const fewestLetters = 60;

/** The turns of a request that have to be looked at: those that may hold media, or all of them. */
export function turnsIn(items: readonly OutlinedItem[], text: string, wire: WireName, closely: boolean): Turn[] {
  const { role, calls, answers, mediaAlone } = wires[wire].turns;
  const parsed = items.map(({ outline }): Fields => {
    const value: unknown = JSON.parse(outline);
    return isRecord(value) ? value : {};
  });
  const roles = parsed.map(role);
  const answered = new Set(parsed.flatMap((item, at) => (roles[at] === 'result' ? answers(item) : [])));
  const names = new Map(parsed.flatMap(calls).map(({ id, name }) => [id, name]));
  const mayHold = (from: number, to: number): boolean =>
    closely ||
    items
      .slice(from, to)
      .some(({ start, end, outline }) => mayRefer(outline) || mayHoldMedia(text.slice(start, end), fewestLetters));

  const turns: Turn[] = [];
  for (let at = 0; at < items.length;) {
    const opener = at;
    while (roles[at] === 'assistant') at++;
    const first = at;
    while (at < items.length && roles[at] !== 'assistant') at++;
    const made = parsed.slice(opener, first).flatMap(calls);
    let last = roles.lastIndexOf('result', at - 1);
    const open = made.filter(({ id }) => id === undefined || !answered.has(id));
    if (mediaAlone && last < first && open.length > 0 && roles[first] === 'user') last = first;
    const end = Math.max(last + 1, first);
    if (end > first && mayHold(first, end)) {
      const own = parsed
        .slice(first, end)
        .flatMap((item, index) => (roles[first + index] === 'result' ? answers(item) : []));
      turns.push({ from: first, to: end, calls: callsFor(made, own, answered, names) });
    }
    for (let user = end; user < at; user++) {
      if (roles[user] === 'user' && mayHold(user, user + 1)) turns.push({ from: user, to: user + 1, calls: [] });
    }
  }
  return turns;
}

/** The calls to answer: those of the turn that are not answered elsewhere, then what is answered without any call. */
function callsFor(
  made: readonly Call[],
  own: readonly (string | undefined)[],
  answered: ReadonlySet<string | undefined>,
  names: ReadonlyMap<string | undefined, string>,
): Call[] {
  const here = made.filter(({ id }) => id === undefined || own.includes(id) || !answered.has(id));
  const known = new Set(made.map(({ id }) => id));
  const orphans = [...new Set(own)].filter((id) => id !== undefined && !known.has(id));
  return [...here, ...orphans.map((id) => ({ id, name: names.get(id) ?? 'tool' }))];
}

/** Items as they can be read, and what brings back the blocks that were swapped, at any depth. */
export function protect(
  items: readonly Fields[],
  wire: WireName,
  decides: DecidesReference,
): { items: Fields[]; restore: (value: unknown) => unknown } {
  const kept = new Map<string, unknown>();
  const safe = wires[wire].turns.protect(
    items,
    (block) => {
      const word = `\u0001kept ${kept.size}`;
      kept.set(word, block);
      return word;
    },
    decides,
  );
  const { text } = wires[wire].turns;
  const keptFor = (value: unknown): unknown => kept.get(text(value) ?? '');
  return { items: safe, restore: (value) => (kept.size === 0 ? value : restored(value, keptFor)) };
}

function restored(value: unknown, keptFor: (value: unknown) => unknown): unknown {
  const block = keptFor(value);
  if (block !== undefined) return block;
  if (Array.isArray(value)) return value.map((item) => restored(item, keptFor));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restored(item, keptFor)]));
}
