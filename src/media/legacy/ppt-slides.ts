// The stream of a PowerPoint 97 to 2003 file in, its slides in order out: title, texts, tables and pictures in their places, notes,
// comments, headers and footers. Which slide lies where is looked up as the program does it, from the last edit back; a file in
// which that fails gives all its texts in the order of the bytes.
import type { Piece } from '../document/markdown.ts';
import { joined, picture, table } from '../document/markdown.ts';
import type { Slide, SlideComment } from '../document/slide.ts';
import { pictureNumber, shapeWords } from './ppt-pictures.ts';
import type { RecordBudget, PptRecord } from './ppt-records.ts';
import { recordsBelow, kinds, recordAt, pptRecords, recordText } from './ppt-records.ts';
import type { SlideText } from './ppt-text.ts';
import { slideTable } from './ppt-tables.ts';
import { isSlideTitle, slideLine, textPieces } from './ppt-text.ts';
import { rc4Way } from './rc4.ts';
import type { OpenBlock } from './rc4.ts';

/** All slides; `margins` are the words at the head and foot of each slide and of each page of notes. */
export type Show = { slides: Slide[]; margins: { slides: string; notes: string } };

const maxEdits = 1000;

type Entry = { id: number; slideId: number; outline: SlideText[] };
type Shown = SlideText | { picture: string; described: string } | { table: string[][] };

/** `pictures` are the names of pictures by where they lie in their stream. */
export function slidesOf(data: Buffer, lastEdit: number, pictures: ReadonlyMap<number, string>): Show | undefined {
  const places = directory(data, lastEdit);
  const budget = { left: data.length }; // several times what a sound file needs
  const document = [...places.values()].map((at) => recordAt(data, at)).find((one) => one?.type === kinds.document);
  const root = document ?? [...pptRecords(data, 0, data.length)].findLast(({ type }) => type === kinds.document);
  const slides = root === undefined ? [] : entries(data, root, 0);
  const known = slides.some(({ id, outline }) => outline.length > 0 || container(data, places.get(id), kinds.slide));
  if (root === undefined || !known) return undefined;
  const stored = storedPictures(data, root, pictures, budget);
  const notes = new Map<number, string>();
  for (const entry of entries(data, root, 2)) {
    const record = container(data, places.get(entry.id), kinds.notes);
    const belongsTo = record && ownSlide(data, record);
    if (record !== undefined && belongsTo !== undefined)
      notes.set(belongsTo, joined(piecesOf(textsOn(data, record, entry.outline, [], budget))));
  }
  const margins = { slides: marginIn(data, root, 3) ?? '', notes: marginIn(data, root, 4) ?? '' };
  const made = slides.map((entry): Slide => {
    const record = container(data, places.get(entry.id), kinds.slide);
    const found = record === undefined ? entry.outline : textsOn(data, record, entry.outline, stored, budget);
    const title = found.find((one): one is SlideText => 'text' in one && isSlideTitle(one) && slideLine(one) !== '');
    const own = record && marginIn(data, record, 0);
    return {
      title: title === undefined ? '' : slideLine(title),
      hidden: record !== undefined && isHiddenSlide(data, record),
      pieces: piecesOf(found.filter((one) => one !== title)),
      notes: notes.get(entry.slideId) ?? '',
      comments: record === undefined ? [] : comments(data, record, budget),
      margin: own === undefined || own === margins.slides ? '' : own,
    };
  });
  return { slides: made, margins };
}

function isHiddenSlide(data: Buffer, slide: PptRecord): boolean {
  const about = [...pptRecords(data, slide.start, slide.end)].find(({ type }) => type === kinds.slideShow);
  return about !== undefined && about.end - about.start >= 12 && (data.readUInt16LE(about.start + 10) & 4) !== 0;
}

/** Every text of the file, for one whose order cannot be found. */
export function allTexts(data: Buffer): string[] {
  const found: SlideText[] = [];
  for (const record of recordsBelow(data, { start: 0, end: data.length }, { left: data.length })) {
    if (record.type === kinds.wideText || record.type === kinds.narrowText) {
      found.push({ kind: 4, text: recordText(data, record) });
    }
  }
  return [...new Set(piecesOf(found).map(({ text }) => text))];
}

