// A slot: what stands in a request's JSON where the base64 of an asset will be.
import type { Asset } from '../content/block.ts';

export const slotKey: unique symbol = Symbol('slot');

export type Slot = { [slotKey]: Asset; prefix: string };

/** Stands for the base64 of an asset wherever the wire's types want a string. */
export function slot(asset: Asset, prefix = ''): string {
  const value: Slot = { [slotKey]: asset, prefix };
  return value as unknown as string; // the one place where a slot passes for the string it will become
}

/** Stands for the data URI of an asset. */
export function dataUri(asset: Asset): string {
  return slot(asset, `data:${asset.mediaType};base64,`);
}

export function isSlot(value: unknown): value is Slot {
  return typeof value === 'object' && value !== null && slotKey in value;
}

/** The assets that stand in a part of a skeleton. */
export function assetsIn(part: unknown): Asset[] {
  if (isSlot(part)) return [part[slotKey]];
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(assetsIn) : [];
}
