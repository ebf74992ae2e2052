// What a server that speaks S3, and the way to it, complain about, as sentences: what is wrong with which bucket, and what to do.
import { errorCode } from '../config/system.ts';
import { SightlineError } from '../content/refusal.ts';
import type { S3Place } from './s3-place.ts';

/** What the server refused, as it said it. */
export class S3Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Headers;
  constructor(status: number, xml: string, headers: Headers) {
    const part = (name: string): string | undefined => new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1];
    super(part('Message') ?? part('Code') ?? `status ${status}`);
    this.status = status;
    this.code = part('Code') ?? '';
    this.headers = headers;
  }
}

const brokenWays = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);

/** Whether the same again may succeed. */
export function isPassingS3(error: unknown): boolean {
  if (!(error instanceof S3Refusal)) return brokenWays.has(errorCode(error) ?? '');
  return error.status >= 500 ? error.status !== 501 : error.status === 429 || error.code === 'RequestTimeout';
}

const rights = 's3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket';

type Words = { bucket: string; host: string; key: string; place: string; off: string; region: string };

const byCode: Record<string, (words: Words) => string> = {
  AccessDenied: ({ place, key }) => `The access key ${key} has not the rights it needs in ${place}. Give it ${rights}.`,
  InvalidAccessKeyId: ({ host, key }) =>
    `The access key ${key} is not known at ${host}. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
  SignatureDoesNotMatch: ({ host, key }) =>
    `The secret of access key ${key} is wrong for ${host}. Set AWS_SECRET_ACCESS_KEY.`,
  ExpiredToken: ({ key }) => `The access key ${key} has expired. Get new keys, with AWS_SESSION_TOKEN among them.`,
  RequestTimeTooSkewed: ({ host, off }) =>
    `The clock of this machine and that of ${host} are ${off} apart, and at most 15 minutes are allowed. Set the clock of this machine.`,
  NoSuchBucket: ({ place }) => `There is no ${place}. Make it, or name another one in assets = "s3://bucket/prefix".`,
  QuotaExceeded: ({ place }) =>
    `The quota of ${place} is used up. Raise it, or remove sessions and run "sightline sessions gc".`,
  EntityTooLarge: ({ place }) => `An asset is larger than ${place} takes at once (5 GB at AWS). Store it in parts.`,
  PermanentRedirect: elsewhere,
  TemporaryRedirect: elsewhere,
  AuthorizationHeaderMalformed: elsewhere,
  XAmzContentSHA256Mismatch: changed,
  BadDigest: changed,
};

function elsewhere({ place, region }: Words): string {
  return `${place} is in another region${region === '' ? '' : ` (${region})`}. Set AWS_REGION to it.`;
}

function changed({ place }: Words): string {
  return `Bytes were changed on their way to ${place}, and nothing was stored. Try again; look at proxies between.`;
}

function apart(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** The complaint as a sentence; what is one already, or a mistake of ours, stays as it is. */
export function inS3Words({ bucket, keys, base }: S3Place, error: unknown, now: number): unknown {
  if (error instanceof SightlineError || !(error instanceof Error)) return error;
  const { host } = new URL(base);
  const place = `bucket "${bucket}" on ${host}`;
  const told = (what: string): SightlineError =>
    new SightlineError('storage', `${what[0]?.toUpperCase()}${what.slice(1)}`, { cause: error });
  if (error instanceof S3Refusal) {
    const { code, headers, status, message } = error;
    const words = byCode[code] ?? (status === 403 ? byCode['AccessDenied'] : status === 301 ? elsewhere : undefined);
    const off = apart(Date.parse(headers.get('date') ?? '') - now);
    const region = headers.get('x-amz-bucket-region') ?? '';
    if (words) return told(words({ bucket, host, key: keys.id, place, off, region }));
    return told(
      `${place} refused something: ${message} (${code === '' ? status : code}). Check the bucket and its rights.`,
    );
  }
  const code = errorCode(error) ?? '';
  if (code === 'ENOTFOUND') return told(`The host ${host} is not known. Check AWS_ENDPOINT_URL_S3 and AWS_REGION.`);
  if (brokenWays.has(code)) return told(`${place} cannot be reached (${code}). Check the address and the network.`);
  return error;
}
