// `sightline config`: its options.
import type { Define } from '../parser.ts';

export const define: Define = (command, finish) => {
  command
    .option('--json', 'print the settings as JSON')
    .addHelpText(
      'after',
      '\nA flag overrides the environment, which overrides sightline.toml of this folder,\nwhich overrides config.toml of your home.',
    )
    .action(async (flags: { json?: true }) => {
      const { configCommand } = await import('./config.ts');
      finish(configCommand(flags));
    });
  command
    .command('add-endpoint')
    .description('Add a server of your own: three questions, then it is tried with a picture.')
    .action(async () => {
      const { addEndpoint } = await import('./add-endpoint.ts');
      finish(await addEndpoint());
    });
};
