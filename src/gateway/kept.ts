// The gateway's two tables in the database of the home: they survive a restart, and instances on one machine share them.
import { createHash } from 'node:crypto';
import { openDatabase, prepared } from '../session/log/database.ts';
import { sqliteDescriptions } from '../session/log/sqlite-descriptions.ts';
import type { KeptKind, KeptTexts } from './memory.ts';

const day = 24 * 60 * 60 * 1000;
const keepDays = 30;
const mostBytes = 1024 * 1024 * 1024;
/** So many writes pass before old rows are looked for. */
const sweepEvery = 500;

const tables: Record<KeptKind, string> = { said: 'gateway_said', ledger: 'gateway_ledger' };

/** Opens the tables. Throws when the database cannot be opened. */
export function openKept(file: string, now: () => number = Date.now): KeptTexts {
  const database = openDatabase(file);
  // What a lost power supply takes is only cache; what is replaced does not stay readable in free pages.
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON');
  let writes = 0;
  const sweep = (): void => {
    for (const table of Object.values(tables)) {
      prepared(database, `DELETE FROM ${table} WHERE at < ?`).run(now() - keepDays * day);
      const sum = prepared(database, `SELECT coalesce(sum(octet_length(text)), 0) AS bytes FROM ${table}`).get();
      if (Number(sum?.['bytes']) > mostBytes)
        prepared(
          database,
          `DELETE FROM ${table} WHERE digest IN (SELECT digest FROM ${table} ORDER BY at LIMIT (SELECT count(*) / 4 FROM ${table}))`,
        ).run();
    }
  };
  const get = (kind: KeptKind, key: string): string | undefined => {
    const row = prepared(database, `SELECT text FROM ${tables[kind]} WHERE digest = ?`).get(keptName(key));
    return typeof row?.['text'] === 'string' ? row['text'] : undefined;
  };
  const put: KeptTexts['put'] = async (kind, key, text, request) => {
    const sql = `INSERT INTO ${tables[kind]} (digest, text, at, request) VALUES (?, ?, ?, ?)
      ON CONFLICT (digest) DO UPDATE SET text = excluded.text, at = excluded.at, request = excluded.request`;
    prepared(database, sql).run(keptName(key), text, now(), request);
    if (writes++ % sweepEvery === 0) sweep();
  };
  return {
    all: async (kind, keys) =>
      new Map(
        keys.flatMap((key) => {
          const text = get(kind, key);
          return text === undefined ? [] : [[key, text]];
        }),
      ),
    async first(kind, keys) {
      for (const key of keys) {
        const text = get(kind, key);
        if (text !== undefined) return text;
      }
      return undefined;
    },
    put,
    async putNew(kind, key, text, request) {
      const there = get(kind, key);
      if (there === undefined) await put(kind, key, text, request);
      return there;
    },
    async ready() {
      try {
        for (const table of Object.values(tables)) prepared(database, `SELECT 1 FROM ${table} LIMIT 1`).get();
        return true;
      } catch {
        return false;
      }
    },
    descriptions: sqliteDescriptions(database, now, keptName),
    close: async () => database.close(),
  };
}

/** Names of tenants stay out of the file, and no two of them can meet in it. */
export function keptName(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
