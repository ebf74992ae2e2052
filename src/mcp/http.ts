// Our MCP server over HTTP: at one path, behind the guard, refusing in the protocol's words.
import { reachableName } from '../model/guard.ts';
import { listen } from '../model/listen.ts';

/** Where a server of tools listens, and who may ask it. */
export type HttpOptions = {
  /** 0, or nothing, for any free port. */
  port?: number;
  /** This machine alone, unless told otherwise. */
  host?: string;
  /** What clients must send as `Authorization: Bearer …`; only a server on this machine may do without. */
  token?: string;
};

type Serving = { url: string; ended: Promise<void>; close: () => Promise<void> };
type Handle = (request: Request) => Promise<Response>;

const methods = ['GET', 'POST', 'DELETE'];

/** Serves until it is closed. Bodies hold at most `maxBytes`. */
export async function serveHttp(options: HttpOptions, maxBytes: number, handle: Handle): Promise<Serving> {
  const { host = '127.0.0.1' } = options;
  const { port, ended, close } = await listen(
    { ...options, host, methods, maxBytes },
    {
      handle: (request) =>
        new URL(request.url).pathname === '/mcp' ? handle(request) : failed(404, 'The server is at /mcp.'),
      turnAway: ({ status, message, headers }) => failed(status, message, headers),
    },
  );
  return { url: `http://${reachableName(host)}:${port}/mcp`, ended, close };
}

function failed(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status, headers });
}
