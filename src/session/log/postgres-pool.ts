// The one way to PostgreSQL: a few connections, statements that stay prepared where no pooler hands these out, what breaks on
// the way is tried again, and what cannot be mended leaves here as a sentence.
import type * as Driver from 'pg';
import type { Client, ClientConfig, Pool, PoolClient } from 'pg';
import { SightlineError } from '../../content/refusal.ts';
import { patience } from '../away.ts';
import { inPostgresWords, isPassing, isPooler, isUnprepared, placeName } from './postgres-words.ts';
import { postgresSteps, schemaName, stepTable } from './postgres-schema.ts';

type Pg = typeof Driver;
export type PgRow = Record<string, unknown>;
/** A statement with its values, and its rows. One with a name, of which there is one text, stays prepared. */
export type Ask = (sql: string, values?: readonly unknown[], name?: string) => Promise<PgRow[]>;

export type Postgres = {
  /** Tried again when the connection breaks: whatever is asked may be asked twice. `tries` counts them. */
  ask: Ask;
  /** Not tried again. */
  askOnce: Ask;
  askCounted: (sql: string, values?: readonly unknown[], name?: string) => Promise<{ rows: PgRow[]; tries: number }>;
  /** Statements of one transaction; not tried again. */
  transaction: <T>(work: (ask: Ask) => Promise<T>) => Promise<T>;
  /** Notices of the channel, on a connection of its own; undefined where a pooler stands between. Ends when `lost` is told. */
  listen: (told: (what: string) => void, lost: () => void) => Promise<(() => void) | undefined>;
  close: () => Promise<void>;
};

const [connections, connectMs, statementMs, answerMs, longestPatienceMs] = [4, 10_000, 8000, 10_000, 30_000];

async function driver(): Promise<Pg> {
  try {
    const loaded = (await import('pg')) as Pg & { default?: Pg };
    return loaded.default ?? loaded;
  } catch (error) {
    const next = 'Install it beside sightline: npm install pg';
    throw new SightlineError('config', `Sessions in PostgreSQL need the package "pg". ${next}`, { cause: error });
  }
}

function checked(url: string): string {
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  const form = 'postgres://name@host:5432/database';
  throw new SightlineError('input', `This is no address of a PostgreSQL database: it looks like ${form}.`);
}

/** Tables of an older version are told unless they may be changed; where there are none they are made, but not by who only looks. */
type SchemaUse = {
  migrate?: boolean;
  readOnly?: boolean;
  /** For those who would rather do without than wait. */
  patienceMs?: number;
};

/** Opens nothing yet: the first question connects, and looks whether the tables are ours. */
export function openPostgres(address: string, use: SchemaUse = {}): Postgres {
  const { patienceMs = longestPatienceMs } = use;
  const url = checked(address);
  let opening: Promise<Pool> | undefined;
  let [isPooled, isForgetful, isClosed] = [false, false, false];
  const { answered, isOver } = patience(patienceMs, isPassing);

  const config = ({ types }: Pg): ClientConfig => ({
    connectionString: url,
    application_name: 'sightline',
    keepAlive: true,
    connectionTimeoutMillis: Math.min(connectMs, patienceMs),
    query_timeout: Math.min(answerMs, patienceMs),
    ...(!isPooled && { statement_timeout: Math.min(statementMs, patienceMs) }),
    // Numbers of ours stay far below 2^53.
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === 20 ? Number : (types.getTypeParser(oid, format ?? 'text') as (text: string) => unknown),
    },
  });

  const opened = async (): Promise<Pool> => {
    const pg = await driver();
    const make = (): Pool => {
      const pool = new pg.Pool({ ...config(pg), max: connections, allowExitOnIdle: true, Client: leavingClient(pg) });
      pool.on('error', () => undefined); // one that breaks while nobody uses it is replaced
      pool.on('connect', (client) => void client.on('error', () => undefined)); // whoever uses it is told by the statement
      return pool;
    };
    let pool = make();
    try {
      await pool.query('SELECT 1');
    } catch (error) {
      await pool.end();
      if (!isPooler(error)) throw error;
      isPooled = true;
      pool = make();
    }
    try {
      await checkSchema(pool, url, use);
    } catch (error) {
      await pool.end();
      throw error;
    }
    return pool;
  };
  const pool = (): Promise<Pool> => {
    if (isClosed) throw new SightlineError('input', 'These sessions were closed. Open sessions before you use them.');
    return (opening ??= opened().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  };

  const answer = async (sql: string, values: readonly unknown[], name?: string): Promise<PgRow[]> => {
    const open = await pool();
    const unnamed = isPooled || isForgetful || name === undefined;
    const rows = await once(open, sql, values, unnamed ? undefined : name).catch((error: unknown) => {
      if (unnamed || !isUnprepared(error)) throw error;
      isForgetful = true; // a pooler that did not say so
      return once(open, sql, values);
    });
    answered();
    return rows;
  };

  const askCounted: Postgres['askCounted'] = async (sql, values = [], name) => {
    const from = performance.now();
    for (let tries = 1, waitMs = 20; ; tries++, waitMs = Math.min(2 * waitMs, 1000)) {
      let isConnected = false;
      try {
        await pool();
        isConnected = true;
        return { rows: await answer(sql, values, name), tries };
      } catch (error) {
        if (!isConnected || isClosed || isOver(error, from, tries)) throw inPostgresWords(url, error);
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  };

  return {
    askCounted,
    ask: async (sql, values, name) => (await askCounted(sql, values, name)).rows,
    askOnce: async (sql, values = [], name) => {
      try {
        return await answer(sql, values, name);
      } catch (error) {
        throw inPostgresWords(url, error);
      }
    },
    transaction: async (work) => {
      try {
        return await within(await pool(), work);
      } catch (error) {
        throw inPostgresWords(url, error);
      }
    },
    listen: async (told, lost) => {
      await pool();
      return isPooled ? undefined : await listener(await driver(), config(await driver()), told, lost);
    },
    close: async () => {
      isClosed = true;
      const open = await opening?.catch(() => undefined);
      opening = undefined;
      await open?.end();
    },
  };
}

/** The driver's own waits for a minute, and holds up its program, when it has no password for a server that asks for one. */
function leavingClient(pg: Pg): new () => Client {
  return class extends pg.Client {
    override connect(): Promise<Client>;
    override connect(told: (error: Error) => void): void;
    override connect(told?: (error: Error) => void): Promise<Client> | void {
      if (!told) return super.connect();
      super.connect((error: Error | null) => {
        if (error) void this.end().catch(() => undefined);
        told(error as Error);
      });
    }
  };
}

async function once(pool: Pool, sql: string, values: readonly unknown[], name?: string): Promise<PgRow[]> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<PgRow>({ text: sql, values: [...values], ...(name !== undefined && { name }) });
    client.release();
    return rows;
  } catch (error) {
    client.release(isPassing(error)); // one that may be broken is not used again
    throw error;
  }
}

