// A Jupyter notebook in, its cells as Markdown out, in order, each with what it printed; pictures when asked for.
// Refused: bytes that are no JSON, JSON without cells.
import { isRecord, parsedFromPython } from '../../content/json.ts';
import { unescaped } from '../../content/text.ts';
import { heading, picture } from '../document/markdown.ts';
import type { DocumentReader, InnerPicture } from '../document/reader.ts';
import { corrupt } from '../document/refusals.ts';
import { decodeText } from '../text/decode.ts';
import { fence, finish } from '../web/markdown.ts';
import { notebookText } from './field.ts';
import { outputBlocks } from './output.ts';

export const readNotebook: DocumentReader = async (bytes, options) => {
  const book = parsed(bytes);
  const cells = cellsOf(book);
  if (book === undefined || cells === undefined) {
    return corrupt(options.name, book === undefined ? 'it is no JSON' : 'it has no cells');
  }
  const language = languageOf(book);
  const pictures: InnerPicture[] = [];
  const pasted: Pasted = { pictures, taken: new Set() };
  const blocks: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const source = notebookText(cell, 'source') || notebookText(cell, 'input');
    if (cell['cell_type'] === 'markdown' || cell['cell_type'] === 'heading') {
      const isHeading = cell['cell_type'] === 'heading' && source.trim() !== '';
      blocks.push(isHeading ? heading(Number(cell['level']) || 1, source) : attached(source, cell, index + 1, pasted));
      continue;
    }
    const isCode = cell['cell_type'] === 'code';
    const own = isCode ? notebookText(cell, 'language') || language : '';
    if (source.trim() !== '') blocks.push(fence(source, own));
    const outputs = Array.isArray(cell['outputs']) ? cell['outputs'].filter(isRecord) : [];
    for (const block of await outputBlocks(outputs, index + 1, pictures)) blocks.push(block);
  }
  const text = blocks.filter((block) => block.trim() !== '').join('\n\n');
  return finish(text, options, { pictures, parts: { count: cells.length, unit: 'cells' } });
};

function parsed(bytes: Uint8Array): Record<string, unknown> | undefined {
  const value = parsedFromPython(decodeText(bytes) ?? '');
  return isRecord(value) ? value : undefined;
}

/** Version 4 lists its cells, version 3 has sheets of them. */
function cellsOf(book: Record<string, unknown> | undefined): Record<string, unknown>[] | undefined {
  if (Array.isArray(book?.['cells'])) return book['cells'].filter(isRecord);
  const sheets = book?.['worksheets'];
  if (!Array.isArray(sheets)) return undefined;
  return sheets
    .filter(isRecord)
    .flatMap((sheet) => (Array.isArray(sheet['cells']) ? sheet['cells'].filter(isRecord) : []));
}

function languageOf({ metadata }: Record<string, unknown>): string {
  if (!isRecord(metadata)) return 'python';
  const { kernelspec, language_info: info } = metadata;
  const known =
    (isRecord(info) && notebookText(info, 'name')) || (isRecord(kernelspec) && notebookText(kernelspec, 'language'));
  return known || 'python';
}

/** The pictures of a notebook, and the names that are given to those pasted into cells. */
type Pasted = { pictures: InnerPicture[]; taken: Set<string> };

/** Pictures pasted into a cell are called by their name alone, which is mostly that of those pasted into others. */
function attached(
  source: string,
  { attachments }: Record<string, unknown>,
  number: number,
  { pictures, taken }: Pasted,
): string {
  if (!isRecord(attachments)) return source;
  const names = new Map<string, string>();
  for (const [name, forms] of Object.entries(attachments)) {
    if (!isRecord(forms)) continue;
    const type = Object.keys(forms).find((one) => one.startsWith('image/'));
    if (type === undefined) continue;
    const plain = nameIn(name);
    const own = taken.has(plain) ? `cell-${number}-${plain}` : plain;
    taken.add(plain);
    names.set(name, own);
    pictures.push({ name: own, bytes: new Uint8Array(Buffer.from(notebookText(forms, type), 'base64')) });
  }
  return source.replaceAll(pastedPicture, (_, words: string, link: string) => {
    const name = unescaped(link);
    return picture(words, names.get(name) ?? names.get(link) ?? nameIn(name));
  });
}

/** A name may have brackets in it, as Windows gives them to the second picture of a name. */
const pastedPicture = /!\[([^\]\n]{0,500})\]\(attachment:((?:[^()\s]|\([^()\s]{0,100}\)){1,500})\)/g;

function nameIn(name: string): string {
  return name.replaceAll(/[\s()/\\]/g, '_');
}
