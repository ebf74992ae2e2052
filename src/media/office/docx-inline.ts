// The inside of a Word paragraph in, its words out: links, notes, pictures and breaks where they stand. Deleted text
// is left out, inserted text is kept. Text boxes are handed on, because they are blocks of their own.
import { link, picture } from '../document/markdown.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, elements, innerText } from '../xml/tree.ts';
import { chartTable } from './chart.ts';
import { diagramText } from './diagram.ts';
import { formulaText } from './formula.ts';
import type { Package, Relation } from './package.ts';

/** What a paragraph needs to know about the part it stands in. */
type InlineContext = {
  pack: Package;
  /** the part whose relations count */
  path: string;
  /** Called with the content of a text box, a chart or a diagram; it follows the paragraph. */
  aside: (content: XmlNode | string) => void;
};

type Field = { code: string; start?: number };

const left = new Set(['del', 'moveFrom', 'rPr', 'pPr', 'instrText', 'delText', 'delInstrText', 'annotationRef', 'rt']);

/** Signs of picture fonts that carry meaning. */
const signs = new Map([
  ['F0FE', '☑'],
  ['F052', '☑'],
  ['F0A8', '☐'],
  ['F06F', '☐'],
  ['F0FC', '✓'],
  ['F0FB', '✗'],
  ['F0E0', '→'],
  ['F0B7', '•'],
]);

/** All words of a paragraph, in order. */
export function inlineText(paragraph: XmlNode, context: InlineContext): string {
  const fields: Field[] = [];
  let text = '';

  function walk(node: XmlNode): void {
    for (const child of node.children) if (typeof child !== 'string') visit(child);
  }

  function visit(node: XmlNode): void {
    const { name, attributes } = node;
    if (left.has(name)) return;
    switch (name) {
      case 't':
        text += fields.some(({ start }) => start === undefined) ? '' : innerText(node);
        return;
      case 'r':
        if (!isHidden(node)) walkRun(node);
        return;
      case 'tab':
      case 'ptab':
        text += '\t';
        return;
      case 'br':
      case 'cr':
        text += '\n';
        return;
      case 'noBreakHyphen':
        text += '-';
        return;
      case 'sym':
        text += symbol(attributes['char'] ?? '');
        return;
      case 'footnoteReference':
        text += `[^${attributes['id'] ?? ''}]`;
        return;
      case 'endnoteReference':
        text += `[^e${attributes['id'] ?? ''}]`;
        return;
      case 'commentReference':
        text += `[^c${attributes['id'] ?? ''}]`;
        return;
      case 'hyperlink':
        wrap(() => walk(node), context.pack.relations(context.path).get(attributes['r:id'] ?? '')?.target);
        return;
      case 'oMath':
        text += formulaText(node);
        return;
      case 'drawing':
      case 'pict':
      case 'object':
        text += drawn(node, context);
        return;
      case 'AlternateContent':
        walk(element(node, 'Choice') ?? element(node, 'Fallback') ?? node);
        return;
      default:
        walk(node);
    }
  }

  /** Fields are written as marks between runs: begin, its code, separate, what it shows, end. */
  function walkRun(run: XmlNode): void {
    for (const child of run.children) {
      if (typeof child === 'string') continue;
      const field = fields.at(-1);
      if (child.name === 'instrText' && field !== undefined) field.code += innerText(child);
      if (child.name !== 'fldChar') {
        visit(child);
        continue;
      }
      const mark = child.attributes['fldCharType'];
      if (mark === 'begin') fields.push({ code: '' });
      if (mark === 'separate' && field !== undefined) field.start = text.length;
      if (mark === 'end') close(fields.pop());
    }
  }

  function close(field: Field | undefined): void {
    const url = /^\s*HYPERLINK\s+"([^"]+)"/.exec(field?.code ?? '')?.[1];
    if (field?.start === undefined || url === undefined) return;
    text = text.slice(0, field.start) + link(text.slice(field.start), url);
  }

  function wrap(write: () => void, url: string | undefined): void {
    const start = text.length;
    write();
    if (url !== undefined) text = text.slice(0, start) + link(text.slice(start), url);
  }

  walk(paragraph);
  return text;
}

function isHidden(run: XmlNode): boolean {
  const vanish = element(run, 'rPr', 'vanish');
  return vanish !== undefined && !['0', 'false', 'off'].includes(vanish.attributes['val'] ?? '');
}

function symbol(code: string): string {
  const known = signs.get(code.toUpperCase());
  const value = Number.parseInt(code, 16);
  if (known !== undefined || !(value > 0x20 && value < 0xe000)) return known ?? '';
  return String.fromCodePoint(value).toWellFormed();
}

/** Pictures become words here; text boxes, charts and diagrams go on to stand after the paragraph. */
function drawn(drawing: XmlNode, { pack, path, aside }: InlineContext): string {
  const about = descendants(drawing, 'docPr')[0]?.attributes;
  const words = about?.['descr'] ?? about?.['title'] ?? descendants(drawing, 'shape')[0]?.attributes['alt'] ?? '';
  let text = '';
  for (const { name, attributes, children } of shownIn(drawing)) {
    const related = (key: string): Relation | undefined => pack.relations(path).get(attributes[key] ?? '');
    if (name === 'txbxContent') aside({ name, attributes, children });
    else if (name === 'chart') aside(chartTable(pack.part(related('r:id')?.target)));
    else if (name === 'relIds') aside(diagramText(pack.part(related('r:dm')?.target)));
    else {
      const found = related('r:embed') ?? related('r:id') ?? related('r:link');
      if (found !== undefined) text += picture(words, found.external ? found.target : pack.picture(found.target));
    }
  }
  return text;
}

const shown = new Set(['txbxContent', 'blip', 'imagedata', 'chart', 'relIds']);

/** What a drawing shows, in order; the fallback for old versions says the same once more. */
function shownIn(node: XmlNode, found: XmlNode[] = []): XmlNode[] {
  for (const child of elements(node)) {
    if (child.name === 'Fallback') continue;
    if (shown.has(child.name)) found.push(child);
    if (child.name !== 'txbxContent') shownIn(child, found);
  }
  return found;
}
