// A number and the code of its format in, the words that a person sees in the cell out: sections, thousands, shares, powers, fractions;
// digits are rounded as they are written, not as they are stored. Pure.
import { dateText } from './date-format.ts';
import type { Section, Sign } from './format-code.ts';
import { formatSections } from './format-code.ts';

/** How a number is shown; nothing where a format leaves it out. */
type Shown = (value: number, since1904: boolean) => string;

const known = new Map<string, Shown>();
const mostKnown = 1000;

/** What a person sees of a number under a format. */
export function shownNumber(value: number, code: string, since1904: boolean): string {
  let shown = known.get(code);
  if (shown === undefined) {
    if (known.size >= mostKnown) known.clear();
    known.set(code, (shown = compiled(code)));
  }
  return shown(value, since1904);
}

/** Whether numbers under a format are days or times. */
export function showsDates(code: string): boolean {
  return formatSections(code).some(({ signs }) => dateText(signs) !== undefined);
}

function compiled(code: string): Shown {
  const sections = formatSections(code).map((section) => ({ ...section, text: textOf(section) }));
  return (value, since1904) => {
    const section = sections.find(({ isFor }) => isFor(value));
    return section === undefined ? generalText(value) : section.text(value, since1904);
  };
}

function textOf({ signs, signless }: Section): Shown {
  const has = (kind: Sign['kind']): boolean => signs.some((sign) => sign.kind === kind);
  const date = dateText(signs);
  if (date !== undefined) return (value, since1904) => date(value, since1904) ?? generalText(value);
  const sizes = has('general') || has('text') ? general(signs) : has('digit') ? digits(signs) : plain(signs);
  return (value) => {
    const words = sizes(Math.abs(value));
    return value < 0 && !signless && words.isSome ? `-${words.text.trimStart()}` : words.text;
  };
}

/** How the size of a number is shown, and whether it is more than zero there. */
type SizeText = (size: number) => { text: string; isSome: boolean };

function plain(signs: readonly Sign[]): SizeText {
  const text = literal(signs);
  return () => ({ text, isSome: text !== '' });
}

function general(signs: readonly Sign[]): SizeText {
  return (size) => {
    const number = generalText(size);
    const text = signs.map((sign) => (sign.kind === 'general' || sign.kind === 'text' ? number : sign.text)).join('');
    return { text, isSome: size !== 0 };
  };
}

/** Without a format: so many digits as a cell has room for, and all of them where it would not show where the number ends. */
export function generalText(value: number): string {
  const size = Math.abs(value);
  const exact = (): string => String(Number(value.toPrecision(15))).toUpperCase();
  if (Number.isInteger(value) || size < 1e-4 || size >= 1e9) return exact();
  const whole = size < 1 ? 1 : Math.floor(Math.log10(size)) + 1;
  return String(Number(value.toFixed(Math.max(2, 10 - whole))));
}

function digits(signs: readonly Sign[]): SizeText {
  const power = signs.findIndex(({ kind }) => kind === 'power');
  if (power > 0) return powers(signs.slice(0, power), signs.slice(power));
  return fractions(signs) ?? fixed(signs);
}

/** The digits of a size, rounded to so many behind the point, once the point is moved by so many places. */
function rounded(size: number, decimals: number, shift: number): { whole: string; rest: string } {
  const [mantissa = '', power = '0'] = size.toExponential(14).split('e');
  const row = mantissa.replace('.', '');
  const kept = Number(power) + 1 + shift + decimals;
  const up = kept >= 0 && (row[kept] ?? '0') >= '5' ? 1n : 0n;
  const number = BigInt(kept > 0 ? row.slice(0, kept).padEnd(kept, '0') : '0') + up;
  const text = number.toString().padStart(decimals + 1, '0');
  const end = text.length - decimals;
  return { whole: text.slice(0, end).replace(/^0+/, ''), rest: text.slice(end) };
}

const isDigit = ({ kind }: Sign): boolean => kind === 'digit';

function fixed(signs: readonly Sign[]): SizeText {
  const { before, after, shift } = divided(signs);
  const decimals = after.filter(isDigit).length;
  return (size) => {
    const { whole, rest } = rounded(size, decimals, shift);
    const text = wholeText(before, whole) + restText(after, rest);
    return { text, isSome: /[^0]/.test(whole + rest) };
  };
}

/** The signs before and behind the point, and by how many places shares and thousands move it. */
function divided(signs: readonly Sign[]): { before: Sign[]; after: Sign[]; shift: number } {
  const point = signs.findIndex(({ kind }) => kind === 'point');
  const end = point === -1 ? signs.length : point;
  const lastBefore = signs.findLastIndex((sign, at) => at < end && isDigit(sign));
  const last = signs.findLastIndex(isDigit);
  // A comma between digits groups them; one behind the last of them leaves three out.
  const isThousand = ({ kind }: Sign, at: number): boolean =>
    kind === 'comma' && (at > last || (at > lastBefore && at < end));
  const thousands = signs.filter(isThousand).length;
  const shares = signs.filter(({ kind }) => kind === 'percent').length;
  const before = signs.filter((sign, at) => at < end && !isThousand(sign, at));
  const after = signs.filter(({ kind }, at) => at > end && kind !== 'comma');
  return { before, after, shift: shares * 2 - thousands * 3 };
}

