// The public surface of `sightline/media`. What reads, draws and compares is loaded by the first call of it.
import type { readInnerPicture as ReadInnerPicture } from './document/illustrated.ts';
import type { comparePictures as ComparePictures } from './image/compare.ts';
import type { cropPicture as CropPicture } from './image/crop.ts';
import type { read as ReadSource } from './read.ts';
import type { render as Render } from './render.ts';
import type { thumbnail as MakeThumbnail } from './thumbnail.ts';

export type { By, Hint, Intake, Place } from '../content/intake.ts';
export type { Read, Refusal, RefusalCode } from '../content/refusal.ts';
export { openIntake } from './intake.ts';
export type { IntakeOptions } from './intake.ts';
export type { MediaOptions } from './context.ts';
export type { OnProgress, Progress } from './context.ts';
export { limits } from './limits.ts';
export type { Limits } from './limits.ts';
export type { Comparison } from './image/compare.ts';
export type { Difference } from './image/difference.ts';
export type { Region, Size } from './image/fit.ts';
export { canReadPictures } from './ocr/installed.ts';
export type { PagesOption } from './pdf/pages.ts';
export type { DocumentWish } from './document/reader.ts';
export type { ReadData, Reading, ReadOptions } from './reading.ts';
export type { Source } from './source.ts';

/**
 * The only way to read media: paths, URLs, bytes, blobs, responses and streams all come in here.
 *
 * @example
 * const file = await read('report.pdf', { pages: '1-3' });
 * if (file.ok) console.log(file.value.output);
 */
export const read: typeof ReadSource = async (...given) => (await import('./read.ts')).read(...given);

/**
 * Makes what the planner asked for; what cannot be made is a refusal, and the planner steps on.
 *
 * @example
 * const fact = await render(need, { assets });
 */
export const render: typeof Render = async (...given) => (await import('./render.ts')).render(...given);

/**
 * One picture of a document, by the name that its text has for it.
 *
 * @example
 * const picture = await readInnerPicture(await readFile('report.docx'), 'image2.png', { assets });
 */
export const readInnerPicture: typeof ReadInnerPicture = async (...given) =>
  (await import('./document/illustrated.ts')).readInnerPicture(...given);

/**
 * Cuts a region out of a picture; without one, the whole of it.
 *
 * @example
 * const cut = await cropPicture(await readFile('screen.png'), { region: { x: 100, y: 50, width: 300, height: 200 } });
 */
export const cropPicture: typeof CropPicture = async (...given) =>
  (await import('./image/crop.ts')).cropPicture(...given);

/**
 * Compares two pictures pixel by pixel: how much differs, where, and a picture with the differences in red.
 *
 * @example
 * const compared = await comparePictures(before, after);
 */
export const comparePictures: typeof ComparePictures = async (...given) =>
  (await import('./image/compare.ts')).comparePictures(...given);

/**
 * A picture as exactly as many pixels as asked for; whoever asks minds the proportions.
 *
 * @example
 * const small = await thumbnail(block, { width: 320, height: 200 }, { assets });
 */
export const thumbnail: typeof MakeThumbnail = async (...given) => (await import('./thumbnail.ts')).thumbnail(...given);
