// The bytes of a picture in, a checked image block out: measured, decoded once, upright, without metadata, inside the
// target. Refused: empty or damaged files, too many bytes or pixels, what cannot be made small enough.
import type { ImageBlock } from '../../content/block.ts';
import type { Read, Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { runJob } from '../child/pool.ts';
import type { Context } from '../context.ts';
import { rulesFor, tooLarge } from '../context.ts';
import type { Limits } from '../limits.ts';
import { grouped } from '../limits.ts';
import { structuralFault, withoutMetadata } from './check.ts';
import type { Encoded } from './codec.ts';
import type { Target } from './fit.ts';
import { mayStay, scalingWords } from './fit.ts';
import type { ImageHeader, ImageType } from './header.ts';
import { imageHeader, upright } from './header.ts';

/** `kept` says that no pixel was touched. */
type Fitted = Encoded & { kept: boolean };

/** What to do about any picture that is too much. */
export const smaller: string = 'Consider resizing or converting to JPEG.';

/** What every picture becomes at the door, whoever it is for. */
export function canonical({ maxEdge, maxBase64 }: Limits): Target {
  return { types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'], maxEdge, maxBase64 };
}

/** Size, type and pixel count from as much of the head as that takes; `more` fetches a longer one. */
export async function measure(
  type: ImageType,
  name: string,
  limits: Limits,
  head: Uint8Array,
  more?: (bytes: number) => Promise<Uint8Array>,
): Promise<Read<ImageHeader>> {
  let result = imageHeader(type, head);
  for (let known = head; 'need' in result;) {
    const longer = await more?.(Math.max(result.need, known.length * 2));
    if (longer === undefined || longer.length <= known.length) return corrupt(name, 'it ends inside its header');
    known = longer;
    result = imageHeader(type, known);
  }
  if ('fault' in result) return corrupt(name, result.fault);
  const { width, height } = result.header;
  if (width * height <= limits.pixels) return { ok: true, value: result.header };
  const what = `${name} has ${grouped(width * height)} pixels (${width}×${height})`;
  return refuse('too-many-pixels', what, smaller, `${grouped(limits.pixels)} pixels`);
}

/** A picture as a block that is valid for ever: everything that could go wrong with it goes wrong here. */
export async function imageBlock(
  bytes: Uint8Array,
  type: ImageType,
  name: string,
  target: Target,
  context: Context,
): Promise<Read<ImageBlock>> {
  const { assets, limits } = context;
  if (bytes.length > limits.imageBytes) {
    return tooLarge(`Image too large: ${name}`, bytes.length, limits.imageBytes, smaller);
  }
  const measured = await measure(type, name, limits, bytes);
  if (!measured.ok) return measured;
  const header = measured.value;
  const fault = structuralFault(type, bytes);
  if (fault !== undefined) return corrupt(name, fault);
  const fitted = await fit(bytes, header, name, target, context);
  if (!fitted.ok) return fitted;
  const { width, height } = fitted.value;
  const asset = await assets.put(fitted.value.bytes, { mediaType: fitted.value.type, name });
  const made = whatWasMade(header, fitted.value);
  const block: ImageBlock = {
    type: 'image',
    asset,
    width,
    height,
    origin: made === '' ? { source: name } : { source: name, made },
  };
  const source = upright(header);
  if (source.width === width && source.height === height) return { ok: true, value: block };
  // Its size is the upright one, so that coordinates on both pictures differ by one factor only.
  const original = { asset: await assets.put(bytes, { mediaType: type, name }), ...source };
  return { ok: true, value: { ...block, original } };
}

/** The picture as it is when it may stay so, newly coded when not; decoded in full either way. */
async function fit(
  bytes: Uint8Array,
  header: ImageHeader,
  name: string,
  target: Target,
  context: Context,
): Promise<Read<Fitted>> {
  const rules = rulesFor(name, context.limits.imageMs, context);
  const maxPixels = context.limits.pixels;
  const bare = withoutMetadata(header.type, bytes);
  if (mayStay(header, bare.length, target)) {
    const checked = await runJob('check-image', { bytes: bare, header, maxPixels }, rules);
    if (!checked.ok) return named(checked.refusal, name);
    return {
      ok: true,
      value: { bytes: bare, type: header.type, width: header.width, height: header.height, kept: true },
    };
  }
  const encoded = await runJob('encode-image', { bytes, header, target, maxPixels }, rules);
  if (!encoded.ok) return named(encoded.refusal, name);
  if (encoded.value !== null) return { ok: true, value: { ...encoded.value, kept: false } };
  return tooLarge(`Image too large: ${name} cannot be made small enough`, bytes.length, target.maxBase64, smaller);
}

/** What happened between source and block, in words a model can use; nothing when it stayed as it was. */
function whatWasMade(header: ImageHeader, made: Fitted): string {
  const source = upright(header);
  const words: string[] = [];
  if (source.width !== made.width || source.height !== made.height) words.push(scalingWords(source, made));
  if (header.orientation !== 1) words.push('turned upright');
  if (header.rare !== undefined) words.push(`converted from ${header.rare}`);
  const recoded = words.length > 0 || header.type !== made.type;
  if (recoded && header.animated) words.push('first frame only');
  if (header.type !== made.type) words.push(`saved as ${made.type.slice('image/'.length).toUpperCase()}`);
  if (words.length === 0 && !made.kept) words.push('compressed to fit');
  return words.join('; ');
}

/** A decoder's complaint does not know the name of the file. */
function named(refusal: Refusal, name: string): { ok: false; refusal: Refusal } {
  if (refusal.code !== 'corrupt' || refusal.what.includes(name)) return { ok: false, refusal };
  return { ok: false, refusal: { ...refusal, what: `${name} cannot be decoded: ${refusal.what}` } };
}

function corrupt(name: string, why: string): { ok: false; refusal: Refusal } {
  return refuse('corrupt', `${name} is damaged: ${why}`, 'Get the file again or export it anew.');
}
