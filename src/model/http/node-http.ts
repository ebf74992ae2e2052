// One HTTP exchange in the shape of `fetch`, over node:http and node:https. What `fetch` of Node cannot do everywhere is
// done here: a body of known length that is sent as fast as the other side reads, no time limits of its own, and the
// proxy that the environment names. Redirects are never followed; whoever sends decides about them.
import { request as plainRequest } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connect } from 'node:tls';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { proxyFor } from '../../config/environment.ts';
import { SightlineError } from '../../content/refusal.ts';
import type { HttpInit } from './http.ts';
import { proxyLogin, proxyPort, tunnelThrough } from './tunnel.ts';

/**
 * Sends it, and resolves with the beginning of the answer. That a server has closed a connection which rested here is often
 * noticed only by sending over it: what can be sent again then goes once more, over a new connection. A server that is longer
 * about it may have begun to work, and would be paid twice.
 */
export async function exchangeOnce(url: string, init: HttpInit): Promise<Response> {
  init.signal.throwIfAborted();
  const target = new URL(url);
  const request = await open(target, init);
  const heard = heardOver(request);
  const began = performance.now();
  try {
    return await exchanged(request, init);
  } catch (error) {
    const isClosed = request.reusedSocket && !heard() && gone.has((error as NodeJS.ErrnoException).code ?? '');
    if (!isClosed || performance.now() - began > closedMs || !isRepeatable(init)) throw error;
    init.signal.throwIfAborted();
    return exchanged(await open(target, init, { agent: false }), init);
  }
}

/** What a connection fails with that the other side has closed. */
const gone = new Set(['ECONNRESET', 'EPIPE']);

/** That one was closed before is known after one way there and back, on a busy machine somewhat later. */
const closedMs = 5000;

/** Tells whether any byte came since this request has its connection. */
function heardOver(request: ClientRequest): () => boolean {
  let before = 0;
  request.once('socket', ({ bytesRead }) => (before = bytesRead));
  return () => (request.socket?.bytesRead ?? 0) > before;
}

function isRepeatable({ method, body }: HttpInit): boolean {
  return body === undefined ? method === 'GET' || method === 'HEAD' : typeof body === 'function';
}

async function exchanged(request: ClientRequest, { signal, body }: HttpInit): Promise<Response> {
  let answered: IncomingMessage | undefined;
  // Node's own `signal` would also destroy a connection that waits for the next request already. One whose answer is here, but
  // was not read, does not: it would be kept for ever. There the answer is told, for by way of its request Node would read
  // it to its end first, stop listening to the connection, and have nobody left to tell.
  const abort = (): void => {
    if (!answered?.readableEnded) (answered ?? request).destroy(new DOMException('Cancelled.', 'AbortError'));
  };
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  request.once('close', () => signal.removeEventListener('abort', abort));
  return new Promise<Response>((resolve, reject) => {
    request.once('response', (message) => {
      answered = message;
      try {
        resolve(toResponse(message, request));
      } catch (error) {
        reject(error); // what came is no HTTP that one can read
      }
    });
    request.on('error', reject); // stays: an upload that breaks off after the answer began is no news
    if (!body) request.end();
    else upload(body, request).catch((error: unknown) => request.destroy(error as Error));
  });
}

/** What is there already leaves together. Else chunk by chunk: the next one is asked for when this one is with the system,
 * so that its memory can be used again. */
async function upload(given: NonNullable<HttpInit['body']>, request: ClientRequest): Promise<void> {
  const body = typeof given === 'function' ? given() : given;
  if (Array.isArray(body)) {
    request.cork();
    for (const chunk of body as Uint8Array[]) request.write(chunk);
    return void request.end();
  }
  const length = Number(request.getHeader('content-length'));
  for await (const chunk of body) {
    if (chunk.length === length) return void request.end(chunk); // one that is all there is leaves together with the head
    await new Promise<void>((resolve, reject) => {
      request.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  }
  request.end();
}

async function open(
  target: URL,
  { method, headers, signal }: HttpInit,
  over: Pick<RequestOptions, 'agent'> = {},
): Promise<ClientRequest> {
  const options: RequestOptions = { method, headers, ...over };
  const proxy = proxyFor(target);
  if (target.protocol === 'http:') return proxy ? throughProxy(target, proxy, options) : plainRequest(target, options);
  if (target.protocol !== 'https:')
    throw new SightlineError(
      'config',
      `"${target.protocol}" is no way to send requests; begin the address with http:// or https://.`,
    );
  if (!proxy) return secureRequest(target, options);
  const socket = await tunnelThrough(proxy, target, signal);
  // No agent here: one would connect by itself.
  const secured = connect({ socket, servername: target.hostname, ALPNProtocols: ['http/1.1'] });
  return secureRequest(target, { ...options, defaultPort: 443, createConnection: () => secured });
}

/** Without encryption a proxy is simply asked for the whole address. */
function throughProxy(target: URL, proxy: URL, options: RequestOptions): ClientRequest {
  const headers = { ...(options.headers as Record<string, string>), host: target.host, ...proxyLogin(proxy) };
  const send = proxy.protocol === 'https:' ? secureRequest : plainRequest;
  return send({ ...options, hostname: proxy.hostname, port: proxyPort(proxy), path: target.href, headers });
}

function toResponse(message: IncomingMessage, request: ClientRequest): Response {
  message.on('error', () => undefined); // told to whoever reads the body
  const headers = new Headers();
  const { rawHeaders: raw } = message;
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '');
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) {
    message.destroy();
    throw new SightlineError(
      'protocol',
      `The server answered with the status ${status}. Check its address: this is no answer of a model.`,
    );
  }
  const hasNoBody = request.method === 'HEAD' || status === 204 || status === 205 || status === 304;
  if (hasNoBody) message.resume(); // its end is there to be read all the same; until then nobody else gets the connection
  return new Response(hasNoBody ? null : toBody(message, request), { status, headers });
}

/** How long the last bytes behind an answer that nobody reads on may take, and how many they may be, before its connection is given up. */
const [lingerMs, lingerBytes] = [1000, 256 * 1024];

/** The bytes as they come; nothing is read ahead of whoever reads. A connection whose answer is over is kept for the
 * next request, unless the upload is still going on. */
function toBody(message: IncomingMessage, request: ClientRequest): ReadableStream<Uint8Array> {
  const settle = (): void => {
    if (!request.writableFinished) request.destroy();
  };
  const source = unpacked(message);
  const chunks: AsyncIterator<Uint8Array> = source.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next().catch(brokenOff);
        if (!next.done) return controller.enqueue(next.value);
        settle();
        controller.close();
      },
      cancel() {
        settle();
        let left = lingerBytes;
        const late = setTimeout(() => message.destroy(), lingerMs).unref();
        message.once('close', () => clearTimeout(late));
        const passed = ({ length }: Uint8Array): void => void ((left -= length) < 0 && message.destroy());
        void chunks.return?.().then(() => source.on('data', passed)); // as long as there is a reader, nothing flows by itself
      },
    },
    { highWaterMark: 0 },
  );
}

/** Node calls it "aborted" when the other side goes away, as if somebody here had wanted that. */
function brokenOff(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ECONNRESET' || message !== 'aborted') throw error;
  throw Object.assign(new Error('The connection broke before the answer was over.'), { code });
}

/** Nobody is asked to compress, but some proxies do. */
function unpacked(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return message;
  const unpacking = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  pipeline(message, unpacking).catch(() => undefined); // the reader of `unpacking` is told
  return unpacking;
}
