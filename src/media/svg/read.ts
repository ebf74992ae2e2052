// The reader of SVG drawings: the source as output and a picture of it as the block, with the source as the words that
// stand for it. When it cannot be drawn, or when lines of it were asked for, the source is the block; a note then says
// why there is no picture. Not drawn: what is no text, too long, defines entities, or takes too long.
import type { Block, ImageBlock } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { cutText } from '../../content/text.ts';
import { fromBytes } from '../bytes.ts';
import { runJob, warm } from '../child/pool.ts';
import type { Context } from '../context.ts';
import { rulesFor, tooLarge } from '../context.ts';
import { canonical, listed, targetOf } from '../image/block.ts';
import type { Size, Target } from '../image/fit.ts';
import { backFactor, scalingWords } from '../image/fit.ts';
import { grouped } from '../limits.ts';
import type { MediaReader, Reading, Subject, Visit } from '../reading.ts';
import { takeAll, unfit } from '../reading.ts';
import { decodeText } from '../text/decode.ts';
import { readText } from '../text/read.ts';

const readSource = 'Read its source as text.';

export const svgReader: MediaReader = {
  accepts: (seen) => seen?.mediaType === 'image/svg+xml',
  read: readSvg,
  block: svgOrSource,
  async render(want, subject, context) {
    const target = want.to === 'image' ? targetOf(want) : undefined;
    if (target === undefined) return unfit(subject, want);
    return listed(await svgBlock(subject.bytes, subject.name, target, context));
  },
};

async function readSvg(visit: Visit): Promise<Read<Reading>> {
  const { name, options, context } = visit;
  const { limits } = context;
  const paged = options.offset !== undefined || options.limit !== undefined;
  if (options.as === 'text' || (paged && options.as !== 'image')) return await readText(visit);
  warm('draw-svg');
  const bytes = await takeAll(visit, `SVG too large: ${name}`, limits.textBytes, 'Simplify the drawing.');
  if (!bytes.ok) return bytes;
  const drawn = await svgBlock(bytes.value, name, canonical(limits), context);
  if (!drawn.ok && (options.as === 'image' || drawn.refusal.code === 'cancelled')) return drawn;
  const text = await readText({
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

/** An SVG as one block: its picture, or its source when there is none. */
async function svgOrSource({ bytes, name }: Subject, context: Context): Promise<Read<Block>> {
  const drawn = await svgBlock(bytes, name, canonical(context.limits), context);
  const source = drawn.ok || drawn.refusal.code === 'cancelled' ? undefined : decodeText(bytes);
  if (drawn.ok || source === undefined) return drawn;
  const text = `[${undrawn(drawn.refusal)}]\n${sourceWords(source, context.limits.outputCharacters)}`;
  return { ok: true, value: { type: 'text', text } };
}

function undrawn({ what, limit }: { what: string; limit?: string }): string {
  return `${what}${limit === undefined ? '' : ` (limit: ${limit})`}. Only its source is shown.`;
}

/** Draws an SVG; nothing but the source itself is ever loaded. */
async function svgBlock(bytes: Uint8Array, name: string, target: Target, context: Context): Promise<Read<ImageBlock>> {
  const { assets, limits } = context;
  if (bytes.length > limits.svgBytes) {
    return tooLarge(`${name} is too large to be drawn`, bytes.length, limits.svgBytes, readSource);
  }
  const source = decodeText(bytes);
  if (source === undefined) return refuse('corrupt', `${name} is no text`, 'Save it as UTF-8.');
  const prepared = prepareSvg(source);
  if ('why' in prepared) return refuse('not-allowed', `${name} is not drawn: ${prepared.why}`, readSource);
  const input = { svg: prepared.svg, target, maxPixels: limits.pixels };
  const drawn = await runJob('draw-svg', input, rulesFor(name, limits.svgMs, context));
  if (!drawn.ok) {
    const { code, what } = drawn.refusal;
    return code === 'corrupt' && !what.includes(name)
      ? refuse(code, `${name} cannot be drawn: ${what}`, readSource)
      : drawn;
  }
  if (drawn.value === null)
    return tooLarge(`${name} cannot be drawn small enough`, bytes.length, target.maxBase64, readSource);
  const { picture, width, height } = drawn.value;
  return {
    ok: true,
    value: {
      type: 'image',
      asset: await assets.put(picture.bytes, { mediaType: picture.type, name }),
      width: picture.width,
      height: picture.height,
      original: { asset: await assets.put(bytes, { mediaType: 'image/svg+xml', name }), width, height },
      fallback: sourceWords(source, limits.outputCharacters),
      origin: { source: name, made: drawingWords({ width, height }, picture) },
    },
  };
}

function drawingWords(nominal: Size, drawn: Size): string {
  if (nominal.width === drawn.width && nominal.height === drawn.height) return 'drawn from SVG';
  if (drawn.width < nominal.width) return `drawn from SVG; ${scalingWords(nominal, drawn)}`;
  const factor = backFactor(drawn, nominal);
  return `drawn from SVG, ${factor} times larger than its ${nominal.width}×${nominal.height}; divide coordinates by ${factor}`;
}

/** The source for models that cannot see, its cut told before it begins. */
function sourceWords(source: string, maxCharacters: number): string {
  if (source.length <= maxCharacters) return `The source of this SVG drawing:\n${source}`;
  const part = cutText(source, maxCharacters);
  return `The first ${grouped(part.length)} of ${grouped(source.length)} characters of the source of this SVG drawing:\n${part}`;
}

/** The same drawing as UTF-8 text without a declaration that might say otherwise. Entities are refused: they can
 * multiply without end, and they are the one way to name other files that needs no link. */
function prepareSvg(source: string): { svg: string } | { why: string } {
  const svg = source.replace(/^\s*<\?xml\s[^>]*\?>/, '');
  return /<!ENTITY/i.test(svg) ? { why: 'it defines entities' } : { svg };
}
