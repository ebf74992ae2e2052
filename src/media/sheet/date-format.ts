// The signs of a format that shows a day or a time in, a function out that gives the words a person sees of a number under it. Pure.
import type { Sign } from './format-code.ts';

/** Nothing where the number is no day that a sheet knows. */
export type DateText = (value: number, since1904: boolean) => string | undefined;

type Parts = { year: number; month: number; day: number; weekday: number; seconds: number; ticks: number };

const months = 'January February March April May June July August September October November December'.split(' ');
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const [daySeconds, firstOf1904] = [86_400, 1462];
/** The day after the last of the year 9999. */
const endOfDays = 2_958_466;

/** Nothing for a format that shows no date. */
export function dateText(signs: readonly Sign[]): DateText | undefined {
  const isTimed = signs.some(({ kind }) => kind === 'date' || kind === 'elapsed' || kind === 'half');
  const fine = decimalsAt(signs);
  const others = signs.some(({ kind }, at) => kind === 'digit' && !fine.has(at));
  if (!isTimed || others || signs.some(({ kind }) => kind === 'general')) return undefined;
  const minutes = minutesIn(signs);
  const isElapsed = signs.some(({ kind }) => kind === 'elapsed');
  const half = signs.some(({ kind }) => kind === 'half');
  const hasTime =
    isElapsed || half || minutes.size > 0 || signs.some(({ kind, text }) => kind === 'date' && /^[hs]/i.test(text));
  const scale = 10 ** Math.min(fine.size, 6);
  const words = (value: number, since1904: boolean): string => {
    const parts = partsOf(value, since1904, hasTime, scale);
    return signs
      .map((sign, at) => (fine.has(at) ? '' : signText(sign, parts, { signs, at, minutes, half, scale })))
      .join('');
  };
  return (value, since1904) => {
    if (isElapsed) return value < 0 ? `-${words(-value, since1904)}` : words(value, since1904);
    const serial = value + (since1904 ? firstOf1904 : 0);
    return value < 0 || serial >= endOfDays ? undefined : words(value, since1904);
  };
}

/** The places of digits that stand for parts of a second: behind seconds and a point. */
function decimalsAt(signs: readonly Sign[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [at, { kind, text }] of signs.entries()) {
    if (!(kind === 'date' || kind === 'elapsed') || !/^s/i.test(text) || signs[at + 1]?.kind !== 'point') continue;
    for (let next = at + 2; signs[next]?.kind === 'digit'; next += 1) found.add(next);
  }
  return found;
}

/** The places of those `m` that are minutes: behind hours or before seconds. */
function minutesIn(signs: readonly Sign[]): ReadonlySet<number> {
  const timed = [...signs.entries()].filter(([, { kind }]) => kind === 'date' || kind === 'elapsed');
  const found = timed.filter(([, { text }], at) => {
    const [before, after] = [timed[at - 1]?.[1].text ?? '', timed[at + 1]?.[1].text ?? ''];
    return /^mm?$/i.test(text) && (/^h/i.test(before) || /^s/i.test(after));
  });
  return new Set(found.map(([at]) => at));
}

/** A time that is all but the next day, is the next day. */
function partsOf(value: number, since1904: boolean, hasTime: boolean, scale: number): Parts {
  const full = Math.floor(value);
  const inDay = Math.round((value - full) * daySeconds * scale);
  const isNext = hasTime && inDay >= daySeconds * scale;
  const ticks = isNext ? 0 : inDay;
  const serial = full + (isNext ? 1 : 0);
  const seconds = serial * daySeconds + Math.floor(ticks / scale);
  return { ...calendar(serial + (since1904 ? firstOf1904 : 0)), seconds, ticks: ticks % scale };
}

/** In sheets the year 1900 has a 29th of February, and a day zero. */
function calendar(serial: number): Pick<Parts, 'year' | 'month' | 'day' | 'weekday'> {
  const weekday = (serial + 6) % 7;
  if (serial === 60) return { year: 1900, month: 2, day: 29, weekday };
  if (serial === 0) return { year: 1900, month: 1, day: 0, weekday };
  const date = new Date(Date.UTC(1899, 11, serial < 60 ? 31 : 30) + serial * daySeconds * 1000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), weekday };
}

type Around = { signs: readonly Sign[]; at: number; minutes: ReadonlySet<number>; half: boolean; scale: number };

function signText({ kind, text }: Sign, parts: Parts, { signs, at, minutes, half, scale }: Around): string {
  const letter = text[0]?.toLowerCase() ?? '';
  const { seconds } = parts;
  const padded = (number: number): string => String(number).padStart(Math.min(text.length, 2), '0');
  const hours = Math.floor(seconds / 3600) % 24;
  if (kind === 'elapsed') {
    const count = Math.floor(seconds / (letter === 'h' ? 3600 : letter === 'm' ? 60 : 1));
    return String(count).padStart(text.length, '0');
  }
  if (kind === 'half') {
    const name = hours < 12 ? text.split('/')[0] : text.split('/')[1];
    return name ?? '';
  }
  if (kind === 'point' && signs[at + 1]?.kind === 'digit') {
    return `.${String(parts.ticks).padStart(Math.log10(scale), '0')}`;
  }
  if (kind !== 'date') return text;
  if (minutes.has(at)) return padded(Math.floor(seconds / 60) % 60);
  if (letter === 'h') return padded(half ? hours % 12 || 12 : hours);
  if (letter === 's') return padded(seconds % 60);
  return dayText(letter, text.length, parts);
}

function dayText(letter: string, length: number, { year, month, day, weekday }: Parts): string {
  const two = (number: number): string => String(number).padStart(Math.min(length, 2), '0');
  const [monthName, dayName] = [months[month - 1] ?? '', weekdays[weekday] ?? ''];
  if (letter === 'y' && length < 3) return two(year % 100).padStart(2, '0');
  if (letter === 'y' || letter === 'e') return String(year);
  if (letter === 'b') return String(length < 3 ? (year + 543) % 100 : year + 543);
  if (letter === 'm')
    return length < 3 ? two(month) : length === 4 ? monthName : monthName.slice(0, length === 5 ? 1 : 3);
  if (letter === 'd' && length < 3) return two(day);
  if (letter === 'd' || letter === 'a') return length === 3 ? dayName.slice(0, 3) : dayName;
  return ''; // the name of an era, for which years are counted from our own
}
