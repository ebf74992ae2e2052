// A picture in, the words on it and how sure the reader is out. The only file that imports the library for it, which is
// optional, loaded when first needed and never reaches for the network. Runs in a child process.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Tesseract from 'tesseract.js';
import type { Worker } from 'tesseract.js';
import { fromPart } from '../../config/parts.ts';
import type { ReadableLanguage } from './languages.ts';
import { languageGroups } from './languages.ts';
import { markedText } from './unsure.ts';

/** `confidence` is the mean over all words, in percent. A number of which the reader is not sure has a mark behind it. */
export type Recognised = { text: string; confidence: number };

/** Below this, in percent, another script is tried: its letters were taken for those of the first. */
const sure = 75;
/** Scripts that are tried for one picture. */
const mostScripts = 5;

const readers = new Map<string, Promise<Worker>>();

/** Reads one picture, in the languages of the script that makes most sense of it. Rejects when the library is absent or
 * cannot decode the picture. */
export async function recognise(bytes: Uint8Array): Promise<Recognised> {
  let best: Recognised = { text: '', confidence: -1 };
  for (const group of languageGroups().slice(0, mostScripts)) {
    const found = await recogniseIn(group, bytes);
    if (found.confidence > best.confidence) best = found;
    if (best.confidence >= sure) break;
  }
  return best;
}

async function recogniseIn(group: readonly ReadableLanguage[], bytes: Uint8Array): Promise<Recognised> {
  const key = group.map(({ code }) => code).join('+');
  const reader = readers.get(key) ?? startReader(group);
  readers.set(key, reader);
  const worker = await reader;
  const picture = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { data } = await worker.recognize(picture, {}, { text: true, blocks: true });
  return { text: markedText(data.blocks ?? []), confidence: Math.round(data.confidence) };
}

/** Without one the library throws into the void; the rejected promise already says what went wrong. */
const errorHandler = (): void => undefined;

/** The library wants all data in one folder, under one kind of name; it is there while it is loaded. */
async function startReader(group: readonly ReadableLanguage[]): Promise<Worker> {
  const library = fromPart('ocr', 'tesseract.js') as typeof Tesseract;
  const langPath = await mkdtemp(join(tmpdir(), 'sightline-ocr-'));
  try {
    for (const { code, file } of group) await symlink(file, join(langPath, `${code}.traineddata.gz`));
    const codes = group.map(({ code }) => code).join('+');
    return await library.createWorker(codes, 1, { langPath, gzip: true, cacheMethod: 'none', errorHandler });
  } finally {
    await rm(langPath, { recursive: true });
  }
}
