// A PowerPoint file in, Markdown out: its slides in the order of the show, each with its title, its body, its tables,
// charts, pictures, notes and comments. Also templates, shows and files with macros, which are never run.
import { heading, joined, oneLine } from '../document/markdown.ts';
import type { Piece } from '../document/markdown.ts';
import type { DocumentReader } from '../document/reader.ts';
import type { SlideComment } from '../document/slide.ts';
import { chosenSlides, slidePieces } from '../document/slide.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, elements, innerText } from '../xml/tree.ts';
import type { Package } from './package.ts';
import { openPackage } from './package.ts';
import { isTitle, paragraphsOf, placeholderType, shapePieces, shapesOf } from './pptx-shape.ts';

/** Reads .pptx, .pptm, .ppsx, .ppsm, .potx and .potm. */
export const readPptx: DocumentReader = async (bytes, options) => {
  const opened = openPackage(bytes, 'ppt/presentation.xml', options);
  if (!opened.ok) return opened;
  const pack = opened.value;
  const relations = pack.relations(pack.mainPath);
  const paths = elements(element(pack.main, 'sldIdLst'), 'sldId').flatMap(({ attributes }) => {
    const target = relations.get(attributes['r:id'] ?? '')?.target;
    return target === undefined ? [] : [target];
  });
  const chosen = chosenSlides(paths.length, options.pages);
  if (!chosen.ok) return chosen;
  const { range, parts } = chosen.value;
  const slides = paths.slice(...range).flatMap((path, at) => slideAt(path, range[0] + at + 1, pack));
  const pieces = [...slides, ...pack.notes.map((text) => ({ text }))];
  return { ok: true, value: { markdown: joined(pieces), pictures: pack.pictures, parts } };
};

function slideAt(path: string, number: number, pack: Package): Piece[] {
  const slide = pack.part(path);
  if (slide === undefined) return [{ text: heading(2, `Slide ${number} (could not be read)`) }];
  const shapes = shapesOf(element(slide, 'cSld', 'spTree'));
  const title = shapes.find((shape) => isTitle(shape) && titleWords(shape, pack, path) !== '');
  const made = {
    title: title === undefined ? '' : titleWords(title, pack, path),
    hidden: slide.attributes['show'] === '0' || slide.attributes['show'] === 'false',
    pieces: shapes.filter((shape) => shape !== title).flatMap((shape) => shapePieces(shape, pack, path)),
    notes: notesOf(path, pack),
    comments: commentsOn(path, pack),
  };
  return slidePieces(made, number);
}

function titleWords(shape: XmlNode, pack: Package, path: string): string {
  return oneLine(
    paragraphsOf(element(shape, 'txBody'), pack, path)
      .map(({ text }) => text)
      .join(' '),
  );
}

/** What the speaker wrote for himself; the small picture of the slide above it is no part of it. */
function notesOf(path: string, pack: Package): string {
  const target = pack.related(path, 'notesSlide');
  const notes = pack.part(target);
  if (notes === undefined || target === undefined) return '';
  const bodies = shapesOf(element(notes, 'cSld', 'spTree')).filter((shape) => {
    const type = placeholderType(shape);
    return type === undefined || type === 'body' || type === 'obj';
  });
  return bodies
    .flatMap((shape) => paragraphsOf(element(shape, 'txBody'), pack, target).map((one) => one.text))
    .join('\n');
}

/** Comments of both kinds: the old ones hold their text, the new ones hold paragraphs. */
function commentsOn(path: string, pack: Package): SlideComment[] {
  const targets = [...pack.relations(path).values()].filter(({ type }) => type === 'comments');
  const authors = authorsIn(pack);
  return targets.flatMap(({ target }) => {
    const part = pack.part(target);
    const threads = part === undefined ? [] : descendants(part, 'cm').map((one) => [one, ...repliesTo(one)]);
    return threads.flat().map((comment): SlideComment => ({
      author: authors.get(comment.attributes['authorId'] ?? '') ?? '',
      words: commentWords(comment),
    }));
  });
}

function repliesTo(comment: XmlNode): XmlNode[] {
  return elements(element(comment, 'replyLst'), 'reply');
}

function commentWords(comment: XmlNode): string {
  const paragraphs = elements(element(comment, 'txBody'), 'p');
  return (
    innerText(element(comment, 'text')) ||
    paragraphs.map((one) => descendants(one, 't').map(innerText).join('')).join('\n')
  );
}

/** Who wrote comments, by the numbers under which those name them. */
function authorsIn(pack: Package): ReadonlyMap<string, string> {
  const parts = ['commentAuthors', 'authors'].map((type) => pack.part(pack.related(pack.mainPath, type)));
  return new Map(
    parts.flatMap((part) => elements(part)).map(({ attributes }) => [attributes['id'] ?? '', attributes['name'] ?? '']),
  );
}
