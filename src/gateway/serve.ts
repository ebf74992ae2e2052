// One request: let in, told apart by its address, answered in its own dialect, whatever happens on the way.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { grouped } from '../content/figures.ts';
import { isRecord, parsed } from '../content/json.ts';
import { cutText } from '../content/text.ts';
import type { MessageError } from '../message/error.ts';
import { admit } from '../model/guard.ts';
import { inServerSpan } from '../model/telemetry.ts';
import { matchRoute, wireMeantBy, wires } from '../wire/registry.ts';
import type { Matched } from '../wire/registry.ts';
import type { Inquiry } from '../wire/served.ts';
import { endpoints } from '../window/catalog.ts';
import type { WireName } from '../window/profile.ts';
import { answerAsk } from './answer-ask.ts';
import type { ClientAsk } from './ask.ts';
import { besidePlaces, passBeside } from './beside.ts';
import { readBody } from './body.ts';
import type { ReadBody } from './body.ts';
import { randomLetters } from './convert.ts';
import { errorAnswer, invalid, ofGateway } from './errors.ts';
import type { House } from './house.ts';
import { keylessWords, mayUse, tenantOf } from './keys.ts';
import type { Tenant } from './keys.ts';
import { sideAnswer } from './lists.ts';
import { openReply } from './reply.ts';
import type { ClientReply } from './reply.ts';
import type { GatewaySettings } from './settings.ts';
import { stringsOf } from './strings.ts';
import type { KnownStrings } from './strings.ts';

const MiB = 1024 * 1024;

