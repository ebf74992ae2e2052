// `[store]` → where sessions are kept when they are not in the home: a database that many machines share.
import { isRecord } from '../content/json.ts';
import { onlyKnown, wrong } from './wrong.ts';

/** Where sessions go. */
export type StoreSettings = { sessions?: string };

const keys = [
  'sessions', // "postgres://name@host/database"; the password may come from PGPASSWORD
];

export function storeTable(value: unknown, file: string): StoreSettings {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(file, 'store', 'a table');
  onlyKnown(value, keys, file, 'store');
  const { sessions } = value;
  if (sessions === undefined) return {};
  if (typeof sessions !== 'string' || !/^postgres(ql)?:\/\//.test(sessions))
    throw wrong(file, 'store.sessions', 'an address such as "postgres://name@host/database"');
  return { sessions };
}
