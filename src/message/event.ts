// The stream vocabulary: what a model's answer is while it arrives. Names are noun-verb, verbs start, delta, end. An
// answer is `message-start`, its blocks one after the other (or interleaved, told apart by `index`), and one last event:
// `message-end`, or `message-error` when it could not be had. A stream of events never throws.
import type { Block } from '../content/block.ts';
import type { MessageError } from './error.ts';
import type { Latency, Stop, Usage } from './message.ts';

/** What a provider calls its answer, and the model that it says has answered. */
export type AnswerName = { id?: string; model?: string };

/** What a block that grows is: only these come in pieces. */
export type DeltaKind = 'text' | 'thinking' | 'call';

/** One event of an answer as it arrives, the same for every provider. */
export type ModelEvent =
  | { type: 'message-start'; model: string }
  /** The block as far as it is known: text empty, a call without its input. */
  | { type: 'block-start'; index: number; block: Block }
  /** More of a text or of thinking; of a call, more of its arguments as JSON text. */
  | { type: 'block-delta'; index: number; kind: DeltaKind; text: string }
  /** The whole block with its seal. */
  | { type: 'block-end'; index: number; block: Block }
  /** Something of the provider that has no place here, for traces. */
  | { type: 'message-extra'; event: unknown }
  | { type: 'message-end'; stop: Stop; usage?: Usage; latency?: Latency; response?: AnswerName }
  | MessageError;
