// The bytes of a picture in, what the image library can open out: the bytes themselves, a part of them, or pixels
// for the formats that it does not know.
import { bmpPixels } from './format/bmp.ts';
import type { ImageHeader } from './header.ts';
import { viewOf } from './header.ts';
import { icoPicture } from './format/ico.ts';

type Openable = { data: Uint8Array; raw?: { width: number; height: number; channels: 4 }; page?: number };

/** Unpacks what has to be unpacked by us; throws only for files that nobody has checked. */
export function openable(bytes: Uint8Array, { type, width, height, page }: ImageHeader): Openable {
  const raw = { width, height, channels: 4 as const };
  if (type === 'image/bmp') return { data: bmpPixels(viewOf(bytes)), raw };
  if (type !== 'image/x-icon') return page === undefined ? { data: bytes } : { data: bytes, page };
  const picture = icoPicture(viewOf(bytes));
  return 'png' in picture ? { data: picture.png } : { data: picture.pixels, raw };
}
