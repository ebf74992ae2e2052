// `sightline completion`: a script for a shell, made from the commands as they are defined. Options are offered after a
// dash, commands where one may stand, files everywhere else.
import type { ExitCode } from '../exit.ts';
import { done, wrongUsage } from '../exit.ts';
import type { Command } from '../parser.ts';
import { loadAll } from '../program.ts';
import { say, styled, tell } from '../terminal.ts';

type Offer = { name: string; does: string };

/** A command by its words, such as `tools new`: what may follow it. */
type Line = { words: string; next: Offer[]; options: Offer[] };

export async function completionCommand(shell: string, program: Command): Promise<ExitCode> {
  const write = { bash, zsh, fish }[shell];
  if (!write) {
    tell(styled('red', 'error: '), `"${shell}" is not bash, zsh or fish`);
    tell('Try: sightline completion --help');
    return wrongUsage;
  }
  await loadAll(program);
  say(write(linesOf(program, '')));
  return done;
}

function linesOf(command: Command, words: string): Line[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const next = children.map((one) => ({ name: one.name(), does: one.description() }));
  const options = help
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ name: long, does: description }] : []));
  return [{ words, next, options }, ...children.flatMap((one) => linesOf(one, `${words} ${one.name()}`.trim()))];
}

function namesOf(offers: readonly Offer[]): string {
  return offers.map(({ name }) => name).join(' ');
}

/** One case for each command, the longest first: what may follow it. Commands only directly behind it. */
function cases(lines: readonly Line[]): string {
  return lines
    .toReversed()
    .map(({ words, next, options }) => {
      const pattern = words === '' ? '*' : `'${words}'|'${words} '*`;
      const exact = words === '' ? "''" : `'${words}'`;
      const commands = next.length === 0 ? '' : ` [[ $typed == ${exact} ]] && commands='${namesOf(next)}'`;
      return `    ${pattern}) options='${namesOf(options)}'${commands === '' ? '' : `;${commands}`} ;;`;
    })
    .join('\n');
}

function bash(lines: readonly Line[]): string {
  return `# Completion of sightline for bash.
_sightline() {
  local options='' commands='' typed='' word current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || typed+="\${typed:+ }$word"; done
  case "$typed" in
${cases(lines)}
  esac
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current"))
  else COMPREPLY=($(compgen -W "$commands" -- "$current")); fi
}
complete -o default -F _sightline sightline`;
}

function zsh(lines: readonly Line[]): string {
  return `#compdef sightline
# Completion of sightline for zsh.
local options='' commands='' typed='' word
for word in \${words[2,CURRENT-1]}; do [[ $word == -* ]] || typed+="\${typed:+ }$word"; done
case "$typed" in
${cases(lines)}
esac
if [[ \${words[CURRENT]} == -* ]]; then compadd -- \${=options}
elif [[ -n $commands ]]; then compadd -- \${=commands}
else _files; fi`;
}

function fish(lines: readonly Line[]): string {
  const rows = lines.flatMap(({ words, next, options }) => {
    const at =
      words === ''
        ? '__fish_use_subcommand'
        : words
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ');
    const offer = (how: string, does: string): string =>
      `complete -c sightline -n '${at}' ${how} -d '${does.replaceAll("'", '’')}'`;
    return [
      ...next.map(({ name, does }) => offer(`-a ${name}`, does)),
      ...options.map(({ name, does }) => offer(`-l ${name.slice(2)}`, does)),
    ];
  });
  return ['# Completion of sightline for fish.', ...rows].join('\n');
}
