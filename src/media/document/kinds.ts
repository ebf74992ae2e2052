// Which documents there are besides PDFs: their media types, a short name for programs, a plain one for people. Bytes
// decide; only where text is just text does the name, or the type that was declared, say that it is a table, a notebook or a mail.
import { extname } from 'node:path';

const openXml = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

/** The documents that are read as Markdown. */
export type DocumentKind =
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'odt'
  | 'odp'
  | 'ods'
  | 'fodt'
  | 'fodp'
  | 'fods'
  | 'doc'
  | 'ppt'
  | 'xls'
  | 'rtf'
  | 'epub'
  | 'html'
  | 'csv'
  | 'tsv'
  | 'ipynb'
  | 'eml'
  | 'msg'
  | 'encrypted';

export const documentTypes: Readonly<Record<DocumentKind, string>> = {
  docx: `${openXml}.wordprocessingml.document`,
  pptx: `${openXml}.presentationml.presentation`,
  xlsx: `${openXml}.spreadsheetml.sheet`,
  odt: `${openDocument}.text`,
  odp: `${openDocument}.presentation`,
  ods: `${openDocument}.spreadsheet`,
  fodt: `${openDocument}.text-flat-xml`,
  fodp: `${openDocument}.presentation-flat-xml`,
  fods: `${openDocument}.spreadsheet-flat-xml`,
  doc: 'application/msword',
  ppt: 'application/vnd.ms-powerpoint',
  xls: 'application/vnd.ms-excel',
  rtf: 'application/rtf',
  epub: 'application/epub+zip',
  html: 'text/html',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  ipynb: 'application/x-ipynb+json',
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  encrypted: 'application/x-encrypted-ooxml',
};

export const documentLabels: Readonly<Record<DocumentKind, string>> = {
  docx: 'a Word document (.docx)',
  pptx: 'a PowerPoint file (.pptx)',
  xlsx: 'an Excel workbook (.xlsx)',
  odt: 'an OpenDocument text (.odt)',
  odp: 'OpenDocument slides (.odp)',
  ods: 'an OpenDocument sheet (.ods)',
  fodt: 'a flat OpenDocument text (.fodt)',
  fodp: 'flat OpenDocument slides (.fodp)',
  fods: 'a flat OpenDocument sheet (.fods)',
  doc: 'an old Word document (.doc)',
  ppt: 'an old PowerPoint file (.ppt)',
  xls: 'an old Excel workbook (.xls)',
  rtf: 'a Rich Text document',
  epub: 'an EPUB book',
  html: 'an HTML page',
  csv: 'a table (.csv)',
  tsv: 'a table (.tsv)',
  ipynb: 'a notebook (.ipynb)',
  eml: 'a mail (.eml)',
  msg: 'an Outlook mail (.msg)',
  encrypted: 'an Office file with a password',
};

const kinds: ReadonlyMap<string, DocumentKind> = new Map(
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table above
  Object.entries(documentTypes).map(([kind, mediaType]) => [mediaType, kind as DocumentKind]),
);

export function kindOf(mediaType: string | undefined): DocumentKind | undefined {
  return mediaType === undefined ? undefined : kinds.get(mediaType);
}

/** Kinds that are readable as they are: `as: 'text'` shows their source. */
export const plainKinds: ReadonlySet<DocumentKind> = new Set(['html', 'csv', 'tsv', 'ipynb', 'eml']);

/** Kinds whose rows can be asked about. */
export const tableKinds: ReadonlySet<DocumentKind> = new Set(['csv', 'tsv', 'xlsx', 'xls', 'ods', 'fods']);

const flat = /^\s*(?:<\?xml[^>]*>\s*)?<office:document\s/;

/** The first bytes of texts that are more than text, under the names they usually have. */
const texts: ReadonlyMap<string, readonly [kind: DocumentKind, looks: RegExp]> = new Map([
  ['.csv', ['csv', /./]],
  ['.tsv', ['tsv', /./]],
  ['.tab', ['tsv', /\t/]],
  // A piece of a page has no beginning of its own; its name says what it is.
  ['.html', ['html', /<[a-z!]/i]],
  ['.htm', ['html', /<[a-z!]/i]],
  ['.xhtml', ['html', /<[a-z!?]/i]],
  ['.fodt', ['fodt', flat]],
  ['.fodp', ['fodp', flat]],
  ['.fods', ['fods', flat]],
  ['.ipynb', ['ipynb', /^\s*\{/]],
  ['.eml', ['eml', /^(?:From |[A-Za-z][\w-]*:)/]],
  ['.mbox', ['eml', /^From /]],
  ['.mbx', ['eml', /^From /]],
  ['.mht', ['eml', /^(?:From |[A-Za-z][\w-]*:)/]],
  ['.mhtml', ['eml', /^(?:From |[A-Za-z][\w-]*:)/]],
]);

/** The endings that files of these types usually have. */
const endings: ReadonlyMap<string, string> = new Map([
  ['text/html', '.html'],
  ['application/xhtml+xml', '.html'],
  ['text/csv', '.csv'],
  ['application/csv', '.csv'],
  ['text/tab-separated-values', '.tsv'],
  ['application/x-ipynb+json', '.ipynb'],
  ['message/rfc822', '.eml'],
  ['application/mbox', '.mbox'],
  ['multipart/related', '.mhtml'],
]);

/** What a text of this declared type would be called; nothing where the type says no more, or its first words differ. */
export function namedAs(name: string, mediaType: string, head: Uint8Array): string | undefined {
  const ending = endings.get(mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (ending === undefined) return undefined;
  const kind = documentKind(undefined, `a${ending}`, head);
  // Servers call much a page that is none.
  if (kind === undefined || (kind === 'html' && /^\s*[[{]/.test(Buffer.from(head.subarray(0, 64)).toString('latin1'))))
    return undefined;
  return kind === documentKind(undefined, name, head) ? name : `${name === '' ? 'document' : name}${ending}`;
}

/** What a file is read as: by its bytes where they tell, by its name where it is text of no kind of its own. */
export function documentKind(
  sniffed: { mediaType: string } | undefined,
  name: string,
  head: Uint8Array,
): DocumentKind | undefined {
  if (sniffed !== undefined) return kindOf(sniffed.mediaType);
  const found = texts.get(extname(name).toLowerCase());
  if (found === undefined) return undefined;
  const start = Buffer.from(head.subarray(0, 512))
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '');
  return found[1].test(start) ? found[0] : undefined;
}

/** Kinds of files that hold others and are known for sure only when the whole of them is there. */
export function isContainer({ mediaType }: { mediaType: string }): boolean {
  if (mediaType === 'application/zip' || mediaType === 'application/x-cfb') return true;
  return mediaType.startsWith(openXml) || mediaType.startsWith(openDocument) || mediaType === documentTypes.epub;
}