/** Answers one request. Never rejects. */
export async function serveRequest(incoming: IncomingMessage, outgoing: ServerResponse, house: House): Promise<void> {
  await house.turns.comes();
  if (outgoing.destroyed) return; // it did not wait
  const reply = openReply(outgoing, house.clock, house.stopping);
  const settings = house.settings();
  const visit = { incoming, reply, settings, house, began: house.clock.now() };
  const { host, origins, bodyMib } = settings;
  const rules = { host, origins, maxBytes: bodyMib * MiB, methods: ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'] };
  try {
    const admission = admit(incoming, rules);
    if (!admission.ok) {
      const more = { ...close, ...admission.headers };
      return turnAway(visit, invalid(admission.message, admission.status), { wire: wireOf(incoming), more });
    }
    if (incoming.headers.origin !== undefined) reply.more(crossOrigin(incoming.headers.origin));
    if (house.closing()) reply.more({ connection: 'close' });
    if (incoming.method === 'OPTIONS') return void outgoing.writeHead(204, crossOrigin(incoming.headers.origin)).end();
    await answerAt({ ...visit, url: admission.url });
  } catch (error) {
    if (outgoing.headersSent) return void outgoing.destroy(); // the client has gone, or what it was told is cut short
    turnAway(visit, ofGateway(error), { wire: wireOf(incoming), more: close });
  }
}

type Arrival = {
  incoming: IncomingMessage;
  reply: ClientReply;
  settings: GatewaySettings;
  house: House;
  /** When it came, as the clock has it. */
  began: number;
};
type Visit = Arrival & { url: URL };

async function answerAt(visit: Visit): Promise<void> {
  const { incoming, url, reply, settings, house } = visit;
  const { method = 'GET' } = incoming;
  if (method !== 'POST' && (await isOpenRoute(url, reply, house))) return;
  const headers = plainHeaders(incoming.headers);
  const route = method === 'POST' ? routeAt(url) : undefined;
  const tenant = tenantOf(headers, url, settings);
  const { wire = wireMeantBy({ url, headers }) } = route ?? {};
  if (!tenant) return turnAway(visit, invalid(keylessWords(headers, url), 401), { wire, more: close });
  if (method === 'GET' && url.pathname === '/metrics') return reply.text(metricsOf(house));
  if (headers['upgrade']?.toLowerCase() === 'websocket') {
    const error = invalid('WebSocket is not spoken here. Send the same as POST.', 426);
    const more = { ...close, upgrade: 'HTTP/1.1' };
    return turnAway(visit, error, { wire: routeAt(url)?.wire ?? wire, more, tenant });
  }
  const places = route ? [] : besidePlaces({ method, url, headers });
  if (places.length > 0) return passBeside(places, { incoming, url, headers, tenant, reply, settings, house });
  const known = house.roomOf(tenant.name).known;
  const read = method === 'POST' ? await readIn(visit, known) : { text: '{}', strings: stringsOf([], known), bytes: 0 };
  if ('status' in read) return turnAway(visit, invalid(read.message, read.status), { wire, more: close, tenant });
  await house.turns.begins();
  const value = parsed(read.text);
  const body = isRecord(value) ? value : undefined;
  const inquiry: Inquiry = { method, url, headers, ...(body && { body }) };
  const side = route ? undefined : sideAnswer(inquiry, settings, (name) => mayUse(tenant, name));
  if (side) return reply.json(side.status, side.body);
  if (!route) return nothingThere(visit, method, { wire, tenant });
  if (!body) return turnAway(visit, invalid(noObject(read)), { wire, tenant });
  const asked = body[wires[route.wire].places.model];
  const name = cutText(route.model ?? (typeof asked === 'string' ? asked : ''), longestName);
  const streamed = route.streamed ?? wires[route.wire].asksForStream(body);
  const { behind } = route;
  const ask: ClientAsk = {
    id: `req_${randomLetters()}`,
    wire: route.wire,
    url,
    headers,
    ...read,
    body,
    name,
    streamed,
    behind,
  };
  const answering = (): Promise<void> => answerAsk(ask, route.counts === true, { tenant, reply, settings, house });
  await inServerSpan({ method, path: url.pathname, headers }, answering, () => reply.status);
}

const close = { connection: 'close' };

/** No model has a longer name; what a client says instead goes into logs, answers and what is remembered of names. */
const longestName = 500;

/** Reads the body when it is its turn. */
async function readIn({ incoming, settings, house }: Visit, known: KnownStrings): ReturnType<typeof readBody> {
  const maxBytes = settings.bodyMib * MiB;
  const { 'content-length': told, 'content-encoding': packed } = incoming.headers;
  const leave = await house.uploads.enter(told === undefined || packed !== undefined ? maxBytes : Number(told));
  try {
    return await readBody(incoming, maxBytes, house.clock, known);
  } finally {
    leave();
  }
}

type TurnedAway = {
  wire: WireName | undefined;
  more?: Readonly<Record<string, string>> | undefined;
  tenant?: Tenant;
};

/** Tells a client in its dialect why it gets nothing, and tells about it. */
function turnAway(
  { incoming, reply, house, began }: Arrival,
  error: MessageError,
  { wire, more, tenant }: TurnedAway,
): void {
  const { status, body, headers } = errorAnswer(error, wire);
  const id = `req_${randomLetters()}`;
  reply.json(status, body, { 'x-sightline-id': id, ...headers, ...more });
  const now = house.clock.now();
  house.report.tell({
    time: new Date(now).toISOString(),
    id,
    ...(tenant && tenant.name !== '' && { key: tenant.name }),
    wire: wire ?? 'none',
    route: pathOf(incoming),
    status: reply.gone.aborted ? 499 : status,
    bytes: 0,
    totalMs: now - began,
    receipts: {},
    error: error.code,
  });
}

/** Without what stands behind it: some clients put their key there. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return cutText(url.replace(/[?#].*$/s, ''), 200);
}

/** Where nothing is served, or nothing by this method. */
function nothingThere(visit: Visit, method: string, turned: TurnedAway): void {
  const { url } = visit;
  const asked = routeAt(url);
  const nothing = `There is nothing at ${method} ${url.pathname}. Answers are asked for at ${askedAt(turned.wire)}.`;
  if (!asked) return turnAway(visit, invalid(nothing, 404), turned);
  const error = invalid(`${url.pathname} is asked by POST, with a JSON object.`, 405);
  turnAway(visit, error, { ...turned, wire: asked.wire, more: { allow: 'POST' } });
}

/** Where clients of this dialect ask for answers; those of all, where nobody knows whose client it is. */
function askedAt(wire: WireName | undefined): string {
  const paths = Object.values(wires).flatMap(({ name, route }) => {
    const own = Object.values(endpoints).find((row) => row.wire === name && !row.elsewhere);
    if (!own || (wire !== undefined && wire !== name)) return [];
    return [new URL(route.address(`${own.base}${own.path ?? ''}`, 'MODEL', {})).pathname];
  });
  return paths.join(', ');
}

function metricsOf({ report, uploads, memory }: House): string {
  return report.metrics({ sightline_uploads_bytes: uploads.bytes, sightline_conversations: memory.conversations });
}

/** What the gateway answers for itself, to everybody. */
async function isOpenRoute(
  { pathname }: URL,
  reply: ClientReply,
  { closing, version, settings, memory, mediaReady }: House,
): Promise<boolean> {
  const path = pathname.replace(/\/+$/, '');
  const open = !closing();
  if (path === '/healthz') {
    reply.json(open ? 200 : 503, { ok: open, version, routes: Object.keys(settings().routes).length });
    return true;
  }
  if (path === '/readyz') {
    const [database, media] = await Promise.all([memory.ready(), answersSoon(mediaReady)]);
    const ok = open && database && media;
    reply.json(ok ? 200 : 503, { ok, version, database, media });
    return true;
  }
  if (path !== '' && !/^\/(?:anthropic|openai|gemini|ollama)$/.test(path)) return false;
  reply.text('Ollama is running');
  return true;
}

/** A bucket that is silent for so long is away. */
const silentMs = 2000;

async function answersSoon(ask: () => Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), silentMs);
  const answered = ask().then(
    () => true,
    () => false,
  );
  return await Promise.race([answered, late.promise]).finally(() => clearTimeout(timer));
}

type RouteAt = Matched & { counts?: true };

function routeAt(url: URL): RouteAt | undefined {
  for (const { name, served } of Object.values(wires)) {
    const found = served.count?.match(url);
    if (found) return { wire: name, ...found, counts: true };
  }
  return matchRoute(url);
}

function wireOf({ url = '/', headers }: IncomingMessage): WireName | undefined {
  const address = URL.parse(url, 'http://localhost');
  return address
    ? (routeAt(address)?.wire ?? wireMeantBy({ url: address, headers: plainHeaders(headers) }))
    : undefined;
}

function crossOrigin(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-headers': '*, authorization',
    'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
    vary: 'origin',
  };
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value;
  return plain;
}

function noObject({ text, bytes }: Pick<ReadBody, 'text' | 'bytes'>): string {
  if (bytes === 0) return 'The body is empty. Send a JSON object.';
  if (parsed(text) !== undefined) return 'The body is no JSON object. Send one.';
  return `The body, ${grouped(bytes)} bytes, is no JSON: look whether all of it was sent.`;
}
