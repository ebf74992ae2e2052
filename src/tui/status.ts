// The last line of the screen: which model, how full its window is, what was cached, what it cost so far.
import type { Usage } from '../message/message.ts';
import { noUsage, sumUsage } from '../message/usage.ts';

export type Meter = {
  model: string;
  /** Tokens, bytes and pictures of the last request. */
  tokens: number;
  window: number;
  bytes: number;
  images: number;
  usage: Usage;
  cost: number | undefined;
};

export function newMeter(model: string): Meter {
  return { model, tokens: 0, window: 1, bytes: 0, images: 0, usage: noUsage, cost: 0 };
}

/** Counts a run; the cost is unknown from the first run on whose prices are. */
export function addUsage(meter: Meter, usage: Usage, cost: number | undefined): void {
  meter.usage = sumUsage(meter.usage, usage);
  meter.cost = cost === undefined || meter.cost === undefined ? undefined : meter.cost + cost;
}

export function statusText({ model, tokens, window, bytes, images, usage, cost }: Meter): string {
  const parts = [model];
  if (tokens > 0) parts.push(`${short(tokens)} of ${short(window)} tokens (${Math.round((tokens * 100) / window)} %)`);
  if (bytes > 0) parts.push(`${short(bytes)}B`);
  if (images > 0) parts.push(images === 1 ? '1 picture' : `${images} pictures`);
  const cached = usage.cachedTokens ?? 0;
  if (cached > 0) parts.push(`${Math.round((cached * 100) / usage.inputTokens)} % cached`);
  if (cost !== undefined && usage.inputTokens > 0) parts.push(money(cost));
  return parts.join(' · ');
}

/** 950, 12k, 1.2M. */
function short(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${count < 9_950 ? (count / 1000).toFixed(1) : Math.round(count / 1000)}k`;
  return `${(count / 1e6).toFixed(1)}M`;
}

/** Cents to the cent, less than that to a hundredth of it. */
export function money(dollars: number): string {
  if (dollars > 0 && dollars < 0.0001) return '<$0.0001';
  return `$${dollars.toFixed(dollars < 0.1 && dollars > 0 ? 4 : 2)}`;
}
