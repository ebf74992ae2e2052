// `search_files`: a regular expression in, the lines that fit out, each with its file and number. A pattern that would
// never end is stopped, and a file that is no text is passed over.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createContext, Script } from 'node:vm';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { visibleLine } from '../../content/visible.ts';
import { decodeText } from '../../media/text/decode.ts';
import type { Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { flag, object, string, textAt } from '../argument.ts';
import { globFits } from './pattern.ts';
import { startIn, filesBelow } from './walk.ts';

const [mostLines, longestLine, mostBytes, patienceMs] = [200, 300, 4_000_000, 2000];

/** Makes the tool for these folders. */
export function searchFilesTool({ roots }: { roots: readonly string[] }): Tool {
  const folders = roots.map((root) => resolve(root));
  return defineTool({
    name: 'search_files',
    effect: 'read',
    description:
      'Search the texts below a folder for a regular expression: each line that fits, with its file and number. ' +
      'What .gitignore leaves out is not searched; words inside PDFs and other documents are found by read_file.',
    input: object(
      {
        pattern: string('A regular expression of JavaScript, such as "total|sum"'),
        path: string('The folder; without it, the working folder'),
        glob: string('Only files such as "*.ts"'),
        ignore_case: flag('Whether capital letters count as small ones'),
      },
      'pattern',
    ),
    run: async (given, { signal }) => {
      const [pattern, glob] = [textAt(given, 'pattern') ?? '', textAt(given, 'glob')];
      const search = searcher(pattern, given['ignore_case'] === true);
      if (!search.ok) return search;
      const start = await startIn(textAt(given, 'path') ?? '.', folders);
      if (!start.ok) return start;
      const fits = glob === undefined ? () => true : globFits(glob);
      if (fits === undefined) return refuse('bad-range', `${glob} is no glob`, 'Write one such as "*.ts".');
      const [lines, passed]: [string[], { large: number }] = [[], { large: 0 }];
      for await (const { path, isFolder, bytes } of filesBelow(start.value, 64, signal)) {
        if (isFolder || !fits(path) || lines.length > mostLines) continue;
        if (bytes > mostBytes) passed.large += 1;
        else {
          const found = search.value(await textIn(join(start.value.root, path)));
          if (found === undefined) return tooSlow(pattern);
          for (const [number, line] of found) lines.push(`${visibleLine(path)}:${number}: ${clipped(line)}`);
        }
      }
      return told(lines, passed.large);
    },
  });
}

function told(lines: readonly string[], large: number): string {
  const skipped = large === 0 ? '' : ` ${large} files of over 4 MB were passed over.`;
  if (lines.length === 0) return `No line fits.${skipped}`;
  const shown = lines.slice(0, mostLines);
  const more = lines.length > mostLines ? ' There are more: narrow the pattern, the path or the glob.' : '';
  return [`[${shown.length} lines.${more}${skipped}]`, ...shown].join('\n');
}

const clipped = (line: string): string =>
  visibleLine(line.length > longestLine ? `${line.slice(0, longestLine)}…` : line).trim();

function tooSlow(pattern: string): ReturnType<typeof refuse> {
  const what = `The pattern ${pattern} takes longer than ${patienceMs / 1000} s for one file`;
  return refuse('timed-out', what, 'Write it without repetitions inside repetitions.');
}

type Lines = [number: number, line: string][];

/** Runs by itself, away from everything else here. */
function linesThatFit(text: string, expression: RegExp, most: number): Lines {
  const found: Lines = [];
  let number = 0;
  for (const line of text.split(/\r?\n/)) {
    number += 1;
    if (expression.test(line) && found.push([number, line]) >= most) break;
  }
  return found;
}

/** Finds lines in a text, or nothing when that takes too long: the engine is stopped from outside. */
function searcher(pattern: string, ignoreCase: boolean): Read<(text: string) => Lines | undefined> {
  try {
    const expression = new RegExp(pattern, ignoreCase ? 'iu' : 'u');
    const context = createContext({ expression, text: '', most: mostLines + 1 });
    const script = new Script(`(${linesThatFit.toString()})(text, expression, most)`, { filename: 'search' });
    return {
      ok: true,
      value: (text) => {
        context['text'] = text;
        try {
          return script.runInContext(context, { timeout: patienceMs }) as Lines;
        } catch {
          return undefined;
        }
      },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : '';
    return refuse('bad-range', `The pattern is no regular expression: ${why}`, 'Escape brackets and dots with \\.');
  }
}

async function textIn(path: string): Promise<string> {
  const bytes = await readFile(path).catch(() => new Uint8Array());
  return bytes.includes(0) ? '' : (decodeText(bytes) ?? '');
}
