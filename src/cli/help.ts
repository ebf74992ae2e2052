// The help of the program itself. It is asked for often, so it is written without the option parser.
import { endpoints } from '../window/catalog.ts';
import { commands } from './commands.ts';
import { wrapped } from './table.ts';
import { screenWidth } from './terminal.ts';

export function rootHelp(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const rows = commands.map(({ name, does }) => `  ${name.padEnd(width)}  ${does}`);
  const text = `Usage: sightline [command] [options]

Every model sees what your tools see: pictures, PDFs and other media.

Commands:
${rows.join('\n')}

Options:
  -V, --version  print the version
  -h, --help     print this help; "sightline help <command>" that of a command

Examples:
  sightline   opens a chat
  sightline ask "what does @chart.png show?"
  sightline read report.pdf --pages 1-5
  sightline read report.pdf -m anthropic/claude-sonnet-5,ollama/llama3.1
  sightline wire transcript.json -m openai-chat/gpt-4.1 --explain

A model is endpoint/model, or a name of your own from config.toml; SIGHTLINE_MODEL sets the default. Endpoints: ${Object.keys(endpoints).join(', ')}.`;
  const room = Math.min(80, screenWidth(process.stdout));
  const lines = text.split('\n').flatMap((line) => wrapped(line, hanging(line, room), room));
  return lines.join('\n');
}

/** Where the second column of a line begins, if it has one that leaves room. */
function hanging(line: string, room: number): number {
  const [, column = ''] = /^( +\S.*? {2,})\S/.exec(line) ?? [];
  return column !== '' && column.length < room / 2 ? column.length : line.length - line.trimStart().length;
}
