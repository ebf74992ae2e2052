// What a vendor serves beside answers and only it can: files, batches, kept answers, embeddings. Their bytes go through as
// they are, where a model of the same dialect answers here.
import type { IncomingMessage } from 'node:http';
import { baseOf, missingAddress } from '../model/address.ts';
import { authHeaders, joinedHeaders } from '../model/auth.ts';
import { largeBodyWords } from '../model/guard.ts';
import { nodeFetch } from '../model/http/http.ts';
import { secretsIn } from '../model/redact.ts';
import { missingKey } from '../model/send.ts';
import type { MessageError } from '../message/error.ts';
import type { WireName } from '../window/profile.ts';
import { wireMeantBy, wires } from '../wire/registry.ts';
import type { Inquiry } from '../wire/served.ts';
import { withOwnKey } from './answer-ask.ts';
import type { AskVisit } from './answer-ask.ts';
import { randomLetters } from './convert.ts';
import { errorAnswer, invalid, ofProvider, tooOften } from './errors.ts';
import { bringsKey, mayUse } from './keys.ts';
import { namesOf } from './lists.ts';
import { keptHeaders, passRefusal, passedHeaders, refusalIn, unreached } from './relay.ts';
import type { AnswerTarget } from './settings.ts';
import { accessTo, hasKey, keyNamed, targetsFor } from './targets.ts';

/** Such a thing in one dialect: where it is, from where a vendor's API begins. */
type BesidePlace = { wire: WireName; address: (base: string) => string };

type BesideVisit = AskVisit & { incoming: IncomingMessage; url: URL; headers: Inquiry['headers'] };

/** The dialects in which an address leads to something of the vendor's own; none for most. */
export function besidePlaces(asked: Inquiry): BesidePlace[] {
  const places = Object.values(wires).flatMap(({ name, served }): BesidePlace[] => {
    const address = served.beside?.(asked);
    return address ? [{ wire: name, address }] : [];
  });
  const meant = wireMeantBy(asked);
  const own = places.filter(({ wire }) => wire === meant);
  return own.length > 0 ? own : places;
}

/** Asks the vendor and hands on its answer, and tells about it. */
export async function passBeside(places: readonly BesidePlace[], visit: BesideVisit): Promise<void> {
  const { house, tenant, reply, url } = visit;
  const heard: Heard = { bytes: 0 };
  const [first] = places;
  if (!first) return;
  const began = house.clock.now();
  const found = vendorFor(places, visit);
  const leave = 'type' in found ? undefined : await house.pace.enter(tenant);
  const error =
    'type' in found
      ? found
      : typeof leave === 'number'
        ? tooOften(tenant.name, leave)
        : await passTo(found, visit, heard).finally(leave);
  const { wire } = 'type' in found ? first : found.place;
  if (error && !reply.begun && !reply.gone.aborted) {
    const { status, body, headers } = errorAnswer(error, wire);
    reply.json(status, body, { ...headers, connection: 'close' });
  }
  house.report.tell({
    time: new Date(house.clock.now()).toISOString(),
    id: `req_${randomLetters()}`,
    ...(tenant.name !== '' && { key: tenant.name }),
    wire,
    route: url.pathname,
    ...(!('type' in found) && { target: found.target.profile.endpoint, way: 'relay' as const }),
    status: reply.gone.aborted ? 499 : reply.status,
    bytes: heard.bytes,
    totalMs: house.clock.now() - began,
    receipts: {},
    ...(error && { error: error.code }),
  });
}

/** How much of a body has come. */
type Heard = { bytes: number };

type VendorFound = { place: BesidePlace; target: AnswerTarget };

