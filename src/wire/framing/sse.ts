// Server-sent events: lines of bytes → the data of one event after the other. Lenient: lines may end in LF, CRLF or CR,
// the last event needs no empty line after it, and a bare line of JSON between events counts as one.
import { cutText } from '../../content/text.ts';
import { concat } from './splitter.ts';
import type { Again, Splitter } from './splitter.ts';
import type { Source } from '../mould.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Of the names of events only `error` is news; `last` is told for an event that the end of the stream has closed. */
export function lineReader(
  emit: (data: string, isError: boolean, last: boolean, source?: Source) => void,
  again: Again,
): Splitter {
  const decoder = new TextDecoder();
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let data: string | undefined;
  let dataAt = -1; // where it stands, if it is one line
  let isError = false;
  let stray = '';

  function dispatch(last: boolean, source?: Source): void {
    if (data !== undefined) emit(data, isError, last, source);
    data = undefined;
    isError = false;
  }
  function line(text: string, start: number, end: number): void {
    if (isAt(text, start, 'data:')) {
      const at = afterSpace(text, start + 5);
      const value = text.slice(at, end);
      dataAt = data === undefined ? at : -1;
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
    let began = data === undefined && !isError ? again(text, 0) : -1; // where the event begins, if in this text
    for (let start = Math.max(began, 0); start < text.length;) {
      const feed = text.charCodeAt(start) === lineFeed ? start : text.indexOf('\n', start);
      const end = feed > start && text.charCodeAt(feed - 1) === carriageReturn ? feed - 1 : feed;
      const next = feed + 1;
      if (end === start) {
        dispatch(false, began < 0 ? undefined : sourceOf(text, began, next));
        began = start = again(text, next);
      } else {
        line(text, start, end);
        start = next;
      }
    }
  }
  /** An event whose data is one line, with all that stands around it. */
  function sourceOf(text: string, start: number, end: number): Source | undefined {
    if (data === undefined || dataAt < 0) return undefined;
    return { text: data, before: text.slice(start, dataAt), after: text.slice(dataAt + data.length, end) };
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
