// Who needs which asset, by the tables.
import type { DatabaseSync } from 'node:sqlite';
import type { AssetId } from '../../content/block.ts';
import { explained, prepared, transaction } from './database.ts';
import type { Claim, Claims } from './port.ts';
import { hashIn, referenceKinds } from './rows.ts';

export function sqliteClaims(database: DatabaseSync, file: string, without: readonly string[]): Claims {
  const left = 'session NOT IN (SELECT s.number FROM session s JOIN json_each(?) given ON given.value = s.id)';
  const strongest = `SELECT max(kind) AS kind FROM reference WHERE hash = ? AND ${left}`;
  const unnamed = `SELECT hash FROM asset a WHERE time < ? AND NOT EXISTS
    (SELECT 1 FROM reference r WHERE r.hash = a.hash AND r.kind = ${referenceKinds.message})`;
  const ids = JSON.stringify(without);
  return {
    together: (work) => explained(file, () => transaction(database, work)),
    leased: (id) => Number(prepared(database, 'SELECT time FROM asset WHERE hash = ?').get(hashIn(id))?.['time'] ?? 0),
    claim: (id) => kindNames.get(Number(prepared(database, strongest).get(hashIn(id), ids)?.['kind'] ?? -1)),
    unnamed: (before) =>
      prepared(database, unnamed)
        .all(before)
        .flatMap(({ hash }): AssetId[] => (typeof hash === 'string' ? [`sha256:${hash}`] : [])),
    forget: (id) => {
      prepared(database, 'DELETE FROM asset WHERE hash = ?').run(hashIn(id));
      prepared(database, 'DELETE FROM reference WHERE hash = ?').run(hashIn(id));
    },
  };
}

const kindNames: ReadonlyMap<number, Claim> = new Map(
  (['held', 'ledger', 'message'] as const).map((name) => [referenceKinds[name], name]),
);
