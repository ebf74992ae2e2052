// A request for a model that speaks the client's own dialect: the client's bytes but for what must change, and the
// provider's answer as it comes.
import { plainField } from '../fetch/body-outline.ts';
import { fetchOver } from '../fetch/fetch.ts';
import type { RepairingFetch } from '../fetch/fetch.ts';
import { boundedMap } from '../fetch/memory.ts';
import { wholeWorkshop } from '../fetch/whole-workshop.ts';
import { collector } from '../message/collect.ts';
import type { MessageError } from '../message/error.ts';
import { addressOf, missingAddress } from '../model/address.ts';
import { authHeaders, joinedHeaders } from '../model/auth.ts';
import { complaintOf } from '../model/heal/complaint.ts';
import type { Clock } from '../model/http/clock.ts';
import { nodeFetch } from '../model/http/http.ts';
import { silentFor, watchIdle } from '../model/http/idle.ts';
import type { Idle } from '../model/http/idle.ts';
import type { DescriptionTable } from '../model/descriptions.ts';
import { eyesName } from '../model/eyes.ts';
import type { Eyes } from '../model/prepared.ts';
import type { Spent } from '../tool/tool.ts';
import { redact, secretsIn } from '../model/redact.ts';
import { brokenWay, idleLimit } from '../model/send.ts';
import { markHead } from '../wire/emitter.ts';
import { wires } from '../wire/registry.ts';
import { decodeEvents } from '../wire/decode.ts';
import { endpoints } from '../window/catalog.ts';
import type { EndpointName, WireName } from '../window/catalog.ts';
import type { Receipt } from '../window/receipt.ts';
import { sightPolicy } from '../window/sight-policy.ts';
import type { AssetStore } from '../asset/store.ts';
import type { ClientAsk } from './ask.ts';
import { wayHeaders } from './convert.ts';
import type { ConvertRules } from './convert.ts';
import { clientGone, ofProvider } from './errors.ts';
import type { CrowdTurns } from './fair-turns.ts';
import type { Outcome } from './outcome.ts';
import type { ClientReply } from './reply.ts';
import type { AnswerTarget } from './settings.ts';
import { accessTo, hasKey, isInAddress, keyNamed } from './targets.ts';

/** The fetches that repair media under way, one for each model: what it has seen before costs almost nothing. */
export type Relays = { for: (target: AnswerTarget, eyes: Eyes | undefined) => RepairingFetch };

/** Clients may name any model of a vendor. */
const mostRelays = 100;

export function openRelays(assets: AssetStore, descriptions: DescriptionTable | undefined): Relays {
  const known = boundedMap<RepairingFetch>(mostRelays);
  return {
    for({ choice, profile }, eyes) {
      const sight = sightPolicy(choice);
      const key = `${profile.model} ${profile.stated} ${eyes ? eyesName(eyes) : ''} ${Object.values(sight).join(' ')}`;
      const made =
        known.get(key) ??
        fetchOver(wholeWorkshop, {
          model: profile.model,
          ...(choice.profile && { profile: choice.profile }),
          ...sight,
          ...(eyes && { eyes }),
          ...(descriptions && { descriptions }),
          assets,
        });
      known.set(key, made);
      return made;
    },
  };
}

/** The way to a provider, which is given up when nothing comes over it for too long. */
type Line = {
  /** Sends a body with its strings in place of their marks, chunk by chunk. */
  fetch: typeof fetch;
  /** When the first request went out. */
  readonly sentAt: number | undefined;
  alive: () => void;
  /** What there is to say where it fell silent. */
  silence: () => MessageError | undefined;
  /** Closes it, unless all that was to come has come. */
  end: () => void;
};

/** Of a longer one each piece that has left is a sign of life; a shorter one leaves as a whole. */
const longBody = 1024 * 1024;

