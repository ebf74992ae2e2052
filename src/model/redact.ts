// Words of a provider, an address or a header → the same without anything secret or endless: no keys, no base64.
import { maskKeys } from '../content/keys.ts';

const runs = /[\w+/=-]{200,}/g;
const maxLength = 2000;

/** What may stand in an error or a trace. `known` are the secrets of this very request. */
export function redact(text: string, known: readonly string[] = []): string {
  const open = known
    .filter((secret) => secret.length >= 4)
    .reduce((kept, secret) => kept.replaceAll(secret, '[key]'), text);
  const short = maskKeys(open).replaceAll(runs, (run) => `[${run.length} characters]`);
  return short.length <= maxLength ? short : `${short.slice(0, maxLength).toWellFormed()} …`;
}

const secretName = /key|token|secret|auth|cookie|password/i;

/** What stands in headers whose names say that it is a secret, with and without the word before it. */
export function secretsIn(headers: Readonly<Record<string, string>> = {}): string[] {
  const secret = Object.entries(headers).filter(([name]) => secretName.test(name));
  return secret.flatMap(([, value]) => [value, value.replace(/^\w+\s+/, '')]);
}

/** An address for a trace: who asked with which password stays out of it. */
export function redactUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return redact(url);
  if (parsed.password !== '') parsed.password = 'key';
  else if (parsed.username !== '') parsed.username = 'key'; // a token stands alone
  for (const name of parsed.searchParams.keys()) if (secretName.test(name)) parsed.searchParams.set(name, '[key]');
  return parsed.href;
}
