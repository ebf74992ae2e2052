// `sightline serve`: its options.
import { modelOption, modelsOf } from '../parser.ts';
import type { Define, ModelFlags } from '../parser.ts';
import { portNumber } from '../port.ts';

type Flags = ModelFlags & { port?: number; host?: string };

export const define: Define = (command, finish) => {
  command
    .addOption(
      modelOption('-m, --model <model>', 'the model for names that nobody knows; more are tried when it fails'),
    )
    .option('--port <port>', 'listen at this port instead of 4141; 0 takes any free one', portNumber)
    .option('--host <host>', 'listen on this address instead of this machine alone')
    .addHelpText(
      'after',
      '\nExamples:\n  sightline serve\n  sightline serve -m anthropic/claude-sonnet-5,openai/gpt-5.2',
    )
    .action(async (flags: Flags) => {
      const { serveGateway } = await import('./serve.ts');
      const { port, host } = flags;
      const given = { ...(port !== undefined && { port }), ...(host !== undefined && { host }) };
      finish(await serveGateway({ ...given, models: modelsOf(flags) }));
    });
};
