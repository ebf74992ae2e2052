// Bytes in, their name out. The name is the SHA-256 of the bytes, so equal bytes are one asset.
import type { Hash } from 'node:crypto';
import type { AssetId } from '../content/block.ts';

/** SHA-256, fed piece by piece. The library behind it is loaded here: not every program that imports us names bytes. */
export function newHash(): Hash {
  return process.getBuiltinModule('node:crypto').createHash('sha256');
}

/** The one place where bytes get their name. */
export function assetId(bytes: Uint8Array): AssetId {
  return `sha256:${newHash().update(bytes).digest('hex')}`;
}

/** The hash inside a well-formed name; anything else names no asset (and no path outside the store). */
export function hashOf(id: string): string | undefined {
  return /^sha256:([0-9a-f]{64})$/.exec(id)?.[1];
}
