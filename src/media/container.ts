// A zip or an OLE2 container in, the kind of document it is out, by what lies inside it. Nothing when it is none we
// know, or when only the head of it is here.
import { compoundNames } from './compound-names.ts';
import type { DocumentKind } from './document/kinds.ts';
import { limits } from './limits.ts';
import { openZip } from './zip/read.ts';
import type { Zip } from './zip/read.ts';

/** By the folder of the main part; by the types that the package lists; by the type that stands in it as text. */
const families: readonly (readonly [folder: string, word: string, kind: DocumentKind])[] = [
  ['word/', 'wordprocessingml', 'docx'],
  ['ppt/', 'presentationml', 'pptx'],
  ['xl/', 'spreadsheetml', 'xlsx'],
];

const declared: readonly (readonly [pattern: RegExp, kind: DocumentKind])[] = [
  [/^application\/vnd\.oasis\.opendocument\.text/, 'odt'],
  [/^application\/vnd\.oasis\.opendocument\.presentation/, 'odp'],
  [/^application\/vnd\.oasis\.opendocument\.spreadsheet/, 'ods'],
  [/^application\/epub\+zip/, 'epub'],
];

const streams: readonly (readonly [name: string, kind: DocumentKind])[] = [
  ['encryptedpackage', 'encrypted'],
  ['worddocument', 'doc'],
  ['powerpoint document', 'ppt'],
  ['workbook', 'xls'],
  ['book', 'xls'],
];

/** The kind by its short name; `none` when it is an archive of something else. */
export function zipKind(bytes: Uint8Array): DocumentKind | 'none' | undefined {
  const opened = openZip(bytes, '', limits);
  if (!opened.ok) return undefined;
  const zip = opened.value;
  const type = textOf(zip, 'mimetype');
  const plain = declared.find(([pattern]) => pattern.test(type))?.[1];
  if (plain !== undefined) return plain;
  if (!zip.has('[Content_Types].xml')) return 'none';
  const names = zip.names.map((name) => name.toLowerCase());
  const family = families.find(([folder]) => names.some((name) => name.startsWith(folder)));
  if (family !== undefined) return family[2];
  const types = textOf(zip, '[Content_Types].xml');
  return families.find(([, word]) => types.includes(word))?.[2] ?? 'none';
}

function textOf(zip: Zip, path: string): string {
  const data = zip.has(path) ? zip.read(path) : undefined;
  return data?.ok === true ? Buffer.from(data.value).toString('latin1') : '';
}

export function compoundKind(bytes: Uint8Array): DocumentKind | undefined {
  const names = compoundNames(bytes);
  return streams.find(([name]) => names.has(name))?.[1];
}
