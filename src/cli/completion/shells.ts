// The scripts. Each finds out which words were typed without options and their values, and then what may follow.
import type { NameKind } from './names.ts';

/** What a place on the line wants: one of some words, or a name that only the program knows. */
export type Wanted = { words: readonly string[] } | { names: NameKind };

/** A command by its words, such as `tools new`: what may follow it. */
export type CommandLine = {
  words: string;
  next: { name: string; does: string }[];
  options: { name: string; short?: string; does: string; takesValue: boolean; wanted?: Wanted }[];
  /** What its first argument wants, and those behind it. */
  argument?: { wanted: Wanted; again: boolean };
};

function namesOf(offers: readonly { name: string }[]): string {
  return offers.map(({ name }) => name).join(' ');
}

/** The options whose value stands in a word of its own. */
function valued(lines: readonly CommandLine[]): string[] {
  const options = lines.flatMap((line) => line.options.filter(({ takesValue }) => takesValue));
  return [...new Set(options.flatMap(({ name, short }) => (short === undefined ? [name] : [short, name])))];
}

function assigned(wanted: Wanted): string {
  return 'names' in wanted ? `names=${wanted.names}` : `commands='${wanted.words.join(' ')}'`;
}

/** One case for each command, the longest first. Commands only directly behind it. */
function cases(lines: readonly CommandLine[]): string {
  return lines
    .toReversed()
    .map(({ words, next, options, argument }) => {
      const pattern = words === '' ? '*' : `'${words}'|'${words} '*`;
      const isExact = `[[ $typed == '${words}' ]] &&`;
      const values = options.flatMap(({ name, short, wanted }) =>
        wanted ? [`${short === undefined ? '' : `${short}|`}${name}) ${assigned(wanted)} value=1 ;;`] : [],
      );
      const rows = [
        `options='${namesOf(options)}'`,
        ...(next.length > 0 ? [`${isExact} commands='${namesOf(next)}'`] : []),
        ...(argument ? [`${argument.again ? '' : `${isExact} `}${assigned(argument.wanted)}`] : []),
        ...(values.length > 0 ? [`case "$before" in ${values.join(' ')} esac`] : []),
      ];
      return `    ${pattern})\n      ${rows.join('\n      ')} ;;`;
    })
    .join('\n');
}

const typedLoop = (lines: readonly CommandLine[]): string => `  for word in "\${line[@]}"; do
    case "$before" in ${valued(lines).join('|')}) before="$word"; continue ;; esac
    before="$word"
    [[ $word == -* ]] || typed+="\${typed:+ }$word"
  done`;

export function bash(lines: readonly CommandLine[]): string {
  return `# Completion of sightline for bash.
_sightline() {
  local options='' commands='' names='' value='' typed='' before='' word at head
  local text="\${COMP_LINE:0:COMP_POINT}" IFS=$' \\t\\n'
  local current="\${text##*[[:space:]]}"
  local -a line
  read -ra line <<< "\${text%"$current"}"
  line=("\${line[@]:1}")
${typedLoop(lines)}
  case "$typed" in
${cases(lines)}
  esac
  COMPREPLY=()
  if [[ $current == *@* && -z $value ]]; then # a file that is handed over, also inside a question that is quoted
    current="\${COMP_WORDS[COMP_CWORD]}" at="\${current##*@}"
    head="\${current%"$at"}"
    [[ $current == *@* ]] || head=@ # readline parts words at it, and yet puts the offer in the place of both
    IFS=$'\\n'
    for word in $(compgen -f -- "$at"); do
      [[ ! -d $word ]] || word+=/
      [[ $current == [\\"\\']* ]] || printf -v word %q "$word"
      COMPREPLY+=("\${head#[\\"\\']}$word")
    done
    compopt -o nospace 2> /dev/null
    return
  fi
  if [[ $current == -* && -z $value ]]; then COMPREPLY=($(compgen -W "$options" -- "$current")); return; fi
  [[ -z $names ]] || commands="$("\${COMP_WORDS[0]}" completion "$names" 2> /dev/null | cut -f 1)"
  COMPREPLY=($(compgen -W "$commands" -- "$current"))
  # Readline takes : and = for the end of a word.
  head="\${current%"\${current##*[:=]}"}"
  [[ -z $head || $COMP_WORDBREAKS != *:* ]] || COMPREPLY=("\${COMPREPLY[@]#"$head"}")
}
complete -o default -F _sightline sightline`;
}

export function zsh(lines: readonly CommandLine[]): string {
  return `#compdef sightline
# Completion of sightline for zsh.
local options='' commands='' names='' value='' typed='' before='' word
local -a line offered shown
line=("\${(@)words[2,CURRENT-1]}")
${typedLoop(lines)}
case "$typed" in
${cases(lines)}
esac
if [[ -z $value && $words[CURRENT] == -* ]]; then compadd -- \${=options}
elif [[ -z $value && $words[CURRENT] == *@* ]]; then compset -P '*@'; _files
elif [[ -n $names ]]; then
  shown=("\${(@f)$($words[1] completion $names 2> /dev/null)}")
  offered=("\${(@)shown%%$'\\t'*}")
  shown=("\${(@)shown//$'\\t'/  }")
  compadd -l -d shown -- "\${(@)offered}" || [[ -n $value ]] || _files
elif [[ -n $commands ]]; then compadd -- \${=commands}
else _files; fi`;
}

export function fish(lines: readonly CommandLine[]): string {
  return [
    `# Completion of sightline for fish.
function __sightline_typed
  set -l typed
  set -l before ''
  for word in (commandline -opc)[2..-1]
    if not contains -- $before ${valued(lines).join(' ')}; and not string match -q -- '-*' $word
      set -a typed $word
    end
    set before $word
  end
  echo (string join ' ' -- $typed)
end
function __sightline_at
  test (__sightline_typed) = "$argv"
end
function __sightline_in
  set -l typed (__sightline_typed)
  test "$typed" = "$argv"; or string match -q -- "$argv *" $typed
end
function __sightline_files
  set -l token (commandline -ct)
  set -l path (string replace -r '^.*@' '' -- $token)
  set -l head (string replace -r '@[^@]*$' '@' -- $token)
  for file in (complete -C "__sightline_none $path")
    echo $head$file
  end
end
complete -c sightline -n 'string match -q -- "*@*" (commandline -ct)' -f -a '(__sightline_files)'`,
    ...lines.flatMap(fishRows),
  ].join('\n');
}

function fishRows({ words, next, options, argument }: CommandLine): string[] {
  const exact = words === '' ? '__sightline_at ""' : `__sightline_at ${words}`;
  const inside = words === '' ? exact : `__sightline_in ${words}`;
  return [
    ...next.map(({ name, does }) => fishRow(exact, `-f -a ${name}`, does)),
    ...options.map(({ name, short, does, takesValue, wanted }) => {
      const letter = short === undefined ? '' : ` -s ${short.slice(1)}`;
      const value = wanted ? ` -x -a ${fishOffer(wanted)}` : takesValue ? ' -r' : '';
      return fishRow(inside, `-l ${name.slice(2)}${letter}${value}`, does);
    }),
    ...(argument
      ? [`complete -c sightline -n '${argument.again ? inside : exact}' -a ${fishOffer(argument.wanted)}`]
      : []),
  ];
}

function fishOffer(wanted: Wanted): string {
  return 'names' in wanted ? `'(sightline completion ${wanted.names})'` : `'${wanted.words.join(' ')}'`;
}

function fishRow(at: string, how: string, does: string): string {
  return `complete -c sightline -n '${at}' ${how} -d '${does.replaceAll("'", '’')}'`;
}
