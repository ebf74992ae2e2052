// The log in PostgreSQL: many machines, one database. Whoever writes to a session holds a lease by the clock of the database;
// its epoch keeps out a writer that was thought dead, and the sequence number makes an append that is repeated the same one.
import { randomUUID } from 'node:crypto';
import { errorCode } from '../../config/system.ts';
import { SightlineError } from '../../content/refusal.ts';
import { isOver } from './holder.ts';
import { inTurns } from './in-turns.ts';
import type { InTurn } from './in-turns.ts';
import type { EntryLog, Lease, LeaseHolder } from './port.ts';
import { checkKeys, fenced, gone, taken, untilFree, writtenElsewhere } from './port.ts';
import { holderIn, postgresAppends } from './postgres-append.ts';
import { postgresClaims } from './postgres-claims.ts';
import { postgresDescriptions } from './postgres-descriptions.ts';
import { postgresUploads } from './postgres-uploads.ts';
import type { PgRow, Postgres } from './postgres-pool.ts';
import { openPostgres } from './postgres-pool.ts';
import { postgresRequests } from './postgres-requests.ts';
import { findInPostgres, listInPostgres, readInPostgres, searchInPostgres } from './postgres-sessions.ts';
import { postgresWatch } from './postgres-watch.ts';

/** How long a lease lasts without a sign of life, and how often an idle writer gives one. */
const [leaseMs, renewMs] = [15_000, 5000];
const lease = `${leaseMs} milliseconds`;

/** Which database: `postgres://user@host/name`. */
export type PostgresOptions = { url: string };

type Held = { number: number; epoch: number; inTurn: InTurn };

/**
 * Sessions of many machines in one PostgreSQL database; needs the package `pg` beside this one.
 *
 * @example
 * await using store = sessionsOver({ log: postgresLog({ url: 'postgres://ada@db/agents' }), assets: fileAssets('assets') });
 */
export function postgresLog({ url }: PostgresOptions): EntryLog {
  return postgresLogOver(openPostgres(url));
}

/** The log over a database that is open, and closed with the log. */
export function postgresLogOver(database: Postgres): EntryLog {
  const { ask, askCounted } = database;
  const appendTo = postgresAppends(database, lease);
  const watchers = postgresWatch(database);
  const held = new Map<string, Held>();
  const { closing, close } = closable();
  let timer: NodeJS.Timeout | undefined;
  const renewing = (): void => {
    timer ??= setInterval(() => void renewAll(database, held).catch(() => undefined), renewMs).unref();
  };

  const log: EntryLog = {
    create: (id, time, from) =>
      closing(async () => {
        const begin = async (): Promise<unknown> => {
          const sql = 'SELECT sightline.begin_session($1, $2, $3, $4, $5) AS state';
          const [row] = await ask(sql, [id, time, randomUUID(), from?.id ?? null, from?.entry ?? null]).catch(
            (error: unknown) => [{ state: isDouble(error) ? 'taken' : rethrown(error) }], // two at the same moment
          );
          return row?.['state'];
        };
        let state = await begin();
        if (state === 'taken') {
          // What forks of a removed one still read is known by its number alone.
          await ask("UPDATE sightline.session SET id = id || ' ' || number WHERE id = $1 AND removed", [id]);
          state = await begin();
        }
        if (state === 'taken') throw taken(id);
        if (state === 'gone') throw gone(from?.id ?? id);
      }),
    find: (id) => findInPostgres(ask, id),
    list: (page = {}) => listInPostgres(ask, page),
    take: (id, holder, { waitMs = 0 } = {}) =>
      untilFree(waitMs, () =>
        closing(async () => {
          const { number, ...one } = await takeIn(database, id, holder);
          held.set(id, { number, epoch: one.epoch, inTurn: inTurns() });
          renewing();
          return one;
        }),
      ),
    renew: async (given) => {
      const sql = `UPDATE sightline.session SET held_until = clock_timestamp() + $3::interval
        WHERE id = $1 AND epoch = $2 AND holder IS NOT NULL AND NOT removed RETURNING seq`;
      const [row] = await ask(sql, [given.session, given.epoch, lease]);
      if (!row) throw await whyNot(database, given);
      return { ...given, next: Number(row['seq']) };
    },
    release: async ({ session, epoch }) => {
      if (held.get(session)?.epoch === epoch) held.delete(session);
      const sql = 'UPDATE sightline.session SET holder = NULL WHERE id = $1 AND epoch = $2';
      await ask(sql, [session, epoch]).catch(() => undefined); // it ends by itself
    },
    writer: async (id) => {
      const sql = `SELECT holder FROM sightline.session WHERE id = $1 AND NOT removed AND held_until >= clock_timestamp()`;
      const holder = (await ask(sql, [id]))[0]?.['holder'];
      const [host, pid] = typeof holder === 'string' ? holder.split(' ') : [];
      return host === undefined ? undefined : { host, process: Number(pid) };
    },
    remove: (given) =>
      closing(async () => {
        const sql = 'SELECT sightline.remove_session($1, $2) AS state, sightline.request_changed()';
        const { rows, tries } = await askCounted(sql, [given.session, given.epoch]);
        if (rows[0]?.['state'] === 'gone' && tries === 1) throw gone(given.session);
        if (rows[0]?.['state'] === 'fenced') throw fenced(given);
        held.delete(given.session);
      }),
    append: (given, rows) =>
      closing(async () => {
        const own = held.get(given.session);
        if (own?.epoch !== given.epoch) throw fenced(given);
        checkKeys(rows);
        const appended = await own.inTurn(() => appendTo(own.number, given, rows));
        watchers.wake(given.session);
        return appended;
      }),
    read: (id, options = {}) => readInPostgres(ask, id, options),
    watch: watchers.sessions,
    search: (text, page) => searchInPostgres(ask, text, page),
    once: (key) =>
      closing(async () => {
        const asker = randomUUID();
        const sql = 'INSERT INTO sightline.once (key, asker) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING key';
        const { rows, tries } = await askCounted(sql, [key, asker]);
        if (rows.length > 0 || tries === 1) return rows.length > 0;
        return (await ask('SELECT 1 FROM sightline.once WHERE key = $1 AND asker = $2', [key, asker])).length > 0;
      }),
    claims: postgresClaims(database, { closing }),
    requests: postgresRequests(database, watchers.requests),
    descriptions: postgresDescriptions(database),
    uploads: postgresUploads(database),
    close: () =>
      close(async () => {
        clearInterval(timer);
        watchers.close();
        const all = [...held.values()];
        held.clear();
        if (all.length > 0)
          await ask(
            `UPDATE sightline.session s SET holder = NULL FROM unnest($1::bigint[], $2::bigint[]) AS h (number, epoch)
              WHERE s.number = h.number AND s.epoch = h.epoch`,
            [all.map(({ number }) => number), all.map(({ epoch }) => epoch)],
          ).catch(() => undefined); // they end by themselves
        await database.close();
      }),
  };
  return log;
}

