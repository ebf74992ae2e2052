// A transcript as a program hands it over → checked messages. Wrong use is told in a sentence before it becomes a crash far
// inside: programs without types come here, too. Media go through the intake, and words through the guard.
import { abreast } from '../content/few-at-once.ts';
import { inputBlocks, checkContent } from '../content/input.ts';
import type { Intake } from '../content/intake.ts';
import { isRecord } from '../content/json.ts';
import { refusedInput, SightlineError } from '../content/refusal.ts';
import type { Refusal } from '../content/refusal.ts';
import { copyOf, isStill, snapshotOf } from '../content/snapshot.ts';
import type { Snapshot } from '../content/snapshot.ts';
import { checkInputs } from '../tool/check.ts';
import type { CheckedBlocks } from '../tool/check.ts';
import { checkNames } from '../tool/tool.ts';
import type { Message, MessageInput, Transcript, TranscriptInput } from './message.ts';

/** Throws for what is no transcript; its messages are checked one by one as they are read. */
export function checkTranscript(value: unknown): asserts value is TranscriptInput {
  const { messages, system, tools } = isRecord(value) ? value : {};
  const next = "Give { messages: [{ role: 'user', content: '…' }] }.";
  if (!Array.isArray(messages)) throw wrong(`The transcript has no messages. ${next}`);
  if (messages.length === 0) throw refusedInput({ code: 'empty', what: 'The transcript has no messages', next });
  if (system !== undefined && typeof system !== 'string')
    throw wrong('The "system" of the transcript is not a string. Give one string, or leave it out.');
  checkNames(tools ?? []);
}

/** Throws for what is no message; `place` begins the sentence. */
function checkMessage(value: unknown, place: string): asserts value is MessageInput {
  if (!isRecord(value)) throw wrong(`${place} is not a message. Give { role: 'user', content: '…' }.`);
  if ('tool_calls' in value || 'tool_call_id' in value)
    throw wrong(`${place} is in the spelling of OpenAI. parseTranscript({ messages }) reads it.`);
  checkContent(value['content'], `${place}.content`);
  if (value['role'] === 'tool' && (typeof value['callId'] !== 'string' || typeof value['name'] !== 'string'))
    throw wrong(`${place} needs the "callId" of the call it answers and the "name" of its tool.`);
}

function wrong(what: string): SightlineError {
  return new SightlineError('input', what);
}

/** A medium that was refused, by its place in the messages as they were given; words stand for it. */
export type RefusedMedium = { message: number; block: number; name?: string; refusal: Refusal };

/**
 * Checks every medium of a transcript. One that is refused becomes words in place, and is reported. A tool may not name
 * any file that a person may.
 *
 * @example
 * const { transcript, troubles } = await resolveTranscript({ messages }, headerIntake({ assets }));
 */
export async function resolveTranscript(
  input: TranscriptInput,
  intake: Intake,
  before: readonly CheckedRow[] = [],
): Promise<{ transcript: Transcript; troubles: RefusedMedium[]; rows: CheckedRow[] }> {
  const troubles: RefusedMedium[] = [];
  const messages: Message[] = [];
  const rows: CheckedRow[] = [];
  const loose: { message: MessageInput; index: number }[] = [];
  const { messages: given } = input;
  for (let index = 0; index < given.length; index++) {
    const message: unknown = given[index];
    const row = before[index];
    if (row && isStill(row.snapshot, message, 'details')) {
      rows[index] = row;
      messages[index] = row.message;
      continue;
    }
    checkMessage(message, `messages[${index}]`);
    loose.push({ message, index });
  }
  await abreast(loose, async ({ message, index }) => {
    const { row, refused, ...own } = await checkedMessage(message, intake);
    for (const one of refused) troubles.push({ message: index, ...one });
    if (row) rows[index] = row;
    messages[index] = own.message;
  });
  troubles.sort((one, other) => one.message - other.message);
  const transcript: Transcript = {
    version: 1,
    ...(input.system !== undefined && { system: input.system }),
    ...(input.tools && { tools: [...input.tools] }),
    messages,
  };
  return { transcript, troubles, rows };
}

type CheckedMessage = Pick<CheckedBlocks, 'refused'> & { message: Message; row?: CheckedRow };

async function checkedMessage(message: MessageInput, intake: Intake): Promise<CheckedMessage> {
  const inputs = inputBlocks(message.content);
  const by = message.role === 'tool' ? 'tool' : 'person';
  const { content, refused } = await checkInputs(inputs, intake, by);
  const checked: Message =
    message.role === 'assistant' ? { ...message, model: message.model ?? '', content } : { ...message, content };
  // What needed no change needs none on the next turn either, as long as it says the same. Files may change unseen.
  const isSettled = inputs.length === content.length && content.every((block, at) => block === inputs[at]);
  if (!isSettled) return { message: checked, refused };
  const own = copyOf(checked, 'details');
  return { message: own, refused, row: { snapshot: snapshotOf(message, 'details'), message: own } };
}

/** A message that was found in order, as a copy that nobody changes, and what it said when it was looked at. */
export type CheckedRow = { snapshot: Snapshot; message: Message };
