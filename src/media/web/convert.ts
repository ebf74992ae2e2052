// A tree of HTML in, Markdown out: headings, paragraphs, lists, tables, links, code, quotes, pictures by name. Every
// recursion is as deep as the tree, which is bounded; nothing outside the page is looked at.
import { footnote } from '../document/markdown.ts';
import type { StyledText } from '../document/styled.ts';
import { numeral } from '../office/numeral.ts';
import { between, looks, styledText } from '../document/styled.ts';
import { mathmlFormula } from '../math/mathml.ts';
import type { XmlNode } from '../xml/tree.ts';
import { fence } from './markdown.ts';
import type { WebNotes } from './notes.ts';
import { holdsNotes, isBacklink } from './notes.ts';
import type { Element, Node } from './tree.ts';
import { blockNames } from './tree.ts';
import { tableBlocks } from './grid.ts';

/** How a page's pictures are called: by the source in, the name to write out; nothing leaves the picture out. */
export type PictureName = (source: string) => string | undefined;

/** `level` counts lists and quotes around, `look` is how words are set and `without` what that
 * may not be, `link` whether they stand in a link already. `targets` takes long
 * addresses, so that words come before them. */
type Inside = {
  picture: PictureName;
  level: number;
  look?: number;
  without?: number;
  link?: boolean;
  notes?: WebNotes;
  targets?: Map<string, number>;
};

const maxLevel = 12;

/** The blocks of a piece of the tree, in reading order. */
export function blocksOf(nodes: readonly Node[], inside: Inside): string[] {
  const out: string[] = [];
  let run: Node[] = [];
  const flush = (): void => {
    const text = paragraph(run, inside);
    if (text !== '') out.push(text);
    run = [];
  };
  for (const node of nodes) {
    if (typeof node === 'string' || (!blockNames.has(node.name) && (!node.hasBlock || node.name === 'a'))) {
      run.push(node);
      continue;
    }
    flush();
    if (takesNote(node, inside)) continue;
    for (const piece of block(node, inside)) out.push(piece);
  }
  flush();
  return out;
}

/** A note goes to the notes, under the mark that refers to it. */
function takesNote(one: Element, inside: Inside): boolean {
  const mark = inside.notes?.markOf(one);
  if (mark === undefined || inside.notes === undefined) return false;
  const words = blocksOf(one.children, { ...inside, level: 0 }).join('\n\n');
  // Some pages show the sign once more before the words.
  const said = words.startsWith(`${mark}.`) ? words.slice(mark.length + 1).trim() : words;
  if (said !== '') inside.notes.told.push(footnote(mark, said));
  return true;
}

function block(one: Element, inside: Inside): string[] {
  const { name, children } = one;
  if (/^h[1-6]$/.test(name)) {
    const words = paragraph(children, { ...inside, without: looks.bold }).replaceAll('\n', ' ');
    return words === '' ? [] : [`${'#'.repeat(Number(name[1]))} ${words}`];
  }
  switch (name) {
    case 'hr':
      return ['---'];
    case 'pre':
    case 'xmp':
    case 'listing':
    case 'plaintext':
    case 'textarea':
      return code(one);
    case 'ul':
    case 'ol':
    case 'menu':
      return list(one, inside);
    case 'table':
      return tableBlocks(one, {
        blocks: (nodes) => blocksOf(nodes, inside),
        paragraph: (nodes) => paragraph(nodes, inside),
      });
    case 'blockquote': {
      const quoted = blocksOf(children, deeper(inside)).join('\n\n');
      if (inside.level >= maxLevel || quoted === '') return quoted === '' ? [] : [quoted];
      return [`> ${quoted.replaceAll('\n', '\n> ').replaceAll('> \n', '>\n')}`];
    }
    case 'li':
      return list({ ...one, name: 'ul', children: [one] }, inside);
    case 'dd': {
      const words = blocksOf(children, inside).join('\n\n');
      return words === '' ? [] : [`: ${words}`];
    }
    default:
      return blocksOf(holdsNotes(one) ? children.filter((child) => !isRule(child)) : children, inside);
  }
}

function isRule(node: Node): boolean {
  return typeof node !== 'string' && node.name === 'hr';
}

