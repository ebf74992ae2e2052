// A connection through an HTTP proxy: CONNECT, and the socket that comes of it.
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import { SightlineError } from '../../content/refusal.ts';
import { unescaped } from '../../content/text.ts';

/** Opens a way to the target. Fails with the proxy's answer when it does not want to. */
export function tunnelThrough(proxy: URL, target: URL, signal: AbortSignal): Promise<Socket> {
  const authority = `${target.hostname}:${target.port || 443}`;
  const request = (proxy.protocol === 'https:' ? secureRequest : plainRequest)({
    hostname: proxy.hostname,
    port: proxyPort(proxy),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...proxyLogin(proxy) },
    agent: false,
  });
  const abort = (): void => void request.destroy(new DOMException('Cancelled.', 'AbortError'));
  signal.addEventListener('abort', abort);
  request.once('close', () => signal.removeEventListener('abort', abort));
  return new Promise((resolve, reject) => {
    request.once('connect', ({ statusCode = 0 }, socket) => {
      signal.removeEventListener('abort', abort); // from here on the socket belongs to whoever asked for it
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(
        new SightlineError(
          'protocol',
          `The proxy ${proxy.host} answered ${statusCode} for ${authority}. Check its address and its password.`,
        ),
      );
    });
    request.once('error', reject);
    request.end();
  });
}

export function proxyPort({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** What a proxy that wants a login is told. */
export function proxyLogin({ username, password }: URL): { 'proxy-authorization'?: string } {
  if (username === '') return {};
  const login = Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString('base64');
  return { 'proxy-authorization': `Basic ${login}` };
}
