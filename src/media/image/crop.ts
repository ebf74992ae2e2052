// A region of a picture in, a checked image block of it out, larger or smaller as asked; the words beside it lead back
// to the source's coordinates. Refused: what is no picture, regions that lie outside it.
import type { ImageBlock } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { runJob } from '../child/pool.ts';
import type { Context, MediaOptions } from '../context.ts';
import { contextOf, rulesFor } from '../context.ts';
import { unsupported } from '../reading.ts';
import { nameFor, sniff } from '../sniff.ts';
import { canonical, measure, smaller } from './block.ts';
import type { Region, Size } from './fit.ts';
import { backFactor, sizeWithEdge } from './fit.ts';
import type { ImageHeader } from './format.ts';
import { upright } from './format.ts';
import { imageFormatOf } from './formats.ts';

type CropOptions = MediaOptions & {
  name?: string;
  region?: Region;
  /** how many pixels one pixel of the source becomes on each side; what is too large is made to fit */
  zoom?: number;
  /** the longer side of the outcome at most */
  maxEdge?: number;
};

/** Cuts a region out of a picture; without one, the whole of it. */
export async function cropPicture(bytes: Uint8Array, options: CropOptions = {}): Promise<Read<ImageBlock>> {
  const context = contextOf(options);
  const { limits } = context;
  const name = nameFor(options.name, sniff(bytes));
  const measured = await measuredPicture(bytes, name, context);
  if (!measured.ok) return measured;
  const source = upright(measured.value);
  const region = inside(options.region ?? { x: 0, y: 0, ...source }, source);
  if (!region) return wrongRegion(name, source);
  const edge = Math.round(Math.max(region.width, region.height) * (options.zoom ?? 1));
  const longest = Math.min(options.maxEdge ?? limits.maxEdge, limits.maxEdge);
  const size = sizeWithEdge(region, Math.max(1, Math.min(edge, longest)));
  const target = canonical(limits);
  const input = { bytes, header: measured.value, crop: { region, size }, target, maxPixels: limits.pixels };
  const made = await runJob('crop-image', input, rulesFor(name, limits.imageMs, context));
  if (!made.ok) return made;
  if (made.value === null) return refuse('too-large', `The region of ${name} cannot be made small enough`, smaller);
  const { type: mediaType, width, height } = made.value;
  const asset = await context.assets.put(made.value.bytes, { mediaType, name });
  const origin = { source: name, made: cropWords(region, source, { width, height }) };
  return { ok: true, value: { type: 'image', asset, width, height, origin } };
}

/** The size and type of a picture that may be decoded. */
export async function measuredPicture(bytes: Uint8Array, name: string, context: Context): Promise<Read<ImageHeader>> {
  const kind = sniff(bytes);
  const format = imageFormatOf(kind?.mediaType);
  if (format === undefined) return unsupported(name, kind);
  return await measure(format, name, context.limits, bytes);
}

/** The whole pixels of a region that lie in the picture. */
function inside({ x, y, width, height }: Region, size: Size): Region | undefined {
  const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))];
  const right = Math.min(size.width, Math.ceil(x + width));
  const bottom = Math.min(size.height, Math.ceil(y + height));
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : undefined;
}

function wrongRegion(name: string, { width, height }: Size): Read<never> {
  const next = `Give x from 0 to ${width - 1}, y from 0 to ${height - 1}, and a width and height above 0.`;
  return refuse('bad-range', `The region lies outside ${name}`, next, `${width}×${height} pixels`);
}

/** Which part is shown and how its coordinates lead back to the source. */
export function cropWords({ x, y, width, height }: Region, source: Size, shown: Size): string {
  const whole = width === source.width && height === source.height;
  const part = whole ? '' : `region x=${x} y=${y} ${width}×${height} of ${source.width}×${source.height}`;
  const factor = backFactor({ width, height }, shown);
  const scaled = factor === 1 ? '' : `shown at ${shown.width}×${shown.height}; multiply coordinates by ${factor}`;
  const shift = whole ? '' : `then add x=${x} y=${y}`;
  return [part, scaled, factor === 1 ? shift.replace('then ', '') : shift].filter((words) => words !== '').join('; ');
}
