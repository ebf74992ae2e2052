// A way to a server on which things go wrong: connections are cut, answers are swallowed.
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

export type Proxy = {
  port: number;
  /** How many there are just now. */
  connections: () => number;
  /** Ends all connections. */
  cut: () => void;
  /** From now on the server hears, and nobody hears the server, or who says these words does not; told when it has answered something. */
  swallow: (words?: string) => Promise<void>;
  /** As if nothing had been. */
  mend: () => void;
  close: () => void;
};

export async function proxyTo(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let swallowed: (() => void) | undefined;
  let deafening = '';
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => (sockets.delete(one), other.destroy()));
    }
    let isDeaf = false;
    client.on('data', (bytes) => {
      isDeaf = swallowed !== undefined && bytes.includes(deafening);
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (swallowed && (isDeaf || deafening === '')) swallowed();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    connections: () => sockets.size / 2,
    cut,
    swallow: (words = '') =>
      new Promise((resolve) => {
        [swallowed, deafening] = [resolve, words];
      }),
    mend: () => (swallowed = undefined),
    close: () => {
      cut();
      server.close();
    },
  };
}
