// Uploads to providers in PostgreSQL: machines share them, and one of them sends each medium up.
import { hashIn } from '../../content/block.ts';
import { claimMs, soonMs } from '../../model/uploads/port.ts';
import type { UploadTable } from '../../model/uploads/port.ts';
import type { Postgres } from './postgres-pool.ts';
import { uploadColumns, uploadRow } from './sqlite-uploads.ts';

const time = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::double precision AS ${column}`;
const select = `SELECT account, hash, endpoint, file, size, ${time('created')}, ${time('expires')} FROM sightline.upload`;
const put = `INSERT INTO sightline.upload
  VALUES ($1, $2, $3, $4, $5, to_timestamp($6::double precision / 1000), to_timestamp($7::double precision / 1000))
  ON CONFLICT (account, hash) DO UPDATE
  SET file = excluded.file, size = excluded.size, created = excluded.created, expires = excluded.expires`;

export function postgresUploads({ ask }: Postgres): UploadTable {
  return {
    find: async (account, asset) => {
      const [row] = await ask(`${select} WHERE account = $1 AND hash = $2`, [account, hashIn(asset)]);
      return row && uploadRow(row);
    },
    claim: async (row) => {
      const free = `CASE upload.file WHEN '' THEN upload.created <= to_timestamp($8::double precision / 1000)
        ELSE upload.expires <= to_timestamp($9::double precision / 1000) END`;
      const given = [...uploadColumns(row), row.created - claimMs, row.created + soonMs];
      return (await ask(`${put} WHERE ${free} RETURNING account`, given)).length > 0;
    },
    keep: async (row) => void (await ask(put, uploadColumns(row))),
    drop: async (account, asset) =>
      void (await ask('DELETE FROM sightline.upload WHERE account = $1 AND hash = $2', [account, hashIn(asset)])),
    rows: async () => (await ask(select)).map(uploadRow),
  };
}
