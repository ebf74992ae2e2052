// The commands behind a slash: what they are called and what they do, as the help and the completion show them.

type CommandName =
  | 'help'
  | 'model'
  | 'thinking'
  | 'tools'
  | 'explain'
  | 'view'
  | 'sessions'
  | 'new'
  | 'fork'
  | 'rewind'
  | 'copy'
  | 'export'
  | 'compact'
  | 'title'
  | 'quit';

/** A harmless one works while the model answers. */
type CommandRow = { name: CommandName; argument?: string; does: string; harmless?: true };

export const commandRows: readonly CommandRow[] = [
  { name: 'help', harmless: true, does: 'commands and keys' },
  { name: 'model', argument: '[endpoint/model]', does: 'choose another model; the history is planned anew for it' },
  { name: 'thinking', argument: '[effort]', does: 'how hard the model thinks: off, low, medium, high, xhigh or max' },
  { name: 'tools', harmless: true, does: 'the tools the model may call' },
  { name: 'explain', harmless: true, does: 'what went where in the last request, and why' },
  { name: 'view', harmless: true, argument: '[asset]', does: 'show a picture or a page again' },
  { name: 'sessions', argument: '[id]', does: 'go on with an earlier conversation' },
  { name: 'new', does: 'begin a new conversation; this one is kept' },
  { name: 'rewind', does: 'go back to an earlier question, in a copy of this conversation' },
  { name: 'copy', harmless: true, argument: '[code]', does: 'copy the last answer, or its last block of code' },
  { name: 'fork', does: 'go on in a copy of this conversation' },
  { name: 'export', argument: '<file.html>', does: 'this conversation as one page, as Markdown or as JSON' },
  { name: 'compact', does: 'replace all but the last turns by a summary' },
  { name: 'title', harmless: true, argument: '<words>', does: 'name this conversation' },
  { name: 'quit', harmless: true, does: 'leave' },
];

export type SlashCommand = { name: CommandName; argument: string; harmless: boolean };

/** A line that begins with a slash and a word; a path such as /etc/hosts is none. */
export function commandOf(line: string): SlashCommand | { unknown: string } | undefined {
  const [, word, argument = ''] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
  if (word === undefined) return undefined;
  const row =
    commandRows.find(({ name }) => name === word) ?? single(commandRows.filter(({ name }) => name.startsWith(word)));
  return row ? { name: row.name, argument: argument.trim(), harmless: row.harmless === true } : { unknown: word };
}

function single<Value>(values: readonly Value[]): Value | undefined {
  return values.length === 1 ? values[0] : undefined;
}

export const keysHelp: readonly (readonly [keys: string, does: string])[] = [
  ['enter', 'sends; shift+enter begins a new line'],
  ['@path', 'attaches a file; tab completes its name'],
  ['esc', 'stops the answer'],
  ['ctrl+t, ctrl+o', 'open and close thinking, and results'],
  ['alt+n, alt+p, alt+t', 'next page, page before, text of the page'],
  ['alt+o', 'opens the document in the viewer of your system'],
  ['ctrl+c twice, ctrl+d', 'leaves'],
];
