// Bytes in any chunking → lines. Each line is put together once, so that a long one costs no more than its length.
import { StringDecoder } from 'node:string_decoder';

type LineEvents = { line: (text: string) => void; tooLong: () => void };

/** Empty lines are skipped; what follows a line that is too long is thrown away. */
export function boundedLines(maxBytes: number, { line, tooLong }: LineEvents): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let length = 0;
  let over = false;
  return (chunk) => {
    if (over) return;
    const parts = decoder.write(chunk).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      const text = pieces.length === 0 ? part : [...pieces, part].join('');
      pieces = [];
      length = 0;
      if (text.trim() !== '') line(text);
    }
    if (last !== '') pieces.push(last);
    length += last.length;
    if (length <= maxBytes) return;
    over = true;
    pieces = [];
    tooLong();
  };
}
