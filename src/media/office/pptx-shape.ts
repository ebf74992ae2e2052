// A shape of a slide in, Markdown pieces out: text with its levels, tables, charts, diagrams, pictures, and whatever
// lies in a group. The order is the one in which the shapes are read out.
import type { Piece } from '../document/markdown.ts';
import { link, picture, table } from '../document/markdown.ts';
import { looks, styledText } from '../document/styled.ts';
import { officeFormula } from '../math/omml.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, elements, innerText } from '../xml/tree.ts';
import { chartTable } from './chart.ts';
import { diagramText } from './diagram.ts';
import { numeral } from './numeral.ts';
import type { Package } from './package.ts';

const kinds = new Set(['sp', 'pic', 'graphicFrame', 'cxnSp']);

/** All shapes in order, groups opened; of two versions of one thing the newer. */
export function shapesOf(tree: XmlNode | undefined): XmlNode[] {
  return elements(tree).flatMap((child) => {
    if (kinds.has(child.name)) return [child];
    if (child.name === 'AlternateContent') {
      const newer = shapesOf(element(child, 'Choice'));
      return newer.length > 0 ? newer : shapesOf(element(child, 'Fallback'));
    }
    return child.name === 'grpSp' ? shapesOf(child) : [];
  });
}

/** What a placeholder is for; nothing for a shape that is none. */
export function placeholderType(shape: XmlNode): string | undefined {
  const holder = element(shape, 'nvSpPr', 'nvPr', 'ph');
  return holder === undefined ? undefined : (holder.attributes['type'] ?? 'obj');
}

export function isTitle(shape: XmlNode): boolean {
  const type = placeholderType(shape);
  return type === 'title' || type === 'ctrTitle';
}

/** The number of the slide and the date are no content. */
const furniture = new Set(['sldNum', 'dt', 'sldImg', 'hdr']);

export function shapePieces(shape: XmlNode, pack: Package, path: string): Piece[] {
  const type = placeholderType(shape);
  if (type !== undefined && furniture.has(type)) return [];
  if (shape.name === 'pic') return [picturePiece(shape, shape, pack, path)];
  if (shape.name === 'graphicFrame') return framePieces(shape, pack, path);
  const listed = type === 'body' || type === 'obj';
  return paragraphsOf(element(shape, 'txBody'), pack, path, listed).map(({ text, level, mark }) =>
    mark === '' && level === 0 ? { text } : { text, item: { level, mark } },
  );
}

type Paragraph = { text: string; level: number; mark: string };

/** Paragraphs with words; in the body of a slide they are items of a list unless they say otherwise. */
export function paragraphsOf(body: XmlNode | undefined, pack: Package, path: string, listed = false): Paragraph[] {
  const found: Paragraph[] = [];
  const counts: { way: string; count: number }[] = [];
  for (const paragraph of elements(body, 'p')) {
    const text = runsText(paragraph, pack, path).trim();
    const properties = element(paragraph, 'pPr');
    const level = Math.min(8, Number(properties?.attributes['lvl'] ?? 0) || 0);
    const numbered = element(properties, 'buAutoNum')?.attributes;
    if (text === '') continue;
    // Numbers of another kind, or with another first one, do not go on with those before them.
    const way = numbered === undefined ? '' : `${numbered['type']} ${numbered['startAt']}`;
    const count = counts[level]?.way === way ? (counts[level]?.count ?? 0) + 1 : 1;
    counts.length = Math.min(counts.length, level);
    counts[level] = { way, count };
    const start = Number(numbered?.['startAt'] ?? 1);
    const plain = element(properties, 'buNone') !== undefined;
    const bullet =
      !plain && (listed || element(properties, 'buChar') !== undefined || element(properties, 'buBlip') !== undefined);
    const number = numbered === undefined ? '' : autoNumber(start + count - 1, numbered['type'] ?? '');
    found.push({ text, level, mark: number === '' && bullet ? '-' : number });
  }
  return found;
}

const ways: readonly (readonly [start: string, format: string])[] = [
  ['alphaLc', 'lowerLetter'],
  ['alphaUc', 'upperLetter'],
  ['romanLc', 'lowerRoman'],
  ['romanUc', 'upperRoman'],
];

