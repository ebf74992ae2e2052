// What stands at the head and the foot of the printed pages of a sheet, as files write it, in; its words out.
import { oneLine, pageSign, quote, saysMore } from '../document/markdown.ts';
import { limits } from '../limits.ts';
import { elements, innerText, xmlTree } from '../xml/tree.ts';

/** Each text once, as a sheet has them for odd, even and first pages. */
export type SheetMargins = { header: string[]; footer: string[] };

export function newMargins(): SheetMargins {
  return { header: [], footer: [] };
}

const mostLetters = 2000;
/** A font, a colour, a size, or one letter for what is meant; two signs are one. */
const sign = /&(?:"[^"]*"|K(?:[\da-f]{6}|\d\d[+-]\d{3})|\d{1,3}|.)/gi;
/** A number of a page, with a word or two, says nothing. */
const onlyNumbers = /^[\p{L}\s/.,|:-]{0,12}$/u;

/** Takes the words that a code stands for, unless they say nothing. */
export function addMargin(margins: SheetMargins, kind: keyof SheetMargins, code: string): void {
  const words = oneLine(
    code.slice(0, mostLetters).replaceAll(sign, (found) => {
      const letter = found[1]?.toUpperCase() ?? '';
      if (letter === '&') return '&';
      if (letter === 'P' || letter === 'N') return pageSign;
      return /^&[LCR]$/i.test(found) ? ' ' : '';
    }),
  );
  const isNumber = words.includes(pageSign) && onlyNumbers.test(words.replaceAll(pageSign, ''));
  if (saysMore(words) && !isNumber && !margins[kind].includes(words)) margins[kind].push(words);
}

const [begin, end] = ['<headerFooter', '</headerFooter>'];

/** Those of a sheet of the newer kind, which stand behind all of its cells. */
export function marginsIn(sheet: Uint8Array): SheetMargins {
  const margins = newMargins();
  const bytes = Buffer.from(sheet.buffer, sheet.byteOffset, sheet.byteLength);
  const cells = bytes.lastIndexOf('</sheetData>');
  const from = bytes.indexOf(begin, Math.max(0, cells));
  const to = from === -1 ? -1 : bytes.indexOf(end, from);
  const tree = to === -1 ? undefined : xmlTree(bytes.subarray(from, to + end.length), 'a sheet', limits);
  for (const node of tree?.ok === true ? elements(tree.value) : [])
    addMargin(margins, node.name.endsWith('Header') ? 'header' : 'footer', innerText(node));
  return margins;
}

/** As a sheet says it before or behind its cells. */
export function marginBlocks({ header, footer }: SheetMargins, kind: keyof SheetMargins): string[] {
  return kind === 'header'
    ? header.map((words) => quote(`Header: ${words}`))
    : footer.map((words) => quote(`Footer: ${words}`));
}
