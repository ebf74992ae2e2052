// A picture in, the words on it and how sure the reader is out. The only file that imports the library for it, which is
// optional, loaded when first needed and never reaches for the network. Runs in a child process.
import { dirname, join } from 'node:path';
import type Tesseract from 'tesseract.js';
import type { Worker } from 'tesseract.js';
import { fromPart, partFile } from '../../config/parts.ts';
import { markedText } from './unsure.ts';

/** `confidence` is the mean over all words, in percent. A number of which the reader is not sure has a mark behind it. */
export type Recognised = { text: string; confidence: number };

let reader: Promise<Worker> | undefined;

/** Reads one picture. Rejects when the library is absent or cannot decode the picture. */
export async function recognise(bytes: Uint8Array): Promise<Recognised> {
  reader ??= startReader();
  const worker = await reader;
  const picture = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { data } = await worker.recognize(picture, {}, { text: true, blocks: true });
  return { text: markedText(data.blocks ?? []), confidence: Math.round(data.confidence) };
}

/** Without one the library throws into the void; the rejected promise already says what went wrong. */
const errorHandler = (): void => undefined;

async function startReader(): Promise<Worker> {
  const library = fromPart('ocr', 'tesseract.js') as typeof Tesseract;
  const langPath = join(dirname(partFile('ocr', '@tesseract.js-data/eng/package.json')), '4.0.0');
  return await library.createWorker('eng', 1, { langPath, gzip: true, cacheMethod: 'none', errorHandler });
}
