// `sightline mcp list`: starts every server of the configuration, shows what came of it, and ends them again.
import { readSettings } from '../../config/config.ts';
import { connectServers } from '../../mcp/client.ts';
import type { ServerState } from '../../mcp/client.ts';
import { isTrusted } from '../../toolbox/executable/place.ts';
import { homeFolder } from '../../config/home.ts';
import { done, failed } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { loginFolder } from './login.ts';
import { busy, say, sayJson, styled, tell } from '../terminal.ts';
import type { Style } from '../terminal.ts';

export async function listServersCommand({ json }: { json?: true }): Promise<ExitCode> {
  const { mcp } = readSettings();
  const starting = connectServers(mcp, { trusts, roots: [process.cwd()], logins: loginFolder() });
  await using servers = await busy('starting the servers', starting);
  const { states } = servers;
  if (json) sayJson(states);
  else if (states.length === 0)
    tell(
      'No MCP servers yet. Add one to config.toml:\n\n[mcp.files]\ncommand = "npx"\nargs = ["-y", "@modelcontextprotocol/server-filesystem", "."]',
    );
  else states.forEach(sayState);
  return states.some(({ state }) => state === 'failed') ? failed : done;
}

function trusts(project: string): boolean {
  return isTrusted(homeFolder(), project);
}

const styles: Record<ServerState['state'], Style> = {
  ready: 'green',
  untrusted: 'yellow',
  failed: 'red',
  closed: 'red',
};

function sayState({ name, state, about, tools, problem }: ServerState): void {
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  say(styled('bold', name), '  ', styled(styles[state], state), about === undefined ? '' : `  ${about}`, `  ${count}`);
  if (problem !== undefined) say('  ', problem);
  for (const tool of tools) say(styled('dim', `  ${tool}`));
}