function openLine({ strings, streamed }: ClientAsk, clock: Clock, stop: AbortSignal): Line {
  const idleMs = idleLimit(!streamed);
  let idle: Idle | undefined;
  let sentAt: number | undefined;
  return {
    get sentAt() {
      return sentAt;
    },
    async fetch(input, init) {
      sentAt ??= clock.now();
      idle?.end(true); // its answer was read
      const { signal, alive, observe } = (idle = watchIdle({ clock, idleMs, signal: init?.signal ?? stop }));
      const text = typeof init?.body === 'string' ? init.body : '';
      const length = Buffer.byteLength(text) - text.length + strings.lengthOf(text);
      const response = await nodeFetch(input instanceof Request ? input.url : input.toString(), {
        method: 'POST',
        headers: { ...(init?.headers as Record<string, string>), 'content-length': String(length) },
        body: () => (length > longBody ? observe(strings.chunks(text)) : strings.chunks(text)),
        signal,
        redirect: 'manual',
        duplex: 'half',
      });
      alive();
      return response;
    },
    alive: () => idle?.alive(),
    silence: () => (idle?.over() ? trouble(silentFor(idleMs), 'timed-out') : undefined),
    end: () => idle?.end(false),
  };
}

/** Whether a target takes the client's own bytes, and learns from them or from its address which model is meant. */
export function canRelay({ wire, body, behind }: ClientAsk, target: AnswerTarget): boolean {
  const { choice, profile } = target;
  const { versionInBody } = endpoints[profile.endpoint as EndpointName];
  if (profile.wire !== wire || choice.profile?.dialect !== undefined || versionInBody !== undefined) return false;
  return behind !== undefined || wires[wire].places.model in body || isInAddress(target);
}

/** Whether who asks it is known without the account of a cloud, which is asked for a token or signs what is written anew; and no
 * key was named that is not there. */
export function needsNoAccount(target: AnswerTarget): boolean {
  const { signing, tokens } = endpoints[target.profile.endpoint as EndpointName];
  return hasKey(target) || (keyNamed(target) === undefined && signing === undefined && tokens === undefined);
}

type RelayRules = Pick<ConvertRules, 'before' | 'recorderOf' | 'eyes' | 'ownKey'> & {
  turns: CrowdTurns;
  relays: Relays;
  clock: Clock;
  last: boolean;
};

/** Answers by relaying. What a provider refuses is given back when another model may do better. */
export async function relay(
  ask: ClientAsk,
  target: AnswerTarget,
  reply: ClientReply,
  rules: RelayRules,
): Promise<Outcome> {
  const line = openLine(ask, rules.clock, reply.stop);
  try {
    return await relayOver(line, ask, target, reply, rules);
  } finally {
    line.end();
  }
}

async function relayOver(
  line: Line,
  ask: ClientAsk,
  target: AnswerTarget,
  reply: ClientReply,
  { relays, last, before, recorderOf, eyes, turns, ownKey }: RelayRules,
): Promise<Outcome> {
  const own: Receipt[] = [...before];
  const ready = await outgoing(ask, target, own);
  const receipts: Receipt[] = [...own];
  const looked: Spent[] = [];
  if ('type' in ready) return { error: ready };
  let healed = 0;
  const about = (): Outcome => {
    const { sentAt } = line;
    return { receipts, looked, healed, ...(sentAt !== undefined && { sentAt }) };
  };
  let response: Response;
  try {
    const send = relays.for(target, eyes);
    const init = { method: 'POST', headers: ready.headers, body: ready.text, signal: reply.stop };
    const onReceipts = (more: readonly Receipt[]): void => {
      if (more[0]?.action === 'unseen') return void receipts.push(...more);
      if (more[0]?.subject === 'quarantine') healed++;
      receipts.splice(0, Infinity, ...own, ...more);
    };
    const how = {
      onReceipts,
      fetch: line.fetch,
      marks: ask.strings,
      onSpent: (one: Spent) => void looked.push(one),
      ...recorderOf(() => own),
    };
    response = await send(ready.url, init, how);
    const shorter = response.ok ? undefined : await withLess(response, ready.text, ask.wire);
    if (shorter !== undefined) {
      await response.body?.cancel();
      own.push({ action: 'ignored', subject: 'maxTokens', why: 'the provider gives no answer as long as that' });
      receipts.push(...own.slice(-1));
      healed++;
      response = await send(ready.url, { ...init, body: shorter }, how);
    }
  } catch (error) {
    return { ...about(), error: ofProvider(line.silence() ?? unreached(error, reply.gone)) };
  }
  if (!response.ok) {
    const refusal = await refusalIn(response, ready.secrets, ownKey);
    const { error, isOurs } = refusal;
    const noneMay = last || (ownKey && error.status === 401);
    if (isOurs || !noneMay || reply.begun) return { ...about(), error };
    await passRefusal(refusal, reply, wayHeaders(ask, target, 'relay', receipts));
    return { ...about(), error, delivered: true };
  }
  const { 'content-length': length, ...passed } = passedHeaders(response.headers);
  const counted = length !== undefined && !ask.streamed && { 'content-length': length }; // a stream may end with a word of ours
  reply.begin(response.status, { ...passed, ...counted, ...wayHeaders(ask, target, 'relay', receipts) });
  return { ...about(), delivered: true, ...(await pass(response, ask, target, reply, { ...turns, line })) };
}

