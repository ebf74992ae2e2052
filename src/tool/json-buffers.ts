// Bytes of Node in text: a `Buffer` that went through JSON, in JSON within JSON too. Whole JSON is walked as a value; this finds
// what stands among other words.

export type SpeltBytes = { start: number; end: number; bytes: Uint8Array<ArrayBuffer> };

const word = '"Buffer';
const before = /\{[\s\\nrt]*"type\\*"\s*:\s*\\*$/;
const after = /"Buffer\\*"\s*,[\s\\nrt]*"data\\*"\s*:\s*\[/y;
const list = /[\d\s,\\nrt]*\]/y;
const close = /[\s\\nrt]*\}/y;

/** Whether bytes could stand in a text as JSON writes a `Buffer`. */
export function mayHoldBuffer(text: string): boolean {
  return text.includes(word);
}

/** All bytes that stand in a text as JSON writes a `Buffer`, in order. */
export function* findBuffers(text: string): Generator<SpeltBytes> {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const head = before.exec(text.slice(Math.max(0, at - 100), at))?.[0];
    const from = head === undefined ? undefined : endOf(after, text, at);
    const to = from === undefined ? undefined : endOf(list, text, from);
    const end = to === undefined ? undefined : endOf(close, text, to);
    if (head === undefined || from === undefined || to === undefined || end === undefined) continue;
    const bytes = numbersIn(text.slice(from, to - 1));
    if (bytes) yield { start: at - head.length, end, bytes };
  }
}

function endOf(mark: RegExp, text: string, at: number): number | undefined {
  mark.lastIndex = at;
  return mark.test(text) ? mark.lastIndex : undefined;
}

function numbersIn(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const numbers = JSON.parse(`[${text.replaceAll(/\\+[nrt]/g, ' ')}]`) as number[];
    return numbers.every((one) => one < 256) ? Uint8Array.from(numbers) : undefined;
  } catch {
    return undefined;
  }
}
