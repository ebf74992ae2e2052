// Assets within what they may take: whoever puts one when there is no room makes room first.
import type { FileAssets } from '../asset/files.ts';
import { assetId } from '../asset/hash.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Collected } from './gc.ts';

/** Collects; without some sessions, down to so much room, or only to say what would go. */
export type Collect = (what: {
  without?: readonly string[];
  roomBytes?: number;
  dryRun?: boolean;
}) => Promise<Collected>;

type Quota = { quotaBytes: number; taken: () => number; collectMedia: Collect };

/** The store that makes room when there is none left, and says so when that did not help. */
export function withinQuota(files: FileAssets, { quotaBytes, taken, collectMedia }: Quota): FileAssets {
  return {
    ...files,
    async put(bytes, about) {
      const isOver = taken() > quotaBytes && !(await files.has(assetId(bytes))); // its lease is already counted
      if (isOver && (await collectMedia({ roomBytes: bytes.length })).leftBytes + bytes.length > quotaBytes) {
        throw new SightlineError(
          'storage',
          `Assets take all of the ${Math.round(quotaBytes / 1e6)} MB they may take. Remove sessions with "sightline sessions rm", or raise the quota.`,
        );
      }
      return await files.put(bytes, about);
    },
  };
}
