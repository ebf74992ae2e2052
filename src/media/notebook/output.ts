// What a cell printed, in the order it did, as blocks of Markdown: streams, results, tables, errors, pictures by name.
import { isRecord } from '../../content/json.ts';
import { stripVTControlCharacters } from 'node:util';
import { picture } from '../document/markdown.ts';
import type { InnerPicture } from '../document/reader.ts';
import { htmlToMarkdown } from '../web/html.ts';
import { fence } from '../web/markdown.ts';
import { notebookText } from './field.ts';

/** Forms of a picture, as version 4 and version 3 call them. */
const pictureForms: readonly (readonly [form: string, ending: string])[] = [
  ['image/png', 'png'],
  ['png', 'png'],
  ['image/jpeg', 'jpg'],
  ['jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
];

export async function outputBlocks(
  outputs: readonly Record<string, unknown>[],
  cell: number,
  pictures: InnerPicture[],
): Promise<string[]> {
  const blocks: string[] = [];
  let count = 0;
  for (const output of outputs) {
    const type = output['output_type'];
    if (type === 'stream') blocks.push(printed(notebookText(output, 'text')));
    else if (type === 'error' || type === 'pyerr') blocks.push(printed(failure(output)));
    else {
      const { data } = output;
      const forms = isRecord(data) ? data : output;
      const found = pictureForms.find(([form]) => notebookText(forms, form) !== '');
      if (found !== undefined) {
        count += 1;
        const name = `cell-${cell}-${count}.${found[1]}`;
        pictures.push({ name, bytes: new Uint8Array(Buffer.from(notebookText(forms, found[0]), 'base64')) });
        blocks.push(picture('output', name));
      }
      blocks.push(await result(forms, found !== undefined));
    }
  }
  return blocks;
}

/** A table as a table, other results as their plain text. */
async function result(forms: Record<string, unknown>, isPictured: boolean): Promise<string> {
  const html = notebookText(forms, 'text/html') || notebookText(forms, 'html');
  if (/<table[\s>]/i.test(html)) return (await htmlToMarkdown(html)).markdown;
  const markdown =
    notebookText(forms, 'text/markdown') || notebookText(forms, 'text/latex') || notebookText(forms, 'latex');
  if (markdown !== '') return markdown;
  const plain = notebookText(forms, 'text/plain') || notebookText(forms, 'text');
  if (plain !== '') return isPictured && /^<[^\n]*>$/.test(plain.trim()) ? '' : printed(plain);
  if (html !== '') return (await htmlToMarkdown(html)).markdown;
  return json(forms['application/json']);
}

function json(value: unknown): string {
  try {
    return value === undefined ? '' : fence(JSON.stringify(value), 'json');
  } catch {
    return ''; // nested deeper than it can be written
  }
}

function failure(output: Record<string, unknown>): string {
  const trace = output['traceback'];
  const lines = Array.isArray(trace) ? trace.filter((line) => typeof line === 'string') : [];
  return lines.length > 0 ? lines.join('\n') : `${notebookText(output, 'ename')}: ${notebookText(output, 'evalue')}`;
}

/** As a terminal would leave it: no colours, and of a line that was written over only its last state. */
function printed(text: string): string {
  const lines = stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.replace(/\r$/, '').lastIndexOf('\r') + 1));
  const words = lines.join('\n').trimEnd();
  return words.trim() === '' ? '' : fence(words);
}
