// The scripted model in process: takes what `prepare` made and gives the events of the answer, without a network. What
// would break on the line ends in the error that a client would see.
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '../../content/json.ts';
import { refusalText, SightlineError } from '../../content/refusal.ts';
import type { MessageError } from '../../message/error.ts';
import type { ModelEvent } from '../../message/event.ts';
import { providerError } from '../../wire/provider-error.ts';
import { wires } from '../../wire/registry.ts';
import { judged } from '../heal/complaint.ts';
import type { Prepared } from '../prepared.ts';
import { passOn, tryAgain } from '../send.ts';
import type { Send } from '../send.ts';
import { scriptedError, eventsOf, messageOf } from './say.ts';
import type { Answer, Asked, Script } from './script.ts';

/** One request as the model understood it: what was asked, over which wire, and its exact body. */
export type SentRequest = Asked & { body: unknown };

/** Sends to the script instead of a provider, and knows what it was asked. */
export type ScriptedSend = Send & {
  /** Every request so far, each try of one too. */
  readonly requests: readonly SentRequest[];
  /** Throws unless every answer of the script was asked for, and no more. */
  done: () => void;
};

/**
 * The script as a function to send with, for tests without a server. What may pass is tried again as `send` does, at
 * once. Each one counts its own requests.
 *
 * @example
 * const send = scriptedSend(script([{ text: 'Hello.' }]));
 * await runAgent({ model: 'ollama/qwen3-vl', prompt: 'Hi.', send });
 * send.done();
 */
export function scriptedSend(script: Script): ScriptedSend {
  const requests: SentRequest[] = [];
  const send: Send = (request, options = {}) => {
    const { signal = new AbortController().signal } = options;
    // There is nobody to wait for.
    return tryAgain(() => passOn(ask(request, signal), told), options, { signal, wait: async () => undefined });
  };

  async function* ask(request: Prepared, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { wire, plan } = request;
    const author = { endpoint: plan.profile.endpoint, model: plan.profile.id };
    const body = await request.json();
    const read = wires[wire].accept(body, author);
    if (!read.ok) return yield scriptedError({ status: 400, message: refusalText(read.refusal) });
    const { transcript, options } = read.value;
    const asked = { index: requests.length, wire, model: author.model, transcript, options };
    requests.push({ ...asked, body });
    const answer = await script.answer(asked).catch((error: unknown): Answer => {
      return { error: { status: 500, message: `The script failed: ${String(error)}` } };
    });
    if (signal.aborted) return yield aborted;
    const failure = atOnce(answer);
    if (failure) return yield failure;
    const events = eventsOf(messageOf(answer, asked, author));
    const { kept, last } = broken(events, answer);
    for (const [at, event] of kept.entries()) {
      const wait = at === 0 ? answer.silence : answer.slow;
      if (wait !== undefined) await sleep(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return yield aborted;
      yield event;
    }
    if (last) yield last;
  }

  const done = (): void => {
    const [asked, steps] = [requests.length, script.steps];
    if (steps === undefined || asked === steps) return;
    const why =
      asked < steps
        ? `Only ${asked} of ${steps} answers were asked for`
        : `${asked} answers were asked for, and there are ${steps}`;
    throw new SightlineError('input', `${why}. "requests" holds what was asked.`);
  };
  return Object.assign(send, { requests, done });
}

/** An error is told as it is; only a bug in here throws. */
function told(error: unknown): MessageError {
  if (isRecord(error) && error['type'] === 'message-error') return error as MessageError;
  throw error;
}

const aborted: MessageError = { type: 'message-error', ...providerError('aborted', 'The request was cancelled.') };

function failed(...of: Parameters<typeof providerError>): MessageError {
  return { type: 'message-error', ...providerError(...of) };
}

/** What fails before a word of the answer has come. */
function atOnce({ error, reset, redirect, contentType }: Answer): MessageError | undefined {
  if (error) return judged(scriptedError(error));
  if (reset === 'before') return failed('network', 'The connection was reset before an answer came.');
  if (redirect !== undefined) return failed('redirected', `The provider sends requests on to ${redirect}.`);
  if (contentType === undefined) return undefined;
  return failed('malformed', `The answer came as ${contentType}.`);
}

/** What fails half-way: the events until then, and the error that ends them. */
function broken(events: ModelEvent[], answer: Answer): { kept: ModelEvent[]; last?: MessageError } {
  const middle = Math.ceil(events.length / 2);
  if (answer.malformed)
    return { kept: events.slice(0, middle), last: failed('malformed', 'A chunk of the answer is no JSON.') };
  if (answer.reset === 'middle')
    return { kept: events.slice(0, middle), last: failed('network', 'The connection was reset.') };
  const at = answer.halfCharacter ? middle : answer.cutAfter;
  if (at === undefined || at >= events.length) return { kept: events };
  return { kept: events.slice(0, at), last: failed('cut-off', 'The answer broke off before its end.') };
}
