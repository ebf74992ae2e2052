// Collects assets that nobody needs, in short batches that the log holds meanwhile: what somebody puts has its lease
// before, or waits until the batch is over. Removed are assets that a store lists, and nothing else.
import type { AssetKeeper, AssetPlace, StoredFile } from '../asset/store.ts';
import type { AssetId } from '../content/block.ts';
import type { Claims } from './log/port.ts';

/** What went, and what is left of its kind. */
export type Tally = { removed: number; bytes: number; left: number; leftBytes: number };

/** `damaged` are files that were found damaged and set aside; they are counted in nothing else. */
export type Collected = Tally & { damaged: Tally };

export type CollectOptions = {
  /** Above this, renditions that can be made again go as well, the oldest first. */
  quotaBytes: number;
  /** What was put less than this long ago is spared. */
  leaseMs: number;
  /** As if these sessions were not there. */
  without: readonly string[];
  now: number;
  /** Says what would go and removes nothing. */
  dryRun: boolean;
};

const [batchSize, smallBatch] = [100, 10];
/** What is damaged is kept for so long, in case somebody can make something of it. */
const damagedMs = 30 * 24 * 60 * 60 * 1000;

export async function collectAssets(claims: Claims, files: AssetKeeper, options: CollectOptions): Promise<Collected> {
  const { leaseMs: idleMs, quotaBytes, without, dryRun } = options;
  const [stored, aside] = [await listed(files, 'stored'), await listed(files, 'damaged')];
  const sizes = new Map(stored.map(({ id, size }) => [id, size]));
  const [total, damaged] = [tallyOf(stored), tallyOf(aside)];
  if (!dryRun) await adopt(claims, stored);
  const went = new Set<AssetId>();
  let bound = -1; // nothing is enough
  const enough = (): boolean => total.leftBytes <= bound;
  const remove = async (ids: readonly AssetId[]): Promise<void> => {
    if (!dryRun) await files.delete(ids);
    for (const id of ids) {
      const size = sizes.get(id);
      if (size === undefined || went.has(id)) continue;
      if (dryRun && enough()) break;
      went.add(id);
      count(total, size);
    }
    if (dryRun) throw onlyLooking;
  };
  const batches = async (renditions: boolean, limit: number): Promise<void> => {
    const what = { idleMs, limit: dryRun ? Number.MAX_SAFE_INTEGER : limit, renditions, without };
    for (let more = true; more && !enough();)
      more = await claims.collect(what, remove).then(
        ({ removed }) => removed === what.limit,
        (error: unknown) => {
          if (error !== onlyLooking) throw error;
          return false;
        },
      );
  };
  await batches(false, batchSize);
  const isWhole = (id: AssetId): boolean => sizes.has(id);
  // What a message still names, and is nowhere whole, may be all that somebody has of it.
  const lost = aside.filter(({ id }) => !isWhole(id)).map(({ id }) => id);
  const spared = await claims.named(lost, without);
  for (const { id, size, modified } of aside) {
    const isOver = total.leftBytes + damaged.leftBytes > quotaBytes;
    if (spared.has(id) || (modified > options.now - damagedMs && !isOver)) continue;
    if (!dryRun) await files.delete([id], 'damaged');
    count(damaged, size);
  }
  bound = quotaBytes;
  await batches(true, smallBatch);
  return { ...total, damaged };
}

/** Removes those of some assets that nobody needs and nobody put again for so long; says how many, and their bytes. */
export async function eraseAssets(
  claims: Claims,
  files: AssetKeeper,
  { among, idleMs }: { among: readonly AssetId[]; idleMs: number },
): Promise<Pick<Tally, 'removed' | 'bytes'>> {
  const gone = { removed: 0, bytes: 0 };
  const what = { idleMs, limit: batchSize, renditions: false, without: [], among };
  for (let more = among.length > 0; more;) {
    const { removed, bytes } = await claims.collect(what, (ids) => files.delete(ids));
    gone.removed += removed;
    gone.bytes += bytes;
    more = removed === batchSize;
  }
  return gone;
}

/** Ends the holding of a batch without forgetting it. */
const onlyLooking = new Error('Nothing is removed.');

/** Files that the log does not know to be stored: a writer died, or the log was lost. From now on they can be collected. */
async function adopt(claims: Claims, stored: readonly StoredFile[]): Promise<void> {
  const unknown = await claims.missing(stored.map(({ id }) => id));
  const found = stored.filter(({ id }) => unknown.has(id));
  if (found.length === 0) return;
  await claims.lease(found);
  await claims.stored(found.map(({ id }) => id));
}

function count(tally: Tally, size: number): void {
  tally.removed++;
  tally.bytes += size;
  tally.left--;
  tally.leftBytes -= size;
}

async function listed(files: AssetKeeper, place: AssetPlace): Promise<StoredFile[]> {
  const found: StoredFile[] = [];
  for await (const one of files.list(place)) found.push(one);
  return found;
}

function tallyOf(files: readonly StoredFile[]): Tally {
  const leftBytes = files.reduce((bytes, { size }) => bytes + size, 0);
  return { removed: 0, bytes: 0, left: files.length, leftBytes };
}
