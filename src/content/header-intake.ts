// An intake for places where nothing can be decoded, such as edge workers: media are what their first bytes say.
// Pictures that every API takes are known with their size, PDFs as such; nothing is opened, and nothing is made of them.
import type { AssetStore } from './asset-store.ts';
import type { Block } from './block.ts';
import type { Intake } from './intake.ts';
import { refuse } from './refusal.ts';

type Size = { width: number; height: number };
type Header = { mediaType: string; head: string; at?: number; size?: (view: DataView) => Size | undefined };

/**
 * The intake of `sightline/core`: give it to `normalise`, `invokeTools` and `resolveTranscript`.
 *
 * @example
 * const assets = memoryAssets();
 * const { content } = await normalise(result, headerIntake({ assets }));
 */
export function headerIntake({ assets }: { assets: AssetStore }): Intake {
  const intake: Intake = {
    check: async (bytes, { name, range } = {}) => {
      const known = headerOf(bytes);
      if (!known) return refuse('unknown', 'It is no PNG, JPEG, GIF, WebP or PDF', 'Send one of these.');
      const size = pictureSize(bytes);
      if (known.size && !size)
        return refuse('corrupt', `The header of this ${known.mediaType} is cut short`, 'Send the whole file.');
      const asset = await assets.put(bytes, { mediaType: known.mediaType, ...(name !== undefined && { name }) });
      const block: Block = size
        ? { type: 'image', asset, ...size }
        : { type: 'document', asset, ...(range && { range }) };
      return { ok: true, value: block };
    },
    open: () => Promise.resolve(refuse('not-allowed', 'nothing is opened here', 'Send the bytes.')),
    keep: (bytes, about) => assets.put(bytes, about),
    stored: (id) => assets.get(id),
    at: () => intake,
  };
  return intake;
}

const headers: readonly Header[] = [
  { mediaType: 'image/png', head: '\u0089PNG\r\n\u001a\n', size: pngSize },
  { mediaType: 'image/jpeg', head: '\u00ff\u00d8\u00ff', size: jpegSize },
  { mediaType: 'image/gif', head: 'GIF8', size: gifSize },
  { mediaType: 'image/webp', head: 'WEBP', at: 8, size: webpSize },
  { mediaType: 'application/pdf', head: '%PDF-' },
];

/** What is not known has no better name than its being bytes. */
export const unknownBytes = 'application/octet-stream';

/** What bytes are by their first ones. */
export function mediaTypeOf(bytes: Uint8Array): string {
  return headerOf(bytes)?.mediaType ?? unknownBytes;
}

/** How large a picture is by its first bytes. */
export function pictureSize(bytes: Uint8Array): Size | undefined {
  return headerOf(bytes)?.size?.(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

function headerOf(bytes: Uint8Array): Header | undefined {
  const begin = String.fromCharCode(...bytes.subarray(0, 16));
  return headers.find(({ head, at = 0 }) => begin.startsWith(head, at) && (at === 0 || begin.startsWith('RIFF')));
}

function pngSize(view: DataView): Size | undefined {
  return view.byteLength < 24 ? undefined : { width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(view: DataView): Size | undefined {
  return view.byteLength < 10 ? undefined : { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Three ways to write it: lossy, lossless, and with an extended header. */
function webpSize(view: DataView): Size | undefined {
  if (view.byteLength < 30) return undefined;
  const kind = view.getUint8(15);
  if (kind === 0x58)
    return { width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 };
  if (kind !== 0x4c) return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Its size stands in the frame header, behind segments that say how long they are. */
function jpegSize(view: DataView): Size | undefined {
  for (let at = 2; at + 9 <= view.byteLength;) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff || marker === 0xda || marker === 0xd9) return undefined;
    const isFill = marker === 0xff;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += isFill ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}
