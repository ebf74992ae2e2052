// `read_file`: a path in, what a model can see of the file out: text by lines, PDFs by pages, pictures as themselves.
// Only files inside the given folders, wherever links lead; a model learns their names, never where they lie.
import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { AssetStore } from '../asset/store.ts';
import { nearest } from '../config/wrong.ts';
import type { Refusal } from '../content/refusal.ts';
import { refuse, SightlineError } from '../content/refusal.ts';
import type { Limits, ReadOptions } from '../media/index.ts';
import { read } from '../media/index.ts';
import type { Progress } from '../media/context.ts';
import { progressWords } from '../media/context.ts';
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

const integer = (description: string): object => ({ type: 'integer', description });
const string = (description: string): object => ({ type: 'string', description });
const boolean = (description: string): object => ({ type: 'boolean', description });

const input: JsonSchema = {
  type: 'object',
  properties: {
    file_path: string('The file to read'),
    offset: integer('Text: first line (1-indexed)'),
    limit: integer('Text: number of lines'),
    page_start: integer('PDF: first page (0-indexed)'),
    page_end: integer('PDF: last page (exclusive)'),
    pages: string('PDF: pages as people count them, such as "21-40"'),
    as: {
      type: 'string',
      enum: ['auto', 'text', 'image'],
      description: '"text": the words or the source alone; "image": pages or the pictures inside as pictures',
    },
    images: boolean('Documents: the pictures inside, too'),
    sheet: string('Workbook: one sheet, by name or number'),
    rows: string('Sheet or CSV: rows such as "200-400"'),
    columns: string('Sheet or CSV: columns such as "C-F"'),
    formulas: boolean('Sheet: formulas beside the values'),
    clean: boolean('Documents: tracked changes accepted, no comments'),
    part: string('Mail, zip or document: one file or picture inside it, by its name'),
    password: string('Of a protected PDF or Office file'),
    encoding: string('Of a text that is no Unicode, such as "shift_jis"'),
  },
} as const;

const description =
  'Read a file: text by lines, PDFs by pages, sheets and tables by rows and columns, pictures as pictures. ' +
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
      const { signal } = context;
      const onProgress = (told: Progress): void => context.progress(progressWords(told));
      const reach = {
        roots: folders,
        assets: assets ?? context.assets,
        signal,
        onProgress,
        ...(limits && { limits }),
      };
      const reading = await read(placed(path, folders[0]), { ...reach, ...partOf(given) });
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
  const names = (await readdir(folder).catch(() => [])).slice(0, mostNames);
  const name = basename(path);
  if (names.includes(name))
    return { ...refusal, what: `${name} leads to no file`, next: 'It is a link to what is gone: look where it leads.' };
  const meant = nearest(name, names);
  return meant === undefined ? refusal : { ...refusal, next: `Did you mean ${join(dirname(path), meant)}?` };
}

const mostNames = 2000;

function placed(path: string, first: string | undefined): string {
  return first === undefined || isAbsolute(path) ? path : resolve(first, path);
}

/** Which lines or pages: `line_start` and `line_end` (the last one, included) are another spelling of the lines. */
function partOf(given: Readonly<Record<string, unknown>>): ReadOptions {
  const numberAt = (key: string): number | undefined => {
    const value = given[key];
    return typeof value === 'number' ? value : undefined;
  };
  const offset = numberAt('offset') ?? numberAt('line_start');
  const last = numberAt('line_end');
  const limit = numberAt('limit') ?? (last === undefined ? undefined : last - (offset ?? 1) + 1);
  const [pageStart, pageEnd] = [numberAt('page_start'), numberAt('page_end')];
  const pages = given['pages'];
  return {
    ...(offset !== undefined && { offset }),
    ...(limit !== undefined && { limit }),
    ...(pageStart !== undefined && { page_start: pageStart }),
    ...(pageEnd !== undefined && { page_end: pageEnd }),
    ...(typeof pages === 'string' && pages !== '' && { pages }),
    ...wishIn(given),
  };
}

/** What is wanted besides the part. */
function wishIn(given: Readonly<Record<string, unknown>>): ReadOptions {
  const wish: Record<string, unknown> = {};
  for (const key of ['sheet', 'rows', 'columns', 'part', 'password', 'encoding']) {
    const value = given[key];
    if (typeof value === 'string' && value !== '') wish[key] = value;
  }
  for (const key of ['images', 'formulas', 'clean']) if (given[key] === true) wish[key] = true;
  const { as } = given;
  return as === 'text' || as === 'image' ? { ...wish, as } : wish;
}
