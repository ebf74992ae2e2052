// An OpenDocument text or presentation in, Markdown out, in document order; slides under their numbers and titles.
// Refused: passwords, damage.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Piece } from '../document/markdown.ts';
import { heading, joined, oneLine, quote } from '../document/markdown.ts';
import type { DocumentReader, Extract, InnerPicture, ReaderOptions } from '../document/reader.ts';
import type { XmlNode } from '../xml-tree.ts';
import { descendants, element, elements, innerText, xmlTree } from '../xml-tree.ts';
import type { Zip } from '../zip.ts';
import { openZip } from '../zip.ts';
import type { OdfContext } from './odf-block.ts';
import { odfBlocks } from './odf-block.ts';
import { listStyles } from './odf-list.ts';
import { collector } from './package.ts';

/** Reads .odt, .odp and their templates. */
export const readOdf: DocumentReader = async (bytes, options) => {
  const { name, limits } = options;
  const opened = openZip(bytes, name, limits);
  if (!opened.ok) return opened;
  const zip = opened.value;
  const manifest = partOf(zip, 'META-INF/manifest.xml', options);
  if (manifest !== undefined && descendants(manifest, 'encryption-data').length > 0) {
    const next = 'Open it in its program, save a copy without a password, and read that.';
    return refuse('encrypted', `${name} is protected with a password`, next);
  }
  const data = zip.read('content.xml');
  const content = data.ok ? xmlTree(data.value, name, limits) : data;
  return content.ok ? extractOf(content.value, zip, options) : content;
};

function extractOf(content: XmlNode, zip: Zip, options: ReaderOptions): Read<Extract> {
  const styles = partOf(zip, 'styles.xml', options);
  const pictures = new Map<string, InnerPicture>();
  const context: OdfContext = {
    lists: listStyles([styles, content]),
    part: (path) => partOf(zip, path, options),
    picture: collector(zip, pictures, options.pictures),
    notes: [],
  };
  const body = element(content, 'body');
  const slides = elements(element(body, 'presentation'), 'page');
  const hidden = hiddenStyles(content);
  const text =
    slides.length > 0
      ? slides.flatMap((slide, at) =>
          slidePieces(slide, at + 1, hidden.has(slide.attributes['style-name'] ?? ''), context),
        )
      : odfBlocks(element(body, 'text') ?? body ?? content, context);
  const pieces = [
    ...margins(styles, 'header', context),
    ...text,
    ...context.notes,
    ...margins(styles, 'footer', context),
  ];
  const value = { markdown: joined(pieces), pictures: [...pictures.values()] };
  return { ok: true, value: slides.length > 0 ? { ...value, parts: { count: slides.length, unit: 'slides' } } : value };
}

/** A part that may be absent, and that the text can do without when it is damaged. */
function partOf(zip: Zip, path: string, { name, limits }: ReaderOptions): XmlNode | undefined {
  const data = zip.has(path) ? zip.read(path) : undefined;
  const tree = data?.ok === true ? xmlTree(data.value, name, limits) : undefined;
  return tree?.ok === true ? tree.value : undefined;
}

/** Headers and footers belong to the styles of pages; each text once. */
function margins(styles: XmlNode | undefined, kind: 'header' | 'footer', context: OdfContext): Piece[] {
  const masters = elements(element(styles, 'master-styles'), 'master-page');
  const kinds = new Set([kind, `${kind}-left`, `${kind}-first`]);
  const texts = new Set(
    masters
      .flatMap((master) => elements(master).filter(({ name }) => kinds.has(name)))
      .map((margin) => joined(odfBlocks(margin, context)))
      .filter((text) => /[^\s\d]/.test(text)),
  );
  return [...texts].map((text) => ({ text: quote(`${kind === 'header' ? 'Header' : 'Footer'}: ${text}`) }));
}

function hiddenStyles(content: XmlNode): ReadonlySet<string> {
  const styles = elements(element(content, 'automatic-styles'), 'style');
  const hidden = styles.filter(
    (style) => element(style, 'drawing-page-properties')?.attributes['visibility'] === 'hidden',
  );
  return new Set(hidden.map((style) => style.attributes['name'] ?? ''));
}

const furniture = new Set(['date-time', 'page-number', 'page', 'handout']);

function slidePieces(slide: XmlNode, number: number, hidden: boolean, context: OdfContext): Piece[] {
  const shapes = elements(slide).filter(
    ({ name, attributes }) => name !== 'notes' && !furniture.has(attributes['class'] ?? ''),
  );
  const titled = shapes.find((shape) => shape.attributes['class'] === 'title' && oneLine(innerText(shape)) !== '');
  const title = titled === undefined ? '' : `: ${oneLine(joined(odfBlocks(titled, context)))}`;
  const pieces: Piece[] = [{ text: heading(2, `Slide ${number}${hidden ? ' (hidden)' : ''}${title}`) }];
  for (const shape of shapes) {
    if (shape !== titled) pieces.push(...odfBlocks({ name: '', attributes: {}, children: [shape] }, context));
  }
  const notes = elements(element(slide, 'notes')).filter((shape) => !furniture.has(shape.attributes['class'] ?? ''));
  const said = joined(notes.flatMap((shape) => odfBlocks(shape, context)));
  if (said !== '') pieces.push({ text: quote(`Notes: ${said}`) });
  return pieces;
}
