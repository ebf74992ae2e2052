// Calls of the newest answer that nothing answers yet, and the key by which a store knows that one has begun.
import type { CallBlock } from '../content/block.ts';
import type { AssistantMessage } from '../message/message.ts';
import type { Entry, EntryId } from './entry.ts';
import type { EntryRange } from './log/port.ts';

export type OpenCalls = { message: AssistantMessage; entry: EntryId; calls: CallBlock[] };

/** Looked for from the newest entry backwards. */
export async function openCalls(session: {
  entries: (range: EntryRange) => Promise<Entry[]>;
}): Promise<OpenCalls | undefined> {
  const answered: string[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const page = await session.entries({ types: ['message'], newest: 100, before });
    for (const entry of page) {
      if (entry.type !== 'message') continue;
      const { message } = entry;
      if (message.role === 'tool') answered.push(message.callId);
      if (message.role !== 'assistant') continue;
      const calls = message.content
        .filter((block) => block.type === 'call')
        .filter(({ id }) => !isAnswered(id, answered));
      return calls.length === 0 ? undefined : { message, entry: entry.id, calls };
    }
    before = page.at(-1)?.id ?? 0;
    if (page.length < 100) return undefined;
  }
}

/** Each result answers one call, though a program may have stored several of one id. */
function isAnswered(id: string, answered: string[]): boolean {
  const at = answered.indexOf(id);
  if (at >= 0) answered.splice(at, 1);
  return at >= 0;
}

/** What a call is known by in its session, equal on every attempt. */
export function callKey(session: string, entry: EntryId, message: AssistantMessage, call: CallBlock): string {
  const ids = message.content.flatMap((block) => (block.type === 'call' ? [block.id] : []));
  return `${session}-${entry}-${ids.indexOf(call.id)}`;
}

/** What is asked with `once` before such a call begins. */
export function begunKey(key: string): string {
  return `call ${key}`;
}

/** A copy of a session cannot know whether a call without a result has happened: in it, each counts as begun. */
export async function closeOpenCalls(session: {
  id: string;
  entries: (range: EntryRange) => Promise<Entry[]>;
  once: (key: string) => Promise<boolean>;
}): Promise<void> {
  const open = await openCalls(session);
  if (!open) return;
  for (const call of open.calls) await session.once(begunKey(callKey(session.id, open.entry, open.message, call)));
}
