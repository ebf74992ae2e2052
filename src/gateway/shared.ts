// What gateways on many machines share in one PostgreSQL: what is kept of conversations, what keys have spent, how often they
// ask. Whoever would have to wait for it does without: conversations go on, and budgets refuse.
import { postgresDescriptions } from '../session/log/postgres-descriptions.ts';
import { openPostgres } from '../session/log/postgres-pool.ts';
import type { Postgres } from '../session/log/postgres-pool.ts';
import { keptName } from './kept.ts';
import type { KeptTexts } from './memory.ts';
import { forgottenMs, periodOf } from './spend.ts';
import type { Purse, SharedCount } from './spend.ts';

export type SharedKeeping = { kept: KeptTexts; purse: Purse; count: SharedCount };

/** A request waits for so long; a statement that is slower is given up. */
const patienceMs = 2000;
const [keepDays, sweepEvery, settleAgainMs] = [30, 500, 5000];

/** Opens nothing yet; the first question connects. */
export function openShared(url: string, now: () => number): SharedKeeping {
  const database = openPostgres(url, { patienceMs });
  return {
    kept: sharedKept(database),
    purse: sharedPurse(database, now),
    count: async (name, perMinute) => {
      const [row] = await database.ask('SELECT sightline.ask_at($1, $2) AS wait', [name, Math.ceil(perMinute)]);
      return Number(row?.['wait'] ?? 0);
    },
  };
}

function sharedKept(database: Postgres): KeptTexts {
  const { ask } = database;
  let writes = 0;
  const sweep = async (): Promise<void> => {
    await ask(`DELETE FROM sightline.kept WHERE at < now() - interval '${keepDays} days'`);
    await ask(`DELETE FROM sightline.description WHERE at < now() - interval '${keepDays} days'`);
    await ask("DELETE FROM sightline.reserved WHERE freed AND until < now() - interval '1 day'");
  };
  /** No answer waits until what is old is gone; what fails is swept with the next ones. */
  const written = (): void => {
    if (writes++ % sweepEvery === 0) void sweep().catch(() => undefined);
  };
  return {
    all: async (kind, keys) => {
      const names = new Map(keys.map((key) => [keptName(key), key]));
      const sql = 'SELECT digest, text FROM sightline.kept WHERE kind = $1 AND digest = ANY($2::text[])';
      const rows = await ask(sql, [kind, [...names.keys()]]);
      return new Map(rows.map(({ digest, text }) => [names.get(String(digest)) ?? '', String(text)]));
    },
    first: async (kind, keys) => {
      const sql = `SELECT k.text FROM unnest($2::text[]) WITH ORDINALITY AS w (digest, at)
        JOIN sightline.kept k ON k.kind = $1 AND k.digest = w.digest ORDER BY w.at LIMIT 1`;
      const text = (await ask(sql, [kind, keys.map(keptName)]))[0]?.['text'];
      return typeof text === 'string' ? text : undefined;
    },
    put: async (kind, key, text, request) => {
      const sql = `INSERT INTO sightline.kept (kind, digest, text, request) VALUES ($1, $2, $3, $4)
        ON CONFLICT (kind, digest) DO UPDATE SET text = excluded.text, at = excluded.at, request = excluded.request`;
      await ask(sql, [kind, keptName(key), text, request]);
      written();
    },
    putNew: async (kind, key, text, request) => {
      // What is read beside it does not see what is put here.
      const sql = `WITH put AS (INSERT INTO sightline.kept (kind, digest, text, request) VALUES ($1, $2, $3, $4)
        ON CONFLICT (kind, digest) DO NOTHING) SELECT text FROM sightline.kept WHERE kind = $1 AND digest = $2`;
      const there = (await ask(sql, [kind, keptName(key), text, request]))[0]?.['text'];
      written();
      return typeof there === 'string' ? there : undefined;
    },
    ready: () =>
      ask('SELECT 1 FROM sightline.kept LIMIT 1').then(
        () => true,
        () => false,
      ),
    descriptions: postgresDescriptions(database, keptName),
    close: () => database.close(),
  };
}

/** Money is counted in whole millionths, and never too little. */
const millionths = (dollars: number): number => Math.ceil(dollars * 1e6 - 1e-6);

function sharedPurse({ ask }: Postgres, now: () => number): Purse {
  const unsettled = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  /** What could not be told is told later; until then it counts as put aside. */
  const settle = async (id: string, cost: number): Promise<void> => {
    unsettled.set(id, cost);
    try {
      await ask('SELECT sightline.settle($1, $2)', [id, cost]);
      unsettled.delete(id);
    } catch {
      timer ??= setTimeout(() => void settleAll(), settleAgainMs).unref();
    }
  };
  const settleAll = async (): Promise<void> => {
    timer = undefined;
    for (const [id, cost] of unsettled) await settle(id, cost);
  };
  return {
    reserve: async (tenant, dollars) => {
      const id = crypto.randomUUID();
      const sql = 'SELECT sightline.put_aside($1, $2, $3, $4, $5::interval) AS free';
      const ceiling = Math.floor((tenant.key?.budget ?? 0) * 1e6 + 1e-6);
      const given = [id, periodOf(tenant, now()), millionths(dollars), ceiling, `${forgottenMs} milliseconds`];
      const [row] = await ask(sql, given);
      return row?.['free'] === true ? { settle: (cost) => settle(id, millionths(cost)) } : undefined;
    },
    close: async () => {
      clearTimeout(timer);
      await settleAll();
      clearTimeout(timer);
    },
  };
}
