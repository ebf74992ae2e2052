// The data of a SmartArt diagram in, its words as a list out.
import { oneLine } from '../document/markdown.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, innerText } from '../xml/tree.ts';

/** Beyond so many points inside each other the rest follows in the order of the file. */
const deepest = 100;

/** One item for each point that says something, below the one it belongs to. The order in the file is that in which they were made. */
export function diagramText(data: XmlNode | undefined): string {
  if (data === undefined) return '';
  const points = new Map(
    descendants(data, 'pt').map((point, at) => [point.attributes['modelId'] ?? String(at), point]),
  );
  const below = belongings(data);
  const lines: string[] = [];
  const seen = new Set<string>();
  const add = (id: string, level: number, depth: number): void => {
    const point = points.get(id);
    if (point === undefined || seen.has(id) || depth > deepest) return;
    seen.add(id);
    const text = wordsOf(point);
    if (text !== '') lines.push(`${'  '.repeat(level)}- ${text}`);
    for (const one of below.get(id) ?? []) add(one, text === '' ? level : level + 1, depth + 1);
  };
  for (const [id, { attributes }] of points) if (attributes['type'] === 'doc') add(id, 0, 0);
  for (const id of points.keys()) add(id, 0, 0);
  return lines.join('\n');
}

/** By the number of a point those that belong to it, in order. */
function belongings(data: XmlNode): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, { id: string; order: number }[]>();
  for (const { attributes } of descendants(data, 'cxn')) {
    if ((attributes['type'] ?? 'parOf') !== 'parOf') continue;
    const list = found.get(attributes['srcId'] ?? '') ?? [];
    found.set(attributes['srcId'] ?? '', list);
    list.push({ id: attributes['destId'] ?? '', order: Number(attributes['srcOrd'] ?? 0) });
  }
  return new Map(
    [...found].map(([id, list]) => [id, list.toSorted((one, other) => one.order - other.order).map((one) => one.id)]),
  );
}

function wordsOf(point: XmlNode): string {
  const paragraphs = descendants(element(point, 't') ?? point, 'p');
  return oneLine(paragraphs.map((one) => descendants(one, 't').map(innerText).join('')).join(' '));
}
