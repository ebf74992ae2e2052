// One connection to one server.
// Lists and results are taken as they come and judged by us: one bad part must not cost the others.
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { packageVersion } from '../config/package.ts';
import { errorCode } from '../config/system.ts';
import { isRecord } from '../content/json.ts';
import { cutText } from '../content/text.ts';
import { boundedFetch, knocking } from './bounded-fetch.ts';
import { loadClient } from './client-library.ts';
import type { ClientLibrary } from './client-library.ts';
import { savedLogin } from './login.ts';
import { renewing } from './renew.ts';
import { programTransport } from './process.ts';
import type { Program, ProgramTransport } from './process.ts';

export type Site = { url: string; headers: Readonly<Record<string, string>> };

export type CallOptions = { signal: AbortSignal; timeoutMs: number; onProgress?: (message: string) => void };

export type Connection = {
  /** The name and version the server gives itself. */
  about: string | undefined;
  hasResources: boolean;
  /** Why it is closed, once it is. */
  closed(): string | undefined;
  listTools(options: CallOptions): Promise<unknown[]>;
  callTool(name: string, input: unknown, options: CallOptions): Promise<unknown>;
  readResource(uri: string, options: CallOptions): Promise<unknown[]>;
  close(): Promise<void>;
};

type ConnectOptions = {
  /** What the person calls the server. */
  name: string;
  /** The file of her login there. */
  login?: string;
  signal: AbortSignal;
  timeoutMs: number;
  /** The folders the server is told to work in. */
  roots: readonly string[];
  onToolsChanged: () => void;
};

/** A picture of 20 MB is 27 MB of base64; no message needs more than this. */
const maxMessageBytes = 64 * 1024 * 1024;
const maxPages = 100;
const farewellMs = 1000;

type Client = InstanceType<ClientLibrary['Client']>;
type SiteTransport = InstanceType<ClientLibrary['StreamableHTTPClientTransport']>;
type LibraryTransport = Parameters<Client['connect']>[0];

/** Opens the connection and shakes hands; throws an error with a sentence when that fails. */
export async function connect(server: Program | Site, options: ConnectOptions): Promise<Connection> {
  const library = await loadClient();
  try {
    return await open(library, server, options, 'legacy');
  } catch (error) {
    if (!(error instanceof library.UnsupportedProtocolVersionError)) throw error;
    return await open(library, server, options, 'auto'); // it speaks only the revisions that begin without a handshake
  }
}

async function open(
  library: ClientLibrary,
  server: Program | Site,
  { name: called, login, signal, timeoutMs, roots, onToolsChanged }: ConnectOptions,
  mode: 'legacy' | 'auto',
): Promise<Connection> {
  const program = 'command' in server ? programTransport(server, maxMessageBytes) : undefined;
  const site = 'url' in server ? siteTransport(library, server, login) : undefined;
  const client = new library.Client(
    { name: 'sightline', version: packageVersion() },
    {
      capabilities: roots.length > 0 ? { roots: {} } : {},
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, debounceMs: 50, onChanged: onToolsChanged } },
    },
  );
  let closed: string | undefined;
  if (roots.length > 0) {
    client.setRequestHandler('roots/list', () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }));
  }
  Object.assign(client, {
    onclose: () => {
      closed ??= program?.ended() === undefined ? 'the connection was closed' : endOf(program);
    },
    onerror: () => undefined, // what matters reaches the call it belongs to
  });
  const transport = (program ?? site) as LibraryTransport;
  try {
    await client.connect(transport, { signal, timeout: timeoutMs });
    newsFirst(transport);
  } catch (error) {
    await program?.kill();
    await client.close().catch(() => undefined);
    throw error instanceof library.UnsupportedProtocolVersionError
      ? error
      : new Error(wantsLogin(error) ? loginProblem(called) : startProblem(error, timeoutMs, program));
  }
  const version = client.getServerVersion();
  return {
    about: version && `${version.name} ${version.version}`,
    hasResources: client.getServerCapabilities()?.resources !== undefined,
    closed: () => closed,
    listTools: (call) =>
      allPages(client, call).catch((error: unknown) => {
        if (client.getServerCapabilities()?.tools === undefined) return []; // it never said that it has any
        throw error;
      }),
    callTool: (name, input, call) =>
      client.request({ method: 'tools/call', params: { name, arguments: input } }, anything, requestOptions(call)),
    async readResource(uri, call) {
      const result = await client.request(
        { method: 'resources/read', params: { uri } },
        anything,
        requestOptions(call),
      );
      return isRecord(result) && Array.isArray(result['contents']) ? result['contents'] : [];
    },
    async close() {
      if (closed === undefined && site)
        await Promise.race([farewell(site), sleep(farewellMs, undefined, { ref: false })]);
      closed ??= 'it was closed';
      await client.close().catch(() => undefined);
    },
  };
}

function siteTransport(library: ClientLibrary, { url, headers }: Site, login?: string): SiteTransport {
  const hasToken = Object.keys(headers).some((header) => header.toLowerCase() === 'authorization');
  const provider = login === undefined || hasToken ? undefined : savedLogin(login, url);
  const bounded = boundedFetch(maxMessageBytes, knocking(url, headers));
  const transport = new library.StreamableHTTPClientTransport(new URL(url), {
    ...(provider && { authProvider: provider }),
    fetch: login !== undefined && provider ? renewing(library, { file: login, url, provider }, bounded) : bounded,
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 3,
    },
  });
  const send = transport.send.bind(transport);
  const heard: SiteTransport['send'] = (message, options) =>
    send(message, { ...options, onRequestStreamEnd: () => setImmediate(() => brokeOff(transport, message)) });
  return Object.assign(transport, { send: heard });
}

