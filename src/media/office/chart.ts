// A chart in, the numbers it was drawn from as a small table out. They are the ones kept inside the chart, so that no
// other file is opened; some programs keep none, and then those of the cells it names are taken where the caller has them.
import { clipped } from '../../content/text.ts';
import { oneLine, table } from '../document/markdown.ts';
import { shownNumber, showsDates } from '../sheet/number-format.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, elements, innerText } from '../xml/tree.ts';

const maxRows = 200;

/** The words of the cells that a chart names, `Sheet1!$B$2:$B$9`. */
export type CellsNamed = (range: string) => readonly string[];

/** What a chart says, whatever file it lies in. */
export type Chart = {
  /** `bar`, `pie` */
  kinds: readonly string[];
  title: string;
  /** what the axis of the places and those of the values are called */
  across: string;
  values: string;
  series: readonly ChartSeries[];
};

export type ChartSeries = { name: string; labels: readonly string[]; values: readonly string[] };

/** As many points of a series are looked at, and as many levels of its places. */
export const mostPoints = 10_000;
export const mostLevels = 8;

export function chartTable(chart: XmlNode | undefined, cells: CellsNamed = () => []): string {
  if (chart === undefined) return '';
  const since1904 = element(chart, 'date1904')?.attributes['val'] === '1';
  const words = (node: XmlNode | undefined): readonly string[] => {
    const kept = points(node, since1904);
    return kept.length > 0 || node === undefined
      ? kept
      : cells(innerText(descendants(node, 'f')[0])).slice(0, mostPoints);
  };
  const drawn = descendants(chart, 'plotArea').flatMap((area) => elements(area));
  // Those that somebody has hidden from the chart are kept as an extension of it.
  const series = drawn
    .flatMap((kind) => elements(kind, 'ser'))
    .map((one) => ({
      name: oneLine(words(element(one, 'tx'))[0] ?? innerText(element(one, 'tx', 'v'))),
      labels: words(element(one, 'cat') ?? element(one, 'xVal')),
      values: words(element(one, 'val') ?? element(one, 'yVal')),
    }));
  const newer = newerSeries(chart);
  const kinds = [...drawn.map(({ name }) => kindOf(name)), ...newer.map(({ kind }) => kind)];
  return chartText({ kinds, title: titleOf(element(chart, 'chart')), ...axesOf(chart), series: [...series, ...newer] });
}

const newerKinds = new Map([
  ['boxWhisker', 'box and whisker'],
  ['clusteredColumn', 'histogram'],
  ['regionMap', 'map'],
]);

/** The series of a chart of the kinds that came with Office 2016: waterfalls, trees, funnels, maps. Their numbers stand before them. */
function newerSeries(chart: XmlNode): (ChartSeries & { kind: string })[] {
  const data = new Map(
    descendants(element(chart, 'chartData') ?? emptyNode, 'data').map((one) => [one.attributes['id'], one]),
  );
  return descendants(chart, 'series').flatMap((one) => {
    const own = data.get(element(one, 'dataId')?.attributes['val']);
    const layout = one.attributes['layoutId'] ?? '';
    if (own === undefined) return []; // the line over a histogram has no numbers of its own
    return {
      kind: newerKinds.get(layout) ?? layout.toLowerCase(),
      name: oneLine(innerText(element(one, 'tx', 'txData', 'v'))),
      labels: points(element(own, 'strDim'), false),
      values: points(element(own, 'numDim'), false),
    };
  });
}

/** The title and a table: a row for each category, a column for each series; where series have places of their own, a column for
 * those of each. */
export function chartText({ kinds, title, across, values, series }: Chart): string {
  const names = series.map(({ name }, at) => name || `Series ${at + 1}`);
  const labels = series.find((one) => one.labels.length > 0)?.labels ?? [];
  const isShared = series.every((one) => one.labels.length === 0 || one.labels.join('\n') === labels.join('\n'));
  const length = series.reduce((most, one) => Math.max(most, one.labels.length, one.values.length), 0);
  const rows = [isShared ? [across, ...names] : names.flatMap((name) => [across || 'x', name])];
  for (let at = 0; at < Math.min(length, maxRows); at += 1) {
    rows.push(
      isShared
        ? [labels[at] ?? String(at + 1), ...series.map((one) => one.values[at] ?? '')]
        : series.flatMap((one) => [one.labels[at] ?? '', one.values[at] ?? '']),
    );
  }
  const kind = [...new Set(kinds)].filter((one) => one !== '').join(' and ');
  const about = [title, ...(values === '' ? [] : [`values: ${values}`])].filter((one) => one !== '').join('; ');
  const head = `[${kind === '' ? '' : `${kind} `}chart${about === '' ? '' : `: ${about.replaceAll(/[[\]]/g, "'")}`}]`;
  const more = length > maxRows ? `\n\n[${length - maxRows} more rows]` : '';
  return series.length === 0 ? head : `${head}\n\n${table(rows)}${more}`;
}

function titleOf(node: XmlNode | undefined): string {
  const title = element(node, 'title') ?? emptyNode;
  const words = descendants(title, 't').map(innerText).join('');
  return oneLine(words || innerText(descendants(title, 'v')[0]));
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

/** A day is no number; of a number the digits that only a computer sees are left out. */
function pointText(text: string, code: string, since1904: boolean): string {
  const value = text === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) return text;
  if (showsDates(code)) return shownNumber(value, code, since1904);
  return /\d{15}|\de[-+]?\d/i.test(text.replace('.', '')) ? String(Number(value.toPrecision(15))) : text;
}

const emptyNode: XmlNode = { name: '', attributes: {}, children: [] };

/** Values by their index, of all levels of their places. */
function points(node: XmlNode | undefined, since1904: boolean): string[] {
  if (node === undefined) return [];
  const levels = descendants(node, 'lvl').slice(0, mostLevels);
  return levels.length > 1 ? stacked(levels.map((one) => pointsIn(one, since1904))) : pointsIn(node, since1904);
}

/** Gaps stay gaps. */
function pointsIn(node: XmlNode, since1904: boolean): string[] {
  const found: string[] = [];
  const format = descendants(node, 'formatCode')[0];
  for (const point of descendants(node, 'pt')) {
    const at = Number(point.attributes['idx'] ?? found.length);
    const code = point.attributes['formatCode'] ?? innerText(format);
    const words = oneLine(innerText(element(point, 'v') ?? point));
    if (at >= 0 && at < mostPoints) found[at] = pointText(words, code, since1904);
  }
  return Array.from(found, (value) => value ?? '');
}

/** What stands again before each of many places is no longer than this. */
const longestPlace = 1000;

/** Places on several levels, the innermost first; one of an outer level is said once for all places below it. */
export function stacked(levels: readonly (readonly string[])[]): string[] {
  const length = levels.reduce((most, level) => Math.max(most, level.length), 0);
  const around = levels.map(() => '');
  return Array.from({ length }, (_, at) => {
    for (const [level, words] of levels.entries()) {
      if (level === 0 || (words[at] ?? '') !== '') around[level] = clipped(words[at] ?? '', longestPlace);
    }
    return around
      .toReversed()
      .filter((words) => words !== '')
      .join(' / ');
  });
}
