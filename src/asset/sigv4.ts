// AWS Signature Version 4: what a request to S3, Bedrock and their like must carry to be believed. Pure over Web Crypto: no clock,
// no network, no library.

/** Who signs; `token` belongs to keys that expire. */
export type AwsKeys = { id: string; secret: string; token?: string };

export type SignedRequest = {
  method: string;
  url: URL;
  headers?: Readonly<Record<string, string>>;
  /** SHA-256 of the body in hexadecimal, or `UNSIGNED-PAYLOAD`. */
  bodyHash: string;
};

/** Where and when: S3 writes a path as it is, every other service encodes it once more. */
export type SigningScope = { region: string; service: string; now: Date };

const text = new TextEncoder();

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function hmac(key: BufferSource, words: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return await crypto.subtle.sign('HMAC', imported, text.encode(words));
}

/** The SHA-256 of a body, as a signature wants it. */
export async function bodyHashOf(body: Uint8Array<ArrayBuffer> | string): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', typeof body === 'string' ? text.encode(body) : body));
}

/** As RFC 3986 has it: letters, digits and - . _ ~ stay. */
function encoded(words: string): string {
  return encodeURIComponent(words).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function canonicalPath({ pathname }: URL, service: string): string {
  const parts = pathname.split('/').map((part) => encoded(decodeURIComponent(part)));
  return (service === 's3' ? parts : parts.map(encoded)).join('/');
}

/** By the numbers of their letters, whatever language this machine speaks. */
function order(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function canonicalQuery({ search }: URL): string {
  const pairs = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [encoded(decodeURIComponent(name)), encoded(decodeURIComponent(value.join('=')))] as const;
    });
  return pairs
    .toSorted(([a, x], [b, y]) => order(a, b) || order(x, y))
    .map((pair) => pair.join('='))
    .join('&');
}

/** The headers of a request with its signature among them; `host` is signed, and left for whoever sends to write. */
export async function signedHeaders(
  { method, url, headers = {}, bodyHash }: SignedRequest,
  { id, secret, token }: AwsKeys,
  { region, service, now }: SigningScope,
): Promise<Record<string, string>> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const sent: Record<string, string> = {
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    'x-amz-date': time,
    ...(service === 's3' && { 'x-amz-content-sha256': bodyHash }),
    ...(token !== undefined && { 'x-amz-security-token': token }),
  };
  const signed = Object.entries({ ...sent, host: url.host })
    .map(([name, value]) => [name, value.trim().replaceAll(/ +/g, ' ')] as const)
    .toSorted(([one], [other]) => order(one, other));
  const names = signed.map(([name]) => name).join(';');
  const request = [
    method.toUpperCase(),
    canonicalPath(url, service),
    canonicalQuery(url),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    bodyHash,
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  let key: BufferSource = text.encode(`AWS4${secret}`);
  for (const part of [day, region, service, 'aws4_request']) key = await hmac(key, part);
  const signature = hex(await hmac(key, ['AWS4-HMAC-SHA256', time, scope, await bodyHashOf(request)].join('\n')));
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}
