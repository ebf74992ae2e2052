// `[mcp.NAME]` tables → the MCP servers whose tools are ours to use. `${NAME}` in `env` and `headers` stands for a
// variable of the environment; it is filled in when the server is started, so that the file holds no secret.
import { isRecord } from '../content/json.ts';
import { onlyKnown, wrong } from './wrong.ts';

/** One MCP server: a program to start, or the address of one that runs already. */
export type McpServer = {
  /** The folder of the project that asks for it; the user's own servers have none. */
  project?: string;
  /** How long one call may go without a sign of life. */
  timeoutMs?: number;
  /** The only tools to take, by the server's own names. */
  tools?: readonly string[];
} & (
  | { command: string; args?: readonly string[]; env?: Readonly<Record<string, string>>; cwd?: string }
  | { url: string; headers?: Readonly<Record<string, string>> }
);

type Table = Record<string, unknown>;

const known = [
  'command', // the program to start; either this or "url"
  'args', // its arguments
  'env', // variables: ["TOKEN"] passes one on, { TOKEN = "…" } sets one
  'cwd', // the folder it works in
  'url', // the address of a running server
  'headers', // sent with each request; ${NAME} is a variable of the environment
  'timeout', // seconds that a call may be silent; 60 unless set
  'tools', // use only these tools, by the server's own names
  'enabled', // false does not use it
];

/** The servers of one file over those of the files before it, without those that it switches off. */
export function mcpTable(
  value: unknown,
  file: string,
  project?: string,
  before: Readonly<Record<string, McpServer>> = {},
): Record<string, McpServer> {
  if (value === undefined) return { ...before };
  if (!isRecord(value)) throw wrong(file, 'mcp', 'a table such as [mcp.files]');
  const servers = new Map(Object.entries(before));
  for (const [name, row] of Object.entries(value)) {
    const at = `mcp.${name}`;
    if (!isRecord(row)) throw wrong(file, at, 'a table');
    onlyKnown(row, known, file, at);
    const { enabled = true } = row;
    if (typeof enabled !== 'boolean') throw wrong(file, `${at}.enabled`, 'true or false');
    if (enabled) servers.set(name, server(row, file, at, project));
    else servers.delete(name);
  }
  return Object.fromEntries(servers);
}

function server(row: Table, file: string, at: string, project: string | undefined): McpServer {
  const { command, url, cwd, timeout } = row;
  const common = {
    ...(project !== undefined && { project }),
    ...(row['tools'] !== undefined && { tools: strings(row['tools'], file, `${at}.tools`) }),
    ...(timeout !== undefined && { timeoutMs: seconds(timeout, file, `${at}.timeout`) * 1000 }),
  };
  if (typeof url === 'string' && command === undefined) {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw wrong(file, `${at}.url`, 'an http or https URL');
    return { ...common, url, headers: words(row['headers'], file, `${at}.headers`) };
  }
  if (typeof command !== 'string' || url !== undefined) {
    throw wrong(file, at, 'a table with either command = "…" or url = "…"');
  }
  if (cwd !== undefined && typeof cwd !== 'string') throw wrong(file, `${at}.cwd`, 'a string');
  return {
    ...common,
    command,
    args: strings(row['args'] ?? [], file, `${at}.args`),
    env: granted(row['env'], file, `${at}.env`),
    ...(cwd !== undefined && { cwd }),
  };
}

/** `["TOKEN"]` passes a variable on, `{ TOKEN = "…" }` sets one. */
function granted(value: unknown, file: string, at: string): Record<string, string> {
  if (!Array.isArray(value)) return words(value, file, at);
  return Object.fromEntries(strings(value, file, at).map((name) => [name, `\${${name}}`]));
}

function words(value: unknown, file: string, at: string): Record<string, string> {
  const table = value ?? {};
  if (!isRecord(table)) throw wrong(file, at, 'a table of strings');
  return Object.fromEntries(
    Object.entries(table).map(([name, word]) => {
      if (typeof word !== 'string') throw wrong(file, `${at}.${name}`, 'a string');
      return [name, word];
    }),
  );
}

function strings(value: unknown, file: string, at: string): string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw wrong(file, at, 'a list of strings');
  }
  return value;
}

function seconds(value: unknown, file: string, at: string): number {
  if (typeof value !== 'number' || !(value > 0)) throw wrong(file, at, 'a number of seconds above 0');
  return value;
}
