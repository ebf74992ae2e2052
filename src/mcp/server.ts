// Our tools as an MCP server: the only file that knows the server library, which is loaded when serving begins. It
// speaks both revisions of the protocol: with a handshake and a connection, and one request at a time.
import type { Readable, Writable } from 'node:stream';
import type * as Library from '@modelcontextprotocol/server';
import { sharedAssets } from '../asset/memory.ts';
import type { AssetStore } from '../asset/store.ts';
import { packageVersion } from '../config/package.ts';
import { encodeBase64 } from '../content/base64.ts';
import { isRecord } from '../content/json.ts';
import type { Tool } from '../tool/tool.ts';
import { invokeCall } from '../tool/invoke.ts';
import { openIntake } from '../media/index.ts';
import { assetLink, mcpResult } from './content.ts';
import type { HttpOptions } from './http.ts';
import { hintsOf } from './effect.ts';
import type { Hints } from './effect.ts';
import { newMemory } from './memory.ts';
import type { ServerMemory, ServedTools } from './memory.ts';
import { allowedRoots } from './roots.ts';
import { newSessions } from './sessions.ts';

/** How tools are served, and what clients may read. */
export type ServeOptions = {
  version?: string;
  /** What a model is told about this server as a whole. */
  instructions?: string;
  assets?: AssetStore;
  /** The folders files may be read from; without it, the working directory. */
  roots?: readonly string[];
  /** Pictures, documents and videos stay here; clients get their words. */
  picturesStay?: boolean;
  /** Words on their way to a client, such as without the keys of this process; as they are when left out. */
  hide?: (text: string) => string;
  /** Told what went wrong beside any answer; for logs. */
  onError?: (error: Error) => void;
  /** Over HTTP at this place; without it, over stdin and stdout. */
  http?: HttpOptions;
  input?: Readable;
  output?: Writable;
};

/** A server that runs. */
export type Serving = {
  /** Where clients reach it over HTTP. */
  url?: string;
  /** Resolves when the client has gone or the server was closed. */
  ended: Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Loaded = typeof Library;
type Server = InstanceType<Loaded['Server']>;
type Context = Library.ServerContext;

/** Arguments may hold a file as base64, but not more than clients can send. */
const maxRequestBytes = 32 * 1024 * 1024;
const rootsMs = 5000;

/** Serves tools until it is closed or, over stdin, the client goes. */
export async function serveTools(tools: ServedTools, options: ServeOptions = {}): Promise<Serving> {
  const library = await import('@modelcontextprotocol/server');
  const make = (memory: ServerMemory): Server => newServer(library, memory, options);
  const { http } = options;
  return http ? await overHttp(library, tools, make, { ...options, http }) : await overStdio(tools, make, options);
}

type Make = (memory: ServerMemory) => Server;

async function overStdio(tools: ServedTools, make: Make, options: ServeOptions): Promise<Serving> {
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const memory = newMemory(tools);
  const wire = new StdioServerTransport(options.input, options.output, { maxBufferSize: maxRequestBytes });
  const handle = serveStdio(() => make(memory), { transport: wire, onerror: (error) => options.onError?.(error) });
  const gone = new Promise<void>((resolve) => {
    const before = wire.onclose?.bind(wire);
    Object.assign(wire, {
      onclose: () => {
        before?.();
        resolve();
      },
    });
  });
  const ended = gone.then(() => memory.close());
  const close = async (): Promise<void> => {
    await handle.close();
    await ended;
  };
  return { ended, close, [Symbol.asyncDispose]: close };
}

async function overHttp(
  library: Loaded,
  tools: ServedTools,
  make: Make,
  { http, onError }: ServeOptions & { http: HttpOptions },
): Promise<Serving> {
  const bounds = { maxRequestBodySize: maxRequestBytes };
  const shared = newMemory(tools); // for clients that keep no connection; they all have the token
  const onerror = (error: Error): void => onError?.(error);
  const modern = library.createMcpHandler(() => make(shared), { legacy: 'reject', onerror, ...bounds });
  const sessions = newSessions(async (opened) => {
    const memory = newMemory(tools);
    const transport = new library.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: opened,
      ...bounds,
    });
    await make(memory).connect(transport);
    const close = async (): Promise<void> => {
      await transport.close();
      await memory.close();
    };
    return { handle: (request) => transport.handleRequest(request), close };
  });
  const { serveHttp } = await import('./http.ts');
  const listening = await serveHttp(http, maxRequestBytes, async (request) => {
    const isLegacy = await library.isLegacyRequest(request, undefined, bounds);
    return isLegacy ? await sessions.handle(request) : await modern.fetch(request);
  });
  const close = async (): Promise<void> => {
    await Promise.all([sessions.close(), modern.close()]);
    await listening.close();
    await shared.close();
  };
  return { url: listening.url, ended: listening.ended, close, [Symbol.asyncDispose]: close };
}

