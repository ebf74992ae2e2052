// A chart in, the numbers it was drawn from as a small table out. They are the ones kept inside the chart, so that no
// other file is opened.
import { oneLine, table } from '../document/markdown.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, elements, innerText } from '../xml/tree.ts';

const maxRows = 200;
const maxPoints = 10_000;

/** The title and a table: a row for each category, a column for each series. */
export function chartTable(chart: XmlNode | undefined): string {
  if (chart === undefined) return '';
  const title = oneLine(
    descendants(element(chart, 'chart', 'title') ?? emptyNode, 't')
      .map(innerText)
      .join(''),
  );
  const series = descendants(chart, 'ser').map((one) => ({
    name: oneLine(points(element(one, 'tx'))[0] ?? innerText(element(one, 'tx', 'v'))),
    labels: points(element(one, 'cat') ?? element(one, 'xVal')),
    values: points(element(one, 'val') ?? element(one, 'yVal')),
  }));
  const labels = series.find((one) => one.labels.length > 0)?.labels ?? [];
  const length = Math.max(0, labels.length, ...series.map(({ values }) => values.length));
  const rows = [['', ...series.map(({ name }) => name)]];
  for (let at = 0; at < Math.min(length, maxRows); at += 1) {
    rows.push([labels[at] ?? String(at + 1), ...series.map(({ values }) => values[at] ?? '')]);
  }
  const kinds = descendants(chart, 'plotArea').flatMap((area) => elements(area).map(({ name }) => kindOf(name)));
  const kind = [...new Set(kinds)].filter((one) => one !== '').join(' and ');
  const head = `[${kind === '' ? '' : `${kind} `}chart${title === '' ? '' : `: ${title.replaceAll(/[[\]]/g, "'")}`}]`;
  const more = length > maxRows ? `\n\n[${length - maxRows} more rows]` : '';
  return series.length === 0 ? head : `${head}\n\n${table(rows)}${more}`;
}

/** `bar` for a bar chart, whether flat or solid. */
function kindOf(name: string): string {
  return name.endsWith('Chart') ? name.replace(/(?:3D)?Chart$/, '').toLowerCase() : '';
}

const emptyNode: XmlNode = { name: '', attributes: {}, children: [] };

/** Values by their index: gaps stay gaps. */
function points(node: XmlNode | undefined): string[] {
  const found: string[] = [];
  for (const point of node === undefined ? [] : descendants(node, 'pt')) {
    const at = Number(point.attributes['idx'] ?? found.length);
    if (at >= 0 && at < maxPoints) found[at] = oneLine(innerText(element(point, 'v')));
  }
  return Array.from(found, (value) => value ?? '');
}
