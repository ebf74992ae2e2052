// The package of a workbook and one of its sheets in; the boxes, choices and lists of forms that lie on it out, with their state and
// the cell they begin at. Old and new programs say the place and the label in a drawing of the old kind (VML).
import { oneLine } from '../document/markdown.ts';
import { boxText, controlText } from '../office/activex.ts';
import type { CellsNamed } from '../office/chart.ts';
import type { Package } from '../office/package.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, element, innerText } from '../xml/tree.ts';
import { cellName } from './range.ts';

/** What is said at the cells, and the numbers of the shapes by which newer programs show the same. */
export type SheetControls = { said: string[]; shapes: ReadonlySet<string> };

const mostControls = 500;
const noControls: SheetControls = { said: [], shapes: new Set() };

/** Where a sheet says its controls: behind all cells. */
const listStart = '<controls';

export function controlsOn(pack: Package, path: string, name: string, cells: CellsNamed): SheetControls {
  const relations = [...pack.relations(path).values()];
  const hasList = relations.some(({ type }) => type === 'ctrlProp' || type === 'control');
  const drawn = relations.find(({ type }) => type === 'vmlDrawing')?.target;
  // Most such drawings only show comments.
  const drawing = drawn !== undefined && (hasList || hasControls(pack.bytes(drawn))) ? pack.part(drawn) : undefined;
  if (drawing === undefined) return noControls;
  const listed = hasList ? listedControls(pack, path) : [];
  const shapes = descendants(drawing, 'shape').filter((shape) => isControl(shape, listed));
  const said = shapes.slice(0, mostControls).flatMap((shape, at) => {
    const number = numberOf(shape);
    // Some programs number the shapes of the two drawings each in its own way, in the same order.
    const own =
      listed.find((one) => one.shape === number) ?? (shapes.length === listed.length ? listed[at] : undefined);
    const words = controlWords(pack, shape, own, (range) =>
      cells(range.includes('!') ? range : `'${quoted(name)}'!${range}`),
    );
    return words === '' ? [] : [`At ${placeOf(shape)}: ${words}`];
  });
  return { said, shapes: new Set(listed.map(({ shape }) => shape)) };
}

function quoted(name: string): string {
  return name.replaceAll("'", "''");
}

/** A control by the number of its shape, and the part that says its state. */
type Listed = { shape: string; type: string; part: string };

/** By their text, because the tree of a sheet would be one of all of its cells. */
function listedControls(pack: Package, path: string): Listed[] {
  const bytes = pack.bytes(path);
  const sheet = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const from = sheet?.lastIndexOf(listStart) ?? -1;
  if (sheet === undefined || from === -1) return [];
  const found = new Map<string, Listed>();
  for (const [tag] of sheet.toString('utf8', from).matchAll(/<control\s[^>]{0,2000}>/g)) {
    const [, shape = ''] = /\bshapeId="(\d{1,9})"/.exec(tag) ?? [];
    const [, id = ''] = /\br:id="([^"]{1,200})"/.exec(tag) ?? [];
    const relation = pack.relations(path).get(id);
    // Older and newer programs are told the same of a control, each in its own words.
    if (relation !== undefined && found.size < mostControls)
      found.set(shape, { shape, type: relation.type, part: relation.target });
  }
  return [...found.values()];
}

const kinds = new Set(['Checkbox', 'Radio', 'Drop', 'List']);

function hasControls(bytes: Uint8Array = new Uint8Array()): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [...kinds].some((kind) => text.includes(`"${kind}"`));
}

function isControl(shape: XmlNode, listed: readonly Listed[]): boolean {
  const kind = element(shape, 'ClientData')?.attributes['ObjectType'] ?? '';
  return kinds.has(kind) || (kind === 'Pict' && listed.some((one) => one.shape === numberOf(shape)));
}

/** `_x0000_s1025` is the shape 1025. */
function numberOf({ attributes }: XmlNode): string {
  return /\d+$/.exec(attributes['spid'] ?? attributes['id'] ?? '')?.[0] ?? '';
}

function placeOf(shape: XmlNode): string {
  const [column = Number.NaN, , row = Number.NaN] = saidOf(shape, 'Anchor').split(',').map(Number);
  return Number.isInteger(row) && Number.isInteger(column) ? cellName(row, column) : 'no cell';
}

function saidOf(shape: XmlNode, name: string): string {
  return innerText(element(shape, 'ClientData', name)).trim();
}

function controlWords(pack: Package, shape: XmlNode, own: Listed | undefined, cells: CellsNamed): string {
  if (own?.type === 'control') return controlText(pack, own.part) ?? '';
  const state = own && pack.part(own.part)?.attributes;
  const kind = element(shape, 'ClientData')?.attributes['ObjectType'] ?? '';
  if (kind === 'Checkbox' || kind === 'Radio') {
    const isTicked = state === undefined ? saidOf(shape, 'Checked') === '1' : state['checked'] === 'Checked';
    return boxText(isTicked, innerText(element(shape, 'textbox')));
  }
  const chosen = Number(state?.['sel'] ?? saidOf(shape, 'Sel'));
  const range = state?.['fmlaRange'] ?? saidOf(shape, 'FmlaRange');
  return chosen > 0 ? oneLine(cells(range)[chosen - 1] ?? '') : '';
}
