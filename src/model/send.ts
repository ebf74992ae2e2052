// One prepared request → the events of its answer: the only way out to a provider. Bodies are streamed from storage,
// each try with a new stream; what may pass is tried again as long as nothing was delivered. A stream of events never
// throws: trouble is its last event, in words without keys or base64.
import { keyVariables } from '../config/environment.ts';
import type { MessageError } from '../message/error.ts';
import type { ModelEvent } from '../message/event.ts';
import { isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import { endpoints } from '../window/catalog.ts';
import type { EndpointName } from '../window/catalog.ts';
import type { Clock } from './http/clock.ts';
import { pause, systemClock } from './http/clock.ts';
import { judged } from './heal/complaint.ts';
import { missingAddress } from './address.ts';
import { accessGiven, authHeaders, cloudHeaders, hasAuth, joinedHeaders } from './auth.ts';
import { exchange } from './http/exchange.ts';
import { nodeFetch } from './http/http.ts';
import { firstToAbort, orAborted } from './http/signals.ts';
import type { Outgoing, Prepared } from './prepared.ts';
import { redact, secretsIn } from './redact.ts';
import type { RequestAttempt } from '../record/record.ts';
import { recorded } from './recorder.ts';
import type { RequestRetry, Secret, Send, SendOptions } from './send-options.ts';

export type { RequestRetry, Send, SendOptions } from './send-options.ts';

const defaults = { tries: 3, totalMs: 60 * 60_000 };

/** How long nothing may come; for an answer in one piece, before which nothing does, as long as OpenAI's own SDK waits. */
export function idleLimit(isWhole: boolean | undefined): number {
  return (isWhole ? 10 : 5) * 60_000;
}

/** The longest wait between two tries. A provider that asks for more is told to the caller instead. */
const longestWait = 60_000;

/** What `send` does, for those who record it themselves. */
export const sendUnrecorded: Send = async function* (request, options = {}) {
  const clock = options.clock ?? systemClock;
  const { signal, abort, release } = firstToAbort(...(options.signal ? [options.signal] : []));
  const late = clock.after(options.totalMs ?? defaults.totalMs, () => abort(outOfTime));
  const wait = (ms: number): Promise<void> => pause(clock, ms, signal);
  try {
    const once = (waited: number | undefined): AsyncGenerator<ModelEvent, Trouble> =>
      options.onAttempt
        ? tryAndTell(request, options, { clock, signal, waited })
        : tryOnce(request, options, { clock, signal, attempts: [] });
    yield* tryAgain(once, options, { signal, wait });
  } finally {
    late();
    release();
  }
};

/**
 * Sends a request and gives the events of its answer; tries again what may pass. Never throws: trouble is the last event.
 *
 * @example
 * const request = await prepare({ messages }, { model: 'anthropic/claude-sonnet-5' });
 * const message = await collect(send(request));
 */
export const send: Send = recorded(sendUnrecorded, 'send');

type Patience = Pick<SendOptions, 'tries' | 'random' | 'onRetry'>;

/** What ends the waiting between tries, and what waits. */
type Waiting = { signal: AbortSignal; wait: (ms: number) => Promise<void> };

/** Tries again what may pass, as long as nothing was delivered. Each try knows how long was waited before it. */
export async function* tryAgain(
  once: (waited: number | undefined) => AsyncGenerator<ModelEvent, Trouble>,
  options: Patience,
  { signal, wait }: Waiting,
): AsyncGenerator<ModelEvent> {
  let ms: number | undefined;
  for (let attempt = 1; ; attempt++) {
    const trouble = yield* once(ms);
    if (!trouble) return;
    ms = trouble.delivered ? undefined : waitBefore(attempt, trouble.error, options);
    if (ms === undefined) return yield trouble.error;
    tellRetry({ attempt: attempt + 1, of: options.tries ?? defaults.tries, ms, why: trouble.error.message }, options);
    await wait(ms);
    if (signal.aborted) return yield stopped(signal);
  }
}

function tellRetry(retry: RequestRetry, { onRetry }: Pick<SendOptions, 'onRetry'>): void {
  try {
    onRetry?.(retry);
  } catch {
    // a listener must not end an answer
  }
}

const outOfTime = new DOMException('The request took too long.', 'TimeoutError');

type Try = { clock: Clock; signal: AbortSignal };

type Trouble = { error: MessageError; delivered: boolean } | undefined;

/** One try. Before its first exchange was waited, its last came to nothing; those between were redirects. */
async function* tryAndTell(
  request: Prepared,
  options: SendOptions,
  { waited, ...attempt }: Try & { waited: number | undefined },
): AsyncGenerator<ModelEvent, Trouble> {
  const attempts: RequestAttempt[] = [];
  let trouble: Trouble;
  try {
    return (trouble = yield* tryOnce(request, options, { ...attempt, attempts }));
  } finally {
    for (const [at, one] of attempts.entries()) {
      const wait = at === 0 && waited !== undefined && { wait: waited };
      const error = at === attempts.length - 1 && trouble && { error: trouble.error.message };
      try {
        options.onAttempt?.({ ...one, ...wait, ...error });
      } catch {
        // a listener must not end an answer
      }
    }
  }
}

async function* tryOnce(
  request: Prepared,
  options: SendOptions,
  attempt: Try & { attempts: RequestAttempt[] },
): AsyncGenerator<ModelEvent, Trouble> {
  const { signal, clock } = attempt;
  const secrets: string[] = [];
  const told = (error: unknown): MessageError => {
    const known = isRecord(error) && error['type'] === 'message-error' ? judged(error as MessageError) : thrown(error);
    const { message, ...rest } = signal.aborted ? stopped(signal) : known;
    return { ...rest, message: redact(message, secrets) };
  };
  if (signal.aborted) return { error: stopped(signal), delivered: false };
  try {
    const ready = await orAborted(signal, authorised(request, options, secrets));
    if ('type' in ready) return { error: ready, delivered: false };
    const idleMs = options.idleMs ?? idleLimit(request.plan.profile.dialect.unstreamed);
    const fetch = options.fetch ?? nodeFetch;
    return yield* passOn(exchange(request, ready, { ...attempt, fetch, idleMs }), told, clock.now);
  } catch (error) {
    return { error: told(error), delivered: false };
  }
}

/** So much may come before anything of an answer does. */
const mostHeld = 100;

/** Passes an answer on from the first event on that holds something of it: until then it may still be tried again. Before that
 * there is its name, and what only its provider knows, such as what a filter found in the question. */
export async function* passOn(
  events: AsyncIterable<ModelEvent>,
  told: (error: unknown) => MessageError,
  now?: () => number,
): AsyncGenerator<ModelEvent, Trouble> {
  const began = now?.() ?? 0;
  let held: ModelEvent[] = [];
  let firstMs: number | undefined;
  let delivered = false;
  try {
    for await (const event of events) {
      if (event.type === 'message-error') return { error: told(event), delivered };
      const isBefore = event.type === 'message-start' || event.type === 'message-extra';
      if (isBefore && !delivered && held.length < mostHeld) {
        held.push(event);
        continue;
      }
      delivered = true;
      yield* held;
      held = [];
      const totalMs = (now?.() ?? 0) - began;
      firstMs ??= totalMs;
      if (event.type !== 'message-end') yield event;
      else return void (yield now ? { ...event, latency: { firstMs, totalMs } } : event);
    }
  } catch (error) {
    return { error: told(error), delivered };
  }
  const message = 'The answer broke off before its end.';
  return { error: { type: 'message-error', code: 'cut-off', message, retryable: true }, delivered };
}

/** The request with its key, or why there is none. */
export async function authorised(
  request: Prepared,
  options: SendOptions,
  secrets: string[],
): Promise<Outgoing | MessageError> {
  secrets.push(...secretsIn(options.headers));
  const { endpoint } = request.plan.profile;
  const access = await accessGiven(endpoint, options);
  const { token: ownToken, key: ownKey = options.apiKey } = options;
  const given = ownKey !== undefined || ownToken !== undefined;
  const address = request.outgoing(access);
  const variable = missingAddress(endpoint, address.url);
  if (variable !== undefined) return missing(`${endpoint} has no address. Set ${variable}, or give its base URL.`);
  const url = URL.parse(address.url);
  if (!url) return { ...missing(`"${address.url}" is not an address. Check the base URL.`), code: 'not-found' };
  const auth = authHeaders(endpoint, url, access);
  secrets.push(...[access.key, access.token].filter((secret) => secret !== undefined));
  const sent = { ...address, headers: joinedHeaders(address.headers, auth, options.headers) };
  const { keyless } = endpoints[endpoint as EndpointName];
  if (keyless || Object.keys(auth).length > 0 || hasAuth(options.headers)) return sent;
  try {
    const headers = given ? undefined : await cloudHeaders(endpoint, sent, options, secrets);
    return headers ? { ...sent, headers } : missingKey(endpoint, ownKey, url);
  } catch (error) {
    if (error instanceof SightlineError) return missing(error.message);
    throw error;
  }
}

/** Why a model cannot be asked for want of a key: an empty one was named, and is not set. */
export function missingKey(endpoint: string, ownKey: Secret | undefined, url: URL): MessageError {
  return missing(ownKey === '' ? kept(url) : noKey(endpoint));
}

function noKey(endpoint: string): string {
  const [first, ...more] = keyVariables(endpoint);
  if (endpoints[endpoint as EndpointName].signing) more.push('AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY');
  const others = more.length > 0 ? ` (or ${more.join(', ')})` : '';
  const elsewhere = 'or name another variable as api_key_env under [models.NAME] in config.toml';
  return `There is no key for ${endpoint}. Set ${first}${others}, ${elsewhere}. In code, give it as "key".`;
}

function kept({ host }: URL): string {
  const next =
    'Set that variable, or name the model with its base_url in config.toml of your home; in code, give a key.';
  return `No key is sent to ${host}: a project names it, or the variable of its api_key_env is not set. ${next}`;
}

function missing(message: string): MessageError {
  return { type: 'message-error', code: 'auth', message: redact(message), retryable: false };
}

/** How long to wait before the next try; undefined when there is none. */
function waitBefore(attempt: number, error: MessageError, options: Patience): number | undefined {
  if (!error.retryable || attempt >= (options.tries ?? defaults.tries)) return undefined;
  const random = options.random ?? Math.random;
  if (error.retryAfter !== undefined) {
    return error.retryAfter <= longestWait ? error.retryAfter + random() * 250 : undefined;
  }
  return Math.min(500 * 2 ** (attempt - 1), 8000) * (0.75 + random() / 2);
}

/** Whoever asked has cancelled, or the time is over. */
function stopped(signal: AbortSignal): MessageError {
  return signal.reason === outOfTime
    ? { type: 'message-error', code: 'timed-out', message: outOfTime.message, retryable: true }
    : { type: 'message-error', code: 'aborted', message: 'The request was cancelled.', retryable: false };
}

/** What broke on the way: the network, or the storage that the body comes from. */
function thrown(error: unknown): MessageError {
  const { code, words } = brokenWay(error);
  const lasting = /^(?:storage|config|ENOTFOUND)$|CERT|SELF_SIGNED|TLS|^UNABLE_TO_VERIFY/.test(code);
  return { type: 'message-error', code: 'network', message: `No answer: ${words}`, retryable: !lasting };
}

/** Why a way to a server broke, in words that end with what to do about it where that is known. */
export function brokenWay(error: unknown): { code: string; words: string } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const words = String(message ?? cause) || String(code);
  const [, next] = wayOut.find(([codes]) => codes.test(String(code))) ?? [];
  return { code: String(code), words: next === undefined ? words : `${words}. ${next}` };
}

/** What to do about a way that is closed. */
const wayOut: readonly [codes: RegExp, next: string][] = [
  [/^ECONNREFUSED$/, 'Nobody listens there: start the server, or give its address (baseUrl, in config.toml base_url).'],
  [
    /^(?:ENOTFOUND|EAI_AGAIN)$/,
    'Nobody here knows that host: check that this machine is online, the proxy (HTTPS_PROXY) if it needs one, and the address.',
  ],
  [
    /CERT|SELF_SIGNED|^UNABLE_TO_VERIFY/,
    'Its certificate is not trusted here: if a proxy of yours signs, name its certificate in NODE_EXTRA_CA_CERTS.',
  ],
];
