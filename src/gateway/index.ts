// `sightline/gateway`: any client, any model, media intact. One listener; a client speaks its own dialect and names a
// model, and whoever serves that model answers.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { sharedAssets } from '../asset/memory.ts';
import type { Intake } from '../content/intake.ts';
import { isRecord } from '../content/json.ts';
import { refusalText, refuse, SightlineError } from '../content/refusal.ts';
import type { MessageError } from '../message/error.ts';
import { admit, isThisMachine, reachableName } from '../model/guard.ts';
import type { GuardRules, Turned } from '../model/guard.ts';
import { openServer } from '../model/listen.ts';
import { intakeOf } from '../model/intake.ts';
import type { WireName } from '../window/profile.ts';
import { matchRoute, wires } from '../wire/registry.ts';
import type { ClientAsk } from './ask.ts';
import { convert, invalid, randomLetters } from './convert.ts';
import { canRelay, openRelays, relay } from './relay.ts';
import { openReply } from './reply.ts';
import type { ClientReply } from './reply.ts';
import { settingsOf } from './settings.ts';
import type { GatewayOptions } from './settings.ts';
import { targetsFor } from './targets.ts';
import { readBody } from './body.ts';

export type { ServeSettings } from '../config/serve.ts';
export type { GatewayOptions, GatewaySettings, TargetModel } from './settings.ts';

/** A gateway that runs. */
export type Gateway = {
  /** Such as `http://127.0.0.1:4141`, without a path. */
  url: string;
  ended: Promise<void>;
  close: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/**
 * Opens a gateway. Throws when its port is taken, or when it would stand open to the network.
 *
 * @example
 * await using gateway = await openGateway({ routes: { house: ['anthropic/claude-sonnet-5'] } });
 * const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none' });
 */
export async function openGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const settings = settingsOf(options);
  const { host, port, origins } = settings;
  if (!isThisMachine(host))
    throw new SightlineError('config', `A gateway on ${host} would be open to the network. Listen on 127.0.0.1.`);
  const assets = options.assets ?? sharedAssets();
  const intake = closed(intakeOf({ assets, roots: [] }));
  const relays = openRelays(assets);
  const maxBytes = settings.bodyMib * 1024 * 1024;
  const rules: GuardRules = { host, methods: ['GET', 'HEAD', 'POST', 'OPTIONS'], maxBytes, origins };

  async function ask(incoming: IncomingMessage, url: URL, reply: ClientReply): Promise<void> {
    const route = matchRoute(url);
    if (!route) return reply.json(404, { error: { message: `There is nothing at ${url.pathname}.` } });
    const fail = (error: MessageError): void => {
      const { status, body } = wires[route.wire].emit({ model: '' }).whole(ours(error));
      reply.json(status, body);
    };
    const text = await readBody(incoming, maxBytes);
    if (typeof text !== 'string') return fail({ ...invalid(text.message), status: text.status });
    const body = parsed(text);
    if (!body) return fail(invalid('The body is no JSON object. Send one.'));
    const name = route.model ?? (typeof body['model'] === 'string' ? body['model'] : '');
    const streamed = route.streamed ?? wires[route.wire].asksForStream(body);
    const client: ClientAsk = {
      id: `req_${randomLetters()}`,
      wire: route.wire,
      url,
      headers: plainHeaders(incoming.headers),
      text,
      body,
      name,
      streamed,
    };
    const targets = targetsFor(name, route.wire, settings);
    if (!targets.ok) return fail({ ...invalid(refusalText(targets.refusal)), code: 'not-found', status: 404 });
    let error: MessageError | undefined;
    for (const [at, target] of targets.value.entries()) {
      const last = at === targets.value.length - 1;
      const outcome = canRelay(client, target)
        ? await relay(client, target, reply, { relays, last })
        : await convert(client, target, reply, { assets, intake });
      error = outcome.error;
      if (!error || reply.begun || reply.gone.aborted || !mayPass.has(error.code)) break;
    }
    if (error && !reply.begun && !reply.gone.aborted) fail(error);
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const reply = openReply(outgoing);
    try {
      const admission = admit(incoming, rules);
      if (!admission.ok) return turnAway(reply, admission, wireAt(incoming));
      await ask(incoming, admission.url, reply);
    } catch {
      if (outgoing.headersSent) outgoing.destroy(); // the client has gone, or what it was told is cut short
      else outgoing.writeHead(500, { connection: 'close' }).end();
    }
  }

  const listening = await openServer({ host, port }, serve);
  return {
    url: `http://${reachableName(host)}:${listening.port}`,
    ended: listening.ended,
    close: () => listening.close(),
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

/** Trouble after which another model may do better. */
const mayPass: ReadonlySet<MessageError['code']> = new Set([
  'rate-limited', 'overloaded', 'server', 'network', 'timed-out', 'not-found', 'auth',
]); // prettier-ignore

/** A key of ours that a provider refuses is no fault of the client's. */
function ours(error: MessageError): MessageError {
  return error.code === 'auth' ? { ...error, code: 'server', status: 502 } : error;
}

/** Whoever wrote the request must not choose what is opened here. */
function closed(intake: Intake): Intake {
  const no = refuse('not-allowed', 'The gateway opens no paths and no addresses', 'Send the bytes.');
  return { ...intake, open: () => Promise.resolve(no), at: (place) => closed(intake.at(place)) };
}

function turnAway(reply: ClientReply, { status, message, headers }: Turned, wire: WireName | undefined): void {
  const error = { ...invalid(message), status };
  const body = wire ? wires[wire].emit({ model: '' }).whole(error).body : { error: { message } };
  reply.json(status, body, { connection: 'close', ...headers });
}

function wireAt({ url = '/' }: IncomingMessage): WireName | undefined {
  const address = URL.parse(url, 'http://localhost');
  return address ? matchRoute(address)?.wire : undefined;
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
