// The stream of a PowerPoint 97 to 2003 file in, its slides in order out: title, texts, notes, comments. Which slide
// lies where is looked up as the program does it, from the last edit back; a file in which that fails gives all its
// texts in the order of the bytes.
import type { RecordBudget, PptRecord } from './ppt-records.ts';
import { rc4Way } from './rc4.ts';
import { recordsBelow, kinds, recordAt, pptRecords, recordText } from './ppt-records.ts';

export type Slide = { title: string; texts: string[]; notes: string[]; comments: string[] };

const maxEdits = 1000;
/** Kinds of text that are titles. */
const titles = new Set([0, 6]);

type Typed = { kind: number; text: string };
type Entry = { id: number; slideId: number; outline: Typed[] };

export function slidesOf(data: Buffer, lastEdit: number): Slide[] {
  const places = directory(data, lastEdit);
  const budget = { left: data.length }; // several times what a sound file needs
  const document = [...places.values()].map((at) => recordAt(data, at)).find((one) => one?.type === kinds.document);
  const root = document ?? [...pptRecords(data, 0, data.length)].findLast(({ type }) => type === kinds.document);
  const slides = root === undefined ? [] : entries(data, root, 0);
  const known = slides.some(({ id, outline }) => outline.length > 0 || container(data, places.get(id), kinds.slide));
  if (root === undefined || !known) return [];
  const notes = new Map<number, string[]>();
  for (const entry of entries(data, root, 2)) {
    const record = container(data, places.get(entry.id), kinds.notes);
    const belongsTo = record && ownSlide(data, record);
    if (record !== undefined && belongsTo !== undefined)
      notes.set(belongsTo, wordsOf(texts(data, record, entry.outline, budget)));
  }
  return slides.map((entry) => {
    const record = container(data, places.get(entry.id), kinds.slide);
    const found = record === undefined ? entry.outline : texts(data, record, entry.outline, budget);
    const title = found.find(({ kind, text }) => titles.has(kind) && text.trim() !== '');
    return {
      title: title?.text ?? '',
      texts: wordsOf(found.filter((one) => one !== title)),
      notes: notes.get(entry.slideId) ?? [],
      comments: record === undefined ? [] : comments(data, record, budget),
    };
  });
}

/** Every text of the file, for one whose order cannot be found. */
export function allTexts(data: Buffer): string[] {
  const found: Typed[] = [];
  for (const record of recordsBelow(data, { start: 0, end: data.length }, { left: data.length })) {
    if (record.type === kinds.wideText || record.type === kinds.narrowText) {
      found.push({ kind: 4, text: recordText(data, record) });
    }
  }
  return [...new Set(wordsOf(found))];
}

/** The slides without their encryption; nothing when the password is another one or the way is not known. */
export function openedSlides(data: Buffer, lastEdit: number, password: string): Buffer | undefined {
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
  return opened;
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
    let kind = 4;
    for (const record of pptRecords(data, list.start, list.end)) {
      if (record.type === kinds.persist && record.end - record.start >= 16) {
        found.push({ id: data.readUInt32LE(record.start), slideId: data.readUInt32LE(record.start + 12), outline: [] });
      } else if (record.type === kinds.textHeader && record.end - record.start >= 4) {
        kind = data.readUInt32LE(record.start);
        found.at(-1)?.outline.push({ kind, text: '' });
      } else if (record.type === kinds.wideText || record.type === kinds.narrowText) {
        const last = found.at(-1)?.outline.at(-1);
        if (last !== undefined) last.text = recordText(data, record);
      }
    }
  }
  return found;
}

/** The texts on a slide in the order of its shapes; some only refer to the list of the document. */
function texts(data: Buffer, slide: PptRecord, outline: readonly Typed[], budget: RecordBudget): Typed[] {
  const found: Typed[] = [];
  const used = new Set<Typed>();
  let kind = 4;
  for (const part of pptRecords(data, slide.start, slide.end)) {
    if (part.type !== kinds.drawing && part.type !== kinds.headersFooters) continue;
    for (const record of recordsBelow(data, part, budget)) {
      if (record.type === kinds.textHeader && record.end - record.start >= 4) kind = data.readUInt32LE(record.start);
      if (record.type === kinds.wideText || record.type === kinds.narrowText)
        found.push({ kind, text: recordText(data, record) });
      if (record.type === kinds.string && part.type === kinds.headersFooters)
        found.push({ kind: 4, text: recordText(data, record) });
      const refers = record.type === kinds.textReference && record.end - record.start >= 4;
      const referred = refers ? outline[data.readUInt32LE(record.start)] : undefined;
      if (referred === undefined || used.has(referred)) continue;
      used.add(referred);
      found.push(referred);
    }
  }
  return [...found, ...outline.filter((one) => !used.has(one))];
}

function ownSlide(data: Buffer, notes: PptRecord): number | undefined {
  const first = recordAt(data, notes.start, notes.end);
  return first === undefined || first.end - first.start < 4 ? undefined : data.readUInt32LE(first.start);
}

/** Author and words of each comment. */
function comments(data: Buffer, slide: PptRecord, budget: RecordBudget): string[] {
  const found: string[] = [];
  for (const record of recordsBelow(data, slide, budget)) {
    if (record.type !== kinds.comment) continue;
    const strings = [...pptRecords(data, record.start, record.end)].filter(({ type }) => type === kinds.string);
    const [author, words] = [0, 1].map((instance) => strings.find((one) => one.instance === instance));
    if (words === undefined) continue;
    found.push(`${author === undefined ? '' : `${recordText(data, author)}: `}${recordText(data, words)}`);
  }
  return found;
}

/** A lone asterisk is where the program puts a number or a date. */
function wordsOf(found: readonly Typed[]): string[] {
  return found.map(({ text }) => text.trim()).filter((text) => text !== '' && text !== '*');
}
