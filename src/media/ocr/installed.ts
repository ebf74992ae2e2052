// Whether words can be read off pictures here: the library and its data are a part of their own.
import { hasPart } from '../../config/parts.ts';

let known: boolean | undefined;

/**
 * Looked up once; nothing is loaded for it.
 *
 * @example
 * if (!canReadPictures()) console.log('npx sightline doctor --install ocr');
 */
export function canReadPictures(): boolean {
  known ??= hasPart('ocr');
  return known;
}