/** A provider's refusal, without our keys. `isOurs`: it refuses our key, or points elsewhere; that is no word to the client. */
type Refused = { words: string; response: Response; error: MessageError; isOurs: boolean };

export async function refusalIn(response: Response, secrets: readonly string[], ownKey: boolean): Promise<Refused> {
  const words = keysCutOut(await response.text().catch(() => ''), secrets);
  const { status, headers } = response;
  const error = ofProvider(complaintOf(status, words, headers), ownKey);
  return { words, response, error, isOurs: (status === 401 && !ownKey) || status < 400 };
}

export async function passRefusal(
  { words, response: { status, headers } }: Refused,
  reply: ClientReply,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { 'content-length': _length, ...passed } = passedHeaders(headers); // a key may have been cut out
  reply.begin(status, { ...passed, ...more });
  await reply.write(words);
  reply.end();
}

/** The same request for an answer no longer than its provider says it gives; undefined where it complains of other things. */
async function withLess(refused: Response, text: string, wire: WireName): Promise<string | undefined> {
  if (refused.status !== 400 && refused.status !== 422) return undefined;
  const words = await refused.clone().text();
  const { mostOutput } = complaintOf(refused.status, words, refused.headers);
  if (mostOutput === undefined) return undefined;
  const places = wires[wire].places.maxTokens.map((name) => plainField(text, name));
  const place = places.find((found) => found && Number(text.slice(...found)) > mostOutput);
  return place && `${text.slice(0, place[0])}${mostOutput}${text.slice(place[1])}`;
}

/** Hands the answer on as it comes, and reads along what it cost. */
async function pass(
  response: Response,
  ask: ClientAsk,
  { profile }: AnswerTarget,
  reply: ClientReply,
  { speaks, line }: CrowdTurns & { line: Line },
): Promise<Outcome> {
  const chunks = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  let over = response.body === null;
  let last: Uint8Array = new Uint8Array(0);
  const passing: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const next = await chunks.read();
        line.alive();
        over = next.done;
        if (next.done) return { done: true, value: undefined };
        last = next.value;
        await speaks();
        await reply.write(next.value);
        return { done: false, value: next.value };
      },
    }),
  };
  const heard = collector();
  const author = { endpoint: profile.endpoint, model: profile.id };
  let broken: MessageError | undefined;
  try {
    for await (const event of decodeEvents(ask.wire, author, passing)) {
      heard.push(event);
      if (ask.streamed && event.type === 'message-error' && event.code === 'cut-off') broken = ofProvider(event);
    }
    for (let next = over ? undefined : await chunks.read(); next && !next.done; next = await chunks.read()) {
      line.alive();
      await reply.write(next.value);
    }
    if (!broken) reply.end();
  } catch (error) {
    await chunks.cancel().catch(() => undefined);
    broken = ofProvider(line.silence() ?? unreached(error, reply.gone, ''));
  }
  if (broken && !reply.gone.aborted) await tellBroken(broken, ask, reply, last);
  return { message: heard.message(), ...(broken && { error: broken }) };
}