/** Whoever is asked first of those who speak the dialect and whose key is there. What one account holds is no single key's. */
function vendorFor(places: readonly BesidePlace[], { settings, tenant, url }: BesideVisit): VendorFound | MessageError {
  const names = [settings.default ?? [], ...namesOf(settings)].flat().filter((name) => mayUse(tenant, name));
  const targets = names.flatMap((name) => {
    const found = targetsFor(name, undefined, settings);
    return found.ok ? found.value : [];
  });
  const found = places.flatMap((place) =>
    targets
      .filter(({ choice, profile }) => profile.wire === place.wire && !choice.profile?.dialect)
      .map((target) => ({ place, target })),
  );
  const advice = url.pathname.includes('/files') ? 'Send the bytes inside the request.' : 'Ask the vendor itself.';
  const [first] = found;
  const none = invalid(`No model here speaks the dialect of ${url.pathname}. ${advice}`, 404);
  if (!first) return none;
  if (tenant.key && !bringsKey(tenant)) {
    const why = `The keys of this gateway share one account at ${first.target.profile.endpoint}, and ${url.pathname} there is nobody's own`;
    return invalid(`${why}. ${advice}`, 403);
  }
  const all = found.map(({ place, target }): VendorFound | MessageError => {
    const asked = withOwnKey(target, true, tenant);
    return 'type' in asked ? asked : { place, target: asked };
  });
  const able = all.filter((one) => 'target' in one);
  return able.find(({ target }) => canAsk(target)) ?? able[0] ?? all[0] ?? none;
}

/** Whether its key is there; a server at an address of one's own may want none. */
function canAsk(target: AnswerTarget): boolean {
  return hasKey(target) || (target.choice.baseUrl !== undefined && keyNamed(target) === undefined);
}

/** Sends it, and hands on what comes; what went wrong comes back. */
async function passTo(
  { place, target }: VendorFound,
  visit: BesideVisit,
  heard: Heard,
): Promise<MessageError | undefined> {
  const { incoming, headers, reply, settings, tenant } = visit;
  const maxBytes = settings.bodyMib * 1024 * 1024;
  const { profile, choice } = target;
  const access = await accessTo(target);
  const base = baseOf(profile.endpoint, access);
  if (missingAddress(profile.endpoint, base) !== undefined || !URL.canParse(base))
    return ofProvider(unreached(`${profile.endpoint} has no address here.`, reply.gone));
  const address = new URL(place.address(base));
  if (!canAsk(target)) return ofProvider(missingKey(profile.endpoint, keyNamed(target), address));
  address.searchParams.delete('key');
  const { 'content-length': length, 'content-encoding': packed } = headers;
  const { method = 'GET' } = incoming;
  const ours = joinedHeaders(authHeaders(profile.endpoint, address, access), choice.headers);
  const hasBody = method === 'POST'; // what others bring is left out, and so is what would announce it
  const about = {
    ...(hasBody && length !== undefined && { 'content-length': length }),
    ...(hasBody && packed !== undefined && { 'content-encoding': packed }),
  };
  const sent = joinedHeaders(wires[place.wire].route.headers?.(), keptHeaders(headers), about, ours);
  try {
    const response = await nodeFetch(address.href, {
      method,
      headers: sent,
      ...(hasBody && { body: bounded(incoming, maxBytes, heard) }),
      signal: reply.stop,
      redirect: 'manual',
      duplex: 'half',
    });
    if (!response.ok) {
      const refusal = await refusalIn(response, secretsIn(ours), bringsKey(tenant));
      if (!refusal.isOurs) await passRefusal(refusal, reply);
      return refusal.error;
    }
    const here = `http://${headers['host']}`;
    reply.begin(response.status, pointedHere(passedHeaders(response.headers), address.origin, here));
    for await (const chunk of response.body ?? []) await reply.write(chunk);
    reply.end();
    return undefined;
  } catch (error) {
    if (reply.begun) reply.breakOff();
    if (heard.bytes > maxBytes) return invalid(largeBodyWords(maxBytes), 413);
    return ofProvider(unreached(error, reply.gone));
  }
}

/** The body as it comes, no more of it than may be; what is not wanted any more is let go. */
async function* bounded(incoming: IncomingMessage, maxBytes: number, heard: Heard): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      heard.bytes += chunk.length;
      if (heard.bytes > maxBytes) throw new Error('The body is too large.');
      yield chunk;
    }
  } finally {
    incoming.resume(); // some clients listen only when they have sent all
  }
}

/** A vendor may say where the rest shall go: that is here, too, for only here is its key known. */
function pointedHere(headers: Record<string, string>, origin: string, here: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.startsWith(`${origin}/`) ? here + value.slice(origin.length) : value,
    ]),
  );
}
