// The text of a body in which long strings may stand as short marks, equal for equal strings. Whoever has read the body
// so knows the letters behind each mark; without marks a text is what it is.
import { encodeBase64 } from '../content/base64.ts';

export type MarkedText = {
  /** The text with the letters that its marks stand for. */
  whole: (text: string) => string;
  /** JSON text with the marks of those letters that this body has. */
  marked: (text: string) => string;
  /** How many letters the whole text has. */
  lengthOf: (text: string) => number;
  /** Letters that were made for a body, to be put into it and into later ones; undefined where they stand for themselves. */
  kept: (letters: string) => KeptLetters | undefined;
  /** What stands for them in this text. */
  put: (kept: KeptLetters) => string;
};

/** The base64 letters of these bytes, by their hash. */
export type KeptLetters = { hash: string; length: number; bytes: Uint8Array };

export const unmarked: MarkedText = {
  whole: (text) => text,
  marked: (text) => text,
  lengthOf: ({ length }) => length,
  kept: () => undefined,
  put: ({ bytes }) => encodeBase64(bytes),
};
