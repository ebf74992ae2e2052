// The work that is too heavy or too dangerous for the caller's own process: what each job takes and what it gives.
import type { PageRange } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import type { ExtractInput } from '../document/extract.ts';
import type { Extract } from '../document/reader.ts';
import type { Crop, DrawnSvg, Encoded, Thumbnail, WithText } from '../image/codec.ts';
import type { Difference, ComparedImage } from '../image/difference.ts';
import type { Target } from '../image/fit.ts';
import type { Tile } from '../image/tile.ts';
import type { ImageHeader } from '../image/format.ts';
import type { Recognised } from '../ocr/engine.ts';
import type { JsonAnswers, JsonQuery } from '../json/jq.ts';
import type { PagesAsked } from '../pdf/pages.ts';
import type { OpenedPart, PartInput } from '../part.ts';
import type { TableInput } from '../sheet/answer.ts';
import type { Progress } from '../context.ts';
import type { TileGrid } from '../../content/block.ts';

export type PdfReading = {
  pages: number;
  range: PageRange;
  /** the words of each page of the range; null where a page could not be read */
  texts: (string | null)[];
  /** the form fields of each page of the range, a line for each that says something, when there is a form */
  fields?: string[][];
  /** the bookmarks, a line for each, when the range begins the document */
  outline?: string;
  /** what stands at the head or the foot of most pages, and is left out there */
  repeated?: string[];
  /** pages of the range, 0-based, that are pictures without words */
  scanned?: number[];
  /** pages of the range whose letters the file gives no meaning, and whose words are therefore left out */
  lost?: number[];
  /** pages of the range whose letters form no words */
  doubtful?: number[];
  /** pages of the range with more notes and links than are read */
  unread?: number[];
  /** pages of the range with words and pictures */
  pictured?: number[];
  /** the file lost its end */
  cut?: true;
  /** the document without its encryption, when it had one */
  unlocked?: Uint8Array;
};

type PdfInput = { bytes: Uint8Array; name: string; password: string };

export type Jobs = {
  'check-image': { input: { bytes: Uint8Array; header: ImageHeader; maxPixels: number }; output: number | null };
  'encode-image': {
    input: { bytes: Uint8Array; header: ImageHeader; target: Target; maxPixels: number };
    output: WithText | null;
  };
  thumbnail: { input: { bytes: Uint8Array; width: number; height: number }; output: Thumbnail };
  'crop-image': {
    input: { bytes: Uint8Array; header: ImageHeader; crop: Crop; target: Target; maxPixels: number };
    output: Encoded | null;
  };
  'tile-image': {
    input: { bytes: Uint8Array; header: ImageHeader; grid: TileGrid; target: Target; maxPixels: number };
    output: Tile[] | null;
  };
  'compare-images': {
    input: { one: ComparedImage; other: ComparedImage; target: Target; maxPixels: number };
    output: Difference | null;
  };
  'draw-svg': { input: { svg: string; target: Target; maxPixels: number }; output: DrawnSvg | null };
  'query-json': { input: JsonQuery; output: JsonAnswers };
  'open-part': { input: PartInput; output: OpenedPart };
  'table-records': { input: TableInput; output: string };
  'read-picture': { input: { bytes: Uint8Array; name: string }; output: Recognised };
  extract: { input: Omit<ExtractInput, 'tell'>; output: Extract };
  'read-pdf': {
    input: PdfInput & { asked?: PagesAsked; maxPages: number; maxCharacters: number; words: boolean };
    output: PdfReading;
  };
  'draw-pages': {
    input: PdfInput & { asked?: PagesAsked; maxPages: number; dpi: number; maxEdge: number; maxBase64: number };
    output: { pages: number; range: PageRange; pictures: (WithText | null)[]; cut?: true };
  };
  'cut-pdf': {
    input: PdfInput & { asked: PagesAsked };
    output: { bytes: Uint8Array; pages: number; range: PageRange };
  };
};

export type JobName = keyof Jobs;

const [fewPixels, fewBytes] = [4_000_000, 2 * 1024 * 1024];

/** Small pictures are done in a moment; they must not wait until a slow file is done. */
export function isQuick({ job, input }: Request): boolean {
  if (job === 'thumbnail') return input.bytes.length <= fewBytes;
  if (job !== 'check-image' && job !== 'encode-image' && job !== 'crop-image') return false;
  const { bytes, header } = input;
  return bytes.length <= fewBytes && header.width * header.height <= fewPixels && !header.animated;
}

/** What goes to a child, and what comes back: first that it has begun, then, where somebody listens, how far it is at
 * most once in every `gapMs`, and last what became of it. */
export type Request = { [K in JobName]: { job: K; input: Jobs[K]['input']; gapMs?: number } }[JobName];
export type Reply = { begun: true } | { progress: Progress } | { result: Read<unknown>; residentBytes: number };
