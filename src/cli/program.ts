// One command line. The table lists the commands; the one that is called is loaded with its options, the others only
// lend their name to the help. What goes wrong ends here, in one line and an exit code.
import { SightlineError } from '../content/refusal.ts';
import { endpoints } from '../window/catalog.ts';
import type { ExitCode } from './exit.ts';
import { done, failed, interrupted, wrongUsage } from './exit.ts';
import { Command, CommanderError } from './parser.ts';
import type { Define } from './parser.ts';
import { quietWhenClosed, say, styled, tell } from './terminal.ts';
import { version } from './version.ts';

type Row = { name: string; does: string; load: () => Promise<{ define: Define }> };

const table: Row[] = [
  {
    name: 'ask',
    does: 'Ask one question, about files if you like.',
    load: () => import('./ask/command.ts'),
  },
  {
    name: 'chat',
    does: 'Talk with a model that sees what its tools see.',
    load: () => import('./chat/command.ts'),
  },
  {
    name: 'read',
    does: 'Show a file as a model would get it.',
    load: () => import('./read/command.ts'),
  },
  {
    name: 'wire',
    does: 'Show the exact request that a model would get for a transcript.',
    load: () => import('./wire/command.ts'),
  },
  {
    name: 'tools',
    does: 'Look after your own tools: programs that models may call.',
    load: () => import('./tools/command.ts'),
  },
  {
    name: 'sessions',
    does: 'Look after conversations: list, show, search, export, fork, repair.',
    load: () => import('./sessions/command.ts'),
  },
  {
    name: 'models',
    does: 'List the models that can be reached and what each can see.',
    load: () => import('./models/command.ts'),
  },
  {
    name: 'mcp',
    does: 'Serve the tools to other agents over MCP.',
    load: () => import('./mcp/command.ts'),
  },
  {
    name: 'config',
    does: 'Show the settings that hold here, and where each comes from.',
    load: () => import('./config/command.ts'),
  },
  {
    name: 'doctor',
    does: 'Say what works here, and what to do about what does not.',
    load: () => import('./doctor/command.ts'),
  },
  {
    name: 'completion',
    does: 'Print a script that completes commands in your shell.',
    load: () => import('./completion/command.ts'),
  },
  {
    name: 'demo',
    does: 'Watch a picture and a PDF from tools reach seven models; no key needed.',
    load: () => import('./demo/command.ts'),
  },
];

/** Runs one command line. Never throws: what comes back is the exit code. */
export async function run(words: readonly string[]): Promise<ExitCode> {
  quietWhenClosed();
  process.once('SIGINT', () => process.exit(interrupted));
  process.once('uncaughtException', (error) => process.exit(tellFailure(error)));
  let code: ExitCode = done;
  const program = newProgram();
  for (const row of table) {
    const command = program.command(row.name).description(row.does);
    if (row.name === words[0]) (await row.load()).define(command, (result) => (code = result));
    helpAfterMistakes(command, `sightline ${row.name}`);
  }
  try {
    if (words.length === 0 && process.stdin.isTTY && process.stdout.isTTY) return await chatAtOnce();
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync([...words], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : wrongUsage;
    return tellFailure(error);
  }
}

/** Defines every command, for those who have to know all of them. */
export async function loadAll(program: Command): Promise<void> {
  await Promise.all(
    table.map(async ({ name, load }) => {
      const command = program.commands.find((one) => one.name() === name);
      const isNew = command !== undefined && command.registeredArguments.length + command.options.length === 0;
      if (isNew && command.commands.length === 0) (await load()).define(command, () => undefined);
    }),
  );
}

/** A person who just types the name wants to talk. */
async function chatAtOnce(): Promise<ExitCode> {
  const { chatCommand } = await import('./chat/chat.ts');
  return await chatCommand({ models: [], tools: 'all' });
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

function newProgram(): Command {
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
    .addHelpText('after', examples);
  helpAfterMistakes(program, 'sightline');
  return program;
}

/** Every mistake ends with the way to the help of just that command. */
function helpAfterMistakes(command: Command, name: string): void {
  command.showHelpAfterError(`Try: ${name} --help`);
  for (const child of command.commands) helpAfterMistakes(child, `${name} ${child.name()}`);
}

const examples = `
Examples:
  sightline                                   opens a chat
  sightline ask "what does @chart.png show?"
  sightline read report.pdf --pages 1-5
  sightline read report.pdf -m anthropic/claude-sonnet-4-5,ollama/llama3.1
  sightline wire transcript.json -m openai-chat/gpt-4.1 --explain

A model is endpoint/model, or a name of your own from config.toml; SIGHTLINE_MODEL
sets the default. Endpoints:
${wrapped(Object.keys(endpoints))}.`;

/** A list in lines that fit the screen. */
function wrapped(words: readonly string[]): string {
  const lines = [''];
  for (const [index, word] of words.entries()) {
    const part = index + 1 < words.length ? `${word}, ` : word;
    if ((lines.at(-1) ?? '').length + part.length > 78) lines.push('');
    lines[lines.length - 1] += part;
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}
