// Sessions beyond one machine: what they cost in PostgreSQL against SQLite and against pgbench, and whether SQLite pays for it.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { openPostgres } from '../../src/session/log/postgres-pool.ts';
import { postgresLogOver } from '../../src/session/log/postgres.ts';
import { openSessions, sessionsOver } from '../../src/session/store.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { SessionsOptions } from '../../src/session/store.ts';
import { startPostgres } from '../../test/postgres/server.ts';
import type { PostgresServer } from '../../test/postgres/server.ts';
import { inFreshProcess, interleave, show, spread } from '../harness.ts';
import type { Job, Spread } from '../harness.ts';
import type { Comparison } from '../run.ts';
import { saying } from './task.ts';
import type { ScaleFigure, ScaleInput } from './task.ts';

/** The first release: sessions in SQLite, and no other log. */
const firstRelease = 'cf8aa5b';
const [sessionCount, entryCount, pictureCount, seconds, perProcess] = [100_000, 20_000, 40, 4, 4];
const writerCounts = [1, 8, 32];

const job = (name: string, input: ScaleInput): Job => ({ name, module: new URL('task.ts', import.meta.url), input });

/** The sources of the first release, with the libraries of this tree. */
function treeBefore(folder: string): string {
  const tree = mkdtempSync(join(folder, 'before-'));
  const packed = execFileSync('git', ['archive', firstRelease, 'src', 'package.json'], { maxBuffer: 1 << 28 });
  execFileSync('tar', ['x', '-C', tree], { input: packed });
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'));
  return tree;
}

/** Many sessions that somebody spoke in. */
async function manySessions(place: SessionsOptions, server: PostgresServer): Promise<void> {
  const store = openSessions(place);
  await store.list({ limit: 1 }); // makes the tables
  await store.close();
  const updated = `1000000000000 + (n * 7919 % ${sessionCount}) * 20000`;
  if ('url' in place) {
    const columns = '(id, made, created, updated, messages)';
    const rows = `SELECT lpad(to_hex(n), 12, '0'), '', 0, ${updated}, 1 FROM generate_series(1, ${sessionCount}) n`;
    await server.ask(`INSERT INTO sightline.session ${columns} ${rows}`, place.url);
    await server.ask('ANALYZE sightline.session', place.url);
    return;
  }
  const database = new DatabaseSync(join(place.home, 'sessions.db'));
  const numbers = `WITH RECURSIVE g (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < ${sessionCount})`;
  database.exec(`${numbers} INSERT INTO session (id, created, updated, minute, messages)
    SELECT printf('%012x', n), 0, ${updated}, (${updated}) / 60000, 1 FROM g; ANALYZE`);
  database.close();
}

async function longSession(place: SessionsOptions): Promise<string> {
  await using store = openSessions(place);
  const session = await store.create({ title: 'long' });
  for (let at = 0; at < entryCount; at += 500) {
    const messages = Array.from({ length: 500 }, (_, next) => saying(at + next));
    await session.appendAll(messages.map((message) => ({ type: 'message', message })));
  }
  return session.id;
}

async function newSessions(url: string, count: number): Promise<string[]> {
  await using store = openSessions({ url });
  const made = await Promise.all(Array.from({ length: count }, () => store.create()));
  await Promise.all(made.map((session) => session.close()));
  return made.map(({ id }) => id);
}

/** Appends a second of so many sessions, in processes of a few each. */
async function ours(url: string, writers: number, scratch: string): Promise<number> {
  const folder = mkdtempSync(join(scratch, 'there-'));
  const ids = await newSessions(url, writers);
  const parts = Array.from({ length: Math.ceil(writers / perProcess) }, (_, at) =>
    ids.slice(at * perProcess, (at + 1) * perProcess),
  );
  const all = { url, seconds, folder, processes: parts.length };
  const stored = await Promise.all(
    parts.map((sessions) => inFreshProcess<ScaleFigure>(job('write', { what: 'write', sessions, ...all }))),
  );
  return stored.reduce((sum, { value }) => sum + value, 0) / seconds;
}

