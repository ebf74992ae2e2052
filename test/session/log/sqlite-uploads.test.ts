// Uploads in a database: what stands in its columns, and who may send a medium up.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { UploadRow } from '../../../src/model/uploads/port.ts';
import { inTurns } from '../../../src/session/log/in-turns.ts';
import { schemaSteps } from '../../../src/session/log/migrations.ts';
import { sqliteUploads, uploadColumns, uploadRow } from '../../../src/session/log/sqlite-uploads.ts';

const minute = 60_000;
const now = 1_700_000_000_000;
const row = (more: Partial<UploadRow> = {}): UploadRow => ({
  account: 'one',
  asset: `sha256:${'a'.repeat(64)}`,
  endpoint: 'anthropic',
  file: '',
  size: 10,
  created: now,
  expires: now + 60 * minute,
  state: 'sending',
  ...more,
});

function opened(): ReturnType<typeof sqliteUploads> {
  const database = new DatabaseSync(':memory:');
  for (const step of schemaSteps) database.exec(step);
  return sqliteUploads(database, inTurns());
}

test('columns become a row, whatever the database calls a number, and a row columns', () => {
  const columns = { account: 'one', hash: 'a'.repeat(64), endpoint: 'anthropic', file: '', size: '10', created: String(now), expires: String(now + 60 * minute) }; // prettier-ignore
  expect(uploadRow(columns)).toStrictEqual(row());
  expect(uploadRow({ ...columns, file: 'f' })).toStrictEqual(row({ file: 'f', state: 'ready' }));
  expect(uploadColumns(row({ file: 'f' }))).toEqual(['one', 'a'.repeat(64), 'anthropic', 'f', 10, now, now + 60 * minute]); // prettier-ignore
});

test('one is sent up again when nothing came of it, or when it is about to expire', async () => {
  const uploads = opened();
  expect([await uploads.claim(row()), await uploads.claim(row())]).toEqual([true, false]);
  expect(await uploads.claim(row({ created: now + 2 * minute - 1 }))).toBe(false);
  expect(await uploads.claim(row({ created: now + 2 * minute }))).toBe(true);
  await uploads.keep(row({ file: 'f', state: 'ready' }));
  expect(await uploads.claim(row({ created: now + 50 * minute - 1 }))).toBe(false);
  expect(await uploads.claim(row({ created: now + 50 * minute, expires: now + 99 * minute, size: 11 }))).toBe(true);
  const stored = row({ created: now + 50 * minute, expires: now + 99 * minute, size: 11 });
  expect(await uploads.find('one', row().asset)).toEqual(stored);
});

test('each belongs to an account and a medium', async () => {
  const uploads = opened();
  const other = row({ asset: `sha256:${'b'.repeat(64)}` });
  for (const one of [row(), row({ account: 'two' }), other]) await uploads.keep(one);
  expect((await uploads.rows()).length).toBe(3);
  await uploads.drop('one', row().asset);
  expect(await uploads.find('one', row().asset)).toBeUndefined();
  expect(await uploads.rows()).toEqual(expect.arrayContaining([row({ account: 'two' }), other]));
  expect((await uploads.rows()).length).toBe(2);
});
