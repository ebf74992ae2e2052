// Where a bucket is, and who may use it: what an address such as s3://bucket/prefix and the keys beside it mean.
import type { AwsKeys } from '../asset/sigv4.ts';
import { SightlineError } from '../content/refusal.ts';

/** Who may use a bucket, and whose server it is on: what the usual variables of AWS say unless it is given. */
export type S3Access = {
  keys?: AwsKeys;
  region?: string;
  /** Any server that speaks S3; that of AWS unless set. */
  endpoint?: string;
};

export type S3Place = {
  bucket: string;
  /** Before the name of each asset; may be empty. */
  prefix: string;
  region: string;
  keys: AwsKeys;
  /** The address of the bucket. */
  base: string;
};

/** Reads an address; throws in words for what is none, and for keys that nobody set. */
export function s3PlaceOf(address: string, { keys, region = 'us-east-1', endpoint }: S3Access): S3Place {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*))?$/.exec(address) ?? [];
  if (bucket === undefined)
    throw new SightlineError('input', `"${address}" is no address of a bucket: it looks like s3://bucket/prefix.`);
  if (!keys)
    throw new SightlineError(
      'config',
      `There are no keys for bucket "${bucket}". Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    );
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new SightlineError(
      'config',
      `"${endpoint}" is no address of a server. Set AWS_ENDPOINT_URL_S3 to https://host.`,
    );
  const prefix = path.replaceAll(/^\/+|\/+$/g, '');
  return { bucket, prefix, region, keys, base: baseOf(bucket, region, endpoint) };
}

/** A bucket is a part of the host at AWS, where a certificate allows it, and of the path everywhere else. */
function baseOf(bucket: string, region: string, endpoint: string | undefined): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, '')}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}