async function within<T>(pool: Pool, work: (ask: Ask) => Promise<T>): Promise<T> {
  const client: PoolClient = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(async (sql, values = []) => (await client.query<PgRow>(sql, [...values])).rows);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // Whoever tries again at once does not find what this one held; a connection that is closed rolls back.
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

async function listener(
  pg: Pg,
  config: ClientConfig,
  told: (what: string) => void,
  lost: () => void,
): Promise<() => void> {
  const client: Client = new pg.Client(config);
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    void client.end().catch(() => undefined);
    lost();
  };
  client.on('error', end);
  client.on('end', end);
  client.on('notification', ({ payload = '' }) => told(payload));
  try {
    await client.connect();
    await client.query(`LISTEN ${schemaName}`);
    return end;
  } catch (error) {
    end();
    throw error;
  }
}

/** Why somebody who only looks is refused by a database without tables. */
export const noTables: Error = new Error('There are no tables of ours.');

function schemaTrouble(what: string): SightlineError {
  return new SightlineError('storage', what);
}

/** Throws in words for tables that are not ours, older or newer; makes them where there are none. */
async function checkSchema(pool: Pool, url: string, { migrate, readOnly }: SchemaUse): Promise<void> {
  const place = placeName(url);
  const look = async (ask: Ask): Promise<number | undefined> => {
    // Not to_regnamespace: what a connection has looked up before, it may remember.
    const [found] = await ask(
      `SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1) AS schema,
        EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'step') AS step`,
      [schemaName],
    );
    if (found?.['schema'] !== true) return undefined;
    if (found['step'] !== true)
      throw schemaTrouble(
        `The schema "${schemaName}" of ${place} is not ours: it has no table "step". Name another database, or rename that schema.`,
      );
    const [row] = await ask(`SELECT coalesce(max(number), 0) AS done FROM ${schemaName}.step`);
    return Number(row?.['done'] ?? 0);
  };
  const done = await look((sql, values = []) => once(pool, sql, values));
  const all = postgresSteps.length;
  if (done === all) return;
  if (done !== undefined && done > all)
    throw schemaTrouble(`The tables in ${place} were made by a newer version of sightline. Update sightline here.`);
  if (done !== undefined && !migrate)
    throw schemaTrouble(
      `The tables in ${place} are those of an older version (${done} of ${all} steps). Run "sightline sessions migrate".`,
    );
  if (readOnly)
    throw new SightlineError('storage', `There are no sessions in ${place} yet. "sightline chat" begins one.`, {
      cause: noTables,
    });
  await within(pool, async (ask) => {
    await ask('SELECT pg_advisory_xact_lock(7316051919)');
    const now = await look(ask); // another process may have been quicker
    if (now === undefined) {
      await ask(`CREATE SCHEMA ${schemaName}`);
      await ask(stepTable);
    }
    for (const [at, step] of postgresSteps.entries()) {
      if (at < (now ?? 0)) continue;
      await ask(step);
      await ask(`INSERT INTO ${schemaName}.step (number) VALUES ($1)`, [at + 1]);
    }
  });
}
