// The first bytes of a file in, its media type and a plain name for it out. A file's own name never decides.
// Unknown bytes give nothing; they may be text, which only decoding can tell.
import { safeName } from '../content/text.ts';
import { mpegFrame } from './audio/header.ts';
import { aacFrame } from './audio/other.ts';
import { compoundKind, zipKind } from './container.ts';
import type { DocumentKind } from './document/kinds.ts';
import { documentLabels, documentTypes, kindOf, namedAs } from './document/kinds.ts';
import { imageFormatOf, formats } from './image/formats.ts';

export type Sniffed = { mediaType: string; label: string };

/** A kind of document in the words of `sniff`. */
export function sniffedAs(kind: DocumentKind): Sniffed {
  return { mediaType: documentTypes[kind], label: documentLabels[kind] };
}

/** Bytes that show what a file is, besides the pictures that are read: at an offset, the hex of what must stand there
 * (a dot is any digit). */
const magic: readonly (readonly [offset: number, hex: string, mediaType: string, label: string])[] = [
  [0, '52494646........57415645', 'audio/wav', 'WAV sound'],
  [0, '52494646........41564920', 'video/x-msvideo', 'an AVI video'],
  [0, '464f524d........41494646', 'audio/aiff', 'AIFF sound'],
  [0, '464f524d........41494643', 'audio/aiff', 'AIFF sound'],
  [0, '38425053', 'image/vnd.adobe.photoshop', 'a Photoshop file'],
  [0, '0000000c6a5020200d0a870a', 'image/jp2', 'a JPEG 2000 picture'],
  [0, 'ff4fff51', 'image/x-jp2-codestream', 'a JPEG 2000 picture'],
  [0, 'ff0a', 'image/jxl', 'a JPEG XL picture'],
  [0, '0000000c4a584c20', 'image/jxl', 'a JPEG XL picture'],
  [0, '716f6966', 'image/x-qoi', 'a QOI picture'],
  [0, `01000000${'.'.repeat(72)}20454d46`, 'image/emf', 'an enhanced Windows metafile'],
  [0, '762f3101', 'image/x-exr', 'an OpenEXR picture'],
  [0, '233f52414449414e43450a', 'image/vnd.radiance', 'a Radiance picture'],
  [0, '444453207c000000', 'image/vnd.ms-dds', 'a DDS texture'],
  [0, '67696d702078636620', 'image/x-xcf', 'a GIMP file'],
  [0, '69636e7300', 'image/x-icns', 'an Apple icon'],
  [0, '41542654464f524d', 'image/vnd.djvu', 'a DjVu document'],
  [0, 'd7cdc69a', 'image/wmf', 'a Windows metafile'],
  [0, '010009000003', 'image/wmf', 'a Windows metafile'],
  [0, 'dba52d00', 'application/msword', 'an old Word document (.doc)'],
  [0, '09000400', 'application/vnd.ms-excel', 'an old Excel sheet (.xls)'],
  [0, '09020600', 'application/vnd.ms-excel', 'an old Excel sheet (.xls)'],
  [0, '09040600', 'application/vnd.ms-excel', 'an old Excel sheet (.xls)'],
  [0, '7b5c727466', 'application/rtf', 'a Rich Text document'],
  [0, '4944330.', 'audio/mpeg', 'MP3 sound'],
  [0, '664c6143', 'audio/flac', 'FLAC sound'],
  [0, '4f676753', 'audio/ogg', 'Ogg sound or video'],
  [0, '1a45dfa3', 'video/x-matroska', 'a Matroska video'],
  [0, '000001ba', 'video/mpeg', 'an MPEG video'],
  [0, '1f8b', 'application/gzip', 'a gzip archive'],
  [0, '425a68', 'application/x-bzip2', 'a bzip2 archive'],
  [0, 'fd377a585a00', 'application/x-xz', 'an xz archive'],
  [0, '28b52ffd', 'application/zstd', 'a Zstandard archive'],
  [0, '377abcaf271c', 'application/x-7z-compressed', 'a 7-Zip archive'],
  [0, '526172211a07', 'application/vnd.rar', 'a RAR archive'],
  [257, '7573746172', 'application/x-tar', 'a tar archive'],
  [0, '7f454c46', 'application/x-elf', 'a program (ELF)'],
  [0, 'cffaedfe', 'application/x-mach-binary', 'a program (Mach-O)'],
  [0, 'cafebabe', 'application/java-vm', 'a Java class or a program'],
  [0, '0061736d', 'application/wasm', 'a WebAssembly module'],
  [0, '53514c69746520666f726d61742033', 'application/vnd.sqlite3', 'an SQLite database'],
];

