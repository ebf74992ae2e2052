// `sightline completion`: a script for a shell, made from the commands as they are defined. Options are offered after a
// dash, commands where one may stand, the names of models, sessions and tools where one is wanted, files everywhere else,
// behind an @ too.
import type { ExitCode } from '../exit.ts';
import { done, wrongUsage } from '../exit.ts';
import type { Command, Option } from '../parser.ts';
import { loadAll } from '../program.ts';
import { say, styled, tell } from '../terminal.ts';
import { namesToOffer } from './names.ts';
import type { NameKind } from './names.ts';
import { bash, fish, zsh } from './shells.ts';
import type { CommandLine, Wanted } from './shells.ts';

export async function completionCommand(wish: string, program: Command): Promise<ExitCode> {
  if (isNameKind(wish)) {
    for (const { name, about } of await namesToOffer(wish)) say(about === '' ? name : `${name}\t${about}`);
    return done;
  }
  const write = { bash, zsh, fish }[wish];
  if (!write) {
    tell(styled('red', 'error: '), `"${wish}" is not bash, zsh or fish`);
    tell('Try: sightline completion --help');
    return wrongUsage;
  }
  await loadAll(program);
  say(write(linesOf(program, '')));
  return done;
}

function linesOf(command: Command, words: string): CommandLine[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const next = children.map((one) => ({ name: one.name(), does: one.description() }));
  const options = help
    .visibleOptions(command)
    .flatMap((option) => (option.long ? [{ ...flagsOf(option), does: option.description }] : []));
  const [first] = command.registeredArguments;
  const wanted = first && wantedBy(first.name(), first.argChoices);
  return [
    { words, next, options, ...(wanted && { argument: { wanted, again: first.variadic } }) },
    ...children.flatMap((one) => linesOf(one, `${words} ${one.name()}`.trim())),
  ];
}

function flagsOf({ short, long, flags, required, argChoices }: Option): Omit<CommandLine['options'][number], 'does'> {
  const [, value = ''] = /[<[]([^>\]]+)[>\]]/.exec(flags) ?? [];
  const wanted = value === '' ? undefined : wantedBy(value, argChoices);
  return { name: long ?? '', takesValue: required, ...(short && { short }), ...(wanted && { wanted }) };
}

const kinds: Readonly<Record<string, NameKind>> = {
  model: 'models',
  models: 'models',
  session: 'sessions',
  id: 'sessions',
  transcript: 'sessions',
  tool: 'tools',
  tools: 'tools',
  names: 'toolbox',
};

/** By what a value is called in the help. */
function wantedBy(value: string, choices: readonly string[] | undefined): Wanted | undefined {
  if (choices) return { words: choices };
  const names = kinds[value];
  return names && { names };
}

function isNameKind(word: string): word is NameKind {
  return Object.values(kinds).some((kind) => kind === word);
}
