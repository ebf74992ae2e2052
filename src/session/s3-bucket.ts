// Objects of a bucket over HTTP, each request signed. The hash that is signed with a body is the name of the asset, so the server
// itself refuses bytes that are not those of their name. What breaks on the way is tried again, and what cannot be mended leaves here as
// a sentence.
import { createHash } from 'node:crypto';
import { bodyHashOf, signedHeaders } from '../asset/sigv4.ts';
import { newHash } from '../asset/hash.ts';
import { SightlineError } from '../content/refusal.ts';
import { patience } from './away.ts';
import type { S3Place } from './s3-place.ts';
import { inS3Words, isPassingS3, S3Refusal } from './s3-words.ts';

export type S3Object = { key: string; size: number; modified: number };

export type S3Body = { size: number; bytes: AsyncIterable<Uint8Array> };

export type S3Bucket = {
  /** With `isNew`, 'there' when there is such an object already. */
  upload: (
    key: string,
    size: number,
    bytes: () => AsyncIterable<Uint8Array>,
    isNew: boolean,
  ) => Promise<'stored' | 'there'>;
  /** From a byte on; undefined when there is none. */
  download: (key: string, from?: number) => Promise<S3Body | undefined>;
  sizeOf: (key: string) => Promise<number | undefined>;
  copy: (from: string, to: string) => Promise<void>;
  remove: (keys: readonly string[]) => Promise<void>;
  /** Those whose name begins like this and has no further slash. */
  list: (beginning: string) => AsyncIterable<S3Object>;
};

type Sent = {
  method: 'GET' | 'PUT' | 'POST' | 'HEAD';
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: { size: number; hash: string; bytes: () => AsyncIterable<Uint8Array> };
};

type Answer = { headers: Headers; bytes: AsyncIterable<Uint8Array> };

const [idleMs, patienceMs, maxErrorBytes, perRemoval] = [30_000, 20_000, 64 * 1024, 1000];
const nothing = newHash().digest('hex');

