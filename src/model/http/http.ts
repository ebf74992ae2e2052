// What sends a request. Our own way is loaded with the first one: `node:http` takes longer to load than all the rest.

/** What a `fetch` of your own is given beside the address. */
export type FetchInit = {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: ReadableStream<Uint8Array<ArrayBuffer>>;
  signal: AbortSignal;
  redirect: 'manual';
  duplex: 'half';
};

/** What sends one request: ours, the global `fetch`, or anything else of this shape. */
export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

type HttpBytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** What is sent: by any method, from any bytes. What a function gives may be sent again, as long as nobody has answered. */
export type HttpInit = Omit<FetchInit, 'method' | 'body'> & {
  method: string;
  body?: HttpBytes | (() => HttpBytes);
};

/** The beginning of an answer, and its bytes as they come. */
export type HttpAnswer = {
  status: number;
  ok: boolean;
  headers: Pick<Headers, 'get'>;
  body: (AsyncIterable<Uint8Array> & { cancel: () => Promise<unknown> }) | null;
};

type OwnHttp = {
  exchangeOnce: (url: string, init: HttpInit) => Promise<Response>;
  askOnce: (url: string, init: HttpInit) => Promise<HttpAnswer>;
};

let loading: Promise<OwnHttp> | undefined;

function load(): Promise<OwnHttp> {
  return (loading ??= import('./node-http.ts'));
}

/** One exchange over node:http and node:https. */
export const nodeFetch = async (url: string, init: HttpInit): Promise<Response> =>
  (await load()).exchangeOnce(url, init);

/** The same for whoever reads the answer himself: a `Response` and its stream cost more than a small answer. */
export const nodeAsk = async (url: string, init: HttpInit): Promise<HttpAnswer> => (await load()).askOnce(url, init);
