// Assets of a home as sessions see them. A put takes a lease before it looks whether the bytes are there, so that
// nobody collects what is just being used, and makes room when there is none. A session reaches only what it refers to
// or has put itself: knowing a hash is not enough.
import { shortId } from '../content/words.ts';
import { assetId } from '../asset/hash.ts';
import type { AssetKeeper, AssetStore } from '../asset/store.ts';
import { wholeOf } from '../content/asset-store.ts';
import type { AssetId } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Claims } from './log/port.ts';

/** Where bytes go, who needs them, and how much they may take. */
export type Storage = {
  claims: Claims;
  files: AssetStore | AssetKeeper;
  quotaBytes: number;
  /** Collects what can be made again, so that so much room is left; says what all takes then. */
  makeRoom: (bytes: number) => Promise<number>;
};

/** The one way in: leased, within the quota, and known to be stored. */
async function putLeased(
  { claims, files, quotaBytes, makeRoom }: Storage,
  [source, about]: Parameters<AssetStore['put']>,
  admit: (id: AssetId) => Promise<void>,
  session?: string,
): ReturnType<AssetStore['put']> {
  const bytes = await wholeOf(source); // a lease needs the name of all of it
  const asset = { id: assetId(bytes), size: bytes.length };
  await claims.lease([asset], session);
  await admit(asset.id);
  const isNew = (await claims.missing([asset.id])).size > 0;
  const isOver = isNew && quotaBytes !== Infinity && (await claims.bytes()) + asset.size > quotaBytes;
  if (isOver && (await makeRoom(asset.size)) + asset.size > quotaBytes)
    throw new SightlineError(
      'storage',
      `Assets take all of the ${Math.round(quotaBytes / 1e6)} MB they may take. Remove sessions with "sightline sessions rm", or raise the quota.`,
    );
  const put = await files.put(bytes, { ...about, id: asset.id }); // a store far away then need not get them again
  if (isNew) await claims.stored([asset.id]);
  return put;
}

/** Takes a lease for every put, and remembers what this process has put itself. */
export function leasedAssets(storage: Storage): AssetStore & { putHere: ReadonlySet<AssetId> } {
  const putHere = new Set<AssetId>();
  const admit = async (id: AssetId): Promise<void> => void putHere.add(id);
  return { ...storage.files, putHere, put: (...given) => putLeased(storage, given, admit) };
}

/** The assets of one session. */
export type SessionAssets = AssetStore & {
  /** What the session may use, be it stored or not. */
  reached(): Promise<ReadonlySet<AssetId>>;
  /** Entries of the session name them now. */
  admit(ids: readonly AssetId[]): Promise<void>;
};

export function sessionAssets(id: string, storage: Storage): SessionAssets {
  const { claims, files } = storage;
  let known: Promise<Set<AssetId>> | undefined;
  const reached = (): Promise<Set<AssetId>> =>
    (known ??= claims.reachable(id).then(
      (ids) => new Set(ids),
      (error: unknown) => {
        known = undefined; // asked again next time
        throw error;
      },
    ));
  const admit = async (ids: readonly AssetId[]): Promise<void> => {
    const set = await reached();
    for (const asset of ids) set.add(asset);
  };
  return {
    reached,
    admit,
    put: (...given) => putLeased(storage, given, (asset) => admit([asset]), id),
    async missing(ids) {
      const set = await reached();
      const gone = await files.missing(ids.filter((asset) => set.has(asset)));
      return new Set(ids.filter((asset) => !set.has(asset) || gone.has(asset)));
    },
    get: async (asset, range) => ((await reached()).has(asset) ? await files.get(asset, range) : undefined),
    async *stream(asset, options) {
      if (!(await reached()).has(asset))
        throw new SightlineError(
          'storage',
          `The asset ${asset} is not one of session ${id}. Give its bytes to it first.`,
        );
      yield* files.stream(asset, options);
    },
  };
}

/** A medium that a session names and that cannot be shown any more. */
export type Loss = { id: AssetId; name?: string; state: 'missing' | 'damaged' };

/**
 * One line for the person who resumes a session.
 *
 * @example
 * console.log(lossLine(await session.losses()) ?? 'All media are there.');
 */
export function lossLine(losses: readonly Loss[]): string | undefined {
  if (losses.length === 0) return undefined;
  const names = losses.slice(0, 3).map(({ id, name }) => name ?? shortId(id));
  const more = losses.length > names.length ? ` and ${losses.length - names.length} more` : '';
  const [media, are] = losses.length === 1 ? ['medium', 'is'] : ['media', 'are'];
  const found = new Set(losses.map(({ state }) => state));
  return `${losses.length} ${media} of this session ${are} ${[...found].join(' or ')} (${names.join(', ')}${more}); models get words instead.`;
}

/** How many bytes are hashed again when a session is resumed; the rest when it is sent. */
const maxVerifiedBytes = 64 * 1024 * 1024;

/** Looks after the media of a session, newest first. With `setAside`, everybody sees as gone what is damaged. */
export async function findLosses(
  named: readonly { id: AssetId; size: number; name?: string }[],
  files: AssetStore | AssetKeeper,
  setAside: boolean,
): Promise<Loss[]> {
  const gone = await files.missing(named.map(({ id }) => id));
  const losses: Loss[] = [];
  let budget = maxVerifiedBytes;
  for (const { id, size, name } of named) {
    const title = name === undefined ? {} : { name };
    budget -= gone.has(id) ? 0 : size;
    const unread = gone.has(id) ? 'missing' : 'whole';
    const state = budget < 0 || !('verify' in files) ? unread : await files.verify(id);
    if (state === 'whole') continue;
    if (state === 'damaged' && setAside && 'setAside' in files) await files.setAside(id);
    losses.push({ id, ...title, state });
  }
  return losses;
}
