// The public surface of `sightline/media`.
export type { Door, Ingest, IngestHint, Open } from '../content/ingest.ts';
export type { Read, Refusal, RefusalCode } from '../content/refusal.ts';
export { openDoor } from './door.ts';
export type { DoorOptions } from './door.ts';
export type { MediaOptions } from './context.ts';
export { limits } from './limits.ts';
export type { Limits } from './limits.ts';
export { comparePictures } from './image/compare.ts';
export type { Comparison } from './image/compare.ts';
export { cropPicture } from './image/crop.ts';
export type { Region } from './image/fit.ts';
export { canReadPictures } from './ocr/installed.ts';
export type { PagesOption } from './pdf/pages.ts';
export { read } from './read.ts';
export type { ReadData, Reading, ReadOptions } from './reading.ts';
export { render } from './render.ts';
export type { Source } from './source.ts';
export { thumbnail } from './thumbnail.ts';
