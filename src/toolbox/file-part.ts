// Which part of a file a model asks for, and in which form: the same words for files of a folder and for those of the web.
import type { ReadOptions } from '../media/index.ts';
import type { JsonSchema } from '../tool/schema.ts';
import { flag, integer, string } from './argument.ts';

/** The arguments of a tool that reads a file, besides where it lies. */
export const filePartFields: Record<string, JsonSchema> = {
  offset: integer('Text: first line (1-indexed)'),
  limit: integer('Text: number of lines'),
  character: integer('Text: where to go on in one long line (1-indexed)'),
  page_start: integer('PDF: first page (0-indexed)'),
  page_end: integer('PDF: last page (exclusive)'),
  pages: string('PDF, slides: pages as people count them, such as "21-40"'),
  as: {
    type: 'string',
    enum: ['auto', 'text', 'image'],
    description: '"text": the words or the source alone; "image": pages or the pictures inside as pictures',
  },
  images: flag('Documents: the pictures inside, too'),
  sheet: string('Workbook: one sheet, by name or number'),
  rows: string('Sheet or CSV: rows such as "200-400"'),
  columns: string('Sheet or CSV: columns such as "C-F"'),
  formulas: flag('Sheet: formulas beside the values'),
  clean: flag('Documents: tracked changes accepted, no comments'),
  part: string('Mail, zip or document: one file or picture inside it, by its name'),
  password: string('Of a protected PDF or Office file'),
  encoding: string('Of a text that is no Unicode, such as "shift_jis"'),
};

/** Which lines or pages: `line_start` and `line_end` (the last one, included) are another spelling of the lines. Models write 0 and
 * '' for what they do not set. */
export function filePartIn(given: Readonly<Record<string, unknown>>): ReadOptions {
  const numberAt = (key: string): number | undefined => {
    const value = given[key];
    return typeof value === 'number' && value !== 0 ? value : undefined;
  };
  const offset = numberAt('offset') ?? numberAt('line_start');
  const last = numberAt('line_end');
  const limit = numberAt('limit') ?? (last === undefined ? undefined : last - (offset ?? 1) + 1);
  const character = numberAt('character');
  const [pageStart, pageEnd] = [numberAt('page_start'), numberAt('page_end')];
  const pages = given['pages'];
  return {
    ...(offset !== undefined && { offset }),
    ...(limit !== undefined && { limit }),
    ...(character !== undefined && { character }),
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
