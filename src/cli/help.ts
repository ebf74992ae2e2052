// The help of the program itself. It is asked for often, so it is written without the option parser.
import { endpoints } from '../window/catalog.ts';
import { commands } from './commands.ts';

export function rootHelp(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const rows = commands.map(({ name, does }) => `  ${name.padEnd(width)}  ${does}`);
  return `Usage: sightline [command] [options]

Every model sees what your tools see: pictures, PDFs and other media.

Commands:
${rows.join('\n')}

Options:
  -V, --version  print the version
  -h, --help     print this help; "sightline <command> --help" that of a command

Examples:
  sightline                                   opens a chat
  sightline ask "what does @chart.png show?"
  sightline read report.pdf --pages 1-5
  sightline read report.pdf -m anthropic/claude-sonnet-5,ollama/llama3.1
  sightline wire transcript.json -m openai-chat/gpt-4.1 --explain

A model is endpoint/model, or a name of your own from config.toml; SIGHTLINE_MODEL
sets the default. Endpoints:
${wrapped(Object.keys(endpoints))}.`;
}

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
