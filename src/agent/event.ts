// What a run tells while it goes on: everything the model's stream says, and what the loop does between answers.
import type { Block, CallBlock } from '../content/block.ts';
import type { MessageError } from '../message/error.ts';
import type { Attached } from '../message/attached.ts';
import type { Message, Usage } from '../message/message.ts';
import type { RefusedMedium } from '../message/check-transcript.ts';
import type { AnswerEvent } from '../model/answer.ts';
import type { RequestRetry } from '../model/send-options.ts';
import type { EntryId } from '../session/entry.ts';
import type { CallOf } from '../tool/invoke.ts';
import type { ToolMessage } from '../tool/result.ts';
import type { AnyTool, Spent } from '../tool/tool.ts';

/** Why a run is over. */
export type RunStop = 'end' | 'length' | 'stopped' | 'max-steps' | 'max-cost' | 'aborted' | 'declined' | 'error';

/** What happens in a run, as it happens. */
export type AgentEvent<Tools extends readonly AnyTool[] = readonly AnyTool[]> =
  | Exclude<AnswerEvent, { type: 'request-accepted' }>
  /** The provider has answered. The ledger is in the result of the run, and in its session. */
  | { type: 'request-accepted' }
  | { type: 'step-start'; step: number; model: string }
  /** Nothing came of a request that may pass: it goes out again after a wait, as this try of so many. */
  | ({ type: 'request-retry' } & RequestRetry)
  /** The answer so far is void: it broke off and is asked for again, or another model takes over. */
  | { type: 'step-restart'; step: number; model: string; why: string }
  /** `checked` is the call as its tool gets it; it is left out when the arguments do not fit. */
  | { type: 'call-start'; call: CallBlock; checked?: CallOf<Tools> }
  /** How far a tool is; `content` holds what it shows before it is done. */
  | { type: 'call-progress'; call: CallBlock; text: string; content?: Block[] }
  /** `ms` is how long its tool ran, without the wait for approval. */
  | { type: 'call-end'; call: CallBlock; result: ToolMessage; ms: number }
  /** The answer does not have the form that was asked for; the model is told so and asked again. */
  | { type: 'output-rejected'; errors: string[] }
  /** What an answer, a summary, a probe or a tool of the run took; the sums are in the result. */
  | ({ type: 'spent' } & Spent)
  /** A medium of a message that now joins the conversation was refused; words stand for it. */
  | ({ type: 'media-refused' } & RefusedMedium)
  /** The words of these entries of the session are not those that were stored; models get them as they are now. */
  | { type: 'history-altered'; entries: EntryId[] }
  /** A message joined the conversation, under this entry of its session; without one where nothing keeps it. */
  | { type: 'message-added'; message: Message; entry?: EntryId }
  /** Earlier messages are from now on sent as this summary. */
  | { type: 'history-compacted'; messages: number; summary: string }
  /** `attachments` are what the model chose to go with its answer. */
  | { type: 'run-end'; stop: RunStop; usage: Usage; cost?: number; attachments?: Attached[]; error?: MessageError };

/** Tells an event; resolves when whoever reads along has come back for the next one. */
export type Emit = (event: AgentEvent) => Promise<void>;
