// Descriptions of pictures in the database of a home: several processes share them, and one of them makes each.
import type { DatabaseSync } from 'node:sqlite';
import type { DescriptionTable } from '../../model/descriptions.ts';
import { prepared } from './database.ts';

const lapseMs = 60_000;

/** The table over an open database. `name` makes of a key what stands there. */
export function sqliteDescriptions(
  database: DatabaseSync,
  now: () => number,
  name: (key: string) => string = (key) => key,
): DescriptionTable {
  const run = (sql: string, ...given: (string | number)[]): number =>
    Number(prepared(database, sql).run(...given).changes);
  return {
    find: async (key) => {
      const row = prepared(database, 'SELECT text FROM description WHERE key = ?').get(name(key));
      return typeof row?.['text'] === 'string' ? row['text'] : undefined;
    },
    claim: async (key) => {
      const sql = `INSERT INTO description (key, text, at, asset) VALUES (?, NULL, ?, ?)
        ON CONFLICT DO UPDATE SET at = excluded.at WHERE text IS NULL AND at < ?`;
      return run(sql, name(key), now(), /sha256:([0-9a-f]{64})/.exec(key)?.[1] ?? '', now() - lapseMs) === 1;
    },
    keep: async (key, text) => void run('UPDATE description SET text = ? WHERE key = ?', text, name(key)),
    free: async (key) => void run('DELETE FROM description WHERE key = ? AND text IS NULL', name(key)),
  };
}

/** Takes away what was said of pictures that nothing names any more, inside whatever transaction is open. */
export function forgetDescriptions(database: DatabaseSync, hashes: Iterable<string>): void {
  const sql = `DELETE FROM description WHERE asset = ? AND NOT EXISTS (SELECT 1 FROM reference WHERE hash = ?)
    AND NOT EXISTS (SELECT 1 FROM request_asset WHERE hash = ?)`;
  for (const hash of hashes) prepared(database, sql).run(hash, hash, hash);
}
