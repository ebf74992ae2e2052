// The header of a picture and what may go out in; whether it can stay as it is, and otherwise which sizes, types and
// qualities to try, best first. Pure: the codec does what stands here.
import { base64Length } from '../../content/base64.ts';
import type { CanonicalType, ImageHeader } from './format.ts';
import { upright } from './format.ts';
import { imageFormatOf, isCanonical } from './formats.ts';

/** What a picture has to satisfy. `maxBase64` bounds the length of the text it becomes on a wire, not its bytes. */
export type Target = { types: readonly CanonicalType[]; maxEdge: number; maxBase64: number };

/** Width and height in pixels. */
export type Size = { width: number; height: number };

/** A part of a picture: its upper left corner and its size, in pixels. */
export type Region = Size & { x: number; y: number };

/** RGB or RGBA, row by row. */
export type Pixels = Size & { data: Uint8Array; channels: 3 | 4 };

type Coding = { type: CanonicalType; quality: number };

export type Attempt = Coding & { width: number; height: number };

const scales = [1, 0.75, 0.55, 0.4, 0.25];

/** A picture that already satisfies the target must not lose quality on the way. */
export function mayStay(header: ImageHeader, bytes: number, target: Target): boolean {
  return (
    header.orientation === 1 &&
    header.rare === undefined &&
    isCanonical(header.type) &&
    target.types.includes(header.type) &&
    Math.max(header.width, header.height) <= target.maxEdge &&
    base64Length(bytes) <= target.maxBase64
  );
}

/** The upright size with its long edge inside the bound; proportions stay, no side falls below one pixel. */
export function fittedSize(header: ImageHeader, maxEdge: number): Size {
  const size = upright(header);
  return sizeWithEdge(size, Math.min(maxEdge, Math.max(size.width, size.height)));
}

/** The same proportions with a long edge of exactly so many pixels. */
export function sizeWithEdge({ width, height }: Size, edge: number): Size {
  const scale = edge / Math.max(width, height);
  return { width: scaled(width, scale), height: scaled(height, scale) };
}

/** Every attempt at one size before the next smaller one; graphics try to stay lossless, photographs to stay photographs. */
export function attempts(header: ImageHeader, target: Target, hasAlpha: boolean): Attempt[] {
  const full = fittedSize(header, target.maxEdge);
  const codings = codingsFor(header.type, hasAlpha).filter(({ type }) => target.types.includes(type));
  const usable = codings.length > 0 ? codings : target.types.flatMap((type) => lossy(type, 85));
  return scales.flatMap((scale) => {
    const [width, height] = [scaled(full.width, scale), scaled(full.height, scale)];
    return usable.map(({ type, quality }) => ({ type, quality, width, height }));
  });
}

/** What was done, in words a model can use, with the factor that leads back to the source's coordinates. */
export function scalingWords(from: Size, to: Size): string {
  const factor = backFactor(from, to);
  const sizes = `scaled from ${from.width}×${from.height} to ${to.width}×${to.height}`;
  return `${sizes}; multiply coordinates by ${factor}`;
}

/** What leads from the coordinates of one size to those of another. The longer edges say it best: on the shorter ones less than a pixel may
 * be a tenth. */
export function backFactor(from: Size, to: Size): number {
  return Number((Math.max(from.width, from.height) / Math.max(to.width, to.height)).toFixed(3));
}

function codingsFor(source: string, hasAlpha: boolean): Coding[] {
  const png: Coding = { type: 'image/png', quality: 100 };
  const photograph = imageFormatOf(source)?.lossy === true;
  if (hasAlpha) {
    const webp = lossy('image/webp', 90, 75);
    return photograph ? [...webp, png] : [png, ...webp];
  }
  if (source === 'image/webp') return [...lossy('image/webp', 90, 80), ...lossy('image/jpeg', 90, 80), png];
  if (photograph) return [...lossy('image/jpeg', 92, 80), ...lossy('image/webp', 85), png];
  return [png, ...lossy('image/jpeg', 90, 80), ...lossy('image/webp', 85)];
}

function lossy(type: CanonicalType, ...qualities: number[]): Coding[] {
  return qualities.map((quality) => ({ type, quality }));
}

function scaled(length: number, scale: number): number {
  return Math.max(1, Math.round(length * scale));
}
