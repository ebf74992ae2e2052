// What a reader of pictures recognised in, its text out: lines and paragraphs, and behind every number that is not sure a
// mark that says so. A wrong letter in a word is noticed by whoever reads it; a wrong digit is not. Pure.

type ReadWord = { text: string; confidence: number; symbols?: readonly { confidence: number }[] };
type ReadBlock = { paragraphs: readonly { lines: readonly { words: readonly ReadWord[] }[] }[] };

/** Below this, in percent, a number is marked. */
const leastSure = 88;
/** What stands behind a number that may be wrong. */
export const unsureMark = '[?]';

/** The text of a picture, paragraph by paragraph. */
export function markedText(blocks: readonly ReadBlock[]): string {
  return blocks
    .flatMap(({ paragraphs }) => paragraphs)
    .map(({ lines }) => lines.map(({ words }) => words.map(marked).join(' ')).join('\n'))
    .join('\n\n');
}

function marked({ text, confidence, symbols = [] }: ReadWord): string {
  const weakest = Math.min(confidence, ...symbols.map((symbol) => symbol.confidence));
  return mayBeNumber.test(text) && weakest < leastSure ? `${text}${unsureMark}` : text;
}

/** Digits, or letters alone that digits are taken for, such as `lO` or `S`; a percent sign stands behind a number, too. */
const mayBeNumber = /\d|%|^[^\p{L}]*[OoIlSBZ|]{1,4}[^\p{L}]*$/u;
