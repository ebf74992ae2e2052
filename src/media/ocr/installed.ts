// Whether words can be read off pictures here: the library and its data are optional packages.
import { createRequire } from 'node:module';

let known: boolean | undefined;

/**
 * Looked up once; nothing is loaded for it.
 *
 * @example
 * if (!canReadPictures()) console.log('npm install tesseract.js @tesseract.js-data/eng');
 */
export function canReadPictures(): boolean {
  known ??= found('tesseract.js') && found('@tesseract.js-data/eng/package.json');
  return known;
}

function found(name: string): boolean {
  try {
    return createRequire(import.meta.url).resolve(name) !== '';
  } catch {
    return false; // absent, which is the answer
  }
}
