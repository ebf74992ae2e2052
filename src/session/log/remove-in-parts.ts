// Removing a long session writes as much as the session holds, because its words are overwritten. Where the disk has no room
// for that at once, it goes in parts, the newest first, and each part gives its room back.
import { transaction } from './database.ts';
import { forgetEntries } from './search-index.ts';
import { lastShared } from './sqlite-sessions.ts';
import { forgetWhere } from './sqlite-requests.ts';
import type { Queries } from './sqlite-queries.ts';

/** What one part may hold: with its words in the index and the pages around it, it needs a few times as much room. */
const partBytes = 64 * 1024;

/** Takes away the records and the entries that no fork shares. When it fails in the middle, what went is gone. */
export function removeInParts(queries: Queries, session: number): void {
  const { database, all, one, run } = queries;
  const inParts = (sql: string, values: (string | number)[], remove: (ids: readonly number[]) => void): void => {
    for (let part = partOf(all(sql, ...values)); part.length > 0; part = partOf(all(sql, ...values))) {
      const ids = part;
      transaction(database, () => remove(ids));
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
  };
  const records =
    'SELECT number AS id, bytes AS size FROM request WHERE conversation = ? ORDER BY number DESC LIMIT 100';
  inParts(records, [String(one('SELECT id FROM session WHERE number = ?', session)?.['id'])], (ids) => {
    for (const id of ids) forgetWhere(database, 'number = ?', id);
  });
  const entries = 'SELECT id, length(body) AS size FROM entry WHERE session = ? AND id > ? ORDER BY id DESC LIMIT 100';
  inParts(entries, [session, lastShared(queries, session) ?? 0], (ids) => {
    forgetEntries(database, ids);
    for (const id of ids) run('DELETE FROM entry WHERE id = ?', id);
  });
}

/** The first rows that are small enough together, and one at least. */
function partOf(rows: readonly Record<string, unknown>[]): number[] {
  const part: number[] = [];
  let bytes = 0;
  for (const { id, size } of rows) {
    bytes += Number(size);
    if (part.length > 0 && bytes > partBytes) break;
    part.push(Number(id));
  }
  return part;
}
