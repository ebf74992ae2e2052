// An open SVG in, its reading out: the source as output and a picture of it as the block. When it cannot be drawn, or
// when lines of it were asked for, the source is the block; a note then says why there is no picture.
import type { Block } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { fromBytes } from '../bytes.ts';
import { warm } from '../child/pool.ts';
import { canonical } from '../image/block.ts';
import type { Context } from '../context.ts';
import type { Reading, Visit } from '../reading.ts';
import { takeAll } from '../reading.ts';
import { decodeText } from '../text/decode.ts';
import { readText } from '../text/read.ts';
import { sourceWords, svgBlock } from './block.ts';

const mediaType = 'image/svg+xml';

/** Reads an SVG for `read`. */
export async function readSvg(visit: Visit): Promise<Read<Reading>> {
  const { name, options, context } = visit;
  const { limits } = context;
  const paged = options.offset !== undefined || options.limit !== undefined;
  if (options.as === 'text' || (paged && options.as !== 'image')) return await readText(mediaType, visit);
  warm('draw-svg');
  const bytes = await takeAll(visit, `SVG too large: ${name}`, limits.textBytes, 'Simplify the drawing.');
  if (!bytes.ok) return bytes;
  const drawn = await svgBlock(bytes.value, name, canonical(limits), context);
  if (!drawn.ok && (options.as === 'image' || drawn.refusal.code === 'cancelled')) return drawn;
  const text = await readText(mediaType, {
    ...visit,
    options: { ...options, as: 'text' },
    opened: fromBytes(bytes.value),
  });
  if (!text.ok) return text;
  if (!drawn.ok) {
    const output = `[${undrawn(drawn.refusal)}]\n${text.value.output}`;
    return { ok: true, value: { ...text.value, output, blocks: [{ type: 'text', text: output }] } };
  }
  const data = { type: 'image', name, size: bytes.value.length, format: '.svg' } as const;
  return { ok: true, value: { output: text.value.output, blocks: [drawn.value], data } };
}

/** An SVG as one block for the intake: its picture, or its source when there is none. */
export async function svgOrSource(bytes: Uint8Array, name: string, context: Context): Promise<Read<Block>> {
  const drawn = await svgBlock(bytes, name, canonical(context.limits), context);
  const source = drawn.ok || drawn.refusal.code === 'cancelled' ? undefined : decodeText(bytes);
  if (drawn.ok || source === undefined) return drawn;
  const text = `[${undrawn(drawn.refusal)}]\n${sourceWords(source, context.limits.outputCharacters)}`;
  return { ok: true, value: { type: 'text', text } };
}

function undrawn({ what, limit }: { what: string; limit?: string }): string {
  return `${what}${limit === undefined ? '' : ` (limit: ${limit})`}. Only its source is shown.`;
}
