// A formula as Office writes it in, one line that a reader understands out: fractions, powers, roots, indices.
import type { XmlNode } from '../xml/tree.ts';
import { element, elements, innerText } from '../xml/tree.ts';

/** The formula as text; what has no sign of its own is its words in order. */
export function formulaText(node: XmlNode): string {
  const part = (name: string): string => {
    const found = element(node, name);
    return found === undefined ? '' : bracketed(formulaText(found));
  };
  switch (node.name) {
    case 't':
      return innerText(node);
    case 'f':
      return `${part('num')}/${part('den')}`;
    case 'sSup':
      return `${part('e')}^${part('sup')}`;
    case 'sSub':
      return `${part('e')}_${part('sub')}`;
    case 'sSubSup':
      return `${part('e')}_${part('sub')}^${part('sup')}`;
    case 'rad':
      return `√${part('deg') === '' ? '' : `[${part('deg')}]`}${part('e')}`;
    case 'nary': {
      const sign = element(node, 'naryPr', 'chr')?.attributes['val'] ?? '∫';
      return `${sign}_${part('sub')}^${part('sup')} ${part('e')}`;
    }
    case 'd':
      return `(${elements(node, 'e').map(formulaText).join(', ')})`;
    default:
      return elements(node).map(formulaText).join('');
  }
}

function bracketed(text: string): string {
  return text.length <= 1 || /^[\p{L}\p{N}.]+$/u.test(text) ? text : `(${text})`;
}