function newServer(library: Loaded, memory: ServerMemory, options: ServeOptions): Server {
  const {
    assets = sharedAssets(),
    instructions,
    version = packageVersion(),
    http,
    roots,
    picturesStay = false,
  } = options;
  const { hide = (text) => text } = options;
  const server = new library.Server(
    { name: 'sightline', title: 'Sightline', version },
    { capabilities: { tools: {}, resources: {} }, ...(instructions !== undefined && { instructions }) },
  );
  Object.assign(server, { onerror: (error: Error) => options.onError?.(error) });
  const rules = { own: roots ?? [process.cwd()], narrow: http !== undefined || roots !== undefined };
  const intake = openIntake({ assets, roots: rules.own });
  const toolsFor = (answer?: unknown): readonly Tool[] => memory.tools(allowedRoots(answer, rules));
  let asked: Promise<unknown> | undefined; // once per connection, and again when the client says so
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    asked = undefined;
  });

  server.setRequestHandler('tools/list', () => hiddenIn({ tools: toolsFor().map(listed) }, hide));

  server.setRequestHandler('tools/call', async ({ params: { name, arguments: input = {} } }, context) => {
    if (!toolsFor().some((tool) => tool.name === name)) {
      throw new library.ProtocolError(
        library.ProtocolErrorCode.InvalidParams,
        hide(`There is no tool "${name}" here.`),
      );
    }
    const { id, signal, envelope, inputResponses } = context.mcpReq;
    let answer: unknown;
    if (memory.needsRoots && server.getClientCapabilities()?.roots) {
      answer = envelope ? inputResponses?.['roots'] : await (asked ??= askRoots(context));
      if (envelope && answer === undefined) {
        return library.inputRequired({ inputRequests: { roots: library.inputRequired.listRoots() } });
      }
    }
    const call = { type: 'call', id: String(id), name, input } as const;
    const progress = progressTo(context, hide);
    const held = intake.at({ roots: allowedRoots(answer, rules), signal });
    const result = await invokeCall(call, { tools: toolsFor(answer), assets, intake: held, signal, progress, approve });
    memory.remember(result);
    return hiddenIn(await mcpResult(result, { assets, signal, offer: memory.offer, picturesStay, hide }), hide);
  });

  server.setRequestHandler('resources/list', () => hiddenIn({ resources: memory.allOffered().map(assetLink) }, hide));

  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const asset = memory.offered(uri); // only what was handed out: a name alone opens nothing
    const bytes = asset && (await assets.get(asset.id));
    if (!bytes) throw new library.ResourceNotFoundError(hide(uri));
    const isText = asset.mediaType.startsWith('text/');
    const body = isText ? { text: hide(new TextDecoder().decode(bytes)) } : { blob: encodeBase64(bytes) };
    return { contents: [{ uri, mimeType: asset.mediaType, ...body }] };
  });
  return server;
}

type Hide = (text: string) => string;

/** Every text of an answer as it may leave; base64 of media is left as it is. */
function hiddenIn<Answer>(answer: Answer, hide: Hide): Answer {
  const walk = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return key === 'data' || key === 'blob' ? value : hide(value);
    if (Array.isArray(value)) return value.map((item) => walk(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, name)]));
  };
  return walk(answer) as Answer;
}

/** The client asks its own user. */
const approve = (): true => true;

type Listed = { name: string; description: string; inputSchema: { type: 'object' }; annotations?: Hints };

function listed({ name, description, inputSchema, effect }: Tool): Listed {
  const annotations = hintsOf(effect);
  return { name, description, inputSchema: { ...inputSchema, type: 'object' }, ...(annotations && { annotations }) };
}

/** A client that does not answer has named no folders. */
async function askRoots(context: Context): Promise<unknown> {
  try {
    return await context.mcpReq.send({ method: 'roots/list' }, { timeout: rootsMs });
  } catch {
    return undefined;
  }
}

/** A tool tells in words how far it is; the count only has to grow. */
function progressTo({ mcpReq }: Context, hide: Hide): (call: unknown, message: string) => void {
  const { _meta: about } = mcpReq;
  let progress = 0;
  return (_call, message) => {
    if (about?.progressToken === undefined) return;
    progress++;
    const params = { progressToken: about.progressToken, progress, message: hide(message) };
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined); // nobody listens any more
  };
}