/** What an append hands to the function in the database. */
async function handedOver(url: string): Promise<string> {
  const database = openPostgres(url);
  let rows = '';
  const ask: typeof database.ask = async (sql, values) => {
    if (sql.includes('sightline.append(')) rows = String(values?.[3]);
    return await database.ask(sql, values);
  };
  await using store = sessionsOver({ log: postgresLogOver({ ...database, ask }), assets: memoryAssets() });
  await using session = await store.create();
  await session.append({ type: 'message', message: saying(0) });
  return rows;
}

/** The program that PostgreSQL measures itself with. */
function pgbench(): string | undefined {
  if (spawnSync('which', ['pgbench']).status === 0) return 'pgbench';
  return globSync('/usr/lib/postgresql/*/bin/pgbench').at(-1);
}

/** Calls of the same function with the same rows, a second; each client has a session of its own. */
async function bare(server: PostgresServer, url: string, writers: number, folder: string): Promise<number> {
  const ids = (await newSessions(url, writers)).map((id) => `'${id}'`).join(', ');
  const take = `UPDATE sightline.session SET epoch = 9, holder = 'bench' WHERE id IN (${ids}) RETURNING number, seq`;
  const held = await server.ask(take, url);
  const first = Math.min(...held.map(({ number }) => Number(number)));
  const call = `SELECT * FROM sightline.append(:number, 9, :place, :rows::json, '15 seconds')`;
  const file = join(folder, 'append.sql');
  writeFileSync(file, `\\set place :place + 1\n\\set number :client_id + ${first}\n${call};\n`);
  const { port, pathname } = new URL(url);
  const given = ['-D', 'place=-1', '-D', `rows=${await handedOver(url)}`];
  const words = ['-n', '-M', 'prepared', ...given, '-c', String(writers), '-j', '2', '-T', String(seconds)];
  const where = ['-f', file, '-h', '127.0.0.1', '-p', port, '-U', server.user, pathname.slice(1)];
  const { stdout } = await promisify(execFile)(pgbench() ?? '', [...words, ...where]);
  const counted = `SELECT count(*)::integer AS rows FROM sightline.entry WHERE session IN (SELECT number FROM sightline.session WHERE id IN (${ids}))`;
  const rows = Number((await server.ask(counted, url))[0]?.['rows']);
  const told = Number(/number of transactions actually processed: (\d+)/.exec(stdout)?.[1]);
  if (rows !== told) throw new Error(`pgbench told of ${told} appends, and ${rows} are there.`);
  return told / seconds;
}

/** Bytes of the rows that a picture leaves, all that refers to it included. */
async function pictureBytes(server: PostgresServer, url: string): Promise<number> {
  const session = await (async () => {
    await using store = openSessions({ url });
    await using made = await store.create();
    for (let at = 0; at < pictureCount; at++) {
      const asset = await made.assets.put(Buffer.from(`picture ${at}`), { mediaType: 'image/png', name: 'screen.png' });
      const image = { type: 'image', asset, width: 1440, height: 900 } as const;
      await made.append({
        type: 'message',
        message: { role: 'tool', callId: `c${at}`, name: 'screen', content: [image] },
      });
    }
    return made.id;
  })();
  const of = (table: string): string => `(SELECT coalesce(sum(pg_column_size(t)), 0) FROM sightline.${table} t
    WHERE t.session = (SELECT number FROM sightline.session WHERE id = '${session}'))`;
  const assets = '(SELECT sum(pg_column_size(a)) FROM sightline.asset a)';
  const [row] = await server.ask(`SELECT (${of('entry')} + ${of('reference')} + ${assets})::integer AS bytes`, url);
  return Number(row?.['bytes']) / pictureCount;
}

const over = (one: Spread, other: Spread): string => (one.median / other.median).toFixed(2);

