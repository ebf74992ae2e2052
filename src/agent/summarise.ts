// Compaction: when a conversation has outgrown its window, the model itself sums up the older part, and from then on
// the summary is sent in its place. The messages stay as they are; media of the older part keep their placeholders, so
// that they can be called back.
import type { Intake } from '../content/intake.ts';
import { isMedia } from '../content/block.ts';
import { placeholder } from '../content/words.ts';
import { collector } from '../message/collect.ts';
import type { Message, Usage } from '../message/message.ts';
import { answer } from '../model/answer.ts';
import type { AnswerOptions } from '../model/answer.ts';
import type { ToolSpec } from '../tool/tool.ts';

/** What stands for the first `covers` messages of a conversation. */
export type Summary = { text: string; covers: number };

/** So many of the newest questions, and all that followed them, are always sent as they are. */
export const keptQuestions = 2;
const fewest = 4;

const request = `Sum up the conversation so far for yourself, so that you can go on without it. Keep: what the user wants, \
what was decided and why, what was found (numbers, names, paths, asset ids), what is done and what is still open. \
Leave out pleasantries. Write plain Markdown, no preamble.`;

/** The messages as they are sent. */
export function withSummary(messages: readonly Message[], summary: Summary | undefined): readonly Message[] {
  if (!summary || summary.covers === 0) return messages;
  const content = [{ type: 'text', text: summary.text } as const];
  return [{ role: 'user', content }, ...messages.slice(summary.covers)];
}

/** How many messages a summary may cover: all before the last two questions of the user. */
export function coverable(messages: readonly Message[]): number {
  const questions = messages.flatMap((message, index) => (message.role === 'user' ? [index] : []));
  return questions.at(-keptQuestions) ?? 0;
}

/** How many questions come after the part that a summary covers. */
export function questionsAfter(messages: readonly Message[], covers: number): number {
  return messages.slice(covers).filter(({ role }) => role === 'user').length;
}

type Compacted = { summary: Summary; usage?: Usage };

/** Asks the model for a summary; nothing when there is too little to sum up or no answer came. */
export async function compact(
  transcript: { system?: string; tools?: readonly ToolSpec[]; messages: readonly Message[] },
  before: Summary | undefined,
  options: AnswerOptions,
  intake?: Intake,
): Promise<Compacted | undefined> {
  const { messages, ...rest } = transcript;
  const covers = coverable(messages);
  const old = withSummary(messages.slice(0, covers), before);
  if (covers <= (before?.covers ?? 0) || old.length < fewest) return undefined;
  const asked = [...old, { role: 'user', content: request } as const];
  const collected = collector();
  let failed = false;
  for await (const event of answer({ ...rest, messages: asked }, { ...options, toolChoice: 'none' }, intake)) {
    if (event.type === 'message-error') failed = true;
    else collected.push(event);
  }
  const message = collected.message();
  const said = message.content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('')
    .trim();
  if (failed || said === '') return undefined;
  const media = messages
    .slice(0, covers)
    .flatMap(({ content }) => content.filter(isMedia).map((block) => placeholder(block)));
  const seen = media.length === 0 ? '' : `\n\nMedia of that part:\n${[...new Set(media)].join('\n')}`;
  const text = `[Summary of the ${covers} earlier messages of this conversation]\n${said}${seen}`;
  return { summary: { text, covers }, ...(message.usage && { usage: message.usage }) };
}