function list(one: Element, inside: Inside): string[] {
  const { attributes, children } = one;
  const [way, step] = [wayOf(one), attributes.has('reversed') ? -1 : 1];
  const last = step < 0 ? children.filter((child) => typeof child !== 'string' && child.name === 'li').length : 1;
  let number = wholeNumber(attributes.get('start')) ?? last;
  const lines: string[] = [];
  let indent = '';
  for (const child of children) {
    if (typeof child === 'string' && child.trim() === '') continue;
    const isItem = typeof child !== 'string' && child.name === 'li';
    if (isItem && takesNote(child, inside)) continue;
    const item = isItem ? child.children : [child];
    const words = blocksOf(item, deeper(inside)).reduce(joinItem, '');
    if (words === '') continue;
    // A list that stands in a list without an item around it belongs to the item before it.
    const belongs = typeof child !== 'string' && lists.has(child.name) && lines.length > 0;
    if (isItem) number = wholeNumber(child.attributes.get('value')) ?? number;
    const marker = belongs ? indent : way === 'decimal' && number >= 0 ? `${number}. ` : '- ';
    // A sign that is no number is the first word of its item.
    const sign = belongs || marker !== '- ' || way === '' ? '' : `${number > 0 ? numeral(number, way) : number}. `;
    if (!belongs) {
      number += step;
      indent = inside.level < maxLevel ? ' '.repeat(marker.length) : '';
    }
    lines.push(marker + sign + words.replaceAll(/\n(?=[^\n])/g, `\n${indent}`));
  }
  return lines.length === 0 ? [] : [lines.join('\n')];
}

const lists = new Set(['ul', 'ol', 'menu']);

const ways: ReadonlyMap<string, string> = new Map([
  ['a', 'lowerLetter'],
  ['A', 'upperLetter'],
  ['i', 'lowerRoman'],
  ['I', 'upperRoman'],
  ['lower-alpha', 'lowerLetter'],
  ['lower-latin', 'lowerLetter'],
  ['upper-alpha', 'upperLetter'],
  ['upper-latin', 'upperLetter'],
  ['lower-roman', 'lowerRoman'],
  ['upper-roman', 'upperRoman'],
]);

/** How a list counts; nothing for one that does not. */
function wayOf({ name, attributes }: Element): string {
  const [, said = ''] = /list-style(?:-type)?\s*:\s*([^;]*)/i.exec(attributes.get('style') ?? '') ?? [];
  const words = said.toLowerCase().split(/\s+/);
  if (name !== 'ol' || words.includes('none')) return '';
  return (
    words.map((word) => ways.get(word)).find((way) => way !== undefined) ??
    ways.get(attributes.get('type') ?? '') ??
    'decimal'
  );
}

