// The parts of a workbook in; which of its cells are struck, which rows and columns are hidden, and how far a sheet goes out.
// All cells of a sheet are looked through only where some can be struck or hidden.
import { looks } from '../document/styled.ts';
import { limits } from '../limits.ts';
import { isOff } from '../office/docx-style.ts';
import { resolved } from '../office/package.ts';
import { parseXml } from '../xml/index.ts';
import type { XmlNode } from '../xml/tree.ts';
import { element, elements, xmlTree } from '../xml/tree.ts';
import { marginsIn } from './margins.ts';
import type { BookMarks, SheetMarks } from './marks.ts';
import { addHidden, newMarks, placeKey } from './marks.ts';
import { columnOfCell } from './range.ts';

type Parts = ReadonlyMap<string, Uint8Array>;

export function bookMarks(parts: Parts): BookMarks | undefined {
  const struck = struckFormats(parts);
  const asked = [...parts]
    .filter(([path]) => /^xl\/worksheets\/[^/]+\.xml$/i.test(path))
    .map(([path, xml]) => {
      const margins = marginsIn(xml);
      const isAsked = struck.size > 0 || hides(xml);
      return { path, own: { ...(isAsked ? marksOn(xml, struck) : newMarks()), bottom: bottomOf(xml), margins } };
    });
  if (asked.length === 0) return undefined;
  const targets = new Map(
    elements(tree(parts, 'xl/_rels/workbook.xml.rels')).map(({ attributes }) => [
      attributes['Id'] ?? '',
      resolved('xl/', attributes['Target'] ?? ''),
    ]),
  );
  const names = new Map(
    elements(element(tree(parts, 'xl/workbook.xml'), 'sheets'), 'sheet').map(({ attributes }) => [
      targets.get(attributes['r:id'] ?? '') ?? '',
      attributes['name'] ?? '',
    ]),
  );
  const found = new Map(asked.map(({ path, own }) => [names.get(path) ?? '', own]));
  return (name) => found.get(name);
}

function tree(parts: Parts, path: string): XmlNode | undefined {
  const xml = parts.get(path);
  const read = xml && xmlTree(xml, path, limits);
  return read?.ok === true ? read.value : undefined;
}

function hides(xml: Uint8Array): boolean {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  return bytes.includes('hidden="1"') || bytes.includes('hidden="true"');
}

/** Behind the last row that has a value in it. The range that a sheet says it has may be too wide, too narrow or missing. */
function bottomOf(xml: Uint8Array): number {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  const first = bytes.indexOf('sheetData');
  const prefix = bytes.toString('latin1', bytes.lastIndexOf('<', first) + 1, Math.max(0, first));
  const end = bytes.lastIndexOf(`</${prefix}sheetData`);
  if (first < 0 || end < first) return 0;
  const last = Math.max(...['v', 'is', 'f'].map((name) => bytes.lastIndexOf(`</${prefix}${name}>`, end)));
  const row = last < first ? -1 : bytes.lastIndexOf(`<${prefix}row`, last);
  if (row < first) return 0;
  const named = Number(/^[^>]*\sr=["'](\d{1,7})["']/.exec(bytes.toString('latin1', row, row + 1000))?.[1] ?? 0);
  if (named > 0) return named;
  let count = 0;
  for (let at = first; at >= 0 && at <= row; at = bytes.indexOf(`<${prefix}row`, at + 1)) count += 1;
  return count - 1;
}

/** The numbers of the formats whose font strikes words. */
function struckFormats(parts: Parts): ReadonlySet<string> {
  const xml = parts.get('xl/styles.xml');
  if (xml === undefined || !Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength).includes('strike'))
    return new Set();
  const styles = tree(parts, 'xl/styles.xml');
  const fonts = elements(element(styles, 'fonts'), 'font').map(isStruck);
  const formats = elements(element(styles, 'cellXfs'), 'xf').map(
    ({ attributes }) => fonts[Number(attributes['fontId'])] === true,
  );
  return new Set(formats.flatMap((on, at) => (on ? [String(at)] : [])));
}

/** Whether a font, or what is said of some words, draws a line through them. */
export function isStruck(properties: XmlNode | undefined): boolean {
  const strike = element(properties, 'strike');
  return strike !== undefined && !isOff(strike.attributes['val']);
}

function marksOn(xml: Uint8Array, struck: ReadonlySet<string>): SheetMarks {
  const marks = newMarks();
  let [row, column] = [-1, -1];
  const open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    const isHidden = attributes['hidden'] !== undefined && !isOff(attributes['hidden']);
    if (name === 'row') {
      [row, column] = [Number(attributes['r'] ?? row + 2) - 1, -1];
      if (isHidden) addHidden(marks.hidden.rows, row);
    } else if (name === 'col') {
      if (isHidden) addHidden(marks.hidden.columns, Number(attributes['min']) - 1, Number(attributes['max']) - 1);
    } else if (name === 'c') {
      column = attributes['r'] === undefined ? column + 1 : columnOfCell(attributes['r']);
      if (struck.has(attributes['s'] ?? '0')) marks.cells.set(placeKey(row, column), { look: looks.struck });
    }
  };
  parseXml(xml, 'a sheet', { open }, limits); // what was found before damage is sound
  return marks;
}
