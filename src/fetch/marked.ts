// The text of a body in which long strings may stand as short marks, equal for equal strings. Whoever has read the body
// so knows the letters behind each mark; without marks a text is what it is.

export type MarkedText = {
  /** The text with the letters that its marks stand for. */
  whole: (text: string) => string;
  /** JSON text with the marks of those letters that this body has. */
  marked: (text: string) => string;
  /** How many letters the whole text has. */
  lengthOf: (text: string) => number;
};

export const unmarked: MarkedText = { whole: (text) => text, marked: (text) => text, lengthOf: ({ length }) => length };