async function rates(server: PostgresServer, folder: string, repetitions: number): Promise<Map<string, number[]>> {
  const url = await server.newDatabase();
  const found = new Map<string, number[]>();
  const add = (name: string, rate: number): void => void found.set(name, [...(found.get(name) ?? []), rate]);
  for (let round = 0; round < repetitions; round++)
    for (const writers of writerCounts) {
      process.stderr.write(`  ${round + 1}/${repetitions} ${writers} writers\n`);
      add(`ours ${writers}`, await ours(url, writers, folder));
      if (pgbench() !== undefined) add(`pgbench ${writers}`, await bare(server, url, writers, folder));
    }
  return found;
}

export const compareScale: Comparison = async (repetitions) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-scale-'));
  const server = await startPostgres({ fsync: 'on', max_connections: '100' });
  try {
    const places: Record<string, SessionsOptions> = {
      SQLite: { home: join(folder, 'home') },
      PostgreSQL: { url: await server.newDatabase() },
    };
    const tree = treeBefore(folder);
    const jobs = [job('append', { what: 'append', now: resolve('.'), before: tree })];
    for (const [name, place] of Object.entries(places)) {
      process.stderr.write(`  ${sessionCount} sessions and one of ${entryCount} entries in ${name}\n`);
      await manySessions(place, server);
      const id = await longSession(place);
      jobs.push(
        job(`page ${name}`, { what: 'page', place }),
        job(`open ${name}`, { what: 'open', place, id, messages: entryCount }),
      );
    }
    const results = new Map<string, number[]>();
    for (const [name, figures] of await interleave<ScaleFigure>(jobs, repetitions)) {
      results.set(
        name,
        figures.map(({ value }) => value),
      );
      results.set(
        `${name} before`,
        figures.flatMap(({ before }) => before ?? []),
      );
    }
    for (const [name, values] of await rates(server, folder, repetitions)) results.set(name, values);
    const bytes = await pictureBytes(server, await server.newDatabase());
    const of = (name: string): Spread => spread(results.get(name) ?? []);
    const row = (label: string, what: string, digits: number): string[] => [
      label,
      show(of(`${what} SQLite`), digits),
      show(of(`${what} PostgreSQL`), digits),
      over(of(`${what} PostgreSQL`), of(`${what} SQLite`)),
    ];
    return {
      title: 'Sessions of many machines',
      about: [
        `PostgreSQL 18 on this machine, \`fsync\` on. Appends are messages of about 400 characters with their words for search, each acknowledged ` +
          `before the next of its session; up to ${perProcess} sessions share a process, which counts when all of them are there and its code is ` +
          `compiled; those of a process that wait for each other go as one statement. pgbench hands the same rows to the same function, prepared ` +
          `(\`-M prepared\`), one session and one connection for each client; ${seconds} seconds each, by turns.`,
        `A page is one of the newest 50 of ${sessionCount} sessions, after ten others. Opening reads all ${entryCount} messages of one.`,
        `Before is ${firstRelease}, the first release, by turns in one process; processor time of an append to SQLite.`,
      ],
      tables: [
        {
          caption: 'Appends a second in PostgreSQL',
          columns: ['writers', 'Sightline', 'pgbench', 'ratio'],
          rows: writerCounts.map((writers) => [
            String(writers),
            show(of(`ours ${writers}`)),
            show(of(`pgbench ${writers}`)),
            over(of(`ours ${writers}`), of(`pgbench ${writers}`)),
          ]),
        },
        {
          caption: 'Milliseconds',
          columns: ['', 'SQLite', 'PostgreSQL', 'ratio'],
          rows: [row('a page of 50 sessions', 'page', 2), row('all messages of a long session', 'open', 0)],
        },
        {
          caption: 'Processor time of an append to SQLite, ms',
          columns: ['before', 'now', 'ratio'],
          rows: [[show(of('append before'), 3), show(of('append'), 3), over(of('append'), of('append before'))]],
        },
      ],
      notes: [
        `A picture in a result leaves ${Math.round(bytes)} bytes in rows, all that refers to it included.`,
        ...(pgbench() === undefined ? ['pgbench is not installed (apt-get install postgresql-contrib).'] : []),
      ],
      raw: Object.fromEntries(results),
    };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
