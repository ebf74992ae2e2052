// Requests on their way out → their records, told to whoever keeps them, without ever waiting for it.
import { accessOf } from '../config/environment.ts';
import type { MessageError } from '../message/error.ts';
import type { AssetStore } from '../content/asset-store.ts';
import type { AssetId, Block } from '../content/block.ts';
import { mediaTypeOf } from '../content/header-intake.ts';
import type { ModelEvent } from '../message/event.ts';
import { collector } from '../message/collect.ts';
import type { AssistantMessage } from '../message/message.ts';
import { keptBody } from '../record/body.ts';
import type { KeptBody } from '../record/body.ts';
import { costOf } from '../window/prices.ts';
import { mediaInSkeleton } from '../wire/body.ts';
import { systemClock } from './http/clock.ts';
import type { Prepared } from './prepared.ts';
import type { BegunRecord, RequestAttempt, Ended, Recorder, RequestRecord, SentBody } from '../record/record.ts';
import { redact, redactUrl } from './redact.ts';
import type { Send, SendOptions } from './send-options.ts';
import { isTraced, openSpan } from './telemetry.ts';
import type { OpenSpan } from './telemetry.ts';

/** Records what is sent, whoever sends it: the loop, its probes, a scripted model. */
export function recorded(send: Send, via: RequestRecord['via']): Send {
  return async function* (request, asked = {}) {
    if (!asked.recorder && !(await isTraced(asked.telemetry))) return yield* send(request, asked);
    const { recorder, purpose = 'answer', telemetry, ...given } = asked;
    const attempts: RequestAttempt[] = [];
    const record = recordUnlessHomeless(request, { via, purpose, options: given });
    const body = bodyOf(request, recorder?.assets);
    const kept = record && openRecord(recorder, record, body);
    const about = { telemetry, conversation: recorder?.conversation };
    const span: OpenSpan | undefined = record && (await openSpan(record, request.plan, about));
    const options = { ...given, headers: { ...span?.headers, ...given.headers } };
    const heardSoFar = collector();
    let how: Omit<Ended, 'attempts'> = { state: 'aborted' }; // unless it comes to an end of its own
    try {
      for await (const event of send(request, { ...options, onAttempt: heard(attempts, options.onAttempt) })) {
        heardSoFar.push(event);
        if (event.type === 'message-end') how = answered(request, event);
        if (event.type === 'message-error') how = failed(event, options);
        yield event;
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      how = failed({ type: 'message-error', code: 'network', message, retryable: false }, options);
      throw error;
    } finally {
      const answer = unsealed(heardSoFar.message());
      const ended = { ...how, attempts, ...(answer.content.length > 0 && { answer }) };
      span?.end(ended, answer, kept?.broke());
      kept?.over(ended);
    }
  };
}

/** A request that is being recorded. Nothing of it throws, and nobody waits for it. */
export type OpenRecord = {
  over: (ended: Ended) => void;
  /** Where its prefix broke, as soon as the recorder has found it. */
  broke: () => string | undefined;
};

/** Tells that a request leaves; what comes back tells how it ended. */
export function openRecord(recorder: Recorder | undefined, record: RequestRecord, body: SentBody): OpenRecord {
  if (!recorder) return { over: () => undefined, broke: () => undefined };
  let broke: string | undefined;
  const begin = async (told: Promise<BegunRecord | void>): Promise<void> => void (broke = (await told)?.broke);
  const begun = tellRecorder(recorder, () => {
    const told = recorder.begin(record, body);
    return told && begin(told);
  });
  return {
    broke: () => broke,
    over: (ended) => {
      const end = (): unknown => tellRecorder(recorder, () => recorder.end(record.id, ended));
      if (begun === true || recorder.inOrder) end(); // so that it is told before the next request begins
      else void begun.then(end);
    },
  };
}

/** What providers sealed is theirs, may be long, and is kept by the conversation. */
export function unsealed(message: AssistantMessage): AssistantMessage {
  const content = message.content.map((block): Block =>
    'seal' in block && block.seal ? { ...block, seal: { ...block.seal, item: null } } : block,
  );
  return { ...message, content };
}

/** The body as it is kept. Its media go where those of the recorder lie, which may be another place than that of the request. */
function bodyOf(request: Prepared, to: AssetStore | undefined): SentBody {
  return (known) => {
    const { skeleton, assets } = request.outgoing();
    const body = (): KeptBody => keptBody(skeleton().skeleton, known);
    if (!to || to === assets) return body();
    const inBody = mediaInSkeleton(skeleton()).map(({ id }) => id);
    const decided = request.receipts.flatMap(({ asset }) => asset ?? []);
    return copied([...inBody, ...decided], assets, to).then(body);
  };
}

/** Media that are gone or damaged are told by whoever sends them. */
async function copied(ids: readonly AssetId[], from: AssetStore, to: AssetStore): Promise<void> {
  for (const id of await to.missing([...new Set(ids)])) {
    const bytes = await from.get(id).catch(() => undefined);
    if (bytes) await to.put(bytes, { mediaType: mediaTypeOf(bytes), id });
  }
}

/** A request that has no address has no record: whoever sends it tells. */
function recordUnlessHomeless(...given: Parameters<typeof recordOf>): RequestRecord | undefined {
  try {
    return recordOf(...given);
  } catch {
    return undefined;
  }
}

function recordOf(
  request: Prepared,
  about: Pick<RequestRecord, 'via' | 'purpose'> & { options: SendOptions },
): RequestRecord {
  const { plan, wire, receipts, repairs, totals } = request;
  const { url, contentLength } = request.outgoing(accessOf(plan.profile.endpoint));
  const { via, purpose, options } = about;
  return {
    version: 1,
    id: crypto.randomUUID(),
    time: Math.round((options.clock ?? systemClock).now()), // tables hold whole milliseconds
    purpose,
    via,
    model: plan.profile.model,
    wire,
    url: redactUrl(url),
    bytes: contentLength,
    receipts,
    repairs,
    totals,
  };
}

function heard(attempts: RequestAttempt[], also: SendOptions['onAttempt']): (attempt: RequestAttempt) => void {
  return (attempt) => {
    attempts.push(attempt);
    also?.(attempt);
  };
}

function answered(
  { plan }: Prepared,
  { stop, usage, latency, response }: Extract<ModelEvent, { type: 'message-end' }>,
): Omit<Ended, 'attempts'> {
  const cost = usage && costOf(plan.profile, usage);
  return {
    state: 'answered',
    stop,
    ...(usage && { usage }),
    ...(cost !== undefined && { cost }),
    ...(latency && { latency }),
    ...(response && { response }),
  };
}

function failed(error: MessageError, { key, apiKey, token }: SendOptions): Omit<Ended, 'attempts'> {
  const secrets = [key, apiKey, token].filter((secret) => typeof secret === 'string');
  const state = error.code === 'aborted' ? 'aborted' : error.status === undefined ? 'broken' : 'refused';
  return { state, error: { ...error, message: redact(error.message, secrets) } };
}

/** How long a recorder may take for one call. */
const patienceMs = 10_000;

/** Those that failed. */
const switchedOff = new WeakSet<Recorder>();

/** True when it is done already, a promise that never rejects while it is not. */
function tellRecorder(recorder: Recorder, call: () => void | Promise<void>): true | Promise<void> {
  if (switchedOff.has(recorder)) return true;
  try {
    const done = call();
    return done ? inTime(recorder, done) : true;
  } catch (error) {
    switchOff(recorder, error);
    return true;
  }
}

async function inTime(recorder: Recorder, done: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`it took longer than ${patienceMs / 1000} seconds`)),
    patienceMs,
  );
  timer.unref();
  try {
    await Promise.race([done, late.promise]);
  } catch (error) {
    switchOff(recorder, error);
  } finally {
    clearTimeout(timer);
  }
}

function switchOff(recorder: Recorder, error: unknown): void {
  if (switchedOff.has(recorder)) return;
  switchedOff.add(recorder);
  const why = redact(error instanceof Error ? error.message : String(error));
  const next = 'Requests go on without it; give another one to record again.';
  process.emitWarning(`The recorder of requests failed and hears nothing more: ${why.replace(/\.$/, '')}. ${next}`, {
    code: 'sightline-recorder',
  });
}
