// A zip or an OLE2 container in, the kind of document it is out, by what lies inside it. Nothing when it is none we
// know, or when only the head of it is here.
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
  ['__properties_version1.0', 'msg'],
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
  if (!zip.has('[Content_Types].xml')) return isBook(zip) ? 'epub' : 'none';
  const names = zip.names.map((name) => name.toLowerCase());
  const family = families.find(([folder]) => names.some((name) => name.startsWith(folder)));
  if (family !== undefined) return family[2];
  const types = textOf(zip, '[Content_Types].xml');
  return families.find(([, word]) => types.includes(word))?.[2] ?? 'none';
}

/** What says what an archive is has never more bytes; this is no place to inflate them. */
const mostBytes = 4 * 1024 * 1024;

/** A book that was packed anew by hand has lost the part that says what it is. */
function isBook(zip: Zip): boolean {
  return zip.has('META-INF/container.xml') && !zip.has('mimetype') && zip.names.some((name) => /\.opf$/i.test(name));
}

function textOf(zip: Zip, path: string): string {
  const data = zip.has(path) && zip.size(path) <= mostBytes ? zip.read(path) : undefined;
  return data?.ok === true ? Buffer.from(data.value).toString('latin1') : '';
}

export function compoundKind(bytes: Uint8Array): DocumentKind | undefined {
  const names = compoundNames(bytes);
  return streams.find(([name]) => names.has(name))?.[1];
}

const maxSectors = 4096;
const firstSpecial = 0xfffffffa;

/** Lower-case names of all streams and storages of an OLE2 container. Only its directory is read; a damaged or cut-off
 * one gives the names found so far. */
function compoundNames(bytes: Uint8Array): ReadonlySet<string> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names = new Set<string>();
  if (data.length < 512) return names;
  const shift = data.readUInt16LE(30);
  const size = shift === 12 ? 4096 : 512;
  const seen = new Set<number>();
  for (let sector = data.readUInt32LE(48); sector < firstSpecial; sector = nextSector(data, sector, size)) {
    const start = (sector + 1) * size;
    if (seen.has(sector) || seen.size >= maxSectors || start >= data.length) break;
    seen.add(sector);
    const end = Math.min(start + size, data.length);
    for (let entry = start; entry + 128 <= end; entry += 128) {
      const length = Math.min(data.readUInt16LE(entry + 64), 64);
      if (length >= 2) names.add(data.toString('utf16le', entry, entry + length - 2).toLowerCase());
    }
  }
  return names;
}

/** Where a chain goes on; the table of chains lies in sectors that the header lists, the first 109 of them. */
function nextSector(data: Buffer, sector: number, size: number): number {
  const perSector = size / 4;
  const listed = Math.floor(sector / perSector);
  if (listed >= 109) return firstSpecial;
  const at = (data.readUInt32LE(76 + listed * 4) + 1) * size + (sector % perSector) * 4;
  return at + 4 <= data.length ? data.readUInt32LE(at) : firstSpecial;
}
