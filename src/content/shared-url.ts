// Addresses that everybody may have, and those that are a key themselves: whoever has such an address has the file.
import type { unpassed } from './words.ts';

/** Names of parts of a query that hold a key, whole or by their last word: `sig`, `X-Amz-Signature`, `private_token`. */
const keys =
  /^(?:sig|auth|key|api_?key|jwt|hmac|expires|policy|key-pair-id|awsaccesskeyid|googleaccessid)$|(?:token|secret|password|signature|credential)$|[-_.](?:sig|auth|key)$/i;

const atHome = /\.(?:local|localhost|internal|lan|home|corp|intranet|arpa|test|invalid)\.?$/;

/** Why an address stays here; undefined for one that everybody may open. */
export function whyUnshared(text: string): keyof typeof unpassed | undefined {
  if (!URL.canParse(text)) return 'invalid';
  const { protocol, username, password, hostname, searchParams } = new URL(text);
  if (protocol !== 'https:') return 'http';
  if (username !== '' || password !== '') return 'user';
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  if (isAddress || !hostname.includes('.') || atHome.test(hostname)) return 'local';
  return [...searchParams.keys()].some((name) => keys.test(name)) ? 'signed' : undefined;
}

/** An address without what may be a key: no name, no password, no query where that holds one. */
export function withoutKeys(text: string): string {
  if (!URL.canParse(text)) return '';
  const url = new URL(text);
  Object.assign(url, { username: '', password: '' });
  if ([...url.searchParams.keys()].some((name) => keys.test(name))) url.search = '';
  return url.href;
}
