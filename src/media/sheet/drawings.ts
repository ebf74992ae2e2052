// The archive of a workbook in; the charts and pictures that lie on each of its sheets out, with the cell they begin at.
import { picture } from '../document/markdown.ts';
import type { InnerPicture, ReaderOptions } from '../document/reader.ts';
import type { CellsNamed } from '../office/chart.ts';
import { chartTable, mostLevels, stacked } from '../office/chart.ts';
import { diagramText } from '../office/diagram.ts';
import type { Package } from '../office/package.ts';
import { packageIn } from '../office/package.ts';
import { paragraphsOf } from '../office/pptx-shape.ts';
import type { XmlNode } from '../xml/tree.ts';
import type { Zip } from '../zip/read.ts';
import { descendants, element, elements, innerText } from '../xml/tree.ts';
import { controlsOn } from './controls.ts';
import { cellName, columnOfCell } from './range.ts';
import type { Sheet } from './workbook.ts';

export type DrawnSheets = { on(sheet: string): string[]; pictures: InnerPicture[] };

const mostDrawings = 200;

/** Nothing when the archive has no drawings; they are found without reading any cell. */
export function drawnSheets(zip: Zip, sheets: readonly Sheet[], options: ReaderOptions): DrawnSheets | undefined {
  const opened = packageIn(zip, 'xl/workbook.xml', options);
  if (!opened.ok) return undefined;
  const pack = opened.value;
  const parts = new Map(
    elements(element(pack.main, 'sheets'), 'sheet').map(({ attributes }) => [
      attributes['name'] ?? '',
      pack.relations(pack.mainPath).get(attributes['r:id'] ?? '')?.target,
    ]),
  );
  const found = new Map<string, string[]>();
  const cells = cellsNamedIn(sheets);
  for (const [name, path] of parts) {
    if (path === undefined) continue;
    const controls = controlsOn(pack, path, name, cells);
    found.set(name, [...drawnOn(pack, path, cells, controls.shapes), ...controls.said]);
  }
  return { on: (sheet) => found.get(sheet) ?? [], pictures: pack.pictures };
}

function rowOf(cell: string): number {
  return Number(/\d+/.exec(cell)?.[0]) - 1;
}

/** Of a range in one row or column, each cell; where several lie beside each other, those of a line together. */
export function cellsNamedIn(sheets: readonly Sheet[]): CellsNamed {
  const rangePattern = /^(?:'((?:[^']|'')+)'|([^'!]+))!([A-Z]{1,3}\d{1,7})(?::([A-Z]{1,3}\d{1,7}))?$/;
  return (range) => {
    const [, quoted, plain, first = '', last = first] = rangePattern.exec(range.replaceAll('$', '')) ?? [];
    const sheet = sheets.find(({ name }) => name === (quoted?.replaceAll("''", "'") ?? plain));
    if (sheet === undefined) return [];
    const [top, left] = [rowOf(first), columnOfCell(first)];
    const [high, wide] = [rowOf(last) - top + 1, columnOfCell(last) - left + 1];
    const count = Math.max(0, Math.min(Math.max(high, wide), sheet.rows.length + sheet.right));
    const levels = Array.from({ length: Math.min(high, wide, mostLevels) }, (_line, level) =>
      Array.from({ length: count }, (_, at) => {
        const [row, column] = high >= wide ? [top + at, left + level] : [top + level, left + at];
        return sheet.rows[row - sheet.at]?.[column - sheet.left] ?? '';
      }),
    );
    return levels.length > 1 ? stacked(levels.toReversed()) : (levels[0] ?? []);
  };
}

/** Shapes that only show a control, told elsewhere with its state, are left out. */
function drawnOn(pack: Package, path: string, cells: CellsNamed, controls: ReadonlySet<string>): string[] {
  const target = pack.related(path, 'drawing');
  const drawing = pack.part(target);
  if (drawing === undefined || target === undefined) return [];
  const related = (node: XmlNode | undefined, key: string): string | undefined =>
    pack.relations(target).get(node?.attributes[key] ?? '')?.target;
  return elements(drawing)
    .map((one) => (one.name === 'AlternateContent' ? (elements(element(one, 'Choice'))[0] ?? one) : one))
    .filter((anchor) => !controls.has(descendants(anchor, 'cNvPr')[0]?.attributes['id'] ?? ''))
    .slice(0, mostDrawings)
    .flatMap((anchor) => {
      const at = placeOf(anchor);
      const shown = withoutFallback(anchor);
      const charts = descendants(shown, 'chart').flatMap((one) => {
        const part = pack.part(related(one, 'r:id'));
        return part === undefined ? [] : [`At ${at}: ${chartTable(part, cells)}`];
      });
      const diagrams = descendants(shown, 'relIds').map((one) => diagramText(pack.part(related(one, 'r:dm'))));
      const blips = descendants(shown, 'blip');
      const pictures = (blips.length > 0 ? blips : descendants(anchor, 'blip')).flatMap((one) => {
        const image = related(one, 'r:embed');
        const words = descendants(anchor, 'cNvPr')[0]?.attributes['descr'] ?? '';
        return image === undefined ? [] : [`At ${at}: ${picture(words, pack.picture(image))}`];
      });
      const shapes = descendants(shown, 'txBody').map((body) =>
        paragraphsOf(body, pack, target)
          .map(({ text }) => text)
          .join('\n'),
      );
      const words = [...diagrams, ...shapes].filter((one) => one !== '');
      return [...charts, ...pictures, ...words.map((one) => `At ${at}: ${one}`)];
    });
}

/** Where a newer program draws a table of choices or a chart of a new kind, an older one shows a box that says that it cannot. */
function withoutFallback(node: XmlNode): XmlNode {
  const children = node.children.flatMap((child): XmlNode['children'] => {
    if (typeof child === 'string') return [child];
    return child.name === 'Fallback' ? [] : [withoutFallback(child)];
  });
  return { ...node, children };
}

function placeOf(anchor: XmlNode): string {
  const from = element(anchor, 'from');
  const place = (name: string): number => Number(innerText(element(from, name))) || 0;
  return from === undefined ? 'no cell' : cellName(place('row'), place('col'));
}
