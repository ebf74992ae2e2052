// `list_files`: a folder or a pattern in, names with sizes out, so that a model finds what it then reads.
import { resolve } from 'node:path';
import { byteText } from '../../content/figures.ts';
import { refuse } from '../../content/refusal.ts';
import { visibleLine } from '../../content/visible.ts';
import { grouped } from '../../media/limits.ts';
import type { Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { integer, numberAt, object, string, textAt } from '../argument.ts';
import { globFits } from './pattern.ts';
import type { FoundFile, Start } from './walk.ts';
import { mostEntries, startIn, filesBelow } from './walk.ts';

const perPage = 200;

/** Makes the tool for these folders. */
export function listFilesTool({ roots }: { roots: readonly string[] }): Tool {
  const folders = roots.map((root) => resolve(root));
  return defineTool({
    name: 'list_files',
    effect: 'read',
    description:
      'List files with their sizes: those of a folder, or with `glob` all below it whose names fit. Pictures, PDFs and ' +
      'other documents are listed like texts; read_file shows any of them. What .gitignore leaves out is not listed.',
    input: object({
      path: string('The folder; without it, the working folder'),
      glob: string('Names such as "*.png", "src/**/*.ts" or "{report,notes}*"'),
      depth: integer('How many folders deep; without it 1, and with a glob all', { minimum: 1 }),
      offset: integer('How many to pass over', { minimum: 0 }),
    }),
    run: async (given, { signal }) => {
      const start = await startIn(textAt(given, 'path') ?? '.', folders);
      if (!start.ok) return start;
      const offset = numberAt(given, 'offset') ?? 0;
      const glob = textAt(given, 'glob');
      const fits = glob === undefined ? () => true : globFits(glob);
      if (fits === undefined) return refuse('bad-range', `${glob} is no glob`, 'Write one such as "src/**/*.ts".');
      const depth = numberAt(given, 'depth') ?? (glob === undefined ? 1 : 64);
      const found: FoundFile[] = [];
      for await (const one of filesBelow(start.value, depth, signal)) if (fits(one.path)) found.push(one);
      return told(found, offset);
    },
  });
}

/** What lies in a folder, for whoever named one where a file was meant. */
export async function folderText(start: Start, signal?: AbortSignal): Promise<string> {
  const found: FoundFile[] = [];
  for await (const one of filesBelow(start, 1, signal)) found.push(one);
  return told(found, 0);
}

function told(found: readonly FoundFile[], offset: number): string {
  if (found.length === 0) return 'Nothing is there that fits.';
  const shown = found.slice(offset, offset + perPage);
  const more = offset + shown.length < found.length ? ` Use offset=${offset + shown.length} to continue.` : '';
  const cut = found.length >= mostEntries ? ` Only the first ${grouped(mostEntries)} were looked at.` : '';
  const range = shown.length === 0 ? 'None here' : `${offset + 1}-${offset + shown.length}`;
  return [`[${range} of ${grouped(found.length)}.${more}${cut}]`, ...shown.map(rowOf)].join('\n');
}

function rowOf({ path, isFolder, bytes }: FoundFile): string {
  return isFolder ? `${visibleLine(path)}/` : `${visibleLine(path)}  ${byteText(bytes)}`;
}
