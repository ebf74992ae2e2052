// `list_files`: a folder or a pattern in, names with sizes out, so that a model finds what it then reads.
import { lstat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { byteText } from '../../content/figures.ts';
import { refuse } from '../../content/refusal.ts';
import { visibleLine } from '../../content/visible.ts';
import { grouped } from '../../media/limits.ts';
import type { Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { integer, numberAt, object, string, textAt } from '../argument.ts';
import { globFits } from './pattern.ts';
import type { FoundFile, Start, Walked } from './walk.ts';
import { filesBelow, mostEntries, startIn } from './walk.ts';

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
      const glob = textAt(given, 'glob');
      const fits = glob === undefined ? () => true : globFits(glob, start.value.here);
      if (fits === undefined) return refuse('bad-range', `${glob} is no glob`, 'Write one such as "src/**/*.ts".');
      const depth = numberAt(given, 'depth') ?? (glob === undefined ? 1 : Infinity);
      const { files, cut } = await filesBelow(start.value, depth, signal);
      const walked = { files: files.filter(({ path }) => fits(path)), cut };
      return await told(start.value, walked, numberAt(given, 'offset') ?? 0);
    },
  });
}

/** What lies in a folder, for whoever named one where a file was meant. */
export async function folderText(start: Start, signal?: AbortSignal): Promise<string> {
  return await told(start, await filesBelow(start, 1, signal), 0);
}

async function told({ root }: Start, { files, cut }: Walked, offset: number): Promise<string> {
  const only = cut ? ` Only ${cutWords}` : '';
  if (files.length === 0) return `Nothing is there that fits.${only}`;
  const shown = files.slice(offset, offset + perPage);
  const more = offset + shown.length < files.length ? ` Use offset=${offset + shown.length} to continue.` : '';
  const range = shown.length === 0 ? 'None here' : `${offset + 1}-${offset + shown.length}`;
  const rows = await Promise.all(shown.map((file) => rowOf(root, file)));
  return [`[${range} of ${grouped(files.length)}.${more}${only}]`, ...rows].join('\n');
}

/** What is said where a walk ended before its end. */
export const cutWords: string = `the first ${grouped(mostEntries)} files and folders were looked at: name a folder below.`;

async function rowOf(root: string, { path, isFolder }: FoundFile): Promise<string> {
  if (isFolder) return `${visibleLine(path)}/`;
  const size = (await lstat(join(root, path)).catch(() => undefined))?.size ?? 0;
  return `${visibleLine(path)}  ${byteText(size)}`;
}
