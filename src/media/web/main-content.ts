// The tree of a page in, what it is about out: the part that a reader looks for, when much else stands before it.
import type { Element, Node } from './tree.ts';

/** So many characters may stand before the main part; more of them and it is moved to the front. */
const mostBefore = 600;
/** A part with less than this much of the words is not what the page is about. */
const [leastShare, leastWords] = [0.2, 250];

/** The main part and the page without it; nothing when the page begins with it anyway, or has none. */
export function mainContent(root: Element): { main: Element; rest: Element } | undefined {
  const sizes = new Map<Element, number>();
  const total = measured(root, sizes);
  const named = declared(root, sizes);
  const main = named ?? densest(root, sizes);
  const size = main === undefined ? 0 : (sizes.get(main) ?? 0);
  if (main === undefined || main === root || size < Math.max(leastWords, total * leastShare)) return undefined;
  const ahead = before(root, main, sizes);
  if (ahead.words <= mostBefore || (named === undefined && ahead.beside < ahead.words / 2)) return undefined;
  return { main, rest: without(root, main) };
}

function measured(one: Element, sizes: Map<Element, number>): number {
  let size = 0;
  for (const child of one.name === 'select' ? [] : one.children) {
    size += typeof child === 'string' ? child.replaceAll(/\s+/g, ' ').length : measured(child, sizes);
  }
  sizes.set(one, size);
  return size;
}

/** What the page itself calls its main part: the largest of these. */
function declared(root: Element, sizes: ReadonlyMap<Element, number>): Element | undefined {
  const named = [...sizes.keys()].filter(
    ({ name, attributes }) => name === 'main' || attributes.get('role') === 'main',
  );
  const found = named.length > 0 ? named : [...sizes.keys()].filter(({ name }) => name === 'article');
  return largest(found, (one) => sizes.get(one) ?? 0) ?? (root.children.length === 0 ? root : undefined);
}

/** The element under which most of the long paragraphs stand that are not made of links. */
function densest(root: Element, sizes: ReadonlyMap<Element, number>): Element | undefined {
  const scores = new Map<Element, number>();
  const walk = (one: Element, parents: readonly Element[]): void => {
    for (const child of one.children) {
      if (typeof child === 'string') continue;
      const size = sizes.get(child) ?? 0;
      const around = [one, parents.at(-1)];
      if (/^(?:p|pre|blockquote)$/.test(child.name) && size > 80 && linked(child, sizes) < size / 2) {
        for (const [at, holder] of around.entries()) {
          if (holder !== undefined) scores.set(holder, (scores.get(holder) ?? 0) + size / (at + 1));
        }
      } else walk(child, [...parents.slice(-1), one]);
    }
  };
  walk(root, []);
  return largest([...scores.keys()], (one) => scores.get(one) ?? 0);
}

function linked(one: Element, sizes: ReadonlyMap<Element, number>): number {
  return one.children.reduce((sum, child) => {
    if (typeof child === 'string') return sum;
    return sum + (child.name === 'a' ? (sizes.get(child) ?? 0) : linked(child, sizes));
  }, 0);
}

function largest(all: readonly Element[], size: (one: Element) => number): Element | undefined {
  let best: Element | undefined;
  for (const one of all) if (best === undefined || size(one) > size(best)) best = one;
  return best;
}

const furniture = /^(?:nav|aside|header|footer|form|a|button|select)$/;

/** How many characters of an element belong to links, menus and forms. */
function besideIn(one: Element, sizes: ReadonlyMap<Element, number>): number {
  if (furniture.test(one.name)) return sizes.get(one) ?? 0;
  return one.children.reduce((sum, child) => sum + (typeof child === 'string' ? 0 : besideIn(child, sizes)), 0);
}

/** How many characters come before a part, and how many of them lead elsewhere: a title and a summary do not. */
function before(root: Element, part: Element, sizes: ReadonlyMap<Element, number>): { words: number; beside: number } {
  let [words, beside, found] = [0, 0, false];
  const walk = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (found || node === part) {
        found = true;
        return;
      }
      if (typeof node === 'string') words += node.trim().length;
      else if (contains(node, part)) walk(node.children);
      else {
        words += sizes.get(node) ?? 0;
        beside += besideIn(node, sizes);
      }
    }
  };
  walk(root.children);
  return { words, beside };
}

function contains(one: Element, part: Element): boolean {
  return one.children.some((child) => child === part || (typeof child !== 'string' && contains(child, part)));
}

function without(one: Element, part: Element): Element {
  const children = one.children.filter((child) => child !== part);
  return {
    ...one,
    children: children.map((child) =>
      typeof child !== 'string' && contains(child, part) ? without(child, part) : child,
    ),
  };
}
