// Encoded pictures or raw pixels in, checked or newly encoded pictures out. The only file that knows the image
// library, which is loaded when first needed. Runs in a child process: what it throws becomes a refusal there.
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { base64Length } from '../../content/base64.ts';
import type { Attempt, Pixels, Region, Size, Target } from './fit.ts';
import { attempts, fittedSize, sizeWithEdge } from './fit.ts';
import type { CanonicalType, ImageHeader } from './format.ts';
import { upright } from './format.ts';
import { openable } from './formats.ts';
import { liveliestRow, textSizeIn } from './legibility.ts';

/** Bytes, type and size always travel together, so that no picture is ever labelled as something else. */
export type Encoded = { bytes: Uint8Array; type: CanonicalType; width: number; height: number };

/** `textPx`: the size of the smaller letters on its source. */
export type WithText = Encoded & { textPx?: number };

/** A part of a picture in pixels, and how large it is to become. */
export type Crop = { region: Region; size: Size };

type Library = (input: Uint8Array, options: SharpOptions) => Sharp;
/** RGBA pixels, row by row. */
export type Drawn = Omit<Pixels, 'channels'>;

type GreyPixels = Drawn & { channels: 1 };

/** RGB pixels, row by row. */
export type Thumbnail = { data: Uint8Array; width: number; height: number };

/** `width` and `height` are what the drawing says of itself. */
export type DrawnSvg = { picture: Encoded; width: number; height: number };

/** Drawings that are shorter on their long edge are icons, of which nobody sees much. */
const smallEdge = 256;
const codable: readonly CanonicalType[] = ['image/png', 'image/jpeg'];

let library: Promise<Library> | undefined;

/** Loads the library ahead of the first picture. */
export function loadCodec(): Promise<Library> {
  library ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(2); // lines are decoded while those before them are shrunk: less time, the same work
    return sharp;
  });
  return library;
}

/** Decodes every pixel once and throws when one is missing: what passes here is a picture everywhere. Tells the size of its letters. */
export async function checkDecodes(
  bytes: Uint8Array,
  header: ImageHeader,
  maxPixels: number,
): Promise<number | undefined> {
  const sharp = await loadCodec();
  const frames = header.animated ? Math.max(1, Math.floor(maxPixels / (header.width * header.height))) : 1;
  const first = sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels });
  const { pages = 1 } = await agreed(first, header);
  if (!header.animated && pages === 1) return textSizeIn(await pixelsOf(first.toColourspace('srgb')));
  const all = sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels, pages: Math.min(pages, frames) });
  await all.resize(16, 16, { fit: 'fill' }).raw().toBuffer();
  return undefined;
}

/** The best coding of a picture that satisfies the target, or nothing when even the smallest does not. */
export async function encodePicture(
  bytes: Uint8Array,
  header: ImageHeader,
  target: Target,
  maxPixels: number,
): Promise<WithText | undefined> {
  const opened = await sourceOf(bytes, header, maxPixels);
  const whole = (): Sharp => turnUpright(opened(), header.orientation);
  const size = fittedSize(header, target.maxEdge);
  const turned = whole().resize(size.width, size.height, { fit: 'fill' });
  const pixels = await opaque(await pixelsOf(turned.toColourspace('srgb')));
  const [encoded, textPx] = await Promise.all([
    firstFitting(pixels, header.type, target.maxBase64, target.types),
    writtenOn(whole, pixels, upright(header)),
  ]);
  return encoded && textPx !== undefined ? { ...encoded, textPx } : encoded;
}

/** The size of the letters on a picture of which a smaller copy is at hand: that tells where something is written, and there
 * some rows of the picture itself are looked at; where these tell nothing, the copy does. */
async function writtenOn(picture: () => Sharp, small: Pixels, { width, height }: Size): Promise<number | undefined> {
  await loadCodec(); // the copy is encoded meanwhile, in another thread, which begins first
  const factor = height / small.height;
  if (factor <= 1) return textSizeIn(small);
  const rows = Math.min(height, mostRows);
  const top = Math.min(height - rows, Math.round(liveliestRow(small, Math.max(1, Math.round(rows / factor))) * factor));
  const part = picture().extract({ left: 0, top, width, height: rows });
  const found = textSizeIn(await pixelsOf(part.toColourspace('srgb')));
  if (found !== undefined) return found;
  const seen = textSizeIn(small); // large letters are many only on the whole
  return seen === undefined ? undefined : Number((seen * factor).toFixed(1));
}

const mostRows = 400;

