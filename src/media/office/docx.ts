// A Word document in, Markdown in document order out: what was changed in it, headers, the text with comments in
// their places, its notes and its footers. Also templates and files with macros, which are never run.
import type { Read } from '../../content/refusal.ts';
import { changesPieces, commentText, newChanges } from '../document/changes.ts';
import { footnote, joined, quote, saysMore } from '../document/markdown.ts';
import type { Piece } from '../document/markdown.ts';
import type { DocumentReader, Extract } from '../document/reader.ts';
import type { XmlNode } from '../xml/tree.ts';
import { element, elements } from '../xml/tree.ts';
import { blockPieces } from './docx-block.ts';
import type { BlockContext } from './docx-block.ts';
import { docxStyles, isOn } from './docx-style.ts';
import { openPackage } from './package.ts';

/** Reads .docx, .docm, .dotx and .dotm. */
export const readDocx: DocumentReader = async (bytes, options): Promise<Read<Extract>> => {
  const opened = openPackage(bytes, 'word/document.xml', options);
  if (!opened.ok) return opened;
  const pack = opened.value;
  const { main, mainPath: path } = pack;
  const part = (type: string): XmlNode | undefined => pack.part(pack.related(path, type));
  const changes = newChanges(options.clean);
  const context: BlockContext = {
    pack,
    path,
    styles: docxStyles(part('styles'), () => part('numbering')),
    changes,
    comment: (id) => comments.get(id) ?? '',
    note: noteNumbers(),
    look: 0,
    inMargin: false,
  };
  const comments = commentsOf({ ...context, comment: () => '' });
  const text = blockPieces(element(main, 'body') ?? main, context);
  const allSections = sections(main);
  const rest = [
    ...margins(allSections, 'header', context),
    ...text,
    ...notes('footnote', '', context),
    ...notes('endnote', 'e', context),
    ...margins(allSections, 'footer', context),
  ];
  const pieces = [...changesPieces(changes), ...rest, ...pack.notes.map((note) => ({ text: note }))];
  return { ok: true, value: { markdown: joined(pieces), pictures: pack.pictures } };
};

/** The properties of all sections: each stands in the last paragraph of its section, those of the last at the end. */
function sections(node: XmlNode, found: XmlNode[] = []): XmlNode[] {
  for (const child of elements(node)) {
    const properties = child.name === 'p' ? element(child, 'pPr', 'sectPr') : child;
    if (properties?.name === 'sectPr') found.push(properties);
    else if (child.name !== 'p' && child.name !== 'tbl') sections(child, found);
  }
  return found;
}

/** Headers or footers, each text once, however many sections repeat it. */
function margins(inSections: readonly XmlNode[], kind: 'header' | 'footer', context: BlockContext): Piece[] {
  const { pack, path } = context;
  const texts = new Set<string>();
  // Word keeps those of first and of even pages when they are switched off.
  const hasFirst = inSections.some((section) => isOn(element(section, 'titlePg')));
  let hasEven: boolean | undefined;
  const isUsed = (type: string | undefined): boolean => {
    if (type !== 'even') return type !== 'first' || hasFirst;
    hasEven ??= isOn(element(pack.part(pack.related(path, 'settings')), 'evenAndOddHeaders'));
    return hasEven;
  };
  for (const reference of inSections.flatMap((section) => elements(section, `${kind}Reference`))) {
    const target = pack.relations(path).get(reference.attributes['r:id'] ?? '')?.target;
    const part = isUsed(reference.attributes['type']) ? pack.part(target) : undefined;
    if (part === undefined || target === undefined) continue;
    const text = joined(blockPieces(part, { ...context, path: target, inMargin: true }));
    if (saysMore(text)) texts.add(text);
  }
  return [...texts].map((text) => ({ text: quote(`${kind === 'header' ? 'Header' : 'Footer'}: ${text}`) }));
}

/** Numbers as a reader counts notes: in the order in which the text names them, whatever the file calls them. */
function noteNumbers(): BlockContext['note'] {
  const known = { '': new Map<string, number>(), e: new Map<string, number>() };
  return (prefix, id) => {
    const ids = known[prefix];
    if (!ids.has(id)) ids.set(id, ids.size + 1);
    return `${prefix}${ids.get(id)}`;
  };
}

/** Footnotes or endnotes as Markdown notes; separators between them are no notes. */
function notes(kind: 'footnote' | 'endnote', prefix: '' | 'e', context: BlockContext): Piece[] {
  const target = context.pack.related(context.path, `${kind}s`);
  if (target === undefined) return [];
  const numbered = elements(context.pack.part(target), kind).flatMap((note) => {
    const { id = '', type } = note.attributes;
    if (type !== undefined && type !== 'normal') return [];
    const text = joined(blockPieces(note, { ...context, path: target }));
    if (text === '') return [];
    return [{ mark: context.note(prefix, id), text }];
  });
  const number = ({ mark }: { mark: string }): number => Number(mark.slice(prefix.length));
  return numbered
    .toSorted((one, other) => number(one) - number(other))
    .map(({ mark, text }) => ({ text: footnote(mark, text), tight: true }));
}

/** Comments by their numbers, as they stand in the line. */
function commentsOf(context: BlockContext): ReadonlyMap<string, string> {
  const target = context.pack.related(context.path, 'comments');
  return new Map(
    elements(context.pack.part(target), 'comment').map((comment) => {
      const { id = '', author = '' } = comment.attributes;
      const words = joined(blockPieces(comment, { ...context, path: target ?? '' }));
      return [id, commentText(context.changes, author, words)];
    }),
  );
}