/** A file without its encryption, and the way in which it was sealed. */
export type OpenedSlides = { data: Buffer; open: OpenBlock };

/** The slides without their encryption; nothing when the password is another one or the way is not known. */
export function openedSlides(data: Buffer, lastEdit: number, password: string): OpenedSlides | undefined {
  const places = directory(data, lastEdit);
  const about = [...places.values()].map((at) => recordAt(data, at)).find((one) => one?.type === kinds.encryption);
  const open = about && rc4Way(data.subarray(about.start, about.end), password);
  if (about === undefined || open === undefined) return undefined;
  const opened = Buffer.from(data);
  let left = data.length * 2; // objects of a sound file do not overlap
  for (const [id, at] of places) {
    if (at + 8 > data.length || at + 8 === about.start) continue;
    const size = Math.min(8 + open(id, data.subarray(at, at + 8)).readUInt32LE(4), data.length - at);
    if ((left -= size) < 0) return undefined;
    open(id, data.subarray(at, at + size)).copy(opened, at);
  }
  opened.writeUInt16LE(0, about.start - 6); // what told of the encryption tells nothing any more
  return { data: opened, open };
}

/** Where each numbered object lies; later edits win over earlier ones. */
function directory(data: Buffer, lastEdit: number): Map<number, number> {
  const places = new Map<number, number>();
  const seen = new Set<number>();
  for (let at = lastEdit; at > 0 && !seen.has(at) && seen.size < maxEdits;) {
    seen.add(at);
    const edit = recordAt(data, at);
    if (edit?.type !== kinds.userEdit || edit.end - edit.start < 16) break;
    const list = recordAt(data, data.readUInt32LE(edit.start + 12));
    if (list?.type === kinds.directory) addPlaces(data, list, places);
    at = data.readUInt32LE(edit.start + 8);
  }
  return places;
}

function addPlaces(data: Buffer, { start, end }: PptRecord, places: Map<number, number>): void {
  for (let at = start; at + 4 <= end;) {
    const head = data.readUInt32LE(at);
    at += 4;
    for (let index = 0; index < head >>> 20 && at + 4 <= end; index += 1, at += 4) {
      const id = (head & 0xfffff) + index;
      if (!places.has(id)) places.set(id, data.readUInt32LE(at));
    }
  }
}

function container(data: Buffer, at: number | undefined, type: number): PptRecord | undefined {
  const record = at === undefined ? undefined : recordAt(data, at);
  return record?.type === type ? record : undefined;
}

/** The slides (0) or notes (2) a document lists, each with the texts that stand in the list itself. */
function entries(data: Buffer, document: PptRecord, instance: number): Entry[] {
  const found: Entry[] = [];
  for (const list of pptRecords(data, document.start, document.end)) {
    if (list.type !== kinds.list || list.instance !== instance) continue;
    for (const record of pptRecords(data, list.start, list.end)) {
      const last = found.at(-1)?.outline.at(-1);
      if (record.type === kinds.persist && record.end - record.start >= 16) {
        found.push({ id: data.readUInt32LE(record.start), slideId: data.readUInt32LE(record.start + 12), outline: [] });
      } else if (record.type === kinds.textHeader && record.end - record.start >= 4) {
        found.at(-1)?.outline.push({ kind: data.readUInt32LE(record.start), text: '' });
      } else if (record.type === kinds.wideText || record.type === kinds.narrowText) {
        if (last !== undefined) last.text = recordText(data, record);
      } else if (record.type === kinds.textStyle && last !== undefined) {
        last.style = data.subarray(record.start, record.end);
      }
    }
  }
  return found;
}

/** The names of the pictures that shapes refer to by number, counted from one. */
function storedPictures(
  data: Buffer,
  document: PptRecord,
  names: ReadonlyMap<number, string>,
  budget: RecordBudget,
): (string | undefined)[] {
  const stored: (string | undefined)[] = [undefined];
  for (const part of pptRecords(data, document.start, document.end)) {
    if (part.type !== kinds.drawingGroup) continue;
    for (const { type, start, end } of recordsBelow(data, part, budget))
      if (type === kinds.storedPicture)
        stored.push(end - start < 32 ? undefined : names.get(data.readUInt32LE(start + 28)));
  }
  return stored;
}

