// Server-sent events: lines of bytes → the data of one event after the other. Lenient: lines may end in LF, CRLF or CR,
// the last event needs no empty line after it, and a bare line of JSON between events counts as one.
import { cutText } from '../content/text.ts';
import { concat } from './frames.ts';
import type { Splitter } from './frames.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Of the names of events only `error` is news; `last` is told for an event that the end of the stream has closed. */
export function lineReader(emit: (data: string, isError: boolean, last: boolean) => void): Splitter {
  const decoder = new TextDecoder();
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let data: string | undefined;
  let isError = false;
  let stray = '';

  function dispatch(last: boolean): void {
    if (data !== undefined) emit(data, isError, last);
    data = undefined;
    isError = false;
  }
  function line(text: string, start: number, end: number): void {
    if (start === end) dispatch(false);
    else if (isAt(text, start, 'data:')) {
      const value = text.slice(afterSpace(text, start + 5), end);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (isAt(text, start, 'event:')) isError = isAt(text, afterSpace(text, start + 6), 'error');
    else other(text.slice(start, end));
  }
  function other(text: string): void {
    if (text.startsWith('{')) emit(text, false, false);
    else if (!/^(?::|id:|retry:|data$)/.test(text)) stray ||= cutText(text, 300);
  }
  /** Takes text that ends in a line feed. */
  function lines(text: string): void {
    for (let start = 0; start < text.length;) {
      const end = text.charCodeAt(start) === lineFeed ? start : text.indexOf('\n', start);
      line(text, start, end > start && text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end);
      start = end + 1;
    }
  }
  return {
    push(bytes) {
      const first = heldBytes === 0 ? -1 : bytes.indexOf(lineFeed);
      if (first !== -1) {
        held.push(bytes.subarray(0, first + 1));
        lines(decoder.decode(concat(held, heldBytes + first + 1)));
        held = [];
        heldBytes = 0;
      }
      const last = bytes.lastIndexOf(lineFeed);
      if (last > first) lines(decoder.decode(bytes.subarray(first + 1, last + 1)));
      if (last + 1 === bytes.length) return;
      held.push(bytes.slice(last + 1));
      heldBytes += bytes.length - last - 1;
    },
    end() {
      const rest = decoder.decode(concat(held, heldBytes));
      lines(`${rest.replace(/\r\n?/g, '\n')}\n`);
      dispatch(true);
    },
    waiting: () => heldBytes + (data?.length ?? 0),
    stray: () => stray,
  };
}

function afterSpace(text: string, at: number): number {
  return text.charCodeAt(at) === 0x20 ? at + 1 : at;
}

/** Like `startsWith`, which costs more than the rest of a line. */
function isAt(text: string, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    if (text.charCodeAt(at + index) !== word.charCodeAt(index)) return false;
  }
  return true;
}
