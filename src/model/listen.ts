// `node:http` in, web requests out: how every listener of ours is opened, with the guard before it. Whatever comes, each
// request is answered or its connection closed, and none ends the process.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { SightlineError } from '../content/refusal.ts';
import { admit, checkRules, largeBodyWords } from './guard.ts';
import type { GuardRules, Turned } from './guard.ts';

/** A listener that runs. `ended` resolves when it was closed; what is under way then has so many milliseconds left. */
export type Listening = { port: number; ended: Promise<void>; close: (grace?: number) => Promise<void> };

type Handlers = {
  /** Answers what was let in. */
  handle: (request: Request) => Response | Promise<Response>;
  /** Words a refusal as clients of this listener expect it. */
  turnAway: (turned: Turned) => Response;
};

const maxHeaderBytes = 16 * 1024;
const headersMs = 30_000;
/** Longer than clients keep a connection that nobody uses: one that we close may be on its way to be used again. */
const keepAliveMs = 120_000;
const graceMs = 1000; // for answers that are being written when it is closed

/** Listens until it is closed. Throws when the port is taken, or when it would stand open to the network. */
export async function listen(place: GuardRules & { port?: number }, handlers: Handlers): Promise<Listening> {
  checkRules(place);
  return openServer(place, (incoming, outgoing) => answer(incoming, outgoing, place, handlers));
}

/** The same for those who speak `node:http` themselves and have asked the guard; `serve` never rejects. */
export async function openServer(
  { host, port = 0 }: { host: string; port?: number },
  serve: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
): Promise<Listening> {
  const { createServer } = await import('node:http'); // takes long to load, and whoever only imports us opens none
  const underWay = new Set<Promise<void>>();
  const server = createServer({ maxHeaderSize: maxHeaderBytes, headersTimeout: headersMs }, (incoming, outgoing) => {
    const answered = serve(incoming, outgoing).finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  server.keepAliveTimeout = keepAliveMs;
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const why = isTaken
        ? `port ${port} is in use. Choose another one, or 0 for any that is free`
        : `${error.message}. Check host and port`;
      reject(new SightlineError('config', `Cannot listen on ${host}: ${why}.`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const ended = new Promise<void>((resolve) => server.once('close', resolve));
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    ended,
    async close(grace = graceMs) {
      server.close();
      await Promise.race([Promise.all(underWay), setTimeout(grace, undefined, { ref: false })]);
      server.closeAllConnections();
      await ended;
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  rules: GuardRules,
  { handle, turnAway }: Handlers,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  try {
    const admission = admit(incoming, rules);
    if (!admission.ok) return await write(turnAway(admission), outgoing, { connection: 'close' });
    await write(await handle(webRequest(incoming, admission.url, rules.maxBytes, gone.signal)), outgoing);
  } catch {
    if (outgoing.headersSent) outgoing.destroy(); // the client has gone, or what it was told is cut short
    else outgoing.writeHead(500, { connection: 'close' }).end();
  }
}

async function write(response: Response, outgoing: ServerResponse, more: Record<string, string> = {}): Promise<void> {
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...more });
  outgoing.flushHeaders();
  if (response.body) await pipeline(Readable.fromWeb(response.body as NodeStream), outgoing);
  else outgoing.end();
}

/** The same request as the web knows it. */
function webRequest(incoming: IncomingMessage, url: URL, maxBytes: number, signal: AbortSignal): Request {
  const { method = 'GET', headers } = incoming;
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) web.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const init: RequestInit & { duplex?: 'half' } = { method, headers: web, signal };
  const hasBody = method !== 'GET' && method !== 'HEAD';
  if (hasBody) Object.assign(init, { body: NodeStream.from(bounded(incoming, maxBytes)), duplex: 'half' });
  return new Request(url, init);
}

/** A length that was not told is counted. */
async function* bounded(incoming: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) throw new Error(largeBodyWords(maxBytes));
    yield chunk as Buffer;
  }
}
