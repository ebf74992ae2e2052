// HEIC and HEIF, as phones write them: the size of the main picture from its boxes, and its pixels by libheif. The only
// file that knows that library, which is optional and loaded with the first such picture.
import type Libheif from 'libheif-js/wasm-bundle.js';
import type { HeifDecoder } from 'libheif-js/wasm-bundle.js';
import { fromPart } from '../../../config/parts.ts';
import type { ImageFormat, ImageHeader, Openable } from '../format.ts';
import { boxHeader } from './avif.ts';

export const heic: ImageFormat = {
  type: 'image/heic',
  name: 'HEIC',
  label: 'a HEIC picture',
  ending: '.heic',
  magic: [/^[^]{4}ftyp(?:hei[cxms]|hev[cmsx]|mif1|msf1)/],
  canonical: false,
  lossy: true,
  header: boxHeader,
  pixels: heicPixels,
};

let decoder: Promise<HeifDecoder> | undefined;

/** One for all pictures: it lets go of the one before when it takes the next. */
async function startDecoder(): Promise<HeifDecoder> {
  const libheif = fromPart('heic', 'libheif-js/wasm-bundle.js') as typeof Libheif;
  return new libheif.HeifDecoder();
}

/** The main picture as RGBA, upright: the library turns and crops as the container orders. */
async function heicPixels(bytes: Buffer, { width, height }: ImageHeader): Promise<Openable> {
  decoder ??= startDecoder().catch((error: unknown) => {
    decoder = undefined; // it may be installed by the next picture
    throw error;
  });
  const images = (await decoder).decode(bytes);
  try {
    const image = images.find((one) => one.is_primary()) ?? images[0];
    if (image === undefined) throw new Error('it holds no picture that can be decoded');
    const [seenWidth, seenHeight] = [image.get_width(), image.get_height()];
    if (seenWidth !== width || seenHeight !== height)
      throw new Error(`its header says ${width}×${height}, its picture is ${seenWidth}×${seenHeight}`);
    const data = new Uint8ClampedArray(width * height * 4);
    const shown = await new Promise((resolve) => image.display({ data, width, height }, resolve));
    if (shown === null) throw new Error('its pixels cannot be decoded');
    return { data: new Uint8Array(data.buffer), raw: { width, height, channels: 4 } };
  } finally {
    for (const image of images) image.free();
  }
}
