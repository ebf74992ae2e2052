// The model itself sums up the older part of a conversation that has outgrown its window. The messages stay as they
// are; media of that part keep their placeholders, so that they can be called back.
import { isCarried, textIn } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { summaryRequest, summaryText } from '../content/words.ts';
import { collector } from '../message/collect.ts';
import type { Message, Usage } from '../message/message.ts';
import { answer } from '../model/answer.ts';
import type { AnswerOptions } from '../model/answer.ts';
import type { ToolSpec } from '../tool/tool.ts';
import { coverable, withSummary } from '../window/summary.ts';
import type { Summary } from '../window/summary.ts';

type Summarised = { summary?: Summary; usage?: Usage };

/** Asks the model for a summary; nothing when there is too little to sum up. An answer without one may have cost something. */
export async function summarise(
  transcript: { system?: string; tools?: readonly ToolSpec[]; messages: readonly Message[] },
  before: Summary | undefined,
  options: AnswerOptions,
  intake?: Intake,
): Promise<Summarised | undefined> {
  const { messages, ...rest } = transcript;
  const covers = coverable(messages, before);
  if (covers === undefined) return undefined;
  const old = messages.slice(0, covers);
  const asked = [...withSummary(old, before), { role: 'user', content: summaryRequest } as const];
  const { output: _form, ...free } = options; // a summary has no form
  const collected = collector();
  let failed = false;
  const how = { ...free, toolChoice: 'none', purpose: 'summary' } as const;
  for await (const event of answer({ ...rest, messages: asked }, how, intake)) {
    if (event.type === 'message-error') failed = true;
    else collected.push(event);
  }
  const { content, usage } = collected.message();
  const said = textIn(content).trim();
  const took = usage && { usage };
  if (failed || said === '') return took;
  const media = old.flatMap((message) => message.content.filter(isCarried));
  return { summary: { text: summaryText(covers, said, media), covers }, ...took };
}
