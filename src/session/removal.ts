// A conversation goes for good: its words, its requests, and the media that nobody else needs.
import type { AssetKeeper, AssetStore } from '../asset/store.ts';
import type { AssetId } from '../content/block.ts';
import type { RequestRow, RequestTable } from '../record/table.ts';
import { eraseAssets } from './gc.ts';
import type { Tally } from './gc.ts';
import { isFull } from './log/database.ts';
import { thisHolder } from './log/holder.ts';
import { gone } from './log/port.ts';
import type { EntryLog, SessionInfo } from './log/port.ts';

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

/** Removes a session, or a conversation that only requests tell of. What somebody else has just put stays. Undefined, and nothing
 * happened, for a session that is not as it was meant any more. */
export function removalFrom({
  log,
  files,
  leaseMs,
  now,
  collectWithout,
}: Parts): (id: string, isMeant?: (info: SessionInfo) => boolean) => Promise<Erased | undefined> {
  const { requests, claims } = log;
  return async (id, isMeant = () => true) => {
    const session = (await log.find(id)).find((info) => info.id === id);
    const asked = (await requests?.list(id)) ?? [];
    if (!session && asked.length === 0) throw gone(id);
    const among = [...(session ? await claims.reachable(id) : await mediaOf(asked, requests))];
    if (!session) await requests?.forget(id);
    else if (!(await removeSession(log, id, { isMeant, collectWithout }))) return undefined;
    if (!('delete' in files)) return { removed: 0, bytes: 0 };
    // What a session put it held alone; a lease that is younger than the end of other conversations is somebody else's.
    const ended = asked.reduce((latest, row) => Math.max(latest, endOf(row)), 0);
    const idleMs = session ? leaseMs : Math.min(leaseMs, Math.max(0, now() - ended - clockSlackMs));
    return await eraseAssets(claims, files, { among, idleMs });
  };
}

type Removing = Pick<Parts, 'collectWithout'> & { isMeant: (info: SessionInfo) => boolean };

/** Not while somebody writes to it. On a full disk its media go first: that makes the room that the log needs. */
async function removeSession(log: EntryLog, id: string, { isMeant, collectWithout }: Removing): Promise<boolean> {
  const isStill = async (): Promise<boolean> => (await log.find(id)).some((info) => info.id === id && isMeant(info));
  const remove = async (): Promise<boolean> => {
    const lease = await log.take(id, thisHolder());
    try {
      if (!(await isStill())) return false; // somebody went on with it before it was ours
      await log.remove(lease);
      return true;
    } finally {
      await log.release(lease);
    }
  };
  return await remove().catch(async (error: unknown) => {
    if (!isFull(error)) throw error;
    if (!(await isStill())) return false;
    await collectWithout(id);
    return await remove();
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
