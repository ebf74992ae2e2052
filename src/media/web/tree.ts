// HTML in, a plain tree out. The only file that knows the HTML library, of which it uses the tokenizer alone: our own
// stack has a fixed depth, so no page can make it slow or deep. What a page hides, scripts and menus never get in.
import { classStyles, styleSheetsIn, styleOfClasses } from './class-styles.ts';

export type Element = {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: Node[];
  /** whether a block, or another table, lies somewhere inside */
  hasBlock: boolean;
  hasTable: boolean;
};

export type Node = string | Element;

/** `whole` is false when the page had more elements than a page may have; `scriptless` is what it says where no script runs. */
type Tree = { root: Element; title: string; whole: boolean; scriptless: Element[] };

const maxDepth = 120;
const maxElements = 400_000;
const none: ReadonlyMap<string, string> = new Map();

const kept = new Set([
  'href', 'src', 'alt', 'hidden', 'style', 'class', 'colspan', 'rowspan', 'start', 'reversed', 'type', 'checked',
  'width', 'height', 'role', 'xlink:href', 'value', 'encoding', 'display', 'mode', 'open', 'close', 'linethickness',
  'id', 'epub:type', 'selected', 'multiple', 'label', 'size', 'shadowrootmode',
]); // prettier-ignore
const dropped = new Set([
  'script', 'style', 'template', 'noscript', 'nav', 'svg', 'iframe', 'object', 'button', 'head', 'canvas',
  'audio', 'video', 'datalist', 'noembed', 'noframes', 'map',
]); // prettier-ignore
/** What is opened, or sorted by, has its words on a button in these. */
const titles = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'th', 'dt', 'summary', 'legend']);
const empty = new Set([
  'br', 'hr', 'img', 'input', 'meta', 'link', 'area', 'base', 'col', 'embed', 'param', 'source', 'track', 'wbr', 'image',
  'frame',
]); // prettier-ignore
export const blockNames: ReadonlySet<string> = new Set([
  'p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'caption', 'thead',
  'tbody', 'tfoot', 'tr', 'td', 'th', 'pre', 'blockquote', 'hr', 'section', 'article', 'header', 'footer', 'main',
  'aside', 'figure', 'figcaption', 'form', 'fieldset', 'legend', 'address', 'details', 'summary', 'center', 'body',
  'html', 'hgroup', 'dialog', 'menu', 'textarea', 'xmp', 'listing', 'plaintext',
]); // prettier-ignore

/** What an opening tag ends, and what that may not reach beyond. */
type Implied = { ends: readonly string[]; within: readonly string[] };
const cells: Implied = { ends: ['td', 'th', 'p'], within: ['tr', 'table'] };
const rows: Implied = { ends: ['tr', 'td', 'th', 'caption', 'colgroup'], within: ['tbody', 'thead', 'tfoot', 'table'] };
const groups: Implied = { ends: ['tbody', 'thead', 'tfoot', 'tr', 'td', 'caption', 'colgroup'], within: ['table'] };
const terms: Implied = { ends: ['dt', 'dd'], within: ['dl'] };
const implied = new Map<string, Implied>([
  ['li', { ends: ['li'], within: ['ul', 'ol', 'menu', 'table'] }],
  ['option', { ends: ['option'], within: ['select'] }],
  ['td', cells],
  ['th', cells],
  ['tr', rows],
  ['tbody', groups],
  ['thead', groups],
  ['tfoot', groups],
  ['dt', terms],
  ['dd', terms],
]);
const afterParagraph: Implied = { ends: ['p'], within: ['table', 'td', 'th', 'li', 'blockquote', 'div', 'button'] };