/** What was handed over before the end is waited for; from then on nothing is taken. */
function closable(): {
  closing: <T>(work: () => Promise<T>) => Promise<T>;
  close: (work: () => Promise<void>) => Promise<void>;
} {
  const under = new Set<Promise<unknown>>();
  let ending: Promise<void> | undefined;
  return {
    closing: async (work) => {
      if (ending) throw new SightlineError('input', 'These sessions were closed. Open sessions before you use them.');
      const done = work();
      under.add(done);
      try {
        return await done;
      } finally {
        under.delete(done);
      }
    },
    close: (work) => (ending ??= Promise.allSettled(under).then(work)),
  };
}

function rethrown(error: unknown): never {
  throw error;
}

function isDouble(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return errorCode(cause) === '23505';
}

/** Raises the epoch where nobody writes, or who did is over. */
async function takeIn(
  { ask }: Postgres,
  id: string,
  { host, process: pid }: LeaseHolder,
): Promise<Lease & { number: number }> {
  const me = `${host} ${pid} ${randomUUID()}`;
  const sql = `UPDATE sightline.session SET epoch = epoch + CASE WHEN holder = $2 THEN 0 ELSE 1 END, holder = $2,
      held_until = clock_timestamp() + $3::interval
    WHERE id = $1 AND NOT removed AND (holder IS NULL OR holder = $2 OR holder = $4 OR held_until < clock_timestamp())
    RETURNING number, epoch, seq`;
  const attempt = async (dead: string | null): Promise<PgRow | undefined> => (await ask(sql, [id, me, lease, dead]))[0];
  const row = (await attempt(null)) ?? (await attempt(await deadHolder(ask, id)));
  if (row) return { session: id, epoch: Number(row['epoch']), next: Number(row['seq']), number: Number(row['number']) };
  const holder = (await holderOf(ask, id))?.split(' ') ?? [];
  throw writtenElsewhere(id, holder[0] === host && holder[1] === String(process.pid) ? 'us' : 'others');
}

async function holderOf(ask: Postgres['ask'], id: string): Promise<string | undefined> {
  const [row] = await ask('SELECT holder FROM sightline.session WHERE id = $1 AND NOT removed', [id]);
  if (!row) throw gone(id);
  return typeof row['holder'] === 'string' ? row['holder'] : undefined;
}

/** A process of this host that is not there any more. A wrong guess does no harm: the old holder is kept out by its epoch. */
async function deadHolder(ask: Postgres['ask'], id: string): Promise<string | null> {
  const holder = await holderOf(ask, id);
  if (holder === undefined) return null;
  const [host = '', pid] = holder.split(' ');
  return isOver({ host, process: Number(pid) }) ? holder : null;
}

async function whyNot({ ask }: Postgres, given: Lease): Promise<SightlineError> {
  return fenced(given, holderIn(await holderOf(ask, given.session)));
}

/** Signs of life of those who write nothing just now. */
async function renewAll({ ask }: Postgres, held: ReadonlyMap<string, Held>): Promise<void> {
  const all = [...held.values()];
  if (all.length === 0) return;
  await ask(
    `UPDATE sightline.session SET held_until = clock_timestamp() + $3::interval WHERE number IN (
      SELECT s.number FROM sightline.session s JOIN unnest($1::bigint[], $2::bigint[]) AS h (number, epoch)
        ON s.number = h.number AND s.epoch = h.epoch
      WHERE s.holder IS NOT NULL AND s.held_until < clock_timestamp() + 0.75 * $3::interval
      FOR NO KEY UPDATE OF s SKIP LOCKED)`, // whoever holds one is appending to it
    [all.map(({ number }) => number), all.map(({ epoch }) => epoch), lease],
  );
}
