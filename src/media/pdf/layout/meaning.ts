// The letters of a page in; whether they are what the page shows out. A font without a map gives letters that mean
// nothing, and nothing else about them looks wrong. Pure.
import type { PageGlyphs } from './page.ts';

/** `lost`: the file does not say what most letters are. `doubtful`: it does, but they form no words. */
export type Meaning = 'clear' | 'doubtful' | 'lost';

const [lostShare, fewestLetters] = [0.3, 60];
/** Every language written in Latin letters has more vowels than this; shifted letters have far fewer. */
const fewestVowels = 0.22;
/** Words that mix scripts which no language mixes. */
const mostMixed = 0.3;
/** Letters that are not even one, as a share of all; ligatures are often among them. */
const mostHoles = 0.1;

/** What the letters of a page are worth. A font without a map may still be numbered like the letters it shows; then its
 * letters form words. */
export function meaningOf({ runs }: PageGlyphs): Meaning {
  let letters = 0;
  for (const { text } of runs) letters += lettersIn(text);
  const unmapped = unmappedOf(runs);
  const strange = unmapped.reduce((sum, text) => sum + lettersIn(text), 0);
  if (strange > 0 && strange >= letters * lostShare && !areWords(unmapped)) return 'lost';
  return hasNoWords(
    runs.map(({ text }) => text),
    fewestLetters,
  )
    ? 'doubtful'
    : 'clear';
}

function lettersIn(text: string): number {
  return /[\p{L}\p{N}\ufffd]/u.test(text) ? text.length : 0;
}

function unmappedOf(runs: PageGlyphs['runs']): string[] {
  return runs.flatMap(({ unmapped, text }) => (unmapped ? [text] : []));
}

function areWords(texts: readonly string[]): boolean {
  const all = texts.join('');
  const holes = all.split('\ufffd').length - 1;
  return /\p{L}{2}/u.test(all) && holes <= all.length * mostHoles && !hasNoWords(texts, 2);
}

function hasNoWords(words: readonly string[], fewest: number): boolean {
  const plain = words.join('').normalize('NFD');
  const latin = plain.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const vowels = plain.match(/[aeiouæøœıəɛɔ]/giu)?.length ?? 0;
  const long = words.filter((word) => (word.match(/\p{L}/gu)?.length ?? 0) >= 3);
  const mixed = long.filter((word) => scripts.filter((script) => script.test(word)).length > 1);
  if (long.length >= 5 && mixed.length >= long.length * mostMixed) return true;
  return latin >= fewest && latin >= plain.length * 0.4 && vowels < latin * fewestVowels;
}

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /\p{Script=Hangul}/u,
  /[\p{Script=Devanagari}\p{Script=Thai}\p{Script=Tamil}\p{Script=Bengali}]/u,
];

/** A page on which letters that mean nothing are shown as such, so that none of them passes for a number. */
export function withoutMeaningless(page: PageGlyphs): PageGlyphs {
  const strange = unmappedOf(page.runs);
  if (strange.length === 0 || areWords(strange)) return page;
  const runs = page.runs.map((run) =>
    run.unmapped ? { ...run, text: run.text.replaceAll(/[\p{L}\p{N}]/gu, '\ufffd') } : run,
  );
  return { ...page, runs };
}
