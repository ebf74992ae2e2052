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

/** One exchange over node:http and node:https. */
export const nodeFetch: Fetch = async (url, init) => {
  const { exchangeOnce } = await import('./node-http.ts');
  return await exchangeOnce(url, init);
};
