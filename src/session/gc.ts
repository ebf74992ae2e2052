// Collects assets that nobody needs, in short batches under the write lock of the log: what somebody puts meanwhile has
// its lease before or waits until the batch is over. Removed are files in the asset folder that bear the name of a hash,
// and nothing else.
import type { FileAssets, Place, StoredFile } from '../asset/files.ts';
import type { AssetId } from '../content/block.ts';
import type { Claims } from './log/port.ts';

/** What went, and what is left of its kind. */
export type Tally = { removed: number; bytes: number; left: number; leftBytes: number };

/** `damaged` are files that were found damaged and set aside; they are counted in nothing else. */
export type Collected = Tally & { damaged: Tally };

type CollectOptions = {
  /** Above this, renditions that can be made again go as well, the oldest first. */
  quotaBytes: number;
  /** What was put less than this long ago is spared. */
  leaseMs: number;
  now: number;
  /** Says what would go and removes nothing. */
  dryRun: boolean;
};

const batchSize = 100;
/** What is damaged is kept for so long, in case somebody can make something of it. */
const damagedMs = 30 * 24 * 60 * 60 * 1000;

export async function collect(claims: Claims, files: FileAssets, options: CollectOptions): Promise<Collected> {
  if (!options.dryRun) await files.sweep();
  const { now, leaseMs, quotaBytes } = options;
  const [stored, aside] = [await listed(files, 'stored'), await listed(files, 'damaged')];
  const [total, damaged] = [tallyOf(stored), tallyOf(aside)];
  const gone = new Set<AssetId>();
  const remove = (
    { place, candidates, tally }: { place: Place; candidates: readonly StoredFile[]; tally: Tally },
    mayGo: (file: StoredFile) => boolean,
    enough: () => boolean = () => false,
  ): void => {
    for (let at = 0; at < candidates.length && !enough(); at += batchSize) {
      claims.together(() => {
        for (const file of candidates.slice(at, at + batchSize)) {
          if (enough() || (place === 'stored' && gone.has(file.id)) || !mayGo(file)) continue;
          if (!options.dryRun) files.remove(file.id, place);
          if (!options.dryRun && place === 'stored') claims.forget(file.id);
          if (place === 'stored') gone.add(file.id);
          tally.removed++;
          tally.bytes += file.size;
          tally.left--;
          tally.leftBytes -= file.size;
        }
      });
    }
  };
  const isLeased = (id: AssetId): boolean => claims.leased(id) > now - leaseMs;
  const old = stored.filter(({ modified }) => modified <= now - leaseMs);
  const whole = new Set(stored.map(({ id }) => id));
  remove(
    { place: 'stored', candidates: old, tally: total },
    ({ id }) => !isLeased(id) && claims.claim(id) === undefined,
  );
  // What a message still names, and is nowhere whole, may be all that somebody has of it.
  remove(
    { place: 'damaged', candidates: aside, tally: damaged },
    ({ id, modified }) =>
      (whole.has(id) || claims.claim(id) !== 'message') &&
      (modified <= now - damagedMs || total.leftBytes + damaged.leftBytes > quotaBytes),
  );
  remove(
    { place: 'stored', candidates: stored.toSorted((one, other) => one.modified - other.modified), tally: total },
    ({ id }) => !isLeased(id) && claims.claim(id) !== 'message',
    () => total.leftBytes <= quotaBytes,
  );
  const isThere = (id: AssetId): boolean => whole.has(id) && !gone.has(id);
  if (!options.dryRun)
    claims.together(() => {
      for (const id of claims.unnamed(now - unfinishedMs)) if (!isThere(id)) claims.forget(id);
    });
  return { ...total, damaged };
}

/** A put that takes longer than this has failed. */
const unfinishedMs = 60_000;

async function listed(files: FileAssets, place: Place): Promise<StoredFile[]> {
  const found: StoredFile[] = [];
  for await (const one of files.list(place)) found.push(one);
  return found;
}

function tallyOf(files: readonly StoredFile[]): Tally {
  const leftBytes = files.reduce((bytes, { size }) => bytes + size, 0);
  return { removed: 0, bytes: 0, left: files.length, leftBytes };
}
