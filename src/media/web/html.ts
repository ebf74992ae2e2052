// Bytes of an HTML page in, its Markdown out, the title first. Pictures inside the page (data:) come with it when asked
// for; nothing outside is ever loaded. No page is refused: what cannot be parsed is text.
import { safeName } from '../../content/text.ts';
import { oneLine } from '../document/markdown.ts';
import type { DocumentReader, InnerPicture } from '../document/reader.ts';
import { decodePage } from './charset.ts';
import type { PictureName } from './convert.ts';
import { blocksOf } from './convert.ts';
import { finish } from './markdown.ts';
import { htmlTree } from './tree.ts';

export const readHtml: DocumentReader = async (bytes, options) => {
  const pictures: InnerPicture[] = [];
  const { markdown, whole } = await htmlToMarkdown(decodePage(bytes, options.encoding), {
    picture: dataPictures(pictures, options.pictures),
  });
  const notes = whole ? [] : ['[The page has more elements than are read; its end is missing.]'];
  return finish(markdown, options, { pictures, notes });
};

type PageOptions = { picture?: PictureName; xhtml?: boolean };

type Page = { markdown: string; whole: boolean };

/** A page or a piece of one as Markdown, for every reader that meets HTML inside something else. */
export async function htmlToMarkdown(
  html: string,
  { picture = linkAddress, xhtml = false }: PageOptions = {},
): Promise<Page> {
  const { root, title, whole } = await htmlTree(html, xhtml);
  const blocks = blocksOf(root.children, { picture, level: 0 });
  const words = oneLine(title);
  // A chapter of a book has a heading of its own; its title is for the shelf.
  if (!xhtml && words !== '' && !blocks.includes(`# ${words}`)) blocks.unshift(`# ${words}`);
  return { markdown: blocks.join('\n\n'), whole };
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
