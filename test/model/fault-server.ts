// A provider on loopback that misbehaves on demand: each request takes the next act of a script, or the one that a
// function chooses after it has read the body. It speaks Anthropic's protocol unless an act says otherwise.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Heard = { url: string; headers: IncomingMessage['headers']; body: string; length: number };
export type Act = (response: ServerResponse, heard: Heard) => void | Promise<void>;

export type FaultServer = {
  url: string;
  heard: Heard[];
  close: () => Promise<void>;
};

/** Starts a server. Whatever it gets that the script does not cover is answered well. */
export async function faultServer(script: readonly Act[] | ((heard: Heard) => Act) = []): Promise<FaultServer> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const one = {
        url: request.url ?? '',
        headers: request.headers,
        body: bytes.toString('utf8'),
        length: bytes.length,
      };
      const act = typeof script === 'function' ? script(one) : (script[heard.length] ?? answerWith('fine'));
      heard.push(one);
      void act(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** One event of a stream, as Anthropic writes it. */
export function event(data: { type: string; [key: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

const start = event({
  type: 'message_start',
  message: {
    id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [],
    stop_reason: null, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 1 },
  },
}); // prettier-ignore

/** A whole answer as a stream. */
export function streamOf(text: string): string {
  return [
    start,
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    event({ type: 'content_block_stop', index: 0 }),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 3 },
    }),
    event({ type: 'message_stop' }),
  ].join('');
}

export function answerWith(text: string): Act {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamOf(text));
  };
}

/** An error in Anthropic's envelope, or any other body. */
export function failWith(status: number, message: string | object, headers: Record<string, string> = {}): Act {
  const body =
    typeof message === 'string' ? { type: 'error', error: { type: 'invalid_request_error', message } } : message;
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

export const reset: Act = (response) => void response.socket?.resetAndDestroy();

/** Sends part of an answer and then does something else. */
export function partly(share: number, then: (response: ServerResponse) => void): Act {
  return (response) => {
    const bytes = Buffer.from(streamOf('half of it äöü'));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(bytes.subarray(0, Math.floor(bytes.length * share)), () => then(response));
  };
}

export const resetMidway: Act = partly(0.9, (response) => void response.socket?.resetAndDestroy());
export const endsEarly: Act = partly(0.6, (response) => void response.end());
export const startsOnly: Act = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(start);
};
/** Says nothing more, but keeps the line open. */
export const silence: Act = partly(0.7, () => undefined);
export const neverAnswers: Act = () => undefined;

export function rawBody(body: string | Uint8Array, type = 'text/event-stream', status = 200): Act {
  return (response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  };
}

/** The answer in pieces of so many bytes, so that characters are cut in half. */
export function inPieces(text: string, size: number): Act {
  return async (response) => {
    const bytes = Buffer.from(streamOf(text));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size));
      if (at % (size * 16) === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
}

export function redirectTo(location: string, status = 307): Act {
  return (response) => {
    response.writeHead(status, { location }).end();
  };
}
