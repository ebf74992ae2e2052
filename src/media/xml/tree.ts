// XML in, a plain tree of its elements out, for files in which what comes later explains what came before.
import type { Read } from '../../content/refusal.ts';
import type { Limits } from '../limits.ts';
import type { Attributes } from './index.ts';
import { parseXml } from './index.ts';

export type XmlNode = { name: string; attributes: Attributes; children: (XmlNode | string)[] };

/** The root element. The depth of the tree is bounded, so walking it may recurse. */
export function xmlTree(source: Uint8Array | string, what: string, limits: Limits): Read<XmlNode> {
  const top: XmlNode = { name: '', attributes: {}, children: [] };
  const open: XmlNode[] = [top];
  let here = top;
  const refusal = parseXml(
    source,
    what,
    {
      open(name, attributes) {
        const node = { name, attributes, children: [] };
        here.children.push(node);
        open.push(node);
        here = node;
      },
      close() {
        open.length -= 1;
        here = open[open.length - 1] ?? top;
      },
      text: (text) => void here.children.push(text),
    },
    limits,
  );
  if (refusal !== undefined) return { ok: false, refusal };
  return { ok: true, value: elements(top)[0] ?? top };
}

/** The children that are elements, or those of one name. */
export function elements(node: XmlNode | undefined, name?: string): XmlNode[] {
  const found: XmlNode[] = [];
  for (const child of node?.children ?? []) {
    if (typeof child !== 'string' && (name === undefined || child.name === name)) found.push(child);
  }
  return found;
}

/** The first child of the name; with several names the one at the end of that way down. */
export function element(node: XmlNode | undefined, ...way: string[]): XmlNode | undefined {
  let at = node;
  for (const name of way) at = at === undefined ? undefined : childOf(at, name);
  return at;
}

function childOf(node: XmlNode, name: string): XmlNode | undefined {
  for (const child of node.children) if (typeof child !== 'string' && child.name === name) return child;
  return undefined;
}

/** Every element of the name at any depth, in order. */
export function descendants(node: XmlNode, name: string, found: XmlNode[] = []): XmlNode[] {
  for (const child of node.children) {
    if (typeof child === 'string') continue;
    if (child.name === name) found.push(child);
    descendants(child, name, found);
  }
  return found;
}

/** All words inside, as they stand. */
export function innerText(node: XmlNode | undefined): string {
  let text = '';
  for (const child of node?.children ?? []) text += typeof child === 'string' ? child : innerText(child);
  return text;
}
