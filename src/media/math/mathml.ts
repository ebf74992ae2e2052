// A formula in MathML in, LaTeX out. Where its author left the LaTeX in it, that is it.
import type { XmlNode } from '../xml/tree.ts';
import { descendants, elements, innerText } from '../xml/tree.ts';
import { accentName, base, braced, formula, latexName, latexSigns, tidied } from './signs.ts';

/** The formula among words, between dollar signs. */
export function mathmlFormula(node: XmlNode): string {
  const display = node.attributes['display'] === 'block' || node.attributes['mode'] === 'display';
  const source = written(descendants(node, 'annotation'));
  return formula(source ?? tidied(latexOf(node)), display);
}

const longest = 20_000;

function latexOf(node: XmlNode): string {
  const parts = elements(node);
  const at = (index: number): string => (parts[index] === undefined ? '' : latexOf(parts[index]));
  switch (node.name) {
    case 'mi':
      return latexName(innerText(node));
    case 'mn':
      return latexSigns(innerText(node).trim());
    case 'mo':
      return operator(innerText(node).trim());
    case 'mtext':
    case 'ms':
      return text(innerText(node));
    case 'mspace':
      return ' ';
    case 'mfrac':
      return `\\${node.attributes['linethickness']?.startsWith('0') === true ? 'binom' : 'frac'}${braced(at(0))}${braced(at(1))}`;
    case 'msqrt':
      return `\\sqrt${braced(inside(node))}`;
    case 'mroot':
      return `\\sqrt[${at(1).trim()}]${braced(at(0))}`;
    case 'msup':
      return `${base(at(0))}^${braced(at(1))}`;
    case 'msub':
      return `${base(at(0))}_${braced(at(1))}`;
    case 'msubsup':
    case 'munderover':
      return `${base(at(0))}_${braced(at(1))}^${braced(at(2))}`;
    case 'munder':
      return over(parts, at, '_', 'underset');
    case 'mover':
      return over(parts, at, '^', 'overset');
    case 'mtable':
      return `\\begin{matrix} ${parts.map((row) => elements(row).map(latexOf).join(' & ')).join(' \\\\ ')} \\end{matrix}`;
    case 'mfenced':
      return `${node.attributes['open'] ?? '('}${parts.map(latexOf).join(', ')}${node.attributes['close'] ?? ')'}`;
    case 'mphantom':
    case 'annotation-xml':
    case 'annotation':
      return '';
    case 'semantics':
      return at(0);
    default:
      return inside(node);
  }
}

function inside(node: XmlNode): string {
  return elements(node).map(latexOf).join('');
}

/** The source that an author left beside the formula. */
function written(annotations: readonly XmlNode[]): string | undefined {
  const source = annotations.find(({ attributes }) => /tex/i.test(attributes['encoding'] ?? ''));
  const words = innerText(source).trim();
  return words === '' || words.length > longest ? undefined : words.replaceAll(/^\$+|\$+$/g, '');
}

function operator(sign: string): string {
  return /\p{L}{2}/u.test(sign) ? latexName(sign) : latexSigns(sign);
}

function text(words: string): string {
  return words.trim() === '' ? ' ' : `\\text{${words.replaceAll(/\s+/g, ' ')}}`;
}

/** Something over or under a sign: an accent, the bound of a sum or a limit, or just that. */
function over(parts: readonly XmlNode[], at: (index: number) => string, sign: string, otherwise: string): string {
  const name = accentName(innerText(parts[1]));
  if (name !== undefined) return `\\${name}${braced(at(0))}`;
  const lower = at(0).trim();
  const bounded = /^\\(?:sum|prod|int|lim|max|min|sup|inf|bigcup|bigcap)$/.test(lower) || parts[0]?.name !== 'mo';
  return bounded ? `${base(lower)}${sign}${braced(at(1))}` : `\\${otherwise}${braced(at(1))}${braced(lower)}`;
}