/** Between two events of a stream one more can say what went wrong; anything else is broken off, as it was for us. */
async function tellBroken(error: MessageError, ask: ClientAsk, reply: ClientReply, last: Uint8Array): Promise<void> {
  const { framing, emit } = wires[ask.wire];
  const gap = framing.contentType === 'text/event-stream' ? /(?:^|\r?\n\r?\n)$/ : /(?:^|\n)$/;
  if (
    !ask.streamed ||
    framing.split ||
    wires[ask.wire].served.listed?.(ask.url) ||
    !gap.test(Buffer.from(last.slice(-4)).toString())
  )
    return reply.breakOff();
  for (const frame of emit({ model: ask.name }).push(error)) await reply.write(frame);
  reply.end();
}

/** Some providers quote the key that they refuse: it is ours, and no business of the client. */
function keysCutOut(words: string, secrets: readonly string[]): string {
  return secrets.reduce((kept, secret) => (secret.length < 4 ? kept : kept.replaceAll(secret, '[key]')), words);
}

type Ready = { url: string; headers: Record<string, string>; text: string; secrets: string[] };

/** The client's request as it goes out: the provider's address and key, and the name that the model has there. */
async function outgoing(ask: ClientAsk, target: AnswerTarget, receipts: Receipt[]): Promise<Ready | MessageError> {
  const { choice, profile } = target;
  const access = await accessTo(target);
  const address = addressOf({ profile, options: {} }, access, ask.streamed);
  if (missingAddress(profile.endpoint, address.url) !== undefined || !URL.canParse(address.url))
    return trouble(`${profile.endpoint} has no address here.`);
  const url = new URL(address.url);
  url.pathname += ask.behind ?? '';
  if (!ask.url.searchParams.has('alt')) url.searchParams.delete('alt');
  for (const [name, value] of ask.url.searchParams) if (name !== 'key') url.searchParams.set(name, value);
  const ours = joinedHeaders(authHeaders(profile.endpoint, url, access), choice.headers);
  const headers = joinedHeaders(address.headers, keptHeaders(ask.headers), ours);
  return { url: url.href, headers, text: withModel(ask, profile.id, receipts), secrets: secretsIn(ours) };
}

/** The text of the body, with the name that the model has at its provider and without marks of ours. */
function withModel({ text, body, wire }: ClientAsk, id: string, receipts: Receipt[]): string {
  const { model: field } = wires[wire].places;
  const clean = text.includes(markHead) ? wires[wire].served.unmarked?.(body) : undefined;
  if (clean) {
    const why = 'thinking of another model, which its provider would refuse';
    receipts.push({ action: 'left-out', subject: 'thinking', why });
    return JSON.stringify(field in clean ? { ...clean, [field]: id } : clean);
  }
  if (!(field in body)) return text;
  const place = plainField(text, field);
  if (!place) return JSON.stringify({ ...body, [field]: id }); // another reader may find another name in it than we did
  return body[field] === id || wires[wire].route.modelInAddress
    ? text
    : text.slice(0, place[0]) + JSON.stringify(id) + text.slice(place[1]);
}

/** What belongs to this connection, or shows who the client is to us. */
const own = new Set([
  'host', 'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'content-length', 'content-encoding', 'accept-encoding', 'expect', 'origin', 'referer', 'cookie',
  'authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto',
]); // prettier-ignore

/** What a client's request says beside its connection and its key. */
export function keptHeaders(headers: ClientAsk['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name)));
}

const theirs = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-encoding',
  'trailer',
  'upgrade',
  'set-cookie',
]);

/** What a provider's answer says beside its connection. */
export function passedHeaders(headers: Headers): Record<string, string> {
  const packed = headers.has('content-encoding'); // what is handed on is unpacked, so its length is another
  return Object.fromEntries(
    [...headers].filter(([name]) => !theirs.has(name) && !(packed && name === 'content-length')),
  );
}

/** Why no answer came. */
export function unreached(error: unknown, gone: AbortSignal, head = 'No answer: '): MessageError {
  if (gone.aborted) return clientGone;
  return trouble(`${head}${redact(brokenWay(error).words)}`);
}

function trouble(message: string, code: 'network' | 'timed-out' = 'network'): MessageError {
  return { type: 'message-error', code, message, retryable: true };
}
