// Uploads to providers in the database of a home: several processes share them, and one of them sends each medium up.
import type { DatabaseSync } from 'node:sqlite';
import { hashIn } from '../../content/block.ts';
import { claimMs, soonMs } from '../../model/uploads/port.ts';
import type { UploadRow, UploadTable } from '../../model/uploads/port.ts';
import { prepared } from './database.ts';
import type { InTurn } from './in-turns.ts';

/** The columns of an upload, as SQLite and PostgreSQL have them. */
export function uploadRow(row: Record<string, unknown>): UploadRow {
  const { account, hash, endpoint, file, size, created, expires } = row;
  return {
    account: String(account),
    asset: `sha256:${String(hash)}`,
    endpoint: String(endpoint),
    file: String(file),
    size: Number(size),
    created: Number(created),
    expires: Number(expires),
    state: file === '' ? 'sending' : 'ready',
  };
}

/** The same in the order of the columns. */
export function uploadColumns({
  account,
  asset,
  endpoint,
  file,
  size,
  created,
  expires,
}: UploadRow): (string | number)[] {
  return [account, hashIn(asset), endpoint, file, size, created, expires];
}

export function sqliteUploads(database: DatabaseSync, inTurn: InTurn): UploadTable {
  const run = (sql: string, ...given: (string | number)[]): number =>
    Number(prepared(database, sql).run(...given).changes);
  const put = `INSERT INTO upload VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET file = excluded.file, size = excluded.size, created = excluded.created, expires = excluded.expires`;
  return {
    find: async (account, asset) => {
      const row = prepared(database, 'SELECT * FROM upload WHERE account = ? AND hash = ?').get(account, hashIn(asset));
      return row && uploadRow(row);
    },
    claim: (row) => {
      const free = "CASE file WHEN '' THEN created <= ? ELSE expires <= ? END";
      const since = [row.created - claimMs, row.created + soonMs];
      return inTurn(() => run(`${put} WHERE ${free}`, ...uploadColumns(row), ...since) === 1);
    },
    keep: (row) => inTurn(() => void run(put, ...uploadColumns(row))),
    drop: (account, asset) =>
      inTurn(() => void run('DELETE FROM upload WHERE account = ? AND hash = ?', account, hashIn(asset))),
    rows: async () => prepared(database, 'SELECT * FROM upload').all().map(uploadRow),
  };
}
