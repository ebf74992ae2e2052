// Whether words can be read off pictures here: the library and its data are a part of their own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasPart, partsFolder } from '../../config/parts.ts';

let known: boolean | undefined;

/**
 * Looked up once, and again when the part was brought since; nothing is loaded for it.
 *
 * @example
 * if (!canReadPictures()) console.log('npx sightline doctor --install ocr');
 */
export function canReadPictures(): boolean {
  if (known === undefined || (!known && existsSync(join(partsFolder(), 'ocr')))) known = hasPart('ocr');
  return known;
}
