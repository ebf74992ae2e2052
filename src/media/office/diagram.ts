// The data of a SmartArt diagram in, its words as a list out.
import { oneLine } from '../document/markdown.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, innerText } from '../xml/tree.ts';

/** One item for each point that says something. */
export function diagramText(data: XmlNode | undefined): string {
  if (data === undefined) return '';
  const texts = descendants(data, 'pt').flatMap((point) => {
    const paragraphs = descendants(element(point, 't') ?? point, 'p');
    const text = oneLine(paragraphs.map((one) => descendants(one, 't').map(innerText).join('')).join(' '));
    return text === '' ? [] : [`- ${text}`];
  });
  return texts.join('\n');
}