/** A small copy as plain pixels on the colour of paper, for screens. */
export async function encodeThumbnail(bytes: Uint8Array, box: { width: number; height: number }): Promise<Thumbnail> {
  const sharp = await loadCodec();
  const small = sharp(bytes, { failOn: 'error' }).resize(box.width, box.height, { fit: 'fill' });
  const { data, width, height } = await pixelsOf(small.flatten({ background: 'white' }).toColourspace('srgb'));
  return { data, width, height };
}

/** A region of a picture, given upright, made so large. */
export async function crop(
  bytes: Uint8Array,
  header: ImageHeader,
  { region, size }: Crop,
  { maxBase64, types }: Target,
  maxPixels: number,
): Promise<Encoded | undefined> {
  return await pieceOfPixels(await decoded(bytes, header, maxPixels), { region, size }, header.type, {
    maxBase64,
    types,
  });
}

/** A region of pixels, made so large. */
export async function pieceOfPixels(
  { data, ...raw }: Pixels,
  { region, size }: Crop,
  like: string,
  { maxBase64, types }: Pick<Target, 'maxBase64' | 'types'>,
): Promise<Encoded | undefined> {
  const sharp = await loadCodec();
  const { x: left, y: top, width, height } = region;
  const cut = sharp(data, { raw, limitInputPixels: false })
    .extract({ left, top, width, height })
    .resize(size.width, size.height, { fit: 'fill' });
  return await firstFitting(await opaque(await pixelsOf(cut)), like, maxBase64, types);
}

/** Every pixel of a picture, upright. */
export async function decoded(bytes: Uint8Array, header: ImageHeader, maxPixels: number): Promise<Pixels> {
  const opened = await sourceOf(bytes, header, maxPixels);
  return await pixelsOf(turnUpright(opened(), header.orientation).toColourspace('srgb'));
}

/** A picture of any format, to be opened in the library as often as it is looked at: a clone would copy the file. A format's
 * own decoder comes first, so that an absent one is named. */
async function sourceOf(bytes: Uint8Array, header: ImageHeader, maxPixels: number): Promise<() => Sharp> {
  const { data, colours, ...form } = await openable(bytes, header);
  const sharp = await loadCodec();
  const source = (): Sharp => sharp(data, { failOn: 'error', limitInputPixels: maxPixels, ...form });
  await agreed(source(), header);
  if (colours === undefined) return source;
  const { data: pixels, ...raw } = await pixelsOf(source().toColourspace('srgb'));
  colours(pixels, raw.channels);
  return () => sharp(pixels, { raw, limitInputPixels: false });
}

/** A drawing as a picture: as large as it says, but small ones larger so that they can be seen, on white paper. */
export async function drawSvg(svg: string, target: Target, maxPixels: number): Promise<DrawnSvg | undefined> {
  const sharp = await loadCodec();
  const measured = (text: string): Promise<{ width: number; height: number }> =>
    sharp(Buffer.from(text), { density: 72, limitInputPixels: false }).metadata();
  let text = svg;
  const nominal = await measured(svg).catch(async () => {
    text = withNominalSize(svg);
    return await measured(text);
  });
  const { width, height } = nominal;
  const longest = Math.max(width, height);
  // A whole factor keeps coordinates easy to tell.
  const edge = Math.min(target.maxEdge, longest < smallEdge ? longest * Math.ceil(smallEdge / longest) : longest);
  const size = sizeWithEdge(nominal, edge);
  const density = (72 * edge) / longest;
  if (density < 1) throw new Error(`it is ${width}×${height} pixels large`);
  const source = sharp(Buffer.from(text), { density: Math.min(density, 100_000), limitInputPixels: maxPixels });
  const drawn = source.resize(size.width, size.height, { fit: 'fill' }).flatten({ background: 'white' });
  const pixels = await pixelsOf(drawn.toColourspace('srgb'));
  const picture = await firstFitting(pixels, 'image/png', target.maxBase64, target.types);
  return picture && { picture, width, height };
}

/** What a drawing that names no size is drawn as, like a browser does it. */
function withNominalSize(svg: string): string {
  return svg.replace(/<((?:[\w.-]+:)?svg)(?=[\s/>])/, '<$1 width="300" height="150"');
}

/** Limits were checked against our reading of the header; the decoder has to see the same picture. */
async function agreed(source: Sharp, { width, height }: ImageHeader): Promise<Metadata> {
  const seen = await source.metadata();
  if (seen.width === width && seen.height === height) return seen;
  throw new Error(`its header says ${width}×${height}, its picture is ${seen.width}×${seen.height}`);
}

