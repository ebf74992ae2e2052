// The head of a picture in, its size, orientation and kind out, without decoding. When the head is too short it says
// how many bytes it needs; when the bytes are no picture of their type it says what is wrong.
import { avifHeader } from './format/avif.ts';
import { bmpHeader } from './format/bmp.ts';
import { gifHeader } from './format/gif.ts';
import { icoHeader } from './format/ico.ts';
import { jpegHeader } from './format/jpeg.ts';
import { pngHeader } from './format/png.ts';
import { tiffHeader } from './format/tiff.ts';
import { webpHeader } from './format/webp.ts';

/** What every API that takes pictures takes; the rest is read and converted. */
export type CanonicalType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export type ImageType = CanonicalType | 'image/avif' | 'image/tiff' | 'image/bmp' | 'image/x-icon';

/** `width` and `height` are as stored; `orientation` (EXIF, 1 to 8) says how to turn the picture upright. */
export type ImageHeader = {
  type: ImageType;
  width: number;
  height: number;
  orientation: number;
  animated: boolean;
  /** how many frames, pages of a TIFF or sizes of an icon there are, as far as the head reaches */
  frames?: number;
  pages?: number;
  /** which page of a TIFF this is about, counted from zero; the first when it does not say */
  page?: number;
  /** a coding that few programs can show, in words; such a picture has to be coded anew */
  rare?: string;
};

/** Too short a head, with the length that may do, or what is wrong. */
export type Refused = { need: number } | { fault: string };

export type HeaderResult = { header: ImageHeader } | Refused;

export const extensions: Record<ImageType, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/tiff': '.tiff',
  'image/bmp': '.bmp',
  'image/x-icon': '.ico',
};

const parsers: Record<ImageType, (head: Buffer, page: number) => HeaderResult> = {
  'image/png': pngHeader,
  'image/jpeg': jpegHeader,
  'image/gif': gifHeader,
  'image/webp': webpHeader,
  'image/avif': avifHeader,
  'image/tiff': tiffHeader,
  'image/bmp': bmpHeader,
  'image/x-icon': icoHeader,
};

const canonical: ReadonlySet<string> = new Set<CanonicalType>(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export function isImageType(mediaType: string): mediaType is ImageType {
  return Object.hasOwn(parsers, mediaType);
}

export function isCanonical(mediaType: string): mediaType is CanonicalType {
  return canonical.has(mediaType);
}

/** The size of a picture before anything of it is decoded: limits are checked here, bombs end here. */
export function imageHeader(type: ImageType, head: Uint8Array, page = 0): HeaderResult {
  const result = parsers[type](viewOf(head), page);
  if (!('header' in result)) return result;
  const { width, height } = result.header;
  return width > 0 && height > 0 ? result : { fault: `its size is ${width}×${height}` };
}

/** Width and height as they will be seen. */
export function upright({ width, height, orientation }: ImageHeader): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** The same bytes as a Buffer, without a copy. */
export function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
