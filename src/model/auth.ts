// How a request shows who sends it: the header that carries a key or a token, as the catalog has it for each endpoint, or
// a signature over all of it.
import { newHash } from '../asset/hash.ts';
import { signedHeaders } from '../asset/sigv4.ts';
import type { SigningScope } from '../asset/sigv4.ts';
import { accessOf, awsAccessOf } from '../config/environment.ts';
import type { Access } from '../config/environment.ts';
import { endpoints } from '../window/catalog.ts';
import type { Auth, EndpointName } from '../window/catalog.ts';
import { systemClock } from './http/clock.ts';
import { nodeFetch } from './http/http.ts';
import type { Outgoing } from './prepared.ts';
import type { Secret, SendOptions } from './send-options.ts';

const headers: Record<Auth, (key: string) => Record<string, string>> = {
  bearer: (key) => ({ authorization: `Bearer ${key}` }),
  'x-api-key': (key) => ({ 'x-api-key': key }),
  'api-key': (key) => ({ 'api-key': key }),
  'x-goog-api-key': (key) => ({ 'x-goog-api-key': key }),
};

/** A key or a token that was given; an empty one stands for none at all. */
export type KeyGiven = { [Name in 'key' | 'apiKey' | 'token']?: Secret | undefined };

/** Who asks an endpoint: whoever is given, with no key of anybody else; without one, whoever the environment names. */
export async function accessGiven(endpoint: string, { apiKey, key = apiKey, token }: KeyGiven): Promise<Access> {
  const named = accessOf(endpoint);
  if (key === undefined && token === undefined) return named;
  return { ...named, key: await reveal(key), token: await reveal(token) };
}

async function reveal(secret: Secret | undefined): Promise<string | undefined> {
  return (typeof secret === 'function' ? await secret() : secret) || undefined;
}

/** The header for a request to this address; none without a key or a token. A key comes first, where it is taken. */
export function authHeaders(endpoint: string, url: URL, { key, token }: Access): Record<string, string> {
  const { auth, tokenHosts = [] } = endpoints[endpoint as EndpointName];
  const takesKey = !tokenHosts.some((host) => url.hostname.endsWith(host));
  if (key !== undefined && takesKey) return headers[auth](key);
  return token === undefined ? {} : headers.bearer(token);
}

/** The headers of a request in the name of whoever a cloud knows on this machine; nothing where nobody is known. */
export async function cloudHeaders(
  endpoint: string,
  outgoing: Outgoing,
  options: SendOptions,
  secrets: string[],
): Promise<Record<string, string> | undefined> {
  const { signing: service, tokens } = endpoints[endpoint as EndpointName];
  const now = (options.clock ?? systemClock).now();
  if (tokens === 'google') {
    const { googleToken } = await import('./google-token.ts');
    const token = await googleToken(options.fetch ?? nodeFetch, now, options.signal);
    secrets.push(token);
    return { ...outgoing.headers, ...headers.bearer(token) };
  }
  if (service === undefined) return undefined;
  const { keys: named, region: usual } = awsAccessOf();
  const given = await options.credentials?.();
  const keys = given ? { id: given.accessKeyId, secret: given.secretAccessKey, token: given.sessionToken } : named;
  const region = /^[\w-]+\.([\w-]+)\.(?:api\.aws|amazonaws\.com)$/.exec(new URL(outgoing.url).host)?.[1] ?? usual;
  if (!keys || region === undefined) return undefined;
  secrets.push(keys.secret, ...(keys.token === undefined ? [] : [keys.token]));
  return signed(outgoing, { ...keys }, { region, service, now: new Date(now) });
}

/** The body is read once more for its hash, in pieces. */
async function signed(
  { url, headers: said, stream }: Outgoing,
  { id, secret, token }: { id: string; secret: string; token?: string | undefined },
  scope: SigningScope,
): Promise<Record<string, string>> {
  const hash = newHash();
  for await (const chunk of stream({ reuse: true })) hash.update(chunk);
  const request = { method: 'POST', url: new URL(url), headers: said, bodyHash: hash.digest('hex') };
  return signedHeaders(request, { id, secret, ...(token !== undefined && { token }) }, scope);
}

/** Whether somebody has put a key among the headers already. */
export function hasAuth(given: Readonly<Record<string, string>> = {}): boolean {
  const names = new Set(Object.values(headers).flatMap((header) => Object.keys(header(''))));
  return Object.keys(given).some((name) => names.has(name.toLowerCase()));
}

/** Headers of several origins, whatever the case of their names; the later one holds, but features are asked for together. */
export function joinedHeaders(
  ...all: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [given, value] of all.flatMap((one) => Object.entries(one ?? {}))) {
    const name = given.toLowerCase();
    const before = name === 'anthropic-beta' ? joined[name] : undefined;
    joined[name] = before === undefined ? value : `${before},${value}`;
  }
  return joined;
}
