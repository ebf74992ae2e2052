// The inside of a Word paragraph in, its words out: links, notes, pictures and breaks where they stand. Text
// that was inserted or deleted while changes were tracked is marked. Text boxes are handed on, because they are blocks of their own.
import type { Changes } from '../document/changes.ts';
import { change } from '../document/changes.ts';
import { isPageField, link, pageSign, picture } from '../document/markdown.ts';
import { styledText } from '../document/styled.ts';
import { signText } from '../document/symbol-font.ts';
import { officeFormula } from '../math/omml.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, elements, innerText } from '../xml/tree.ts';
import { controlText } from './activex.ts';
import { chartTable } from './chart.ts';
import { diagramText } from './diagram.ts';
import type { Styles } from './docx-style.ts';
import { isOff } from './docx-style.ts';
import { equationText } from './equation-field.ts';
import type { Package, Relation } from './package.ts';

/** What a paragraph needs to know about the part it stands in. */
type InlineContext = {
  pack: Package;
  /** the part whose relations count */
  path: string;
  styles: Styles;
  changes: Changes;
  /** the words of a comment, and who wrote it */
  comment: (id: string) => string;
  /** the number of a footnote or an endnote */
  note: (prefix: '' | 'e', id: string) => string;
  /** how everything in it is set besides its own settings, and which settings say nothing here */
  look: number;
  without?: number;
  /** at the head or the foot of pages, where each has its own number */
  inMargin: boolean;
  /** Called with the content of a text box, a chart or a diagram; it follows the paragraph. */
  aside: (content: XmlNode | string) => void;
};

type Field = { code: string; start?: number };

const left = new Set(['rPr', 'pPr', 'sdtPr', 'instrText', 'delInstrText', 'annotationRef', 'rt']);

/** Words that are always the same, by the element that stands for them. */
const fixed = new Map([
  ['tab', '\t'],
  ['ptab', '\t'],
  ['br', '\n'],
  ['cr', '\n'],
  ['noBreakHyphen', '-'],
]);

/** All words of a paragraph, in order. */
export function inlineText(paragraph: XmlNode, context: InlineContext): string {
  const { pack, path, styles, changes, without = 0 } = context;
  const fields: Field[] = [];
  const out = styledText();
  let [look, around, font] = [context.look, context.look, ''];

  function walk(node: XmlNode): void {
    for (const child of node.children) if (typeof child !== 'string') visit(child);
  }

  function visit(node: XmlNode): void {
    const { name, attributes } = node;
    if (left.has(name)) return;
    const words = fixed.get(name) ?? textOf(node, context);
    if (words !== undefined) {
      const isText = name === 't' || name === 'delText';
      const inCode = isText && fields.some(({ start }) => start === undefined);
      // A reference is no word of the run it stands in.
      if (!inCode) out.write(isText ? signText(words, font) : words, isText || name === 'tab' ? look : around);
      return;
    }
    switch (name) {
      case 'r':
        if (!isHidden(node)) walkRun(node);
        return;
      case 'ins':
      case 'moveTo':
        return within(node, change(changes, 'inserted', attributes['author']));
      case 'del':
      case 'moveFrom':
        return within(node, change(changes, 'deleted', attributes['author']));
      case 'hyperlink':
        return wrap(
          () => walk(node),
          targetOf(pack.relations(path).get(attributes['r:id'] ?? ''), attributes['anchor']),
        );
      case 'sdt': {
        const box = element(node, 'sdtPr', 'checkbox');
        if (box === undefined) walk(node);
        else out.write(checkbox(element(box, 'checked')), around);
        return;
      }
      case 'pgNum':
        return out.write(pageSign, around);
      case 'fldSimple':
        return context.inMargin && isPageField(attributes['instr'] ?? '') ? out.write(pageSign, around) : walk(node);
      case 'AlternateContent':
        return walk(element(node, 'Choice') ?? element(node, 'Fallback') ?? node);
      default:
        walk(node);
    }
  }

  /** Words that were inserted or deleted; nothing when they are not to be seen. */
  function within(node: XmlNode, changed: number | undefined): void {
    if (changed === undefined) return;
    const before = around;
    around |= changed;
    walk(node);
    around = before;
  }

  /** Fields are written as marks between runs: begin, its code, separate, what it shows, end. */
  function walkRun(run: XmlNode): void {
    const properties = element(run, 'rPr');
    look = around | (styles.runLook(properties) & ~without);
    font = element(properties, 'rFonts')?.attributes['ascii'] ?? '';
    for (const child of run.children) {
      if (typeof child === 'string') continue;
      const field = fields.at(-1);
      if (child.name === 'instrText' && field !== undefined) field.code += innerText(child);
      if (child.name !== 'fldChar') {
        visit(child);
        continue;
      }
      const mark = child.attributes['fldCharType'];
      if (mark === 'begin') {
        out.write(formValue(element(child, 'ffData')), around);
        fields.push({ code: '' });
      }
      if (mark === 'separate' && field !== undefined) field.start = out.mark();
      if (mark === 'end') close(fields.pop());
    }
  }

  function close(field: Field | undefined): void {
    const formula = equationText(field?.code ?? '');
    if (field !== undefined && formula !== undefined) {
      if (field.start === undefined) out.write(formula, around);
      else out.wrap(field.start, (shown) => shown || formula);
      return;
    }
    if (context.inMargin && isPageField(field?.code ?? '')) {
      if (field?.start !== undefined) out.wrap(field.start, () => '');
      return out.write(pageSign, around);
    }
    const url = fieldTarget(field?.code ?? '');
    if (field?.start === undefined || url === undefined) return;
    out.wrap(field.start, (inner) => link(inner, url));
  }

  function wrap(write: () => void, url: string | undefined): void {
    const start = out.mark();
    write();
    if (url !== undefined) out.wrap(start, (inner) => link(inner, url));
  }

  walk(paragraph);
  return out.text();
}

