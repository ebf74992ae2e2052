// A workbook's archive in, the same archive out with its parts unpacked and checked, ready for a library that would
// otherwise believe every size in it. Parts that hold no cells stay outside. Refused: what the archive reader refuses.
import type { Read } from '../../content/refusal.ts';
import { pictureName } from '../document/markdown.ts';
import type { InnerPicture } from '../document/reader.ts';
import type { Zip } from '../zip/read.ts';
import { storedZip } from '../zip/write.ts';
import type { BookMarks } from './marks.ts';
import { columnOfCell } from './range.ts';
import { binaryMarks } from './xlsb-marks.ts';
import { hasUnvalued, isWorksheet } from './xlsx-cells.ts';
import { bookMarks } from './xlsx-marks.ts';

const needed = /\.(?:xml|rels|vml|bin)$|^mimetype$/i;
const unneeded =
  /printerSettings|vbaProject|^customXml\/|\/activeX\/|\/embeddings\/|^Object |^docProps\/|^xl\/(?:theme|pivot\w+|tables|queryTables|externalLinks|ctrlProps)\/|calcChain/i;
/** Only a sheet that is nothing but a chart is read with it; charts on other sheets are read elsewhere. */
const drawn = /^xl\/(?:charts|drawings)\//i;
const pictured = /^(?:xl\/media|Pictures)\/[^/]+\.(?:png|jpe?g|gif|webp)$/i;
const maxPictures = 200;

/** The archive, and what its cells say besides their words. */
export type SoundBook = {
  bytes: Uint8Array;
  marks: BookMarks | undefined;
  /** the program that wrote the file left it to others to compute it, and wrote zeros */
  uncomputed: boolean;
  /** some formulas have no value at all */
  unvalued: boolean;
};

export function soundArchive(archive: Zip, withFormulas: boolean): Read<SoundBook> {
  const parts = new Map<string, Uint8Array>();
  const hasChartSheets = archive.names.some((path) => /^xl\/chartsheets\//i.test(path));
  for (const path of archive.names) {
    if (!needed.test(path) || unneeded.test(path) || (drawn.test(path) && !hasChartSheets)) continue;
    const content = archive.read(path);
    if (!content.ok) return content;
    parts.set(path, path.endsWith('.xml') ? withShortLinks(withLetters(content.value)) : content.value);
  }
  const marks = binaryMarks(parts, withFormulas) ?? bookMarks(parts, withFormulas);
  const styles = parts.get('xl/styles.xml');
  if (styles !== undefined) parts.set('xl/styles.xml', withoutFaces(styles));
  const book = parts.get('xl/workbook.xml');
  // Who writes formulas without computing them, asks for it so, and writes zeros.
  const uncomputed =
    book !== undefined && /\bfullCalcOnLoad=["'](?:1|true)["']/.test(Buffer.from(book).toString('latin1'));
  const unvalued = [...parts].some(([path, sheet]) => isWorksheet(path) && hasUnvalued(sheet));
  const bytes = storedZip([...parts].map(([path, content]) => ({ path, content })));
  return { ok: true, value: { bytes, marks, uncomputed, unvalued } };
}

/** Letters beyond 65535 that are written as numbers, as letters: the library takes only the lower half of such a number. */
function withLetters(xml: Uint8Array): Uint8Array {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  if (!bytes.includes('&#')) return xml;
  const text = bytes.toString('latin1');
  const mended = text.replaceAll(/&#(?:x0*(1?[\da-f]{5})|0*(\d{5,7}));/gi, (number, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (code <= 0xffff || code > 0x10ffff) return number;
    return Buffer.from(String.fromCodePoint(code)).toString('latin1');
  });
  return mended === text ? xml : Buffer.from(mended, 'latin1');
}

const mostLinked = 100_000;
const linkPlace = /(<(?:\w+:)?hyperlink\b[^<>]*?\sref=["'])([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})(?=["'])/g;

/** Links over whole columns, or the whole sheet, are only on the first of their cells: the library makes each of them. */
function withShortLinks(xml: Uint8Array): Uint8Array {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  const first = bytes.indexOf('hyperlink ');
  if (first === -1) return xml;
  const from = bytes.lastIndexOf('<', first);
  const text = bytes.toString('latin1', from);
  let room = mostLinked;
  const mended = text.replaceAll(
    linkPlace,
    (_, tag: string, left: string, top: string, right: string, bottom: string) => {
      const columns = Math.max(1, columnOfCell(right) - columnOfCell(left) + 1);
      const rows = Math.min(Number(bottom) - Number(top) + 1, Math.floor(room / columns));
      room -= Math.max(0, rows) * columns;
      return rows < 1 ? `${tag}${left}${top}:${left}${top}` : `${tag}${left}${top}:${right}${Number(top) + rows - 1}`;
    },
  );
  return mended === text ? xml : Buffer.concat([bytes.subarray(0, from), Buffer.from(mended, 'latin1')]);
}

/** Of the styles only the formats of numbers say something here; all the rest takes the library longer than cells do. What is
 * not plain UTF-8, or has anything but elements in it, is left as it is. */
function withoutFaces(styles: Uint8Array): Uint8Array {
  let rest = Buffer.from(styles.buffer, styles.byteOffset, styles.byteLength).toString();
  if (rest.includes('\0') || rest.includes('<!')) return styles;
  for (const name of ['fonts', 'fills', 'borders', 'cellStyleXfs', 'dxfs']) rest = changed(rest, name, () => '');
  const formats = changed(rest, 'cellXfs', (cells) =>
    Array.from(cells.matchAll(cellFormat), ([, words = '']) => `<xf${words}/>`).join(''),
  );
  return Buffer.from(formats);
}

/** The beginning of a format, without what stands inside it. */
const cellFormat = /<xf\b((?:"[^"<]*"|'[^'<]*'|[^<>"'/])*)/g;

/** What stands between the first tags of a name, changed. */
function changed(xml: string, name: string, change: (inner: string) => string): string {
  const from = xml.indexOf('>', xml.indexOf(`<${name} `)) + 1;
  const end = xml.indexOf(`</${name}>`);
  if (!xml.includes(`<${name} `) || end < from) return xml;
  return xml.slice(0, from) + change(xml.slice(from, end)) + xml.slice(end);
}

/** The pictures of a workbook, wherever they stand in it. */
export function picturesIn(archive: Zip): InnerPicture[] {
  const paths = archive.names.filter((path) => pictured.test(path)).slice(0, maxPictures);
  return paths.flatMap((path) => {
    const content = archive.read(path);
    return content.ok ? [{ name: pictureName(path), bytes: content.value }] : [];
  });
}
