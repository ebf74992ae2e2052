// `sightline completion`: a script for a shell, made from the commands as they are defined. Words that are no command
// and no option are left to the shell, which completes files.
import type { ExitCode } from '../exit.ts';
import { done, wrongUsage } from '../exit.ts';
import type { Command } from '../parser.ts';
import { say, tell } from '../terminal.ts';
import { loadAll } from '../program.ts';

/** A command by its words, such as `tools new`: what may follow it. */
type Line = { words: string; next: { name: string; does: string }[]; options: { flag: string; does: string }[] };

export async function completionCommand(shell: string, program: Command): Promise<ExitCode> {
  await loadAll(program);
  const lines = linesOf(program, '');
  const write = { bash, zsh, fish }[shell];
  if (!write) {
    tell(`error: "${shell}" is not bash, zsh or fish`);
    return wrongUsage;
  }
  say(write(lines));
  return done;
}

function linesOf(command: Command, words: string): Line[] {
  const help = command.createHelp();
  const next = help.visibleCommands(command).map((one) => ({ name: one.name(), does: one.description() }));
  const options = help
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ flag: long, does: description }] : []));
  const deeper = help.visibleCommands(command).flatMap((one) => linesOf(one, `${words} ${one.name()}`.trim()));
  return [{ words, next, options }, ...deeper];
}

/** Both shells look at the words so far, without options, and offer what may follow the longest known command. */
function cases(lines: readonly Line[]): string {
  return lines
    .toReversed()
    .map(({ words, next, options }) => {
      const offered = [...next.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ');
      return `    ${words === '' ? '' : `'${words}'`}*) offered='${offered}' ;;`;
    })
    .join('\n');
}

function bash(lines: readonly Line[]): string {
  return `# Completion of sightline for bash.
_sightline() {
  local offered='' words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || words+="\${words:+ }$word"; done
  case "$words" in
${cases(lines)}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sightline sightline`;
}

function zsh(lines: readonly Line[]): string {
  return `#compdef sightline
# Completion of sightline for zsh.
local offered='' typed='' word
for word in \${words[2,CURRENT-1]}; do [[ $word == -* ]] || typed+="\${typed:+ }$word"; done
case "$typed" in
${cases(lines)}
esac
compadd -- \${=offered}
_files`;
}

function fish(lines: readonly Line[]): string {
  const rows = lines.flatMap(({ words, next, options }) => {
    const [first, second] = words.split(' ').filter((word) => word !== '');
    const at =
      first === undefined
        ? '__fish_use_subcommand'
        : second === undefined
          ? `__fish_seen_subcommand_from ${first}`
          : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    return [
      ...next.map(({ name, does }) => `complete -c sightline -n '${at}' -a ${name} -d '${plain(does)}'`),
      ...options.map(({ flag, does }) => `complete -c sightline -n '${at}' -l ${flag.slice(2)} -d '${plain(does)}'`),
    ];
  });
  return ['# Completion of sightline for fish.', ...rows].join('\n');
}

function plain(text: string): string {
  return text.replaceAll("'", '’');
}
