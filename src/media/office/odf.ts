// An OpenDocument text or presentation in, Markdown out, in document order; slides under their numbers and titles. It
// may be an archive of several parts or one flat file. Refused: passwords, damage.
import type { Read } from '../../content/refusal.ts';
import { changesPieces, newChanges } from '../document/changes.ts';
import type { Piece } from '../document/markdown.ts';
import { joined, oneLine, pictureName, quote, saysMore } from '../document/markdown.ts';
import type { DocumentReader, Extract, InnerPicture, ReaderOptions } from '../document/reader.ts';
import { withUnlocked } from '../document/refusals.ts';
import { chosenSlides, slidePieces } from '../document/slide.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, elements, innerText, xmlTree } from '../xml/tree.ts';
import type { Zip } from '../zip/read.ts';
import { openZip } from '../zip/read.ts';
import type { OdfContext } from './odf-block.ts';
import { odfFieldText } from './odf-field.ts';
import { odfBlocks } from './odf-block.ts';
import { odfChanges } from './odf-change.ts';
import { odfLists } from './odf-list.ts';
import { textStyles } from './odf-style.ts';
import { unlockedOdf } from './odf-unlock.ts';
import { pictureCollector } from './package.ts';

/** Reads .odt, .odp, their templates, and both as one flat file. */
export const readOdf: DocumentReader = async (bytes, options) => {
  const { name, limits } = options;
  if (bytes[0] !== 0x50) {
    const whole = xmlTree(bytes, name, limits);
    return whole.ok ? extractOf(whole.value, whole.value, undefined, options) : whole;
  }
  const opened = openZip(bytes, name, limits);
  if (!opened.ok) return opened;
  const zip = opened.value;
  const unlocked = unlockedOdf(zip, options);
  if (unlocked !== undefined)
    return unlocked.ok ? withUnlocked(unlocked.value, await readOdf(unlocked.value, options)) : unlocked;
  const data = zip.read('content.xml');
  const content = data.ok ? xmlTree(data.value, name, limits) : data;
  return content.ok ? extractOf(content.value, partOf(zip, 'styles.xml', options), zip, options) : content;
};

function extractOf(
  content: XmlNode,
  styles: XmlNode | undefined,
  zip: Zip | undefined,
  options: ReaderOptions,
): Read<Extract> {
  const pictures = new Map<string, InnerPicture>();
  const changes = newChanges(options.clean);
  const context: OdfContext = {
    lists: odfLists([styles, content]),
    styles: textStyles([styles, content]),
    changes: odfChanges(content, changes),
    filled: filledFields(content),
    part: (path) => (zip === undefined ? undefined : partOf(zip, path, options)),
    picture: zip === undefined ? pictureName : pictureCollector(zip, pictures, options.pictures),
    embedded: (base64) => embedded(base64, pictures, options.pictures),
    notes: [],
    noteCounts: new Map(),
    inMargin: false,
  };
  const body = element(content, 'body');
  const slides = elements(element(body, 'presentation'), 'page');
  const chosen = chosenSlides(slides.length, options.pages);
  if (!chosen.ok) return chosen;
  const { range, parts } = chosen.value;
  const looks = pageLooks(content);
  const text =
    slides.length > 0
      ? slides.slice(...range).flatMap((slide, at) => slideAt(slide, range[0] + at + 1, looks(slide), context))
      : odfBlocks(element(body, 'text') ?? body ?? content, context);
  const rest = [
    ...margins(styles, 'header', context),
    ...text,
    ...context.notes,
    ...margins(styles, 'footer', context),
  ];
  const pieces = [...changesPieces(changes), ...rest];
  const value = { markdown: joined(pieces), pictures: options.pictures ? [...pictures.values()] : [] };
  return { ok: true, value: slides.length > 0 ? { ...value, parts } : value };
}

/** What is filled into the fields of forms, by the names under which the text shows them. */
function filledFields(content: XmlNode): OdfContext['filled'] {
  const fields = descendants(content, 'form').flatMap((form) => elements(form));
  const values = new Map(fields.map((field) => [field.attributes['id'] ?? '', odfFieldText(field)]));
  return (control) => values.get(control);
}

const extensions: readonly (readonly [start: string, extension: string])[] = [
  ['iVBOR', 'png'],
  ['/9j/', 'jpg'],
  ['R0lG', 'gif'],
];

/** Takes a picture that stands in the file itself into the collection; gives the name under which it is shown. */
function embedded(base64: string, pictures: Map<string, InnerPicture>, wanted: boolean): string {
  const text = base64.trimStart();
  const extension = extensions.find(([start]) => text.startsWith(start))?.[1] ?? 'bin';
  const name = `picture-${pictures.size + 1}.${extension}`;
  pictures.set(name, { name, bytes: wanted ? new Uint8Array(Buffer.from(text, 'base64')) : new Uint8Array() });
  return name;
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
      .map((margin) => joined(odfBlocks(margin, { ...context, inMargin: true })))
      .filter(saysMore),
  );
  return [...texts].map((text) => ({ text: quote(`${kind === 'header' ? 'Header' : 'Footer'}: ${text}`) }));
}

/** Whether a slide is hidden, and what stands at its head and foot. */
type PageLook = { hidden: boolean; margin: string };

function pageLooks(content: XmlNode): (slide: XmlNode) => PageLook {
  const styles = new Map(
    elements(element(content, 'automatic-styles'), 'style').map((style) => [
      style.attributes['name'] ?? '',
      element(style, 'drawing-page-properties')?.attributes ?? {},
    ]),
  );
  const told = elements(element(content, 'body', 'presentation')).filter(({ name }) => name.endsWith('-decl'));
  return ({ attributes }) => {
    const look = styles.get(attributes['style-name'] ?? '') ?? {};
    const words = ['date-time', 'header', 'footer'].map((kind) => {
      const name = attributes[`use-${kind}-name`];
      const own = told.find((one) => one.name === `${kind}-decl` && one.attributes['name'] === name);
      return name === undefined || look[`display-${kind}`] === 'false' ? '' : oneLine(innerText(own));
    });
    return { hidden: look['visibility'] === 'hidden', margin: words.filter((one) => one !== '').join(', ') };
  };
}

/** What belongs to a slide and does not stand on it. */
const asides = new Set(['notes', 'annotation']);
const furniture = new Set(['date-time', 'page-number', 'page', 'handout']);

function slideAt(slide: XmlNode, number: number, { hidden, margin }: PageLook, context: OdfContext): Piece[] {
  const shapes = elements(slide).filter(
    ({ name, attributes }) => !asides.has(name) && !furniture.has(attributes['class'] ?? ''),
  );
  const titled = shapes.find((shape) => shape.attributes['class'] === 'title' && oneLine(innerText(shape)) !== '');
  const title = titled === undefined ? '' : joined(odfBlocks(titled, context));
  const pieces: Piece[] = [];
  for (const shape of shapes) {
    if (shape === titled) continue;
    for (const piece of odfBlocks({ name: '', attributes: {}, children: [shape] }, context)) pieces.push(piece);
  }
  const notes = elements(element(slide, 'notes')).filter((shape) => !furniture.has(shape.attributes['class'] ?? ''));
  const said = joined(notes.flatMap((shape) => odfBlocks(shape, context)));
  const comments = elements(slide, 'annotation').map((comment) => ({
    author: innerText(element(comment, 'creator')),
    words: elements(comment, 'p').map(innerText).join('\n'),
  }));
  return slidePieces({ title, hidden, pieces, margin, notes: said, comments }, number);
}
