// `sightline read`: its options.
import { wishOf } from '../../media/document/reader.ts';
import { Option, modelOption, modelsOf, wholeNumber } from '../parser.ts';
import type { Command, Define, ModelFlags } from '../parser.ts';
import { lineRange, pageRange } from './flags.ts';
import type { ReadArguments } from './read.ts';

type Flags = ModelFlags & Omit<ReadArguments, 'models' | 'password'> & { password?: string | true };

export const define: Define = (command, finish) => {
  command
    .argument('<path...>', 'files to read; - is stdin')
    .option('--pages <range>', 'pages of a PDF, or slides, such as 1-20 or 7', pageRange)
    .option('--lines <range>', 'lines of a text, such as 200-400 or 200-', lineRange)
    .option('--character <n>', 'where to go on within a line that is too long', wholeNumber)
    .addOption(new Option('--as <form>', 'as itself, as text, or as page pictures').choices(['auto', 'text', 'image']))
    .addOption(modelOption('-m, --model <models>', 'show how these models would get it, such as a/b,c/d'))
    .addOption(modelOption('--for <models>', 'the same as --model'))
    .option('--password [password]', 'password of a PDF; asked for when left out')
    .option('--images', 'the pictures inside a document, too')
    .option('--sheet <name>', 'one sheet of a workbook, by name or number')
    .option('--rows <range>', 'rows of a sheet or a CSV file, such as 200-400')
    .option('--columns <range>', 'columns of a sheet or a CSV file, such as C-F')
    .option('--formulas', 'the formulas beside the values of a sheet')
    .option('--clean', 'tracked changes accepted, no comments')
    .option('--part <name>', 'one file or picture inside a mail, a zip archive or a document')
    .option('--encoding <name>', 'of a text that is no Unicode, such as shift_jis')
    .option(
      '--out <folder>',
      'read many files: a line of JSON for each into this folder, with their media; run it again to continue',
    )
    .option('--jobs <n>', 'with --out: how many processes (2)', wholeNumber)
    .option('--shard <i/n>', 'with --out: the i-th of n shares, for as many machines')
    .option('--json', 'print the reading as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  sightline read scan.png\n  sightline read report.pdf -m openai/gpt-5.2,ollama/llama3.1\n  cat notes.txt | sightline read -',
    )
    .action(async (paths: string[], flags: Flags) => {
      if (paths.filter((path) => path === '-').length > 1) command.error('error: - (stdin) can be read only once');
      const { pages, lines, character, as, json, images, part, out, jobs, shard, password: given } = flags;
      if (out === undefined && (jobs !== undefined || shard !== undefined))
        command.error('error: --jobs and --shard need --out <folder>');
      const password = given === true ? await askPassword(command) : given;
      const { standingModel } = await import('../model.ts');
      const standing = standingModel();
      const { readCommand } = await import('./read.ts');
      finish(
        await readCommand(paths, {
          models: modelsOf(flags),
          ...(pages !== undefined && { pages }),
          ...(lines && { lines }),
          ...(character !== undefined && { character }),
          ...(as !== undefined && { as }),
          ...(json && { json }),
          ...(images && { images }),
          ...(part !== undefined && { part }),
          ...(out !== undefined && { out }),
          ...(jobs !== undefined && { jobs: Math.max(1, jobs) }),
          ...(shard !== undefined && { shard }),
          ...wishOf(flags),
          ...(standing && { standing }),
          ...(password !== undefined && { password }),
        }),
      );
    });
};

async function askPassword(command: Command): Promise<string> {
  const { askSecret, canAsk } = await import('../secret.ts');
  if (!canAsk()) command.error('error: there is no terminal to ask for the password on; write --password=<password>');
  return (await askSecret('Password: ')) ?? command.error('error: no password was given');
}
