// The scripted model as a real server on this machine. It speaks every wire, by the path of a request; it keeps each
// request it got, and answers, or fails, as its script says.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refusalText } from '../../content/refusal.ts';
import type { MessageError } from '../../message/error.ts';
import { wantsUsage } from '../../wire/accepted.ts';
import { waitHeaders } from '../../wire/emitter.ts';
import type { Accepted } from '../../wire/accepted.ts';
import { matchRoute, wires } from '../../wire/registry.ts';
import type { Matched } from '../../wire/registry.ts';
import { deliver } from './deliver.ts';
import { about } from './models.ts';
import { scriptedError, eventsOf, messageOf } from './say.ts';
import type { Answer, Asked, Script, ScriptedRequest } from './script.ts';

/** The rules, the models and the port of a scripted server. */
export type ServerOptions = {
  /** Rules of a provider: what it returns is the answer instead of the script's next one, which stays the next. */
  check?: (request: ScriptedRequest) => Answer['error'] | undefined;
  /** The models that the server lists. */
  models?: readonly string[];
  /** 0 chooses a free one. */
  port?: number;
};

/** A scripted server that runs. */
export type ScriptedServer = {
  /** Such as `http://127.0.0.1:43211`, without a path. */
  url: string;
  requests: readonly ScriptedRequest[];
  close: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/**
 * Starts the server on the loopback interface.
 *
 * @example
 * await using server = await scriptedServer(script([{ text: 'Hello.' }]));
 * const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'any' });
 */
export async function scriptedServer(script: Script, options: ServerOptions = {}): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = [];
  const stop = new AbortController();
  let index = 0;
  const { createServer } = await import('node:http'); // takes long to load, and scripts without a server do not need it
  const server = createServer((incoming, response) => {
    void serve(incoming, response).catch((error: unknown) => {
      // A step of the script threw, or the client went away in the middle.
      if (response.headersSent || response.destroyed) response.destroy();
      else reply(response, 500, { error: { message: `The scripted server failed: ${String(error)}` } });
    });
  });
  // Client and server often share a thread: one that was busy for long must not find its connection closed for that.
  server.keepAliveTimeout = 0;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const bytes = await readAll(incoming);
    const request: ScriptedRequest = { method, path, headers, body: parsed(bytes), bytes: bytes.length };
    requests.push(request);
    const route = method === 'POST' ? matchRoute(new URL(path, 'http://localhost')) : undefined;
    if (!route) return reply(response, ...about(request, options.models ?? ['scripted']));
    request.wire = route.wire;
    const emitter = wires[route.wire].emit({ model: route.model ?? 'scripted' });
    const fail = (error: MessageError): void => {
      const { status, body } = emitter.whole(error);
      reply(response, status, body, waitHeaders(error));
    };
    const read = wires[route.wire].accept(request.body, route.model === undefined ? {} : { model: route.model });
    if (!read.ok) return fail(scriptedError({ status: 400, message: refusalText(read.refusal) }));
    const accepted = read.value;
    const stream = route.streamed ?? accepted.stream;
    const model = accepted.model ?? route.model ?? '';
    Object.assign(request, { model, stream, transcript: accepted.transcript, accepted });
    const complaint = options.check?.(request);
    if (complaint) return fail(scriptedError(complaint));
    const asked: Asked = {
      index: index++,
      wire: route.wire,
      model,
      transcript: accepted.transcript,
      options: accepted.options,
    };
    const answer = await script.answer(asked);
    if (answer.error) return fail(scriptedError(answer.error));
    await speak(response, { asked, answer, stream, route, accepted }, stop.signal);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      stop.abort();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close, [Symbol.asyncDispose]: close };
}

type Spoken = { asked: Asked; answer: Answer; stream: boolean; route: Matched; accepted: Accepted };

async function speak(response: ServerResponse, said: Spoken, stop: AbortSignal): Promise<void> {
  const { asked, answer, stream, route, accepted } = said;
  const { emit, framing, scripted } = wires[route.wire];
  const emitter = emit({
    model: asked.model,
    id: `${scripted.idPrefix}${asked.index + 1}`,
    created: new Date().toISOString(),
    usage: wantsUsage(accepted),
  });
  const message = messageOf(answer, asked, { endpoint: 'scripted', model: asked.model });
  if (stream) {
    const frames = [...eventsOf(message).flatMap(emitter.push), ...emitter.end()];
    await deliver(response, frames, framing.contentType, answer, stop);
  } else {
    const text = JSON.stringify(emitter.whole(message).body);
    await deliver(response, text.match(/[\s\S]{1,256}/gu) ?? [], 'application/json', answer, stop);
  }
}

function reply(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parsed(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
