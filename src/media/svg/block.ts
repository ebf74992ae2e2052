// The source of an SVG in, a picture of it as a block out, with the source itself as the words that stand for it.
// Refused: what is no text, too long, defines entities, cannot be drawn, or takes too long; its source still reads.
import type { ImageBlock } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { cutText } from '../../content/text.ts';
import { runJob } from '../child/pool.ts';
import type { Context } from '../context.ts';
import { rulesFor, tooLarge } from '../context.ts';
import type { Size, Target } from '../image/fit.ts';
import { scalingWords } from '../image/fit.ts';
import { grouped } from '../limits.ts';
import { decodeText } from '../text/decode.ts';
import { prepareSvg } from './source.ts';

const readSource = 'Read its source as text.';

/** Draws an SVG; nothing but the source itself is ever loaded. */
export async function svgBlock(
  bytes: Uint8Array,
  name: string,
  target: Target,
  context: Context,
): Promise<Read<ImageBlock>> {
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
  const factor = Number((drawn.width / nominal.width).toFixed(3));
  return `drawn from SVG, ${factor} times larger than its ${nominal.width}×${nominal.height}; divide coordinates by ${factor}`;
}

/** The source for models that cannot see, its cut told before it begins. */
export function sourceWords(source: string, maxCharacters: number): string {
  if (source.length <= maxCharacters) return `The source of this SVG drawing:\n${source}`;
  const part = cutText(source, maxCharacters);
  return `The first ${grouped(part.length)} of ${grouped(source.length)} characters of the source of this SVG drawing:\n${part}`;
}
