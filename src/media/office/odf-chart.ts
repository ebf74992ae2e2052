// A chart of an OpenDocument file in, its kind, its title and the numbers it was drawn from as a small table out.
import { oneLine, table } from '../document/markdown.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, elements, innerText } from '../xml/tree.ts';

const maxRows = 200;
const maxCells = 50;

/** Nothing for an object that is no chart, or keeps no numbers. */
export function odfChart(object: XmlNode): string {
  const chart =
    object.name === 'chart' ? object : descendants(object, 'chart').find((one) => element(one, 'plot-area'));
  const grid = descendants(chart ?? object, 'table')[0];
  if (grid === undefined) return '';
  const rows = descendants(grid, 'table-row').map((row) =>
    elements(row)
      .filter(({ name }) => name === 'table-cell')
      .slice(0, maxCells)
      .map(pointText),
  );
  const axes = elements(element(chart, 'plot-area'), 'axis');
  const titles = (dimension: string): string =>
    axes
      .filter(({ attributes }) => attributes['dimension'] === dimension)
      .map((axis) => oneLine(innerText(element(axis, 'title'))))
      .filter((words) => words !== '')
      .join(' and ');
  const [kind, across, values] = [kindOf(chart?.attributes['class'] ?? ''), titles('x'), titles('y')];
  // Where points stand between two axes of values, their places are the first values; before them they are only counted.
  const isBetween = descendants(chart ?? object, 'domain').length === 1;
  const [head = [], ...rest] = isBetween ? rows.map((row) => row.slice(1)) : rows;
  if (across !== '' && (isBetween || head[0] === '')) head[0] = across;
  const about = [oneLine(innerText(element(chart, 'title'))), ...(values === '' ? [] : [`values: ${values}`])]
    .filter((words) => words !== '')
    .join('; ');
  const title = `[${kind === '' ? '' : `${kind} `}chart${about === '' ? '' : `: ${about.replaceAll(/[[\]]/g, "'")}`}]`;
  const more = rest.length > maxRows ? `\n\n[${rest.length - maxRows} more rows]` : '';
  return `${title}\n\n${table([head, ...rest.slice(0, maxRows)])}${more}`;
}

/** `bar` for a bar chart; what others call a pie is a circle here. */
function kindOf(name: string): string {
  const kind = name.slice(name.indexOf(':') + 1);
  return kind === 'circle' ? 'pie' : kind;
}

/** The words of a cell without the name of the range they come from; what is no number is none. */
function pointText(cell: XmlNode): string {
  const words = oneLine(elements(cell, 'p').map(innerText).join(' '));
  const value = Number(cell.attributes['value'] ?? Number.NaN);
  if (cell.attributes['value-type'] !== 'float') return words;
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : '';
}
