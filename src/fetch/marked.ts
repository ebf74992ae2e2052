// The text of a body in which long strings may stand as short marks, equal for equal strings. Whoever has read the body
// so knows the letters behind each mark; without marks a text is what it is.

import { picturesSpelt } from './stand-ins.ts';
import type { SpeltPicture } from './stand-ins.ts';

export type MarkedText = {
  /** The pictures that stand in a text, or the marks of them. */
  pictures: (text: string) => Iterable<SpeltPicture>;
  /** The text with the letters that its marks stand for. */
  whole: (text: string) => string;
  /** The mark of letters that this body has; undefined where there is none. */
  markOf: (letters: string) => string | undefined;
  /** How many letters the whole text has. */
  lengthOf: (text: string) => number;
  /** Letters that were made for a body, to be put into it and into later ones; undefined where they stand for themselves. */
  kept: (letters: string) => KeptLetters | undefined;
  /** What stands for them in this text. */
  put: (kept: KeptLetters) => string;
};

/** Letters of base64, one byte each, by their hash. */
export type KeptLetters = { hash: string; letters: Uint8Array<ArrayBuffer> };

export const unmarked: MarkedText = {
  pictures: picturesSpelt,
  whole: (text) => text,
  markOf: () => undefined,
  lengthOf: ({ length }) => length,
  kept: () => undefined,
  put: ({ letters }) => new TextDecoder().decode(letters),
};
