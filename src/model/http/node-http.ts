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
import { unescaped } from '../../content/text.ts';
import type { HttpAnswer, HttpInit } from './http.ts';
import { proxyLogin, proxyPort, tunnelThrough } from './tunnel.ts';

/** The same in the shape of `fetch`, for those who hand it on. */
export async function exchangeOnce(url: string, init: HttpInit): Promise<Response> {
  const { status, message, body } = await askOnce(url, init);
  try {
    const headers = new Headers();
    const { rawHeaders: raw } = message;
    for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '');
    return new Response(body && streamOf(body), { status, headers });
  } catch (error) {
    message.destroy();
    throw error; // what came is no HTTP that one can read
  }
}

/**
 * Sends it, and resolves with the beginning of the answer. That a server has closed a connection which rested here is often
 * noticed only by sending over it: what can be sent again then goes once more, over a new connection. A server that is longer
 * about it may have begun to work, and would be paid twice.
 */
export async function askOnce(url: string, init: HttpInit): Promise<OwnAnswer> {
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

async function exchanged(request: ClientRequest, { signal, body }: HttpInit): Promise<OwnAnswer> {
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
  return new Promise((resolve, reject) => {
    request.once('response', (message) => {
      answered = message;
      try {
        resolve(answerOf(message, request));
      } catch (error) {
        reject(error); // what came is no answer
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
  if (target.protocol === 'http:')
    return proxy ? throughProxy(target, proxy, options) : plainRequest({ ...placeOf(target), ...options });
  if (target.protocol !== 'https:')
    throw new SightlineError(
      'config',
      `"${target.protocol}" is no way to send requests; begin the address with http:// or https://.`,
    );
  if (!proxy) return secureRequest({ ...placeOf(target), ...options });
  const socket = await tunnelThrough(proxy, target, signal);
  // No agent here: one would connect by itself.
  const secured = connect({ socket, servername: target.hostname, ALPNProtocols: ['http/1.1'] });
  return secureRequest(target, { ...options, defaultPort: 443, createConnection: () => secured });
}

/** An address as `request` takes it: a URL would be spread into twelve options, which agents copy for each request. */
function placeOf({ hostname, port, pathname, search, username, password }: URL): RequestOptions {
  return {
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    path: pathname + search,
    ...(port !== '' && { port: Number(port) }),
    ...(username !== '' && { auth: `${unescaped(username)}:${unescaped(password)}` }),
  };
}

/** Without encryption a proxy is simply asked for the whole address. */
function throughProxy(target: URL, proxy: URL, options: RequestOptions): ClientRequest {
  const headers = { ...(options.headers as Record<string, string>), host: target.host, ...proxyLogin(proxy) };
  const send = proxy.protocol === 'https:' ? secureRequest : plainRequest;
  return send({ ...options, hostname: proxy.hostname, port: proxyPort(proxy), path: target.href, headers });
}

function answerOf(message: IncomingMessage, request: ClientRequest): OwnAnswer {
  message.on('error', () => undefined); // told to whoever reads the body
  const { statusCode: status = 0, headers } = message;
  if (status < 200 || status > 599) {
    message.destroy();
    throw new SightlineError(
      'protocol',
      `The server answered with the status ${status}. Check its address: this is no answer of a model.`,
    );
  }
  const hasNoBody = request.method === 'HEAD' || status === 204 || status === 205 || status === 304;
  if (hasNoBody) message.resume(); // its end is there to be read all the same; until then nobody else gets the connection
  return {
    status,
    ok: status < 300,
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    message,
    body: hasNoBody ? null : bodyOf(message, request),
  };
}

type OwnAnswer = HttpAnswer & { body: OwnBody | null; message: IncomingMessage };
type OwnBody = AsyncIterableIterator<Uint8Array, void> & { cancel: () => Promise<IteratorResult<Uint8Array, void>> };

/** How long the last bytes behind an answer that nobody reads on may take, and how many they may be, before its connection is given up. */
const [lingerMs, lingerBytes] = [1000, 256 * 1024];

/** The bytes as they come; nothing is read ahead of whoever reads. A connection whose answer is over is kept for the
 * next request, unless the upload is still going on. */
function bodyOf(message: IncomingMessage, request: ClientRequest): OwnBody {
  const settle = (): void => {
    if (!request.writableFinished) request.destroy();
  };
  const source = unpacked(message);
  const chunks: AsyncIterator<Uint8Array> = source.iterator({ destroyOnReturn: false });
  const body: OwnBody = {
    async next() {
      try {
        const next = await chunks.next();
        if (next.done) settle();
        return next;
      } catch (error) {
        throw brokenOff(error);
      }
    },
    async cancel() {
      settle();
      let left = lingerBytes;
      const late = setTimeout(() => message.destroy(), lingerMs).unref();
      message.once('close', () => clearTimeout(late));
      await chunks.return?.(); // as long as there is a reader, nothing flows by itself
      source.on('data', ({ length }: Uint8Array) => void ((left -= length) < 0 && message.destroy()));
      return { done: true, value: undefined };
    },
    return: () => body.cancel(),
    [Symbol.asyncIterator]: () => body,
  };
  return body;
}

function streamOf(body: OwnBody): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await body.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: () => void body.cancel(),
    },
    { highWaterMark: 0 },
  );
}

/** Node calls it "aborted" when the other side goes away, as if somebody here had wanted that. */
function brokenOff(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ECONNRESET' || message !== 'aborted') return error;
  return Object.assign(new Error('The connection broke before the answer was over.'), { code });
}

/** Nobody is asked to compress, but some proxies do. */
function unpacked(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return message;
  const unpacking = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  pipeline(message, unpacking).catch(() => undefined); // the reader of `unpacking` is told
  return unpacking;
}
