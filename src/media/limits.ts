// Every ceiling of the intake in one record. A caller may override each of them; nothing else in this stage holds a
// number that bounds what comes in.
import { maxText } from '../content/limits.ts';

/** What reading is bounded by; each field can be set for one call. */
export type Limits = {
  /** bytes of a file, by kind */
  imageBytes: number;
  pdfBytes: number;
  textBytes: number;
  audioBytes: number;
  videoBytes: number;
  /** office files, books, mails, notebooks: everything that is read as Markdown */
  documentBytes: number;
  /** the source of an SVG that is drawn; a longer one is only read as text */
  svgBytes: number;
  /** width × height of a picture, read from its header before anything is decoded */
  pixels: number;
  /** the canonical picture: long edge in pixels, length of its base64 */
  maxEdge: number;
  maxBase64: number;
  /** pages of a PDF that one read gives */
  pagesPerRead: number;
  /** pages of a PDF that are drawn if no range was given */
  pagesPerRendition: number;
  /** a PDF with more pages than this is read with a warning */
  warnPages: number;
  /** dots per inch of a page picture */
  renderDpi: number;
  /** characters of text that one read shows; the whole is kept as an asset */
  outputCharacters: number;
  /** characters of text that one whole document may give */
  documentCharacters: number;
  /** pictures of one document that one read gives */
  picturesPerRead: number;
  /** rows and columns of a sheet that are shown */
  sheetRows: number;
  sheetColumns: number;
  /** archives: entries, bytes of all of them together, and how many times larger than packed beyond the first MiB */
  archiveEntries: number;
  inflatedBytes: number;
  inflateRatio: number;
  /** XML: elements inside each other, and elements in one file */
  xmlDepth: number;
  xmlElements: number;
  /** time for one piece of work in a child process */
  imageMs: number;
  svgMs: number;
  pdfMs: number;
  documentMs: number;
  /** time for each page on top of it */
  pageMs: number;
  /** time to read the words off one picture */
  ocrMs: number;
  /** time to answer one query of a JSON text */
  jsonMs: number;
  /** time that one piece of work waits for others before it is given up */
  waitMs: number;
  /** time after which a reading begins to report its progress */
  quietMs: number;
  /** resident memory of a child process at work */
  childBytes: number;
};

const mebibyte = 1024 * 1024;

/** The limits unless a call sets others. */
export const limits: Readonly<Limits> = {
  imageBytes: 20 * mebibyte,
  pdfBytes: 32 * mebibyte,
  textBytes: 20 * mebibyte,
  audioBytes: 20 * mebibyte,
  videoBytes: 64 * mebibyte,
  documentBytes: 64 * mebibyte,
  svgBytes: 8 * mebibyte,
  pixels: 100_000_000,
  maxEdge: 2000,
  maxBase64: 4.5 * mebibyte,
  pagesPerRead: 20,
  pagesPerRendition: 1000,
  warnPages: 100,
  renderDpi: 150,
  outputCharacters: maxText,
  documentCharacters: 8_000_000,
  picturesPerRead: 20,
  sheetRows: 1000,
  sheetColumns: 50,
  archiveEntries: 10_000,
  inflatedBytes: 256 * mebibyte,
  inflateRatio: 200,
  xmlDepth: 256,
  xmlElements: 4_000_000,
  imageMs: 20_000,
  svgMs: 10_000,
  jsonMs: 20_000,
  pdfMs: 20_000,
  ocrMs: 20_000,
  pageMs: 2_000,
  documentMs: 30_000,
  waitMs: 600_000,
  quietMs: 1000,
  childBytes: 1536 * mebibyte,
};

/** A caller's own ceilings over ours; one that is absent keeps its default. */
export function withLimits(own: Partial<Limits> = {}): Limits {
  return { ...limits, ...own };
}

export { grouped } from '../content/figures.ts';
