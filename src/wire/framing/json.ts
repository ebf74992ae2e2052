// JSON values one after the other: lines of them, the elements of one array, or a single one. Only strings and brackets
// are looked at; a value is handed on when its last bracket has come.
import { concat } from './splitter.ts';
import type { Splitter } from './splitter.ts';

const quote = 0x22;
const backslash = 0x5c;

export function jsonScanner(emit: (text: string) => void): Splitter {
  const decoder = new TextDecoder();
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let depth = 0;
  let base: 0 | 1 | undefined; // 1 inside the one array around all values
  let inString = false;
  let escaped = false;

  function hold(bytes: Uint8Array): void {
    held.push(bytes);
    heldBytes += bytes.length;
  }
  return {
    push(bytes) {
      let start = depth > (base ?? 0) ? 0 : -1;
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at];
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === backslash) escaped = true;
          else if (byte === quote) inString = false;
          continue;
        }
        switch (byte) {
          case quote:
            inString = start !== -1;
            break;
          case 0x5b: // [
          case 0x7b: // {
            base ??= byte === 0x5b ? 1 : 0;
            if (depth === base) start = at;
            depth++;
            break;
          case 0x5d: // ]
          case 0x7d: // }
            depth--;
            if (depth !== base || start === -1) break;
            hold(bytes.subarray(start, at + 1));
            emit(decoder.decode(held.length === 1 ? held[0] : concat(held, heldBytes)));
            held = [];
            heldBytes = 0;
            start = -1;
        }
      }
      if (start !== -1) hold(bytes.slice(start));
    },
    end: () => undefined, // a value without its end was cut off
    waiting: () => heldBytes,
    stray: () => '',
  };
}
