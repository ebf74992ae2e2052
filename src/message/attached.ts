// What the model chose to go with its answer to the person. It is read from its calls, so that a run, a page and a stored
// session tell the same; a request does not hold it again.
import type { Asset, CallBlock, MediaBlock } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import { findKnown, knownAssets } from '../tool/known-assets.ts';
import type { KnownAsset } from '../tool/known-assets.ts';
import type { AssistantMessage, Message } from './message.ts';

/** The tool whose calls choose, and how much one answer takes along. */
export const attachTool = 'attach_to_response';
export const maxAttached = 6;

/** A medium, or another file that a tool made. */
export type Attached = MediaBlock | { type: 'file'; asset: Asset };

/** What goes with an answer, and the message that ends it; none yet while the model is at work. */
type AnswerWithMedia = { answer?: AssistantMessage; attached: Attached[] };

/** What goes with each answer of a conversation. Calls before `from` do not count; nor do those from the call `until` on. */
export function attachedByAnswer(
  messages: readonly Message[],
  { from = 0, until }: { from?: number; until?: string } = {},
): AnswerWithMedia[] {
  const failed = new Set(
    messages.flatMap((message) =>
      message.role === 'tool' && message.isError && message.name === attachTool ? [message.callId] : [],
    ),
  );
  const answers: AnswerWithMedia[] = [];
  let chosen = new Map<string, Attached>();
  for (let at = from; at < messages.length; at++) {
    const message = messages[at];
    if (message?.role !== 'assistant') continue;
    const calls = message.content.filter((block) => block.type === 'call');
    for (const call of calls) {
      if (call.id === until) return [...answers, { attached: [...chosen.values()] }];
      if (call.name !== attachTool || failed.has(call.id)) continue;
      for (const one of chosenBy(call, knownAssets(messages.slice(0, at + 1)))) chosen.set(one.asset.id, one);
    }
    if (calls.length > 0 || chosen.size === 0) continue;
    answers.push({ answer: message, attached: [...chosen.values()] });
    chosen = new Map();
  }
  return chosen.size > 0 ? [...answers, { attached: [...chosen.values()] }] : answers;
}

/**
 * What the model chose to go with its newest answer, in a loop of your own; `runAgent` gives it as `attachments`.
 *
 * @example
 * for (const { asset } of attachedTo(messages)) await save(asset.name, await assets.get(asset.id));
 */
export function attachedTo(messages: readonly Message[]): Attached[] {
  const newest = attachedByAnswer(messages).at(-1);
  return newest && (newest.answer ?? messages.at(-1)) === messages.at(-1) ? newest.attached : [];
}

function chosenBy({ input }: CallBlock, known: ReturnType<typeof knownAssets>): Attached[] {
  const names: unknown = isRecord(input) ? input['assets'] : undefined;
  return (Array.isArray(names) ? names : []).flatMap((name: unknown) => {
    const found = typeof name === 'string' ? findKnown(name, known) : undefined;
    return found?.ok ? [attachedAs(found.value)] : [];
  });
}

/** An original that was shown as something else is a file. */
export function attachedAs({ asset, block }: KnownAsset): Attached {
  return block?.asset.id === asset.id ? block : { type: 'file', asset };
}
