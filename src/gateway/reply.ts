// An answer on its way to the client: its head once, then bytes as fast as the client reads them.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../model/http/clock.ts';
import { firstToAbort } from '../model/http/signals.ts';

export type ClientReply = {
  /** Aborts when the client has gone before its answer was over. */
  readonly gone: AbortSignal;
  /** Aborts when nobody waits for the answer any more: the client has gone, or the time of the gateway is up. */
  readonly stop: AbortSignal;
  readonly begun: boolean;
  readonly status: number;
  /** When the first byte of an answer was written, as the clock has it. */
  readonly firstAt: number | undefined;
  /** Sent with every head. */
  more: (headers: Readonly<Record<string, string>>) => void;
  /** Nothing where a sign of life was the beginning. */
  begin: (status: number, headers: Readonly<Record<string, string>>) => void;
  /** Resolves when more may be written; rejects when the client has gone. */
  write: (chunk: string | Uint8Array) => Promise<void>;
  end: () => void;
  /** Ends the connection, so that what was heard is not taken for the whole. */
  breakOff: () => void;
  /** A whole answer at once. */
  json: (status: number, body: unknown, headers?: Readonly<Record<string, string>>) => void;
  text: (text: string) => void;
  /** Says a sign of life after every silence of ten seconds, until what it gives back is called. */
  keepAlive: (sign: string, begin: () => void) => () => void;
};

const silenceMs = 10_000;

/** `stopping` aborts when the gateway waits for answers no longer. */
export function openReply(outgoing: ServerResponse, clock: Clock, stopping: AbortSignal): ClientReply {
  const gone = new AbortController();
  const stop = firstToAbort(gone.signal, stopping);
  const always: Record<string, string> = {};
  let last = clock.now();
  let firstAt: number | undefined;
  let flush: NodeJS.Immediate | undefined;
  outgoing.once('close', () => {
    clearImmediate(flush);
    if (!outgoing.writableFinished) gone.abort(new DOMException('The client has gone.', 'AbortError'));
    stop.release();
  });
  const begin: ClientReply['begin'] = (status, headers) => {
    if (outgoing.headersSent) return;
    outgoing.writeHead(status, { ...always, ...headers });
    flush = setImmediate(() => outgoing.flushHeaders()); // unless it can leave together with the first words
  };
  return {
    gone: gone.signal,
    stop: stop.signal,
    get begun() {
      return outgoing.headersSent;
    },
    get status() {
      return outgoing.statusCode;
    },
    get firstAt() {
      return firstAt;
    },
    more: (headers) => void Object.assign(always, headers),
    begin,
    async write(chunk) {
      gone.signal.throwIfAborted();
      last = clock.now();
      firstAt ??= last;
      clearImmediate(flush);
      if (!outgoing.write(chunk)) await once(outgoing, 'drain', { signal: gone.signal });
    },
    end() {
      clearImmediate(flush);
      outgoing.end();
    },
    breakOff: () => void outgoing.destroy(),
    json(status, body, headers = {}) {
      const text = JSON.stringify(body);
      const length = String(Buffer.byteLength(text));
      const head = { 'content-type': 'application/json', 'content-length': length };
      firstAt ??= clock.now();
      outgoing.writeHead(status, { ...always, ...head, ...headers }).end(text);
    },
    text: (text) => void outgoing.writeHead(200, { ...always, 'content-type': 'text/plain; charset=utf-8' }).end(text),
    keepAlive(sign, start) {
      const check = (): void => {
        const left = last + silenceMs - clock.now();
        if (left <= 0 && !outgoing.writableEnded && !gone.signal.aborted) {
          if (!outgoing.headersSent) start();
          if (outgoing.writableLength === 0) outgoing.write(sign);
          last = clock.now();
        }
        cancel = clock.after(left > 0 ? left : silenceMs, check);
      };
      let cancel = clock.after(silenceMs, check);
      return () => cancel();
    },
  };
}
