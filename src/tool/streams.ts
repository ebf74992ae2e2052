// What a tool returns before anybody has read it: streams of the web or of Node, responses of any `fetch`. It is read to its
// end, or until it is too much or nobody waits any more.
import { byteText } from '../content/figures.ts';
import { isRecord } from '../content/json.ts';
import { maxStream } from '../content/limits.ts';

/** A stream of bytes or text that nobody reads yet. */
export function unreadStream(value: unknown): ReadableStream | undefined {
  if (value instanceof ReadableStream) return value.locked ? undefined : value;
  const ofNode = isRecord(value) && value['readableObjectMode'] === false && Symbol.asyncIterator in value;
  return ofNode ? fromChunks(value as unknown as AsyncIterable<unknown>) : undefined;
}

/** Something that would have to be run to know what is in it. */
export function isStream(value: Record<string, unknown>): boolean {
  return Symbol.asyncIterator in value || (Symbol.iterator in value && typeof value['next'] === 'function');
}

/** Told by its shape: not everybody's `fetch` is the platform's, which Node does not even load before it is named. */
export function isResponse(value: object): value is Response {
  if (!('bodyUsed' in value && 'status' in value && 'arrayBuffer' in value)) return false;
  return typeof value.bodyUsed === 'boolean' && typeof value.status === 'number';
}

/** What a response holds. Throws when somebody has read it before. */
export async function bytesOfResponse({ body, bodyUsed }: Response, signal?: AbortSignal): Promise<Uint8Array> {
  const stream = bodyUsed ? undefined : unreadStream(body);
  if (stream) return bytesOfStream(stream, signal);
  if (body) throw new Error('the response was read before');
  return new Uint8Array(0);
}

/** All that comes out of a stream. One without an end, such as that of a camera, is left when it is too much. */
export async function bytesOfStream(stream: ReadableStream, signal?: AbortSignal): Promise<Uint8Array> {
  let left = maxStream;
  const asBytes = new TransformStream<unknown, Uint8Array<ArrayBuffer>>({
    transform: (chunk, out) => {
      const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : (chunk as Uint8Array<ArrayBuffer>);
      left -= bytes.length;
      if (left < 0) throw new Error(`more than ${byteText(maxStream)} came out of its stream. Return a part of it`);
      out.enqueue(bytes);
    },
  });
  const chunks = stream.pipeThrough(asBytes, signal ? { signal } : {});
  return new Uint8Array(await new Response(chunks).arrayBuffer());
}

function fromChunks(chunks: AsyncIterable<unknown>): ReadableStream {
  const reading = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await reading.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await reading.return?.()),
  });
}
