// Records of requests in SQLite, written through a connection of their own that waits neither for the disk nor, without
// letting others run, for another writer: a record must never hold up the request it is about.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { hashIn } from '../../content/block.ts';
import type { ConversationRow, RequestTable, StoredRequest } from '../../record/table.ts';
import { isBusy, prepared, sqlite, transaction } from './database.ts';
import { requestRowOf, storedRequestOf, textsOf } from './request-texts.ts';
import { forgetDescriptions } from './sqlite-descriptions.ts';

type Row = Record<string, SQLOutputValue>;

/** How long another writer is waited for. */
const patienceMs = 8000;

export type SqliteRequests = { table: Omit<RequestTable, 'watch'>; close: () => void };

/** The table over an open database, which is read; `file` is opened a second time with the first record. */
export function sqliteRequests(database: DatabaseSync, file: string, wake: () => void): SqliteRequests {
  let writer: DatabaseSync | undefined;
  const opened = (): DatabaseSync => {
    if (writer) return writer;
    writer = new (sqlite().DatabaseSync)(file, { timeout: 0 });
    writer.exec('PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;');
    return writer;
  };
  const write = async <T>(work: (to: DatabaseSync) => T): Promise<T> => {
    for (let waited = 0, ms = 5; ; waited += ms, ms = Math.min(ms * 2, 200)) {
      try {
        const result = transaction(opened(), () => work(opened()));
        wake();
        return result;
      } catch (error) {
        if (!isBusy(error) || waited >= patienceMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, ms));
      }
    }
  };
  /** A file of an older version that is only looked at has no such table. */
  let there: boolean | undefined;
  const all = (sql: string, ...values: SQLInputValue[]): Row[] => {
    there ||= prepared(database, "SELECT 1 FROM sqlite_master WHERE name = 'request'").get() !== undefined;
    return there ? prepared(database, sql).all(...values) : [];
  };
  const table: SqliteRequests['table'] = {
    begin: (request) => write((to) => insert(to, request)),
    end: (id, { answer, ...ended }) =>
      write((to) => {
        const sql = 'UPDATE request SET ended = ?, answer = ? WHERE id = ?';
        prepared(to, sql).run(JSON.stringify(ended), answer === undefined ? null : JSON.stringify(answer), id);
      }),
    list: async (conversation) =>
      all(
        'SELECT id, conversation, lane, time, row, ended FROM request WHERE conversation = ? ORDER BY number',
        conversation,
      ).map(requestRowOf),
    conversations: async ({ limit = Number.MAX_SAFE_INTEGER, before = Number.MAX_SAFE_INTEGER } = {}) =>
      all(
        `SELECT conversation, count(*) AS requests, min(time) AS began, max(time) AS updated FROM request
          GROUP BY conversation HAVING max(time) < ? ORDER BY updated DESC, max(number) DESC LIMIT ?`,
        before,
        limit,
      ).map((row) => row as unknown as ConversationRow),
    chain: async (id) =>
      all(
        `WITH RECURSIVE line (id, before, depth) AS (
          SELECT id, before, depth FROM request WHERE id = ?
          UNION SELECT r.id, r.before, r.depth FROM line l JOIN request r ON r.id = l.before WHERE l.depth > 0)
        SELECT r.* FROM request r JOIN line l ON l.id = r.id ORDER BY r.depth`,
        id,
      ).map(storedRequestOf),
    last: async (conversation, lane) => {
      const sql = `SELECT id FROM request WHERE conversation = ? AND lane = ? AND ended ->> 'state' = 'answered'
        AND row ->> 'purpose' = 'answer' ORDER BY number DESC LIMIT 1`;
      const id = all(sql, conversation, lane)[0]?.['id'];
      return typeof id === 'string' ? id : undefined;
    },
    rewrite: (rows, gone) =>
      write((to) => {
        for (const row of rows) rewrite(to, row);
        forgetWhere(to, 'id IN (SELECT value FROM json_each(?))', JSON.stringify(gone));
      }),
    sizes: async () =>
      all('SELECT id, time, bytes, CASE WHEN depth > 0 THEN before END AS before FROM request ORDER BY number').map(
        ({ id, time, bytes, before }) => ({
          id: String(id),
          time: Number(time),
          bytes: Number(bytes),
          ...(typeof before === 'string' && { before }),
        }),
      ),
    forget: async (conversation) => {
      await write((to) => forgetRequests(to, conversation));
      opened().exec('PRAGMA wal_checkpoint(TRUNCATE)'); // what went is in no other file either
    },
  };
  return {
    table,
    close: () => {
      if (writer?.isOpen) writer.close();
      writer = undefined;
    },
  };
}

/** Takes away all records of a conversation, inside whatever transaction is open. */
export function forgetRequests(database: DatabaseSync, conversation: string): void {
  forgetWhere(database, 'conversation = ?', conversation);
}

/** What came of the requests goes with them: what the gateway keeps, and what was said of their pictures. */
export function forgetWhere(database: DatabaseSync, condition: string, value: string | number): void {
  const these = `FROM request WHERE ${condition}`;
  const hashes = new Set<string>();
  for (const { body } of prepared(database, `SELECT body ${these}`).iterate(value))
    for (const [, hash = ''] of String(body).matchAll(/"sha256:([0-9a-f]{64})"/g)) hashes.add(hash);
  for (const table of ['gateway_said', 'gateway_ledger'])
    prepared(database, `DELETE FROM ${table} WHERE request IN (SELECT id ${these})`).run(value);
  prepared(database, `DELETE FROM request_asset WHERE number IN (SELECT number ${these})`).run(value);
  prepared(database, `DELETE ${these}`).run(value);
  forgetDescriptions(database, hashes);
}

function insert(to: DatabaseSync, request: StoredRequest): void {
  const { id, conversation, lane, before = null, depth, time } = request;
  const { row, body } = textsOf(request);
  const sql = `INSERT INTO request (id, conversation, lane, before, depth, time, row, body, bytes)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
  const bytes = row.length + body.length;
  const values = [id, conversation, lane, before, depth, time, row, body, bytes];
  const { changes, lastInsertRowid } = prepared(to, sql).run(...values);
  if (changes > 0) name(to, Number(lastInsertRowid), request);
}

function name(to: DatabaseSync, number: number, { assets }: StoredRequest): void {
  for (const asset of assets) prepared(to, 'INSERT INTO request_asset VALUES (?, ?)').run(number, hashIn(asset));
}

function rewrite(to: DatabaseSync, request: StoredRequest): void {
  const { row, body } = textsOf(request);
  const sql = 'UPDATE request SET before = ?, depth = ?, row = ?, body = ?, bytes = ? WHERE id = ? RETURNING number';
  const { before = null, depth, id } = request;
  const number = prepared(to, sql).get(before, depth, row, body, row.length + body.length, id)?.['number'];
  if (typeof number !== 'number') return;
  prepared(to, 'DELETE FROM request_asset WHERE number = ?').run(number);
  name(to, number, request);
}
