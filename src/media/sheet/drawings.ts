// The archive of a workbook in; the charts and pictures that lie on each of its sheets out, with the cell they begin at.
import { picture } from '../document/markdown.ts';
import type { InnerPicture, ReaderOptions } from '../document/reader.ts';
import { chartTable } from '../office/chart.ts';
import type { Package } from '../office/package.ts';
import { packageIn } from '../office/package.ts';
import type { XmlNode } from '../xml/tree.ts';
import type { Zip } from '../zip/read.ts';
import { descendants, element, elements, innerText } from '../xml/tree.ts';
import { cellName } from './range.ts';

type DrawnSheets = { on(sheet: string): string[]; pictures: InnerPicture[] };

const mostDrawings = 200;

/** Nothing when the archive has no drawings; they are found without reading any cell. */
export function drawnSheets(zip: Zip, options: ReaderOptions): DrawnSheets | undefined {
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
  for (const [name, path] of parts) if (path !== undefined) found.set(name, drawnOn(pack, path));
  return { on: (sheet) => found.get(sheet) ?? [], pictures: pack.pictures };
}

function drawnOn(pack: Package, path: string): string[] {
  const target = pack.related(path, 'drawing');
  const drawing = pack.part(target);
  if (drawing === undefined || target === undefined) return [];
  const related = (node: XmlNode | undefined, key: string): string | undefined =>
    pack.relations(target).get(node?.attributes[key] ?? '')?.target;
  return elements(drawing)
    .slice(0, mostDrawings)
    .flatMap((anchor) => {
      const at = placeOf(anchor);
      const charts = descendants(anchor, 'chart').flatMap((one) => {
        const part = pack.part(related(one, 'r:id'));
        return part === undefined ? [] : [`At ${at}: ${chartTable(part)}`];
      });
      const pictures = descendants(anchor, 'blip').flatMap((one) => {
        const image = related(one, 'r:embed');
        const words = descendants(anchor, 'cNvPr')[0]?.attributes['descr'] ?? '';
        return image === undefined ? [] : [`At ${at}: ${picture(words, pack.picture(image))}`];
      });
      const shapes = descendants(anchor, 'txBody')
        .map((body) => descendants(body, 't').map(innerText).join(''))
        .filter((words) => words.trim() !== '');
      return [...charts, ...pictures, ...shapes.map((words) => `At ${at}: ${words}`)];
    });
}

function placeOf(anchor: XmlNode): string {
  const from = element(anchor, 'from');
  const place = (name: string): number => Number(innerText(element(from, name))) || 0;
  return from === undefined ? 'no cell' : cellName(place('row'), place('col'));
}
