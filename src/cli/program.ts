// The commands and their options; the only file that knows the option parser. Each command is loaded when it is
// called, so that help and mistakes answer at once. What goes wrong ends here, in one line and an exit code.
import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { SightlineError } from '../content/refusal.ts';
import { endpoints } from '../window/catalog.ts';
import type { Effort } from '../window/profile.ts';
import type { ExitCode } from './exit.ts';
import { done, failed, interrupted, wrongUsage } from './exit.ts';
import type { ReadArguments } from './read.ts';
import { quietWhenClosed, say, styled, tell } from './terminal.ts';

type ModelOptions = { model?: string[]; for?: string[] };
type ReadFlags = ModelOptions & Omit<ReadArguments, 'models' | 'password'> & { password?: string | true };
type WireFlags = ModelOptions & { full?: true; explain?: true; json?: true; maxTokens?: number; thinking?: Effort };

/** Runs one command line. Never throws: what comes back is the exit code. */
export async function run(words: readonly string[]): Promise<ExitCode> {
  quietWhenClosed();
  process.once('SIGINT', () => process.exit(interrupted));
  process.once('uncaughtException', (error) => process.exit(tellFailure(error)));
  let code: ExitCode = done;
  const program = commands((result) => (code = result));
  try {
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync([...words], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : wrongUsage;
    return tellFailure(error);
  }
}

/** A bug, or trouble with the machine: one line, and where it happened only when asked for. */
function tellFailure(error: unknown): ExitCode {
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof SightlineError ? error.code !== 'bug' : error instanceof Error && 'syscall' in error;
  const bug = ' This is a bug; please report it with the output of the same command under SIGHTLINE_DEBUG=1.';
  tell(styled('red', 'Failed: '), message.replace(/\.?$/, '.'), known ? '' : bug);
  if (process.env['SIGHTLINE_DEBUG'] === '1' && error instanceof Error) tell(error.stack ?? '');
  return failed;
}

function commands(finish: (code: ExitCode) => void): Command {
  const program = new Command('sightline')
    .description('Every model sees what your tools see: pictures, PDFs and other media.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => say(text.replace(/\n$/, '')),
      writeErr: (text) => tell(text.replace(/\n$/, '')),
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    })
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .addHelpText('after', programExamples);
  addRead(program, finish);
  addWire(program, finish);
  addDemo(program, finish);
  for (const command of [program, ...program.commands]) {
    const name = command === program ? 'sightline' : `sightline ${command.name()}`;
    command.showHelpAfterError(`Try: ${name} --help`);
  }
  return program;
}

const programExamples = `
Examples:
  sightline demo
  sightline read report.pdf --pages 1-5
  sightline read report.pdf -m anthropic/claude-sonnet-4-5,ollama/llama3.1
  sightline wire transcript.json -m openai-chat/gpt-4.1 --explain

A model is endpoint/model, or a name of your own from config.toml; SIGHTLINE_MODEL
sets the default. Endpoints: ${Object.keys(endpoints).slice(0, 5).join(', ')},
${Object.keys(endpoints).slice(5).join(', ')}.`;

function addRead(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('read')
    .description('Show a file as a model would get it.')
    .argument('<path...>', 'files to read; - is stdin')
    .option('--pages <range>', 'pages of a PDF, such as 1-20 or 7')
    .addOption(new Option('--as <form>', 'as itself, as text, or as page pictures').choices(['auto', 'text', 'image']))
    .addOption(modelOption('-m, --model <models>', 'show how these models would get it, such as a/b,c/d'))
    .addOption(modelOption('--for <models>', 'the same as --model'))
    .option('--password [password]', 'password of a PDF; asked for when left out')
    .option('--json', 'print the reading as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  sightline read scan.png\n  sightline read report.pdf -m openai/gpt-5.2,ollama/llama3.1\n  cat notes.txt | sightline read -',
    )
    .action(async (paths: string[], flags: ReadFlags, command: Command) => {
      if (paths.filter((path) => path === '-').length > 1) command.error('error: - (stdin) can be read only once');
      const { pages, as, json, password: given } = flags;
      const password = given === true ? await askPassword(command) : given;
      const { standingModel } = await import('./model.ts');
      const standing = standingModel();
      const { readCommand } = await import('./read.ts');
      finish(
        await readCommand(paths, {
          models: modelsOf(flags),
          ...(pages !== undefined && { pages }),
          ...(as !== undefined && { as }),
          ...(json && { json }),
          ...(standing && { standing }),
          ...(password !== undefined && { password }),
        }),
      );
    });
}

function addWire(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('wire')
    .description('Show the exact request that a model would get for a transcript.')
    .argument('<transcript>', 'a transcript as JSON; - is stdin')
    .addOption(modelOption('-m, --model <model>', 'the model, such as anthropic/claude-sonnet-4-5'))
    .addOption(modelOption('--for <model>', 'the same as --model'))
    .option('--full', 'print the body alone, exactly as it would be sent')
    .option('--explain', 'say on stderr what went where, and why')
    .option('--json', 'print the request as JSON, base64 left out')
    .option('--max-tokens <n>', 'the most tokens of the answer', wholeNumber)
    .addOption(new Option('--thinking <effort>', 'how much to think').choices(['off', 'low', 'medium', 'high', 'max']))
    .addHelpText(
      'after',
      '\nExamples:\n  sightline wire chat.json -m openai-chat/gpt-4.1 --explain\n  sightline wire chat.json -m gemini/gemini-2.5-pro --full | jq .',
    )
    .action(async (path: string, flags: WireFlags, command: Command) => {
      const { model: _model, for: _for, ...rest } = flags;
      const { standingModel } = await import('./model.ts');
      const [model = standingModel(), ...more] = modelsOf(flags);
      if (!model)
        command.error('error: no model. Name one, such as -m anthropic/claude-sonnet-4-5 or -m openai/gpt-5.2');
      if (more.length > 0) command.error('error: wire shows the request of one model; name one');
      const { wireCommand } = await import('./wire.ts');
      finish(await wireCommand(path, { ...rest, model }));
    });
}

function addDemo(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('demo')
    .description('Watch a picture and a PDF from tools reach seven models; no key needed.')
    .option('--save <folder>', 'also write the picture, the PDF and the transcript there')
    .option('--json', 'print the table as JSON')
    .action(async (flags: { json?: true; save?: string }) => {
      const { demoCommand } = await import('./demo/demo.ts');
      finish(await demoCommand(flags));
    });
}

function modelOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(addModels);
}

/** `a/b,c/d`, and the option again for more. */
function addModels(value: string, before: string[] = []): string[] {
  return [...before, ...value.split(',').map((name) => name.trim())].filter((name) => name !== '');
}

function modelsOf({ model = [], for: alias = [] }: ModelOptions): string[] {
  return [...model, ...alias];
}

function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return number;
}

async function askPassword(command: Command): Promise<string> {
  const { ask } = await import('./ask.ts');
  const answer = await ask('Password: ');
  return answer ?? command.error('error: there is no terminal to ask for the password on; write --password=<password>');
}

/** The same file lies two folders up from the source and from the built program. */
function version(): string {
  const { version: found } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return found;
}
