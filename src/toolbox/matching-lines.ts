// Lines and a pattern in, the numbers of those that fit out. A pattern can take for ever, so it is run where it can be
// stopped.
import { createContext, Script } from 'node:vm';
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';

/** How long one pattern may take on one text. */
const patienceMs = 1000;
const maxPattern = 1000;

/** The numbers of the lines that fit, counted from 0. */
type LineSearch = (lines: readonly string[], from?: number) => Read<number[]>;

const program = new Script(
  '(() => { const found = []; const wanted = new RegExp(source, flags);' +
    ' for (let at = from; at < lines.length; at++) if (wanted.test(lines[at])) found.push(at); return found; })()',
);

/** A search through any number of texts. What is no regular expression is looked for as it is written. */
export function lineSearch(pattern: string, anyCase: boolean): Read<LineSearch> {
  if (pattern.length > maxPattern)
    return refuse('too-large', 'The pattern is too long', 'Search for less.', '1,000 characters');
  const words = createContext(readPattern(pattern, anyCase)); // costs ten times as much as a search of a text
  const search: LineSearch = (lines, from = 0) => {
    try {
      Object.assign(words, { lines, from });
      return { ok: true, value: Array.from(program.runInContext(words, { timeout: patienceMs }) as number[]) };
    } catch {
      return refuse('timed-out', 'The pattern takes too long on this text', 'Use a simpler one.', `${patienceMs} ms`);
    }
  };
  return { ok: true, value: search };
}

/** Patterns as they come: strict, with signs escaped that need not be, with (?i) in front, or plain words. */
function readPattern(pattern: string, anyCase: boolean): { source: string; flags: string } {
  const [front = '', inline = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const source = pattern.slice(front.length);
  const letters = anyCase || inline.includes('i') ? 'i' : '';
  const flags = [`${letters}u`, letters].find((one) => isPattern(source, one));
  return flags === undefined ? { source: escaped(pattern), flags: `${letters}u` } : { source, flags };
}

function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

function escaped(words: string): string {
  return words.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
