// A conversation → the events of the model's next answer: prepare, send, and when the provider refuses what we can
// change, change it and send again. Never throws: trouble is the last event. Whoever runs a loop stands on this.
import type { Intake } from '../content/intake.ts';
import { SightlineError } from '../content/refusal.ts';
import type { MessageError } from '../message/error.ts';
import type { ModelEvent } from '../message/event.ts';
import type { TranscriptInput, Usage } from '../message/message.ts';
import type { Spent } from '../tool/tool.ts';
import { contextTokensOf, notSeen } from '../window/ledger.ts';
import type { Ledger } from '../window/ledger.ts';
import type { Plan } from '../window/plan-types.ts';
import { unseenIn } from '../window/unseen.ts';
import { checkModelName } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import { learn, refine } from './discover/discover.ts';
import { narrow } from './heal/bisect.ts';
import type { Probed } from './heal/bisect.ts';
import { settlePicture } from './generated-picture.ts';
import { intakeOf } from './intake.ts';
import { prepare } from './prepare.ts';
import type { Prepared, PrepareOptions } from './prepared.ts';
import { isEstimated } from './count-text.ts';
import { redact } from './redact.ts';
import { recorded } from './recorder.ts';
import { sendUnrecorded } from './send.ts';
import type { Send, SendOptions } from './send.ts';

/** What happens around an answer. */
export type RequestEvent =
  /** Before sending; again for each repaired request. `tokens` is an estimate. */
  | {
      type: 'request-ready';
      model: string;
      receipts: Receipt[];
      tokens: number;
      /** Of which so many may be sent at most. */
      contextTokens: number;
      /** Its texts come near that, and an exact count of them was possible and not at hand. */
      estimated?: true;
      bytes: number;
      images: number;
    }
  /** It refused media and did not say which: a small request with some of them was sent to find out. */
  | Probed
  /** A model that sees described pictures for this request: what that took. */
  | ({ type: 'request-described' } & Spent)
  /** The provider refused the request; what follows is sent instead. */
  | { type: 'request-healed'; why: string; receipts: Receipt[] }
  /** It answered, and by its own count has not seen media of the request; what it says of them may be made up. From the next
   * request on they go another way, where there is one. */
  | { type: 'request-unseen'; why: string; receipts: Receipt[] }
  /** After `message-end`: store the ledger beside the messages and pass it to the next answer. */
  | { type: 'request-accepted'; ledger: Ledger };

/** The events of an answer, and of the requests for it. */
export type AnswerEvent = ModelEvent | RequestEvent;

/** What `prepare` and `send` take, and what sends in their place. */
export type AnswerOptions = PrepareOptions & SendOptions & { send?: Send };

/**
 * Asks for the model's next answer, and repairs what the provider refuses. Never throws: trouble is the last event.
 *
 * @example
 * for await (const event of answer({ messages }, { model: 'anthropic/claude-sonnet-5' }))
 *   if (event.type === 'block-delta') process.stdout.write(event.text);
 */
export async function* answer(
  transcript: TranscriptInput,
  options: AnswerOptions,
  intake: Intake = intakeOf(options),
): AsyncGenerator<AnswerEvent> {
  const send = recorded(options.send ?? sendUnrecorded, 'answer');
  try {
    checkModelName(options.model);
    const profile = await refine(options.model, options);
    let request: Prepared = await prepare(transcript, profile ? { ...options, profile } : options, intake);
    let told = 0; // a request that is repaired may have more pictures described
    for (;;) {
      for (const spent of request.looked.slice(told)) yield { type: 'request-described', ...spent };
      told = request.looked.length;
      const { plan, receipts, ledger, totals } = request;
      const bytes = request.outgoing().contentLength;
      const { tokens, images } = totals.used;
      const contextTokens = contextTokensOf(plan.profile, ledger);
      const ready = { model: options.model, receipts, tokens, contextTokens, bytes, images };
      yield { type: 'request-ready', ...ready, ...(isEstimated(plan.profile, totals) && { estimated: true }) };
      const { error, usage } = yield* pass(send(request, options), intake);
      if (!error) return yield* accepted(plan, ledger, usage);
      if (error.delivered) return yield error.event;
      const found = yield* narrow(request, error.event, (probe) => send(probe, { ...options, purpose: 'probe' }));
      const repaired = await request.repair(error.event, { found, headers: true });
      if (!repaired) return yield error.event;
      learn(options.model, options, repaired.learned, profile);
      yield { type: 'request-healed', why: repaired.repairs.at(-1) ?? '', receipts: repaired.receipts };
      request = repaired;
    }
  } catch (error) {
    yield trouble(error, options.signal);
  }
}

/** What there is to say after an answer: what it has not seen, and the ledger to go on with. */
function* accepted(plan: Plan, ledger: Ledger, usage: Usage | undefined): Generator<RequestEvent> {
  const blind = unseenIn(plan, usage);
  if (!blind) return yield { type: 'request-accepted', ledger };
  const { receipts, unseen } = blind;
  const why = receipts.map((receipt) => `Not seen: ${receipt.subject}. ${receipt.why}.`).join(' ');
  yield { type: 'request-unseen', why, receipts };
  yield { type: 'request-accepted', ledger: notSeen(ledger, plan.profile.model, unseen) };
}

/** Passes an answer on, its pictures stored. What comes back is what it took, or the error that ended it. */
async function* pass(events: AsyncIterable<ModelEvent>, intake: Intake): AsyncGenerator<ModelEvent, Passed> {
  let delivered = false;
  for await (const event of events) {
    if (event.type === 'message-error') return { error: { event, delivered } };
    delivered = true;
    yield event.type === 'block-end' ? { ...event, block: await settlePicture(event.block, intake) } : event;
    if (event.type === 'message-end') return { usage: event.usage };
  }
  const message = 'The answer broke off before its end.';
  return { error: { event: { type: 'message-error', code: 'cut-off', message, retryable: true }, delivered } };
}

type Passed =
  | { error?: undefined; usage: Usage | undefined }
  | { error: { event: MessageError; delivered: boolean }; usage?: undefined };

/** What `prepare` throws: a model nobody knows, messages that fit no window, storage that failed. */
function trouble(error: unknown, signal: AbortSignal | undefined): MessageError {
  if (signal?.aborted) {
    return { type: 'message-error', code: 'aborted', message: 'The request was cancelled.', retryable: false };
  }
  const message = redact(error instanceof Error ? error.message : String(error));
  const code = error instanceof SightlineError && error.code === 'config' ? 'not-found' : 'invalid';
  return { type: 'message-error', code, message, retryable: false };
}
