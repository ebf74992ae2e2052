// Who asks: a key of this gateway, known by its hash, with what it may use and spend.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { KeySettings } from '../config/serve.ts';
import type { GatewaySettings } from './settings.ts';
import { fitsPattern, pickerPrefix } from './targets.ts';

/** Whoever asks. Without keys there is one, of no name. */
export type Tenant = { name: string; key?: KeySettings; credential?: string };

/** Whether a vendor is asked with the client's own key. */
export function bringsKey({ key }: Tenant): boolean {
  return key?.upstream === 'client';
}

const places = ['x-api-key', 'x-goog-api-key', 'api-key'];

/** The tenant of a request; undefined when keys are asked for and it has none. Every key is compared, in equal time. */
export function tenantOf(
  headers: Readonly<Record<string, string>>,
  url: URL,
  { keys }: Pick<GatewaySettings, 'keys'>,
): Tenant | undefined {
  const credentials = credentialsIn(headers, url);
  const rows = Object.entries(keys);
  const [credential] = credentials;
  if (rows.length === 0) return { name: '', ...(credential !== undefined && { credential }) };
  let found: Tenant | undefined;
  for (const one of credentials) {
    const hash = createHash('sha256').update(one).digest();
    for (const [name, key] of rows) {
      const known = Buffer.from(key.hash.replace(/^sha256:/, ''), 'hex');
      if (known.length === hash.length && timingSafeEqual(known, hash)) found ??= { name, key, credential: one };
    }
  }
  return found;
}

/** Why somebody without a key of ours is not let in: most who read it have sent that of a vendor. */
export function keylessWords(headers: Readonly<Record<string, string>>, url: URL): string {
  return credentialsIn(headers, url).length === 0
    ? 'This gateway asks for a key of its own. Send one.'
    : 'The key that was sent is none of this gateway. Send one that whoever runs it has made for you.';
}

function credentialsIn(headers: Readonly<Record<string, string>>, url: URL): string[] {
  const bearer = /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1];
  const inAddress = url.search === '' ? undefined : (url.searchParams.get('key') ?? undefined);
  const given = [bearer, inAddress, ...places.map((name) => headers[name])];
  return given.flatMap((one) => (one === undefined || one === '' ? [] : [one]));
}

/** Whether a tenant may ask for this name: it stands among its own, or fits a pattern there. */
export function mayUse({ key }: Tenant, name: string): boolean {
  if (!key?.routes) return true;
  const bare = name.startsWith(pickerPrefix) ? name.slice(pickerPrefix.length) : name;
  return key.routes.some((own) => fitsPattern(name, own) || fitsPattern(bare, own));
}