/** As RFC 3986 has it, slashes stay. */
const inPath = (key: string): string =>
  key
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replaceAll(
        /[!'()*]/g,
        (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/');

/** The way to a bucket: signed requests, tried again until what is wrong does not pass. */
function wayTo(
  place: S3Place,
  now: () => number,
): { ask: (sent: Sent) => Promise<Answer>; named: (key: string) => string } {
  const { prefix, keys, region, base } = place;
  const named = (key: string): string => (prefix === '' ? key : `${prefix}/${key}`);

  /** One try; what the server refuses is thrown as it said it. */
  const send = async ({ method, key, query = {}, headers = {}, body }: Sent): Promise<Answer> => {
    const url = new URL(`${base}/${key === undefined ? '' : inPath(named(key))}`);
    url.search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    const [bodyHash, idle] = [body?.hash ?? nothing, idleWatch(url)];
    const sent = {
      ...headers,
      ...(method !== 'GET' && method !== 'HEAD' && { 'content-length': String(body?.size ?? 0) }),
    };
    const signed = await signedHeaders({ method, url, headers: sent, bodyHash }, keys, {
      region,
      service: 's3',
      now: new Date(now()),
    });
    try {
      const { exchangeOnce } = await import('../model/http/node-http.ts');
      const response = await exchangeOnce(url.href, {
        method,
        headers: signed,
        ...(body && { body: idle.observed(body.bytes()) }),
        signal: idle.signal,
        redirect: 'manual',
        duplex: 'half',
      });
      const bytes = ending(response.body ?? noBytes(), idle);
      if (response.ok && method !== 'HEAD') return { headers: response.headers, bytes };
      const words = await beginningOf(bytes);
      if (response.ok) return { headers: response.headers, bytes: noBytes() };
      throw new S3Refusal(response.status, words, response.headers);
    } catch (error) {
      idle.end();
      throw idle.signal.aborted ? idle.signal.reason : error;
    }
  };

  const { answered, isOver } = patience(patienceMs, isPassingS3);
  /** Until it succeeds, or what is wrong does not pass. */
  const ask = async (sent: Sent): Promise<Answer> => {
    let from: number | undefined; // an upload may take its time before it breaks
    for (let tries = 1, waitMs = 50; ; tries++, waitMs = Math.min(2 * waitMs, 2000)) {
      try {
        const answer = await send(sent);
        answered();
        return answer;
      } catch (error) {
        from ??= performance.now();
        if (isOver(error, from, tries)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  };
  return { ask, named };
}

async function unless<T>(status: number, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof S3Refusal && error.status === status && error.code !== 'NoSuchBucket') return undefined;
    throw error;
  }
}

/** The bucket; nothing is asked of it yet. */
export function openBucket(place: S3Place, now: () => number = Date.now): S3Bucket {
  const { ask, named } = wayTo(place, now);
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw inS3Words(place, error, now());
    }
  };
  const whole = async (sent: Sent): Promise<string> => await beginningOf((await ask(sent)).bytes, Infinity);

  return {
    upload: (key, size, bytes, isNew) =>
      told(async () => {
        const hash = key.split('/').at(-1) ?? '';
        const sent: Sent = {
          method: 'PUT',
          key,
          body: { size, hash, bytes },
          headers: { 'content-type': 'application/octet-stream' },
        };
        if (!isNew) return (await whole(sent), 'stored');
        const conditional: Sent = { ...sent, headers: { ...sent.headers, 'if-none-match': '*' } };
        for (let tries = 0; ; tries++) {
          try {
            return (await whole(conditional), 'stored');
          } catch (error) {
            const status = error instanceof S3Refusal ? error.status : 0;
            if (status === 412) return 'there';
            if (status === 501) return (await whole(sent), 'stored'); // a server that knows no conditions
            if (status !== 409 || tries === 5) throw error; // another one puts it at this moment
          }
        }
      }),
    download: (key, from = 0) =>
      told(async () => {
        const headers = from > 0 ? { range: `bytes=${from}-` } : {};
        const response = await unless(404, () => ask({ method: 'GET', key, headers }));
        if (!response) return undefined;
        return { size: from + Number(response.headers.get('content-length') ?? 0), bytes: response.bytes };
      }),
    sizeOf: (key) =>
      told(async () => {
        try {
          const response = await unless(404, () => ask({ method: 'HEAD', key }));
          return response && Number(response.headers.get('content-length'));
        } catch (error) {
          if (!(error instanceof S3Refusal)) throw error;
          await whole({ method: 'GET', key, headers: { range: 'bytes=0-0' } }); // an answer to HEAD does not say why
          throw error;
        }
      }),
    copy: (from, to) =>
      told(async () => {
        const source = inPath(`/${place.bucket}/${named(from)}`);
        await unless(404, () => whole({ method: 'PUT', key: to, headers: { 'x-amz-copy-source': source } }));
      }),
    remove: (all) =>
      told(async () => {
        for (let at = 0; at < all.length; at += perRemoval) {
          const objects = all
            .slice(at, at + perRemoval)
            .map((key) => `<Object><Key>${escaped(named(key))}</Key></Object>`);
          const text = `<?xml version="1.0" encoding="UTF-8"?><Delete><Quiet>true</Quiet>${objects.join('')}</Delete>`;
          const body = { size: Buffer.byteLength(text), hash: await bodyHashOf(text), bytes: () => once(text) };
          const headers = {
            'content-md5': createHash('md5').update(text).digest('base64'),
            'content-type': 'application/xml',
          };
          const answer = await whole({ method: 'POST', query: { delete: '' }, headers, body });
          const [refused] = valuesOf(answer, 'Error');
          if (refused !== undefined) throw new S3Refusal(403, refused, new Headers());
        }
      }),
    list: (beginning) => listed((query) => told(() => whole({ method: 'GET', query })), named(beginning)),
  };
}

async function* listed(
  ask: (query: Record<string, string>) => Promise<string>,
  prefix: string,
): AsyncGenerator<S3Object> {
  for (let token: string | undefined; ;) {
    const query = {
      'list-type': '2',
      prefix,
      delimiter: '/',
      ...(token !== undefined && { 'continuation-token': token }),
    };
    const text = await ask(query);
    for (const one of valuesOf(text, 'Contents')) {
      const [key = '', size = '', time = ''] = ['Key', 'Size', 'LastModified'].map((name) => valuesOf(one, name)[0]);
      yield { key: key.slice(prefix.length), size: Number(size), modified: Date.parse(time) };
    }
    token = valuesOf(text, 'NextContinuationToken')[0];
    if (token === undefined || valuesOf(text, 'IsTruncated')[0] !== 'true') return;
  }
}

/** What stands between the tags of this name, one after the other. */
function valuesOf(xml: string, name: string): string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs')), ([, inner = '']) => inner);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function beginningOf(bytes: AsyncIterable<Uint8Array>, most = maxErrorBytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Gives a request up on which nothing moves any more; whoever has its answer ends the watch. */
function idleWatch(url: URL): {
  signal: AbortSignal;
  observed: (bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;
  end: () => void;
} {
  const stop = new AbortController();
  const silent = (): void =>
    stop.abort(
      new SightlineError('storage', `${url.host} was silent for ${idleMs / 1000} seconds. Check the network.`),
    );
  let timer = setTimeout(silent, idleMs);
  return {
    signal: stop.signal,
    end: () => clearTimeout(timer),
    observed: async function* (bytes) {
      for await (const chunk of bytes) {
        clearTimeout(timer);
        timer = setTimeout(silent, idleMs);
        yield chunk;
      }
    },
  };
}

/** The bytes of an answer; the watch ends with them. */
async function* ending(
  bytes: AsyncIterable<Uint8Array>,
  idle: ReturnType<typeof idleWatch>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* idle.observed(bytes);
  } finally {
    idle.end();
  }
}
