// How a request shows who sends it: the header that carries a key or a token, as the catalog has it for each endpoint.
import type { Access } from '../config/environment.ts';
import { endpoints } from '../window/catalog.ts';
import type { Auth, EndpointName } from '../window/catalog.ts';

const headers: Record<Auth, (key: string) => Record<string, string>> = {
  bearer: (key) => ({ authorization: `Bearer ${key}` }),
  'x-api-key': (key) => ({ 'x-api-key': key }),
  'api-key': (key) => ({ 'api-key': key }),
  'x-goog-api-key': (key) => ({ 'x-goog-api-key': key }),
};

/** The header for a request to this address; none without a key or a token. A key comes first, where it is taken. */
export function authHeaders(endpoint: string, url: URL, { key, token }: Access): Record<string, string> {
  const { auth, tokenHosts = [] } = endpoints[endpoint as EndpointName];
  const takesKey = !tokenHosts.some((host) => url.hostname.endsWith(host));
  if (key !== undefined && takesKey) return headers[auth](key);
  return token === undefined ? {} : headers.bearer(token);
}

/** Whether somebody has put a key among the headers already. */
export function hasAuth(given: Readonly<Record<string, string>> = {}): boolean {
  const names = new Set(Object.values(headers).flatMap((header) => Object.keys(header(''))));
  return Object.keys(given).some((name) => names.has(name.toLowerCase()));
}

/** Headers of several origins; the later one holds, but features are asked for together. */
export function joinedHeaders(
  ...all: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const joined: Record<string, string> = Object.assign({}, ...all);
  const features = all.flatMap((one) => one?.['anthropic-beta'] ?? []);
  return features.length < 2 ? joined : { ...joined, 'anthropic-beta': features.join(',') };
}
