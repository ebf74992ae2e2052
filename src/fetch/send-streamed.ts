// A body of many megabytes under Node's own fetch, which would write down and copy a text as a whole: as a stream it takes half the
// time, and other work of the program goes on between its chunks.
import type { SendLong } from './send-pieces.ts';

const bytesPerChunk = 1024 * 1024;

/** Streams a body, its length told beforehand. Where a server sends elsewhere it goes once more, as a text: a stream is gone. */
export const sendStreamed: SendLong = async (pieces, seen, send) => {
  const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  const response = await send(...seen.with({ bytes, stream: streamOf(pieces) }));
  if (response.status < 300 || response.status >= 400) return response;
  await response.body?.cancel();
  return send(...seen.with(pieces.join('')));
};

function streamOf(pieces: readonly string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = chunksOf(pieces);
  return new ReadableStream({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** Chunks that are full, written straight from the pieces; a letter that does not fit begins the next. */
function* chunksOf(pieces: readonly string[]): Generator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder();
  let chunk = Buffer.allocUnsafeSlow(bytesPerChunk);
  let used = 0;
  for (const piece of pieces)
    for (let rest = piece; rest !== '';) {
      const { read, written } = encoder.encodeInto(rest, chunk.subarray(used));
      rest = rest.slice(read);
      used += written;
      if (rest === '') continue;
      yield chunk.subarray(0, used);
      chunk = Buffer.allocUnsafeSlow(bytesPerChunk);
      used = 0;
    }
  yield chunk.subarray(0, used);
}
