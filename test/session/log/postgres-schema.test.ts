// The tables in PostgreSQL, with a real server: those of every older version become those of a new database, and nothing in
// them is lost on the way.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres } from '../../../src/session/log/postgres-pool.ts';
import { postgresSteps, schemaName, stepTable } from '../../../src/session/log/postgres-schema.ts';
import { startPostgres } from '../../postgres/server.ts';
import type { PostgresServer } from '../../postgres/server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.close());

/** Everything that a database has of ours, in words. */
async function shapeOf(url: string): Promise<string[]> {
  const rows = await server.ask(
    `SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') AS line
      FROM information_schema.columns WHERE table_schema = 'sightline'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'sightline'
    UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE p.pronamespace = 'sightline'::regnamespace
    UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE c.relnamespace = 'sightline'::regnamespace AND NOT t.tgisinternal
    ORDER BY 1`,
    url,
  );
  return rows.map(({ line }) => String(line));
}

/** The step from which on what was claimed in a session goes with it. */
const cleaned = postgresSteps.findIndex((step) => step.includes('forget_once')) + 1;

/** A database as the version with so many steps left it, with a session in it. */
async function older(steps: number): Promise<string> {
  const url = await server.newDatabase();
  const done = `INSERT INTO ${schemaName}.step SELECT generate_series(1, ${steps})`;
  await server.ask(`CREATE SCHEMA sightline; ${stepTable}; ${postgresSteps.slice(0, steps).join(';')}; ${done}`, url);
  await server.ask("SELECT sightline.begin_session('one', 1, 'me', NULL, NULL)", url);
  const left = steps < cleaned ? ", ('gone k', 'a')" : '';
  await server.ask(`INSERT INTO sightline.once (key, asker) VALUES ('one k', 'a'), ('k', 'a')${left}`, url);
  return url;
}

async function migrated(url: string): Promise<void> {
  const database = openPostgres(url, { migrate: true });
  await database.ask('SELECT 1');
  await database.close();
}

test('a new database has what is needed for sessions, media, requests, gateways and uploads', async () => {
  const url = await server.newDatabase();
  await migrated(url);
  const tables = await server.ask("SELECT tablename FROM pg_tables WHERE schemaname = 'sightline' ORDER BY 1", url);
  expect(tables.map(({ tablename }) => tablename).join(' ')).toBe(
    'asset content description entry kept lent once pace purse reference request request_asset reserved session step upload watched',
  );
  const functions = await server.ask("SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'sightline'::regnamespace ORDER BY 1", url); // prettier-ignore
  expect(functions.map(({ proname }) => proname).join(' ')).toBe(
    'append appended ask_at begin_session forget_descriptions forget_kept forget_of_references forget_of_requests forget_once forget_unnamed line put_aside remove_session request_changed settle trim_session',
  );
});

test('one of every older version becomes like a new one, and keeps its sessions', async () => {
  const fresh = await server.newDatabase();
  await migrated(fresh);
  const shape = await shapeOf(fresh);
  for (const steps of postgresSteps.keys()) {
    if (steps === 0) continue;
    const url = await older(steps);
    await migrated(url);
    expect(await shapeOf(url)).toEqual(shape);
    expect(await server.ask('SELECT id FROM sightline.session', url)).toEqual([{ id: 'one' }]);
    const claims = await server.ask('SELECT key FROM sightline.once ORDER BY key', url);
    expect(claims).toEqual([{ key: 'k' }, { key: 'one k' }]); // what was claimed in a session goes with it
  }
});
