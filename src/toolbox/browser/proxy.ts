// The only way out for the browser: a proxy on loopback that applies the rules for URLs to every connection a page
// makes, redirects, frames and scripts included, and connects to the very address it has checked.
import { createServer, request as requestPlain } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { refusalText } from '../../content/refusal.ts';
import type { UrlRules } from '../../media/remote/address.ts';
import { addressesOf, checkUrl, pinnedTo } from '../../media/remote/address.ts';

type Proxy = { address: string; close(): void };

/** Opens the proxy on a free port. */
export async function openProxy(rules: UrlRules): Promise<Proxy> {
  const server = createServer((message, response) => {
    void pass(message, response, rules).catch(() => response.destroy());
  });
  server.on('connect', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    void tunnel(message, socket, head, rules).catch(() => socket.destroy());
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await listening(server);
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${port}`, close };
}

function listening(server: Server): Promise<void> {
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

/** Encrypted traffic: the proxy sees where it goes, not what it is. */
async function tunnel(message: IncomingMessage, socket: Duplex, head: Buffer, rules: UrlRules): Promise<void> {
  socket.on('error', () => socket.destroy());
  const url = checkUrl(`https://${message.url ?? ''}`, rules);
  const addresses = url.ok ? await addressesOf(url.value, rules) : url;
  if (!url.ok || !addresses.ok) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  const port = url.value.port === '' ? 443 : Number(url.value.port);
  const host = url.value.hostname.replace(/^\[|\]$/g, '');
  const onward = connect({ host, port, lookup: pinnedTo(addresses.value) });
  onward.on('connect', () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    onward.write(head);
    socket.pipe(onward).pipe(socket);
  });
  onward.on('error', () => socket.destroy());
  socket.on('close', () => onward.destroy());
  onward.on('close', () => socket.destroy());
}

/** Plain http, where it is allowed. */
async function pass(message: IncomingMessage, response: ServerResponse, rules: UrlRules): Promise<void> {
  const url = checkUrl(message.url ?? '', rules);
  const addresses = url.ok ? await addressesOf(url.value, rules) : url;
  if (!url.ok || !addresses.ok || url.value.protocol !== 'http:') {
    const why = addresses.ok ? 'Only http: is asked for here; https: needs a tunnel.' : refusalText(addresses.refusal);
    response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(why);
    return;
  }
  const { 'proxy-connection': _own, 'proxy-authorization': _key, ...headers } = message.headers;
  const lookup = pinnedTo(addresses.value);
  const onward = requestPlain(url.value, { method: message.method, headers, lookup, agent: false });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  response.on('close', () => onward.destroy());
  message.pipe(onward);
}
