// `sightline mcp login` and `logout`: lets a person allow us to use a server over HTTP, in her browser.
import { join } from 'node:path';
import { readSettings } from '../../config/config.ts';
import { homeFolder } from '../../config/home.ts';
import type { McpServer } from '../../config/mcp.ts';
import { SightlineError } from '../../content/refusal.ts';
import { filledIn } from '../../mcp/environment.ts';
import { logIn } from '../../mcp/log-in.ts';
import { forgetLogin, loginFile } from '../../mcp/login.ts';
import { isTrusted } from '../../toolbox/executable/place.ts';
import { openOnDesktop } from '../../tui/desktop.ts';
import type { ExitCode } from '../exit.ts';
import { done } from '../exit.ts';
import { styled, tell } from '../terminal.ts';

type SiteServer = Extract<McpServer, { url: string }>;

const patienceMs = 5 * 60_000;

/** Where logins lie in a home. */
export function loginFolder(): string {
  return join(homeFolder(), 'mcp');
}

export async function loginCommand(name: string): Promise<ExitCode> {
  const server = serverNamed(name);
  const { url } = server;
  if (server.project !== undefined && !isTrusted(homeFolder(), server.project))
    throw new SightlineError(
      'config',
      `The project that asks for ${name} is not trusted. Trust it first: sightline tools trust`,
    );
  const signal = AbortSignal.timeout(patienceMs);
  const file = loginFile(loginFolder(), name);
  const outcome = await logIn(url, { file, headers: headersOf(name, server), signal, ask: showAddress });
  tell(outcome === 'open' ? `${name} wants no login.` : styled('green', `Logged in at ${new URL(url).host}.`));
  return done;
}

export async function logoutCommand(name: string): Promise<ExitCode> {
  forgetLogin(loginFile(loginFolder(), name));
  tell(`The login of ${name} is forgotten here. The server may have to be told, too.`);
  return done;
}

function serverNamed(name: string): SiteServer {
  const { mcp } = readSettings();
  const server = Object.hasOwn(mcp, name) ? mcp[name] : undefined;
  const sites = Object.entries(mcp).flatMap(([site, about]) => ('url' in about ? [site] : []));
  const known = sites.length === 0 ? 'There is none with a url in config.toml.' : `There are: ${sites.join(', ')}.`;
  if (!server) throw new SightlineError('config', `There is no MCP server "${name}". ${known}`);
  if (!('url' in server)) throw new SightlineError('config', `${name} is a program and wants no login. ${known}`);
  return server;
}

/** All but the token that a login is in place of. */
function headersOf(name: string, { url, headers = {} }: SiteServer): Readonly<Record<string, string>> {
  const others = Object.entries(headers).filter(([header]) => header.toLowerCase() !== 'authorization');
  try {
    const filled = filledIn({ url, headers: Object.fromEntries(others) }, process.env);
    return 'headers' in filled ? filled.headers : {};
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SightlineError('config', `The login at ${name} cannot begin: ${why}. Set it.`, { cause: error });
  }
}

/** The browser is opened where there is one; the address is told in any case. */
function showAddress(address: URL): void {
  tell('Allow it in your browser:');
  tell('  ', styled('bold', address.href));
  if (process.stderr.isTTY) void openOnDesktop(address.href);
}
