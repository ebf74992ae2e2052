// Most events of a stream are the one before with other words in it. From one event that was parsed, this learns what
// stands around the words; as long as that stays as it is, the words of the next events are cut out without splitting
// lines and without parsing. What comes out is exactly what parsing would have given: anything else does not fit.
import { parsed } from '../content/json.ts';
import { at } from './fields.ts';
import type { Path } from './fields.ts';

/** An event as it came: its JSON, and what framed it. */
export type Source = { text: string; before: string; after: string };

export type Mould = {
  /**
   * Reads the words of the events that fit, from `start` on, and gives back where they end. Without a start, the text is
   * the JSON of one event alone.
   */
  read: (text: string, start: number | undefined, tell: (words: string) => void) => number;
  /** The last event that fitted, parsed after all. */
  last: () => unknown;
};

/** Longer events gain nothing; longer texts could be too much for a pattern. */
const longest = { event: 16 * 1024, text: 1024 * 1024 };

const plain = String.raw`[^"\\\x00-\x1f]*`;
const words = String.raw`"(${plain}(?:\\[^\x00-\x1f]${plain})*)"`;
const count = String.raw`(?:0|[1-9]\d*)`;

/**
 * The mould of an event, whose words stand at `path`. `passing` names fields that differ from event to event and do not
 * matter: a string or a count under such a name may be any other.
 */
export function mouldOf(source: Source, event: unknown, path: Path, passing: readonly string[]): Mould | undefined {
  const { text: json, before, after } = source;
  const said = at(event, path);
  if (typeof said !== 'string' || json.length > longest.event) return undefined;
  const quoted = JSON.stringify(said);
  const place = json.indexOf(quoted);
  if (place < 0 || place !== json.lastIndexOf(quoted)) return undefined;
  const head = json.slice(0, place);
  const tail = json.slice(place + quoted.length);
  // What looks like the words may be something else, and the words themselves be spelt with escapes.
  const probe = `${said}?`;
  if (at(parsed(head + JSON.stringify(probe) + tail), path) !== probe) return undefined;
  const shape = loose(head, passing) + words + loose(tail, passing);
  const alone = new RegExp(`${shape}$`, 'y');
  const framed = new RegExp(exact(before) + shape + exact(after), 'y');
  let last: string | undefined;
  return {
    read(text, start, tell) {
      if (text.length > longest.text) return start ?? 0;
      const pattern = start === undefined ? alone : framed;
      let from = start ?? 0;
      let end = from;
      for (;;) {
        pattern.lastIndex = end;
        const raw = pattern.exec(text)?.[1];
        const more = raw?.includes('\\') ? parsed(`"${raw}"`) : raw;
        if (typeof more !== 'string') break;
        tell(more);
        from = end;
        end = pattern.lastIndex;
      }
      if (end > from) last = start === undefined ? text : text.slice(from + before.length, end - after.length);
      return end;
    },
    last: () => (last === undefined ? undefined : parsed(last)),
  };
}

/** A pattern for this text, in which the fields that are passing may hold something else. */
function loose(text: string, passing: readonly string[]): string {
  const field = new RegExp(`("(?:${passing.join('|')})":\\s*)(?:"${plain}"|${count}(?=[,}\\s]))`, 'g');
  let pattern = '';
  let from = 0;
  for (const { 0: whole, 1: name = '', index } of passing.length > 0 ? text.matchAll(field) : []) {
    pattern += exact(text.slice(from, index) + name) + (whole.endsWith('"') ? `"${plain}"` : count);
    from = index + whole.length;
  }
  return pattern + exact(text.slice(from));
}

function exact(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
