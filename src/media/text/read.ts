// The reader of texts: whatever no other reader knows and is no binary data. Refused: bytes that are no text, and more of them than a text may have where
// they cannot be read in parts. A text that is longer than one reading is kept whole as an asset.
import type { Read, Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { viewOf } from '../image/format.ts';
import type { MediaReader, Reading, ReadOptions, Visit } from '../reading.ts';
import { cancelled, takeAll } from '../reading.ts';
import { sentAs } from '../web/charset.ts';
import { decodeLoosely, guessNote, wrongEncoding } from './decode.ts';
import type { Excerpt, Lines } from './page.ts';
import { excerpt } from './page.ts';
import { streamedExcerpt } from './stream.ts';

export const textReader: MediaReader = {
  accepts: (seen) => seen === undefined,
  read: readText,
  async block({ name }) {
    const next = 'Give it as text, or convert it first.';
    return refuse('unknown', `${name} is no picture, document, sound or film`, next);
  },
};

/** Anything as text: also the source of what is more than that. */
export async function readText(visit: Visit): Promise<Read<Reading>> {
  const { opened, name, options, context } = visit;
  if (options.as === 'image') return refuse('unsupported', `${name} is no picture`, 'Read it as text.');
  const wrong = wrongEncoding(options.encoding);
  if (wrong !== undefined) return wrong;
  const mediaType = visit.seen?.mediaType ?? 'text/plain';
  const { textBytes, outputCharacters } = context.limits;
  if (opened.part !== undefined && (opened.size ?? 0) > textBytes) return await readLong(visit);
  const advice = 'Put it into a file and read some of its lines with offset and limit.';
  const bytes = await takeAll(visit, `Text too large: ${name}`, textBytes, advice);
  if (!bytes.ok) return bytes;
  const encoding = options.encoding ?? sentAs(bytes.value, opened.mediaType);
  const decoded = decodeLoosely(bytes.value, { encoding });
  if (decoded === undefined) return binary(name);
  const note = noteBefore(decoded);
  const part = excerpt(decoded.text, linesOf(options), outputCharacters - note.length);
  if (!part.ok) return part;
  const kept = part.value.whole ? {} : { asset: await context.assets.put(viewOf(bytes.value), { mediaType, name }) };
  return { ok: true, value: readingOf(visit, bytes.value.length, note, part.value, kept) };
}

const headBytes = 64 * 1024;

/** A text too long to be held: its lines are looked up, and only those asked for are kept. */
async function readLong({ opened, name, options, context, head }: Visit): Promise<Read<Reading>> {
  const visit = { opened, name, options, context, head };
  const decoded = decodeLoosely(await opened.head(headBytes), { part: true, encoding: options.encoding });
  if (decoded === undefined || opened.part === undefined) return binary(name);
  const note = noteBefore(decoded);
  const maxCharacters = context.limits.outputCharacters - note.length;
  const bounds = { maxCharacters, signal: context.signal };
  const part = await streamedExcerpt(opened.part, decoded.encoding, linesOf(options), bounds);
  if (context.signal?.aborted === true) return cancelled(name);
  if (!part.ok) return part;
  if (part.value.output.includes('\u0000')) return binary(name);
  return { ok: true, value: readingOf(visit, opened.size ?? 0, note, part.value, {}) };
}

function readingOf(
  { name }: Visit,
  size: number,
  note: string,
  { output, lines, shown: [first, last] }: Excerpt,
  kept: Pick<Reading['data'] & { type: 'text' }, 'asset'>,
): Reading {
  const text = `${note}${output}`;
  const data = { type: 'text', name, size, lines, shown: [first, last], ...kept } satisfies Reading['data'];
  return { output: text, blocks: [{ type: 'text', text }], data };
}

export function linesOf({ offset, limit, character, lineNumbers }: ReadOptions): Lines {
  return {
    ...(offset !== undefined && { offset }),
    ...(limit !== undefined && { limit }),
    ...(character !== undefined && { character }),
    ...(lineNumbers !== undefined && { lineNumbers }),
  };
}

/** What had to be guessed is told. */
function noteBefore(decoded: Parameters<typeof guessNote>[0]): string {
  const note = guessNote(decoded);
  return note === '' ? '' : `${note}\n`;
}

function binary(name: string): { ok: false; refusal: Refusal } {
  return refuse('unsupported', `${name} is binary data of no kind we know`, 'Convert it to text, an image or a PDF.');
}
