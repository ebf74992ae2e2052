// Words and how they are set in, Markdown out. Bold, italics, struck, raised and lowered words keep what that says, and
// so do words that were inserted or deleted while changes were tracked. Pure.

/** How words are set, as bits; no bit is plain. */
export const looks = {
  bold: 1,
  italic: 2,
  struck: 4,
  raised: 8,
  lowered: 16,
  inserted: 32,
  deleted: 64,
  hidden: 128,
} as const;

export type StyledText = {
  write(text: string, look?: number): void;
  /** a place, and everything since then made one plain stretch of words */
  mark(): number;
  wrap(mark: number, make: (inner: string) => string): void;
  text(): string;
};

type Span = { text: string; look: number };

/** One paragraph on its way. */
export function styledText(): StyledText {
  const spans: Span[] = [];
  let open: Span | undefined;
  return {
    write(text, look = 0) {
      if (text === '') return;
      if (open?.look === look) open.text += text;
      else spans.push((open = { text, look }));
    },
    mark() {
      open = undefined;
      return spans.length;
    },
    wrap(mark, make) {
      const text = make(rendered(spans.splice(mark)));
      open = undefined;
      if (text !== '') spans.push({ text, look: 0 });
    },
    text: () => rendered(spans),
  };
}

/** Words that are all set alike. */
export function withLook(text: string, look: number): string {
  return look === 0 ? text : rendered([{ text, look }]);
}

function rendered(spans: readonly Span[]): string {
  if (spans.every(({ look }) => look === 0)) return spans.map(({ text }) => text).join('');
  return nested(bridged(leveled(together(spans))), 0);
}

const shift: number = looks.raised | looks.lowered;

/** Neighbours that are raised, or lowered, are so as one, however else they are set. */
function together(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    const level = span.look & shift;
    if (last !== undefined && level !== 0 && (last.look & shift) === level)
      out[out.length - 1] = { text: last.text + span.text, look: last.look & span.look };
    else out.push(span);
  }
  return out;
}

/** The marks of Markdown and of tracked changes, the outermost first. */
const marks: readonly (readonly [look: number, open: string, close: string])[] = [
  [looks.inserted, '{++', '++}'],
  [looks.deleted, '{--', '--}'],
  [looks.struck, '~~', '~~'],
  [looks.bold, '**', '**'],
  [looks.italic, '*', '*'],
];

function nested(spans: readonly Span[], at: number): string {
  const mark = marks[at];
  if (mark === undefined) return spans.map(({ text }) => text).join('');
  const [look, open, close] = mark;
  let text = '';
  for (let from = 0; from < spans.length;) {
    const on = ((spans[from]?.look ?? 0) & look) !== 0;
    let to = from + 1;
    while (to < spans.length && (((spans[to]?.look ?? 0) & look) !== 0) === on) to += 1;
    const inner = nested(spans.slice(from, to), at + 1);
    text += on ? between(inner, open, close) : inner;
    from = to;
  }
  return text;
}

/** Marks stand at words, not at the blanks around them; what has no words is not set apart. */
export function between(text: string, open: string, close: string): string {
  const words = text.trim();
  const empty = /^[*~]/.test(open) ? !/[\p{L}\p{N}\p{S}[]/u.test(words) : words === '';
  if (empty) return text;
  const start = text.indexOf(words);
  return `${text.slice(0, start)}${open}${words}${close}${text.slice(start + words.length)}`;
}

/** Blanks between two stretches are set as both of them are. */
function bridged(spans: readonly Span[]): Span[] {
  return spans.map((span, at) => {
    const [before, after] = [spans[at - 1], spans[at + 1]];
    if (before === undefined || after === undefined || span.text.trim() !== '') return span;
    return { text: span.text, look: span.look | (before.look & after.look) };
  });
}

/** Raised and lowered words as signs of the line they stand in; a raised and a lowered one around a bar are a fraction. */
function leveled(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  let before = '';
  for (let at = 0; at < spans.length; at += 1) {
    const span = spans[at];
    if (span === undefined) break;
    let { text } = span;
    const [bar, below] = [spans[at + 1], spans[at + 2]];
    const isFraction =
      (span.look & looks.raised) !== 0 &&
      /^\s*[/⁄]\s*$/.test(bar?.text ?? '') &&
      ((below?.look ?? 0) & looks.lowered) !== 0;
    if (isFraction) {
      text = `${/\d$/.test(before) ? ' ' : ''}${text.trim()}/${below?.text.trim() ?? ''}`;
      at += 2;
    } else if ((span.look & looks.raised) !== 0) text = raisedText(text, before);
    else if ((span.look & looks.lowered) !== 0) text = loweredText(text, before);
    before = text;
    out.push({ text, look: span.look & ~shift });
  }
  return out;
}

const plainSigns = '0123456789+-−=()';
const raisedSigns = signs(`${plainSigns}ni`, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ');
const loweredSigns = signs(plainSigns, '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎');

function signs(from: string, to: string): ReadonlyMap<string, string> {
  const targets = Array.from(to);
  return new Map(Array.from(from).map((sign, at) => [sign, targets[at] ?? sign]));
}

/** `m²` where Unicode has the sign, `10^5` after a digit, where a small sign is easily overlooked. */
function raisedText(text: string, before: string): string {
  const words = text.trim();
  if (/\d$/.test(before) && /^(?:st|nd|rd|th|er|re|ère|ème|eme|nde|bis|ter)$/i.test(words)) return text;
  if (/^(?:TM|SM)$/.test(words)) return text.replace(words, words === 'TM' ? '™' : '℠');
  return shifted(text, before, raisedSigns, '^');
}

function loweredText(text: string, before: string): string {
  return shifted(text, before, loweredSigns, '_');
}

function shifted(text: string, before: string, known: ReadonlyMap<string, string>, sign: string): string {
  const words = text.trim();
  // A reference such as [3] needs no sign: its brackets set it apart.
  if (words === '' || /^\[.*\]$/s.test(words) || /^[*†‡§¶°º]+$/.test(words)) return text;
  const start = text.indexOf(words);
  const small = /\d$/.test(before) ? undefined : Array.from(words).map((one) => known.get(one));
  const shown =
    small !== undefined && !small.includes(undefined)
      ? small.join('')
      : `${sign}${/^[-−+]?[\p{L}\p{N}.,]+$/u.test(words) ? words : `(${words})`}`;
  return `${text.slice(0, start)}${shown}${text.slice(start + words.length)}`;
}
