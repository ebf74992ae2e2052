// One command line. The command that is called is loaded with its options. What goes wrong ends here, in one line and an
// exit code.
import { exposedKey } from '../config/secrets.ts';
import { SightlineError } from '../content/refusal.ts';
import { commands } from './commands.ts';
import type { ExitCode } from './exit.ts';
import { done, failed, wrongUsage } from './exit.ts';
import { rootHelp } from './help.ts';
import { asRefused, tellRefusal } from './refusal.ts';
import type { Command } from './parser.ts';
import { beginOutput, quietWhenClosed, say, sayFailure, sayJson, screenWidth, styled, tell, warn } from './terminal.ts';
import { version } from './version.ts';

/** Runs one command line. Never throws: what comes back is the exit code. */
export async function run(words: readonly string[]): Promise<ExitCode> {
  quietWhenClosed();
  beginOutput();
  process.once('uncaughtException', (error) => process.exit(tellFailure(error)));
  try {
    const [first, ...rest] = words.filter((word) => word !== '--json');
    const exposed = first === 'completion' ? undefined : exposedKey();
    if (exposed !== undefined) warn(styled('yellow', exposed));
    if (words.length === 0 && process.stdin.isTTY && process.stdout.isTTY) return await chatAtOnce();
    if (first === 'help' && rest.length > 0)
      return withJson(
        await obey(commands.some(({ name }) => name === rest[0]) ? [...rest, '--help'] : rest, words),
        words,
      );
    const isHelp = words.length === 0 || ['help', '-h', '--help'].includes(first ?? '');
    if (!isHelp) return withJson(await obey(words, words), words);
    sayText(rootHelp(), words);
    return done;
  } catch (error) {
    return withJson(tellFailure(error), words);
  }
}

/** A text that was asked for: help, the version. */
function sayText(text: string, words: readonly string[]): void {
  if (words.includes('--json')) sayJson({ ok: true, value: text });
  else say(text);
}

/** `--json` holds for failures as well. */
function withJson(code: ExitCode, words: readonly string[]): ExitCode {
  if (words.includes('--json') && (code === failed || code === wrongUsage))
    sayFailure(code === failed ? 'failed' : 'usage', words[0] === 'ask');
  return code;
}

/** `typed` is what stood on the command line. */
async function obey(words: readonly string[], typed: readonly string[]): Promise<ExitCode> {
  const { CommanderError, InvalidArgumentError } = await import('./parser.ts');
  let code: ExitCode = done;
  const texts: string[] = []; // help comes in parts
  const program = await newProgram((text) => texts.push(text));
  for (const { name, does, load } of commands) {
    const command = program.command(name).description(does);
    if (name === words[0]) (await load()).define(command, (result) => (code = result));
    helpAfterMistakes(command, `sightline ${name}`);
  }
  try {
    await program.parseAsync([...words], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error instanceof InvalidArgumentError) tell(`error: ${error.message}`); // found by an action, so not told yet
    return error.exitCode === 0 ? done : wrongUsage;
  } finally {
    if (texts.length > 0) sayText(texts.join('').replace(/\n$/, ''), typed);
  }
}

/** Defines every command, for those who have to know all of them. */
export async function loadAll(program: Command): Promise<void> {
  await Promise.all(
    commands.map(async ({ name, load }) => {
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

/** What no command has told itself: a refusal as every other; a bug, or trouble with the machine, in one line, and where it
 * happened only when asked for. */
function tellFailure(error: unknown): ExitCode {
  if (error instanceof SightlineError && error.code !== 'bug') tellRefusal(asRefused(error));
  else {
    const message = error instanceof Error ? error.message : String(error);
    const known = error instanceof Error && 'syscall' in error;
    const bug = ' This is a bug; please report it with the output of the same command under SIGHTLINE_DEBUG=1.';
    tell(
      styled('red', 'Failed: '),
      message.replace(/[.?!]?$/, (end) => end || '.'),
      known ? '' : bug,
    );
  }
  if (process.env['SIGHTLINE_DEBUG'] === '1' && error instanceof Error) tell(error.stack ?? '');
  return failed;
}

async function newProgram(writeOut: (text: string) => void): Promise<Command> {
  const { Command: New } = await import('./parser.ts');
  const program = new New('sightline')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureOutput({
      writeOut,
      writeErr: (text) => tell(text.replace(/\n$/, '')),
      getOutHelpWidth: () => Math.min(80, screenWidth(process.stdout)),
      getErrHelpWidth: () => Math.min(80, screenWidth(process.stderr)),
    })
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      visibleCommands: ({ commands: own }) => [...own], // "help" is taken everywhere, and listed nowhere
      minWidthToWrap: 12,
    })
    .exitOverride();
  helpAfterMistakes(program, 'sightline');
  return program;
}

/** Every mistake ends with the way to the help of just that command. */
function helpAfterMistakes(command: Command, name: string): void {
  command.showHelpAfterError(`Try: ${name} --help`);
  for (const child of command.commands) helpAfterMistakes(child, `${name} ${child.name()}`);
}
