// Messages in any state of disorder → a conversation in which every call is answered exactly once, in the order of the
// calls, all results of a turn together. Nothing is lost: an orphan call gets a result that says so, a result without
// an open call becomes a note, and user words that stood between results follow them. The input is never changed.
import type { Block, CallBlock } from '../content/block.ts';
import { lateNote, unansweredCall } from '../content/describe.ts';
import type { ToolMessage } from '../tool/result.ts';
import type { AssistantMessage, Message, UserMessage } from './message.ts';

/** All results of one assistant turn, in the order of its calls. */
export type Batch = { role: 'batch'; results: ToolMessage[] };

export type Item = UserMessage | AssistantMessage | Batch;

export type Repair = { kind: 'unanswered' | 'late' | 'reordered' | 'duplicate-id'; callId: string; what: string };

export type Paired = { items: Item[]; repairs: Repair[] };

/** Pairs calls with results. Results count for a call until the next assistant message; later ones are notes. */
export function pair(messages: readonly Message[]): Paired {
  const items: Item[] = [];
  const repairs: Repair[] = [];
  const used = new Map<string, number>();
  for (let at = 0; at < messages.length;) {
    const message = messages[at++];
    if (message === undefined) continue;
    const isAssistant = message.role === 'assistant';
    const opener = isAssistant ? uniqueCalls(message, used, repairs) : { message, calls: [], ids: [] };
    if (isAssistant) items.push(opener.message as AssistantMessage);
    const stretch: Message[] = isAssistant ? [] : [message];
    while (at < messages.length && messages[at]?.role !== 'assistant') stretch.push(messages[at++] as Message);
    items.push(...answerCalls(opener.calls, opener.ids, stretch, repairs));
  }
  return { items, repairs };
}

/** Some APIs give no ids, and some give the same id again: the second of a kind is renamed, from what came before only. */
function uniqueCalls(
  message: AssistantMessage,
  used: Map<string, number>,
  repairs: Repair[],
): { message: AssistantMessage; calls: CallBlock[]; ids: string[] } {
  const calls: CallBlock[] = [];
  const ids: string[] = [];
  const content = message.content.map((block): Block => {
    if (block.type !== 'call') return block;
    const given = block.id === '' ? 'call' : block.id;
    let id = given;
    for (let count = (used.get(given) ?? 0) + 1; used.has(id); count++) id = `${given}_${count}`;
    used.set(given, (used.get(given) ?? 0) + 1);
    if (id !== given) used.set(id, 1);
    ids.push(block.id);
    const call = id === block.id ? block : withId(block, id);
    if (call !== block) {
      repairs.push({ kind: 'duplicate-id', callId: id, what: `the call id "${block.id}" was already taken` });
    }
    calls.push(call);
    return call;
  });
  return { message: { ...message, content }, calls, ids };
}

/** A renamed call can no longer be sent as its seal holds it. */
function withId(call: CallBlock, id: string): CallBlock {
  return { type: 'call', id, name: call.name, input: call.input };
}

function answerCalls(calls: CallBlock[], ids: string[], stretch: readonly Message[], repairs: Repair[]): Item[] {
  const waiting = stretch.filter((message) => message.role === 'tool');
  const results = calls.map((call, index): ToolMessage => {
    const mine = (result: ToolMessage): boolean => result.callId === ids[index];
    const named = waiting.findIndex((result) => mine(result) && result.name === call.name);
    const found = named < 0 ? waiting.findIndex(mine) : named;
    const [result] = found < 0 ? [] : waiting.splice(found, 1);
    if (result) {
      if (found > 0)
        repairs.push({ kind: 'reordered', callId: call.id, what: 'the results were not in the order of the calls' });
      return { ...result, callId: call.id, name: call.name };
    }
    repairs.push({ kind: 'unanswered', callId: call.id, what: `the call of ${call.name} had no result` });
    return unanswered(call);
  });
  const rest = stretch.flatMap((message): UserMessage[] => {
    if (message.role === 'user') return [message];
    if (message.role !== 'tool' || !waiting.includes(message)) return [];
    repairs.push({ kind: 'late', callId: message.callId, what: `a result of ${message.name} had no open call` });
    return [
      {
        role: 'user',
        content: [
          { type: 'text', text: lateNote(message.name, message.callId, message.isError ?? false) },
          ...message.content,
        ],
      },
    ];
  });
  return results.length > 0 ? [{ role: 'batch', results }, ...rest] : rest;
}

function unanswered(call: CallBlock): ToolMessage {
  const content: Block[] = [{ type: 'text', text: unansweredCall }];
  return { role: 'tool', callId: call.id, name: call.name, content, isError: true };
}
