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
  const unmapped = unmappedOf(runs);
  if (unmapped.length > 0) {
    const letters = runs.reduce((sum, { text }) => sum + lettersIn(text), 0);
    const strange = unmapped.reduce((sum, text) => sum + lettersIn(text), 0);
    if (strange > 0 && strange >= letters * lostShare && !areWords(unmapped)) return 'lost';
  }
  return hasNoWords(runs.map(({ text }) => text).join(' '), fewestLetters) ? 'doubtful' : 'clear';
}

function lettersIn(text: string): number {
  return /[\p{L}\p{N}\ufffd]/u.test(text) ? text.length : 0;
}

function unmappedOf(runs: PageGlyphs['runs']): string[] {
  return runs.some(({ unmapped }) => unmapped) ? runs.flatMap(({ unmapped, text }) => (unmapped ? [text] : [])) : [];
}

function areWords(texts: readonly string[]): boolean {
  const all = texts.join('');
  const holes = all.split('\ufffd').length - 1;
  return /\p{L}{2}/u.test(all) && holes <= all.length * mostHoles && !hasNoWords(texts.join(' '), 2);
}

function hasNoWords(text: string, fewest: number): boolean {
  if (!isPlain.test(text) && mixesScripts(text.split(' '))) return true;
  let latin = 0;
  let vowels = 0;
  let signs = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x20) {
      // Were all that follow consonants, there would still be enough vowels.
      if (vowels >= (latin + text.length - at) * fewestVowels) return false;
      continue;
    }
    signs += 1;
    const kind = kinds[code] ?? 0;
    if (kind !== 0) latin += 1;
    if (kind === vowel) vowels += 1;
  }
  return latin >= fewest && latin >= signs * 0.4 && vowels < latin * fewestVowels;
}

/** Letters of one script at most, besides signs. */
const isPlain = /^[ -\u024f\u2000-\u22ff]*$/;

function mixesScripts(words: readonly string[]): boolean {
  const long = words.filter((word) => (word.match(/\p{L}/gu)?.length ?? 0) >= 3);
  const mixed = long.filter((word) => scripts.filter((script) => script.test(word)).length > 1);
  return long.length >= 5 && mixed.length >= long.length * mostMixed;
}

const vowel = 2;
/** Which letters are Latin, and which of them vowels; looked up for every letter of every page. */
const kinds = Uint8Array.from({ length: 0x1f00 }, (_, code) => {
  if (code < 0x41 || (code > 0x2af && code < 0x1e00)) return 0;
  const letter = String.fromCharCode(code).normalize('NFD').charAt(0);
  if (!/\p{Script=Latin}/u.test(letter)) return 0;
  return /[aeiouæøœıəɛɔ]/iu.test(letter) ? vowel : 1;
});

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
