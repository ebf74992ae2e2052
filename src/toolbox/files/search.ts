// `search_files`: a regular expression in, the lines that fit out, each with its file and number. A file that is no text
// is passed over.
import { resolve } from 'node:path';
import { clipped } from '../../content/text.ts';
import { refuse } from '../../content/refusal.ts';
import { visibleLine } from '../../content/visible.ts';
import type { Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { flag, object, string, textAt } from '../argument.ts';
import { lineSearch } from '../matching-lines.ts';
import { cutWords } from './list.ts';
import { globFits } from './pattern.ts';
import { filesBelow, startIn, textOfFile } from './walk.ts';

const [mostLines, longestLine, mostBytes] = [200, 300, 4_000_000];

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
      const start = await startIn(textAt(given, 'path') ?? '.', folders);
      if (!start.ok) return start;
      const [pattern, glob] = [textAt(given, 'pattern') ?? '', textAt(given, 'glob')];
      if (pattern === '') return refuse('empty', 'There is no pattern', 'Say what to look for.');
      const fits = glob === undefined ? () => true : globFits(glob, start.value.here);
      if (fits === undefined) return refuse('bad-range', `${glob} is no glob`, 'Write one such as "*.ts".');
      const search = lineSearch(pattern, given['ignore_case'] === true);
      if (!search.ok) return search;
      const { files, cut } = await filesBelow(start.value, Infinity, signal);
      const found: SearchedLines = { lines: [], large: 0, cut };
      for (const { path, isFolder } of files) {
        signal.throwIfAborted();
        if (found.lines.length > mostLines) break;
        if (isFolder || !fits(path)) continue;
        const text = await textOfFile(start.value.root, path, mostBytes);
        if (!text.ok && text.refusal.code === 'too-large') found.large += 1;
        if (!text.ok) continue;
        const lines = text.value.split(/\r?\n/);
        const numbers = search.value(lines);
        if (!numbers.ok) return numbers;
        for (const at of numbers.value)
          found.lines.push(`${visibleLine(path)}:${at + 1}: ${shownLine(lines[at] ?? '')}`);
      }
      return told(found);
    },
  });
}

type SearchedLines = { lines: string[]; large: number; cut: boolean };

function told({ lines, large, cut }: SearchedLines): string {
  const passed = large === 0 ? '' : ` ${large} of over 4 MB ${large === 1 ? 'was' : 'were'} passed over.`;
  const only = cut ? ` Only ${cutWords}` : '';
  if (lines.length === 0) return `No line fits.${passed}${only}`;
  const shown = lines.slice(0, mostLines);
  const more = lines.length > mostLines ? ' There are more: narrow the pattern, the path or the glob.' : '';
  return [`[${shown.length === 1 ? '1 line' : `${shown.length} lines`}.${more}${passed}${only}]`, ...shown].join('\n');
}

const shownLine = (line: string): string => visibleLine(clipped(line, longestLine)).trim();
