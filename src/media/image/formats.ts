// The picture formats that are read: one row each, in the order in which their beginnings are looked for. What is asked
// of a format by its media type is asked here.
import type { CanonicalType, ImageFormat, ImageHeader, Openable, UnreadShape } from './format.ts';
import { viewOf } from './format.ts';
import { avif } from './format/avif.ts';
import { bmp } from './format/bmp.ts';
import { gif } from './format/gif.ts';
import { heic } from './format/heic.ts';
import { cur, ico } from './format/ico.ts';
import { jpeg } from './format/jpeg.ts';
import { png } from './format/png.ts';
import { pam, pbm, pgm, ppm } from './format/pnm.ts';
import { tiff } from './format/tiff.ts';
import { webp } from './format/webp.ts';

export const formats: readonly ImageFormat[] = [
  png,
  jpeg,
  gif,
  webp,
  avif,
  heic,
  tiff,
  bmp,
  ico,
  cur,
  pbm,
  pgm,
  ppm,
  pam,
];

const byType: ReadonlyMap<string, ImageFormat> = new Map(formats.map((format) => [format.type, format]));

export type HeaderResult = { header: ImageHeader } | UnreadShape;

/** The format of a media type, or nothing when we do not read it. */
export function imageFormatOf(mediaType: string | undefined): ImageFormat | undefined {
  return mediaType === undefined ? undefined : byType.get(mediaType);
}

export function isCanonical(mediaType: string): mediaType is CanonicalType {
  return imageFormatOf(mediaType)?.canonical === true;
}

/** The size of a picture before anything of it is decoded: limits are checked here, bombs end here. */
export function imageHeader(format: ImageFormat, head: Uint8Array, page = 0): HeaderResult {
  const result = format.header(viewOf(head), page);
  if (!('header' in result)) return result;
  const { width, height } = result.header;
  if (width > 0 && height > 0) return { header: { type: format.type, ...result.header } };
  return { fault: `its size is ${width}×${height}` };
}

/** Catches cut and damaged files before a decoder has to. */
export function structuralFault(format: ImageFormat, bytes: Uint8Array): string | undefined {
  return format.fault?.(viewOf(bytes));
}

/** Cuts metadata without touching a pixel; a picture that has none comes back byte for byte. */
export function withoutMetadata(format: ImageFormat, bytes: Uint8Array): Uint8Array {
  const cut = format.strip?.(viewOf(bytes));
  return cut === undefined || (cut.length === bytes.length && cut.equals(bytes)) ? bytes : cut;
}

/** What the image library is given; throws only for files that nobody has checked. */
export async function openable(bytes: Uint8Array, header: ImageHeader): Promise<Openable> {
  const made = await imageFormatOf(header.type)?.pixels?.(viewOf(bytes), header);
  if (made !== undefined) return made;
  return header.page === undefined ? { data: bytes } : { data: bytes, page: header.page };
}
