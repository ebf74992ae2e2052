// Ways to PostgreSQL: with TLS, and through PgBouncer, which hands out connections for a transaction at a time.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { entryLogContract } from '../../src/session/contract.ts';
import { openPostgres } from '../../src/session/log/postgres-pool.ts';
import { postgresLog } from '../../src/session/log/postgres.ts';
import { certificateFor } from '../model/certificate.ts';
import { aging, freePort, startPostgres } from '../postgres/server.ts';
import type { PostgresServer } from '../postgres/server.ts';
import { onlySome } from '../some.ts';

onlySome(14);

const folder = mkdtempSync(join(tmpdir(), 'sightline-ways-'));
const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

/** A file for those servers alone. */
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  if (isRoot) chownSync(path, 65_534, 65_534);
  return path;
}

let server: PostgresServer;
let url = '';
beforeAll(async () => {
  chmodSync(folder, 0o755);
  server = await startPostgres();
  url = await server.newDatabase();
  const log = postgresLog({ url });
  await log.list();
  await log.close();
});
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What is asked on such a way, or why it cannot be. */
async function answer(host: string, query: string): Promise<unknown> {
  const database = openPostgres(`${url.replace('127.0.0.1', host)}?${query}`, { patienceMs: 5000 });
  const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
  const rows = await database.ask(sql).catch((error: unknown) => (error instanceof Error ? error.message : error));
  await database.close();
  return rows;
}

describe('with TLS', () => {
  const { key, cert } = certificateFor('localhost');
  const [keyFile, certFile, otherFile] = [
    file('key.pem', key),
    file('cert.pem', cert),
    file('other.pem', certificateFor('localhost').cert),
  ];
  test('a server that offers none says so, and one that does is checked against its authority and its name', async () => {
    const full = `sslmode=verify-full&sslrootcert=${certFile}`;
    expect(await answer('localhost', full)).toMatch(/offers no TLS, and the address asks for it\. Remove sslmode/);
    const on = [`ssl_cert_file = '${certFile}'`, `ssl_key_file = '${keyFile}'`, 'ssl = on'];
    for (const setting of on) await server.ask(`ALTER SYSTEM SET ${setting}`);
    await server.ask('SELECT pg_reload_conf()');
    await expect.poll(() => answer('localhost', full)).toEqual([{ ssl: true }]);
    const untrusted = /^The certificate of database .* is not one that this machine trusts\. Add sslrootcert=FILE/;
    expect(await answer('localhost', 'sslmode=verify-full')).toMatch(untrusted);
    expect(await answer('localhost', `sslmode=verify-full&sslrootcert=${otherFile}`)).toMatch(untrusted);
    expect(await answer('127.0.0.1', full)).toMatch(/is for another host\. Use the name that it is for\./);
    expect(await answer('localhost', 'sslmode=verify-full&sslrootcert=/nowhere/ca.pem')).toMatch(
      /^The address names a file that cannot be read \(\/nowhere\/ca\.pem\)\. Check sslrootcert/,
    );
  });
});

const hasPgBouncer = spawnSync('which', ['pgbouncer']).status === 0;
if (!hasPgBouncer) console.warn('PgBouncer: skipped, pgbouncer is not installed');

describe.skipIf(!hasPgBouncer)('through PgBouncer, a connection for each transaction', () => {
  const poolers: ChildProcess[] = [];
  /** The address of the database behind a new one. */
  const startPooler = async (more: readonly string[]): Promise<string> => {
    const port = await freePort();
    const users = file('users.txt', '"admin" ""\n');
    const settings = [
      '[databases]',
      `* = host=127.0.0.1 port=${server.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      ...more,
    ];
    const pooler = spawn('pgbouncer', ['-q', file(`pgbouncer-${port}.ini`, `${settings.join('\n')}\n`)], {
      ...nobody,
      cwd: folder,
      stdio: 'ignore',
    });
    poolers.push(pooler);
    const address = url.replace(`:${server.port}/`, `:${port}/`);
    await vi.waitFor(() => server.ask('SELECT 1', address), { timeout: 240_000 });
    return address;
  };
  let through = '';
  beforeAll(async () => {
    through = await startPooler(['default_pool_size = 3']);
  });
  afterAll(() => {
    for (const pooler of poolers) pooler.kill();
  });

  test('that takes every setting, so that nobody sees it: what one program has prepared is in the way of another', async () => {
    const silent = await startPooler(['default_pool_size = 1', 'ignore_startup_parameters = statement_timeout']);
    const logs = [postgresLog({ url: silent }), postgresLog({ url: silent })];
    for (const [at, log] of logs.entries()) {
      const id = `silent-${at}`;
      await log.create(id, 1);
      const lease = await log.take(id, { host: 'here', process: 1 });
      const row = { type: 'note', version: 1, time: 1, body: '{"text":"a"}' } as const;
      await log.append(lease, [row]);
      await log.append({ ...lease, next: 1 }, [row]);
      expect(await log.read(id)).toHaveLength(2);
    }
    for (const log of logs) await log.close();
  });

  const opened = (): ReturnType<typeof postgresLog> => postgresLog({ url: through });
  entryLogContract(test, async () => {
    await server.ask(
      'TRUNCATE sightline.session, sightline.asset, sightline.once, sightline.request, sightline.content CASCADE',
      url,
    );
    const tick = (ms: number): Promise<unknown> => server.ask(aging(ms), url);
    return { log: opened(), tick, reopen: opened };
  });
});
