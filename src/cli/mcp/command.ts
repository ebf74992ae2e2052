// `sightline mcp` and its commands: their options.
import type { Define } from '../parser.ts';
import { portNumber } from '../port.ts';

type ServeFlags = { http?: number | true; host?: string; token?: string; tools?: string[]; root?: string[] };

export const define: Define = (command, finish) => {
  command
    .option('--http [port]', 'serve over HTTP at this port, or at any free one', portNumber)
    .option('--host <host>', 'listen on this address instead of only on this machine')
    .option('--token <token>', 'what clients must send; without it one is made and printed')
    .option('--tools <names>', 'serve only these tools, such as read_file,view_asset', commaList)
    .option('--root <folder>', 'let files be read only here; may be repeated', addTo)
    .addHelpText(
      'after',
      '\nExamples:\n  claude mcp add sightline -- sightline mcp\n  sightline mcp --http 8765\n  sightline mcp list',
    )
    .action(async ({ http, ...flags }: ServeFlags) => {
      if (http === undefined && (flags.host !== undefined || flags.token !== undefined)) {
        command.error('error: --host and --token need --http');
      }
      const { serveCommand } = await import('./serve.ts');
      const port = http === true ? 0 : http;
      finish(await serveCommand({ ...flags, ...(port !== undefined && { port }) }));
    });
  command
    .command('list')
    .description('Show the configured MCP servers, their state and their tools.')
    .option('--json', 'print the list as JSON')
    .action(async (flags: { json?: true }) => {
      const { listServersCommand } = await import('./list.ts');
      finish(await listServersCommand(flags));
    });
  command
    .command('login <server>')
    .description('Log in to an MCP server over HTTP that requires it, in your browser.')
    .action(async (name: string) => finish(await import('./login.ts').then((it) => it.loginCommand(name))));
  command
    .command('logout <server>')
    .description('Forget the login to an MCP server.')
    .action(async (name: string) => finish(await import('./login.ts').then((it) => it.logoutCommand(name))));
};

function commaList(value: string): string[] {
  return value.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}

function addTo(value: string, before: string[] = []): string[] {
  return [...before, value];
}
