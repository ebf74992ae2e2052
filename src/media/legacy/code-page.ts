// Names of encodings as old files spell them: by Windows code page, or by the language the file was written in.
import { decodeText } from '../text/decode.ts';
import { guessEncoding } from '../text/guess.ts';

const pages = new Map([
  [437, 'ibm866'],
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [1361, 'euc-kr'],
  [10000, 'macintosh'],
  [10007, 'x-mac-cyrillic'],
  [20866, 'koi8-r'],
  [65001, 'utf-8'],
]);

/** The encoding of a Windows code page; western when it is none that is known. */
export function encodingOfPage(page: number): string {
  return pages.get(page) ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252');
}

/** Primary languages whose old files are not western. */
const languages = new Map([
  [0x01, 1256],
  [0x02, 1251],
  [0x04, 936],
  [0x05, 1250],
  [0x08, 1253],
  [0x0d, 1255],
  [0x0e, 1250],
  [0x11, 932],
  [0x12, 949],
  [0x15, 1250],
  [0x18, 1250],
  [0x19, 1251],
  [0x1a, 1250],
  [0x1b, 1250],
  [0x1e, 874],
  [0x1f, 1254],
  [0x22, 1251],
  [0x23, 1251],
  [0x24, 1250],
  [0x25, 1257],
  [0x26, 1257],
  [0x27, 1257],
  [0x29, 1256],
  [0x2a, 1258],
]);

/** The encoding of a file in a language, which is a Windows language number. */
function encodingOf(language: number): string {
  if (language === 0x0404 || language === 0x0c04) return 'big5';
  return encodingOfPage(languages.get(language & 0x3ff) ?? 1252);
}

/** Letters of one byte out of an old file; one made with a western program may hold another language all the same. */
export function guessedText(bytes: Buffer, language: number): string {
  const named = encodingOf(language);
  const guess =
    named === 'windows-1252' && decodeText(bytes) === undefined ? guessEncoding(withoutMarks(bytes)) : undefined;
  return new TextDecoder(guess?.sure === true ? guess.encoding : named).decode(bytes);
}

/** The text without the signs that mark cells, fields and pictures. */
function withoutMarks(bytes: Buffer): Buffer {
  return bytes.filter((byte) => byte >= 0x20 || byte === 13) as Buffer;
}
