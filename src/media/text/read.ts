// Open bytes in, their reading as text out. Refused: bytes that are no text, and more of them than a text may have.
// A text that is longer than one reading is kept whole as an asset.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { viewOf } from '../image/header.ts';
import type { Reading, Visit } from '../reading.ts';
import { takeAll } from '../reading.ts';
import { decodeText } from './decode.ts';
import { excerpt } from './page.ts';

/** Reads a text for `read`. */
export async function readText(mediaType: string, visit: Visit): Promise<Read<Reading>> {
  const { name, options, context } = visit;
  if (options.as === 'image') return refuse('unsupported', `${name} is no picture`, 'Read it as text.');
  const advice = 'Read a part of it, for example with head, tail or grep.';
  const bytes = await takeAll(visit, `Text too large: ${name}`, context.limits.textBytes, advice);
  if (!bytes.ok) return bytes;
  const text = decodeText(bytes.value);
  if (text === undefined) {
    return refuse('unsupported', `${name} is binary data of no kind we know`, 'Convert it to text, an image or a PDF.');
  }
  const { offset, limit } = options;
  const lines = { ...(offset !== undefined && { offset }), ...(limit !== undefined && { limit }) };
  const part = excerpt(text, lines, context.limits.outputCharacters);
  if (!part.ok) return part;
  const { output, shown, whole } = part.value;
  const kept = whole ? {} : { asset: await context.assets.put(viewOf(bytes.value), { mediaType, name }) };
  const data = {
    type: 'text',
    name,
    size: bytes.value.length,
    lines: part.value.lines,
    shown: [...shown],
    ...kept,
  } as const;
  return {
    ok: true,
    value: { output, blocks: [{ type: 'text', text: output }], data: { ...data, shown: [...shown] } },
  };
}
