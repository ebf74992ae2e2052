// An answer on its way to the client: its head once, then bytes as fast as the client reads them.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export type ClientReply = {
  /** Aborts when the client has gone before its answer was over. */
  readonly gone: AbortSignal;
  readonly begun: boolean;
  begin: (status: number, headers: Readonly<Record<string, string>>) => void;
  /** Resolves when more may be written; rejects when the client has gone. */
  write: (chunk: string | Uint8Array) => Promise<void>;
  end: () => void;
  /** A whole answer at once. */
  json: (status: number, body: unknown, headers?: Readonly<Record<string, string>>) => void;
};

export function openReply(outgoing: ServerResponse): ClientReply {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new DOMException('The client has gone.', 'AbortError'));
  });
  const begin: ClientReply['begin'] = (status, headers) => {
    outgoing.writeHead(status, { ...headers });
    outgoing.flushHeaders();
  };
  return {
    gone: gone.signal,
    get begun() {
      return outgoing.headersSent;
    },
    begin,
    async write(chunk) {
      gone.signal.throwIfAborted();
      if (!outgoing.write(chunk)) await once(outgoing, 'drain', { signal: gone.signal });
    },
    end: () => void outgoing.end(),
    json(status, body, headers = {}) {
      const text = JSON.stringify(body);
      const length = String(Buffer.byteLength(text));
      outgoing
        .writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers })
        .end(text);
    },
  };
}
