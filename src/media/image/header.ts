// The head of a picture in, its size, orientation and kind out, without decoding. When the head is too short it says
// how many bytes it needs; when the bytes are no picture of their type it says what is wrong.
import { gifHeader } from './gif.ts';
import { jpegHeader } from './jpeg.ts';
import { pngHeader } from './png.ts';
import { webpHeader } from './webp.ts';

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** `width` and `height` are as stored; `orientation` (EXIF, 1 to 8) says how to turn the picture upright. */
export type ImageHeader = {
  type: ImageType;
  width: number;
  height: number;
  orientation: number;
  animated: boolean;
  /** a coding that few programs can show, in words; such a picture has to be coded anew */
  rare?: string;
};

export type HeaderResult = { header: ImageHeader } | { need: number } | { fault: string };

export const extensions: Record<ImageType, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
};

const parsers: Record<ImageType, (head: Buffer) => HeaderResult> = {
  'image/png': pngHeader,
  'image/jpeg': jpegHeader,
  'image/gif': gifHeader,
  'image/webp': webpHeader,
};

export function isImageType(mediaType: string): mediaType is ImageType {
  return Object.hasOwn(parsers, mediaType);
}

/** The size of a picture before anything of it is decoded: limits are checked here, bombs end here. */
export function imageHeader(type: ImageType, head: Uint8Array): HeaderResult {
  const result = parsers[type](viewOf(head));
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
