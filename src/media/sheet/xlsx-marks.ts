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
import { bottomOf, isWorksheet } from './xlsx-cells.ts';

type Parts = ReadonlyMap<string, Uint8Array>;

export function bookMarks(parts: Parts, withFormulas: boolean): BookMarks | undefined {
  const struck = struckFormats(parts);
  const asked = [...parts]
    .filter(([path]) => isWorksheet(path))
    .map(([path, xml]) => {
      const margins = marginsIn(xml);
      const isAsked = struck.size > 0 || hides(xml);
      return {
        path,
        own: { ...(isAsked ? marksOn(xml, struck) : newMarks()), bottom: bottomOf(xml, withFormulas), margins },
      };
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