/** Where the code of a field leads, with the place there; nothing for a field that is no link. */
export function fieldTarget(code: string): string | undefined {
  const [, url, place] = /^\s*HYPERLINK\s+"([^"]+)"(?:[^"]*\\l\s+"([^"]+)")?/.exec(code) ?? [];
  return place === undefined ? url : `${url}#${place}`;
}

/** Where a link leads; a place inside of this document is no address. */
function targetOf(relation: Relation | undefined, anchor: string | undefined): string | undefined {
  if (relation === undefined || anchor === undefined || relation.target.includes('#')) return relation?.target;
  return `${relation.target}#${anchor}`;
}

/** What an element says by itself; nothing for one that only holds others. */
function textOf(node: XmlNode, context: InlineContext): string | undefined {
  const { name, attributes } = node;
  switch (name) {
    case 't':
    case 'delText':
      return innerText(node);
    case 'sym':
      return symbol(attributes['char'] ?? '', attributes['font'] ?? '');
    case 'footnoteReference':
      return `[^${context.note('', attributes['id'] ?? '')}]`;
    case 'endnoteReference':
      return `[^${context.note('e', attributes['id'] ?? '')}]`;
    case 'commentReference':
      return context.comment(attributes['id'] ?? '');
    case 'oMath':
      return officeFormula(node);
    case 'oMathPara':
      return elements(node, 'oMath')
        .map((one) => officeFormula(one, true))
        .join('\n');
    case 'drawing':
    case 'pict':
    case 'object':
      return drawn(node, context);
    default:
      return undefined;
  }
}

function checkbox(checked: XmlNode | undefined): string {
  return checked === undefined || isOff(checked.attributes['val']) ? '[ ]' : '[x]';
}

/** What was chosen in a field of an old form; its words, where it has any, follow by themselves. */
function formValue(data: XmlNode | undefined): string {
  const box = element(data, 'checkBox');
  if (box !== undefined) return checkbox(element(box, 'checked') ?? element(box, 'default'));
  const list = element(data, 'ddList');
  const chosen = element(list, 'result') ?? element(list, 'default');
  return elements(list, 'listEntry')[Number(chosen?.attributes['val'] ?? 0)]?.attributes['val'] ?? '';
}

function isHidden(run: XmlNode): boolean {
  const vanish = element(run, 'rPr', 'vanish');
  return vanish !== undefined && !isOff(vanish.attributes['val']);
}

function symbol(code: string, font: string): string {
  const value = Number.parseInt(code, 16);
  const sign = value > 0x20 && value < 0x1_0000 ? signText(String.fromCodePoint(value), font).toWellFormed() : '';
  return /\p{Co}/u.test(sign) ? '' : sign;
}

/** Pictures and what is filled into controls become words here; text boxes, charts and diagrams go on to stand after the paragraph. */
function drawn(drawing: XmlNode, { pack, path, aside }: InlineContext): string {
  const [control] = drawing.name === 'object' ? elements(drawing, 'control') : [];
  const filled = control && controlText(pack, pack.relations(path).get(control.attributes['r:id'] ?? '')?.target);
  if (filled !== undefined) return filled;
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
