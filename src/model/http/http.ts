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

let loaded: Promise<{ exchangeOnce: (url: string, init: HttpInit) => Promise<Response> }> | undefined;

/** One exchange over node:http and node:https. */
export const nodeFetch = async (url: string, init: HttpInit): Promise<Response> => {
  loaded ??= import('./node-http.ts');
  const { exchangeOnce } = await loaded;
  return exchangeOnce(url, init);
};
