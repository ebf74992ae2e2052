// Which reader reads which kind of document. Each is loaded when the first document of its kind comes.
import type { DocumentKind } from './kinds.ts';
import type { DocumentReader } from './reader.ts';

type Load = () => Promise<DocumentReader>;

const openDocument: Load = async () => (await import('../office/odf.ts')).readOdf;
const sheet: Load = async () => (await import('../sheet/read.ts')).readSheet;
const table: Load = async () => (await import('../sheet/csv.ts')).readCsv;

export const readers: Readonly<Record<DocumentKind, Load>> = {
  docx: async () => (await import('../office/docx.ts')).readDocx,
  pptx: async () => (await import('../office/pptx.ts')).readPptx,
  odt: openDocument,
  odp: openDocument,
  fodt: openDocument,
  fodp: openDocument,
  encrypted: async () => (await import('../office/encrypted.ts')).readEncrypted,
  xlsx: sheet,
  xls: sheet,
  ods: sheet,
  fods: sheet,
  csv: table,
  tsv: table,
  html: async () => (await import('../web/html.ts')).readHtml,
  doc: async () => (await import('../legacy/doc.ts')).readDoc,
  ppt: async () => (await import('../legacy/ppt.ts')).readPpt,
  epub: async () => (await import('../web/epub.ts')).readEpub,
  rtf: async () => (await import('../legacy/rtf.ts')).readRtf,
  eml: async () => (await import('../mail/eml.ts')).readEml,
  msg: async () => (await import('../mail/eml.ts')).readMsg,
  ipynb: async () => (await import('../notebook/read.ts')).readNotebook,
};
