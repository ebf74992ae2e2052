// Server-sent events: lines of bytes → the data of one event after the other. Lenient: lines may end in LF, CRLF or CR,
// the last event needs no empty line after it, and a bare line of JSON between events counts as one.
import { cutText } from '../../content/text.ts';
import { concat } from './splitter.ts';
import type { Splitter } from './splitter.ts';

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
    if (isAt(text, start, 'data:')) {
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
      const feed = text.charCodeAt(start) === lineFeed ? start : text.indexOf('\n', start);
      const end = feed > start && text.charCodeAt(feed - 1) === carriageReturn ? feed - 1 : feed;
      if (end === start) dispatch(false);
      else line(text, start, end);
      start = feed + 1;
    }
  }
  return {
    push(bytes) {
      const end = bytes.lastIndexOf(lineFeed) + 1;
      if (end > 0) {
        const whole = bytes.subarray(0, end);
        const text = decoder.decode(heldBytes === 0 ? whole : concat([...held, whole], heldBytes + end));
        held = [];
        heldBytes = 0;
        lines(text);
      }
      if (end === bytes.length) return;
      held.push(bytes.slice(end));
      heldBytes += bytes.length - end;
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
