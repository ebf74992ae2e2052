// Who may come in: what every listener of ours asks before it reads a body. A request that is not plainly one for this
// listener is answered here; what is let in has an address that nobody behind the guard can read in another way.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SightlineError } from '../content/refusal.ts';

/** What a listener lets in. */
export type GuardRules = {
  /** What it listens on. Other than this machine alone, it needs a token. */
  host: string;
  methods: readonly string[];
  /** The most that a body may hold; 0 where none is expected. */
  maxBytes: number;
  /** What clients must send as `Authorization: Bearer …`. */
  token?: string;
  /** A page of another site may lead a browser here, as the redirect of a login does; what it loads may still not. */
  byRedirect?: boolean;
  /** Other sites whose pages may call, such as `https://app.example.com`. */
  origins?: readonly string[];
};

export type Turned = { status: number; message: string; headers?: Record<string, string> };
export type Admission = { ok: true; url: URL } | ({ ok: false } & Turned);

type Head = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const everywhere = new Set(['0.0.0.0', '[::]']);
/** A proxy and what stands behind it could disagree on a second one of these. */
const single = new Set(['host', 'origin', 'authorization', 'content-length', 'content-type', 'sec-fetch-site']);
const forbidden = new Set(['CONNECT', 'TRACE', 'TRACK']); // no `Request` may bear them
const maxHeaders = 100;

/** Throws when a listener with these rules would stand open to the network. */
export function checkRules({ host, token }: GuardRules): void {
  if (token === '') throw new SightlineError('config', 'The token is empty. Give one of at least a few letters.');
  if (token === undefined && !isThisMachine(host)) {
    throw new SightlineError('config', `A server on ${host} needs a token. Give one, or listen on 127.0.0.1.`);
  }
}

/** Whether a listener on this host is heard on this machine alone. */
export function isThisMachine(host: string): boolean {
  return loopback.includes(nameOf(host));
}

/** The name of a host as it stands in an address: where any address is listened on, this machine's. */
export function reachableName(host: string): string {
  const name = nameOf(host);
  return everywhere.has(name) ? 'localhost' : name;
}

/** Lets a request in, with its address, or says what to answer it. Looks at nothing but its head. */
export function admit(head: Head, rules: GuardRules): Admission {
  const { method = '', url: target = '', headers, rawHeaders } = head;
  if (rawHeaders.length > maxHeaders * 2) return turned(431, `A request may have ${maxHeaders} headers.`);
  const twice = repeated(rawHeaders);
  if (twice !== undefined) return turned(400, `The header ${twice} stands there twice.`);
  if (forbidden.has(method)) return turned(400, `${method} means nothing here.`);
  const host = (headers.host ?? '').toLowerCase();
  const url = addressOf(host, target);
  if (!url)
    return turned(400, 'The address must be a path that begins with one slash, at a host with or without a port.');

  const name = nameOf(rules.host);
  const ours = new Set([...loopback, name]);
  const isOpen = everywhere.has(name); // then any name may lead here, and the token alone decides
  if (!isOpen && !ours.has(host.replace(/:\d+$/, ''))) return turned(403, 'This server does not go by that name.');
  const invited = headers.origin !== undefined && rules.origins?.includes(headers.origin) === true;
  if (headers.origin !== undefined && !invited && !ours.has(URL.parse(headers.origin)?.hostname ?? '')) {
    return turned(403, 'Pages of that origin may not call this server.');
  }
  if (!invited && isFromElsewhere(headers, rules)) return turned(403, 'Pages of other sites may not call this server.');
  if (rules.token !== undefined && !isToken(bearerOf(headers.authorization), rules.token)) {
    const ask = { 'www-authenticate': 'Bearer' };
    return turned(401, 'A token is needed: Authorization: Bearer <token>.', ask);
  }
  const allow = rules.methods.join(', ');
  if (!rules.methods.includes(method)) return turned(405, `Only ${allow} can be asked for.`, { allow });
  const bytes = Number(headers['content-length'] ?? (headers['transfer-encoding'] === undefined ? 0 : 1));
  if (!(bytes <= rules.maxBytes)) return turned(413, largeBodyWords(rules.maxBytes));
  return { ok: true, url };
}

/** What whoever sends more than that is told, wherever it is noticed. */
export function largeBodyWords(maxBytes: number): string {
  return `A body may hold ${maxBytes} bytes. Send less at once.`;
}

/** The first header that stands there again though it may not. */
function repeated(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (!single.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/** Compares in a time that tells nothing about either. */
export function isToken(given: string, token: string): boolean {
  return timingSafeEqual(hash(given), hash(token));
}

function bearerOf(authorization: string | undefined): string {
  return /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Only a path of this server is an address: with a host before it, or slashes that could begin one, it is none. */
function addressOf(host: string, target: string): URL | undefined {
  const isHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(host);
  const isPath = /^\/(?![/\\])[\u0021-\u007e]*$/.test(target) && !target.includes('#');
  return isHost && isPath ? (URL.parse(`http://${host}${target}`) ?? undefined) : undefined;
}

/** Browsers say whether a page of another site asks; a tab that such a page sends here is another matter. */
function isFromElsewhere(headers: Head['headers'], { byRedirect = false }: GuardRules): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'same-site' || site === 'none') return false;
  return !(byRedirect && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document');
}

function nameOf(host: string): string {
  return host.includes(':') ? `[${host.replaceAll(/[[\]]/g, '').toLowerCase()}]` : host.toLowerCase();
}

function turned(status: number, message: string, headers?: Record<string, string>): Admission {
  return { ok: false, status, message, ...(headers && { headers }) };
}
