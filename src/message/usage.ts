// Sums of what answers took.
import type { Usage } from './message.ts';

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

export function sumUsage(one: Usage, other: Usage): Usage {
  const sum = (key: 'cachedTokens' | 'writtenTokens'): number => (one[key] ?? 0) + (other[key] ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedTokens: sum('cachedTokens'),
    writtenTokens: sum('writtenTokens'),
  };
}
