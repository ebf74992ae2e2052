// Questions to the database: a statement is compiled once, and rows come as plain objects.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { prepared } from './database.ts';
import type { EntryRow } from './migrations.ts';

export type SqlRow = Record<string, SQLOutputValue>;

export type Queries = {
  database: DatabaseSync;
  all: (sql: string, ...values: SQLInputValue[]) => SqlRow[];
  one: (sql: string, ...values: SQLInputValue[]) => SqlRow | undefined;
  /** How many rows it changed. */
  run: (sql: string, ...values: SQLInputValue[]) => number;
  /** The number of the row it added. */
  insert: (sql: string, ...values: SQLInputValue[]) => number;
};

/** The ways in which the log asks its database. */
export function queriesOf(database: DatabaseSync): Queries {
  return {
    database,
    all: (sql, ...values) => prepared(database, sql).all(...values),
    one: (sql, ...values) => prepared(database, sql).get(...values),
    run: (sql, ...values) => Number(prepared(database, sql).run(...values).changes),
    insert: (sql, ...values) => Number(prepared(database, sql).run(...values).lastInsertRowid),
  };
}

/** The entry that a row holds, without what only the tables need. */
export function entryRowOf(row: SqlRow): EntryRow {
  const { id, parent, time, version, type, body, checksum } = row as unknown as EntryRow;
  return { id, parent, time, version, type, body, ...(checksum !== undefined && { checksum }) };
}
