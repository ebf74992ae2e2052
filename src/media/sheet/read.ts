// A workbook (xlsx, xls, ods) in, its sheets as Markdown tables out, in the order of their tabs. Refused: passwords,
// damage, archives that grow too much, bytes that are no workbook.
import type { Read, Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { missingLibrary } from '../child/missing.ts';
import { heading, picture } from '../document/markdown.ts';
import type { DocumentReader, ReaderOptions } from '../document/reader.ts';
import { openCompound, isCompound } from '../legacy/compound.ts';
import { corrupt, encrypted, officePassword, withUnlocked } from '../document/refusals.ts';
import { formulasNote, mergedNote } from '../../content/words.ts';
import { countOf } from '../../content/figures.ts';
import { unlockedOdf } from '../office/odf-unlock.ts';
import { finish } from '../web/markdown.ts';
import type { Zip } from '../zip/read.ts';
import { openZip } from '../zip/read.ts';
import type { SoundBook } from './gate.ts';
import { picturesIn, soundArchive } from './gate.ts';
import type { DrawnSheets } from './drawings.ts';
import { drawnSheets } from './drawings.ts';
import { gridBlocks } from './grid.ts';
import { marginBlocks, newMargins } from './margins.ts';
import { hiddenNotes } from './marks.ts';
import type { Window } from './range.ts';
import { lastRowOf, windowOf } from './range.ts';
import { hasSoundRecords } from './records.ts';
import { openDrawnSheets } from './ods-drawings.ts';
import { flatSheets, openSheets } from './ods.ts';
import type { Sheet } from './workbook.ts';
import { sheetsOf } from './workbook.ts';
import { oldDrawnSheets } from './xls-drawings.ts';
import { oldMarks } from './xls-marks.ts';

export const readSheet: DocumentReader = async (bytes, options) => {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const zip = isArchive ? openZip(bytes, options.name, options.limits) : undefined;
  if (zip?.ok === false) return zip;
  const unlocked = zip === undefined ? undefined : unlockedOdf(zip.value, options);
  if (unlocked !== undefined)
    return unlocked.ok ? withUnlocked(unlocked.value, await readSheet(unlocked.value, options)) : unlocked;
  const window = windowOf(options);
  if (!window.ok) return window;
  const all = await sheetsOfFile(bytes, zip?.value, options);
  if (!all.ok) return all;
  const sheets = chosen(all.value.sheets, options);
  if (!sheets.ok) return sheets;
  const drawn = all.value.drawn();
  const pictures = drawn?.pictures ?? [];
  const blocks: string[] = [];
  let room = options.limits.documentCharacters;
  for (const [at, sheet] of sheets.value.entries()) {
    options.tell?.({ done: at, of: sheets.value.length, what: 'sheets read' });
    const own = [...sheetBlocks(sheet, window.value, room, options), ...(drawn?.on(sheet.name) ?? [])];
    room -= own.reduce((sum, block) => sum + block.length, 0);
    for (const block of own) blocks.push(block);
  }
  const placed = new Set(pictures.map(({ name }) => name));
  const others =
    options.pictures && zip !== undefined ? picturesIn(zip.value).filter((one) => !placed.has(one.name)) : [];
  if (others.length > 0) blocks.push(heading(2, 'Pictures'), ...others.map(({ name }) => picture(name, name)));
  return finish(blocks.join('\n\n'), options, {
    pictures: [...pictures, ...others],
    parts: { count: all.value.sheets.length, unit: 'sheets' },
  });
};

function drawingsIn(zip: Zip, sheets: readonly Sheet[], options: ReaderOptions): DrawnSheets | undefined {
  if (zip.has('content.xml')) return openDrawnSheets(zip, sheets, options);
  return zip.names.some((path) => path.startsWith('xl/drawings/')) ? drawnSheets(zip, sheets, options) : undefined;
}

/** The sheets of a workbook that has no password, for questions about their rows. */
export async function sheetsIn(bytes: Uint8Array, options: ReaderOptions): Promise<Read<Sheet[]>> {
  const zip = bytes[0] === 0x50 && bytes[1] === 0x4b ? openZip(bytes, options.name, options.limits) : undefined;
  const all = zip?.ok === false ? zip : await sheetsOfFile(bytes, zip?.value, options);
  return all.ok ? { ok: true, value: all.value.sheets } : all;
}

/** The sheets of a file; what lies on them is looked for only when it is asked for. */
type FileSheets = { sheets: Sheet[]; drawn: () => DrawnSheets | undefined };

async function sheetsOfFile(
  bytes: Uint8Array,
  zip: Zip | undefined,
  options: ReaderOptions,
): Promise<Read<FileSheets>> {
  if (zip === undefined) return oldSheets(bytes, options);
  const read = await archiveSheets(zip, options);
  return withDrawn(read, (sheets) => drawingsIn(zip, sheets, options));
}

function withDrawn(read: Read<Sheet[]>, drawn: (sheets: Sheet[]) => DrawnSheets | undefined): Read<FileSheets> {
  return read.ok ? { ok: true, value: { sheets: read.value, drawn: () => drawn(read.value) } } : read;
}

/** The sheet that was asked for, by its name or its number; all of them when none was. */
function chosen(sheets: Sheet[], { sheet, name }: ReaderOptions): Read<Sheet[]> {
  if (sheet === undefined) return { ok: true, value: sheets };
  const wanted = sheet.trim().toLowerCase();
  const found = sheets.find((one) => one.name.toLowerCase() === wanted) ?? sheets[Number(wanted) - 1];
  if (found !== undefined) return { ok: true, value: [found] };
  const names = sheets.slice(0, 20).map((one) => one.name);
  return refuse('bad-range', `${name} has no sheet "${sheet.slice(0, 60)}"`, `Give one of ${names.join(', ')}.`);
}

function lastRow(options: ReaderOptions): number {
  const window = windowOf(options);
  return lastRowOf(window.ok ? window.value : {}, options.limits.sheetRows);
}

async function archiveSheets(zip: Zip, options: ReaderOptions): Promise<Read<Sheet[]>> {
  if (zip.has('content.xml')) return openSheets(zip, options, lastRow(options));
  const archive = soundArchive(zip, options.formulas === true);
  return archive.ok ? parsed(archive.value.bytes, options, archive.value) : archive;
}

/** Old files have no sizes to lie about; their own is bounded already. */
async function oldSheets(bytes: Uint8Array, options: ReaderOptions): Promise<Read<FileSheets>> {
  const { name, password } = options;
  // Excel 2 to 4 wrote no container: the file begins with the record that begins a sheet.
  if (bytes[0] === 9 && (bytes[1] ?? 9) <= 8 && bytes.length > 16) return oldStream(Buffer.from(bytes), options);
  if (isMarkup(bytes)) {
    const read = flatSheets(bytes, options, lastRow(options));
    return withDrawn(read, (sheets) => openDrawnSheets(undefined, sheets, options));
  }
  if (!isCompound(bytes)) return noWorkbook(name);
  const container = openCompound(bytes);
  if (container === undefined) return corrupt(name, 'its container cannot be opened');
  if (container.has('EncryptedPackage')) return encrypted(name, password);
  const stream = ['Workbook', 'Book'].find((one) => container.has(one));
  if (stream === undefined) return noWorkbook(name);
  // The stream alone, because the library's own way into containers can go in circles.
  return oldStream(container.isWhole(stream) ? container.stream(stream) : undefined, options);
}

/** Gaps between records make the library show sheets without what was in them, or search for a very long time. */
async function oldStream(stream: Buffer | undefined, options: ReaderOptions): Promise<Read<FileSheets>> {
  if (stream === undefined || !hasSoundRecords(stream)) {
    return corrupt(options.name, 'its records do not follow one another');
  }
  const read = await parsed(stream, options, {
    marks: oldMarks(stream, options.formulas === true),
    uncomputed: false,
    unvalued: false,
  });
  // Of a sheet that is nothing but a chart, the library puts values and places into the same cells.
  const sheets: Read<Sheet[]> = read.ok
    ? { ok: true, value: read.value.map((one) => (one.chart ? { ...one, ...noCells } : one)) }
    : read;
  return withDrawn(sheets, (all) => oldDrawnSheets(stream, all));
}

const noCells = { rows: [], at: 0, top: 0, left: 0, bottom: 0, right: 0, comments: [], formulas: 0 };

function isMarkup(bytes: Uint8Array): boolean {
  return /^(?:\u00ef\u00bb\u00bf)?\s*</.test(Buffer.from(bytes.subarray(0, 100)).toString('latin1'));
}

function noWorkbook(name: string): { ok: false; refusal: Refusal } {
  return refuse('unsupported', `${name} is no workbook`, 'Save it as xlsx, xls, ods or csv.');
}

async function parsed(
  bytes: Uint8Array,
  options: ReaderOptions,
  { marks, uncomputed, unvalued }: Omit<SoundBook, 'bytes'>,
): Promise<Read<Sheet[]>> {
  const { name, password, formulas = false } = options;
  try {
    const wish = {
      lastRow: lastRow(options),
      formulas,
      password: password ?? officePassword,
      uncomputed,
      unvalued,
      ...(marks && { marks }),
    };
    return { ok: true, value: await sheetsOf(bytes, wish) };
  } catch (error) {
    if (missingLibrary(error) !== undefined) throw error;
    const what = error instanceof Error ? error.message : '';
    // Whatever else the library throws, it throws because of the bytes.
    return /password|encrypt/i.test(what) ? encrypted(name, password) : corrupt(name, 'its sheets cannot be read');
  }
}

const mostMerged = 30;

function sheetBlocks(sheet: Sheet, window: Window, room: number, options: ReaderOptions): string[] {
  const { name, hidden, chart, top, bottom, left, right, comments, merged, formulas, hiddenParts } = sheet;
  const margins = sheet.margins ?? newMargins();
  const size = [countOf(bottom - top, 'row'), ...(right > left ? [countOf(right - left, 'column')] : [])].join(' × ');
  const about = [chart ? 'chart' : bottom === 0 ? 'empty' : size, ...(hidden ? ['hidden'] : [])];
  const title = `## ${name.replaceAll(/\s+/g, ' ')} (${about.join(', ')})`;
  return [
    title,
    ...marginBlocks(margins, 'header'),
    ...gridBlocks(sheet, window, room, options.limits),
    ...hiddenNotes(hiddenParts, sheet),
    ...(merged.length === 0 ? [] : [mergedNote(merged.slice(0, mostMerged), merged.length - mostMerged)]),
    ...(formulas === 0 || options.formulas === true ? [] : [formulasNote(formulas)]),
    ...(comments.length === 0 ? [] : [`Comments:\n\n${comments.join('\n')}`]),
    ...marginBlocks(margins, 'footer'),
  ];
}