/** A stream that ended without an answer brings none any more. Whoever has the answer hears nothing of this. */
function brokeOff(transport: SiteTransport, message: unknown): void {
  for (const one of [message].flat()) {
    if (!isRecord(one) || (typeof one['id'] !== 'number' && typeof one['id'] !== 'string')) continue;
    const error = { code: brokeOffCode, message: 'the connection ended before the answer came' };
    transport.onmessage?.({ jsonrpc: '2.0', id: one['id'], error });
  }
}

/** Of the codes that a program may choose for itself. */
const brokeOffCode = -32_050;

/** Whether a call was sent and its answer will not come. */
export function isBrokenOff(error: unknown): boolean {
  return isRecord(error) && error['code'] === brokeOffCode;
}

/** The library hears of progress a moment after it has arrived; a result that came with it must not overtake it. */
function newsFirst(transport: LibraryTransport): void {
  const hear = transport.onmessage;
  if (!hear) return;
  const deliver: typeof hear = (message, extra) => {
    if ('method' in message) hear(message, extra);
    else queueMicrotask(() => hear(message, extra));
  };
  Object.assign(transport, { onmessage: deliver });
}

/** Tells the server that it may forget us; one that does not care need not answer. */
async function farewell(site: SiteTransport): Promise<void> {
  await site.terminateSession().catch(() => undefined);
}

/** The library checks results as a whole and throws all of one away; we look at each part ourselves. */
const anything = {
  '~standard': { version: 1 as const, vendor: 'sightline', validate: (value: unknown) => ({ value }) },
};

async function allPages(client: Client, call: CallOptions): Promise<unknown[]> {
  const tools: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: 'tools/list', params }, anything, requestOptions(call));
    if (!isRecord(result) || !Array.isArray(result['tools'])) throw new Error('it sent no list of tools');
    tools.push(...(result['tools'] as unknown[]));
    cursor = result['nextCursor'];
    if (typeof cursor !== 'string' || cursor === '') break;
  }
  return tools;
}

type Progress = { progress: number; total?: number | undefined; message?: string | undefined };

/** News from the server keeps a call alive, for as long as nobody cancels it. */
function requestOptions({ signal, timeoutMs, onProgress }: CallOptions): object {
  return {
    signal,
    timeout: timeoutMs,
    resetTimeoutOnProgress: true,
    onprogress: ({ progress, total, message }: Progress) => {
      onProgress?.(message ?? (total === undefined ? String(progress) : `${progress} of ${total}`));
    },
  };
}

/** Whether a server over HTTP does not know who is asking. */
export function wantsLogin(error: unknown): boolean {
  const errors = [error, error instanceof Error ? error.cause : undefined];
  return errors.some((one) => isRecord(one) && (one['name'] === 'UnauthorizedError' || one['status'] === 401));
}

export function loginProblem(name: string): string {
  return (
    `it wants a login. Run: sightline mcp login ${name}; or give it a token in config.toml: ` +
    'headers = { Authorization = "Bearer ${TOKEN}" }'
  );
}

function startProblem(error: unknown, timeoutMs: number, program: ProgramTransport | undefined): string {
  const version = /protocol version is not supported: (.{1,40})/.exec(messageOf(error))?.[1];
  if (version !== undefined) return `it speaks version ${version} of the protocol, which is not known here`;
  const said = program?.lastWords() ?? '';
  const late = isTimeout(error) ? `it did not answer within ${timeoutMs / 1000} s` : undefined;
  const why = late ?? program?.ended() ?? problemOf(error);
  return said === '' ? why : `${why}. It said: ${said}`;
}

/** How a program ended, with the last line it said to people. */
function endOf(program: ProgramTransport): string {
  const said = program.lastWords().split('\n').at(-1)?.trim() ?? '';
  const end = program.ended() ?? 'it ended';
  return said === '' ? end : `${end}. It said: ${cutText(said, 300)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What went wrong, in the words of whoever noticed; what the library says in its own terms, in plain ones. */
export function problemOf(error: unknown): string {
  const status = statusOf(error);
  if (status !== undefined) return `it answered with HTTP ${status}${saidWith(error)}${adviceOn[status] ?? ''}`;
  const type = /^Unexpected content type: ([^;]*)/.exec(messageOf(error))?.[1];
  if (type !== undefined) return `it answered with ${type}, as no MCP server does; check its address`;
  if (isRecord(error) && (Array.isArray(error['issues']) || error instanceof SyntaxError))
    return 'it sent what is no message of the protocol';
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  return messageOf(error).includes(cause) ? messageOf(error) : `${messageOf(error)}: ${cause}`;
}

const adviceOn: Readonly<Record<number, string>> = {
  404: '. Check its address; most end in /mcp',
  405: '. Its address may be that of the older HTTP with server-sent events, which is not spoken here; look for one of streamable HTTP, most end in /mcp',
};

/** What a server said besides a status, unless that is a page. */
function saidWith(error: unknown): string {
  const text = isRecord(error) && isRecord(error['data']) ? error['data']['text'] : undefined;
  const words = typeof text === 'string' ? text.trim().replaceAll(/\s+/g, ' ') : '';
  return words === '' || words.startsWith('<') ? '' : `: ${cutText(words, 300).replace(/\.$/, '')}`;
}

function statusOf(error: unknown): number | undefined {
  if (!isRecord(error)) return undefined;
  const status = error['status'] ?? (isRecord(error['data']) ? error['data']['status'] : undefined);
  return typeof status === 'number' ? status : undefined;
}

/** Whether a server over HTTP has forgotten who we are: it did nothing, so the call may be made again. */
export function isForgotten(error: unknown): boolean {
  return statusOf(error) === 404;
}

export function isTimeout(error: unknown): boolean {
  return errorCode(error) === 'REQUEST_TIMEOUT';
}
