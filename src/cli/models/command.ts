// `sightline models`: its options.
import type { Define } from '../parser.ts';

type Flags = { refresh?: true; json?: true; all?: true };

export const define: Define = (command, finish) => {
  command
    .option('--refresh', 'ask every endpoint again, ignoring what is remembered')
    .option('--all', 'also models of the catalog that cannot be reached')
    .option('--json', 'print the list as JSON')
    .argument('[endpoint]', 'only this endpoint, such as ollama')
    .addHelpText(
      'after',
      '\nExamples:\n  sightline models\n  sightline models ollama --refresh\n  sightline models default anthropic/claude-sonnet-5',
    )
    .action(async (endpoint: string | undefined, flags: Flags) => {
      const { listModels } = await import('./list.ts');
      finish(await listModels({ ...flags, ...(endpoint !== undefined && { endpoint }) }));
    });
  command
    .command('default')
    .description('Set the model that is used when none is named.')
    .argument('<model>', 'endpoint/model, or a name from config.toml')
    .action(async (model: string) => {
      const { setDefault } = await import('./default.ts');
      finish(setDefault(model));
    });
};
