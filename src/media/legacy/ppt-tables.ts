// A group of shapes on an old slide in, the rows of a table out when it is one: each cell is a shape with a place of its own.
import type { RecordBudget, PptRecord } from './ppt-records.ts';
import { kinds, pptRecords, recordsBelow, recordText } from './ppt-records.ts';
import type { SlideText } from './ppt-text.ts';
import { textPieces } from './ppt-text.ts';

const [tableOption, mostCells] = [0x39f, 10_000];

type Cell = { left: number; top: number; text: string };

/** The rows of a group that PowerPoint shows as a table; nothing for any other group. */
export function slideTable(data: Buffer, group: PptRecord, budget: RecordBudget): string[][] | undefined {
  const shapes = [...pptRecords(data, group.start, group.end)].filter(({ type }) => type === kinds.shape);
  const [head, ...rest] = shapes;
  if (head === undefined || !isTable(data, head)) return undefined;
  const cells = rest.flatMap((shape) => cellIn(data, shape, budget) ?? []);
  const lefts = inOrder(cells.map(({ left }) => left));
  const tops = inOrder(cells.map(({ top }) => top));
  if (cells.length === 0 || lefts.length * tops.length > mostCells) return undefined;
  const [columns, lines] = [places(lefts), places(tops)];
  const rows = tops.map(() => lefts.map(() => ''));
  for (const { left, top, text } of cells) {
    const row = rows[lines.get(top) ?? 0];
    if (row !== undefined) row[columns.get(left) ?? 0] = text;
  }
  return rows;
}

function inOrder(values: readonly number[]): number[] {
  return [...new Set(values)].toSorted((one, other) => one - other);
}

function places(values: readonly number[]): Map<number, number> {
  return new Map(values.map((value, at) => [value, at]));
}

function isTable(data: Buffer, shape: PptRecord): boolean {
  for (const { type, instance, start, end } of pptRecords(data, shape.start, shape.end)) {
    if (type !== kinds.moreShapeOptions) continue;
    for (let at = start; at + 6 <= Math.min(end, start + instance * 6); at += 6)
      if ((data.readUInt16LE(at) & 0x3fff) === tableOption) return (data.readUInt32LE(at + 2) & 1) === 1;
  }
  return false;
}

/** A shape with room for words and a place in its group; the lines around cells have no such room. */
function cellIn(data: Buffer, shape: PptRecord, budget: RecordBudget): Cell | undefined {
  const inside = [...pptRecords(data, shape.start, shape.end)];
  const place = inside.find(({ type, start, end }) => type === kinds.placeInGroup && end - start >= 16);
  const box = inside.find(({ type }) => type === kinds.textBox);
  if (place === undefined || box === undefined) return undefined;
  const said: SlideText = { kind: 4, text: '' };
  for (const record of recordsBelow(data, box, budget)) {
    if (record.type === kinds.wideText || record.type === kinds.narrowText) said.text = recordText(data, record);
    if (record.type === kinds.textStyle) said.style = data.subarray(record.start, record.end);
  }
  const text = textPieces(said)
    .map((piece) => piece.text)
    .join('\n');
  return { left: data.readInt32LE(place.start), top: data.readInt32LE(place.start + 4), text };
}
