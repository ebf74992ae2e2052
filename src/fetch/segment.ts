// A list of items cut into the stretches that may hold media: all results of a turn together with whatever stands among
// them, and each message of the user alone. Everything else is left as it is.
import { isRecord } from '../content/json.ts';
import { hasLetters } from '../tool/base64-runs.ts';
import type { WireName } from '../window/profile.ts';
import type { Fields } from '../wire/fields.ts';
import { dialects } from './dialect.ts';
import type { Call } from './dialect.ts';
import type { Item } from './body-outline.ts';

export type Segment = {
  /** Its items: from this one to before that one. */
  from: number;
  to: number;
  /** The calls that are answered here, and those of the turn that nobody answers. */
  calls: Call[];
};

/** The fewest letters in a row that a medium has as base64. */
export const fewestLetters = 60;

export function segmentsOf(items: readonly Item[], text: string, wire: WireName): Segment[] {
  const { speaker, calls, answers } = dialects[wire];
  const parsed = items.map(({ outline }): Fields => {
    const value: unknown = JSON.parse(outline);
    return isRecord(value) ? value : {};
  });
  const speakers = parsed.map(speaker);
  const answered = new Set(parsed.flatMap((item, at) => (speakers[at] === 'result' ? answers(item) : [])));
  const names = new Map(parsed.flatMap(calls).map(({ id, name }) => [id, name]));
  const mayHold = (from: number, to: number): boolean =>
    items.slice(from, to).some(({ start, end }) => hasLetters(text.slice(start, end), fewestLetters));

  const segments: Segment[] = [];
  for (let at = 0; at < items.length;) {
    const opener = at;
    while (speakers[at] === 'assistant') at++;
    const first = at;
    while (at < items.length && speakers[at] !== 'assistant') at++;
    const made = parsed.slice(opener, first).flatMap(calls);
    let last = speakers.lastIndexOf('result', at - 1);
    const open = made.filter(({ id }) => id === undefined || !answered.has(id));
    // Some SDKs send the media of a result without the result.
    if (last < first && open.length > 0 && speakers[first] === 'user') last = wire === 'gemini' ? first : last;
    const end = Math.max(last + 1, first);
    if (end > first && mayHold(first, end)) {
      const own = parsed
        .slice(first, end)
        .flatMap((item, index) => (speakers[first + index] === 'result' ? answers(item) : []));
      segments.push({ from: first, to: end, calls: callsFor(made, own, answered, names) });
    }
    for (let user = end; user < at; user++) {
      if (speakers[user] === 'user' && mayHold(user, user + 1)) segments.push({ from: user, to: user + 1, calls: [] });
    }
  }
  return segments;
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
