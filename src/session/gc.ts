// Collects assets that nobody needs. Works under the write lock of the database, in short batches: what somebody puts
// meanwhile has its lease before or waits until the batch is over. Removed are files in the asset folder that bear the
// name of a hash, and nothing else.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { FileAssets, StoredFile } from '../asset/files.ts';
import { explained, prepared, transaction } from './database.ts';
import { hashIn, referenceKinds } from './rows.ts';

export type Collected = { removed: number; bytes: number; left: number; leftBytes: number };

export type CollectOptions = {
  /** Above this, renditions that can be made again go as well, the oldest first. */
  quotaBytes: number;
  /** What was put less than this long ago is spared. */
  leaseMs: number;
  now: number;
};

const batchSize = 100;

export async function collect(
  database: DatabaseSync,
  { file, folder, files }: { file: string; folder: string; files: FileAssets },
  options: CollectOptions,
): Promise<Collected> {
  await files.sweep();
  const stored: StoredFile[] = [];
  for await (const one of files.list()) stored.push(one);
  const total: Collected = { removed: 0, bytes: 0, left: stored.length, leftBytes: sum(stored) };
  const gone = new Set<string>();
  const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);
  const remove = (candidates: readonly StoredFile[], mayGo: (hash: string) => boolean, enough: () => boolean): void => {
    for (let at = 0; at < candidates.length && !enough(); at += batchSize) {
      explained(file, () =>
        transaction(database, () => {
          for (const one of candidates.slice(at, at + batchSize)) {
            const hash = hashIn(one.id);
            if (enough() || gone.has(hash) || !mayGo(hash)) continue;
            rmSync(pathOf(hash), { force: true });
            prepared(database, 'DELETE FROM asset WHERE hash = ?').run(hash);
            prepared(database, 'DELETE FROM reference WHERE hash = ?').run(hash);
            gone.add(hash);
            total.removed++;
            total.bytes += one.size;
            total.left--;
            total.leftBytes -= one.size;
          }
        }),
      );
    }
  };
  const lease = database.prepare('SELECT time FROM asset WHERE hash = ?');
  const kinds = database.prepare('SELECT max(kind) AS kind FROM reference WHERE hash = ?');
  const isLeased = (hash: string): boolean => Number(lease.get(hash)?.['time'] ?? 0) > options.now - options.leaseMs;
  const kindOf = (hash: string): number | undefined => {
    const kind = kinds.get(hash)?.['kind'];
    return typeof kind === 'number' ? kind : undefined;
  };
  const old = stored.filter(({ modified }) => modified <= options.now - options.leaseMs);
  remove(
    old,
    (hash) => !isLeased(hash) && kindOf(hash) === undefined,
    () => false,
  );
  remove(
    stored.toSorted((one, other) => one.modified - other.modified),
    (hash) => !isLeased(hash) && (kindOf(hash) ?? 0) < referenceKinds.message,
    () => total.leftBytes <= options.quotaBytes,
  );
  explained(file, () => transaction(database, () => forgetAbsent(database, pathOf, options.now - unfinishedMs)));
  return total;
}

/** A put that takes longer than this has failed. */
const unfinishedMs = 60_000;

/** Rows of assets that were never stored, or are stored no more, and that no message names. */
function forgetAbsent(database: DatabaseSync, pathOf: (hash: string) => string, before: number): void {
  const unnamed = database.prepare(
    `SELECT hash FROM asset a WHERE time < ? AND NOT EXISTS
      (SELECT 1 FROM reference r WHERE r.hash = a.hash AND r.kind = ${referenceKinds.message})`,
  );
  for (const { hash } of unnamed.all(before))
    if (typeof hash === 'string' && !existsSync(pathOf(hash)))
      prepared(database, 'DELETE FROM asset WHERE hash = ?').run(hash);
}

function sum(files: readonly StoredFile[]): number {
  return files.reduce((bytes, { size }) => bytes + size, 0);
}
