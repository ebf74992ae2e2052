// A real S3 server for tests: Ceph's radosgw with one monitor and one store in memory, as Debian packages them, on free ports of
// this machine with all its files in a new folder. Where they are not installed there is none, and one line says so.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../postgres/server.ts';

export type S3Server = {
  endpoint: string;
  keys: { id: string; secret: string };
  /** Another one, who may do nothing with the buckets of the first. */
  stranger: { id: string; secret: string };
  close: () => Promise<void>;
};

const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph', 'monmaptool', 'radosgw-admin'];

/** Whether the programs are here; with `SIGHTLINE_REQUIRE=s3` they must be. */
export function hasS3(): boolean {
  const absent = programs.filter((name) => spawnSync('which', [name]).status !== 0);
  if (absent.length === 0) return true;
  const line = `S3: skipped, ${absent[0]} is not installed`;
  if ((process.env['SIGHTLINE_REQUIRE'] ?? '').split(',').includes('s3')) throw new Error(line);
  process.stderr.write(`${line}\n`);
  return false;
}

function settings(folder: string, id: string, monitor: number, gateway: number): string {
  const all = {
    fsid: id,
    'mon host': `v1:127.0.0.1:${monitor}`,
    'public addr': '127.0.0.1',
    'auth cluster required': 'none',
    'auth service required': 'none',
    'auth client required': 'none',
    'osd pool default size': 1,
    'osd pool default min size': 1,
    'osd pool default pg num': 1,
    'osd crush chooseleaf type': 0,
    'osd objectstore': 'memstore',
    'mon allow pool size one': true,
    'mon max pg per osd': 1000,
    'ms bind ipv6': false,
    'mon data': `${folder}/mon`,
    'osd data': `${folder}/osd`,
    'log file': `${folder}/$name.log`,
    'pid file': `${folder}/$name.pid`,
    'admin socket': `${folder}/$name.sock`,
    'run dir': folder,
    'crash dir': folder,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${String(value)}`);
  return ['[global]', ...lines, '[client.rgw]', `rgw frontends = beast endpoint=127.0.0.1:${gateway}`, ''].join('\n');
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} did not come up within a minute.`);
}

/** Starts one; whoever does closes it. */
export async function startS3(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-s3-'));
  const [id, monitor, gateway] = [randomUUID(), await freePort(), await freePort()];
  const config = join(folder, 'ceph.conf');
  writeFileSync(config, settings(folder, id, monitor, gateway));
  for (const name of ['mon', 'osd']) mkdirSync(join(folder, name));
  const run = (program: string, ...args: string[]): void => {
    const { status, stderr } = spawnSync(program, ['-c', config, ...args], { encoding: 'utf8', timeout: 60_000 });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  };
  const running = new Set<ChildProcess>();
  let isOver = false;
  /** A store that asks its monitor too early gives up; it is started again. */
  const start = (program: string, ...args: string[]): void => {
    const child = spawn(program, ['-c', config, '-f', ...args], { stdio: 'ignore' });
    running.add(child);
    child.once('exit', () => {
      running.delete(child);
      if (!isOver) setTimeout(() => isOver || start(program, ...args), 200);
    });
  };
  const close = async (): Promise<void> => {
    isOver = true;
    for (const child of running) child.kill('SIGKILL');
    await until('the end of Ceph', () => running.size === 0);
    rmSync(folder, { recursive: true, force: true });
  };
  const map = join(folder, 'monmap');
  const [keys, stranger] = [
    { id: 'TESTKEY', secret: 'test-secret' },
    { id: 'OTHERKEY', secret: 'other-secret' },
  ];
  const endpoint = `http://127.0.0.1:${gateway}`;
  try {
    run('monmaptool', '--create', '--addv', 'a', `[v1:127.0.0.1:${monitor}]`, '--fsid', id, map);
    run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map);
    start('ceph-mon', '-i', 'a');
    run('ceph', 'osd', 'create');
    run('ceph-osd', '-i', '0', '--mkfs');
    start('ceph-osd', '-i', '0');
    await until('the store', () =>
      spawnSync('ceph', ['-c', config, 'osd', 'stat'], { encoding: 'utf8' }).stdout.includes('1 up'),
    );
    start('radosgw', '-n', 'client.rgw');
    for (const [name, key] of Object.entries({ first: keys, stranger }))
      run(
        'radosgw-admin',
        'user',
        'create',
        `--uid=${name}`,
        `--display-name=${name}`,
        `--access-key=${key.id}`,
        `--secret=${key.secret}`,
      );
    await until('radosgw', () =>
      fetch(endpoint).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  } catch (error) {
    await close();
    throw error;
  }
  return { endpoint, keys, stranger, close };
}
