// What a person types into a search → words to look for, and the place in a text where they were found.
import { cutText } from '../../content/text.ts';

/** Words as they are compared: lower case, without accents. */
export function searchWords(text: string): string[] {
  return (
    text
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The same words as they were typed. */
export function typedWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** Scripts that are written without spaces, where a word can only be looked for as a piece of text. */
export function isUnspaced(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u.test(
    text,
  );
}

/** All words in any order; the last one may be only the beginning of a word. */
export function matchQuery(words: readonly string[]): string {
  return words.map((word, at) => `"${word}"${at === words.length - 1 ? '*' : ''}`).join(' ');
}

/** The same question, asked of one text. */
export function matches(text: string, query: string): boolean {
  if (isUnspaced(query)) return text.includes(query.trim());
  const [words, there] = [searchWords(query), searchWords(text)];
  const last = words.pop();
  return (
    last !== undefined && words.every((word) => there.includes(word)) && there.some((word) => word.startsWith(last))
  );
}

const around = 60;

/** One line of text around the first of the words. */
export function excerptOf(text: string, words: readonly string[]): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const at = Math.max(0, ...words.slice(0, 1).map((word) => placeOf(line, word)));
  const start = Math.max(0, at - around);
  const cut = cutText(line.slice(start).toWellFormed(), 3 * around);
  return `${start > 0 ? '…' : ''}${cut}${start + cut.length < line.length ? '…' : ''}`;
}

/** Where a word as it is compared stands in a line as it was written. */
function placeOf(line: string, word: string): number {
  const plain = line.toLowerCase().indexOf(word);
  if (plain >= 0) return plain;
  const letters = Array.from(word)
    .slice(0, around)
    .join(String.raw`\p{M}*`);
  const parted = line.normalize('NFD');
  const at = new RegExp(letters, 'iu').exec(parted)?.index ?? -1;
  return at < 0 ? at : parted.slice(0, at).normalize('NFC').length;
}
