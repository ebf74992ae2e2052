// The code of a field that draws a formula or signs over words (EQ) in, its words out: fractions with a bar, roots, raised and
// lowered words; of signs above words only the words. Word itself stores no result of such a field.
import { looks, styledText } from '../document/styled.ts';

/** Nothing for the code of another field. */
export function equationText(code: string): string | undefined {
  const [, inner] = /^\s*EQ\s+(.*)$/is.exec(code) ?? [];
  if (inner === undefined) return undefined;
  // How the result looks: `\* jc2`, `\* "Font:MS Mincho"`.
  return wordsOf(inner.slice(0, 4000).replaceAll(/\\\*\s*(?:"[^"]*"|\w+)\s*/g, ''), 0).trim();
}

const deepest = 20;

/** A switch, those that change it, and what stands between its brackets. */
const switched = /\\([a-z])((?:\s*\\(?:[a-z]{2}\s*-?\d*|[blr]c\\?.))*)\s*(?=\()/iy;

function wordsOf(code: string, depth: number): string {
  const out = styledText();
  for (let at = 0; at < code.length;) {
    switched.lastIndex = at;
    const found = depth > deepest ? null : switched.exec(code);
    if (found === null) {
      // A bar before any other sign means the sign itself; a switch without brackets says nothing.
      const plain = /\\[a-z]{1,2}\s*-?\d*|\\?(.)/isy;
      plain.lastIndex = at;
      const one = plain.exec(code);
      out.write(one?.[1] ?? '');
      at += one?.[0].length ?? 1;
      continue;
    }
    const end = closing(code, at + found[0].length);
    const parts = divided(code.slice(at + found[0].length + 1, end));
    const [text, look] = drawn(found[1] ?? '', found[2] ?? '', parts, depth + 1);
    out.write(text, look);
    at = end + 1;
  }
  return out.text();
}

function drawn(name: string, how: string, parts: readonly string[], depth: number): readonly [string, number] {
  const words = parts.map((part) => wordsOf(part, depth).trim());
  const [first = '', second = '', third = ''] = words;
  switch (name.toLowerCase()) {
    case 'f':
      return [`${grouped(first)}/${grouped(second)}`, 0];
    case 'r':
      return [words.length > 1 && first !== '' ? `${first}√(${second})` : `√(${words.at(-1) ?? ''})`, 0];
    case 's':
      return [words.join(' '), /\\do/i.test(how) ? looks.lowered : /\\up/i.test(how) ? looks.raised : 0];
    case 'o': {
      // Signs that are raised over words tell how to say them.
      const base = parts.flatMap((part, at) => (/^\s*\\s\s*\\up/i.test(part) ? [] : [words[at] ?? '']));
      return [base.join(''), 0];
    }
    case 'i': {
      const sign = /\\su/i.test(how) ? '∑' : /\\pr/i.test(how) ? '∏' : '∫';
      return [`${sign}_(${first})^(${second}) ${third}`, 0];
    }
    case 'b':
      return [bracketed(how, words.join(', ')), 0];
    case 'd':
      return ['', 0];
    default:
      return [words.join(', '), 0];
  }
}

const pairs = new Map([
  ['[', ']'],
  ['{', '}'],
  ['<', '>'],
  ['(', ')'],
]);

function bracketed(how: string, words: string): string {
  const side = (letters: string): string | undefined => new RegExp(`\\\\${letters}\\\\?(.)`, 'i').exec(how)?.[1];
  const both = side('bc') ?? (/\\[lr]c/i.test(how) ? undefined : '(');
  const [open, close] = [side('lc') ?? both ?? '', side('rc') ?? (both && (pairs.get(both) ?? both)) ?? ''];
  return `${open}${words}${close}`;
}

function grouped(words: string): string {
  return /^[\p{L}\p{N}.,√]*$/u.test(words) ? words : `(${words})`;
}

/** Where the bracket that opens here closes. */
function closing(code: string, from: number): number {
  for (let at = from, open = 0; at < code.length; at += 1) {
    if (code[at] === '\\') at += 1;
    else if (code[at] === '(') open += 1;
    else if (code[at] === ')' && (open -= 1) === 0) return at;
  }
  return code.length;
}

/** The parts between commas, or between semicolons where numbers are written with commas. */
function divided(code: string): string[] {
  const cut = (sign: string): string[] => {
    const parts = [''];
    for (let at = 0, open = 0; at < code.length; at += 1) {
      const one = code[at] === '\\' ? code.slice(at, at + 2) : (code[at] ?? '');
      at += one.length - 1;
      if (one === '(') open += 1;
      if (one === ')') open -= 1;
      if (one === sign && open === 0) parts.push('');
      else parts.push((parts.pop() ?? '') + one);
    }
    return parts;
  };
  const parts = cut(';');
  return parts.length > 1 ? parts : cut(',');
}
