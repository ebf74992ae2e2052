// `fetch` for servers over HTTP, with a bound on what one answer may hold: a whole body, or one event of a stream. A
// server that floods ends its answer with an error, not our memory.

export type SiteFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export function boundedFetch(maxBytes: number, base: SiteFetch = fetch): SiteFetch {
  return async (url, init) => {
    const response = await base(url, init);
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bound(maxBytes, isStream)), { status, statusText, headers });
  };
}

/** `fetch` with headers for this server; whoever gives the tokens may be somebody else, and gets none of them. */
export function knocking(url: string, headers: Readonly<Record<string, string>>): SiteFetch {
  return async (address, init) => {
    if (new URL(address).origin !== new URL(url).origin) return await fetch(address, init);
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) if (!all.has(name)) all.set(name, value);
    return await fetch(address, { ...init, headers: all });
  };
}

/** Counts bytes; in a stream of events an empty line begins anew. */
function bound(maxBytes: number, isStream: boolean): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let since = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = isStream ? lastEmptyLine(chunk) : -1;
      since = end < 0 ? since + chunk.length : chunk.length - end;
      if (since > maxBytes) {
        controller.error(new Error(`it sent a message of more than ${Math.round(maxBytes / 1_048_576)} MiB`));
      } else controller.enqueue(chunk);
    },
  });
}

function lastEmptyLine(chunk: Uint8Array): number {
  for (let at = chunk.lastIndexOf(10); at > 0; at = chunk.lastIndexOf(10, at - 1)) {
    if (chunk[at - 1] === 10 || (chunk[at - 1] === 13 && chunk[at - 2] === 10)) return at + 1;
  }
  return -1;
}
