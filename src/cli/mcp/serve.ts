// `sightline mcp`: our tools for other agents. On stdin and stdout nothing but the protocol is written; words for the
// person go to stderr.
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readSettings } from '../../config/config.ts';
import { hide } from '../../config/secrets.ts';
import { serveTools } from '../../mcp/server.ts';
import type { HttpOptions } from '../../mcp/http.ts';
import type { ToolsFor } from '../../mcp/memory.ts';
import { done, wrongUsage } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { styled, tell } from '../terminal.ts';
import { servedTools } from './tools.ts';

type ServeArguments = { port?: number; host?: string; token?: string; tools?: string[]; root?: string[] };

const instructions =
  'Read files as a model sees them: text by lines, PDFs and Office files by pages, pictures as pictures. ' +
  'Media too large for a result come as links; read them as resources.';

/** Runs until the client goes, or for ever over HTTP. */
export async function serveCommand({ port, host, token, tools: only, root }: ServeArguments): Promise<ExitCode> {
  const roots = root?.map((path) => resolve(path));
  const noFolder = root?.find((path) => !statSync(path, { throwIfNoEntry: false })?.isDirectory());
  if (noFolder !== undefined) {
    tell(styled('red', 'Refused: '), `${noFolder} is no folder. Name one that exists with --root.`);
    tell('Try: sightline mcp --help');
    return wrongUsage;
  }
  const make = await servedTools();
  const names = make({ roots: [], conversation: () => [] }).tools.map(({ name }) => name);
  const stray = only?.find((name) => !names.includes(name));
  if (stray !== undefined) {
    tell(styled('red', 'Refused: '), `There is no tool "${stray}". Tools: ${names.join(', ')}.`);
    return wrongUsage;
  }
  const given = token ?? (process.env['SIGHTLINE_MCP_TOKEN'] || undefined); // there it does not show in the list of processes
  const used = given ?? randomBytes(24).toString('base64url');
  const http: HttpOptions | undefined =
    port === undefined ? undefined : { port, token: used, ...(host !== undefined && { host }) };
  const chosen: ToolsFor = (client) => {
    const all = make(client);
    return { ...all, tools: all.tools.filter(({ name }) => only?.includes(name) ?? true) };
  };
  await using serving = await serveTools(chosen, {
    instructions,
    hide,
    ...(roots && { roots }),
    picturesStay: readSettings().images.never === true,
    ...(http && { http }),
    ...(process.env['SIGHTLINE_DEBUG'] === '1' && { onError: tellError }),
  });
  if (serving.url !== undefined) {
    tell('Listening on ', styled('bold', serving.url));
    if (given === undefined) tell('Token: ', styled('bold', used));
  } else if (process.stdin.isTTY)
    tell('Waiting for an MCP client on stdin. To add it to one, see: sightline mcp --help');
  await serving.ended;
  return done;
}

function tellError({ message }: Error): void {
  tell(styled('dim', message));
}
