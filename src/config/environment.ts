// The only place where the library looks at the environment: keys and addresses of endpoints under the names that
// their vendors gave them, and proxies. Nothing is read before a request is to be sent.
import { SightlineError } from '../content/refusal.ts';
import { endpoints, isEndpoint, placeVariables } from '../window/catalog.ts';
import type { Cloud, EndpointRow } from '../window/catalog.ts';

/** Variables by their names, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process, as it is now. */
export function ownEnvironment(): Environment {
  return { ...process.env };
}

/** These variables alone, as far as they are set: all that a program we start may know of our environment. */
export function variables(names: readonly string[], environment: Environment = process.env): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

/** How to reach an endpoint. A key goes into the vendor's own header, a token is a bearer token. */
export type Access = {
  key?: string | undefined;
  token?: string | undefined;
  baseUrl?: string | undefined;
  apiVersion?: string | undefined;
};

/** What the environment says about an endpoint. Empty values count as not set. */
export function accessOf(endpoint: string, environment: Environment = process.env): Access {
  const found = (names: readonly string[] = []): string | undefined =>
    names.map((name) => environment[name]?.trim()).find((value) => value !== undefined && value !== '');
  const { env, base } = rowOf(endpoint);
  const [key, token, apiVersion] = [env?.key, env?.token, env?.apiVersion].map(found);
  const listen = found(env?.listen);
  const placed = env?.places && filledIn(base ?? '', env.places, found);
  const baseUrl = found(env?.baseUrl) ?? (listen === undefined ? placed : dialled(listen, base));
  return {
    ...(key !== undefined && { key }),
    ...(token !== undefined && { token }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiVersion !== undefined && { apiVersion }),
  };
}

/** An address with its region and project, if all of them are told. What is global has no region before its host. */
function filledIn(
  base: string,
  cloud: Cloud,
  found: (names?: readonly string[]) => string | undefined,
): string | undefined {
  const whole = base.replaceAll(/\{(\w+)\}(-?)/g, (brace, name: string, dash: string) => {
    const value = found(placeVariables[cloud][name]);
    if (value === undefined) return brace;
    return value === 'global' && dash !== '' ? '' : encodeURIComponent(value) + dash;
  });
  return whole.includes('{') ? undefined : whole;
}

/** The variables that would hold the key of an endpoint. */
export function keyVariables(endpoint: string): readonly string[] {
  const { key = [], token = [] } = rowOf(endpoint).env ?? {};
  return [...key, ...token];
}

function rowOf(endpoint: string): Partial<EndpointRow> {
  return isEndpoint(endpoint) ? endpoints[endpoint] : {};
}

/** An address to listen on as one to call, as Ollama's own clients read it: what names no scheme has the usual port, and an address
 * that means all of this machine becomes one of its own. */
function dialled(host: string, usual = ''): string {
  const hasScheme = /^\w+:\/\//.test(host);
  const url = URL.parse(hasScheme ? host : `http://${host.replace(/^:(?=\d)/, '127.0.0.1:')}`);
  if (!url) return host;
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  if (!hasScheme && url.port === '' && !/:\d+$/.test(host)) url.port = URL.parse(usual)?.port ?? '';
  return url.href;
}

/** The proxy for an address, as curl and most programs read it; this machine itself is always reached directly. */
export function proxyFor(target: URL, environment: Environment = process.env): URL | undefined {
  const named = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const host = target.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || host === '::1' || host.startsWith('127.') || host.endsWith('.localhost'))
    return undefined;
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  const exempt = named('NO_PROXY')
    .split(/[\s,]+/)
    .some((rule) => matches(rule.toLowerCase(), host, port));
  if (exempt) return undefined;
  const kind = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = named(kind) || named('ALL_PROXY');
  if (proxy === '') return undefined;
  const url = URL.parse(/^\w+:\/\//.test(proxy) ? proxy : `http://${proxy}`);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new SightlineError(
    'config',
    `The proxy of the environment is not one for HTTP; set ${kind} to http://host:port.`,
  );
}

function matches(rule: string, host: string, port: string): boolean {
  if (rule === '') return false;
  if (rule === '*') return true;
  const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(rule) ?? [];
  const suffix = name.replace(/^\*?\.?/, '');
  return (only === undefined || only === port) && (host === suffix || host.endsWith(`.${suffix}`));
}

/** What the environment says about AWS and its buckets, under the names that AWS gave them. Empty values count as not set. */
export function awsAccessOf(environment: Environment = process.env): {
  keys?: { id: string; secret: string; token?: string };
  region?: string;
  endpoint?: string;
} {
  const found = (...names: string[]): string | undefined =>
    names.map((name) => environment[name]?.trim()).find((value) => value !== undefined && value !== '');
  const [id, secret, token] = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'].map((name) =>
    found(name),
  );
  const [region, endpoint] = [
    found('AWS_REGION', 'AWS_DEFAULT_REGION'),
    found('AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'),
  ];
  return {
    ...(id !== undefined && secret !== undefined && { keys: { id, secret, ...(token !== undefined && { token }) } }),
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
  };
}