const boxBrands: readonly (readonly [pattern: RegExp, mediaType: string, label: string])[] = [
  [/^(M4A|M4B)/, 'audio/mp4', 'MPEG-4 sound'],
  [/^qt/, 'video/quicktime', 'a QuickTime video'],
  [/^crx/, 'image/x-canon-cr3', 'a raw photograph (CR3)'],
  [/./, 'video/mp4', 'an MP4 video'],
];

/** Words in the head of a zip that make a kind likely; the whole of it makes it sure. */
const zipContents: readonly (readonly [part: string, kind: DocumentKind])[] = [
  ['word/', 'docx'],
  ['ppt/', 'pptx'],
  ['xl/', 'xlsx'],
  ['opendocument.text', 'odt'],
  ['opendocument.spreadsheet', 'ods'],
  ['opendocument.presentation', 'odp'],
  ['epub+zip', 'epub'],
];

/** OpenDocument as one file of XML, by the type that it names. */
const flatKinds: ReadonlyMap<string, DocumentKind> = new Map([
  ['text', 'fodt'],
  ['presentation', 'fodp'],
  ['spreadsheet', 'fods'],
]);

/** How many bytes at the head of a file are enough for `sniff`. */
export const sniffBytes = 4096;

/** What the bytes are, whatever their name says; nothing when no known kind begins like this. */
export function sniff(bytes: Uint8Array): Sniffed | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, sniffBytes)).toString('latin1');
  return (
    byPicture(head) ??
    byMatroska(head) ??
    byMagic(head) ??
    byCompound(head, bytes) ??
    byBox(head) ??
    byZip(head, bytes) ??
    bySyntax(head) ??
    bySound(bytes)
  );
}

function byPicture(head: string): Sniffed | undefined {
  const digits = digitsOf(head);
  const found = formats.find(({ magic: beginnings }) =>
    beginnings.some((one) => (typeof one === 'string' ? beginsWith(digits, one) : one.test(head))),
  );
  return found && { mediaType: found.type, label: found.label };
}

function byMagic(head: string): Sniffed | undefined {
  const digits = digitsOf(head);
  const found = magic.find(([offset, hex]) => beginsWith(digits.slice(offset * 2), hex));
  return found && { mediaType: found[2], label: found[3] };
}

function digitsOf(head: string): string {
  return Buffer.from(head.slice(0, 300), 'latin1').toString('hex');
}

function beginsWith(digits: string, hex: string): boolean {
  return digits.length >= hex.length && hex.split('').every((digit, at) => digit === '.' || digit === digits[at]);
}

/** What somebody says that bytes are; it counts where they are text and do not tell themselves. */
export type Declared = { mediaType: string | undefined; head: Uint8Array };

/** A name that can be told to people: the given one, or what the bytes are. */
export function nameFor(given: string | undefined, seen: Sniffed | undefined, declared?: Declared): string {
  if (seen === undefined && declared?.mediaType !== undefined) {
    const name = namedAs(given === undefined || given === '' ? '' : safeName(given), declared.mediaType, declared.head);
    if (name !== undefined) return name;
  }
  if (given !== undefined && given !== '') return safeName(given);
  if (seen === undefined) return 'input';
  const document = kindOf(seen.mediaType);
  if (document !== undefined) return `document.${document}`;
  const format = imageFormatOf(seen.mediaType);
  return format === undefined ? `input.${seen.mediaType.split(/[/+]/)[1] ?? ''}` : `image${format.ending}`;
}

