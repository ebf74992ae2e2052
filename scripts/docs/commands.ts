// The tables of docs/commands.md: every command with what it takes, walked as the completion walks them, and what a chat
// takes behind a slash.
import { commands } from '../../src/cli/commands.ts';
import { Command } from '../../src/cli/parser.ts';
import type { Option } from '../../src/cli/parser.ts';
import { loadAll } from '../../src/cli/program.ts';
import { commandRows, keysHelp } from '../../src/tui/commands.ts';
import { table } from './tables.ts';

const program = new Command('sightline');
for (const { name, does } of commands) program.command(name).description(does);
await loadAll(program);

/** One section for each command, those below it after it. */
export function commandTables(): string {
  return program.commands.flatMap((command) => sectionsOf(command, 'sightline')).join('\n\n');
}

function sectionsOf(command: Command, before: string): string[] {
  const name = `${before} ${command.name()}`;
  const given = command.registeredArguments.map((one) => {
    const word = one.variadic ? `${one.name()}...` : one.name();
    return { term: one.required ? `<${word}>` : `[${word}]`, words: one.description };
  });
  const rows = [
    ...given.filter(({ words }) => words !== '').map(({ term, words }) => [`\`${term}\``, plain(words)]),
    ...command.options.map((option) => [`\`${option.flags}\``, said(option)]),
  ];
  const head = `${'#'.repeat(name.split(' ').length)} \`${[name, ...given.map(({ term }) => term)].join(' ')}\``;
  const own = [head, command.description(), ...(rows.length > 0 ? [table(['', 'what it does'], rows)] : [])].join(
    '\n\n',
  );
  return [own, ...command.commands.flatMap((child) => sectionsOf(child, name))];
}

/** What an option does, what it takes, and what holds without it. */
function said({ description, argChoices, defaultValue, mandatory }: Option): string {
  const usual: unknown = defaultValue;
  return [
    plain(description),
    ...(argChoices ? [`: ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`] : []),
    ...(typeof usual === 'string' ? [`; \`${usual}\` unless set`] : []),
    ...(mandatory ? ['; must be given'] : []),
  ].join('');
}

const plain = (words: string): string => words.replaceAll('|', '\\|').replaceAll('<', '\\<');

/** What stands behind a slash in a chat. */
export function slashTable(): string {
  const rows = commandRows.map(({ name, argument, does, harmless }) => [
    `\`/${name}${argument === undefined ? '' : ` ${argument}`}\``,
    plain(does),
    harmless === true ? 'yes' : 'no',
  ]);
  return table(['command', 'what it does', 'while the model answers'], rows);
}

export function keyTable(): string {
  return table(
    ['keys', 'what they do'],
    keysHelp.map(([keys, does]) => [keys, plain(does)]),
  );
}
