// BMP in every version of its header: size and structure without decoding, and its pixels. JPEG or PNG data inside a
// BMP is for printers; such files are refused.
import type { Dib } from './dib.ts';
import { parseDib } from './dib.ts';
import { dibFault, dibPixels } from './dib-pixels.ts';
import type { HeaderResult, Refused } from '../header.ts';

const fileHeader = 14;

export function bmpHeader(head: Buffer): HeaderResult {
  const result = bitmap(head);
  if (!('dib' in result)) return result;
  const { width, height } = result.dib;
  return { header: { type: 'image/bmp', width, height, orientation: 1, animated: false } };
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
function bitmap(head: Buffer): { dib: Dib; at: number } | Refused {
  const result = parseDib(head, fileHeader);
  if (!('dib' in result)) return result;
  const said = head.readUInt32LE(10);
  return { dib: result.dib, at: said >= fileHeader + 12 ? said : result.dib.end };
}
