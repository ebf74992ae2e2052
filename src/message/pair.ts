// Messages in any state of disorder → a conversation in which every call is answered exactly once, in the order of the
// calls, all results of a turn together. Nothing is lost: an orphan call gets a result that says so, a result without
// an open call, or one marked as late, becomes a note, and user words that stood between results follow them. The input is never changed.
import type { Block, CallBlock } from '../content/block.ts';
import { lateNote, unansweredCall } from '../content/words.ts';
import { SightlineError } from '../content/refusal.ts';
import type { ToolMessage } from '../tool/result.ts';
import type { AssistantMessage, Message, UserMessage } from './message.ts';

/** All results of one assistant turn, in the order of its calls. */
export type Batch = { role: 'batch'; results: ToolMessage[] };

/** One thing that a request holds in order: what a person said, an answer, or the results of its calls together. */
export type Item = UserMessage | AssistantMessage | Batch;

/** What had to be mended so that every call has one result, after it. */
export type PairRepair = { kind: 'unanswered' | 'late' | 'reordered' | 'duplicate-id'; callId: string; what: string };

/** A conversation whose calls and results belong together, and what was mended for it. */
export type Paired = { items: Item[]; repairs: PairRepair[]; mark: Mark };

/** Where pairing can go on when messages are added: before the last turn, which may still grow. `used`: how often each
 * call id was seen until there. */
type Mark = { messages: number; items: number; repairs: number; used: ReadonlyMap<string, number> };

/**
 * Pairs calls with results. Results count for a call until the model has spoken after them; later ones are notes.
 *
 * @example
 * const { items, repairs } = pair(messages);
 */
export function pair(messages: readonly Message[]): Paired {
  return goOn([], [], messages, 0, new Map());
}

/** The same for messages that begin with those of an earlier pairing: only what is new is looked at. */
export function pairMore(before: Paired, messages: readonly Message[]): Paired {
  const { mark } = before;
  const items = before.items.slice(0, mark.items);
  return goOn(items, before.repairs.slice(0, mark.repairs), messages, mark.messages, new Map(mark.used));
}

function goOn(
  items: Item[],
  repairs: PairRepair[],
  messages: readonly Message[],
  from: number,
  used: Map<string, number>,
): Paired {
  let place = { messages: from, items: items.length, repairs: repairs.length };
  for (let at = from; at < messages.length;) {
    const start = { messages: at, items: items.length, repairs: repairs.length };
    const said: AssistantMessage[] = [];
    const stretch: Message[] = [];
    for (let next = messages[at]; next?.role === 'assistant'; next = messages[++at]) said.push(next);
    for (let next = messages[at]; next && next.role !== 'assistant'; next = messages[++at]) stretch.push(next);
    const seen = new Map<string, number>();
    const openers = answeredTogether(said, stretch).map((one) => uniqueCalls(one, used, seen, repairs));
    if (openers.length === 0) items.push(...answerCalls([], [], stretch, repairs));
    for (const [index, { message, calls, ids }] of openers.entries())
      items.push(message, ...answerCalls(calls, ids, index === openers.length - 1 ? stretch : [], repairs));
    if (at >= messages.length) place = start;
    else for (const [id, count] of seen) used.set(id, count);
  }
  return { items, repairs, mark: { ...place, used } };
}

/** Messages of one model in a row whose calls are answered after the last of them are one answer that was stored in parts. */
function answeredTogether(said: readonly AssistantMessage[], stretch: readonly Message[]): readonly AssistantMessage[] {
  const last = said.at(-1);
  if (said.length < 2 || !last) return said;
  const left = stretch.flatMap((message) => (message.role === 'tool' && !message.late ? [message.callId] : []));
  for (const id of callIds(last)) if (left.includes(id)) left.splice(left.indexOf(id), 1);
  const from = said.findIndex(
    (message, at) =>
      callIds(message).some((id) => left.includes(id)) && said.slice(at).every(({ model }) => model === last.model),
  );
  if (from < 0 || from === said.length - 1) return said;
  return [...said.slice(0, from), { ...last, content: said.slice(from).flatMap(({ content }) => content) }];
}

function callIds({ content }: AssistantMessage): string[] {
  return content.flatMap((block) => (block.type === 'call' ? [block.id] : []));
}

