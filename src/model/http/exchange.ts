// One exchange with a provider: the request out, its answer in as events. Redirects within the same origin are followed
// with a new stream of the same body; one to another host is an error that names it, because the request carries a key
// and a conversation. Nothing may be silent for longer than the idle limit.
import type { MessageError } from '../../message/error.ts';
import type { ModelEvent } from '../../message/event.ts';
import { streamedChunks } from '../../wire/body.ts';
import { decodeEvents, readChunks } from '../../wire/decode.ts';
import type { Clock } from './clock.ts';
import { complaintOf } from '../heal/complaint.ts';
import type { Outgoing, Prepared } from '../prepared.ts';
import type { Fetch, HttpAnswer } from './http.ts';
import { nodeAsk, nodeFetch } from './http.ts';
import { silentFor, watchIdle } from './idle.ts';
import type { Idle } from './idle.ts';
import { redact, redactUrl } from '../redact.ts';
import type { RequestAttempt } from '../../record/record.ts';

type ExchangeOptions = {
  fetch: Fetch;
  clock: Clock;
  signal: AbortSignal;
  idleMs: number;
  /** Each time that it goes out is put here. */
  attempts: RequestAttempt[];
};

const maxRedirects = 5;
const maxErrorBytes = 64 * 1024;

/** The events of one try. May throw what the network throws. */
export async function* exchange(
  request: Prepared,
  outgoing: Outgoing,
  options: ExchangeOptions,
): AsyncGenerator<ModelEvent> {
  const idle = watchIdle(options);
  let over = false; // a line that is left in the middle of an answer is closed
  try {
    const response = await follow(outgoing, options, idle);
    over = 'type' in response;
    if ('type' in response) return yield response;
    if (!response.ok) {
      const error = await complaint(response, options, idle);
      over = true;
      return yield error;
    }
    if (/^text\/html/i.test(response.headers.get('content-type') ?? '')) return yield webPage(outgoing.url);
    const { endpoint, id } = request.plan.profile;
    const { headers, body } = response;
    const answer = { ok: true, status: 200, headers, body: body && idle.observe(body) };
    for await (const event of decodeEvents(request.wire, { endpoint, model: id }, answer)) {
      over = event.type === 'message-end';
      yield event.type === 'message-error' && idle.over() ? silence(options) : event;
    }
  } catch (error) {
    if (!idle.over()) throw error;
    yield silence(options);
  } finally {
    idle.end(over);
  }
}

function silence({ idleMs }: ExchangeOptions): MessageError {
  return { type: 'message-error', code: 'timed-out', message: silentFor(idleMs), retryable: true };
}

async function follow(outgoing: Outgoing, options: ExchangeOptions, idle: Idle): Promise<HttpAnswer | MessageError> {
  const { fetch } = options;
  let { url } = outgoing;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const length = outgoing.contentLength;
    const headers = { 'user-agent': 'sightline', ...outgoing.headers, 'content-length': String(length) };
    const rest = { method: 'POST', headers, signal: idle.signal, redirect: 'manual', duplex: 'half' } as const;
    const response = await timed(options, () =>
      fetch === nodeFetch
        ? nodeAsk(url, { ...rest, body: () => idle.observe(outgoing.chunks({ reuse: true })) }) // one chunk is sent before the next
        : fetch(url, { ...rest, body: streamedChunks(idle.observe(outgoing.chunks())) }).then(answerOf),
    );
    idle.alive();
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, url);
    if (!next || next.origin !== new URL(url).origin) return elsewhere(url, next?.host ?? location);
    url = next.href;
  }
  return elsewhere(outgoing.url, 'itself, again and again');
}

/** What somebody's own `fetch` gives. */
function answerOf({ status, ok, headers, body }: Response): HttpAnswer {
  const chunks = body && { [Symbol.asyncIterator]: () => readChunks(body), cancel: () => body.cancel() };
  return { status, ok, headers, body: chunks };
}

async function timed({ clock, attempts }: ExchangeOptions, go: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const began = clock.now();
  let response: HttpAnswer | undefined;
  try {
    return (response = await go());
  } finally {
    const requestId = response?.headers.get('request-id') ?? response?.headers.get('x-request-id');
    attempts.push({
      ms: clock.now() - began,
      ...(response && { status: response.status }),
      ...(requestId && { requestId: redact(requestId) }),
    });
  }
}

function elsewhere(url: string, where: string): MessageError {
  const message = `${new URL(url).host} redirects to ${where}. If that is where the model is, use it as the base URL.`;
  return { type: 'message-error', code: 'redirected', message, retryable: false };
}

function webPage(url: string): MessageError {
  const message = `${redactUrl(url)} answered with a web page. Check the base URL; most end with /v1.`;
  return { type: 'message-error', code: 'malformed', message, retryable: false };
}

async function complaint(
  { status, headers, body }: HttpAnswer,
  { clock }: ExchangeOptions,
  idle: Idle,
): Promise<MessageError> {
  const text = body ? await start(idle.observe(body)) : '';
  return complaintOf(status, text, headers, clock.now());
}

/** The beginning of a body; what breaks off on the way still tells what came before. */
async function start(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= maxErrorBytes) break;
    }
  } catch {
    // the status alone still says enough
  }
  return text;
}
