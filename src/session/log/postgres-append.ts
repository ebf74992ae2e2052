// Rows on their way into PostgreSQL. Sessions that append while the appends of others are under way go together next: one
// statement, one round trip and one commit for all of them, each with its own lease and its own place.
import { crc32 } from 'node:zlib';
import { hashIn } from '../../content/block.ts';
import { readEntry } from './migrations.ts';
import type { EntryLog, Lease, NewRow } from './port.ts';
import { fenced, gone, outOfStep } from './port.ts';
import type { PgRow, Postgres } from './postgres-pool.ts';
import { indexedWords } from './postgres-sessions.ts';
import { referenceKinds } from './sqlite-claims.ts';

/** How many sessions go together, how long their rows may be, and how long one waits for others before it goes without them. */
const [mostTogether, longestTogether, longestWaitMs] = [16, 64 * 1024, 50];

type Appended = Awaited<ReturnType<EntryLog['append']>>;
/** The number of a session, its epoch, its next place, the rows, how long its lease lasts then. */
type AppendCall = readonly [number: number, epoch: number, next: number, rows: string, lease: string];
type WaitingCall = { call: AppendCall; resolve: (row: PgRow | undefined) => void; reject: (error: unknown) => void };

/** Appends rows to the session with this number in the database, for its holder. */
export function postgresAppends(
  { ask, askOnce }: Pick<Postgres, 'ask' | 'askOnce'>,
  lease: string,
): (number: number, given: Lease, rows: readonly NewRow[]) => Promise<Appended> {
  const send = async (calls: readonly WaitingCall[]): Promise<void> => {
    const [first, second] = calls;
    const { sql = '', name } = statements[calls.length - 1] ?? {};
    const values = calls.flatMap(({ call }) => call);
    try {
      const rows = await (second ? askOnce : ask)(sql, values, name);
      for (const [at, one] of calls.entries()) {
        const row = rows.find((own) => own['at'] === at);
        if (second && !row) void send([one]);
        else one.resolve(row);
      }
    } catch (error) {
      // What is wrong with one of them is not wrong with all; asked again, an append is the same.
      if (second) for (const one of calls) void send([one]);
      else first?.reject(error);
    }
  };
  const together = inGroups(send);
  return async (number, given, rows) => {
    const text = JSON.stringify(rows.map(columnsOf));
    const call: AppendCall = [number, given.epoch, given.next, text, lease];
    // One that names media may wait for whoever collects them just now.
    const isAlone = text.length > longestTogether || rows.some(({ refers }) => refers && refers.length > 0);
    const row = await new Promise<PgRow | undefined>((resolve, reject) => {
      if (isAlone) void send([{ call, resolve, reject }]);
      else together({ call, resolve, reject });
    });
    return appendedIn(row, given);
  };
}

/** One group at a time; who is answered in one may be in the next. A single one waits for nobody. */
function inGroups(send: (calls: readonly WaitingCall[]) => Promise<void>): (one: WaitingCall) => void {
  const waiting: WaitingCall[] = [];
  let isUnderWay = false;
  let tired: NodeJS.Timeout | undefined;
  const next = (): void => {
    clearTimeout(tired);
    tired = undefined;
    const group = waiting.splice(0, mostTogether);
    if (waiting.length > 0) tired = setTimeout(next, longestWaitMs);
    isUnderWay = group.length > 0;
    if (isUnderWay) void send(group).then(() => answered(group.length));
  };
  const answered = (count: number): void => {
    if (count > 1 || waiting.length > 0) setImmediate(next);
    else isUnderWay = false;
  };
  return (one) => {
    waiting.push(one);
    if (isUnderWay) tired ??= setTimeout(next, longestWaitMs);
    else next();
  };
}

/** The statements for one, for two, and so on, and what a connection that has prepared one calls it. Of several, a session that
 * somebody else holds just now is left out: nobody waits for it but itself. */
const statements = Array.from({ length: mostTogether }, (_, more) => {
  const calls = Array.from({ length: more + 1 }, (_one, at) => {
    const [number, epoch, next, rows, lease] = [1, 2, 3, 4, 5].map((place) => `$${5 * at + place}`);
    const append = (to: string): string =>
      `sightline.append(${to}, ${epoch}, ${next}, ${rows}::json, ${lease}::interval) AS done`;
    if (more === 0) return `SELECT ${at} AS at, done.* FROM ${append(`${number}`)}`;
    const free = `SELECT number FROM sightline.session WHERE number = ${number} FOR NO KEY UPDATE SKIP LOCKED`;
    return `SELECT ${at} AS at, done.* FROM (${free}) AS free, ${append('free.number')}`;
  });
  const sql = calls.join(' UNION ALL ');
  return { sql, name: `sightline.append(${more + 1}) ${crc32(sql).toString(16)}` };
});

/** What PostgreSQL takes in JSON: no zero, and no half of a character. */
const plain = (text: string | undefined): string | undefined => text?.replaceAll('\0', '').toWellFormed();

/** A row as the function reads it. */
function columnsOf(row: NewRow): Record<string, unknown> {
  const { type, version, time, body, key, change = {}, refers = [] } = row;
  const entry = readEntry({ id: 0, parent: null, type, version, time, body });
  return {
    type,
    version,
    time,
    body,
    key,
    checksum: crc32(body),
    words: indexedWords(entry),
    title: plain(change.title),
    first: plain(change.firstWords),
    model: plain(change.model),
    input: change.usage?.inputTokens,
    output: change.usage?.outputTokens,
    cost: change.usage?.cost,
    ...(refers.length > 0 && {
      refers: refers.map(({ id, size, by }) => ({ hash: hashIn(id), size, kind: referenceKinds[by] })),
    }),
  };
}

function appendedIn(row: PgRow | undefined, given: Lease): Appended {
  switch (row?.['state']) {
    case 'stored':
      return {
        ids: (row['ids'] as unknown[]).map(Number),
        gone: (row['gone'] as string[]).map((hash) => `sha256:${hash}` as const),
      };
    case 'gone':
      throw gone(given.session);
    case 'step':
      throw outOfStep(given, Number(row['seq_now']));
    default:
      throw fenced(given, holderIn(row?.['holder_now']));
  }
}

/** Who holds a session, in words, as the database tells it. */
export function holderIn(holder: unknown): string | undefined {
  const [host, pid] = typeof holder === 'string' ? holder.split(' ') : [];
  return host === undefined ? undefined : `process ${pid} on ${host}`;
}
