// The last line of the screen: which model, how full its window is, what was cached, what it cost so far.
import { byteText, money, shortCount } from '../content/figures.ts';
import type { Usage } from '../message/message.ts';
import type { SessionInfo } from '../session/log.ts';
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

/** A session goes on with what it has cost so far; unknown when prices were. */
export function meterOf(model: string, before?: Pick<SessionInfo, 'inputTokens' | 'outputTokens' | 'cost'>): Meter {
  const { inputTokens = 0, outputTokens = 0, cost } = before ?? {};
  const usage = inputTokens === 0 ? noUsage : { inputTokens, outputTokens };
  return { model, tokens: 0, window: 1, bytes: 0, images: 0, usage, cost: inputTokens === 0 ? 0 : cost };
}

/** Counts a run; the cost is unknown from the first run on whose prices are. */
export function addUsage(meter: Meter, usage: Usage, cost: number | undefined): void {
  meter.usage = sumUsage(meter.usage, usage);
  meter.cost = cost === undefined || meter.cost === undefined ? undefined : meter.cost + cost;
}

export function statusText({ model, tokens, window, bytes, images, usage, cost }: Meter): string {
  const parts = [model];
  if (tokens > 0)
    parts.push(`${shortCount(tokens)} of ${shortCount(window)} tokens (${Math.round((tokens * 100) / window)} %)`);
  if (bytes > 0) parts.push(byteText(bytes));
  if (images > 0) parts.push(images === 1 ? '1 picture' : `${images} pictures`);
  const cached = usage.cachedTokens ?? 0;
  if (cached > 0) parts.push(`${Math.round((cached * 100) / usage.inputTokens)} % cached`);
  if (cost !== undefined && usage.inputTokens > 0) parts.push(money(cost));
  return parts.join(' · ');
}
