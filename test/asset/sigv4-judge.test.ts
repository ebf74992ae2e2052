// Signatures against those of Amazon's own library, over requests that nobody chose.
import { createRequire } from 'node:module';
import { createHash, createHmac } from 'node:crypto';
import type { Hash, Hmac } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyHashOf, signedHeaders } from '../../src/asset/sigv4.ts';

type Signer = { sign: (request: object, options: object) => Promise<{ headers: Record<string, string> }> };
type Smithy = { SignatureV4: new (options: object) => Signer };

const required = createRequire(new URL('../judge/package.json', import.meta.url));
const { SignatureV4 } = required('@smithy/signature-v4') as Smithy;

/** The SHA-256 that the library wants to be given. */
class Sha256 {
  #hash: Hash | Hmac;
  constructor(secret?: Uint8Array | string) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
  }
  update(data: Uint8Array | string): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

/** As every SDK of the vendor writes a part of an address. */
function escaped(words: string): string {
  return encodeURIComponent(words).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const letters = fc.string({
  unit: fc.constantFrom(...`a b z A Z 0 9 - . _ ~ ! ' ( ) * + , ; : @ & = $ % é 😀`.split(' '), ' '),
  minLength: 1,
  maxLength: 12,
});
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  host: fc.constantFrom('bedrock-runtime.us-east-1.amazonaws.com', '127.0.0.1:9000', 'bucket.s3.example.org'),
  path: fc.array(letters, { maxLength: 4 }),
  query: fc.dictionary(letters, letters, { maxKeys: 4, noNullPrototype: true }),
  headers: fc.dictionary(
    fc.stringMatching(/^x-[a-z]{2,8}$/),
    fc.stringMatching(/^[ -~]{0,20}$/).filter((value) => value.trim() !== ''),
    { maxKeys: 3, noNullPrototype: true },
  ),
  body: fc.string({ maxLength: 200 }),
  keys: fc.record({ id: fc.stringMatching(/^[A-Z0-9]{8,20}$/), secret: fc.stringMatching(/^[\w/+]{8,40}$/) }),
  token: fc.option(fc.stringMatching(/^[\w/+=]{1,60}$/), { nil: undefined }),
  region: fc.constantFrom('us-east-1', 'eu-central-1', 'ap-southeast-2'),
  now: fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
});

test.each(['bedrock', 'bedrock-mantle', 's3'])('requests to %s are signed as the library of the vendor signs them', async (service) => {
  await fc.assert(
    fc.asyncProperty(request, async ({ method, host, path, query, headers, body, keys, token, region, now }) => {
      const pathname = `/${path.map(escaped).join('/')}`;
      const search = Object.entries(query).map((pair) => pair.map(escaped).join('=')).join('&');
      const url = new URL(`https://${host}${pathname}${search === '' ? '' : `?${search}`}`);
      if (url.pathname !== pathname) return; // dots are gone before anybody signs
      const bodyHash = await bodyHashOf(body);
      const ours = await signedHeaders(
        { method, url, headers, bodyHash },
        { ...keys, ...(token !== undefined && { token }) },
        { region, service, now },
      );
      const signer = new SignatureV4({
        service, region, sha256: Sha256, uriEscapePath: service !== 's3', applyChecksum: service === 's3',
        credentials: { accessKeyId: keys.id, secretAccessKey: keys.secret, ...(token !== undefined && { sessionToken: token }) },
      });
      const theirs = await signer.sign(
        { method, protocol: 'https:', hostname: url.hostname, path: url.pathname, query, headers: { ...headers, host: url.host }, body },
        { signingDate: now },
      );
      expect(ours['authorization']).toBe(theirs.headers['authorization']);
      expect({ ...ours, host: url.host }).toEqual(theirs.headers);
    }),
    { numRuns: 200 },
  );
}); // prettier-ignore
