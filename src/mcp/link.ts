// One server and what becomes of it: started, asked, found dead, started again. A server that has died is started again
// by the next call, once; a call that was under way is answered with an error and never made twice, because nobody
// knows what it has already done.
import type { McpServer } from '../config/mcp.ts';
import { isRecord } from '../content/json.ts';
import { cutText, safeWords } from '../content/text.ts';
import { unreadResource } from '../content/words.ts';
import type { Effect, ToolContext } from '../tool/tool.ts';
import { connect, isBrokenOff, isForgotten, isTimeout, loginProblem, problemOf, wantsLogin } from './connection.ts';
import type { CallOptions, Connection } from './connection.ts';
import { effectOf } from './effect.ts';
import { filledIn } from './environment.ts';
import { loginFile } from './login.ts';
import { resultOf } from './result.ts';

/** How it stands with one MCP server. */
export type LinkState = {
  name: string;
  state: 'ready' | 'untrusted' | 'failed' | 'closed';
  /** The name and version the server gives itself. */
  about?: string;
  /** What is wrong and what to do about it. */
  problem?: string;
};

type LinkOptions = {
  signal: AbortSignal;
  startMs: number;
  callMs: number;
  roots: readonly string[];
  trusts: (project: string) => boolean;
  environment: NodeJS.ProcessEnv;
  /** The folder with the logins at servers over HTTP. */
  logins?: string;
};

export type RemoteTool = {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  effect?: Effect;
};

/** None of these throws for what is wrong with the server. */
export type Link = {
  name: string;
  start: () => Promise<void>;
  tools: () => readonly RemoteTool[];
  state: () => LinkState;
  /** What the server answers, or a result that says why there is no answer. */
  call: (tool: string, input: unknown, context: ToolContext) => Promise<unknown>;
  close: () => Promise<void>;
};

const maxTools = 1000;
/** A timer of Node that shall wait longer than this does not wait at all. */
const longestMs = 2 ** 31 - 1;

export function newLink(name: string, server: McpServer, options: LinkOptions): Link {
  const { signal, roots, trusts, environment } = options;
  const startMs = Math.min(options.startMs, longestMs);
  const timeoutMs = Math.min(server.timeoutMs ?? options.callMs, longestMs);
  const isTrusted = server.project === undefined || trusts(server.project);
  let connection: Connection | undefined;
  let opening: Promise<Connection> | undefined;
  let tools: RemoteTool[] = [];
  let state: LinkState = isTrusted ? { name, state: 'closed' } : { name, state: 'untrusted', problem: untrusted };

  const list = async (from: Connection): Promise<void> => {
    const listed = (await from.listTools({ signal, timeoutMs: startMs })).flatMap(remoteTool);
    const wanted = listed.filter((tool) => server.tools?.includes(tool.name) ?? true);
    tools = [...new Map(wanted.map((tool) => [tool.name, tool])).values()].slice(0, maxTools);
  };
  let isOutdated = false;
  const listAgain = (): void => {
    isOutdated = opening !== undefined; // the list that is on its way may be that of before
    // The list it had still stands if this fails; a server that is gone is noticed by the next call.
    if (connection && !isOutdated) list(connection).catch(() => undefined);
  };
  const open = async (): Promise<Connection> => {
    signal.throwIfAborted();
    const about = filledIn(server, environment);
    const login = options.logins === undefined ? {} : { login: loginFile(options.logins, name) };
    const opened = await connect(about, {
      name,
      ...login,
      signal,
      timeoutMs: startMs,
      roots,
      onToolsChanged: listAgain,
    });
    try {
      await list(opened);
    } catch (error) {
      const why = opened.closed() ?? problemOf(error);
      await opened.close();
      throw new Error(why, { cause: error });
    }
    connection = opened;
    state = { name, state: 'ready', ...(opened.about !== undefined && { about: opened.about }) };
    return opened;
  };
  const ready = (): Promise<Connection> => {
    if (connection && connection.closed() === undefined) return Promise.resolve(connection);
    opening ??= open()
      .catch((error: unknown) => {
        state = { name, state: 'failed', problem: sentence(problemOf(error)) };
        throw new Error(`it cannot be started: ${problemOf(error)}`, { cause: error });
      })
      .finally(() => {
        opening = undefined;
        if (isOutdated) listAgain();
      });
    return opening;
  };
  const ask = async (tool: string, input: unknown, context: ToolContext, again = true): Promise<unknown> => {
    const from = await ready();
    const call = { signal: AbortSignal.any([signal, context.signal]), timeoutMs, onProgress: context.progress };
    try {
      const raw = await from.callTool(tool, input, call);
      return await resultOf(raw, context.assets, from.hasResources ? (uri) => linked(from, uri, call) : undefined);
    } catch (error) {
      if (again && isForgotten(error)) {
        await from.close(); // it did nothing, so the call may be made again
        return await ask(tool, input, context, false);
      }
      const why = wantsLogin(error) ? loginProblem(name) : callTrouble(error, from.closed(), timeoutMs);
      throw new Error(why, { cause: error });
    }
  };
  return {
    name,
    tools: () => tools,
    state() {
      const why = connection?.closed();
      return state.state !== 'ready' || why === undefined
        ? state
        : { ...state, state: 'closed', problem: sentence(why) };
    },
    async start() {
      if (isTrusted) await ready().catch(() => undefined); // the state says why
    },
    async call(tool, input, context) {
      try {
        return await ask(tool, input, context);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const text = `The MCP server "${safeWords(name)}" failed: ${cutText(why, 2000).replace(/\.$/, '')}.`;
        return { content: [{ type: 'text', text }], isError: true };
      }
    },
    async close() {
      await opening?.catch(() => undefined);
      await connection?.close();
      tools = [];
      if (state.state === 'ready') state = { name, state: 'closed' };
    },
  };
}

const untrusted =
  'The project asks for it and is not trusted. Look at its sightline.toml, then: sightline tools trust.';

/** A tool as the server lists it. One that can only run as a task of its own is none that a call could use. */
function remoteTool(value: unknown): RemoteTool[] {
  if (!isRecord(value) || typeof value['name'] !== 'string' || value['name'] === '') return [];
  if (isRecord(value['execution']) && value['execution']['taskSupport'] === 'required') return [];
  const description = typeof value['description'] === 'string' ? value['description'] : '';
  const inputSchema = isRecord(value['inputSchema']) ? value['inputSchema'] : {};
  const effect = effectOf(value['annotations']);
  const described = { name: value['name'], description: cutText(description.toWellFormed(), 10_000), inputSchema };
  return [{ ...described, ...(effect && { effect }) }];
}

/** What a link leads to, or the words that say why it leads nowhere. */
async function linked(from: Connection, uri: string, call: CallOptions): Promise<unknown[]> {
  try {
    const contents = await from.readResource(uri, call);
    return contents.map((resource) => ({ type: 'resource', resource }));
  } catch (error) {
    return [{ type: 'text', text: unreadResource(uri, problemOf(error)) }];
  }
}

function callTrouble(error: unknown, died: string | undefined, timeoutMs: number): string {
  const check = 'The call may have done part of its work; check before you repeat it';
  if (died !== undefined) return `it ended during the call: ${died}. ${check}`;
  if (isBrokenOff(error)) return `${problemOf(error)}. ${check}`;
  if (!isTimeout(error)) return problemOf(error);
  return `it gave no sign of life for ${timeoutMs / 1000} s, so the call was cancelled. Ask for less, or raise its timeout`;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`;
}
