// The archive of an OpenDocument sheet, if it is one, and what its sheets say is drawn on them in; charts, pictures and words of shapes with the cells
// they are tied to out.
import { picture, pictureName } from '../document/markdown.ts';
import type { ReaderOptions } from '../document/reader.ts';
import { odfChart } from '../office/odf-chart.ts';
import { resolved } from '../office/package.ts';
import { xmlTree } from '../xml/tree.ts';
import type { Zip } from '../zip/read.ts';
import type { DrawnSheets } from './drawings.ts';
import { picturesIn } from './gate.ts';
import type { SheetDrawing, Sheet } from './workbook.ts';

const mostDrawings = 200;

export function openDrawnSheets(zip: Zip | undefined, sheets: readonly Sheet[], options: ReaderOptions): DrawnSheets {
  const placed = new Set<string>();
  const found = new Map<string, string[]>();
  for (const { name, drawn = [] } of sheets) {
    const words = drawn.slice(0, mostDrawings).flatMap((one) => {
      const text = textOf(one, zip, placed, options);
      return text === '' ? [] : [`At ${one.at}: ${text}`];
    });
    found.set(name, words);
  }
  const pictures = options.pictures && zip !== undefined ? picturesIn(zip).filter(({ name }) => placed.has(name)) : [];
  return { on: (sheet) => found.get(sheet) ?? [], pictures };
}

function textOf(one: SheetDrawing, zip: Zip | undefined, placed: Set<string>, { name, limits }: ReaderOptions): string {
  const content = one.object === '' ? undefined : zip?.read(`${resolved('', one.object)}/content.xml`);
  const tree = content?.ok === true ? xmlTree(content.value, name, limits) : undefined;
  const chart = tree?.ok === true ? odfChart(tree.value) : '';
  if (chart !== '') return chart;
  const words = one.words.trim();
  if (words !== '') return words;
  if (one.image === '' || one.object !== '') return '';
  const image = pictureName(one.image);
  placed.add(image);
  return picture(one.described, image);
}
