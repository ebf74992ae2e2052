// Events → server-sent events, as a page reads them: JSON, one event a line, without what only a provider can read.
import { isMedia } from '../../content/block.ts';
import type { Block } from '../../content/block.ts';
import { isRecord, parsed, toJsonText } from '../../content/json.ts';
import type { Attached } from '../../message/attached.ts';
import { streamOf } from './page-options.ts';
import type { MediaUrl, PageOptions } from './page-options.ts';

/**
 * The answer of a server that shows a run while it goes on. Every event is one line `data: {…}`; media have a `url`
 * where you say one, and each decision about a medium is told once. Seals and raw events of the provider stay on the
 * server. Whoever leaves the page stops the run.
 *
 * @example
 * app.post('/chat', (c) => toSSE(runAgent({ model, prompt }), { mediaUrl: ({ id }) => `/media/${id}` }));
 */
export function toSSE(events: AsyncIterable<{ type: string }>, { mediaUrl }: PageOptions = {}): Response {
  return new Response(streamOf(events, linesFor(mediaUrl)), {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no', // nginx would wait for more
      'x-vercel-ai-ui-message-stream': 'v1', // what useChat is told by its own server, too
    },
  });
}

function linesFor(mediaUrl: MediaUrl | undefined): (event: { type: string }) => Uint8Array<ArrayBuffer>[] {
  const encoder = new TextEncoder();
  const told = new Set<string>(); // a request repeats every decision of those before it
  const isNew = (receipt: unknown): boolean => told.size < told.add(JSON.stringify(receipt)).size;
  const forPage = (key: string, value: unknown): unknown => {
    if (key === 'seal' && isRecord(value) && 'item' in value) return undefined;
    return mediaUrl && isShown(value) ? { ...value, url: mediaUrl(value.asset) } : value;
  };
  const lineOf = (event: object): string => {
    try {
      return JSON.stringify(event, forPage);
    } catch {
      return JSON.stringify(parsed(toJsonText(event)), forPage); // what a schema made of arguments may be anything
    }
  };
  return (event) => {
    if (event.type === 'message-extra') return [];
    const receipts = 'receipts' in event && Array.isArray(event.receipts) ? event.receipts.filter(isNew) : undefined;
    return [encoder.encode(`data: ${lineOf({ ...event, ...(receipts && { receipts }) })}\n\n`)];
  };
}

function isShown(value: unknown): value is Attached {
  if (!isRecord(value) || !isRecord(value['asset']) || 'url' in value) return false;
  return isMedia(value as Block) || value['type'] === 'file';
}
