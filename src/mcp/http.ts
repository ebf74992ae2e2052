// `node:http` in, web requests out. In front of them stands the guard: a token, and the check that the browser of a
// visitor is not being used to reach a server on this machine (names in Host and Origin must be ours).
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { SightlineError } from '../content/refusal.ts';

export type HttpOptions = {
  /** 0, or nothing, for any free port. */
  port?: number;
  /** This machine alone, unless told otherwise. */
  host?: string;
  /** What clients must send as `Authorization: Bearer …`; only a server on this machine may do without. */
  token?: string;
};

export type Listening = { url: string; ended: Promise<void>; close(): Promise<void> };

type Handle = (request: Request) => Response | Promise<Response>;

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const everywhere = new Set(['0.0.0.0', '[::]']);

/** Listens until it is closed. Throws when the port is taken, or when it would stand open to the network. */
export async function listen({ port = 0, host = '127.0.0.1', token }: HttpOptions, handle: Handle): Promise<Listening> {
  const name = bracketed(host);
  if (token === '') throw new SightlineError('config', 'The token is empty. Give one of at least a few letters.');
  if (token === undefined && !loopback.includes(name)) {
    throw new SightlineError('config', `A server on ${host} needs a token. Give one, or listen on 127.0.0.1.`);
  }
  const server = createServer((request, response) => {
    void answer(request, response, (web) => refusal(web, name, token) ?? handle(web));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? `port ${port} is in use; choose another one` : error.message;
      reject(new SightlineError('config', `Cannot listen on ${host}: ${why}.`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  const ended = new Promise<void>((resolve) => server.once('close', resolve));
  return {
    url: `http://${everywhere.has(name) ? 'localhost' : name}:${bound}/mcp`,
    ended,
    async close() {
      server.close();
      server.closeAllConnections();
      await ended;
    },
  };
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host.replaceAll(/[[\]]/g, '')}]` : host.toLowerCase();
}

/** The answer to a request that may not come in; nothing for one that may. */
function refusal(request: Request, name: string, token: string | undefined): Response | undefined {
  const names = new Set([...loopback, name]);
  const host = request.headers.get('host') ?? '';
  const origin = request.headers.get('origin');
  const isOpen = everywhere.has(name); // then any name may lead here, and the token alone decides
  if (!isOpen && !names.has(hostname(`http://${host}`))) return failed(403, 'This server does not go by that name.');
  if (origin !== null && !names.has(hostname(origin)))
    return failed(403, 'Pages of that origin may not call this server.');
  if (token !== undefined && !hasToken(request, token)) {
    return failed(401, 'A token is needed: Authorization: Bearer <token>.', { 'www-authenticate': 'Bearer' });
  }
  if (new URL(request.url).pathname !== '/mcp') return failed(404, 'The server is at /mcp.');
  return undefined;
}

function hostname(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}

function hasToken(request: Request, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
  return timingSafeEqual(hash(given), hash(token));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function failed(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status, headers });
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, handle: Handle): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const request = webRequest(incoming, gone.signal);
  if (!request) {
    outgoing.writeHead(400).end();
    return;
  }
  try {
    const response = await handle(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    if (response.body) await pipeline(Readable.fromWeb(response.body as NodeStream), outgoing);
    else outgoing.end();
  } catch {
    if (outgoing.headersSent) outgoing.destroy(); // the client has gone, or what it was told is cut short
    else outgoing.writeHead(500).end();
  }
}

/** The same request as the web knows it; nothing when its address is none. */
function webRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', headers } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) web.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const init: RequestInit & { duplex?: 'half' } = { method, headers: web, signal };
  if (hasBody) Object.assign(init, { body: Readable.toWeb(incoming), duplex: 'half' });
  const address = URL.parse(url, `http://${headers.host ?? 'localhost'}`);
  return address ? new Request(address, init) : undefined;
}
