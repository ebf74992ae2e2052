// TIFF and BigTIFF in both byte orders: the size and orientation of one page and how many pages there are, from the
// directories alone. A directory may lie anywhere, so the head that is asked for may be long.
import type { ImageFormat, ImageHeader, Openable, ShapeResult, UnreadShape } from '../format.ts';
import { labColours } from './lab.ts';

type Directory = {
  width: number;
  height: number;
  orientation: number;
  /** a small copy of what lies elsewhere in the file, as cameras write it */
  preview: boolean;
  next: number;
  /** how colours are coded, where that stands, and the bits of one of their numbers */
  colour: { kind: number; at: number; bits: number };
};

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
/** More facts about one page than any decoder takes. */
const mostEntries = 4096;
const [widthTag, heightTag, bitsTag, colourTag, orientationTag] = [0x0100, 0x0101, 0x0102, 0x0106, 0x0112];
const [kindTag, innerTag] = [0x00fe, 0x014a];
const [rgb, cieLab, iccLab] = [2, 8, 9];

const toldTags = new Set([widthTag, heightTag, orientationTag, kindTag, innerTag]);

export const tiff: ImageFormat = {
  type: 'image/tiff',
  name: 'TIFF',
  label: 'a TIFF picture',
  ending: '.tiff',
  magic: ['49492a00', '4d4d002a', '49492b00', '4d4d002b'],
  canonical: false,
  parts: 'pages',
  header: tiffHeader,
  pixels: labPixels,
};

/** Pages are counted as far as the head reaches; the page that is asked for has to be there. */
export function tiffHeader(head: Buffer, page = 0): ShapeResult {
  if (head.length < 16) return { need: 16 };
  const layout = layoutOf(head);
  const seen = new Set<number>();
  let found: Directory | undefined;
  for (let at = offsetAt(layout, layout.offset === 4 ? 4 : 8); at !== 0 && !seen.has(at) && seen.size < mostPages;) {
    const directory = directoryAt(layout, at);
    if (!('next' in directory) && found === undefined) return directory;
    if (!('next' in directory)) break;
    if (seen.size === page) found = directory;
    seen.add(at);
    at = directory.next;
  }
  if (found === undefined) return { fault: page === 0 ? 'it holds no picture' : `it has no page ${page + 1}` };
  const { width, height, orientation, preview } = found;
  const rare = preview ? { rare: 'the preview of a raw photograph' } : {};
  const header = { width, height, orientation, animated: false, pages: seen.size, ...rare };
  return { header: page === 0 ? header : { ...header, page } };
}

/** Lab as the image library does not know it: the file says RGB instead, and its numbers are made RGB once decoded. */
function labPixels(bytes: Buffer, { page }: ImageHeader): Openable | undefined {
  const layout = layoutOf(bytes);
  let directory: Directory | undefined;
  for (let [at, index] = [offsetAt(layout, layout.offset === 4 ? 4 : 8), 0]; index <= (page ?? 0); index += 1) {
    const found = directoryAt(layout, at);
    if (!('next' in found)) return undefined;
    [directory, at] = [found, found.next];
  }
  const { kind = rgb, bits = 0, at = 0 } = directory?.colour ?? {};
  // Sixteen bits of the older kind it does know.
  if ((kind !== cieLab || bits !== 8) && kind !== iccLab) return undefined;
  const data = Buffer.from(bytes);
  if (layout.little) data.writeUInt16LE(rgb, at);
  else data.writeUInt16BE(rgb, at);
  return { data, ...(page !== undefined && { page }), colours: labColours(kind === cieLab) };
}

function layoutOf(head: Buffer): Layout {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const little = head[0] === 0x49;
  const big = view.getUint16(2, little) === 43;
  return { view, little, count: big ? 8 : 2, entry: big ? 20 : 12, offset: big ? 8 : 4 };
}

function directoryAt(layout: Layout, at: number): Directory | UnreadShape {
  const { view, little, count, entry, offset } = layout;
  if (at + count > view.byteLength) return { need: at + count + 4096 };
  const entries = count === 2 ? view.getUint16(at, little) : Number(view.getBigUint64(at, little));
  if (entries > mostEntries) return { fault: `it says ${entries} things about one page` };
  const last = at + count + entries * entry;
  if (last + offset > view.byteLength) return { need: last + offset };
  const tags = new Map<number, number>();
  let [colourAt, bits] = [0, 0];
  for (let from = at + count; from < last; from += entry) {
    const tag = view.getUint16(from, little);
    if (toldTags.has(tag)) tags.set(tag, valueAt(layout, from));
    if (tag === colourTag) colourAt = from + entry - offset;
    if (tag === bitsTag) bits = firstBits(layout, from);
  }
  const orientation = tags.get(orientationTag) ?? 1;
  return {
    width: tags.get(widthTag) ?? 0,
    height: tags.get(heightTag) ?? 0,
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    preview: ((tags.get(kindTag) ?? 0) & 1) === 1 && tags.has(innerTag),
    next: offsetAt(layout, last),
    colour: { kind: colourAt === 0 ? 0 : view.getUint16(colourAt, little), at: colourAt, bits },
  };
}

/** Bits of the first of several numbers, which stand elsewhere when there is no room in the entry. */
function firstBits({ view, little, entry, offset }: Layout, from: number): number {
  const value = from + entry - offset;
  const count = offset === 4 ? view.getUint32(from + 4, little) : Number(view.getBigUint64(from + 4, little));
  const at =
    count * 2 <= offset
      ? value
      : offset === 4
        ? view.getUint32(value, little)
        : Number(view.getBigUint64(value, little));
  return at + 2 <= view.byteLength ? view.getUint16(at, little) : 0;
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
