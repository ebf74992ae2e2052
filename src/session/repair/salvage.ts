// A damaged database → a new one with everything that can still be read. The damaged one is kept beside it. Entries
// are read one by one; references and the index of words are made anew from them.
import {
  copyFileSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { hashIn } from '../../content/block.ts';
import { openDatabase, prepared, sqlite, transaction } from '../log/database.ts';
import { assetsOf, assetsOfDelta } from '../entry.ts';
import { readEntry } from '../log/migrations.ts';
import type { EntryRow } from '../log/migrations.ts';
import { referenceKinds } from '../log/sqlite-claims.ts';
import { indexWords } from '../log/search-index.ts';

/** What came out of a damaged database, and where the damaged one lies now. */
export type Salvaged = { entries: number; sessions: number; kept: string };

type Row = ReturnType<ReturnType<DatabaseSync['prepare']>['all']>[number];

/** Puts a readable database where the damaged one was; that one goes to `kept`. */
export function salvage(file: string, now: number): Salvaged {
  const folder = mkdtempSync(join(dirname(file), 'repair-'));
  try {
    const copy = join(folder, 'copy.db');
    for (const end of ['', '-wal']) if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${copy}${end}`);
    mendHeader(copy);
    const [sessions, entries] = readAll(copy);
    const fresh = openDatabase(join(folder, 'fresh.db'));
    const saved = fill(fresh, sessions, entries, now);
    fresh.close();
    const kept = `${file}.damaged-${now}`;
    for (const end of ['', '-wal', '-shm'])
      if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${kept}${end}`);
    renameSync(join(folder, 'fresh.db'), file);
    return { entries: saved, sessions: new Set(entries.map(({ session }) => session)).size, kept };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The first hundred bytes are the same in all our databases, but for counters that SQLite can do without. */
function mendHeader(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    const header = Buffer.alloc(100);
    readSync(handle, header, 0, 100, 0);
    const isCut = header.readUInt32BE(28) * pageBytes > fstatSync(handle).size;
    const isOurs = header.toString('latin1', 0, 16) === 'SQLite format 3\0' && header.readUInt16BE(16) === pageBytes;
    if (isOurs && !isCut) return;
    header.write('SQLite format 3\0', 0, 'latin1');
    header.writeUInt16BE(pageBytes, 16);
    Buffer.from([2, 2, 0, 64, 32, 32]).copy(header, 18); // write-ahead log, no reserved bytes, fixed fractions
    header.writeUInt32BE(0, 28); // the number of pages: SQLite then takes the size of the file
    header.writeUInt32BE(4, 44); // the format of the schema
    header.writeUInt32BE(1, 56); // UTF-8
    writeSync(handle, header, 0, 100, 0);
  } finally {
    closeSync(handle);
  }
}

const pageBytes = 4096;

function readAll(file: string): [sessions: Row[], entries: Row[]] {
  const database = new (sqlite().DatabaseSync)(file);
  const steps = Math.ceil(statSync(file).size / leastRow);
  try {
    return [eachRow(database, 'session', 'number', steps), eachRow(database, 'entry', 'id', steps)];
  } finally {
    database.close();
  }
}

/** No row takes fewer bytes: a file has no more rows, and no more keys are looked for, than fit into it. */
const leastRow = 16;

/**
 * Row by row; around a damaged page key by key, and where nothing comes for long in wider and wider steps, the last of
 * which is searched by halves. Every step leads to a higher key, so it ends.
 */
function eachRow(database: DatabaseSync, table: 'session' | 'entry', key: string, steps: number): Row[] {
  const rows: Row[] = [];
  let after = 0;
  let misses = 0;
  for (let step = 0; step < steps && after < highestKey; step++) {
    let row = nextRow(database, table, key, after);
    if (row === 'unreadable') {
      after += strideAfter(++misses);
      continue;
    }
    if (misses > 0) {
      after = firstReadable(after - strideAfter(misses), after, (at) => nextRow(database, table, key, at));
      row = nextRow(database, table, key, after);
      misses = 0;
    }
    if (row === 'none') break;
    const at = row === 'unreadable' ? after : Number(row[key]);
    if (row !== 'unreadable' && at > after) rows.push(row);
    after = at > after ? at : after + 1; // a damaged page may lead back; the next key may be on one that is whole
  }
  return rows;
}

const highestKey = 2 ** 52;

/** A page holds fewer rows than are tried one by one. */
const strideAfter = (misses: number): number => (misses <= 256 ? 1 : 2 ** Math.min(misses - 256, 51));

/** The lowest key after which something can be read, between one after which nothing can and one after which it can. */
function firstReadable(unreadable: number, readable: number, at: (after: number) => unknown): number {
  let [low, high] = [unreadable, readable];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (at(middle) === 'unreadable') low = middle;
    else high = middle;
  }
  return high;
}

function nextRow(database: DatabaseSync, table: string, key: string, after: number): Row | 'none' | 'unreadable' {
  try {
    const sql = `SELECT * FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT 1`;
    return prepared(database, sql).get(after) ?? 'none';
  } catch {
    return 'unreadable';
  }
}

/** How many entries were saved. */
function fill(database: DatabaseSync, sessions: readonly Row[], entries: readonly Row[], now: number): number {
  return transaction(database, () => {
    let saved = 0;
    const known = new Set(sessions.filter((row) => insert(database, 'session', row)).map(({ number }) => number));
    const orphans = new Set(entries.map(({ session }) => session).filter((number) => !known.has(number)));
    for (const number of orphans) {
      const lost = { number, id: `recovered${String(number)}`, created: now, updated: now, title: 'Recovered' };
      insert(database, 'session', lost as unknown as Row);
    }
    database.exec('UPDATE session SET minute = updated / 60000'); // a file of an older version has none
    const refer = database.prepare('INSERT OR IGNORE INTO reference VALUES (?, ?, ?, ?)');
    const have = database.prepare('INSERT OR IGNORE INTO asset (hash, size, time) VALUES (?, ?, ?)');
    for (const row of entries) {
      if (!insert(database, 'entry', row)) continue;
      saved++;
      const entry = readEntry(row as unknown as EntryRow);
      const number = row['session'] ?? null;
      for (const { id, size } of entry.type === 'message' ? assetsOf(entry.message) : []) {
        have.run(hashIn(id), size, entry.time);
        refer.run(number, hashIn(id), referenceKinds.message, entry.id);
      }
      for (const id of entry.type === 'ledger' ? assetsOfDelta(entry) : [])
        refer.run(number, hashIn(id), referenceKinds.ledger, entry.id);
    }
    indexWords(database, Number(entries.at(-1)?.['id'] ?? 0), 1);
    return saved;
  });
}

/** False for a row that was damaged into something that no table takes. */
function insert(database: DatabaseSync, table: string, row: Row): boolean {
  const keys = Object.keys(row);
  const sql = `INSERT OR IGNORE INTO ${table} (${keys.join(', ')}) VALUES (${keys.map(() => '?').join(', ')})`;
  try {
    return Number(prepared(database, sql).run(...Object.values(row)).changes) === 1;
  } catch {
    return false;
  }
}
