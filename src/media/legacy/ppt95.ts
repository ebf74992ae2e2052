// The stream of a PowerPoint 95 file in, its slides in order out. Its records are those of later versions with longer heads,
// and each slide lies where it belongs.
import { joined } from '../document/markdown.ts';
import type { Slide } from '../document/slide.ts';
import { guessedText } from './code-page.ts';
import type { ParagraphRun, SlideText } from './ppt-text.ts';
import { isSlideTitle, slideLine, textPieces } from './ppt-text.ts';

type OldRecord = { type: number; container: boolean; id: number; start: number; end: number };

const headSize = 16;
const kinds = { list: 0x7d0, slide: 0x3ee, notes: 0x3f0, textAbout: 0xfa3, letters: 0x7ee } as const;
/** Which list holds the slides, and which of the letters are words or tell of their paragraphs. */
const [slidesId, wordsId, paragraphsId] = [10, 53, 48];

/** Whether a stream is one of this version. */
export function isPpt95(data: Buffer): boolean {
  return data.length > 32 && data.readUInt32LE(0) === 3 && data.readUInt32LE(4) === 0xffff;
}

export function slidesOf95(data: Buffer): Slide[] {
  const slides: Slide[] = [];
  for (const list of below(data, 0, data.length)) {
    if (list.type !== kinds.list || list.id !== slidesId) continue;
    for (const slide of records(data, list.start, list.end))
      if (slide.type === kinds.slide) slides.push(made(data, slide));
  }
  return slides;
}

function made(data: Buffer, slide: OldRecord): Slide {
  const [texts, notes]: [SlideText[], SlideText[]] = [[], []];
  for (const part of records(data, slide.start, slide.end)) {
    const own = part.type === kinds.notes ? notes : texts;
    let kind = 4;
    for (const record of part.container ? below(data, part.start, part.end) : []) {
      if (record.type === kinds.textAbout && record.end - record.start >= 4) kind = data.readUInt32LE(record.start);
      if (record.type === kinds.letters && record.id === wordsId)
        own.push({ kind, text: guessedText(data.subarray(record.start, record.end), 0) });
      const last = own.at(-1);
      if (record.type !== kinds.letters || record.id !== paragraphsId || last === undefined) continue;
      const runs = paragraphRuns(data, record);
      // It counts bytes, which are letters only where each is one.
      if ((runs.at(-1)?.end ?? 0) <= last.text.length + 1) last.runs ??= runs;
    }
  }
  const title = texts.find((one) => isSlideTitle(one) && slideLine(one) !== '');
  return {
    title: title === undefined ? '' : slideLine(title),
    pieces: texts.filter((one) => one !== title).flatMap(textPieces),
    notes: joined(notes.flatMap(textPieces)),
    comments: [],
  };
}

/** Of each paragraph how many letters it has, then a record that says whether it has a sign, and how deep it stands. */
function paragraphRuns(data: Buffer, { start, end }: OldRecord): ParagraphRun[] {
  const runs: ParagraphRun[] = [];
  for (let [at, place] = [start, 0]; at + 4 + headSize <= end;) {
    const about = at + 4 + headSize;
    const size = data.readUInt32LE(at + 12);
    if (size <= levelAt || about + size > end) break;
    place += data.readUInt32LE(at);
    runs.push({ end: place, level: Math.min(data[about + levelAt] ?? 0, 8), bullet: ((data[about] ?? 0) & 1) === 1 });
    at = about + size;
  }
  return runs;
}

const levelAt = 24;

/** The records directly between two places. */
function* records(data: Buffer, from: number, to: number): Generator<OldRecord> {
  for (let at = from; at + headSize <= to;) {
    const start = at + headSize;
    const end = Math.min(to, start + data.readUInt32LE(at + 8));
    const container = data.readUInt32LE(at + 4) === 0xffff;
    yield { type: data.readUInt32LE(at), container, id: data.readUInt32LE(at + 12), start, end };
    at = end;
  }
}

const maxDepth = 40;

/** All records inside, in order, containers before what they hold. */
function* below(data: Buffer, from: number, to: number, depth = 0): Generator<OldRecord> {
  for (const record of records(data, from, to)) {
    yield record;
    if (record.container && depth < maxDepth) yield* below(data, record.start, record.end, depth + 1);
  }
}
