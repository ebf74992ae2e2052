// A server on loopback that notes the very bytes it gets and hands them on to another one.
import { createHash } from 'node:crypto';
import { createServer, request as open } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RawServer = AsyncDisposable & {
  url: string;
  /** The SHA-256 of each body, in the order they came. */
  hashes: string[];
  bodies: string[];
};

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function rawServer(to: string): Promise<RawServer> {
  const [hashes, bodies]: [string[], string[]] = [[], []];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const bytes = Buffer.concat(chunks);
      if (incoming.method === 'POST' && incoming.url !== '/api/show') {
        hashes.push(sha256(bytes));
        bodies.push(bytes.toString('utf8'));
      }
      const onward = open(`${to}${incoming.url}`, { method: incoming.method, headers: incoming.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      onward.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    hashes,
    bodies,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