/** Digits fill their places from the right; those that are more than there are places stand before the first. */
function wholeText(signs: readonly Sign[], whole: string): string {
  const grouped = signs.some(({ kind }) => kind === 'comma');
  const first = signs.findIndex(isDigit);
  let [left, text, count] = [whole, '', 0];
  const put = (digit: string): void => {
    text = (grouped && count > 0 && count % 3 === 0 ? `${digit},` : digit) + text;
    count += 1;
  };
  for (let at = signs.length - 1; at >= 0; at -= 1) {
    const sign = signs[at];
    if (sign === undefined || sign.kind === 'comma') continue;
    if (!isDigit(sign)) {
      text = sign.text + text;
      continue;
    }
    const own = left.at(-1) ?? (sign.text === '0' ? '0' : '');
    left = left.slice(0, -1);
    if (own !== '') put(own);
    else if (sign.text === '?') text = ` ${text}`;
    if (at > first) continue;
    for (const more of Array.from(left).toReversed()) put(more);
    left = '';
  }
  return first === -1 && left !== '' ? left + text : text;
}

function restText(signs: readonly Sign[], rest: string): string {
  const lastNeeded = rest.search(/0*$/) - 1;
  let [text, at, some] = ['', 0, false];
  for (const sign of signs) {
    if (!isDigit(sign)) {
      text += sign.text;
      continue;
    }
    const isShown = sign.text === '0' || at <= lastNeeded;
    text += isShown ? (rest[at] ?? '0') : sign.text === '?' ? ' ' : '';
    some ||= isShown;
    at += 1;
  }
  return some ? `.${text}` : text;
}

function literal(signs: readonly Sign[]): string {
  return signs.map(({ text }) => text).join('');
}

/** So many places before the point, so many thousands of them in the power. */
function powers(signs: readonly Sign[], [sign, ...behind]: readonly Sign[]): SizeText {
  const { before, after } = divided(signs);
  const decimals = after.filter(isDigit).length;
  const step = Math.max(1, before.filter(isDigit).length);
  const places = behind.filter(isDigit).length;
  const tail = literal(behind.filter((one) => !isDigit(one)));
  const mark = sign?.text[0] ?? 'E';
  return (size) => {
    let power = size === 0 ? 0 : Math.floor(Number(size.toExponential(14).split('e')[1]) / step) * step;
    let found = rounded(size, decimals, -power);
    if (found.whole.length > step) found = rounded(size, decimals, -(power += step));
    const shown = String(Math.abs(power)).padStart(places, '0');
    const plus = sign?.text.endsWith('+') === true ? '+' : '';
    const text = `${wholeText(before, found.whole)}${restText(after, found.rest)}${mark}${power < 0 ? '-' : plus}${shown}${tail}`;
    return { text, isSome: size !== 0 };
  };
}

const mostBelow = 9999;

/** `# ?/?` and `# ?/8`: the nearest fraction with so many digits, or with that number, below the bar; nothing for another format. */
function fractions(signs: readonly Sign[]): SizeText | undefined {
  const bar = signs.findIndex(({ kind }) => kind === 'bar');
  const below = signs[bar + 1];
  const given = below?.kind === 'words' && /^\d+$/.test(below.text) ? Number(below.text) : undefined;
  const above = signs[bar - 1];
  if (bar < 1 || above === undefined || !isDigit(above)) return undefined;
  if (below === undefined || !(isDigit(below) || given !== undefined)) return undefined;
  const start = signs.findLastIndex((sign, at) => at < bar && !isDigit(sign)) + 1;
  let end = bar + 1;
  while (signs[end] !== undefined && (isDigit(signs[end] ?? below) || end === bar + 1)) end += 1;
  const wholes = signs.slice(0, start);
  const withWhole = wholes.some(isDigit);
  const needsWhole = wholes.some(({ kind, text }) => kind === 'digit' && text === '0');
  const most = Math.min(mostBelow, 10 ** (end - bar - 1) - 1);
  const tail = literal(signs.slice(end));
  const lead = literal(wholes.filter((sign) => sign.kind === 'words' && sign.text.trim() !== ''));
  return (size) => {
    const whole = withWhole ? Math.floor(size) : 0;
    const [top, bottom] = nearest(size - whole, given, most);
    const full = whole + (withWhole && top === bottom ? 1 : 0);
    const part = withWhole && (top === 0 || top === bottom) ? '' : `${top}/${bottom}`;
    const number = withWhole && (full > 0 || needsWhole || part === '') ? String(full) : '';
    const text = `${lead}${number}${number !== '' && part !== '' ? ' ' : ''}${part}${tail}`;
    return { text, isSome: full > 0 || top > 0 };
  };
}

function nearest(size: number, given: number | undefined, most: number): [top: number, bottom: number] {
  if (given !== undefined) return [Math.round(size * given), given];
  let best: [top: number, bottom: number] = [Math.round(size), 1];
  let off = Math.abs(size - best[0]);
  for (let bottom = 2; bottom <= most && off > 1e-12; bottom += 1) {
    const top = Math.round(size * bottom);
    const own = Math.abs(size - top / bottom);
    if (own < off - 1e-12) [best, off] = [[top, bottom], own];
  }
  return best;
}
