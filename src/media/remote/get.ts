// One safe GET: an allowed URL in, a response out that is read as it comes. Every redirect is checked like the first
// address, the connection goes to the address that was checked, and time is bounded.
import { request as requestPlain } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { errorCode } from '../../config/system.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { UrlRules } from './address.ts';
import { addressesOf, checkUrl, pinnedTo } from './address.ts';

type Got = { url: URL; response: Response };

const maxRedirects = 5;

/** Fetches what a URL leads to. */
export async function get(text: string, rules: UrlRules, signal: AbortSignal): Promise<Read<Got>> {
  let next = text;
  for (let count = 0; count <= maxRedirects; count++) {
    const url = checkUrl(next, rules);
    if (!url.ok) return url;
    const addresses = await Promise.race([addressesOf(url.value, rules), stopped(url.value, signal)]);
    if (!addresses.ok) return addresses;
    const answered = await ask(url.value, pinnedTo(addresses.value), signal);
    if (!answered.ok) return answered;
    const { statusCode = 0, headers } = answered.value;
    // Some sites turn programs away with a number that no response can have, such as 999.
    if (statusCode < 200 || statusCode > 599) {
      answered.value.destroy();
      return refuse('not-found', `${url.value.host} answered ${statusCode}`, 'Check the address, or try another.');
    }
    const location = [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined;
    if (location === undefined) return { ok: true, value: { url: url.value, response: responseOf(answered.value) } };
    answered.value.destroy();
    const place = URL.parse(escapedBytes(location), url.value);
    if (!place) return refuse('not-found', 'The server redirects to nowhere', 'Try another.');
    next = place.href;
  }
  return refuse('not-found', 'The server redirects without end', 'Use another address.', `${maxRedirects} redirects`);
}

/** A server may name a place by bytes that are no ASCII, which Node gives as one character each. */
function escapedBytes(location: string): string {
  return location.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

function ask(url: URL, lookup: LookupFunction, signal: AbortSignal): Promise<Read<IncomingMessage>> {
  const options: RequestOptions = {
    lookup,
    signal,
    agent: false,
    headers: {
      'user-agent': 'Mozilla/5.0 (compatible; sightline)',
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
    },
  };
  return new Promise((resolve) => {
    const request = url.protocol === 'https:' ? requestSecure(url, options) : requestPlain(url, options);
    request.on('response', (message) => resolve({ ok: true, value: message }));
    request.on('error', (error) => resolve(failed(url, error, signal)));
    request.end();
  });
}

/** Resolving a name cannot be stopped, but it need not be waited for. */
function stopped(url: URL, signal: AbortSignal): Promise<Read<never>> {
  return new Promise((resolve) => {
    const stop = (): void => resolve(failed(url, new Error('stopped'), signal));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

function failed({ host }: URL, error: Error, signal: AbortSignal): Read<never> {
  if (signal.aborted) {
    const late = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
    return late
      ? refuse('timed-out', `${host} did not answer in time`, 'Try again later, or another address.')
      : refuse('cancelled', `The request to ${host} was cancelled`, 'Ask again when it is needed.');
  }
  const code = errorCode(error);
  const why = code === undefined ? '' : ` (${code})`;
  return refuse('not-found', `${host} could not be reached${why}`, 'Check the address, or try again later.');
}

const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };

function responseOf(message: IncomingMessage): Response {
  const encoding = message.headers['content-encoding']?.toLowerCase() ?? '';
  const make = Object.hasOwn(decoders, encoding) ? decoders[encoding as keyof typeof decoders] : undefined;
  const body = make ? pipeline(message, make(), () => undefined) : message; // its trouble reaches whoever reads it
  const status = message.statusCode ?? 200;
  const headers = new Headers();
  for (const name of ['content-type', 'content-length', 'content-encoding', 'content-disposition']) {
    const value = message.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const empty = status === 204 || status === 205 || status === 304;
  const stream = Readable.toWeb(body) as ReadableStream<Uint8Array>;
  return new Response(empty ? null : stream, { status, headers });
}
