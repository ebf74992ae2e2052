// Wakes those who look at sessions in PostgreSQL: at once for what this program appends, by notices for what others do, and by
// asking now and then where notices are lost on the way.
import { gone } from './port.ts';
import type { Postgres } from './postgres-pool.ts';
import { watching } from './watch.ts';
import type { Watchers } from './watch.ts';

/** How often is asked, and for how long others go on telling. */
const [askMs, toldSeconds] = [2000, 30];
/** What notices about requests say; no session has such an id. */
const requestsNotice = ' requests';

export type PostgresWatch = {
  wake: (session: string) => void;
  sessions: (id: string, signal: AbortSignal) => AsyncIterable<void>;
  requests: (signal: AbortSignal) => AsyncIterable<void>;
  close: () => void;
};

/** `open`: the change that was seen may belong to a transaction that is not over; all before this number have to be. */
type Watched = Watchers & { seen: number; count: number; open?: number | undefined };

export function postgresWatch(database: Postgres): PostgresWatch {
  const watched = new Map<string, Watched>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let unlisten: Promise<(() => void) | undefined> | undefined;

  const listened = (): Promise<unknown> =>
    (unlisten ??= database
      .listen(
        (what) => watched.get(what)?.wake(),
        () => (unlisten = undefined), // asked anew by the next look
      )
      .catch(() => (unlisten = undefined)));

  /** Says that they are watched, and wakes those who have missed something. */
  const look = async (): Promise<void> => {
    await listened();
    const rows = await database.ask(
      `WITH told AS (UPDATE sightline.session SET watched_until = clock_timestamp() + $2 * interval '1 second'
          WHERE id = ANY($1::text[]) AND NOT removed AND watched_until < clock_timestamp() + $2 * interval '0.5 second'),
        asked AS (INSERT INTO sightline.watched SELECT 'requests', clock_timestamp() + $2 * interval '1 second' WHERE $3
          ON CONFLICT (name) DO UPDATE SET until = excluded.until)
      SELECT id, seq, NULL AS first, NULL AS next FROM sightline.session WHERE id = ANY($1::text[]) AND NOT removed
      UNION ALL SELECT $4, CASE WHEN is_called THEN last_value ELSE 0 END,
        pg_snapshot_xmin(pg_current_snapshot())::text, pg_snapshot_xmax(pg_current_snapshot())::text
        FROM sightline.request_change WHERE $3`,
      [[...watched.keys()], toldSeconds, watched.has(requestsNotice), requestsNotice],
    );
    for (const { id, seq, first, next } of rows) {
      const one = watched.get(String(id));
      if (!one || (one.seen === Number(seq) && one.open === undefined)) continue;
      // Requests are counted before they are there: who looked too soon is woken until no change is under way.
      if (one.seen !== Number(seq)) one.open = next === null ? undefined : Number(next);
      else if (Number(first) >= (one.open ?? 0)) one.open = undefined;
      one.seen = Number(seq);
      one.wake();
    }
  };

  const begin = (id: string): Watched => {
    const one = watched.get(id) ?? { ...watching(), seen: -1, count: 0 };
    one.count++;
    watched.set(id, one);
    timer ??= setInterval(() => void look().catch(() => undefined), askMs).unref();
    return one;
  };
  const end = (id: string, one: Watched): void => {
    if (--one.count === 0) watched.delete(id);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    void unlisten?.then((stop) => stop?.());
  };

  async function* watch(id: string, signal: AbortSignal): AsyncGenerator<void> {
    if (isClosed) return;
    const one = begin(id); // before the first question: what is appended meanwhile wakes, too
    const over = new AbortController();
    const woken = one.watch(AbortSignal.any([signal, over.signal]))[Symbol.asyncIterator]();
    try {
      const first = woken.next();
      await look().catch((error: unknown) => {
        if (!isClosed) throw error;
      });
      if (isClosed) return;
      if (one.seen < 0) throw gone(id);
      for (let next = await first; next.done !== true; next = await woken.next()) yield;
    } finally {
      over.abort(); // who waits for the first time is let go, too
      await woken.return?.();
      end(id, one);
    }
  }

  return {
    wake: (session) => watched.get(session)?.wake(),
    sessions: watch,
    requests: (signal) => watch(requestsNotice, signal),
    close: () => {
      isClosed = true;
      clearInterval(timer);
      for (const one of watched.values()) one.close();
      void unlisten?.then((stop) => stop?.());
    },
  };
}
