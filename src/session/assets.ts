// Assets of a home as sessions see them. A put takes a lease before it looks whether the bytes are there, so that
// nobody collects what is just being used. A session reaches only what it refers to or has put itself: knowing a hash
// is not enough.
import type { FileAssets } from '../asset/files.ts';
import { assetId } from '../asset/hash.ts';
import type { AssetStore } from '../asset/store.ts';
import type { AssetId } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import type { EntryLog } from './log/port.ts';

/** Takes a lease for every put. `put` remembers what this process has put itself. */
export function leasedAssets(
  files: AssetStore,
  lease: (asset: { id: AssetId; size: number }) => Promise<void>,
): AssetStore & { putHere: ReadonlySet<AssetId> } {
  const putHere = new Set<AssetId>();
  return {
    ...files,
    putHere,
    async put(bytes, about) {
      const id = assetId(bytes);
      await lease({ id, size: bytes.length });
      putHere.add(id);
      return await files.put(bytes, about);
    },
  };
}

/** The assets of one session. */
export type SessionAssets = AssetStore & {
  /** Whether the session may use the asset, be it stored or not. */
  reaches(id: AssetId): boolean;
  /** An entry of the session names it now. */
  admit(id: AssetId): void;
};

export function sessionAssets(id: string, log: EntryLog, files: AssetStore, now: () => number): SessionAssets {
  let known: Set<AssetId> | undefined;
  const reached = (): Set<AssetId> => (known ??= new Set(log.assets(id)));
  const reaches = (asset: AssetId): boolean => reached().has(asset);
  return {
    reaches,
    admit: (asset) => void reached().add(asset),
    async put(bytes, about) {
      const asset = { id: assetId(bytes), size: bytes.length };
      log.lease(asset, now(), id);
      reached().add(asset.id);
      return await files.put(bytes, about);
    },
    has: async (asset) => reaches(asset) && (await files.has(asset)),
    get: async (asset) => (reaches(asset) ? await files.get(asset) : undefined),
    async *stream(asset, options) {
      if (!reaches(asset)) throw new SightlineError('storage', `The asset ${asset} is not one of session ${id}.`);
      yield* files.stream(asset, options);
    },
    ...(files.losses && { losses: () => files.losses?.() ?? 0 }),
  };
}

/** A medium that a session names and that cannot be shown any more. */
export type Loss = { id: AssetId; name?: string; state: 'missing' | 'damaged' };

/** One line for the person who resumes a session. */
export function lossLine(losses: readonly Loss[]): string | undefined {
  if (losses.length === 0) return undefined;
  const names = losses.slice(0, 3).map(({ id, name }) => name ?? id.slice('sha256:'.length, 'sha256:'.length + 8));
  const more = losses.length > names.length ? ` and ${losses.length - names.length} more` : '';
  const [media, are] = losses.length === 1 ? ['medium', 'is'] : ['media', 'are'];
  const found = new Set(losses.map(({ state }) => state));
  return `${losses.length} ${media} of this session ${are} ${[...found].join(' or ')} (${names.join(', ')}${more}); models get words instead.`;
}

/** How many bytes are hashed again when a session is resumed; the rest is only measured. */
const maxVerifiedBytes = 64 * 1024 * 1024;

/** Looks after the media of a session, newest first. With `setAside`, everybody sees as gone what is damaged. */
export async function findLosses(
  named: readonly { id: AssetId; size: number; name?: string }[],
  files: AssetStore | FileAssets,
  setAside: boolean,
): Promise<Loss[]> {
  const losses: Loss[] = [];
  let budget = maxVerifiedBytes;
  for (const { id, size, name } of named) {
    const there = 'size' in files ? await files.size(id) : (await files.get(id))?.length;
    const title = name === undefined ? {} : { name };
    if (there === undefined) {
      losses.push({ id, ...title, state: 'missing' });
      continue;
    }
    budget -= there;
    const whole = there === size && (budget < 0 || !('verify' in files) || (await files.verify(id)) === 'whole');
    if (whole) continue;
    if (setAside && 'setAside' in files) await files.setAside(id);
    losses.push({ id, ...title, state: 'damaged' });
  }
  return losses;
}
