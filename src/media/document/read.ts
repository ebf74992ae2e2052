// The reader of documents other than PDFs: one block for the file, its Markdown as output, its pictures when asked for.
// Those that are plain text show their source when they are asked for as text.
import type { Block, PageRange } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { pictureAssetNote, pictureCallNote } from '../../content/words.ts';
import { warm } from '../child/pool.ts';
import type { Context } from '../context.ts';
import type { PagesAsked } from '../pdf/pages.ts';
import { askedPages, pagesShown } from '../pdf/pages.ts';
import type { MediaReader, Reading, Visit } from '../reading.ts';
import { takeAll, unfit, unsupported } from '../reading.ts';
import { sniff } from '../sniff.ts';
import { wrongEncoding } from '../text/decode.ts';
import { excerpt } from '../text/page.ts';
import { linesOf, readText } from '../text/read.ts';
import { sentAs } from '../web/charset.ts';
import { openZip } from '../zip/read.ts';
import { illustrated, mayHavePictures } from './illustrated.ts';
import type { DocumentKind } from './kinds.ts';
import { documentKind, isContainer, plainKinds } from './kinds.ts';
import type { OpenedDocument } from './open.ts';
import { openDocument } from './open.ts';
import { withPictureCalls } from './picture-calls.ts';
import { pictureBlocks } from './pictures.ts';
import { wishOf } from './reader.ts';
import { documentOutput } from './text.ts';

export const documentReader: MediaReader = {
  accepts: (seen, name, head) =>
    documentKind(seen, name, head) !== undefined || (seen !== undefined && isContainer(seen)),
  read: readDocument,
  async block({ bytes, seen, name, range }, context) {
    const kind = documentKind(seen, name, bytes);
    if (kind === undefined) return unsupported(name, seen);
    const opened = await openDocument(bytes, { name, kind, pictures: false, ...pagesIn(range) }, context);
    return opened.ok ? { ok: true, value: opened.value.block } : opened;
  },
  async render(want, subject, context) {
    const { bytes, seen, name } = subject;
    const kind = documentKind(seen, name, bytes);
    if (kind === undefined || (want.to !== 'text' && want.to !== 'illustrated')) return unfit(subject, want);
    const request = { name, kind, ...pagesIn(want.range) };
    const words = await openDocument(bytes, { ...request, pictures: false }, context);
    if (!words.ok) return words;
    if (words.value.markdown.trim() === '') return refuse('empty', `${name} has no words in it`, 'Nothing is missing.');
    if (want.to === 'illustrated' && mayHavePictures(words.value.markdown, bytes, kind)) {
      return await illustrated(bytes, request, context);
    }
    const text = withPictureCalls(words.value.markdown, kind, pictureAssetNote);
    return { ok: true, value: [{ type: 'text', text }] };
  },
};

function pagesIn(range: PageRange | undefined): { pages?: PagesAsked } {
  return range === undefined ? {} : { pages: { start: range[0], end: range[1] } };
}

async function readDocument(visit: Visit): Promise<Read<Reading>> {
  const { name, options, context } = visit;
  const likely = documentKind(visit.seen, name, visit.head);
  if (options.as === 'text' && likely !== undefined && plainKinds.has(likely)) return await readText(visit);
  warm('extract');
  const bytes = await takeAll(
    visit,
    `Document too large: ${name}`,
    context.limits.documentBytes,
    'Split it into smaller files.',
  );
  if (!bytes.ok) {
    return likely === undefined ? unsupported(name, visit.seen) : bytes;
  }
  const sniffed = sniff(bytes.value);
  const kind = documentKind(sniffed, name, visit.head);
  if (kind === undefined) return archiveRefusal(bytes.value, name, context) ?? unsupported(name, sniffed ?? visit.seen);
  const wrong = wrongEncoding(options.encoding);
  if (wrong !== undefined) return wrong;
  const pictures = options.images === true || options.as === 'image';
  const sent = inOneEncoding.has(kind) ? sentAs(bytes.value, visit.opened.mediaType) : undefined;
  const encoding = options.encoding ?? sent;
  const asked = askedPages(options);
  if (asked?.ok === false) return asked;
  const { password } = options;
  const wish = { ...options, ...(encoding !== undefined && { encoding }) };
  const part = { ...(asked && { pages: asked.value }), ...(password !== undefined && { password }) };
  const request = { ...wishOf(wish), ...part, name, kind, pictures };
  const opened = await openDocument(bytes.value, request, context);
  return opened.ok ? await readingOf(opened.value, bytes.value.length, { ...visit, options: wish }) : opened;
}

/** Texts that a server may say the encoding of; a mail says it of each of its parts. */
const inOneEncoding: ReadonlySet<DocumentKind> = new Set(['html', 'csv', 'tsv']);

const mostNames = 20;

/** An archive has no words of its own; what lies in it can be read. */
function archiveRefusal(bytes: Uint8Array, name: string, { limits }: Context): Read<never> | undefined {
  if (sniff(bytes)?.mediaType !== 'application/zip') return undefined;
  const zip = openZip(bytes, name, limits);
  if (!zip.ok) return zip;
  const files = zip.value.names.filter((path) => !path.endsWith('/'));
  if (files.length === 0)
    return refuse('unsupported', `${name} is a zip archive without any file`, 'Check how it was made.');
  const more = files.length > mostNames ? `, and ${files.length - mostNames} more` : '';
  const next = `Give part to read one of its files: ${files.slice(0, mostNames).join(', ')}${more}.`;
  return refuse('unsupported', `${name} is a zip archive`, next);
}

async function readingOf(opened: OpenedDocument, size: number, visit: Visit): Promise<Read<Reading>> {
  const { name, options, context } = visit;
  const { kind, parts, text } = opened;
  const isIllustrated = options.images === true || options.as === 'image';
  const markdown = isIllustrated ? opened.markdown : withPictureCalls(opened.markdown, kind, pictureCallNote);
  const { lineNumbers: _, ...lines } = linesOf(options);
  const isOfAll = Object.keys(lines).length === 0;
  const max = context.limits.outputCharacters;
  const part = isOfAll ? documentOutput(name, markdown, max) : excerpt(markdown, lines, max);
  if (!part.ok) return part;
  const { shown } = part.value;
  const notes = parts?.range ? [pagesShown(parts.range, parts.count)] : [];
  const output = [...notes, part.value.output].join('\n\n');
  const facts = { name, size, characters: opened.markdown.length, lines: part.value.lines };
  const data: Reading['data'] = {
    type: 'document',
    kind,
    ...facts,
    shown: [...shown],
    ...(parts && { parts }),
    asset: text,
  };
  if (options.as === 'text') return { ok: true, value: { output, blocks: [{ type: 'text', text: output }], data } };
  const images = await pictureBlocks(opened, name, context);
  if (options.as !== 'image') {
    // The whole of a document stands for itself; of a part of it, or of another form, only the words are that.
    const isWhole = isOfAll && Object.keys(wishOf(options)).length === 0;
    const words: Block[] = (isWhole ? notes : [output]).map((said) => ({ type: 'text', text: said }));
    const blocks = [...words, ...(isWhole ? [opened.block] : []), ...(options.images === true ? images : [])];
    return { ok: true, value: { output, blocks, data } };
  }
  if (images.length === 0) {
    const where = parts?.range ? 'on the pages that were asked for' : 'in it';
    return refuse('unsupported', `${name} has no pictures ${where}`, 'Read it without asking for pictures.');
  }
  return { ok: true, value: { output, blocks: images, data } };
}
