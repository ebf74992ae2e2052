// Bytes of an HTML page in, its Markdown out, the title first. Pictures inside the page (data:) come with it when asked
// for; nothing outside is ever loaded. No page is refused: what cannot be parsed is text.
import { safeName } from '../../content/text.ts';
import { pageRestNote } from '../../content/words.ts';
import { oneLine } from '../document/markdown.ts';
import type { DocumentReader, InnerPicture } from '../document/reader.ts';
import { decodePage } from './charset.ts';
import type { PictureName } from './convert.ts';
import { blocksOf } from './convert.ts';
import { mainContent } from './main-content.ts';
import { finish } from './markdown.ts';
import type { WebNotes } from './notes.ts';
import { webNotes } from './notes.ts';
import { htmlTree } from './tree.ts';

export const readHtml: DocumentReader = async (bytes, options) => {
  const pictures: InnerPicture[] = [];
  const { markdown, whole } = await htmlToMarkdown(decodePage(bytes, options.encoding), {
    picture: dataPictures(pictures, options.pictures),
    mainFirst: true,
  });
  const notes = whole ? [] : ['[The page has more elements than are read; its end is missing.]'];
  return finish(markdown, options, { pictures, notes });
};

type PageOptions = {
  picture?: PictureName;
  /** a chapter of a book, in which every element may close itself and whose title is for the shelf */
  xhtml?: boolean;
  /** style sheets beside the page */
  css?: string;
  notes?: WebNotes;
  /** what the page is about comes first */
  mainFirst?: boolean;
};

type Page = { markdown: string; whole: boolean };

/** A page or a piece of one as Markdown, for every reader that meets HTML inside something else. */
export async function htmlToMarkdown(html: string, options: PageOptions = {}): Promise<Page> {
  const { picture = linkAddress, xhtml = false, css = '', notes = ownNotes(), mainFirst = false } = options;
  const { root, title, whole, scriptless } = await htmlTree(html, { xhtml, css });
  const targets = new Map<string, number>();
  const inside = { picture, level: 0, notes, ...(!xhtml && { targets }) };
  const parts = mainFirst ? mainContent(root) : undefined;
  const main = blocksOf(parts?.main.children ?? root.children, inside);
  const blocks = main.length > 0 ? main : scriptless.flatMap(({ children }) => blocksOf(children, inside));
  const words = oneLine(title);
  if (!xhtml && words !== '' && !blocks.some((block) => isTitle(block, words))) blocks.unshift(`# ${words}`);
  const rest = parts === undefined ? [] : blocksOf(parts.rest.children, inside);
  const all = rest.length > 0 ? [...blocks, pageRestNote, ...rest] : blocks;
  const ends = [...notes.told.splice(0), ...Array.from(targets, ([target, number]) => `[${number}]: ${target}`)];
  return { markdown: [...all, ...(ends.length === 0 ? [] : [ends.join('\n')])].join('\n\n'), whole };
}

/** Marks of emphasis make no other title of it. */
function isTitle(block: string, words: string): boolean {
  return block.startsWith('# ') && block.slice(2).replaceAll('*', '') === words;
}

function ownNotes(): WebNotes {
  return webNotes(
    new Map(),
    (href) => (href.startsWith('#') ? href.slice(1) : undefined),
    (id) => id,
  );
}

/** A picture elsewhere is called by its address, which is not followed. */
export function linkAddress(source: string): string | undefined {
  if (/^data:/i.test(source)) return undefined;
  return source.length <= 500 ? source : safeName(source.split(/[?#]/)[0] ?? '');
}

const kinds = new Map([
  ['png', 'png'],
  ['jpeg', 'jpg'],
  ['jpg', 'jpg'],
  ['gif', 'gif'],
  ['webp', 'webp'],
]);

/** Pictures written into the page get a name and, when wanted, are collected. */
function dataPictures(pictures: InnerPicture[], wanted: boolean): PictureName {
  let count = 0;
  return (source) => {
    const head = /^data:image\/([a-z]+)[^,]{0,200};base64,/i.exec(source.slice(0, 300));
    const kind = kinds.get(head?.[1]?.toLowerCase() ?? '');
    if (head === null || kind === undefined) return linkAddress(source);
    count += 1;
    const name = `picture-${count}.${kind}`;
    if (wanted) pictures.push({ name, bytes: new Uint8Array(Buffer.from(source.slice(head[0].length), 'base64')) });
    return name;
  };
}
