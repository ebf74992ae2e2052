// Where the web tools may go: https to public addresses. The program may allow plain http, and hosts by name; a model
// never can. A name is resolved once, every address it has is checked, and the connection goes to what was checked,
// so that a name which changes its mind in between reaches nothing.
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { safeWords } from '../../content/text.ts';

/** Which addresses may be fetched besides public ones over https. */
export type UrlRules = {
  /** Lets plain http be used too. */
  http?: boolean;
  /** Hosts, with or without a port, that may be reached whatever their address, also by http: "localhost:3000". */
  hosts?: readonly string[];
};

// 168.63.129.16 counts as public, but in Azure it is the host of each machine that answers there.
const closed = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12],
  ['168.63.129.16', 32], ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.88.99.0', 24], ['192.168.0.0', 16],
  ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24], ['224.0.0.0', 4], ['240.0.0.0', 4],
] as const) closed.addSubnet(net, bits, 'ipv4'); // prettier-ignore
// Tunnels name an address of the other kind inside theirs, and so could lead anywhere.
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed.addSubnet(net, bits, 'ipv6');

const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

/** Whether an address belongs to the public internet. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return family === 6 && global.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

/** A URL that may be opened, as far as that shows before its name is resolved. */
export function checkUrl(text: string, rules: UrlRules): Read<URL> {
  if (!URL.canParse(text)) return refuse('not-found', `"${safeWords(text)}" is no URL`, 'Give a whole one: https://…');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refuse('not-allowed', `URLs with ${url.protocol} are not opened`, 'Give one with https:.');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('not-allowed', 'A URL with a name or password in it is not opened', 'Give it without them.');
  }
  if (isLocal(url) && !isAllowed(url, rules)) return notPublic(url.host);
  if (url.protocol === 'http:' && rules.http !== true && !isAllowed(url, rules)) {
    return refuse('not-allowed', `${url.host} is asked for without encryption`, 'Use https:.');
  }
  return { ok: true, value: url };
}

/** Whether a URL names this machine or a private network, as far as that shows before its name is resolved. */
export function isLocal({ hostname }: URL): boolean {
  const name = hostname.replace(/^\[|\]$/g, '');
  return isIP(name) === 0 ? name === 'localhost' || name.endsWith('.localhost') : !isPublic(name);
}

function isAllowed({ hostname, host, port, protocol }: URL, { hosts = [] }: UrlRules): boolean {
  const withPort = port === '' ? `${hostname}:${protocol === 'https:' ? 443 : 80}` : host;
  return hosts.some((allowed) => allowed === hostname || allowed === host || allowed === withPort);
}

/** The addresses behind a URL, all of them checked. */
export async function addressesOf(url: URL, rules: UrlRules): Promise<Read<LookupAddress[]>> {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(name);
  const found = family === 0 ? await lookup(name, { all: true }).catch(() => []) : [{ address: name, family }];
  if (found.length === 0) return refuse('not-found', `There is no host ${url.hostname}`, 'Check the address.');
  if (!isAllowed(url, rules) && !found.every(({ address }) => isPublic(address))) return notPublic(url.host);
  return { ok: true, value: found };
}

/** Resolves any name to what was checked, and asks nobody again. */
export function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  const [first] = addresses;
  return (_name, options, callback) => {
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function notPublic(host: string): Read<never> {
  const next =
    'Use a public address. Only the user can allow this one: in a chat when asked, with --allow-host ' +
    `${host}, or by hosts under [web] in config.toml; in code with urls.hosts.`;
  return refuse('not-allowed', `${host} lies in a private network or on this machine`, next);
}
