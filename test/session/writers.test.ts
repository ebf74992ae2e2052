// Four processes write to two sessions in one PostgreSQL while everything goes wrong: they are killed, paused beyond their
// leases and have wrong clocks, the server is stopped as by a power cut, connections break, answers are lost, the disk is full. SIGHTLINE_KILLS=1000 runs the
// long version, in which leases run out by themselves.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSessions } from '../../src/session/index.ts';
import { effort } from '../effort.ts';
import { proxyTo } from '../postgres/proxy.ts';
import type { Proxy } from '../postgres/proxy.ts';
import { startPostgres } from '../postgres/server.ts';
import type { PostgresServer } from '../postgres/server.ts';
import { openSmallDisk } from '../small-disk.ts';

const { kills } = effort;
const isLong = kills >= 1000;
const [writers, day, leaseMs] = [4, 24 * 60 * 60 * 1000, 15_000];
const disk = openSmallDisk(256);

let [server, proxy]: [PostgresServer?, Proxy?] = [];
let url = '';

async function newDatabase(on: PostgresServer): Promise<string> {
  if (!disk) return await on.newDatabase();
  const folder = join(disk.folder, 'tables');
  chmodSync(disk.folder, 0o755);
  mkdirSync(folder);
  chownSync(folder, 65_534, 65_534);
  await on.ask(`CREATE TABLESPACE small LOCATION '${folder}'`);
  await on.ask('CREATE DATABASE writers TABLESPACE small');
  return `postgres://${on.user}@127.0.0.1:${on.port}/writers`;
}

beforeAll(async () => {
  server = await startPostgres();
  proxy = await proxyTo(server.port);
  url = await newDatabase(server);
});
afterAll(() => {
  for (const { child } of running) child.kill('SIGKILL');
  proxy?.close();
  server?.close();
  disk?.[Symbol.dispose]();
});

type Stored = { session: string; entry: number; text: string; asset: string };
type Writer = { child: ChildProcess; session: string };
const running: Writer[] = [];
const stored: Stored[] = [];
const counts: Record<string, number> = {};
const count = (what: string): number => (counts[what] = (counts[what] ?? 0) + 1);
const strange: string[] = [];
const broken = Promise.withResolvers<never>();
broken.promise.catch(() => undefined); // whoever waits for a writer hears it
const told = new Set<(writer: Writer, what: string) => void>();

/** The next writer that says this. */
function next(what: string, of: (writer: Writer) => boolean = () => true): Promise<Writer> {
  const said = new Promise<Writer>((resolve) => {
    const listener = (writer: Writer, line: string): void => {
      if (!line.startsWith(what) || !of(writer)) return;
      told.delete(listener);
      resolve(writer);
    };
    told.add(listener);
  });
  return Promise.race([said, broken.promise]);
}

function hear(writer: Writer, line: string): void {
  const [what = '', entry = '', tenure = '', number = '', asset = ''] = line.split(' ');
  if (what === 'stored')
    stored.push({ session: writer.session, entry: Number(entry), text: `${tenure} ${number}`, asset });
  else if (what === 'strange') strange.push(line);
  else count(what);
  for (const one of told) one(writer, what);
}

function start(session: string, at: number): Writer {
  const skew = String([0, day, -day, 0][at % 4]);
  const path = fileURLToPath(new URL('shared-writer.ts', import.meta.url));
  const through = url.replace(/:\d+\//, `:${proxy?.port}/`);
  const child = spawn(process.execPath, [path, through, session, skew], { stdio: ['ignore', 'pipe', 'pipe'] });
  const writer: Writer = { child, session };
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = `${out}${chunk.toString()}`.split('\n');
    out = lines.pop() ?? '';
    for (const line of lines) hear(writer, line);
  });
  child.stderr.on('data', (chunk: Buffer) => strange.push(chunk.toString()));
  child.once('close', (code, signal) => {
    if (signal !== 'SIGKILL') broken.reject(new Error(`A writer ended by itself (${code}): ${strange.join('')}`));
  });
  running[at] = writer;
  return writer;
}

