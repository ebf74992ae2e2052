// The source of a cell whose words are set in several ways in, its words out, with struck, raised and lowered ones as such.
import { looks, styledText } from '../document/styled.ts';
import { limits } from '../limits.ts';
import { element, elements, innerText, xmlTree } from '../xml/tree.ts';
import { isStruck } from './xlsx-marks.ts';

/** Nothing where all words are set alike, or the source cannot be read. Words of which nothing is said are set as `cell` says. */
export function richText(source: string | undefined, cell: number): string | undefined {
  if (
    source === undefined ||
    !(source.includes('vertAlign') || /<(?:\w+:)?strike\b/.test(source) || (cell !== 0 && source.includes('rPr')))
  )
    return undefined;
  // The library gives what stands inside the element; prefixes are cut off with the names.
  const tree = xmlTree(`<si>${source}</si>`, 'a cell', limits);
  if (!tree.ok) return undefined;
  const out = styledText();
  for (const part of elements(tree.value)) {
    const level = element(part, 'rPr', 'vertAlign')?.attributes['val'];
    const shift = level === 'superscript' ? looks.raised : level === 'subscript' ? looks.lowered : 0;
    const own = element(part, 'rPr');
    const look = own === undefined ? cell : shift | (isStruck(own) ? looks.struck : 0);
    if (part.name === 'r') out.write(withSigns(innerText(element(part, 't'))), look);
    else if (part.name === 't') out.write(withSigns(innerText(part)), cell);
  }
  return out.text();
}

/** Signs that Excel writes by their numbers, such as `_x000D_` for half of a line end. */
function withSigns(text: string): string {
  return text
    .replaceAll(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\r\n?/g, '\n');
}
