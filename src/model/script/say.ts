// A scripted answer as a message and as the events of a stream, for the wire it goes over: thoughts carry the seal that
// this wire's provider would put on them.
import type { Block, CallBlock, ThinkingBlock } from '../../content/block.ts';
import type { Json } from '../../content/json.ts';
import type { MessageError } from '../../message/error.ts';
import type { ModelEvent } from '../../message/event.ts';
import type { AssistantMessage, TranscriptInput, Usage } from '../../message/message.ts';
import type { WireName } from '../../window/profile.ts';
import type { Author } from '../../wire/accepted.ts';
import { codeOfStatus, providerError } from '../../wire/provider-error.ts';
import { wires } from '../../wire/registry.ts';
import { argumentsText } from '../../wire/spelling.ts';
import type { Answer, Asked, ScriptedCall } from './script.ts';

/** The message that an answer is. */
export function messageOf(answer: Answer, asked: Asked, author: Author): AssistantMessage {
  const { text, thinking, calls = [] } = answer;
  const content: Block[] = [
    ...(thinking === undefined ? [] : [thought(thinking, asked.wire, author)]),
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...calls.map((call, at) => callBlock(call, at, asked, author, thinking !== undefined)),
  ];
  return {
    role: 'assistant',
    model: `${author.endpoint}/${author.model}`,
    content,
    usage: answer.usage ?? estimate(asked.transcript, content),
    stop: answer.stop ?? (calls.length > 0 ? 'calls' : 'end'),
  };
}

/** The same as a stream, a word at a time. */
export function eventsOf(message: AssistantMessage): ModelEvent[] {
  return [
    { type: 'message-start', model: message.model },
    ...message.content.flatMap(blockEvents),
    { type: 'message-end', stop: message.stop ?? 'end', ...(message.usage && { usage: message.usage }) },
  ];
}

function blockEvents(block: Block, index: number): ModelEvent[] {
  const whole = block.type === 'call' ? argumentsText(block.input) : 'text' in block ? block.text : '';
  const kind = block.type === 'call' || block.type === 'thinking' ? block.type : 'text';
  const pieces = kind === 'call' ? whole.match(/[\s\S]{1,16}/gu) : whole.match(/\S+\s*|\s+/gu);
  return [
    { type: 'block-start', index, block: begun(block) },
    ...(pieces ?? []).map((text): ModelEvent => ({ type: 'block-delta', index, kind, text })),
    { type: 'block-end', index, block },
  ];
}

function begun(block: Block): Block {
  if (block.type === 'call') return { type: 'call', id: block.id, name: block.name, input: {} };
  // The seal is known from the start: the Responses API tells the id of an item before its words.
  return block.type === 'text' || block.type === 'thinking' ? { ...block, text: '' } : block;
}

/** A thought as its provider hands it out. */
function thought(text: string, wire: WireName, { endpoint, model }: Author): ThinkingBlock {
  const item = wires[wire].scripted.thought?.(text);
  return { type: 'thinking', text, ...(item !== undefined && { seal: { wire, endpoint, model, item } }) };
}

/** Ids are the same on every run. The first call after thoughts is the one that a provider signs, if it signs calls. */
function callBlock(call: ScriptedCall, at: number, asked: Asked, author: Author, thinks: boolean): CallBlock {
  const { name, input = {}, id = `call_${asked.index + 1}_${at + 1}` } = call;
  const block: CallBlock = { type: 'call', id, name, input };
  const item = thinks && at === 0 ? wires[asked.wire].scripted.call?.({ id, name, input: input as Json }) : undefined;
  return item === undefined ? block : { ...block, seal: { wire: asked.wire, ...author, item } };
}

/** Four letters a token: enough to see a conversation grow. */
function estimate(transcript: TranscriptInput, said: readonly Block[]): Usage {
  const heard = transcript.messages.reduce(
    (sum, { content }) => sum + lettersOf(content),
    transcript.system?.length ?? 0,
  );
  return { inputTokens: Math.ceil(heard / 4), outputTokens: Math.max(1, Math.ceil(lettersOf(said) / 4)) };
}

function lettersOf(content: unknown): number {
  if (typeof content === 'string') return content.length;
  if (!Array.isArray(content)) return 0;
  return content.reduce((sum: number, block: { text?: unknown } | string) => {
    const text = typeof block === 'string' ? block : block.text;
    return sum + (typeof text === 'string' ? text.length : 0);
  }, 0);
}

/** A scripted error as the provider's own. */
export function scriptedError({ status, message, retryAfter }: NonNullable<Answer['error']>): MessageError {
  const wait = retryAfter === undefined ? {} : { retryAfter };
  return { type: 'message-error', ...providerError(codeOfStatus(status), message, { status, ...wait }) };
}
