// `[store]` → where sessions are kept when they are not in the home: a database that many machines share, and a bucket for
// their media.
import { isRecord } from '../content/json.ts';
import { onlyKnown, wrong } from './wrong.ts';

/** Where sessions and their media go. */
export type StoreSettings = { sessions?: string; assets?: string; cacheBytes?: number };

const keys = [
  'sessions', // "postgres://name@host/database"; the password may come from PGPASSWORD
  'assets', // "s3://bucket/prefix" for the media; without it they are in the database. Keys come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL_S3
  'cache', // how much of a bucket's media is kept in the home, such as "500 MiB"; "2 GiB" unless set
];

const units: Record<string, number> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 };

function bytesIn(words: unknown): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMGT]iB)$/.exec(typeof words === 'string' ? words : '') ?? [];
  return number === undefined ? undefined : Number(number) * (units[unit] ?? 0);
}

export function storeTable(value: unknown, file: string): StoreSettings {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(file, 'store', 'a table');
  onlyKnown(value, keys, file, 'store');
  const { sessions, assets, cache } = value;
  if (sessions !== undefined && (typeof sessions !== 'string' || !/^postgres(ql)?:\/\//.test(sessions)))
    throw wrong(file, 'store.sessions', 'an address such as "postgres://name@host/database"');
  if (assets !== undefined && (typeof assets !== 'string' || !/^s3:\/\/./.test(assets)))
    throw wrong(file, 'store.assets', 'an address such as "s3://bucket/prefix"');
  if (assets !== undefined && sessions === undefined)
    throw wrong(file, 'store.assets', 'set together with store.sessions: media of a home stay in it');
  const cacheBytes = bytesIn(cache);
  if (cache !== undefined && cacheBytes === undefined) throw wrong(file, 'store.cache', 'a size such as "2 GiB"');
  return {
    ...(sessions !== undefined && { sessions }),
    ...(assets !== undefined && { assets }),
    ...(cacheBytes !== undefined && { cacheBytes }),
  };
}