/** A drawn page as a picture: whichever of PNG and JPEG is smaller, since pages may be text or photographs. */
export async function encodePage(drawn: Drawn, maxBase64: number): Promise<Encoded | undefined> {
  const { width, height } = drawn;
  const grey = greyOf(drawn);
  if (grey !== undefined) {
    const plain = await encodePixels(grey, { type: 'image/png', quality: 100, width, height });
    if (plain.bytes.length < width * height * 0.2 && base64Length(plain.bytes.length) <= maxBase64) return plain;
  }
  const pixels = await withoutAlpha({ ...drawn, channels: 4 });
  const png = await encodePixels(pixels, { type: 'image/png', quality: 100, width, height });
  const small = png.bytes.length < width * height * 0.2; // drawings and plain text: nothing to gain any more
  const jpeg = small ? png : await encodePixels(pixels, { type: 'image/jpeg', quality: 85, width, height });
  const smaller = png.bytes.length <= jpeg.bytes.length ? png : jpeg;
  return base64Length(smaller.bytes.length) <= maxBase64
    ? smaller
    : await firstFitting(pixels, 'image/jpeg', maxBase64);
}

/** A white pixel, as most of a page are. */
const white = -1;

/** One level for each pixel of a page without colours, as most pages of words are: a third of what there is to pack. */
function greyOf({ data, width, height }: Drawn): GreyPixels | undefined {
  const levels = new Uint8Array(width * height).fill(0xff);
  const colours = new Int32Array(data.buffer, data.byteOffset, levels.length);
  for (let at = 0; at < levels.length; at += 1) {
    const colour = colours[at] as number;
    if (colour === white) continue;
    const level = colour & 0xff;
    if ((colour & 0xffffff) !== level * 0x10101) return undefined;
    levels[at] = level;
  }
  return { data: levels, width, height, channels: 1 };
}

/** The best attempt whose base64 stays inside the bound. */
export async function firstFitting(
  pixels: Pixels,
  like: string,
  maxBase64: number,
  types: readonly CanonicalType[] = codable,
): Promise<Encoded | undefined> {
  const { width, height, channels } = pixels;
  const header = { type: like, width, height, orientation: 1, animated: false };
  for (const attempt of attempts(header, { types, maxEdge: Math.max(width, height), maxBase64 }, channels === 4)) {
    const encoded = await encodePixels(pixels, attempt);
    if (base64Length(encoded.bytes.length) <= maxBase64) return encoded;
  }
  return undefined;
}

async function encodePixels(pixels: Pixels | GreyPixels, attempt: Attempt): Promise<Encoded> {
  const sharp = await loadCodec();
  const { data, ...raw } = pixels;
  const { type, quality, width, height } = attempt;
  const whole = sharp(data, { raw, limitInputPixels: false });
  const sized = width === raw.width && height === raw.height ? whole : whole.resize(width, height, { fit: 'fill' });
  const level = pixels.channels === 1 ? sized.toColourspace('b-w') : sized;
  const bytes = await coded(level, type, quality).toBuffer();
  return { bytes, type, width, height };
}

function coded(picture: Sharp, type: CanonicalType, quality: number): Sharp {
  // Level 6 makes a screenshot a fiftieth smaller and takes a third longer, level 9 a quarter smaller in eight times as long.
  if (type === 'image/png') return picture.png({ compressionLevel: 5 });
  if (type === 'image/webp') return picture.webp({ quality });
  if (type === 'image/gif') return picture.gif();
  // JPEG knows no transparency; what shines through a page is white.
  return picture
    .flatten({ background: 'white' })
    .jpeg({ quality, chromaSubsampling: quality >= 90 ? '4:4:4' : '4:2:0' });
}

/** Turns by our own reading of the orientation, so that header and pixels cannot disagree. */
function turnUpright(picture: Sharp, orientation: number): Sharp {
  const angle = [0, 0, 0, 180, 180, 270, 90, 90, 270][orientation] ?? 0; // sharp mirrors first, then turns
  const mirrored = [2, 4, 5, 7].includes(orientation);
  return picture.rotate(angle).flop(mirrored);
}

async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 };
}

/** An alpha channel that hides nothing only costs bytes and forbids JPEG. */
async function opaque(pixels: Pixels): Promise<Pixels> {
  if (pixels.channels === 3) return pixels;
  for (let at = 3; at < pixels.data.length; at += 4) if (pixels.data[at] !== 255) return pixels;
  return await withoutAlpha(pixels);
}

async function withoutAlpha({ data, ...raw }: Pixels): Promise<Pixels> {
  const sharp = await loadCodec();
  return await pixelsOf(sharp(data, { raw, limitInputPixels: false }).removeAlpha());
}
