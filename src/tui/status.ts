// The last line of the screen: which model, how full its window is, what was cached, what it cost so far.
import { byteText, money, shortCount } from '../content/figures.ts';
import type { Usage } from '../message/message.ts';
import type { SessionInfo } from '../session/log/port.ts';
import { noUsage, sumUsage } from '../message/message.ts';

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

/** On a narrow screen what can be spared is left out; the model, how full its window is and the cost stay. */
export function statusText(meter: Meter, width: number = Infinity): string {
  const { model, tokens, window, bytes, images, usage, cost } = meter;
  const share = `${Math.round((tokens * 100) / window)} %`;
  const filled = `${shortCount(tokens)} of ${shortCount(window)} tokens (${share})`;
  const cached = Math.round(((usage.cachedTokens ?? 0) * 100) / usage.inputTokens);
  const parts: { text: string; spare?: true }[] = [{ text: model }];
  if (tokens > 0) parts.push({ text: filled });
  if (bytes > 0) parts.push({ text: byteText(bytes), spare: true });
  if (images > 0) parts.push({ text: images === 1 ? '1 picture' : `${images} pictures`, spare: true });
  if (cached > 0) parts.push({ text: `${cached} % cached`, spare: true });
  if (cost !== undefined && usage.inputTokens > 0) parts.push({ text: money(cost) });
  const whole = parts.map(({ text }) => text).join(' · ');
  if (whole.length <= width) return whole;
  const needed = parts.flatMap(({ text, spare }) => (spare ? [] : [text])).join(' · ');
  if (needed.length <= width) return needed;
  const shortest = needed.replace(filled, share);
  return shortest.length <= width ? shortest : `${parts.at(-1)?.text ?? ''} · ${needed}`;
}
