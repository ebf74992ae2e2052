// The tracked changes of an OpenDocument text in; at each mark in the text, what was deleted there, and whether the words
// around are inserted ones out.
import type { Changes } from '../document/changes.ts';
import { change } from '../document/changes.ts';
import { oneLine } from '../document/markdown.ts';
import { looks } from '../document/styled.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, elements, innerText } from '../xml/tree.ts';

export type OdfChanges = {
  told: Changes;
  /** how words are set that stand between the marks seen last; at the end of a paragraph that end, too */
  look(): number;
  /** takes a mark; gives the words that were deleted there */
  at(mark: XmlNode): string;
  deletedLook: number;
};

type Region = { kind: 'inserted' | 'deleted' | 'other'; author: string; words: string };

export function odfChanges(content: XmlNode, told: Changes): OdfChanges {
  const regions = regionsOf(content);
  const open = new Set<string>();
  const seen = new Set<string>();
  const isNew = (id: string): boolean => !seen.has(id) && seen.add(id) !== undefined;
  return {
    told,
    deletedLook: looks.deleted,
    look: () => (open.size > 0 ? looks.inserted : 0),
    at({ name, attributes }) {
      const id = attributes['change-id'] ?? '';
      const region = regions.get(id);
      if (region === undefined || region.kind === 'other') return '';
      if (name === 'change-end') {
        open.delete(id);
        return '';
      }
      const look = isNew(id) ? change(told, region.kind, region.author) : undefined;
      if (region.kind === 'deleted') return look === undefined ? '' : region.words;
      if (name === 'change-start' && look === looks.inserted) open.add(id);
      return '';
    },
  };
}

function paragraphsIn(node: XmlNode): XmlNode[] {
  return node.name === 'p' || node.name === 'h' ? [node] : elements(node).flatMap(paragraphsIn);
}

function regionsOf(content: XmlNode): ReadonlyMap<string, Region> {
  const regions = descendants(content, 'changed-region').map((region): [string, Region] => {
    const [about] = elements(region);
    const kind = about?.name === 'insertion' ? 'inserted' : about?.name === 'deletion' ? 'deleted' : 'other';
    const author = innerText(element(about, 'change-info', 'creator'));
    const gone = elements(about).filter(({ name }) => name !== 'change-info');
    // Between two paragraphs, or what is left of them, the end of the first was deleted.
    const words = gone.flatMap(paragraphsIn).map(innerText).map(oneLine).join('¶');
    return [region.attributes['id'] ?? '', { kind, author, words }];
  });
  return new Map(regions);
}
