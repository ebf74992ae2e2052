// A formula as Office writes it in, LaTeX out. What has no form of its own is its parts in order.
import type { XmlNode } from '../xml/tree.ts';
import { element, elements, innerText } from '../xml/tree.ts';
import { accentName, base, braced, formula, latexName, latexSigns, tidied } from './signs.ts';

/** The formula among words, between dollar signs. */
export function officeFormula(node: XmlNode, display = false): string {
  return formula(tidied(latexOf(node)), display);
}

const val = (node: XmlNode, ...way: string[]): string | undefined => element(node, ...way)?.attributes['val'];

function latexOf(node: XmlNode): string {
  const part = (name: string): string => {
    const found = element(node, name);
    return found === undefined ? '' : inside(found);
  };
  const raised = (): string => `^${braced(part('sup'))}`;
  const lowered = (): string => `_${braced(part('sub'))}`;
  switch (node.name) {
    case 'r':
      return runOf(node);
    case 't':
      return latexSigns(innerText(node));
    case 'f':
      if (val(node, 'fPr', 'type') === 'noBar') return `\\binom${braced(part('num'))}${braced(part('den'))}`;
      return `\\frac${braced(part('num'))}${braced(part('den'))}`;
    case 'sSup':
      return `${base(part('e'))}${raised()}`;
    case 'sSub':
      return `${base(part('e'))}${lowered()}`;
    case 'sSubSup':
      return `${base(part('e'))}${lowered()}${raised()}`;
    case 'sPre':
      return `{}${lowered()}${raised()}${part('e')}`;
    case 'rad': {
      const degree = part('deg').trim();
      return `\\sqrt${degree === '' ? '' : `[${degree}]`}${braced(part('e'))}`;
    }
    case 'nary': {
      const sign = latexSigns(val(node, 'naryPr', 'chr') ?? '∫').trim();
      const [from, to] = [part('sub').trim(), part('sup').trim()];
      return `${sign}${from === '' ? '' : `_{${from}}`}${to === '' ? '' : `^{${to}}`} ${part('e')}`;
    }
    case 'func':
      return `${functionName(node)} ${part('e')}`;
    case 'limLow':
      return `${base(part('e'))}_${braced(part('lim'))}`;
    case 'limUpp':
      return `${base(part('e'))}^${braced(part('lim'))}`;
    case 'd':
      return delimited(node);
    case 'acc':
      return accented(val(node, 'accPr', 'chr') ?? '\u0302', part('e'), 'overset');
    case 'bar':
      return `\\${val(node, 'barPr', 'pos') === 'top' ? 'overline' : 'underline'}${braced(part('e'))}`;
    case 'groupChr':
      return accented(val(node, 'groupChrPr', 'chr') ?? '⏟', part('e'), 'underset');
    case 'eqArr':
      // An ampersand in it is where its lines are aligned.
      return `\\begin{aligned} ${elements(node, 'e').map(inside).join(' \\\\ ').replaceAll('\\&', '&')} \\end{aligned}`;
    case 'm':
      return `\\begin{matrix} ${elements(node, 'mr')
        .map((row) => elements(row, 'e').map(inside).join(' & '))
        .join(' \\\\ ')} \\end{matrix}`;
    default:
      return node.name.endsWith('Pr') ? '' : inside(node);
  }
}

function inside(node: XmlNode): string {
  return elements(node).map(latexOf).join('');
}

/** Letters of one run; those set upright are a name or plain words. */
function runOf(run: XmlNode): string {
  const words = elements(run, 't').map(innerText).join('');
  if (element(run, 'rPr', 'nor') !== undefined && /\p{L}{2}/u.test(words)) return `\\text{${words}}`;
  return val(run, 'rPr', 'sty') === 'p' ? latexName(words) : latexSigns(words);
}

function functionName(node: XmlNode): string {
  const name = element(node, 'fName');
  const words = name === undefined ? '' : innerText(name).trim();
  const isPlain = name !== undefined && elements(name).every((one) => one.name === 'r' || one.name.endsWith('Pr'));
  return isPlain ? latexName(words) : name === undefined ? '' : inside(name);
}

const bracket = (one: string): string => (one === '' ? '.' : latexSigns(one).trim());

function delimited(node: XmlNode): string {
  const open = val(node, 'dPr', 'begChr') ?? '(';
  const close = val(node, 'dPr', 'endChr') ?? ')';
  const between = val(node, 'dPr', 'sepChr') ?? '|';
  const inner = elements(node, 'e').map(inside).join(latexSigns(between));
  const isPlain = /^[([|]$/.test(open) && /^[)\]|]$/.test(close);
  return isPlain ? `${open}${inner.trim()}${close}` : `\\left${bracket(open)} ${inner.trim()} \\right${bracket(close)}`;
}

function accented(sign: string, inner: string, otherwise: string): string {
  const name = accentName(sign);
  return name === undefined
    ? `\\${otherwise}{${latexSigns(sign).trim()}}${braced(inner)}`
    : `\\${name}${braced(inner)}`;
}