/** WebM is Matroska that says so in its first element. */
function byMatroska(head: string): Sniffed | undefined {
  if (!head.startsWith('\u001aE\u00df\u00a3') || !head.slice(4, 64).includes('webm')) return undefined;
  return { mediaType: 'video/webm', label: 'a WebM video' };
}

function byBox(head: string): Sniffed | undefined {
  if (head.slice(4, 8) !== 'ftyp') return undefined;
  const brand = head.slice(8, 12);
  const found = boxBrands.find(([pattern]) => pattern.test(brand));
  return found && { mediaType: found[1], label: found[2] };
}

/** Old Office files and encrypted new ones are one container with different streams. */
function byCompound(head: string, bytes: Uint8Array): Sniffed | undefined {
  if (!head.startsWith('\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1')) return undefined;
  const kind = compoundKind(bytes);
  return kind === undefined ? { mediaType: 'application/x-cfb', label: 'an OLE2 file' } : sniffedAs(kind);
}

function byZip(head: string, bytes: Uint8Array): Sniffed | undefined {
  if (!head.startsWith('PK\u0003\u0004') && !head.startsWith('PK\u0005\u0006')) return undefined;
  const kind = zipKind(bytes) ?? zipContents.find(([part]) => head.includes(part))?.[1];
  const other = kind === undefined || kind === 'none';
  return other ? { mediaType: 'application/zip', label: 'a zip archive' } : sniffedAs(kind);
}

/** The head without the mark of its encoding, and in UTF-16 without the zeros between its letters. */
function wordsOf(head: string): string {
  const isWide = head.startsWith('\u00ff\u00fe') || head.startsWith('\u00fe\u00ff');
  return isWide ? head.slice(2).replaceAll('\u0000', '') : head.replace(/^\u00ef\u00bb\u00bf/, '');
}

/** Formats that begin with readable words. */
function bySyntax(head: string): Sniffed | undefined {
  const start = wordsOf(head).trimStart();
  if (start.startsWith('%PDF-') || hasLatePdfHeader(head)) return { mediaType: 'application/pdf', label: 'a PDF' };
  if (/^%[\u0080-\u00ff]{4}\s+\d+ \d+ obj\b/.test(start)) {
    return { mediaType: 'application/x-pdf-part', label: 'a PDF without its header' };
  }
  const markup = start.replace(/^(<\?xml[^>]*>|<!--[^]*?-->|<!DOCTYPE svg[^>[]*(\[[^\]]*\])?[^>]*>|\s)+/i, '');
  if (/^<([\w.-]+:)?svg[\s/>]/i.test(markup)) return { mediaType: 'image/svg+xml', label: 'an SVG drawing' };
  if (/^(<!doctype html|<html)[\s>]/i.test(markup)) return { mediaType: 'text/html', label: 'an HTML page' };
  const flat = /^<office:document\s[^>]*\bmimetype="application\/vnd\.oasis\.opendocument\.(\w+)/.exec(markup)?.[1];
  const flatKind = flatKinds.get(flat ?? '');
  return flatKind && sniffedAs(flatKind);
}

/** Some PDFs carry foreign bytes before their header; words before it mean a text that speaks about PDFs. */
function hasLatePdfHeader(head: string): boolean {
  const at = head.slice(0, 1024).search(/%PDF-\d/);
  // oxlint-disable-next-line no-control-regex -- control characters are what tells bytes from words
  return at > 0 && /[\u0000-\u0008\u000e-\u001f\u0080-\u00ff]/.test(head.slice(0, at));
}

/** Sound frames without a tag in front: two in a row, because one sync word is easily a coincidence. */
function bySound(bytes: Uint8Array): Sniffed | undefined {
  const first = mpegFrame(bytes, 0);
  if (first !== undefined && mpegFrame(bytes, first.bytes) !== undefined)
    return { mediaType: 'audio/mpeg', label: 'MP3 sound' };
  const other = aacFrame(bytes, 0);
  if (other === undefined || aacFrame(bytes, other.bytes) === undefined) return undefined;
  return { mediaType: 'audio/aac', label: 'AAC sound' };
}