/** The tree of a page or of a piece of one; in XHTML every element may close itself. `css` are style sheets beside it. */
export async function htmlTree(
  source: string,
  { xhtml = false, css = '' }: { xhtml?: boolean; css?: string } = {},
): Promise<Tree> {
  const { Tokenizer } = await import('htmlparser2');
  // What a page of frames says to those who see none is a page like others; the library takes it for plain words.
  const html = /<frameset\b/i.test(source) ? source.replaceAll(/<\/?noframes\b[^>]{0,200}>/gi, '') : source;
  const styles = classStyles(`${css}\n${styleSheetsIn(html)}`);
  const builder = treeBuilder();
  let name = '';
  let attribute = '';
  let value = '';
  let attributes: Map<string, string> | undefined;
  const open = (): void => {
    const style = styles.size === 0 ? '' : styleOfClasses(styles, name, attributes?.get('class') ?? '');
    if (style !== '') attributes?.set('style', `${style};${attributes.get('style') ?? ''}`);
    if (!builder.open(name, attributes ?? none)) tokenizer.pause();
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true, recognizeSelfClosing: xhtml },
    {
      ontext: (start, end) => builder.text(html.slice(start, end)),
      ontextentity: (code) => builder.text(String.fromCodePoint(code)),
      onopentagname: (start, end) => {
        name = html.slice(start, end).toLowerCase();
        attributes = undefined;
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata: (start, end) => {
        if (kept.has(attribute)) value += html.slice(start, end);
      },
      onattribentity: (code) => {
        if (kept.has(attribute)) value += String.fromCodePoint(code);
      },
      onattribend: () => {
        if (!kept.has(attribute) || attributes?.has(attribute) === true) return;
        attributes ??= new Map();
        attributes.set(attribute, value);
      },
      onopentagend: open,
      onselfclosingtag: () => {
        open();
        if (xhtml || !blockNames.has(name)) builder.close(name);
      },
      onclosetag: (start, end) => builder.close(html.slice(start, end).toLowerCase()),
      oncdata: (start, end) => builder.text(html.slice(start, end)),
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return builder.tree();
}

type Builder = {
  text(text: string): void;
  open(name: string, attributes: ReadonlyMap<string, string>): boolean;
  close(name: string): void;
  tree(): Tree;
};

function treeBuilder(): Builder {
  const root = element('#root', none);
  const stack: Element[] = [root];
  const scriptless: Element[] = [];
  let overflow = 0;
  let count = 0;
  let title = '';
  let inTitle = false;
  const top = (): Element => stack.at(-1) ?? root;
  /** A drawing is not read, but a photograph in it is: so covers of books are written, and pages of comics. */
  const holderOf = (name: string): Element => {
    const at = name === 'image' ? stack.findIndex((around) => around.name === 'svg') : -1;
    return at > 0 && stack.slice(at).every(isShown) ? (stack[at - 1] ?? root) : top();
  };
  const endImplied = ({ ends, within }: Implied): void => {
    let deepest = 0;
    for (let at = stack.length - 1; at > 0; at -= 1) {
      const name = stack[at]?.name ?? '';
      if (within.includes(name)) break;
      if (ends.includes(name)) deepest = at;
    }
    if (deepest > 0) stack.length = deepest;
  };
  const note = (name: string): void => {
    if (!blockNames.has(name)) return;
    for (let at = stack.length - 1; at >= 0; at -= 1) {
      const one = stack[at];
      if (one === undefined || one.name === 'select' || (one.hasBlock && (name !== 'table' || one.hasTable))) break;
      one.hasBlock = true;
      if (name === 'table') one.hasTable = true;
    }
  };
  return {
    text(text) {
      if (inTitle) title = title.length < 1000 ? title + text : title;
      else top().children.push(text);
    },
    open(name, attributes) {
      if (name === 'title') inTitle = !stack.some((one) => one.name === 'svg');
      count += 1;
      if (count > maxElements) return false;
      if (name === 'title') return true;
      if (name === 'hr' && stack.some((one) => one.name === 'select')) return true; // between what one may choose
      if (top().name === 'head' && blockNames.has(name)) stack.pop();
      const ends = implied.get(name) ?? (blockNames.has(name) ? afterParagraph : undefined);
      if (ends !== undefined) endImplied(ends);
      const one = element(name, attributes);
      const isTitle = name === 'button' && stack.some((around) => titles.has(around.name));
      if ((isTitle || !isDropped(one)) && isShown(one)) {
        holderOf(name).children.push(one);
        note(name);
      }
      if (name === 'noscript') scriptless.push(one);
      if (empty.has(name)) return true;
      if (stack.length < maxDepth) stack.push(one);
      else overflow += 1;
      return true;
    },
    close(name) {
      if (name === 'title') inTitle = false;
      if (empty.has(name) || name === 'title') return;
      if (overflow > 0) {
        overflow -= 1;
        return;
      }
      const at = stack.findLastIndex((one) => one.name === name);
      if (at > 0) stack.length = at;
    },
    tree: () => ({ root, title: title.trim(), whole: count <= maxElements, scriptless }),
  };
}

function element(name: string, attributes: ReadonlyMap<string, string>): Element {
  return { name, attributes, children: [], hasBlock: false, hasTable: false };
}

/** What no page is read for; a template that is part of its element is shown at once. */
function isDropped({ name, attributes }: Element): boolean {
  return dropped.has(name) && !(name === 'template' && attributes.has('shadowrootmode'));
}

/** Whether a person would see it. What is left out here still collects its children, and they go with it. */
function isShown({ name, attributes }: Element): boolean {
  if (name === 'html' || name === 'body') return true; // a page that is hidden as a whole is shown by its script
  const isNote = /\b(?:foot|end|rear)note\b/.test(attributes.get('epub:type') ?? '');
  if ((attributes.has('hidden') && !isNote) || attributes.get('role') === 'navigation') return false;
  return !/display\s*:\s*none|visibility\s*:\s*hidden/i.test((attributes.get('style') ?? '').slice(0, 2000));
}
