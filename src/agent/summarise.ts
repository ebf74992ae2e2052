// The model itself sums up the older part of a conversation that has outgrown its window. The messages stay as they
// are; media of that part keep their placeholders, so that they can be called back.
import { isCarried, textIn } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { summaryRequest, summaryText } from '../content/words.ts';
import { collector } from '../message/collect.ts';
import type { Message, Usage } from '../message/message.ts';
import { answer } from '../model/answer.ts';
import type { AnswerEvent, AnswerOptions } from '../model/answer.ts';
import type { ToolSpec } from '../tool/tool.ts';
import { coverable, withSummary } from '../window/summary.ts';
import type { Summary } from '../window/summary.ts';

/** What was paid for beside the answer. */
type Aside = Extract<AnswerEvent, { type: 'request-described' | 'request-probed' }>;
type Summarised = { summary?: Summary; usage?: Usage; aside?: Aside[] };

/** A summary is cut by nothing that is meant for answers, and has no form. */
function asSummary({ output: _form, json: _json, stop: _stop, maxTokens, ...free }: AnswerOptions): AnswerOptions {
  const room = maxTokens === undefined ? {} : { maxTokens: Math.max(maxTokens, longest) };
  return { ...free, ...room, toolChoice: 'none', purpose: 'summary' };
}

const longest = 4000;

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
  const collected = collector();
  const aside: Aside[] = [];
  let failed = false;
  for await (const event of answer({ ...rest, messages: asked }, asSummary(options), intake)) {
    if (event.type === 'message-error') failed = true;
    else if (event.type === 'request-described' || event.type === 'request-probed') aside.push(event);
    else collected.push(event);
  }
  const { content, usage, stop } = collected.message();
  const said = textIn(content).trim();
  const took = { ...(usage && { usage }), ...(aside.length > 0 && { aside }) };
  if (failed || said === '' || stop === 'length' || stop === 'declined')
    return Object.keys(took).length > 0 ? took : undefined;
  const media = old.flatMap((message) => message.content.filter(isCarried));
  return { summary: { text: summaryText(covers, said, media), covers }, ...took };
}
