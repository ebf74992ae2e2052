// A whole picture in, what is structurally wrong with it out, or the same picture without its metadata. Both are
// cheap walks over the container; whether the pixels can be decoded is for the codec to say.
import { bmpFault } from './format/bmp.ts';
import { gifFault, gifStripped } from './format/gif.ts';
import type { CanonicalType, ImageType } from './header.ts';
import { viewOf } from './header.ts';
import { icoFault } from './format/ico.ts';
import { jpegFault, jpegStripped } from './format/jpeg.ts';
import { pngFault, pngStripped } from './format/png.ts';
import { webpFault, webpStripped } from './format/webp.ts';

const faults: Record<ImageType, (bytes: Buffer) => string | undefined> = {
  'image/png': pngFault,
  'image/jpeg': jpegFault,
  'image/gif': gifFault,
  'image/webp': webpFault,
  'image/bmp': bmpFault,
  'image/x-icon': icoFault,
  // What holds together here is for the decoder to say; these are always coded anew.
  'image/avif': () => undefined,
  'image/tiff': () => undefined,
};

const stripped: Record<CanonicalType, (bytes: Buffer) => Buffer> = {
  'image/png': pngStripped,
  'image/jpeg': jpegStripped,
  'image/gif': gifStripped,
  'image/webp': webpStripped,
};

/** Catches cut and damaged files before a decoder has to. */
export function structuralFault(type: ImageType, bytes: Uint8Array): string | undefined {
  return faults[type](viewOf(bytes));
}

/** Cuts metadata without touching a pixel; a picture that has none comes back byte for byte. */
export function withoutMetadata(type: CanonicalType, bytes: Uint8Array): Uint8Array {
  const cut = stripped[type](viewOf(bytes));
  return cut.length === bytes.length && cut.equals(bytes) ? bytes : cut;
}
