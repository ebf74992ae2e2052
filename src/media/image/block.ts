// The bytes of a picture in, a checked image block out: measured, decoded once, upright, without metadata, inside the
// target. Refused: empty or damaged files, too many bytes or pixels, what cannot be made small enough.
import type { Block, ImageBlock } from '../../content/block.ts';
import type { Read, Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { tileWords } from '../../content/words.ts';
import type { Fact, Rendition } from '../../window/rendition.ts';
import { runJob } from '../child/pool.ts';
import type { Context } from '../context.ts';
import { rulesFor, tooLarge } from '../context.ts';
import type { Limits } from '../limits.ts';
import { grouped } from '../limits.ts';
import type { Target } from './fit.ts';
import { mayStay } from './fit.ts';
import type { ImageFormat, ImageHeader } from './format.ts';
import { upright } from './format.ts';
import { formats, imageHeader, isCanonical, structuralFault, withoutMetadata } from './formats.ts';
import type { Fitted } from './made.ts';
import { whatWasMade } from './made.ts';

/** Which page of a picture that has several is meant, counted from zero. */
type PageOf = { page?: number };

/** What to do about any picture that is too much. */
export const smaller: string = 'Consider resizing or converting to JPEG.';

/** What every picture becomes at the intake, whoever it is for. */
export function canonical({ maxEdge, maxBase64 }: Limits): Target {
  return { types: formats.map(({ type }) => type).filter(isCanonical), maxEdge, maxBase64 };
}

/** What the planner asked for, as far as we can write it; nothing when it takes none of our types. */
export function targetOf({ types, maxEdge, maxBase64 }: Rendition & { to: 'image' }): Target | undefined {
  const codable = types.filter(isCanonical);
  return codable.length === 0 ? undefined : { types: codable, maxEdge, maxBase64 };
}

/** One block as the planner takes it. */
export function listed(block: Read<Block>): Fact {
  return block.ok ? { ok: true, value: [block.value] } : block;
}

/** Size, type and pixel count from as much of the head as that takes; `more` fetches a longer one. */
export async function measure(
  format: ImageFormat,
  name: string,
  limits: Limits,
  head: Uint8Array,
  { page = 0, more }: PageOf & { more?: (bytes: number) => Promise<Uint8Array> } = {},
): Promise<Read<ImageHeader>> {
  let result = imageHeader(format, head, page);
  for (let known = head; 'need' in result;) {
    // What a file says about itself must not make us ask for more than a picture may have.
    const longer = await more?.(Math.min(Math.max(result.need, known.length * 2), limits.imageBytes));
    if (longer === undefined || longer.length <= known.length) return corrupt(name, 'it ends inside its header');
    known = longer;
    result = imageHeader(format, known, page);
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
  format: ImageFormat,
  name: string,
  target: Target,
  context: Context,
  part: PageOf = {},
): Promise<Read<ImageBlock>> {
  const { assets, limits } = context;
  if (bytes.length > limits.imageBytes) {
    return tooLarge(`Image too large: ${name}`, bytes.length, limits.imageBytes, smaller);
  }
  const measured = await measure(format, name, limits, bytes, part);
  if (!measured.ok) return measured;
  const header = measured.value;
  const fault = structuralFault(format, bytes);
  if (fault !== undefined) return corrupt(name, fault);
  const fitted = await fit(bytes, format, header, name, target, context);
  if (!fitted.ok) return fitted;
  const { width, height, textPx } = fitted.value;
  const source = upright(header);
  const same = source.width === width && source.height === height;
  // Of a later page there is no source of its own.
  const original = same || header.page !== undefined ? undefined : assets.put(bytes, { mediaType: format.type, name });
  const [asset, larger] = await Promise.all([
    assets.put(fitted.value.bytes, { mediaType: fitted.value.type, name }),
    original,
  ]);
  const made = whatWasMade(header, fitted.value);
  const block: ImageBlock = {
    type: 'image',
    asset,
    width,
    height,
    ...(textPx !== undefined && { textPx }),
    origin: made === '' ? { source: name } : { source: name, made },
  };
  // Its size is the upright one, so that coordinates on both pictures differ by one factor only.
  return { ok: true, value: larger ? { ...block, original: { asset: larger, ...source } } : block };
}

/** The pieces of a picture as the planner asked for them, each with where it belongs. */
export async function tileBlocks(
  bytes: Uint8Array,
  format: ImageFormat,
  name: string,
  { grid, types, maxBase64 }: Rendition & { to: 'tiles' },
  context: Context,
): Promise<Fact> {
  const { assets, limits } = context;
  const measured = await measure(format, name, limits, bytes);
  if (!measured.ok) return measured;
  const target = { types: types.filter(isCanonical), maxEdge: limits.maxEdge, maxBase64 };
  const input = { bytes, header: measured.value, grid, target, maxPixels: limits.pixels };
  const cut = await runJob('tile-image', input, rulesFor(name, limits.imageMs, context));
  if (!cut.ok) return named(cut.refusal, name);
  if (cut.value === null) return refuse('too-large', `The pieces of ${name} cannot be made small enough`, smaller);
  const blocks: Block[] = [];
  for (const [at, { region, picture }] of cut.value.entries()) {
    const { type: mediaType, width, height } = picture;
    const asset = await assets.put(picture.bytes, { mediaType, name });
    const which = { number: at + 1, of: cut.value.length, strips: grid.columns === 1 };
    const made = tileWords(which, { name, ...upright(measured.value) }, region, { width, height });
    blocks.push({ type: 'image', asset, width, height, origin: { source: name, made } });
  }
  return { ok: true, value: blocks };
}

/** The picture as it is when it may stay so, newly coded when not; decoded in full either way. */
async function fit(
  bytes: Uint8Array,
  format: ImageFormat,
  header: ImageHeader,
  name: string,
  target: Target,
  context: Context,
): Promise<Read<Fitted>> {
  const rules = rulesFor(name, context.limits.imageMs, context);
  const maxPixels = context.limits.pixels;
  const { type, width, height } = header;
  const bare = isCanonical(type) && mayStay(header, 0, target) ? withoutMetadata(format, bytes) : undefined;
  if (bare !== undefined && isCanonical(type) && mayStay(header, bare.length, target)) {
    const checked = await runJob('check-image', { bytes: bare, header, maxPixels }, rules);
    if (!checked.ok) return named(checked.refusal, name);
    const text = checked.value === null ? {} : { textPx: checked.value };
    return { ok: true, value: { bytes: bare, type, width, height, kept: true, ...text } };
  }
  const encoded = await runJob('encode-image', { bytes, header, target, maxPixels }, rules);
  if (!encoded.ok) return named(encoded.refusal, name);
  if (encoded.value !== null) return { ok: true, value: { ...encoded.value, kept: false } };
  return tooLarge(`Image too large: ${name} cannot be made small enough`, bytes.length, target.maxBase64, smaller);
}

/** A decoder's complaint does not know the name of the file. */
function named(refusal: Refusal, name: string): { ok: false; refusal: Refusal } {
  if (refusal.code !== 'corrupt' || refusal.what.includes(name)) return { ok: false, refusal };
  return { ok: false, refusal: { ...refusal, what: `${name} cannot be decoded: ${refusal.what}` } };
}

function corrupt(name: string, why: string): { ok: false; refusal: Refusal } {
  return refuse('corrupt', `${name} is damaged: ${why}`, 'Get the file again or export it anew.');
}
