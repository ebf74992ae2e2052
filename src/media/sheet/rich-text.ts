// The source of a cell whose words are set in several ways in, its words out, with raised and lowered ones as such.
import { looks, styledText } from '../document/styled.ts';
import { limits } from '../limits.ts';
import { element, elements, innerText, xmlTree } from '../xml/tree.ts';

/** Nothing where no words are raised or lowered, or the source cannot be read. */
export function raisedText(source: string | undefined): string | undefined {
  if (source === undefined || !source.includes('vertAlign')) return undefined;
  // The library gives what stands inside the element; prefixes are cut off with the names.
  const tree = xmlTree(`<si>${source}</si>`, 'a cell', limits);
  if (!tree.ok) return undefined;
  const out = styledText();
  for (const part of elements(tree.value)) {
    const level = element(part, 'rPr', 'vertAlign')?.attributes['val'];
    const look = level === 'superscript' ? looks.raised : level === 'subscript' ? looks.lowered : 0;
    if (part.name === 'r') out.write(innerText(element(part, 't')), look);
    else if (part.name === 't') out.write(innerText(part));
  }
  return out.text();
}
