// Bytes of a response → parsed JSON events, whatever the framing: server-sent events, one JSON value a line, the array
// of values that Gemini streams, one whole body, or the binary messages of a dialect that has such. The first byte tells
// which it is. Chunks may end anywhere; only
// complete lines and complete values are decoded, so a character is never cut. One event is bounded in size.
import { isRecord, parsed } from '../../content/json.ts';
import { jsonScanner } from './json.ts';
import { concat } from './splitter.ts';
import type { Split } from './splitter.ts';
import { lineReader } from './sse.ts';
import { providerError } from '../provider-error.ts';
import type { ProviderError } from '../provider-error.ts';

/** What closes a stream of OpenAI and those who follow it; it is handed on as it is. */
export const doneMark = '[DONE]';

type Frames = {
  /** Takes some bytes. Gives back what is wrong with them, and then nothing more may follow. */
  push: (bytes: Uint8Array) => ProviderError | undefined;
  end: () => ProviderError | undefined;
};

const limit = 64 * 1024 * 1024;

/** Reads events from bytes. `split` is how a binary framing does it: where the bytes are said to be such, or begin as no text does. */
export function frames(
  emit: (event: unknown) => void,
  {
    maxBytes = limit,
    split,
    isBinary = false,
  }: { maxBytes?: number | undefined; split?: Split | undefined; isBinary?: boolean } = {},
): Frames {
  const plain = (text: string): void => event(text, false, false);
  let splitter = isBinary ? split?.(plain) : undefined;
  let head: Uint8Array = new Uint8Array(0);
  let seen = false;
  let wrong: ProviderError | undefined;

  function event(text: string, isError: boolean, last: boolean): void {
    if (wrong || text === '') return;
    seen = true;
    const read = parsed(text);
    if (read !== undefined) return emit(isError ? asError(read) : read);
    if (text === doneMark) return emit(doneMark);
    if (isError) return emit({ error: text });
    const values = text.split('\n').map((line) => (line === doneMark ? line : parsed(line))); // a server may forget the empty line between its events
    if (values.length > 1 && !values.includes(undefined)) for (const one of values) emit(one);
    // An event at the very end that is no JSON was cut off; the decoder will say so.
    else if (!last) wrong = providerError('malformed', `An event is no JSON: ${text}`);
  }
  function push(bytes: Uint8Array): ProviderError | undefined {
    if (wrong) return wrong;
    if (!splitter) {
      head = head.length === 0 ? bytes : concat([head, bytes], head.length + bytes.length);
      const start = firstByte(head);
      if (start === undefined) return undefined;
      const isJson = head[start] === 0x7b || head[start] === 0x5b;
      if (split && head[start] === 0) splitter = split(plain);
      else splitter = isJson ? jsonScanner(plain) : lineReader(event);
      splitter.push(head.subarray(start));
      head = new Uint8Array(0);
    } else splitter.push(bytes);
    const damage = splitter.wrong?.();
    if (damage !== undefined) wrong ??= providerError('malformed', damage);
    if (splitter.waiting() > maxBytes)
      wrong ??= providerError('malformed', `One event is larger than ${maxBytes / 1024 / 1024} MB.`, {
        retryable: false,
      });
    return wrong;
  }
  return {
    push,
    end() {
      splitter?.end();
      const stray = splitter?.stray() ?? '';
      if (!seen && stray !== '')
        wrong ??= providerError('malformed', `What came is neither JSON nor an event stream: ${stray}`);
      return wrong;
    },
  };
}

/** Some gateways say only in the name of an event that it is an error. */
function asError(value: unknown): unknown {
  return isRecord(value) && (value['error'] !== undefined || value['type'] === 'error') ? value : { error: value };
}

/** Where the content begins, after a byte order mark and white space; nothing while that is not known. */
function firstByte(bytes: Uint8Array): number | undefined {
  const mark = bytes[0] === 0xef && (bytes[1] ?? 0xbb) === 0xbb && (bytes[2] ?? 0xbf) === 0xbf;
  let start = mark ? 3 : 0;
  while (start < bytes.length && /\s/.test(String.fromCharCode(bytes[start] ?? 0))) start++;
  return start < bytes.length ? start : undefined;
}
