// The shared corpus of outside files: where it lies, what its manifest expects, and where a reading disagrees with it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Read } from '../../src/content/refusal.ts';
import { read } from '../../src/media/index.ts';
import type { Reading, ReadOptions } from '../../src/media/index.ts';
import { documentTypes } from '../../src/media/document/kinds.ts';
import { imageFormatOf } from '../../src/media/image/formats.ts';
import { sniff } from '../../src/media/sniff.ts';

export type Expectation = {
  verdict: 'ok' | 'refuse' | 'password' | 'either';
  mediaType?: string;
  width?: number | null;
  height?: number | null;
  orientation?: number | null;
  frames?: number | null;
  /** why it may exhaust a decoder */
  hazard?: string;
  /** as it is shown, where the container itself turns it */
  display?: { width: number; height: number };
  /** where programs choose different pictures of one file, what each of them saw */
  sizesSeen?: Record<string, [width: number, height: number]>;
  pages?: number | null;
  hasText?: boolean | 'either' | null;
  words?: string[];
  /** of documents: the extension they should have */
  kind?: string | null;
  password?: string;
  passwordVerifiedBy?: string[];
};

export type Entry = { file: string; bytes: number; expect: Expectation };

const shared = process.env['SIGHTLINE_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url));

/** The folder of the corpora, or nothing on a machine that has none. */
export const corpus: string | undefined = existsSync(join(shared, 'corpora/manifest.json'))
  ? join(shared, 'corpora')
  : undefined;

if (corpus === undefined)
  console.warn('The corpora are absent (set SIGHTLINE_SHARED): tests that need them are skipped.');

/** What the manifest says about the files of some folders. */
export function entries(...folders: string[]): Entry[] {
  if (corpus === undefined) return [];
  const manifest: Entry[] = JSON.parse(readFileSync(join(corpus, 'manifest.json'), 'utf8'));
  return manifest.filter(({ file }) => folders.includes(file.split('/')[0] ?? ''));
}

export function corpusPath(file: string): string {
  return join(corpus ?? '', file);
}

/** Every way in which our reading of a file differs from what independent programs agree on. */
export async function disagreements({ file, expect }: Entry, given: ReadOptions = {}): Promise<string[]> {
  const path = corpusPath(file);
  // Words are looked for in the whole text of a document, not in the part that one reading shows.
  const options = file.startsWith('office/') ? { ...given, limits: { outputCharacters: 10_000_000 } } : given;
  const result = await read(path, options);
  const found = ofSniffing(file, expect, readFileSync(path));
  if (expect.verdict === 'either') return [...found, ...(result.ok ? ofValue(result.value, expect, false) : [])];
  if (expect.verdict === 'refuse') return result.ok ? [...found, 'it was read, everyone else refuses it'] : found;
  if (expect.verdict === 'ok') return [...found, ...ofOk(file, result, expect)];
  if (result.ok) found.push('it was read without its password');
  else if (result.refusal.code !== 'encrypted') found.push(`refused as ${result.refusal.code}, not as encrypted`);
  if (expect.password === undefined) return found;
  const opened = await read(path, { ...options, password: expect.password });
  return [...found, ...ofOk(file, opened, expect).map((one) => `with its password: ${one}`)];
}

/** The media type by bytes; what the manifest calls unknown must not be taken for a picture that reads. */
function ofSniffing(file: string, { mediaType, verdict, kind }: Expectation, bytes: Uint8Array): string[] {
  if (kind === null) return []; // nobody knows
  const wanted = file.startsWith('pdf/') ? 'application/pdf' : (mediaType ?? typeOfKind(kind));
  const seen = sniff(bytes)?.mediaType ?? 'application/octet-stream';
  return seen === wanted || (verdict === 'refuse' && wanted === 'application/octet-stream')
    ? []
    : [`sniffed as ${seen}, not ${wanted}`];
}

/** Templates and files with macros are of the same kind as others of their program. */
function typeOfKind(kind: string | undefined): string | undefined {
  const plain =
    new Map([
      ['dotx', 'docx'],
      ['encrypted-ooxml', 'encrypted'],
    ]).get(kind ?? '') ?? kind;
  return Object.entries(documentTypes).find(([name]) => name === plain)?.[1];
}

function ofOk(file: string, result: Read<Reading>, expect: Expectation): string[] {
  const type = expect.mediaType ?? 'application/pdf';
  const readable = /^(pdf|office)\//.test(file) || imageFormatOf(type) !== undefined || type === 'image/svg+xml';
  if (!readable) return !result.ok && result.refusal.code === 'unsupported' ? [] : ['not refused as unsupported'];
  return result.ok
    ? ofValue(result.value, expect, true)
    : [`refused as ${result.refusal.code}: ${result.refusal.what}`];
}

function ofValue({ output, blocks, data }: Reading, expect: Expectation, strict: boolean): string[] {
  const found: string[] = [];
  const block = blocks[0];
  if (block?.type === 'image' && expect.width && expect.height) {
    const { width, height } = block.original ?? block;
    const wanted = sizes(expect);
    found.push(...ofParts(block.origin?.made ?? '', expect));
    if (!wanted.includes(`${width}×${height}`))
      found.push(`measured as ${width}×${height}, not ${wanted.join(' or ')}`);
  }
  if (data.type !== 'pdf' && data.type !== 'document') return found;
  if (data.type === 'pdf' && typeof expect.pages === 'number' && data.pages !== expect.pages)
    found.push(`${data.pages} pages, not ${expect.pages}`);
  const silent = output.includes('no extractable text');
  if (strict && expect.hasText === true && silent) found.push('no text found');
  if (strict && expect.hasText === false && !silent) found.push('text found where there is none');
  const text = silent ? '' : output.toLowerCase();
  const lost = (expect.words ?? []).filter((word) => !text.includes(word));
  if (lost.length > 0)
    found.push(`${lost.length} of ${expect.words?.length} words not found: ${lost.slice(0, 3).join(' ')}`);
  return found;
}

/** The upright size; more than one where independent programs do not agree which picture of the file counts. */
function sizes({ width, height, display, orientation, sizesSeen }: Expectation): string[] {
  if (sizesSeen !== undefined) return Object.values(sizesSeen).map((size) => size.join('×'));
  if (display !== undefined) return [`${display.width}×${display.height}`];
  return [(orientation ?? 1) >= 5 ? `${height}×${width}` : `${width}×${height}`];
}

/** What a model is told about frames and pages. A PNG's still picture counts as a frame for some programs only. */
function ofParts(made: string, { mediaType, frames, pages }: Expectation): string[] {
  const told = (pattern: RegExp): number => Number(pattern.exec(made)?.[1] ?? 1);
  const [seen, listed] = [told(/(?:animated,|first frame of) (\d+)/), told(/page 1 of (\d+)/)];
  if (mediaType === 'image/tiff' && pages && listed !== pages) return [`${listed} pages, not ${pages}`];
  return mediaType !== 'image/png' && frames && seen !== frames ? [`${seen} frames, not ${frames}`] : [];
}
