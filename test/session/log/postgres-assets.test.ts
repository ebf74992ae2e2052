// Assets in PostgreSQL, with a real server: the contract, what is damaged, and how much goes in.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetContract } from '../../../src/session/contract.ts';
import { postgresAssets } from '../../../src/session/log/postgres-assets.ts';
import { openPostgres } from '../../../src/session/log/postgres-pool.ts';
import type { Postgres } from '../../../src/session/log/postgres-pool.ts';
import { startPostgres } from '../../postgres/server.ts';
import type { PostgresServer } from '../../postgres/server.ts';

let server: PostgresServer;
let url = '';
let database: Postgres;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.newDatabase();
  database = openPostgres(url);
  await database.ask('SELECT 1');
});
afterAll(async () => {
  await database?.close();
  server?.close();
});

assetContract(test, async () => {
  await server.ask('TRUNCATE sightline.content', url);
  return postgresAssets(database);
});

const words = (text: string): Uint8Array => new TextEncoder().encode(text);
const about = { mediaType: 'text/plain' };

test('are listed, verified, set aside when damaged, healed and removed', async () => {
  await server.ask('TRUNCATE sightline.content', url);
  const store = postgresAssets(database);
  const ids = async (place?: 'stored' | 'damaged'): Promise<string[]> =>
    (await Array.fromAsync(store.list(place))).map((one) => one.id);
  const { id } = await store.put(words('whole'), about);
  const { id: second } = await store.put(words('another'), about);
  expect(await store.verify(id)).toBe('whole');
  await server.ask(`UPDATE sightline.content SET bytes = 'other' WHERE length(bytes) = 5`, url);
  expect([await store.verify(id), await store.get(id)]).toEqual(['damaged', undefined]);
  expect(await store.get(id, { from: 0, to: 5 })).toEqual(Buffer.from('other'));
  await store.setAside(id);
  expect([await store.missing([id]), await ids('damaged'), await ids()]).toEqual([new Set([id]), [id], [second]]);
  expect([await store.verify(id), await store.get(id), await store.verify('sha256:x')]).toEqual(['missing', undefined, 'missing']);
  await store.delete([id]);
  expect(await ids('damaged')).toEqual([id]);
  await store.put(words('whole'), about);
  expect([await store.verify(id), await ids('damaged')]).toEqual(['whole', []]);
  await server.ask(`UPDATE sightline.content SET bytes = 'cut' WHERE length(bytes) = 5`, url);
  await store.put(words('whole'), about);
  expect(await store.verify(id)).toBe('whole');
  await store.setAside(id);
  await store.setAside('sha256:x');
  await store.delete([id], 'damaged');
  await store.delete([second]);
  expect([await ids('stored'), await ids('damaged')]).toEqual([[], []]);
}); // prettier-ignore

test('are listed in order of their names, however many, with size and time', async () => {
  await server.ask('TRUNCATE sightline.content', url);
  const many = `INSERT INTO sightline.content (hash, bytes, time)
    SELECT sha256(n::text::bytea), 'four', to_timestamp(1700000000) FROM generate_series(1, 2003) n`;
  await server.ask(many, url);
  const all = await Array.fromAsync(postgresAssets(database).list());
  const names = all.map(({ id }) => id);
  expect([new Set(names).size, all.length]).toEqual([2003, 2003]);
  expect(names).toEqual(names.toSorted());
  expect(all[7]).toEqual({ id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string, size: 4, modified: 1_700_000_000_000 }); // prettier-ignore
});

test('of 16 MiB are kept, those above are refused with the way out', async () => {
  const store = postgresAssets(database);
  const most = 16 * 1024 * 1024;
  const { id } = await store.put(new Uint8Array(most), { mediaType: 'video/mp4' });
  expect((await store.get(id, { from: most - 1 }))?.length).toBe(1);
  await expect(store.put(new Uint8Array(most + 1), { mediaType: 'video/mp4' })).rejects.toThrow(
    'An asset of 17 MB does not fit into the database (at most 16 MiB each). Keep assets in S3: assets = "s3://bucket/prefix".',
  );
});

test('that are gone, or whose reader stops, are told', async () => {
  const store = postgresAssets(database);
  const id = `sha256:${'e'.repeat(64)}` as const;
  await expect(Array.fromAsync(store.stream(id))).rejects.toThrow(`The asset ${id} is gone. Give its file again.`);
  const stopped = store.stream(id, { signal: AbortSignal.abort() });
  await expect(Array.fromAsync(stopped)).rejects.toThrow('aborted');
});
