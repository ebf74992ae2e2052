// BMP in every version of its header: size and structure without decoding, and its pixels. JPEG or PNG data inside a
// BMP is for printers; such files are refused.
import type { Dib } from './dib.ts';
import { headerLengths, parseDib } from './dib.ts';
import { dibFault, dibPixels } from './dib-pixels.ts';
import type { ImageFormat, UnreadShape, ShapeResult } from '../format.ts';

const fileHeader = 14;

/** "BM" alone also begins many a text, so the header size has to be one that exists. */
const magic = headerLengths.map((length) => `424d${'.'.repeat(24)}${length.toString(16).padStart(2, '0')}000000`);

export const bmp: ImageFormat = {
  type: 'image/bmp',
  name: 'BMP',
  label: 'a BMP picture',
  ending: '.bmp',
  magic,
  canonical: false,
  header: bmpHeader,
  fault: bmpFault,
  pixels: (bytes, { width, height }) => ({ data: bmpPixels(bytes), raw: { width, height, channels: 4 } }),
};

export function bmpHeader(head: Buffer): ShapeResult {
  const result = bitmap(head);
  if (!('dib' in result)) return result;
  const { width, height } = result.dib;
  return { header: { width, height, orientation: 1, animated: false } };
}

/** What is wrong with the file's structure. */
export function bmpFault(bytes: Buffer): string | undefined {
  const result = bitmap(bytes);
  if ('dib' in result) return dibFault(bytes, result.dib, result.at);
  return 'fault' in result ? result.fault : 'it ends inside its header';
}

/** The pixels as RGBA; only for files that have no fault. */
export function bmpPixels(bytes: Buffer): Uint8Array {
  const result = bitmap(bytes);
  if (!('dib' in result)) throw new Error('it has no readable header');
  return dibPixels(bytes, result.dib, result.at);
}

/** The file header only says where the pixels begin; some writers leave even that out. */
function bitmap(head: Buffer): { dib: Dib; at: number } | UnreadShape {
  const result = parseDib(head, fileHeader);
  if (!('dib' in result)) return result;
  const said = head.readUInt32LE(10);
  return { dib: result.dib, at: said >= fileHeader + 12 ? said : result.dib.end };
}
