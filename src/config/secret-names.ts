// Secrets by the names that values have, and text without them. No settings are read here.
import { unescaped } from '../content/text.ts';
import { escaped } from '../page/html.ts';
import type { Environment } from './environment.ts';

/** What is shorter is no key, but would be found in many words. */
const shortest = 8;
const secretName =
  /(?:^|[_-])(?:key|token|secret|pass|password|passwd|passphrase|pat|credentials?|authorization|cookie)$/i;
const addressName = /(?:^|_)(?:proxy|url|host|endpoint)$/i;

/** Those of the environment alone, for programs that read no settings. */
export function environmentSecrets(environment: Environment = process.env): string[] {
  return longestFirst(secretsOfEnvironment(environment));
}

/** Before they are in order. */
export function secretsOfEnvironment(environment: Environment): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => secretIn(name, value));
}

/** So that one inside another leaves nothing behind. */
export function longestFirst(found: readonly string[]): string[] {
  const trimmed = new Set(found.map((value) => value.trim()));
  return [...trimmed].filter((value) => value.length >= shortest).toSorted((a, b) => b.length - a.length);
}

/** The secret of a value that goes by this name, if it is one. */
export function secretIn(name: string, value: string): string[] {
  if (secretName.test(name)) return [plainSecret(value)];
  const { password = '' } = (addressName.test(name) && URL.parse(value)) || {};
  return password === '' ? [] : [unescaped(password)];
}

/** A header's value without the word before it; where only a variable stands behind that, nothing of it is secret. */
export function plainSecret(value: string): string {
  return /^(?:\w+\s+)?\$\{\w+\}$/.test(value) ? '' : value.replace(/^(?:bearer|basic)\s+/i, '');
}

/** Text without any of the secrets, as they are or as they stand in JSON, in addresses and in pages. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap(secretForms)
    .reduce((kept, form) => (kept.includes(form) ? kept.replaceAll(form, '[key]') : kept), text);
}

/** A secret as it is, and as it stands in JSON, in addresses and in pages. */
export function secretForms(secret: string): string[] {
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), escaped(secret)])];
}
