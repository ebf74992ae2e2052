// A chart in, the numbers it was drawn from as a small table out. They are the ones kept inside the chart, so that no
// other file is opened.
import { oneLine, table } from '../document/markdown.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, elements, innerText } from '../xml/tree.ts';

const maxRows = 200;
const maxPoints = 10_000;

/** The title and a table: a row for each category, a column for each series; where series have places of their own, a column for
 * those of each. */
export function chartTable(chart: XmlNode | undefined): string {
  if (chart === undefined) return '';
  const series = descendants(chart, 'ser').map((one, at) => ({
    name: oneLine(points(element(one, 'tx'))[0] ?? innerText(element(one, 'tx', 'v'))) || `Series ${at + 1}`,
    labels: points(element(one, 'cat') ?? element(one, 'xVal')),
    values: points(element(one, 'val') ?? element(one, 'yVal')),
  }));
  const labels = series.find((one) => one.labels.length > 0)?.labels ?? [];
  const isShared = series.every((one) => one.labels.length === 0 || one.labels.join('\n') === labels.join('\n'));
  const length = series.reduce((most, one) => Math.max(most, one.labels.length, one.values.length), 0);
  const axes = axesOf(chart);
  const rows = [
    isShared
      ? [axes.across, ...series.map(({ name }) => name)]
      : series.flatMap(({ name }) => [axes.across || 'x', name]),
  ];
  for (let at = 0; at < Math.min(length, maxRows); at += 1) {
    rows.push(
      isShared
        ? [labels[at] ?? String(at + 1), ...series.map(({ values }) => values[at] ?? '')]
        : series.flatMap((one) => [one.labels[at] ?? '', one.values[at] ?? '']),
    );
  }
  const kinds = descendants(chart, 'plotArea').flatMap((area) => elements(area).map(({ name }) => kindOf(name)));
  const kind = [...new Set(kinds)].filter((one) => one !== '').join(' and ');
  const title = titleOf(element(chart, 'chart'));
  const about = [title, ...(axes.values === '' ? [] : [`values: ${axes.values}`])]
    .filter((one) => one !== '')
    .join('; ');
  const head = `[${kind === '' ? '' : `${kind} `}chart${about === '' ? '' : `: ${about.replaceAll(/[[\]]/g, "'")}`}]`;
  const more = length > maxRows ? `\n\n[${length - maxRows} more rows]` : '';
  return series.length === 0 ? head : `${head}\n\n${table(rows)}${more}`;
}

function titleOf(node: XmlNode | undefined): string {
  return oneLine(
    descendants(element(node, 'title') ?? emptyNode, 't')
      .map(innerText)
      .join(''),
  );
}

function titlesOf(nodes: readonly XmlNode[]): string {
  return [...new Set(nodes.map((node) => titleOf(node)))].filter((one) => one !== '').join(' and ');
}

/** What the axes are called: that of the places, and those of the values. */
function axesOf(chart: XmlNode): { across: string; values: string } {
  const all = descendants(chart, 'plotArea').flatMap((area) =>
    elements(area).filter(({ name }) => name.endsWith('Ax')),
  );
  const hasPlaces = all.some(({ name }) => name === 'catAx' || name === 'dateAx');
  // Where points stand between two axes of values, the one that lies says where.
  const isAcross = (axis: XmlNode): boolean =>
    hasPlaces ? axis.name !== 'valAx' : /^[bt]$/.test(element(axis, 'axPos')?.attributes['val'] ?? '');
  return { across: titlesOf(all.filter(isAcross)), values: titlesOf(all.filter((axis) => !isAcross(axis))) };
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
