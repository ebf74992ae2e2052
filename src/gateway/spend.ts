// What a key may spend, and how often it may ask. The dearest that a request can become is put aside before it leaves and
// settled when its cost is known; with a database, instances put aside from the same purse.
import { openDatabase, prepared, transaction } from '../session/log/database.ts';
import type { Profile } from '../window/profile.ts';
import { moneyFor } from '../window/prices.ts';
import type { Tenant } from './keys.ts';

/** What was put aside, until it is known what it cost. */
export type Reserved = { settle: (dollars: number) => Promise<void> };

export type Purse = {
  /** Undefined when there is not so much left. Rejects when nobody can say what is left. */
  reserve: (tenant: Tenant, dollars: number) => Promise<Reserved | undefined>;
  close: () => Promise<void>;
};

export const nothingReserved: Reserved = { settle: async () => undefined };

/** What a crash left behind is free again after this. */
export const forgottenMs: number = 60 * 60 * 1000;

/** The purse of one machine: in a file, or in memory. */
export function openPurse(file: string | undefined, now: () => number): Purse {
  return file === undefined ? inMemory(now) : onDisk(file, now);
}

function inMemory(now: () => number): Purse {
  const spent = new Map<string, number>();
  return {
    async reserve(tenant, dollars) {
      const place = periodOf(tenant, now());
      const before = spent.get(place) ?? 0;
      if (before + dollars > (tenant.key?.budget ?? 0)) return undefined;
      spent.set(place, before + dollars);
      return { settle: async (cost) => void spent.set(place, (spent.get(place) ?? 0) - dollars + cost) };
    },
    close: async () => undefined,
  };
}

function onDisk(file: string, now: () => number): Purse {
  const database = openDatabase(file);
  const sum = (sql: string, ...values: (string | number)[]): number =>
    Number(prepared(database, sql).get(...values)?.['dollars'] ?? 0);
  return {
    async reserve(tenant, dollars) {
      const place = periodOf(tenant, now());
      const id = crypto.randomUUID();
      const free = transaction(database, () => {
        const spent = sum('SELECT dollars FROM gateway_spent WHERE place = ?', place);
        const aside = sum(
          'SELECT sum(dollars) AS dollars FROM gateway_reserved WHERE place = ? AND at > ?',
          place,
          now() - forgottenMs,
        );
        if (spent + aside + dollars > (tenant.key?.budget ?? 0)) return false;
        prepared(database, 'INSERT INTO gateway_reserved (id, place, dollars, at) VALUES (?, ?, ?, ?)').run(
          id,
          place,
          dollars,
          now(),
        );
        return true;
      });
      if (!free) return undefined;
      const settle = async (cost: number): Promise<void> =>
        transaction(database, () => {
          prepared(database, 'DELETE FROM gateway_reserved WHERE id = ?').run(id);
          const sql = `INSERT INTO gateway_spent (place, dollars) VALUES (?, ?)
            ON CONFLICT (place) DO UPDATE SET dollars = dollars + excluded.dollars`;
          prepared(database, sql).run(place, cost);
        });
      return { settle };
    },
    close: async () => database.close(),
  };
}

/** The purse of a key for a day, a month or ever. */
export function periodOf({ name, key }: Tenant, at: number): string {
  const date = new Date(at).toISOString();
  return `${name} ${key?.per === 'day' ? date.slice(0, 10) : key?.per === 'ever' ? 'ever' : date.slice(0, 7)}`;
}

/** Providers put words of their own before the tools of a request; these count. A fifth is what estimates of the rest may miss. */
const addedTokens = 1000;

/** The dearest that a request of so many tokens can become, with answers of so many at most. Undefined without prices. */
export function dearest(profile: Profile, input: number, output: number): number | undefined {
  if (!profile.prices) return undefined;
  const most = input * 1.2 + addedTokens;
  const { prices } = profile;
  return Math.max(
    moneyFor({ fresh: most, read: 0, written: 0, output }, prices),
    moneyFor({ fresh: 0, read: 0, written: most, output }, prices),
  );
}

/** How often and how much at once a key asks. */
export type Pace = {
  /** What it gives back is called when the request is over; a number is how many milliseconds to wait. */
  enter: (tenant: Tenant) => Promise<(() => void) | number>;
};

/** So many requests of one key may be under way. */
const mostUnderWay = 64;

/** Counts what a key asks in a minute for all instances; says how many milliseconds are to be waited. */
export type SharedCount = (name: string, perMinute: number) => Promise<number>;

/** Where nobody counts for all instances, or cannot just now, each counts for itself. */
export function openPace(now: () => number, shared?: SharedCount): Pace {
  const underWay = new Map<string, number>();
  const asked = new Map<string, number[]>();
  return {
    async enter({ name, key }) {
      if (!key) return () => undefined;
      const perMinute = key.requestsPerMinute;
      const wait = perMinute === undefined ? undefined : await shared?.(name, perMinute).catch(() => undefined);
      if (wait !== undefined && wait > 0) return wait;
      const at = now();
      const minute = (asked.get(name) ?? []).filter((time) => time > at - 60_000);
      const { requestsPerMinute = Infinity } = key;
      if (minute.length >= requestsPerMinute) return (minute[0] ?? at) + 60_000 - at;
      const running = underWay.get(name) ?? 0;
      if (running >= mostUnderWay) return 1000;
      asked.set(name, [...minute, at]);
      underWay.set(name, running + 1);
      return () => void underWay.set(name, (underWay.get(name) ?? 1) - 1);
    },
  };
}
