// The formatting pages of a Word 97 to 2003 file in, the little of it that changes the words out: which stretches are
// deleted or hidden, which paragraph stands in a table or ends a row of it, which is a heading. Places are offsets into the stream.
type Style = { heading: number; rowEnd: boolean; inTable: boolean };

export type Marks = {
  /** sorted, without overlap */
  unseen: readonly (readonly [start: number, end: number])[];
  within(start: number, end: number): (readonly [number, number])[];
  /** by the place behind the paragraph's last character */
  paragraphs: ReadonlyMap<number, Style>;
};

const pageSize = 512;
const [isDeleted, isHidden, standsInTable, endsRow] = [0x0800, 0x083c, 0x2416, 0x2417];
const [characterTable, paragraphTable] = [0xfa, 0x102];

export function markedRuns(stream: Buffer, tables: Buffer): Marks {
  const unseen: [number, number][] = [];
  for (const { start, end, data } of runs(stream, tables, characterTable)) {
    const offset = data(1) * 2;
    if (offset === 0) continue;
    const sprms = sprmsIn(stream, data.page + offset + 1, stream[data.page + offset] ?? 0);
    if (sprms.get(isDeleted) === 1 || sprms.get(isHidden) === 1) unseen.push([start, end]);
  }
  const paragraphs = new Map<number, Style>();
  for (const { end, data } of runs(stream, tables, paragraphTable)) {
    const at = data.page + data(13) * 2;
    if (at === data.page) continue;
    const short = (stream[at] ?? 0) !== 0;
    const length = short ? (stream[at] ?? 0) * 2 - 1 : (stream[at + 1] ?? 0) * 2;
    const from = short ? at + 1 : at + 2;
    const style = stream.readUInt16LE(Math.min(from, stream.length - 2));
    const sprms = sprmsIn(stream, from + 2, length - 2);
    const [rowEnd, inTable] = [sprms.get(endsRow) === 1, sprms.get(standsInTable) === 1];
    const heading = style <= 9 ? style : 0;
    if (rowEnd || inTable || heading > 0) paragraphs.set(end, { heading, rowEnd, inTable });
  }
  const sorted = joined(unseen);
  return { unseen: sorted, paragraphs, within: (start, end) => overlapping(sorted, start, end) };
}

/** `data(size)` is the first byte of what a page says about a run, when each run has `size` bytes there. */
type Run = { start: number; end: number; data: ((size: number) => number) & { page: number } };

function* runs(stream: Buffer, tables: Buffer, field: number): Generator<Run> {
  const from = stream.readUInt32LE(field);
  const list = tables.subarray(from, from + stream.readUInt32LE(field + 4));
  const count = Math.floor((list.length - 4) / 8);
  const seen = new Set<number>();
  for (let index = 0; index < count; index += 1) {
    const page = (list.readUInt32LE((count + 1) * 4 + index * 4) & 0x3fffff) * pageSize;
    if (seen.has(page) || page + pageSize > stream.length) continue;
    seen.add(page);
    const inPage = stream[page + pageSize - 1] ?? 0;
    for (let run = 0; run < inPage && page + run * 4 + 8 <= stream.length; run += 1) {
      const [start, end] = [stream.readUInt32LE(page + run * 4), stream.readUInt32LE(page + run * 4 + 4)];
      const first = (size: number): number => stream[page + (inPage + 1) * 4 + run * size] ?? 0;
      if (end > start) yield { start, end, data: Object.assign(first, { page }) };
    }
  }
}

/** Properties by their number, as far as each is one byte; the others are only stepped over. */
function sprmsIn(stream: Buffer, from: number, length: number): Map<number, number> {
  const found = new Map<number, number>();
  const until = Math.min(from + length, stream.length - 2);
  for (let at = from; at < until;) {
    const sprm = stream.readUInt16LE(at);
    at += 2;
    const kind = sprm >> 13;
    if (kind <= 1) found.set(sprm, stream[at] ?? 0);
    at += kind === 6 ? (stream[at] ?? 0) + 1 : ([1, 1, 2, 4, 2, 2, 0, 3][kind] ?? 1);
  }
  return found;
}

function joined(ranges: [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else out.push([start, end]);
  }
  return out;
}

function overlapping(ranges: readonly (readonly [number, number])[], start: number, end: number): [number, number][] {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[1] ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const found: [number, number][] = [];
  for (let at = low; at < ranges.length; at += 1) {
    const [first, last] = ranges[at] ?? [Infinity, 0];
    if (first >= end) break;
    found.push([first, last]);
  }
  return found;
}
