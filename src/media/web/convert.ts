// A tree of HTML in, Markdown out: headings, paragraphs, lists, tables, links, code, quotes, pictures by name. Every
// recursion is as deep as the tree, which is bounded; nothing outside the page is looked at.
import { fence } from './markdown.ts';
import type { Element, Node } from './tree.ts';
import { blockNames } from './tree.ts';
import { tableBlocks } from './grid.ts';

/** How a page's pictures are called: by the source in, the name to write out; nothing leaves the picture out. */
export type PictureName = (source: string) => string | undefined;

/** `level` counts lists and quotes around, `marks` the emphasis that is already on. */
type Inside = { picture: PictureName; level: number; marks: string };

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
    for (const piece of block(node, inside)) out.push(piece);
  }
  flush();
  return out;
}

function block(one: Element, inside: Inside): string[] {
  const { name, children } = one;
  if (/^h[1-6]$/.test(name)) {
    const words = paragraph(children, inside).replaceAll('\n', ' ');
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
      return blocksOf(children, inside);
  }
}

function list({ name, attributes, children }: Element, inside: Inside): string[] {
  let number = Number.parseInt(attributes.get('start') ?? '1', 10) || 1;
  const lines: string[] = [];
  for (const child of children) {
    if (typeof child === 'string' && child.trim() === '') continue;
    const item = typeof child !== 'string' && child.name === 'li' ? child.children : [child];
    const words = blocksOf(item, deeper(inside)).reduce(joinItem, '');
    if (words === '') continue;
    const marker = name === 'ol' ? `${number}. ` : '- ';
    number += 1;
    const indent = inside.level < maxLevel ? ' '.repeat(marker.length) : '';
    lines.push(marker + words.replaceAll(/\n(?=[^\n])/g, `\n${indent}`));
  }
  return lines.length === 0 ? [] : [lines.join('\n')];
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
  const out: string[] = [];
  inline(nodes, inside, out);
  return out
    .join('')
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim();
}

const marks = new Map([
  ['b', '**'],
  ['strong', '**'],
  ['i', '*'],
  ['em', '*'],
  ['cite', '*'],
  ['del', '~~'],
  ['s', '~~'],
  ['strike', '~~'],
  ['code', '`'],
  ['kbd', '`'],
  ['samp', '`'],
  ['tt', '`'],
]);

function inline(nodes: readonly Node[], inside: Inside, out: string[]): void {
  for (const node of nodes) {
    if (typeof node === 'string') out.push(node.replaceAll(/[ \t\n\r\f]+/g, ' '));
    else inlineElement(node, inside, out);
  }
}

function inlineElement(one: Element, inside: Inside, out: string[]): void {
  const { name, attributes, children } = one;
  const mark = marks.get(name);
  if (name === 'br') out.push('\n');
  else if (name === 'img' || name === 'image') out.push(picture(attributes, inside));
  else if (name === 'input') {
    if (attributes.get('type') === 'checkbox') out.push(attributes.has('checked') ? '[x] ' : '[ ] ');
  } else if (name === 'a' && !inside.marks.includes('a')) out.push(link(one, inside));
  else if (mark !== undefined && !inside.marks.includes(mark[0] ?? '')) {
    out.push(marked(paragraphWithin(children, { ...inside, marks: inside.marks + mark }), mark));
  } else {
    const separate = blockNames.has(name);
    if (separate) out.push('\n');
    inline(children, inside, out);
    if (separate) out.push('\n');
  }
}

/** Like a paragraph, but the spaces at its ends stay, because they belong to what is around. */
function paragraphWithin(nodes: readonly Node[], inside: Inside): string {
  const out: string[] = [];
  inline(nodes, inside, out);
  return out.join('').replaceAll(/ {2,}/g, ' ');
}

function marked(text: string, mark: string): string {
  const words = text.trim();
  if (words === '') return text;
  const start = text.indexOf(words);
  return text.slice(0, start) + mark + words + mark + text.slice(start + words.length);
}

function link({ attributes, children }: Element, inside: Inside): string {
  const text = paragraphWithin(children, { ...inside, marks: `${inside.marks}a` });
  const href = (attributes.get('href') ?? '').trim();
  const lines = text.split('\n').map((line) => line.trim());
  const words = lines.filter((line) => line !== '').join(' ');
  if (words === '' || href === '' || href.startsWith('#') || /^(?:javascript|data|vbscript):/i.test(href)) return text;
  const target = href.slice(0, 2000).replaceAll(/\s/g, '%20').replaceAll(')', '%29');
  return ` [${words}](${target}) `.slice(/^\s/.test(text) ? 0 : 1, /\s$/.test(text) ? undefined : -1);
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
