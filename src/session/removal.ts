// A conversation goes for good: its words, its requests, and the media that nobody else needs.
import type { AssetKeeper, AssetStore } from '../asset/store.ts';
import type { AssetId } from '../content/block.ts';
import type { RequestRow, RequestTable } from '../record/table.ts';
import { eraseAssets } from './gc.ts';
import type { Tally } from './gc.ts';
import { isFull } from './log/database.ts';
import { thisHolder } from './log/holder.ts';
import { gone } from './log/port.ts';
import type { EntryLog } from './log/port.ts';

/** Media that went with a conversation. */
export type Erased = Pick<Tally, 'removed' | 'bytes'>;

type Parts = {
  log: EntryLog;
  files: AssetStore | AssetKeeper;
  leaseMs: number;
  now: () => number;
  /** Makes room on a full disk, as if this session were not there. */
  collectWithout: (id: string) => Promise<void>;
};

/** Media may be stored while their request leaves, by the clock of another machine. */
const clockSlackMs = 1000;

/** Removes a session, or a conversation that only requests tell of. What somebody else has just put stays. */
export function removalFrom({ log, files, leaseMs, now, collectWithout }: Parts): (id: string) => Promise<Erased> {
  const { requests, claims } = log;
  return async (id) => {
    const session = (await log.find(id)).find((info) => info.id === id);
    const asked = (await requests?.list(id)) ?? [];
    if (!session && asked.length === 0) throw gone(id);
    const among = [...(session ? await claims.reachable(id) : await mediaOf(asked, requests))];
    await (session ? removeSession(log, id, collectWithout) : requests?.forget(id));
    if (!('delete' in files)) return { removed: 0, bytes: 0 };
    // What a session put it held alone; a lease that is younger than the end of other conversations is somebody else's.
    const ended = asked.reduce((latest, row) => Math.max(latest, endOf(row)), 0);
    const idleMs = session ? leaseMs : Math.min(leaseMs, Math.max(0, now() - ended - clockSlackMs));
    return await eraseAssets(claims, files, { among, idleMs });
  };
}

/** Not while somebody writes to it. On a full disk its media go first: that makes the room that the log needs. */
async function removeSession(log: EntryLog, id: string, collectWithout: Parts['collectWithout']): Promise<void> {
  const remove = async (): Promise<void> => {
    const lease = await log.take(id, thisHolder());
    await log.remove(lease).finally(() => log.release(lease));
  };
  await remove().catch(async (error: unknown) => {
    if (!isFull(error)) throw error;
    await collectWithout(id);
    await remove();
  });
}

function endOf({ time, ended }: RequestRow): number {
  return (ended?.attempts ?? []).reduce((sum, { ms, wait = 0 }) => sum + ms + wait, time);
}

/** Media that requests name, be it in what was sent or in what was decided; those of a chain are read together. */
async function mediaOf(asked: readonly RequestRow[], requests: RequestTable | undefined): Promise<Set<AssetId>> {
  const [seen, media] = [new Set<string>(), new Set<AssetId>()];
  for (const { id } of asked.toReversed()) {
    if (seen.has(id)) continue;
    for (const row of (await requests?.chain(id)) ?? []) {
      seen.add(row.id);
      for (const [name] of JSON.stringify([row.assets, row.receipts]).matchAll(/sha256:[0-9a-f]{64}/g))
        media.add(name as AssetId);
    }
  }
  return media;
}

/** Conversations of other programs that nobody went on with. */
export async function unusedConversations(log: EntryLog, until: number): Promise<string[]> {
  const { requests } = log;
  if (!requests || until === -Infinity) return [];
  const unused: string[] = [];
  for (const { conversation, updated } of await requests.conversations())
    if (updated <= until && !(await log.find(conversation)).some(({ id }) => id === conversation))
      unused.push(conversation);
  return unused;
}
