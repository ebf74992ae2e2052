// One request: let in, told apart by its address, answered in its own dialect, whatever happens on the way.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isRecord } from '../content/json.ts';
import type { MessageError } from '../message/error.ts';
import { admit } from '../model/guard.ts';
import { inServerSpan } from '../model/telemetry.ts';
import { matchRoute, wires } from '../wire/registry.ts';
import type { Matched } from '../wire/registry.ts';
import type { Inquiry } from '../wire/served.ts';
import type { WireName } from '../window/profile.ts';
import { answerAsk } from './answer-ask.ts';
import type { ClientAsk } from './ask.ts';
import { besidePlaces, passBeside } from './beside.ts';
import { readBody } from './body.ts';
import { randomLetters } from './convert.ts';
import { errorAnswer, invalid, ofGateway } from './errors.ts';
import type { House } from './house.ts';
import { mayUse, tenantOf } from './keys.ts';
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
  const { host, origins, bodyMib } = settings;
  const rules = { host, origins, maxBytes: bodyMib * MiB, methods: ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'] };
  try {
    const admission = admit(incoming, rules);
    if (!admission.ok) {
      const { status, body } = errorAnswer(invalid(admission.message, admission.status), wireOf(incoming));
      return reply.json(status, body, { connection: 'close', ...admission.headers });
    }
    if (incoming.headers.origin !== undefined) reply.more(crossOrigin(incoming.headers.origin));
    if (house.closing()) reply.more({ connection: 'close' });
    if (incoming.method === 'OPTIONS') return void outgoing.writeHead(204, crossOrigin(incoming.headers.origin)).end();
    await answerAt({ incoming, url: admission.url, reply, settings, house });
  } catch (error) {
    if (outgoing.headersSent) return void outgoing.destroy(); // the client has gone, or what it was told is cut short
    const { status, body } = errorAnswer(ofGateway(error), wireOf(incoming));
    reply.json(status, body, { connection: 'close' });
  }
}

type Visit = { incoming: IncomingMessage; url: URL; reply: ClientReply; settings: GatewaySettings; house: House };

async function answerAt(visit: Visit): Promise<void> {
  const { incoming, url, reply, settings, house } = visit;
  const { method = 'GET' } = incoming;
  if (method !== 'POST' && (await isOpenRoute(url, reply, house))) return;
  const headers = plainHeaders(incoming.headers);
  const route = method === 'POST' ? routeAt(url) : undefined;
  const tenant = tenantOf(headers, url, settings);
  if (!tenant)
    return fail(reply, invalid('This gateway asks for a key of its own. Send one.', 401), route?.wire, close);
  if (method === 'GET' && url.pathname === '/metrics') return reply.text(metricsOf(house));
  if (headers['upgrade']?.toLowerCase() === 'websocket') {
    const error = invalid('WebSocket is not spoken here. Send the same as POST.', 426);
    return fail(reply, error, routeAt(url)?.wire, { ...close, upgrade: 'HTTP/1.1' });
  }
  const places = route ? [] : besidePlaces({ method, url, headers });
  if (places.length > 0) return passBeside(places, { incoming, url, headers, tenant, reply, settings, house });
  const known = house.roomOf(tenant.name).known;
  const read = method === 'POST' ? await readIn(visit, known) : { text: '{}', strings: stringsOf([], known), bytes: 0 };
  if ('status' in read) return fail(reply, invalid(read.message, read.status), route?.wire, close);
  await house.turns.begins();
  const body = parsed(read.text);
  const inquiry: Inquiry = { method, url, headers, ...(body && { body }) };
  const side = route ? undefined : sideAnswer(inquiry, settings, (name) => mayUse(tenant, name));
  if (side) return reply.json(side.status, side.body);
  if (!route) return fail(reply, invalid(`There is nothing at ${method} ${url.pathname}.`, 404), undefined);
  if (!body) return fail(reply, invalid('The body is no JSON object. Send one.'), route.wire);
  const name = route.model ?? (typeof body['model'] === 'string' ? body['model'] : '');
  const streamed = route.streamed ?? wires[route.wire].asksForStream(body);
  const { wire } = route;
  const { behind } = route;
  const ask: ClientAsk = { id: `req_${randomLetters()}`, wire, url, headers, ...read, body, name, streamed, behind };
  const answering = (): Promise<void> => answerAsk(ask, route.counts === true, { tenant, reply, settings, house });
  await inServerSpan({ method, path: url.pathname, headers }, answering, () => reply.status);
}

const close = { connection: 'close' };

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

/** Tells a client in its dialect why it gets nothing. */
function fail(
  reply: ClientReply,
  error: MessageError,
  wire: WireName | undefined,
  more: Readonly<Record<string, string>> = {},
): void {
  const { status, body, headers } = errorAnswer(error, wire);
  reply.json(status, body, { ...headers, ...more });
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

function wireOf({ url = '/' }: IncomingMessage): WireName | undefined {
  const address = URL.parse(url, 'http://localhost');
  return address ? routeAt(address)?.wire : undefined;
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

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
