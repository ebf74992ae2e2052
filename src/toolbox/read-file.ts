// `read_file`: a path in, what a model can see of the file out: text by lines, PDFs by pages, pictures as themselves.
// Only files inside the given folders, wherever links lead; a model learns their names, never where they lie.
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { AssetStore } from '../asset/store.ts';
import { nearest } from '../config/wrong.ts';
import type { Refusal } from '../content/refusal.ts';
import { refuse, SightlineError } from '../content/refusal.ts';
import type { Limits } from '../media/index.ts';
import { read } from '../media/index.ts';
import type { Progress } from '../media/context.ts';
import { progressWords } from '../media/context.ts';
import { filePartFields, filePartIn } from './file-part.ts';
import { folderText } from './files/list.ts';
import { startIn } from './files/walk.ts';
import type { Tool } from '../tool/tool.ts';
import type { JsonSchema } from '../tool/schema.ts';
import { defineTool } from '../tool/tool.ts';

/** What the tool may read, and how much of it. */
export type ReadFileOptions = {
  /** The folders files may lie in; a relative path begins at the first of them. */
  roots: readonly string[];
  /** Where media are kept; without it, where the call keeps its own. */
  assets?: AssetStore;
  /** Ceilings of reading besides the usual ones. */
  limits?: Partial<Limits>;
};

const input: JsonSchema = {
  type: 'object',
  properties: {
    file_path: { type: 'string', description: 'The file to read' },
    ...filePartFields,
  },
} as const;

const description =
  'Read a file: text by lines, PDFs and slides by pages, sheets and tables by rows and columns, pictures as pictures. ' +
  'A long file comes in parts; the first line of each part says how to go on.';

/**
 * Makes the tool for these folders.
 *
 * @example
 * await runAgent({ model, tools: [readFileTool({ roots: ['docs'] })], prompt: 'What is in docs/?' });
 */
export function readFileTool(options: ReadFileOptions): Tool {
  if (!Array.isArray((options as ReadFileOptions | undefined)?.roots))
    throw new SightlineError('input', "A tool that reads files is told where: { roots: ['folder'] }.");
  const { roots, assets, limits } = options;
  const folders = roots.map((root) => resolve(root));
  const tool = defineTool({
    name: 'read_file',
    description,
    input,
    effect: 'read',
    run: async (given, context) => {
      const path = given['file_path'] ?? given['path'];
      if (typeof path !== 'string' || path === '') {
        return refuse('not-found', 'No file was named', 'Give its path as file_path.');
      }
      if (/^https?:\/\//i.test(path))
        return refuse('not-found', 'This is an address, not a path', 'Use fetch_url if you have it.');
      const { signal } = context;
      const onProgress = (told: Progress): void => context.progress(progressWords(told));
      const reach = {
        roots: folders,
        assets: assets ?? context.assets,
        signal,
        onProgress,
        ...(limits && { limits }),
      };
      const reading = await read(placed(path, folders[0]), { ...reach, ...filePartIn(given) });
      return reading.ok ? reading : await instead(path, folders, reading, signal);
    },
  });
  // Published with the one spelling; the others are taken all the same.
  return { ...tool, inputSchema: { ...tool.inputSchema, required: ['file_path'] } };
}

/** A folder is listed; beside a name that does not exist stands the one that may have been meant. */
async function instead(
  path: string,
  folders: readonly string[],
  refused: { ok: false; refusal: Refusal },
  signal: AbortSignal,
): Promise<string | typeof refused> {
  const { code } = refused.refusal;
  if (code !== 'unsupported' && code !== 'not-found') return refused;
  const start = await startIn(code === 'unsupported' ? path : dirname(path), folders);
  if (!start.ok) return refused;
  if (code === 'unsupported') return await folderText(start.value, signal);
  return { ...refused, refusal: await withMeant(refused.refusal, path, start.value.from) };
}

/** The refusal of a path that does not exist, with the one of that folder that may have been meant. */
export async function withMeant(refusal: Refusal, path: string, folder: string): Promise<Refusal> {
  const name = basename(path);
  // It is there, and what is missing lies in it.
  if (await stat(join(folder, name)).catch(() => undefined)) return refusal;
  const names = (await readdir(folder).catch(() => [])).slice(0, mostNames);
  if (names.includes(name))
    return { ...refusal, what: `${name} leads to no file`, next: 'It is a link to what is gone: look where it leads.' };
  const meant = nearest(name, names);
  return meant === undefined ? refusal : { ...refusal, next: `Did you mean ${join(dirname(path), meant)}?` };
}

const mostNames = 2000;

function placed(path: string, first: string | undefined): string {
  return first === undefined || isAbsolute(path) ? path : resolve(first, path);
}
