// Any source in; what a person reads, the blocks a model sees and a few facts out. Order: size, kind by the bytes,
// limits, header, decode, block. Whatever is wrong with a file is a refusal; only a bug rejects.
import type { Read, Refusal } from '../content/refusal.ts';
import { refuse, SightlineError } from '../content/refusal.ts';
import { safeName } from '../content/text.ts';
import { isSound } from './audio/block.ts';
import { readSound } from './audio/read.ts';
import { contextOf } from './context.ts';
import { documentKind, isContainer, kindOf, plainKinds } from './document/kinds.ts';
import { readDocument } from './document/read.ts';
import { extensions, isImageType } from './image/header.ts';
import { readImage } from './image/read.ts';
import { readPdf } from './pdf/read.ts';
import type { Reading, ReadOptions, Visit } from './reading.ts';
import { cancelled } from './reading.ts';
import type { Sniffed } from './sniff.ts';
import { sniff, sniffBytes } from './sniff.ts';
import type { Source } from './source.ts';
import { openSource } from './source.ts';
import { readSvg } from './svg/read.ts';
import { readText } from './text/read.ts';
import { isFilm } from './video/block.ts';
import { readFilm } from './video/read.ts';

/** The only way to read media: paths, URLs, bytes, blobs, responses and streams all come in here. */
export async function read(source: Source, options: ReadOptions = {}): Promise<Read<Reading>> {
  const context = contextOf(options);
  const result = await openSource(source, options);
  if (!result.ok) return result;
  const opened = result.value;
  try {
    const head = await opened.head(sniffBytes);
    const kind = sniff(head);
    const name = nameFor(options.name ?? opened.name, kind);
    if (context.signal?.aborted === true) return cancelled(name);
    if (head.length === 0) return emptyRefusal(name);
    const visit = { opened, head, name, options, context };
    if (kind?.mediaType === 'image/svg+xml') return await readSvg(visit);
    if (readAsDocument(kind, visit)) return await readDocument(visit, (found) => unsupported(name, found ?? kind));
    if (kind === undefined || kind.mediaType === 'text/html') {
      return await readText(kind?.mediaType ?? 'text/plain', visit);
    }
    if (isImageType(kind.mediaType)) return await readImage(kind.mediaType, visit);
    if (isSound(kind.mediaType)) return await readSound(kind.mediaType, visit);
    if (isFilm(kind.mediaType)) return await readFilm(kind.mediaType, visit);
    return kind.mediaType === 'application/pdf' ? await readPdf(visit) : unsupported(name, kind);
  } catch (error) {
    return sourceRefusal(error, nameFor(options.name ?? opened.name, undefined));
  } finally {
    await opened.close();
  }
}

/** Documents that are plain text show their source when they are asked for as text. */
function readAsDocument(sniffed: Sniffed | undefined, { name, head, options }: Visit): boolean {
  const kind = documentKind(sniffed, name, head);
  if (kind === undefined) return sniffed !== undefined && isContainer(sniffed);
  return options.as !== 'text' || !plainKinds.has(kind);
}

/** A name that can be told to people: the given one, or what the bytes are. */
export function nameFor(given: string | undefined, kind: Sniffed | undefined): string {
  if (given !== undefined && given !== '') return safeName(given);
  if (kind === undefined) return 'input';
  const document = kindOf(kind.mediaType);
  if (document !== undefined) return `document.${document}`;
  return isImageType(kind.mediaType)
    ? `image${extensions[kind.mediaType]}`
    : `input.${kind.mediaType.split(/[/+]/)[1] ?? ''}`;
}

/** A source that fails while it is read is a refusal; everything else is thrown on. */
function sourceRefusal(error: unknown, name: string): { ok: false; refusal: Refusal } {
  if (!(error instanceof SightlineError) || error.code !== 'input') throw error;
  return refuse('corrupt', `${name} broke off while it was read`, 'Get it again.');
}

export function emptyRefusal(name: string): { ok: false; refusal: Refusal } {
  return refuse('empty', `${name} is empty (0 bytes)`, 'Check how it was written.');
}

const ways: Readonly<Record<string, string>> = {
  image: 'Convert it to PNG or JPEG.',
  audio: 'Convert it to MP3 or WAV.',
  video: 'Convert it to MP4 or WebM.',
};

/** We know what it is and cannot read it yet; the sentence says which. */
export function unsupported(name: string, sniffed: Sniffed | undefined): { ok: false; refusal: Refusal } {
  const { label, mediaType } = sniffed ?? { label: 'of no known kind', mediaType: '' };
  const next = ways[mediaType.split('/')[0] ?? ''] ?? 'Convert it to text, an image or a PDF.';
  return refuse('unsupported', `${name} is ${label}, which is not supported`, next);
}