async function kill(writer: Writer): Promise<void> {
  const ended = new Promise((resolve) => writer.child.once('close', resolve));
  writer.child.kill('SIGKILL');
  await ended; // what it said before is heard
  count('killed');
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Who holds a session stops until its lease is over and a rival writes; then it goes on, and must hear that it may not. */
async function pauseBeyondLease(): Promise<void> {
  const writer = await next('stored');
  writer.child.kill('SIGSTOP');
  const rival = next('stored', (other) => other !== writer && other.session === writer.session);
  if (isLong) await pause(leaseMs);
  const over = `UPDATE sightline.session SET held_until = '-infinity' WHERE id = '${writer.session}' AND holder LIKE '% ${writer.child.pid} %'`;
  if (!isLong) await server?.ask(over, url);
  await rival;
  const its = (other: Writer): boolean => other === writer;
  const stale = next('stored', its).then(() => next('stored', its)); // the first may have been under way
  const heard = Promise.race([next('fenced', its), stale]);
  writer.child.kill('SIGCONT');
  await heard;
  count('paused');
}

async function fillDisk(): Promise<void> {
  if (!disk) return;
  const makeRoom = disk.fill();
  await next('full');
  await next('full');
  makeRoom();
  await next('stored');
  count('filled');
}

async function loseAnswers(): Promise<void> {
  await proxy?.swallow('sightline.append(');
  await pause(10);
  proxy?.mend();
  proxy?.cut();
  count('lost answers');
}

/** What goes wrong besides, and after how many kills again. */
const hazards: [number, () => Promise<void> | void][] = [
  [4, () => (proxy?.cut(), void count('cut'))],
  [3, loseAnswers],
  [isLong ? 100 : 10, pauseBeyondLease],
  [isLong ? 20 : 10, () => (server?.stop('immediate'), server?.start(), void count('server stopped'))],
  [isLong ? 250 : kills, fillDisk],
];

const patience = { timeout: 300_000 + kills * 10_000 };

test(
  `${writers} writers, ${kills} kills, and all that goes wrong with a database: nothing is lost, twice or stale`,
  patience,
  async () => {
    await using store = openSessions({ url });
    const sessions = await Promise.all([store.create({ title: 'one' }), store.create({ title: 'two' })]);
    for (const session of sessions) await session.close();
    for (let at = 0; at < writers; at++) start(sessions[at % 2]?.id ?? '', at);
    for (let killed = 0; killed < kills; killed++) {
      for (let acknowledged = 1; acknowledged < 5; acknowledged++) await next('stored');
      const writer = await next('stored');
      await pause(Math.random() * 30);
      await kill(writer);
      start(writer.session, running.indexOf(writer));
      for (const [every, hazard] of hazards) if (killed % every === every - 1) await hazard();
    }
    for (const writer of running) await kill(writer);
    expect(strange).toEqual([]);

    type Row = { session: string; entry: number; text: string; kind: string };
    const rows = (await server?.ask(
      `SELECT s.id AS session, e.id::integer AS entry, e.type AS kind,
      coalesce(e.body::json #>> '{message,content,0,text}', e.body::json ->> 'text') AS text
      FROM sightline.entry e JOIN sightline.session s ON s.number = e.session WHERE e.type IN ('message', 'note') ORDER BY e.id`,
      url,
    )) as Row[];
    const messages = rows.filter(({ kind }) => kind === 'message');
    const there = new Map(messages.map((row) => [`${row.session} ${row.entry}`, row.text]));
    const lost = stored.filter(({ session, entry, text }) => there.get(`${session} ${entry}`) !== text);
    const texts = new Set(messages.map(({ text }) => text));
    const twice = messages.length - texts.size;
    const halves = rows.length - 2 * messages.length; // an append is all or nothing
    const stale = sessions.flatMap(({ id }) => staleIn(rows.filter(({ session }) => session === id)));
    const gaps = messages.filter(({ text }) => {
      const [tenure = '', number = '0'] = text.split(' ');
      return number !== '0' && !texts.has(`${tenure} ${Number(number) - 1}`);
    });
    const contents = await server?.ask(
      "SELECT 'sha256:' || encode(hash, 'hex') AS id, sha256(bytes) = hash AS whole FROM sightline.content",
      url,
    );
    const readable = new Set(contents?.flatMap(({ id, whole }) => (whole === true ? [id] : [])));
    const missing = new Set(stored.flatMap(({ asset }) => (readable.has(asset) ? [] : [asset])));
    const named = (await Promise.all(sessions.map(async ({ id }) => await (await store.read(id)).losses()))).flat();
    console.log(
      `PostgreSQL: ${stored.length} acknowledged of ${messages.length} stored; ` +
        `${Object.entries(counts)
          .map(([what, often]) => `${what} ${often}`)
          .join(', ')}; ` +
        `${lost.length} lost, ${twice} twice, ${stale.length} stale, ${gaps.length} gaps, ${missing.size} of ${contents?.length} media missing`,
    );
    expect({ lost, twice, halves, stale, gaps, missing, named }).toEqual({
    lost: [], twice: 0, halves: 0, stale: [], gaps: [], missing: new Set(), named: [],
  }); // prettier-ignore
    expect(readable.size).toBe(contents?.length);
    expect(stored.length).toBeGreaterThanOrEqual(kills);
    expect(counts['fenced']).toBeGreaterThanOrEqual(counts['paused'] ?? 0);
  },
);

/** Entries of a writer behind those of the writer that came after it. */
function staleIn(rows: readonly { text: string }[]): string[] {
  const tenures = rows.map(({ text }) => text.split(' ')[0] ?? '');
  const over = new Set<string>();
  return tenures.filter((tenure, at) => {
    const before = tenures[at - 1];
    if (before !== undefined && before !== tenure) over.add(before);
    return over.has(tenure);
  });
}
