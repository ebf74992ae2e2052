// A formula with the value that a file keeps for it in; whether that value can be its own out. Some programs write zero for words they
// have not computed, and nothing else says so. Pure.
import { columnOfCell } from './range.ts';

/** Whether the cell at a place, counted from zero, holds words. */
export type HasWords = (row: number, column: number) => boolean;

const givesWords =
  /^(?:CONCATENATE|CONCAT|TEXTJOIN|LEFT|RIGHT|MID|UPPER|LOWER|PROPER|TRIM|SUBSTITUTE|REPLACE|TEXT|REPT|CHAR)\(\)$/i;

/** Whether a formula can only give words: a text, a cell with words in it, words put together, a function of words. */
export function isOfWords(formula: string, hasWords: HasWords): boolean {
  if (formula.length > 1000) return false;
  const [, cell = ''] = /^(\$?[A-Z]{1,3}\$?\d{1,7})$/.exec(formula) ?? [];
  if (cell !== '') {
    const plain = cell.replaceAll('$', '');
    return hasWords(Number(/\d+$/.exec(plain)?.[0]) - 1, columnOfCell(plain));
  }
  let outside = formula.replaceAll(/"(?:[^"]|"")*"/g, '"');
  if (outside === '"') return true;
  // What stands in brackets says nothing of what comes out.
  for (let before = ''; before !== outside;) {
    before = outside;
    outside = before.replaceAll(/\([^()]+\)/g, '()');
  }
  return givesWords.test(outside) || (outside.includes('&') && !/[=<>]/.test(outside));
}
