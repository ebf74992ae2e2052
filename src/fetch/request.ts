// The request that an SDK makes, looked at without touching it: only a POST whose body is text, or bytes of text, is of
// interest. And the same request with another body.

export type SeenRequest = {
  url: URL;
  text: string;
  signal: AbortSignal | undefined;
  /** Its sender has signed its bytes. */
  isSigned: boolean;
  /** What it is let in with. */
  secrets: () => readonly string[];
  /** The arguments of a fetch that sends another body in place of this one. A stream follows nobody who sends elsewhere. */
  with: (body: string | StreamedBody) => [input: RequestInfo | URL, init: RequestInit];
};

export type StreamedBody = { stream: ReadableStream<Uint8Array<ArrayBuffer>>; bytes: number };

/** Undefined when the request is none that could be repaired; then nothing of it was read that could not be read again. */
export async function look(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  isKnown: (url: URL) => boolean,
): Promise<SeenRequest | undefined> {
  const request = input instanceof Request ? input : undefined;
  const method = init?.method ?? request?.method ?? 'GET';
  const address = input instanceof Request ? input.url : input instanceof URL ? input.href : input;
  if (method.toUpperCase() !== 'POST' || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!isKnown(url)) return undefined;
  const headers = init?.headers ?? request?.headers;
  const read = new Headers(headers);
  if (read.has('content-encoding')) return undefined;
  const text = await textOf(init?.body ?? undefined, request);
  if (text === undefined) return undefined;
  const signal = init?.signal ?? request?.signal ?? undefined;
  return {
    url,
    text,
    signal,
    isSigned: read.get('authorization')?.startsWith('AWS4-') ?? false,
    secrets: () => secretsOf(url, read),
    with: (body) => {
      const changed: RequestInit = {
        ...told(init),
        ...(typeof body === 'string' ? whole(body, headers) : streamed(body, headers)),
      };
      return request ? [new Request(request.url, { ...plainInit(request), ...changed }), {}] : [input, changed];
    },
  };
}

/** What stands there as undefined says nothing, and hides nothing of a request. */
function told(init: RequestInit = {}): RequestInit {
  return Object.fromEntries(Object.entries(init).filter(([, value]) => value !== undefined));
}

const keyHeaders = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'];

function secretsOf({ searchParams }: URL, headers: Headers): string[] {
  const given = keyHeaders.flatMap((name) => headers.get(name)?.split(' ').at(-1) ?? []);
  return [...given, ...searchParams.getAll('key')].filter((secret) => secret !== '');
}

/** A stream can be read only once, and a form is no request of these APIs: both go out as they are. */
async function textOf(body: BodyInit | undefined, request: Request | undefined): Promise<string | undefined> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return decoded(body);
  if (body !== undefined || !request?.body || request.bodyUsed) return undefined;
  return /\bjson\b/.test(request.headers.get('content-type') ?? '') ? await request.clone().text() : undefined;
}

function decoded(bytes: Uint8Array | ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // not text
  }
}

/** A stated length would be wrong now; whoever sends the text counts it. */
function whole(body: string, headers: HeadersInit | undefined): RequestInit {
  if (headers === undefined) return { body };
  const copy = new Headers(headers);
  if (!copy.has('content-length')) return { body, headers };
  copy.delete('content-length');
  return { body, headers: copy };
}

/** Nobody can count a stream. Node wants to be told that its answer comes after it, and lets none outlive its caller. */
function streamed({ stream, bytes }: StreamedBody, headers: HeadersInit | undefined): RequestInit & { duplex: 'half' } {
  const copy = new Headers(headers);
  copy.set('content-length', String(bytes));
  return { body: stream, headers: copy, duplex: 'half', redirect: 'manual', keepalive: false };
}

function plainInit(request: Request): RequestInit {
  const { method, headers, redirect, credentials, cache, mode, referrerPolicy, integrity, keepalive, signal } = request;
  const plainMode = mode === 'navigate' ? {} : { mode };
  return { method, headers, redirect, credentials, cache, referrerPolicy, integrity, keepalive, signal, ...plainMode };
}
