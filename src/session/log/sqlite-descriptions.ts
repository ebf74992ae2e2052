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
      const sql = `INSERT INTO description (key, text, at) VALUES (?, NULL, ?)
        ON CONFLICT DO UPDATE SET at = excluded.at WHERE text IS NULL AND at < ?`;
      return run(sql, name(key), now(), now() - lapseMs) === 1;
    },
    keep: async (key, text) => void run('UPDATE description SET text = ? WHERE key = ?', text, name(key)),
    free: async (key) => void run('DELETE FROM description WHERE key = ? AND text IS NULL', name(key)),
  };
}
