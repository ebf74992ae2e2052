// A file as its lines. `readline` would also end one at U+2028 and U+2029, which JSON leaves as they are inside a string.

/** What stands between one line feed and the next, however long it is, without a carriage return before the line feed. */
export async function* wholeLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let open: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    open.push(first);
    for (const part of more) {
      yield open.join('').replace(/\r$/, '');
      open = [part];
    }
  }
  const last = open.join('') + decoder.decode();
  if (last !== '') yield last;
}
