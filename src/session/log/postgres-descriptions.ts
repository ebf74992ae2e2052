// Descriptions of pictures in PostgreSQL: machines share them, and one of them makes each.
import type { DescriptionTable } from '../../model/descriptions.ts';
import type { Postgres } from './postgres-pool.ts';

/** The table over a database. `name` makes of a key what stands there. */
export function postgresDescriptions(
  { ask }: Postgres,
  name: (key: string) => string = (key) => key,
): DescriptionTable {
  return {
    find: async (key) => {
      const text = (await ask('SELECT text FROM sightline.description WHERE key = $1', [name(key)]))[0]?.['text'];
      return typeof text === 'string' ? text : undefined;
    },
    claim: async (key) => {
      const sql = `INSERT INTO sightline.description (key, at, asset) VALUES ($1, clock_timestamp(), decode($2, 'hex'))
        ON CONFLICT (key) DO UPDATE SET at = excluded.at
          WHERE description.text IS NULL AND description.at < clock_timestamp() - interval '1 minute' RETURNING key`;
      return (await ask(sql, [name(key), /sha256:([0-9a-f]{64})/.exec(key)?.[1] ?? null])).length > 0;
    },
    keep: async (key, text) => {
      const sql = 'UPDATE sightline.description SET text = $2 WHERE key = $1';
      await ask(sql, [name(key), text.replaceAll('\0', '')]);
    },
    free: async (key) =>
      void (await ask('DELETE FROM sightline.description WHERE key = $1 AND text IS NULL', [name(key)])),
  };
}
