// Numbers as people read them, the same on every machine: counts, bytes, money, times.

/** 1234567 → 1,234,567. */
export function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** How many of something: 1 page, 1,204 pages. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Bytes: 812 B, 1.3 kB, 54 kB, 4.1 MB. */
export function byteText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 999_500 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value < 9.95 ? value.toFixed(1) : grouped(Math.round(value))} ${unit}`;
}

/** A count where there is little room: 950, 1.2k, 12k, 1.2M. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${count < 9950 ? (count / 1000).toFixed(1) : Math.round(count / 1000)}k`;
  return `${(count / 1e6).toFixed(1)}M`;
}

/** US dollars: cents to the cent, less than ten of them to a hundredth of one. */
export function money(dollars: number): string {
  if (dollars > 0 && dollars < 0.0001) return '<$0.0001';
  return `$${dollars.toFixed(dollars < 0.1 && dollars > 0 ? 4 : 2)}`;
}

/** How long ago: `now`, `5 min`, `3 h`, `12 d`. */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${grouped(Math.floor(minutes / 1440))} d`;
}

/** How long something took: `80 ms`, `1.2 s`. */
export function timeText(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms)} ms`;
}