/** Some APIs give no ids, and some give the same id again: the second of a kind is renamed, from what came before only. */
function uniqueCalls(
  message: AssistantMessage,
  before: ReadonlyMap<string, number>,
  seen: Map<string, number>,
  repairs: PairRepair[],
): { message: AssistantMessage; calls: CallBlock[]; ids: string[] } {
  const countOf = (id: string): number => seen.get(id) ?? before.get(id) ?? 0;
  const calls: CallBlock[] = [];
  const ids: string[] = [];
  const content = message.content.map((block): Block => {
    if (block.type !== 'call') return block;
    const id = freeId(block.id, countOf, seen);
    ids.push(block.id);
    const call = id === block.id ? block : withId(block, id);
    if (call !== block) {
      repairs.push({ kind: 'duplicate-id', callId: id, what: `the call id "${block.id}" was already taken` });
    }
    calls.push(call);
    return call;
  });
  const renamed = content.some((block, at) => block !== message.content[at]);
  return { message: renamed ? { ...message, content } : message, calls, ids };
}

/** An id that no call before has: the given one, or it with a number. */
function freeId(id: string, countOf: (id: string) => number, seen: Map<string, number>): string {
  const given = id === '' ? 'call' : id;
  const times = countOf(given);
  let free = given;
  for (let count = times + 1; countOf(free) > 0; count++) free = `${given}_${count}`;
  seen.set(given, times + 1);
  if (free !== given) seen.set(free, 1);
  return free;
}

/**
 * Gives the calls of an answer, as it is heard, the ids that `pair` would give them behind these messages: so that what runs
 * a call, stores its result or shows it knows it by an id of its own. A call is told by its place in the answer.
 */
export function callNamer(before: readonly Message[]): (call: CallBlock, place: number) => CallBlock {
  let seen: Map<string, number> | undefined;
  const named = new Map<number, string>();
  return (call, place) => {
    seen ??= idsOf(before);
    const used = seen;
    const id = named.get(place) ?? freeId(call.id, (one) => used.get(one) ?? 0, used);
    named.set(place, id);
    return id === call.id ? call : withId(call, id);
  };
}

function idsOf(messages: readonly Message[]): Map<string, number> {
  const seen = new Map<string, number>();
  for (const message of messages)
    if (message.role === 'assistant') for (const id of callIds(message)) freeId(id, (one) => seen.get(one) ?? 0, seen);
  return seen;
}

/** A renamed call can no longer be sent as its seal holds it. */
function withId(call: CallBlock, id: string): CallBlock {
  return { type: 'call', id, name: call.name, input: call.input };
}

function answerCalls(calls: CallBlock[], ids: string[], stretch: readonly Message[], repairs: PairRepair[]): Item[] {
  const waiting = stretch.filter((message) => message.role === 'tool').filter(({ late }) => !late);
  const results = calls.map((call, index): ToolMessage => {
    const mine = (result: ToolMessage): boolean => result.callId === ids[index];
    const named = waiting.findIndex((result) => mine(result) && result.name === call.name);
    const found = named < 0 ? waiting.findIndex(mine) : named;
    const [result] = found < 0 ? [] : waiting.splice(found, 1);
    if (result) {
      if (found > 0)
        repairs.push({ kind: 'reordered', callId: call.id, what: 'the results were not in the order of the calls' });
      const same = result.callId === call.id && result.name === call.name;
      return same ? result : { ...result, callId: call.id, name: call.name };
    }
    repairs.push({ kind: 'unanswered', callId: call.id, what: `the call of ${call.name} had no result` });
    return unanswered(call);
  });
  const rest = stretch.flatMap((message): UserMessage[] => {
    if (message.role === 'user') return [message];
    if (message.role !== 'tool') throw noRole(message.role);
    if (!message.late && !waiting.includes(message)) return [];
    if (!message.late)
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

/** Programs that come from another API put instructions among the messages; leaving them out would be a silent loss. */
function noRole(role: string): SightlineError {
  const next = 'Put instructions into "system"; parseTranscript reads messages in other spellings.';
  return new SightlineError('input', `A message has the role "${role}", and not user, assistant or tool. ${next}`);
}

function unanswered(call: CallBlock): ToolMessage {
  const content: Block[] = [{ type: 'text', text: unansweredCall }];
  return { role: 'tool', callId: call.id, name: call.name, content, isError: true };
}
