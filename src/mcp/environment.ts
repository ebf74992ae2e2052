// `${NAME}` in what a server is started with → the variable of that name, taken when the server starts.
import type { Environment } from '../config/environment.ts';
import type { McpServer } from '../config/mcp.ts';
import { isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Site } from './connection.ts';
import type { Program } from './process.ts';

/** Throws an error with a sentence when a variable is missing. */
export function filledIn(server: McpServer, environment: Environment): Program | Site {
  if (!isRecord(server))
    throw new SightlineError(
      'config',
      'this is no server; give { command, args } for a program, or { url } for an address',
    );
  if ('url' in server) return { url: server.url, headers: filled(server.headers, environment) };
  const { command, args = [], cwd } = server;
  return { command, args, env: filled(server.env, environment), ...(cwd !== undefined && { cwd }) };
}

function filled(words: Readonly<Record<string, string>> | undefined, environment: Environment): Record<string, string> {
  const fill = (word: string): string =>
    word.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = environment[name];
      if (value === undefined) throw new Error(`it needs the environment variable ${name}, which is not set`);
      return value;
    });
  return Object.fromEntries(Object.entries(words ?? {}).map(([name, word]) => [name, fill(word)]));
}
