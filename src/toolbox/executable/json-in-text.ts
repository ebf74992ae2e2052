// The last JSON object or array in what a program printed. It may stand between lines of a log; it begins a line and
// ends one. What stands before and after it is given back, so that nothing is lost.
import { parsedFromPython } from '../../content/json.ts';

/** `exact` is false when a number has more digits than JavaScript can count. */
type FoundJson = { value: unknown; before: string; after: string; exact: boolean };

const largeNumber = /[:[,]\s*-?\d{16,}/;

/** Lines that begin like JSON but have no end cost a look at the whole rest each. */
const maxOpenEnded = 32;

/** The last JSON value in a text, or undefined when there is none. */
export function lastJson(output: string): FoundJson | undefined {
  const text = output.replace(/^\uFEFF/, '');
  const whole = text.trim();
  if (whole[0] === '{' || whole[0] === '[') {
    const value = parsedFromPython(whole);
    if (value !== undefined) return { value, before: '', after: '', exact: !largeNumber.test(whole) };
  }
  let found: FoundJson | undefined;
  let openEnded = 0;
  const start = /^[ \t]*[{[]/gm;
  for (let match = start.exec(text); match && openEnded < maxOpenEnded; match = start.exec(text)) {
    const from = start.lastIndex - 1;
    const end = endOf(text, from);
    if (end === undefined) {
      openEnded++;
      continue;
    }
    const source = text.slice(from, end);
    const value = /^[ \t\r]*$/.test(restOfLine(text, end)) ? parsedFromPython(source) : undefined;
    if (value === undefined) continue;
    found = { value, before: text.slice(0, from), after: text.slice(end), exact: !largeNumber.test(source) };
    start.lastIndex = end;
  }
  return found;
}

/** Whether a text without JSON ends inside an object that was begun: somebody stopped in the middle. */
export function isUnfinished(text: string): boolean {
  const begun = text.search(/^[ \t]*\{\s*"(?:[^"\\\n]|\\.)*"\s*:/m);
  return begun >= 0 && endOf(text, text.indexOf('{', begun)) === undefined;
}

function restOfLine(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.slice(at) : text.slice(at, end);
}

/** Where the bracket that opens here is closed, strings left out of account. */
function endOf(text: string, from: number): number | undefined {
  const sign = /["{}[\]]/g;
  sign.lastIndex = from;
  let depth = 0;
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    const [found] = match;
    if (found === '"') {
      const end = stringEnd(text, match.index);
      if (end === undefined) return undefined;
      sign.lastIndex = end;
    } else if (found === '{' || found === '[') depth++;
    else if (--depth === 0) return match.index + 1;
  }
  return undefined;
}

/** Behind the quote that closes the string which opens here; a string of JSON does not cross lines. */
function stringEnd(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return undefined;
}
