// `sightline tools`: its commands and their options.
import { Option, modelOption, modelsOf } from '../parser.ts';
import type { Define, ModelFlags } from '../parser.ts';
import { languages } from './templates.ts';
import type { Language } from './templates.ts';

type NewFlags = { lang?: Language; from?: string; project?: true; replace?: true; json?: true };
type TestFlags = ModelFlags & { input?: string; json?: true };

/** Looking, making and trying. */
const defineMaking: Define = (command, finish) => {
  command.addHelpText(
    'after',
    '\nExamples:\n  sightline tools new chart --lang py\n  sightline tools test chart -m anthropic/claude-sonnet-5,ollama/llama3.1\n  sightline tools list',
  );
  command
    .command('list')
    .description('Show the tools and whether each of them works.')
    .option('--refresh', 'ask every file for its spec again')
    .option('--json', 'print the list as JSON')
    .action(async (flags: { refresh?: true; json?: true }) => {
      const { listToolsCommand } = await import('./list.ts');
      finish(await listToolsCommand(flags));
    });
  command
    .command('new')
    .description('Make a tool that works at once, for you to change.')
    .argument('<name>', 'the name of the tool')
    .addOption(new Option('--lang <language>', 'its language').choices(languages))
    .option('--from <file>', 'take this file instead of a template; - is stdin')
    .option('--project', 'put it into this project instead of your home')
    .option('--replace', 'take the place of a tool of that name; the old one is archived')
    .option('--json', 'print what was made as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  sightline tools new chart --lang sh\n  sightline tools new chart --from ./chart.py --replace',
    )
    .action(async (name: string, flags: NewFlags) => {
      const { newCommand } = await import('./make.ts');
      finish(await newCommand(name, flags));
    });
  command
    .command('inspect')
    .description('Show everything about one tool.')
    .argument('<tool>', 'its name, or the path of a file')
    .option('--json', 'print it as JSON')
    .action(async (name: string, flags: { json?: true }) => {
      const { inspectCommand } = await import('./inspect.ts');
      finish(await inspectCommand(name, flags));
    });
  command
    .command('test')
    .description('Run a tool and show exactly what a model would get.')
    .argument('<tool>', 'its name, or the path of a file')
    .argument('[arguments...]', 'its arguments, such as width=300 title="Sales"')
    .option('--input <json>', 'its arguments as JSON; - is stdin')
    .addOption(modelOption('-m, --model <models>', 'show how these models would get the result, such as a/b,c/d'))
    .addOption(modelOption('--for <models>', 'the same as --model'))
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  sightline tools test chart height=200\n  sightline tools test ./chart.py --input \'{"values":[1,2]}\' -m openai/gpt-5.2',
    )
    .action(async (name: string, words: string[], flags: TestFlags) => {
      const { testCommand } = await import('./try.ts');
      const { input, json } = flags;
      finish(
        await testCommand(name, words, {
          models: modelsOf(flags),
          ...(input !== undefined && { input }),
          ...(json && { json }),
        }),
      );
    });
};

/** Tools that were written elsewhere. */
const defineInstalling: Define = (command, finish) => {
  command
    .command('install')
    .description('Copy a tool into your home; it is tried first, and where it came from is remembered.')
    .argument('<file>', 'the executable')
    .option('--project', 'put it into this project instead of your home')
    .option('--replace', 'take the place of a tool of that name; the old one is archived')
    .option('--json', 'print what was installed as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  sightline tools install ~/src/charts/chart.py\n  sightline tools update chart',
    )
    .action(async (file: string, flags: { project?: true; replace?: true; json?: true }) => {
      const { installCommand } = await import('./install.ts');
      finish(await installCommand(file, flags));
    });
  command
    .command('update')
    .description('Copy installed tools again from where they came from.')
    .argument('[tools...]', 'their names; all when left out')
    .option('--replace', 'also those that were changed here; what is replaced is archived')
    .option('--json', 'print what became of each as JSON')
    .action(async (names: string[], flags: { replace?: true; json?: true }) => {
      const { updateCommand } = await import('./install.ts');
      finish(await updateCommand(names, flags));
    });
};

/** What becomes of a tool that is there. */
const defineKeeping: Define = (command, finish) => {
  command
    .command('archive')
    .description('Take a tool out of its folder and keep it.')
    .argument('<tool>', 'its name')
    .option('--json', 'print where it went as JSON')
    .action(async (name: string, flags: { json?: true }) => {
      const { archiveCommand } = await import('./shelf.ts');
      finish(await archiveCommand(name, flags));
    });
  command
    .command('restore')
    .description('Put the newest archived version of a tool back.')
    .argument('<name>', 'the name of its file without the ending')
    .option('--project', 'look in this project instead of your home')
    .option('--json', 'print where it is as JSON')
    .action(async (name: string, flags: { project?: true; json?: true }) => {
      const { restoreCommand } = await import('./shelf.ts');
      finish(await restoreCommand(name, flags));
    });
  command
    .command('auth')
    .description('Let a tool ask you for what it needs, such as a login.')
    .argument('<tool>', 'its name')
    .option('--json', 'print the result as JSON')
    .action(async (name: string, flags: { json?: true }) => {
      const { authCommand } = await import('./auth.ts');
      finish(await authCommand(name, flags));
    });
  command
    .command('trust')
    .description('Let the tools of a project run, and the MCP servers that sightline.toml of this folder asks for.')
    .argument('[folder]', 'a folder of the project; this one when left out')
    .option('--remove', 'no longer let them run')
    .option('--json', 'print the result as JSON')
    .action(async (folder: string | undefined, flags: { remove?: true; json?: true }) => {
      const { trustCommand } = await import('./trust.ts');
      finish(await trustCommand(folder, flags));
    });
};

export const define: Define = (command, finish) => {
  defineMaking(command, finish);
  defineInstalling(command, finish);
  defineKeeping(command, finish);
};
