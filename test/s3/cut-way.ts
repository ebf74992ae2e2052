// A way to a server on which the first answers break off after so many bytes.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How often it breaks. */
const cuts = 2;

export async function cutWay(
  target: string,
  afterBytes: number,
): Promise<{ endpoint: string; ranges: (string | undefined)[]; close: () => Promise<void> }> {
  const { hostname, port } = new URL(target);
  const ranges: (string | undefined)[] = [];
  const server = createServer((incoming, answer) => {
    ranges.push(incoming.headers.range);
    const isCut = ranges.length <= cuts;
    const onward = request(
      { hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 0, response.headers);
        let passed = 0;
        response.on('data', (chunk: Buffer) => {
          answer.write(chunk);
          passed += chunk.length;
          if (isCut && passed > afterBytes) incoming.socket.destroy();
        });
        response.on('end', () => answer.end());
        response.on('error', () => incoming.socket.destroy());
      },
    );
    onward.on('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ranges,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
