// The servers of the comparison, each a process of its own that tells what it uses, and a client that asks them in turn.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Usage } from './probe.ts';

export type Server = { name: string; port: number; child: ChildProcess };

/** One way through one server: where the body goes, and what it has to be told. */
export type Way = { name: string; server: Server; path: string; model: string; headers?: Record<string, string> };

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server and waits until it takes requests. */
export async function start(name: string, file: string, args: readonly string[], port: number): Promise<Server> {
  const child = fork(file.endsWith('.ts') ? here(file) : file, args, {
    execArgv: ['--expose-gc', '--import', here('probe.ts')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  for (let tries = 0; tries < 200; tries++) {
    if (await answers(port)) return { name, port, child };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${name} does not listen.`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request({ port, host: '127.0.0.1', path: '/healthz' }, (response) => {
      response.resume();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
    probe.end();
  });
}

export async function usage({ child }: Server, word: 'tell' | 'reset' | 'watch' = 'tell'): Promise<Usage> {
  const told = once(child, 'message');
  child.send(word);
  const [value] = (await told) as [Usage];
  return value;
}

/** Connections for some requests in a row: one that rests for long is closed by its server. */
export function connections(atOnce = 64): Agent {
  return new Agent({ keepAlive: true, maxSockets: atOnce });
}

/** Sends a body and waits for the whole answer; how many milliseconds that took. */
export function ask({ server, path, headers }: Way, body: Buffer, agent: Agent): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port: server.port,
        host: '127.0.0.1',
        path,
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': String(body.length),
          authorization: 'Bearer none',
          ...headers,
        },
      },
      (response) => {
        let answer = '';
        response.on('data', (chunk: Buffer) => (answer += chunk.toString()));
        response.once('end', () => {
          if (response.statusCode === 200 && answer.includes('Good.')) resolve(performance.now() - began);
          else reject(new Error(`${server.name}: ${response.statusCode} ${answer.slice(0, 300)}`));
        });
        response.once('error', reject);
      },
    );
    sent.once('error', (error) => reject(new Error(`${server.name}: ${error.message}`)));
    sent.end(body);
  });
}
