// A book in, its chapters as Markdown out, in the order they are read, title and authors first; its pictures when asked
// for. Refused: books locked by their shop, damage, archives that grow too much.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { heading, oneLine, ownNames, pictureName } from '../document/markdown.ts';
import type { DocumentReader, InnerPicture, ReaderOptions } from '../document/reader.ts';
import { descendants, element, innerText, xmlTree } from '../xml/tree.ts';
import type { Zip } from '../zip/read.ts';
import { openZip } from '../zip/read.ts';
import { decodePage } from './charset.ts';
import type { PictureName } from './convert.ts';
import { htmlToMarkdown } from './html.ts';
import { finish } from './markdown.ts';
import type { WebNotes } from './notes.ts';
import { webNotes } from './notes.ts';

type Book = { title: string; authors: string[]; chapters: string[]; css: string };

export const readEpub: DocumentReader = async (bytes, options) => {
  const zip = openZip(bytes, options.name, options.limits);
  if (!zip.ok) return zip;
  const book = bookOf(zip.value, options);
  if (!book.ok) return book;
  const { title, authors, chapters, css } = book.value;
  if (isLocked(zip.value, chapters)) {
    const next = 'Ask for a copy without copy protection.';
    return refuse('encrypted', `${options.name} is locked by the shop it comes from`, next);
  }
  const blocks = authors.length === 0 ? [] : [`By ${authors.join(', ')}`];
  const found: BookPictures = { pictures: [], names: new Map(), ownName: ownNames() };
  const marks = new Map<string, string>();
  let room = options.limits.documentCharacters;
  for (const path of chapters) {
    if (room < 0) break;
    const page = zip.value.read(path);
    if (!page.ok && page.refusal.code === 'too-large') return page;
    const markdown = page.ok
      ? await chapter(page.value, {
          css,
          picture: picturesOf(zip.value, path, found, options),
          notes: webNotes(
            marks,
            (href) => placeIn(path, href),
            (id) => `${path}#${id}`,
          ),
        })
      : `[${path} is missing.]`;
    room -= markdown.length;
    blocks.push(markdown);
  }
  // A title page says the title by itself.
  const told = new RegExp(`^#+ ${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}$`, 'm');
  if (title !== '' && !blocks.slice(0, 3).some((block) => told.test(block))) blocks.unshift(heading(1, title));
  return finish(blocks.filter((block) => block !== '').join('\n\n'), options, {
    pictures: found.pictures,
    parts: { count: chapters.length, unit: 'chapters' },
  });
};

async function chapter(
  bytes: Uint8Array,
  own: { css: string; picture: PictureName; notes: WebNotes },
): Promise<string> {
  const { markdown } = await htmlToMarkdown(decodePage(bytes), { ...own, xhtml: true });
  return markdown;
}

/** A place in the book by the file it is in; nothing when a link leads to no place of it. */
function placeIn(from: string, href: string): string | undefined {
  const [file = '', id = ''] = href.split('#');
  const path = file === '' ? from : resolved(from, file);
  return id === '' || path === '' ? undefined : `${path}#${id}`;
}

/** Style sheets that are looked at. */
const mostSheets = 20;

/** What the package file says: who wrote what, and which files are read one after the other. */
function bookOf(zip: Zip, { name, limits }: ReaderOptions): Read<Book> {
  const container = zip.read('META-INF/container.xml');
  const root = container.ok ? xmlTree(container.value, name, limits) : container;
  if (!root.ok) return root;
  const path = descendants(root.value, 'rootfile')[0]?.attributes['full-path'] ?? '';
  const file = zip.read(path);
  const opf = file.ok ? xmlTree(file.value, name, limits) : file;
  if (!opf.ok) return opf;
  const metadata = element(opf.value, 'metadata');
  const all = (kind: string): string[] =>
    (metadata === undefined ? [] : descendants(metadata, kind))
      .map((one) => oneLine(innerText(one)))
      .filter((words) => words !== '');
  const files = new Map(
    descendants(opf.value, 'item').map(({ attributes }) => [attributes['id'], attributes['href'] ?? '']),
  );
  const chapters = descendants(opf.value, 'itemref')
    .map(({ attributes }) => resolved(path, files.get(attributes['idref'] ?? '') ?? ''))
    .filter((one) => one !== '');
  const css = descendants(opf.value, 'item')
    .filter(({ attributes }) => attributes['media-type'] === 'text/css')
    .slice(0, mostSheets)
    .map(({ attributes }) => zip.read(resolved(path, attributes['href'] ?? '')))
    .map((sheet) => (sheet.ok ? Buffer.from(sheet.value).toString('utf8') : ''))
    .join('\n');
  const book = { title: all('title')[0] ?? '', authors: all('creator'), chapters: [...new Set(chapters)], css };
  if (book.chapters.length > 0) return { ok: true, value: book };
  return refuse('corrupt', `${name} lists no chapters`, 'Get the book again or save it anew.');
}

/** A reference inside the archive, seen from a file in it; nothing when it leads outside. */
function resolved(from: string, href: string): string {
  if (href === '' || /^[a-z][a-z\d+.-]*:/i.test(href)) return '';
  try {
    const url = new URL(href, new URL(from.split('/').map(encodeURIComponent).join('/'), 'zip://book/'));
    return decodeURIComponent(url.pathname).replace(/^\/+/, '');
  } catch {
    return ''; // no reference at all
  }
}

/** Fonts are often encrypted and do not matter; chapters that are make a book unreadable. */
function isLocked(zip: Zip, chapters: readonly string[]): boolean {
  const file = zip.has('META-INF/encryption.xml') ? zip.read('META-INF/encryption.xml') : undefined;
  if (file?.ok !== true) return false;
  const locked = new Set<string>();
  for (const [, path] of Buffer.from(file.value)
    .toString('utf8')
    .matchAll(/\bURI="([^"]{1,1000})"/g)) {
    locked.add(resolved('', path ?? ''));
  }
  return chapters.some((path) => locked.has(path));
}

/** The pictures of a book, and how each is called by its place: folders may hold others of the same name. */
type BookPictures = { pictures: InnerPicture[]; names: Map<string, string>; ownName: (wanted: string) => string };

function picturesOf(
  zip: Zip,
  from: string,
  { pictures, names, ownName }: BookPictures,
  options: ReaderOptions,
): PictureName {
  return (source) => {
    const path = resolved(from, source);
    if (path === '' || !zip.has(path)) return undefined;
    const known = names.get(path);
    if (known !== undefined) return known;
    const name = ownName(pictureName(path));
    names.set(path, name);
    if (!options.pictures || pictures.length >= options.limits.picturesPerRead) return name;
    const file = zip.read(path);
    if (file.ok) pictures.push({ name, bytes: file.value });
    return name;
  };
}