/** PowerPoint names its ways of counting by sign and bracket: alphaLcParenR, arabicPeriod. */
function autoNumber(value: number, type: string): string {
  const format = ways.find(([start]) => type.startsWith(start))?.[1] ?? 'decimal';
  const sign = numeral(value, format);
  if (type.endsWith('ParenBoth')) return `(${sign})`;
  return `${sign}${type.endsWith('ParenR') ? ')' : '.'}`;
}

function runsText(paragraph: XmlNode, pack: Package, path: string, out = styledText()): string {
  for (const child of elements(paragraph)) {
    if (child.name === 'br') out.write('\n');
    else if (child.name === 'm' || child.name === 'oMath') out.write(formulasIn(child));
    else if (child.name === 'AlternateContent') runsText(element(child, 'Choice') ?? child, pack, path, out);
    else if (child.name === 'r' || child.name === 'fld') {
      const properties = element(child, 'rPr');
      const words = innerText(element(child, 't')).replaceAll('\v', '\n');
      const click = element(properties, 'hlinkClick');
      const relation = click && pack.relations(path).get(click.attributes['r:id'] ?? '');
      const at = relation?.external === true ? out.mark() : 0;
      out.write(words, runLook(properties?.attributes));
      if (relation?.external === true) out.wrap(at, (inner) => link(inner, relation.target));
    }
  }
  return out.text();
}

/** Slides set whole texts in bold because it looks well; what is raised, lowered or struck says something. */
function runLook(attributes: XmlNode['attributes'] = {}): number {
  const shift = Number.parseFloat(attributes['baseline'] ?? '0');
  const struck = (attributes['strike'] ?? 'noStrike') === 'noStrike' ? 0 : looks.struck;
  return struck | (shift > 0 ? looks.raised : shift < 0 ? looks.lowered : 0);
}

function formulasIn(node: XmlNode): string {
  const display = descendants(node, 'oMathPara').length > 0;
  const found = node.name === 'oMath' ? [node] : descendants(node, 'oMath');
  return found.map((one) => officeFormula(one, display)).join(' ');
}

/** Tables, charts and diagrams stand in frames; of an embedded object its picture is shown. */
function framePieces(frame: XmlNode, pack: Package, path: string): Piece[] {
  const data = element(frame, 'graphic', 'graphicData');
  const grid = element(data, 'tbl');
  if (grid !== undefined) return [{ text: gridTable(grid, pack, path) }];
  const relations = pack.relations(path);
  const target = (node: XmlNode | undefined, key: string): string | undefined =>
    relations.get(node?.attributes[key] ?? '')?.target;
  const chart = element(data, 'chart');
  if (chart !== undefined) return [{ text: chartTable(pack.part(target(chart, 'r:id'))) }];
  const diagram = element(data, 'relIds');
  if (diagram !== undefined) return [{ text: diagramText(pack.part(target(diagram, 'r:dm'))) }];
  const shown = data === undefined ? undefined : descendants(data, 'pic')[0];
  return shown === undefined ? [] : [picturePiece(shown, frame, pack, path)];
}

function gridTable(grid: XmlNode, pack: Package, path: string): string {
  const rows = elements(grid, 'tr').map((row) =>
    elements(row, 'tc').map((cell) => {
      const goesOn = cell.attributes['hMerge'] === '1' || cell.attributes['vMerge'] === '1';
      return goesOn
        ? ''
        : paragraphsOf(element(cell, 'txBody'), pack, path)
            .map(({ text }) => text)
            .join('\n');
    }),
  );
  return table(rows);
}

function picturePiece(node: XmlNode, named: XmlNode, pack: Package, path: string): Piece {
  const about = descendants(named, 'cNvPr')[0]?.attributes;
  const id = descendants(node, 'blip')[0]?.attributes;
  const relation = pack.relations(path).get(id?.['r:embed'] ?? id?.['r:link'] ?? '');
  const words = about?.['descr'] ?? about?.['title'] ?? '';
  if (relation === undefined) return { text: '' };
  return { text: picture(words, relation.external ? relation.target : pack.picture(relation.target)) };
}
