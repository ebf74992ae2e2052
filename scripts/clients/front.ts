// Gateways behind one address that stays: so one can be killed between two turns, or two of them can take turns, and the
// client does not know. What is killed is `sightline serve` as its users run it, in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { openGateway } from '../../src/gateway/index.ts';

export type Front = {
  url: string;
  /** What the client sent, as it sent it. */
  asked: readonly ClientRequest[];
  close: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

export type ClientRequest = { path: string; headers: IncomingHttpHeaders; body: string };

/** The model behind a gateway, and its address. */
export type Behind = { model: `${string}/${string}`; baseUrl: string; key: string };

type Served = { url: string; end: () => Promise<unknown> };

const main = resolve('src/cli/main.ts');

async function serveInProcess(home: string, target: Behind): Promise<Served> {
  const database = join(home, 'sessions.db');
  const { url, close } = await openGateway({ port: 0, database, models: { target }, routes: { '*': ['target'] } });
  return { url, end: () => close() };
}

async function serveInChild(home: string): Promise<Served> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, SIGHTLINE_HOME: home };
  const child = spawn(process.execPath, [main, 'serve', '--port', '0'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  const url = await new Promise<string>((found, failed) => {
    child.stderr.on('data', (chunk: Buffer) => {
      told += chunk.toString();
      const [, at] = /Listening on (http:\S+)/.exec(told) ?? [];
      if (at !== undefined) found(at);
    });
    child.once('exit', () => failed(new Error(`The gateway does not start: ${told}`)));
  });
  const gone = once(child, 'exit');
  return { url, end: async () => void (child.kill('SIGKILL') && (await gone)) };
}

/** Opens so many gateways on one home. When they are killed, that happens before the second and the third request. */
export async function openFront(
  home: string,
  target: Behind,
  { gateways, killed }: { gateways: number; killed: boolean },
): Promise<Front> {
  const serve = (): Promise<Served> => (killed ? serveInChild(home) : serveInProcess(home, target));
  let served = await Promise.all(Array.from({ length: gateways }, serve));
  const asked: ClientRequest[] = [];
  let turns = 0;
  let underWay: Promise<unknown> = Promise.resolve();
  const next = async (): Promise<string> => {
    const nth = turns++;
    if (killed && (nth === 1 || nth === 2)) {
      await Promise.all(served.map(({ end }) => end()));
      served = await Promise.all(served.map(serve));
    }
    return served[nth % served.length]?.url ?? '';
  };
  const server = createServer((incoming, outgoing) => {
    const before = underWay;
    const { url = '', headers } = incoming;
    const keep = (body: string): void => void asked.push({ path: url, headers, body });
    underWay = before
      .then(async () => pass(await next(), incoming, outgoing, keep))
      .catch(() => void outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await Promise.all(served.map(({ end }) => end()));
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, close, [Symbol.asyncDispose]: close };
}

/** Resolves when the answer is over: a gateway is killed between two requests, not within one. */
function pass(
  url: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  keep: (body: string) => void,
): Promise<void> {
  return new Promise((over, failed) => {
    const { method, headers } = incoming;
    const onward = request(`${url}${incoming.url}`, { method, headers: { ...headers, host: new URL(url).host } });
    onward.once('error', failed).once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing).once('close', over);
    });
    outgoing.once('close', () => {
      onward.destroy();
      over();
    });
    const chunks: Buffer[] = [];
    incoming
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', () => keep(Buffer.concat(chunks).toString()));
    incoming.pipe(onward);
  });
}