/** The texts and pictures on a slide in the order of its shapes; some texts only refer to the list of the document. */
function textsOn(
  data: Buffer,
  slide: PptRecord,
  outline: readonly SlideText[],
  stored: readonly (string | undefined)[],
  budget: RecordBudget,
): Shown[] {
  const found: Shown[] = [];
  const used = new Set<SlideText>();
  let [kind, tableEnd] = [4, 0];
  for (const part of pptRecords(data, slide.start, slide.end)) {
    if (part.type !== kinds.drawing) continue;
    for (const record of recordsBelow(data, part, budget)) {
      if (record.start < tableEnd) continue;
      const rows = record.type === kinds.group ? slideTable(data, record, budget) : undefined;
      if (rows !== undefined) {
        found.push({ table: rows });
        tableEnd = record.end;
        continue;
      }
      const last = found.at(-1);
      if (record.type === kinds.textHeader && record.end - record.start >= 4) kind = data.readUInt32LE(record.start);
      if (record.type === kinds.wideText || record.type === kinds.narrowText)
        found.push({ kind, text: recordText(data, record) });
      if (record.type === kinds.textStyle && last !== undefined && 'text' in last && !used.has(last))
        last.style = data.subarray(record.start, record.end);
      const name = record.type === kinds.shapeOptions ? stored[pictureNumber(data, record)] : undefined;
      if (name !== undefined) found.push({ picture: name, described: shapeWords(data, record) });
      const refers = record.type === kinds.textReference && record.end - record.start >= 4;
      const referred = refers ? outline[data.readUInt32LE(record.start)] : undefined;
      if (referred === undefined || used.has(referred)) continue;
      used.add(referred);
      found.push(referred);
    }
  }
  return [...found, ...outline.filter((one) => !used.has(one))];
}

function piecesOf(found: readonly Shown[]): Piece[] {
  return found.flatMap((one) => {
    if ('text' in one) return textPieces(one);
    return [{ text: 'table' in one ? table(one.table) : picture(one.described, one.picture) }];
  });
}

const [dateShown, dateTyped, headerShown, footerShown] = [0x01, 0x04, 0x10, 0x20];

/** What stands at the head and the foot; nothing where that is not said. A date that the program writes is none of it. */
function marginIn(data: Buffer, parent: PptRecord, instance: number): string | undefined {
  for (const own of pptRecords(data, parent.start, parent.end)) {
    if (own.type !== kinds.headersFooters || own.instance !== instance) continue;
    const inside = [...pptRecords(data, own.start, own.end)];
    const about = inside.find(({ type, start, end }) => type === kinds.headersFootersFlags && end - start >= 4);
    const flags = about === undefined ? 0 : data.readUInt16LE(about.start + 2);
    const shown = [(flags & dateShown) !== 0 && (flags & dateTyped) !== 0, flags & headerShown, flags & footerShown];
    const words = shown.map((isShown, at) => {
      const text = inside.find((one) => one.type === kinds.string && one.instance === at);
      return text === undefined || !isShown ? '' : recordText(data, text).trim();
    });
    return words.filter((one) => one !== '').join(', ');
  }
  return undefined;
}

function ownSlide(data: Buffer, notes: PptRecord): number | undefined {
  const first = recordAt(data, notes.start, notes.end);
  return first === undefined || first.end - first.start < 4 ? undefined : data.readUInt32LE(first.start);
}

function comments(data: Buffer, slide: PptRecord, budget: RecordBudget): SlideComment[] {
  const found: SlideComment[] = [];
  for (const record of recordsBelow(data, slide, budget)) {
    if (record.type !== kinds.comment) continue;
    const strings = [...pptRecords(data, record.start, record.end)].filter(({ type }) => type === kinds.string);
    const [author, words] = [0, 1].map((instance) => strings.find((one) => one.instance === instance));
    if (words === undefined) continue;
    found.push({ author: author === undefined ? '' : recordText(data, author), words: recordText(data, words) });
  }
  return found;
}
