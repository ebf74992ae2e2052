// What a provider heard in a request, as far as the trials look at it.
import { isRecord } from '../../src/content/json.ts';
import type { TranscriptInput } from '../../src/message/message.ts';

type Heard = Record<string, unknown>;

function blocksOf(content: unknown): Heard[] {
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

/** A client that makes its conversation shorter asks for a summary of it. */
export function isCompaction({ messages }: TranscriptInput): boolean {
  const last = messages.findLast(({ role }) => role === 'user');
  return last !== undefined && /detailed summary|CONTEXT CHECKPOINT/i.test(JSON.stringify(last.content));
}

export function picturesIn({ messages }: TranscriptInput): Heard[] {
  return messages.flatMap(({ content }) => blocksOf(content).filter(({ type }) => type === 'image'));
}

/** Calls without a result, and results without a call. */
export function unpaired({ messages }: TranscriptInput): string[] {
  const calls = messages.flatMap(({ content }) =>
    blocksOf(content).flatMap(({ type, id }) => (type === 'call' ? [String(id)] : [])),
  );
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
  const same = calls.length === results.length && calls.every((id) => results.includes(id));
  return same ? [] : [`calls ${calls.join(', ')} have the results ${results.join(', ')}`];
}
