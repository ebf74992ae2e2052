// When the older part of a conversation is summed up, and how much of it: once its window is nearly full, all before
// the last questions of the user. The model itself is asked for the summary; from then on it is sent in their place.
import type { Message } from '../message/message.ts';

/** What stands for the first `covers` messages of a conversation. */
export type Summary = { text: string; covers: number };

/** So many of the newest questions, and all that followed them, are always sent as they are. */
const keptQuestions = 2;
/** Fewer messages than this are not worth a request. */
const fewest = 4;
/** How full a window may get before the older part is summed up. */
const fullness = 0.8;

/** The messages as they are sent. */
export function withSummary(messages: readonly Message[], summary: Summary | undefined): readonly Message[] {
  if (!summary || summary.covers === 0 || summary.covers > messages.length) return messages;
  const content = [{ type: 'text', text: summary.text } as const];
  return [{ role: 'user', content }, ...messages.slice(summary.covers)];
}

/** How many messages a new summary would cover; undefined while there is too little to sum up. */
export function coverable(messages: readonly Message[], before: Summary | undefined): number | undefined {
  const covers = questionsIn(messages).at(-keptQuestions) ?? 0;
  const sent = withSummary(messages.slice(0, covers), before);
  return covers > (before?.covers ?? 0) && sent.length >= fewest ? covers : undefined;
}

/** Whether a window is so full that the next request should be smaller. */
export function isNearlyFull(filled: number, contextTokens: number): boolean {
  return filled >= contextTokens * fullness;
}

/** How full the window was at the end of an earlier run. What was summed up since then counts as room. */
export function filledBy(messages: readonly Message[], summary: Summary | undefined): number {
  if (summary && questionsIn(messages.slice(summary.covers)).length <= keptQuestions) return 0;
  const last = messages.findLast((message) => message.role === 'assistant' && message.usage !== undefined);
  const { inputTokens = 0, outputTokens = 0 } = (last?.role === 'assistant' && last.usage) || {};
  return inputTokens + outputTokens;
}

function questionsIn(messages: readonly Message[]): number[] {
  return messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
}
