// `sightline serve`: its options.
import { nearest } from '../../config/wrong.ts';
import { modelOption, modelsOf } from '../parser.ts';
import type { Define, ModelFlags } from '../parser.ts';
import { portNumber } from '../port.ts';
import { gatewayClients } from './clients.ts';

type Flags = ModelFlags & { port?: number; host?: string; config?: string; inspect?: true };

export const define: Define = (command, finish) => {
  const serve = async (flags: Flags, more: object = {}): Promise<void> => {
    const { serveGateway } = await import('./serve.ts');
    const { port, host, config, inspect } = flags;
    const given = {
      ...(port !== undefined && { port }),
      ...(host !== undefined && { host }),
      ...(config !== undefined && { config }),
      ...(inspect && { inspect }),
    };
    finish(await serveGateway({ ...given, models: modelsOf(flags), ...more }));
  };
  command
    .addOption(
      modelOption(
        '-m, --model <model>',
        'the model for unknown names; of several, the next one is tried when one fails',
      ),
    )
    .option('--port <port>', 'listen at this port instead of 4141; 0 takes any free one', portNumber)
    .option('--host <host>', 'listen on this address instead of only on this machine')
    .option('--inspect', 'open the inspector as well: a page, only for this machine, with every request as it was sent')
    .option('--config <file>', 'read the settings from this file instead of config.toml of your home')
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\nExamples:\n  sightline serve\n  sightline serve -m anthropic/claude-sonnet-5,openai/gpt-5.2\n  sightline serve claude -m gemini/gemini-2.5-pro\n  sightline serve --inspect',
    )
    .action(async (flags: Flags) => {
      const [word] = command.args;
      if (word !== undefined) command.error(unknownClient(word));
      await serve(flags);
    });
  for (const client of gatewayClients) {
    command
      .command(`${client.name} [args...]`)
      .description(`Start ${client.title} with this gateway; what follows "--" is for it.`)
      .addOption(
        modelOption(
          '-m, --model <model>',
          'the model that answers everything; of several, the next one is tried when one fails',
        ),
      )
      .action((args: string[], flags: Flags) => serve({ ...command.opts(), ...flags }, { client, args }));
  }
  command
    .command('show <id>')
    .description('What was decided for a request, by the id that its answer or the log names.')
    .option('--json', 'print JSON')
    .action(async (id: string, flags: { json?: boolean }) =>
      finish(await import('./show.ts').then((it) => it.showRequest(id, flags))),
    );
  command
    .command('key <name>')
    .description('Make a key for somebody who may use the gateway, and print the lines for config.toml.')
    .action(async (name: string) => finish(await import('./key.ts').then((it) => it.newKeyCommand(name))));
  command.allowExcessArguments(); // of serve alone: what stands there is told as what it was meant for
};

function unknownClient(word: string): string {
  const names = gatewayClients.map(({ name }) => name);
  const meant = nearest(word, names);
  const hint = meant === undefined ? '' : ` (Did you mean ${meant}?)`;
  return `error: "${word}" is no client that serve can start: these are ${names.join(', ')}${hint}. Any other works with the address that sightline serve prints.`;
}
