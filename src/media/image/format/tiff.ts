// TIFF and BigTIFF in both byte orders: the size and orientation of one page and how many pages there are, from the
// directories alone. A directory may lie anywhere, so the head that is asked for may be long.
import type { ImageFormat, ShapeResult } from '../format.ts';

type Directory = { width: number; height: number; orientation: number; next: number };

type Layout = {
  view: DataView;
  little: boolean;
  /** bytes of a number that counts entries, of an entry, and of an offset */
  count: 2 | 8;
  entry: 12 | 20;
  offset: 4 | 8;
};

/** More pages than any real file has; a chain that is longer was made to keep a reader busy. */
const mostPages = 10_000;
const [widthTag, heightTag, orientationTag] = [0x0100, 0x0101, 0x0112];

export const tiff: ImageFormat = {
  type: 'image/tiff',
  name: 'TIFF',
  label: 'a TIFF picture',
  ending: '.tiff',
  magic: ['49492a00', '4d4d002a', '49492b00', '4d4d002b'],
  canonical: false,
  parts: 'pages',
  header: tiffHeader,
};

/** Pages are counted as far as the head reaches; the page that is asked for has to be there. */
export function tiffHeader(head: Buffer, page = 0): ShapeResult {
  if (head.length < 16) return { need: 16 };
  const layout = layoutOf(head);
  const seen = new Set<number>();
  let found: Directory | undefined;
  for (let at = offsetAt(layout, layout.offset === 4 ? 4 : 8); at !== 0 && !seen.has(at) && seen.size < mostPages;) {
    const directory = directoryAt(layout, at);
    if ('need' in directory && found === undefined) return directory;
    if ('need' in directory) break;
    if (seen.size === page) found = directory;
    seen.add(at);
    at = directory.next;
  }
  if (found === undefined) return { fault: page === 0 ? 'it holds no picture' : `it has no page ${page + 1}` };
  const { width, height, orientation } = found;
  const header = { width, height, orientation, animated: false, pages: seen.size };
  return { header: page === 0 ? header : { ...header, page } };
}

function layoutOf(head: Buffer): Layout {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const little = head[0] === 0x49;
  const big = view.getUint16(2, little) === 43;
  return { view, little, count: big ? 8 : 2, entry: big ? 20 : 12, offset: big ? 8 : 4 };
}

function directoryAt(layout: Layout, at: number): Directory | { need: number } {
  const { view, little, count, entry, offset } = layout;
  if (at + count > view.byteLength) return { need: at + count + 4096 };
  const entries = count === 2 ? view.getUint16(at, little) : Number(view.getBigUint64(at, little));
  const last = at + count + entries * entry;
  if (last + offset > view.byteLength) return { need: last + offset };
  const tags = new Map<number, number>();
  for (let from = at + count; from < last; from += entry) {
    const tag = view.getUint16(from, little);
    if (tag === widthTag || tag === heightTag || tag === orientationTag) tags.set(tag, valueAt(layout, from));
  }
  const orientation = tags.get(orientationTag) ?? 1;
  return {
    width: tags.get(widthTag) ?? 0,
    height: tags.get(heightTag) ?? 0,
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    next: offsetAt(layout, last),
  };
}

/** A number that stands in the entry itself, as every size does. */
function valueAt({ view, little, entry }: Layout, from: number): number {
  const at = from + (entry === 12 ? 8 : 12);
  const type = view.getUint16(from + 2, little);
  if (type === 1) return view.getUint8(at);
  if (type === 3) return view.getUint16(at, little);
  if (type === 4) return view.getUint32(at, little);
  return type === 16 && entry === 20 ? Number(view.getBigUint64(at, little)) : 0;
}

function offsetAt({ view, little, offset }: Layout, at: number): number {
  return offset === 4 ? view.getUint32(at, little) : Number(view.getBigUint64(at, little));
}
