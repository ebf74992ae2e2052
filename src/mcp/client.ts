// Servers of the configuration in, their tools out. Each server stands for itself: one that is missing, hangs or dies
// costs its own tools and says why.
import { ownEnvironment } from '../config/environment.ts';
import type { Environment } from '../config/environment.ts';
import type { McpServer } from '../config/mcp.ts';
import { checkJsonSchema, withoutNulls } from '../tool/schema.ts';
import type { Tool } from '../tool/tool.ts';
import { inputSchemaOf } from './input-schema.ts';
import { newLink } from './link.ts';
import type { Link, LinkState, RemoteTool } from './link.ts';
import { toolName } from './name.ts';

/** How a server stands, with its tools by the names they have here. */
export type ServerState = LinkState & { tools: readonly string[] };

/** How servers are started and waited for. */
export type ConnectOptions = {
  /** Whether servers that a project asks for may start; without it, none of them does. */
  trusts?: (project: string) => boolean;
  /** The folders servers are told to work in. */
  roots?: readonly string[];
  signal?: AbortSignal;
  /** How long a server may take to start: 60 s. */
  startMs?: number;
  /** How long a call may go without a sign of life, where the configuration says nothing: 60 s. */
  callMs?: number;
  environment?: Environment;
  /** The folder with the logins at servers over HTTP; without it, none is used. */
  logins?: string;
};

/** Servers that were started. */
export type Servers = {
  /** The tools of all servers as they are now; a server may change its own while it runs. */
  readonly tools: Tool[];
  readonly states: ServerState[];
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Starts all servers side by side. Never throws for a server: its state says what is wrong. */
export async function connectServers(
  servers: Readonly<Record<string, McpServer>>,
  options: ConnectOptions = {},
): Promise<Servers> {
  const ending = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, ending.signal]) : ending.signal;
  const linkOptions = {
    signal,
    startMs: options.startMs ?? 60_000,
    callMs: options.callMs ?? 60_000,
    roots: options.roots ?? [],
    trusts: options.trusts ?? (() => false),
    environment: options.environment ?? ownEnvironment(),
    ...(options.logins !== undefined && { logins: options.logins }),
  };
  const links = Object.entries(servers).map(([name, server]) => newLink(name, server, linkOptions));
  await Promise.all(links.map((link) => link.start()));
  const close = async (): Promise<void> => {
    ending.abort(new Error('the servers were closed'));
    await Promise.all(links.map((link) => link.close()));
  };
  return {
    get tools() {
      return toolsOf(links).flatMap(({ tools }) => tools);
    },
    get states() {
      return toolsOf(links).map(({ link, tools }) => ({ ...link.state(), tools: tools.map(({ name }) => name) }));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function toolsOf(links: readonly Link[]): { link: Link; tools: Tool[] }[] {
  const taken = new Set<string>();
  return links.map((link) => {
    const tools = link.tools().map((remote): Tool => {
      const name = toolName(link.name, remote.name, taken);
      taken.add(name);
      return toolOf(name, remote, link);
    });
    return { link, tools };
  });
}

function toolOf(name: string, remote: RemoteTool, link: Link): Tool {
  const inputSchema = inputSchemaOf(remote.inputSchema);
  return {
    name,
    description: remote.description,
    inputSchema,
    ...(remote.effect && { effect: remote.effect }),
    check: (input) => Promise.resolve(checkJsonSchema(inputSchema, withoutNulls(inputSchema, input))),
    run: (input, context) => link.call(remote.name, input, context),
  };
}
