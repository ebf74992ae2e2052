// The stream vocabulary: what a model's answer is while it arrives. Names are noun-verb, verbs start, delta, end. An
// answer is `message-start`, its blocks one after the other (or interleaved, told apart by `index`), and one last event:
// `message-end`, or `message-error` when it could not be had. A stream of events never throws.
import type { Block } from '../content/block.ts';
import type { Latency, Stop, Usage } from './message.ts';

/** What kind of trouble ended an answer. Who asked decides by it whether to wait, to heal, or to tell the person. */
export type ErrorCode =
  | 'aborted' // whoever asked has cancelled
  | 'network' // no connection, or it broke
  | 'timed-out' // nothing came for too long
  | 'cut-off' // the stream ended before the answer did
  | 'malformed' // what came is not this wire
  | 'rate-limited' // 429
  | 'overloaded' // 503, 529
  | 'server' // any other 5xx, or an error event of the provider in mid-stream
  | 'auth' // no key, a wrong one, or no right to this model
  | 'not-found' // no such model or address
  | 'media' // the provider complains about a picture, a document or another medium
  | 'signature' // thinking that was changed or belongs elsewhere
  | 'too-large' // more bytes than one request may have
  | 'context' // more tokens than the model's window
  | 'invalid' // any other 4xx
  | 'redirected'; // to another host

/** The last event of an answer that failed. */
export type MessageError = {
  type: 'message-error';
  code: ErrorCode;
  /** The provider's own words, or ours. Never a key, never base64. */
  message: string;
  /** The same request may succeed later. */
  retryable: boolean;
  status?: number;
  /** The place in the request that the provider names, in its own spelling. */
  path?: string;
  /** Milliseconds the provider asks to wait. */
  retryAfter?: number;
};

/** One event of an answer as it arrives, the same for every provider. */
export type ModelEvent =
  | { type: 'message-start'; model: string }
  /** The block as far as it is known: text empty, a call without its input. */
  | { type: 'block-start'; index: number; block: Block }
  /** More of a text or of thinking; of a call, more of its arguments as JSON text. */
  | { type: 'block-delta'; index: number; text: string }
  /** The whole block with its seal. */
  | { type: 'block-end'; index: number; block: Block }
  /** Something of the provider that has no place here, for traces. */
  | { type: 'message-extra'; event: unknown }
  | { type: 'message-end'; stop: Stop; usage?: Usage; latency?: Latency }
  | MessageError;