function wholeNumber(text = ''): number | undefined {
  const number = Number.parseInt(text, 10);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** A list inside an item follows its words directly, other blocks after an empty line. */
function joinItem(words: string, next: string): string {
  if (words === '') return next;
  return words + (/^(?:- |\d{1,9}\. )/.test(next) ? '\n' : '\n\n') + next;
}

function code(one: Element): string[] {
  const inner = one.children.find((child) => typeof child !== 'string' && child.name === 'code');
  const classes = `${one.attributes.get('class') ?? ''} ${typeof inner === 'object' ? (inner.attributes.get('class') ?? '') : ''}`;
  const text = rawText(one).replace(/^\n/, '').trimEnd();
  return text === '' ? [] : [fence(text, /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/.exec(classes)?.[1])];
}

function rawText(one: Element): string {
  const out: string[] = [];
  const walk = (node: Node): void => {
    if (typeof node === 'string') out.push(node);
    else if (node.name === 'br') out.push('\n');
    else for (const child of node.children) walk(child);
  };
  walk(one);
  return out.join('');
}

/** Words on their way through one paragraph, white space as a browser shows it. */
function paragraph(nodes: readonly Node[], inside: Inside): string {
  const out = styledText();
  inline(nodes, inside, out);
  return out
    .text()
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim();
}

const settings = new Map<string, number>([
  ['b', looks.bold],
  ['strong', looks.bold],
  ['i', looks.italic],
  ['em', looks.italic],
  ['cite', looks.italic],
  ['dfn', looks.italic],
  ['var', looks.italic],
  ['del', looks.struck],
  ['s', looks.struck],
  ['strike', looks.struck],
  ['sup', looks.raised],
  ['sub', looks.lowered],
]);
const codes = new Set(['code', 'kbd', 'samp', 'tt']);

function inline(nodes: readonly Node[], inside: Inside, out: StyledText): void {
  for (const node of nodes) {
    if (typeof node === 'string') out.write(node.replaceAll(/[ \t\n\r\f]+/g, ' '), inside.look);
    else inlineElement(node, inside, out);
  }
}

/** Fields whose words a person sees. */
const written = new Set('text search email tel url number date datetime-local month time week'.split(' '));

/** What a field shows: whether it is ticked, or what stands in it. */
function filledIn(attributes: Element['attributes']): string {
  const type = attributes.get('type')?.toLowerCase() ?? 'text';
  if (type === 'checkbox' || type === 'radio') return attributes.has('checked') ? '[x] ' : '[ ] ';
  const value = attributes.get('value') ?? '';
  return written.has(type) && value !== '' ? ` ${value} ` : '';
}

/** What is chosen in a list to choose from: in one that shows a single option its first where nothing else is. */
function chosen(field: Element): string {
  const options = optionsIn(field);
  const named = options.filter(({ attributes }) => attributes.has('selected'));
  const isOpen = Number(field.attributes.get('size') ?? 1) > 1;
  const one = named.at(-1) ?? (isOpen ? undefined : options[0]);
  const shown = field.attributes.has('multiple') ? named : one ? [one] : [];
  return shown
    .map((option) => (option.attributes.get('label') || rawText(option)).replaceAll(/\s+/g, ' ').trim())
    .join(', ');
}

function optionsIn({ children }: Element): Element[] {
  const inner = children.filter((child) => typeof child !== 'string');
  return inner.flatMap((child) => (child.name === 'option' ? [child] : optionsIn(child)));
}

function inlineElement(one: Element, inside: Inside, out: StyledText): void {
  const { name, attributes, children } = one;
  if (name === 'br') out.write('\n', inside.look);
  else if (name === 'img' || name === 'image') out.write(picture(attributes, inside), inside.look);
  else if (name === 'frame') out.write(`${link('frame', attributes.get('src'), inside.targets)}\n`);
  else if (name === 'math') out.write(mathmlFormula(plainTree(one)), inside.look);
  else if (name === 'input') out.write(filledIn(attributes));
  else if (name === 'select') out.write(` ${chosen(one)} `);
  else if (name === 'a' && inside.link !== true) {
    if (inside.notes !== undefined && isBacklink(one)) return;
    const start = out.mark();
    inline(children, { ...inside, link: true }, out);
    out.wrap(start, (text) => {
      const mark = inside.notes?.referenceIn(one, text);
      return mark === undefined ? link(text, attributes.get('href'), inside.targets) : `[^${mark}]`;
    });
  } else if (codes.has(name)) {
    const start = out.mark();
    inline(children, { ...inside, look: 0 }, out);
    out.wrap(start, (text) => between(text, '`', '`'));
  } else {
    const separate = blockNames.has(name);
    const look = ((inside.look ?? 0) | settingOf(one)) & ~(inside.without ?? 0);
    if (separate) out.write('\n', look);
    inline(children, { ...inside, look }, out);
    if (separate) out.write('\n', look);
  }
}

/** How an element sets its words, by its name or by its style. */
function settingOf({ name, attributes }: Element): number {
  const style = (attributes.get('style') ?? '').slice(0, 2000);
  let look = settings.get(name) ?? 0;
  if (style === '') return look;
  if (/font-weight\s*:\s*(?:bold|[6-9]00)/i.test(style)) look |= looks.bold;
  if (/font-weight\s*:\s*(?:normal|[1-5]00)/i.test(style)) look &= ~looks.bold;
  if (/font-style\s*:\s*italic/i.test(style)) look |= looks.italic;
  if (/text-decoration[\w-]*\s*:[^;]{0,100}line-through/i.test(style)) look |= looks.struck;
  if (/vertical-align\s*:\s*super/i.test(style)) look |= looks.raised;
  if (/vertical-align\s*:\s*sub(?!s)/i.test(style)) look |= looks.lowered;
  return look;
}

/** The same tree in the form in which formulas are read. */
function plainTree({ name, attributes, children }: Element): XmlNode {
  return {
    name: name.slice(name.indexOf(':') + 1),
    attributes: Object.fromEntries(attributes),
    children: children.map((child) => (typeof child === 'string' ? child : plainTree(child))),
  };
}

/** Longer addresses stand at the end of the page. */
const longTarget = 80;

function link(text: string, address: string | undefined, targets: Map<string, number> | undefined): string {
  const href = (address ?? '').trim();
  const lines = text.split('\n').map((line) => line.trim());
  const words = lines.filter((line) => line !== '').join(' ');
  if (words === '' || href === '' || href.startsWith('#') || /^(?:javascript|data|vbscript):/i.test(href)) return text;
  const target = href.slice(0, 2000).replaceAll(/\s/g, '%20').replaceAll(')', '%29');
  return ` [${words}]${placed(target, targets)} `.slice(/^\s/.test(text) ? 0 : 1, /\s$/.test(text) ? undefined : -1);
}

/** The address behind the words, or the number under which it stands at the end. */
function placed(target: string, targets: Map<string, number> | undefined): string {
  if (targets === undefined || target.length <= longTarget) return `(${target})`;
  const known = targets.get(target) ?? targets.size + 1;
  targets.set(target, known);
  return `[${known}]`;
}

function picture(attributes: ReadonlyMap<string, string>, { picture: nameOf }: Inside): string {
  const tiny = [attributes.get('width'), attributes.get('height')].some((size) => size === '1' || size === '0');
  const source = (attributes.get('src') ?? attributes.get('xlink:href') ?? attributes.get('href') ?? '').trim();
  const name = tiny || source === '' ? undefined : nameOf(source);
  if (name === undefined) return '';
  const words = (attributes.get('alt') ?? '').replaceAll(/[\s[\]]+/g, ' ').trim();
  return `![${words}](${name.replaceAll(/\s/g, '%20')})`;
}

function deeper(inside: Inside): Inside {
  return { ...inside, level: inside.level + 1 };
}
