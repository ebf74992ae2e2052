// Wrong use, told in a sentence before it becomes a crash far inside: programs without types come here, too.
import { checkContent } from '../content/input.ts';
import { isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import { checkNames } from '../tool/tool.ts';
import type { MessageInput, TranscriptInput } from './message.ts';

/** Throws for what is no transcript; its messages are checked one by one as they are read. */
export function checkTranscript(value: unknown): asserts value is TranscriptInput {
  const { messages, system, tools } = isRecord(value) ? value : {};
  if (!Array.isArray(messages) || messages.length === 0)
    throw wrong("The transcript has no messages. Give { messages: [{ role: 'user', content: '…' }] }.");
  if (system !== undefined && typeof system !== 'string')
    throw wrong('The "system" of the transcript is not a string. Give its words, or leave it out.');
  checkNames(tools ?? []);
}

/** Throws for what is no message; `place` begins the sentence. */
export function checkMessage(value: unknown, place: string): asserts value is MessageInput {
  if (!isRecord(value)) throw wrong(`${place} is not a message. Give { role: 'user', content: '…' }.`);
  checkContent(value['content'], `${place}.content`);
  if (value['role'] === 'tool' && (typeof value['callId'] !== 'string' || typeof value['name'] !== 'string'))
    throw wrong(`${place} needs the "callId" of the call it answers and the "name" of its tool.`);
}

function wrong(what: string): SightlineError {
  return new SightlineError('input', what);
}
