// AVIF, and the boxes it shares with HEIC: the size of the main picture as it is shown, after the cropping and turning that the container itself orders
// and every decoder does. Boxes are walked, never decoded.
import type { ImageFormat, ShapeResult } from '../format.ts';

type Box = { name: string; data: number; end: number };
type Size = { width: number; height: number };

export const avif: ImageFormat = {
  type: 'image/avif',
  name: 'AVIF',
  label: 'an AVIF picture',
  ending: '.avif',
  // A still picture may call itself the generic "mif1" first and say what it is among the compatible brands.
  magic: [/^[^]{4}ftyp(?:avi[fs]|mif1[^]{4,48}?avif)/],
  canonical: false,
  lossy: true,
  header: boxHeader,
};

/** The size of the main picture of any file made of such boxes. */
export function boxHeader(head: Buffer): ShapeResult {
  let meta: Box | undefined;
  for (let at = 0; meta === undefined;) {
    const box = boxAt(head, at);
    if (box === undefined) return { need: at + 16 };
    if (box.end <= at) return { fault: 'a box has an impossible length' };
    if (box.name === 'meta') meta = box;
    if (box.name === 'mdat' && box.end === Infinity) return { fault: 'it describes no picture' };
    at = box.end;
  }
  if (meta.end > head.length) return { need: meta.end };
  const size = mainSize(head, { ...meta, data: meta.data + 4 });
  if (size === undefined) return { fault: 'it does not say how large its main picture is' };
  const animated = head.toString('latin1', 8, 12) === 'avis';
  return { header: { ...size, orientation: 1, animated } };
}

/** The size that the properties of the main item add up to. */
function mainSize(bytes: Buffer, meta: Box): Size | undefined {
  const [main, properties] = [child(bytes, meta, 'pitm'), child(bytes, meta, 'iprp')];
  const list = properties && child(bytes, properties, 'ipco');
  const links = properties && child(bytes, properties, 'ipma');
  const isWide = main !== undefined && bytes[main.data] !== 0;
  if (!main || !list || !links || main.end - main.data < (isWide ? 8 : 6)) return undefined;
  const item = isWide ? bytes.readUInt32BE(main.data + 4) : bytes.readUInt16BE(main.data + 4);
  const known = [...boxes(bytes, list)];
  let size: Size | undefined;
  for (const index of linked(bytes, links, item)) {
    const property = known[index - 1];
    if (property === undefined) continue;
    const length = property.end - property.data;
    if (property.name === 'ispe' && length >= 12) {
      size = { width: bytes.readUInt32BE(property.data + 4), height: bytes.readUInt32BE(property.data + 8) };
    }
    if (property.name === 'clap' && length >= 16) size = cropped(bytes, property) ?? size;
    const turned = property.name === 'irot' && length >= 1 && (bytes.readUInt8(property.data) & 1) === 1;
    if (turned && size !== undefined) size = { width: size.height, height: size.width };
  }
  return size;
}

/** The cropped size is a pair of fractions. */
function cropped(bytes: Buffer, { data }: Box): Size | undefined {
  const [width, height] = [0, 8].map((at) => bytes.readUInt32BE(data + at) / bytes.readUInt32BE(data + at + 4));
  const whole = width !== undefined && height !== undefined && width >= 1 && height >= 1;
  return whole && Number.isFinite(width * height)
    ? { width: Math.round(width), height: Math.round(height) }
    : undefined;
}

/** The numbers of an item's properties, in the order in which they apply. */
function linked(bytes: Buffer, { data, end }: Box, item: number): number[] {
  const [long, wide] = [(bytes[data] ?? 0) >= 1 ? 4 : 2, ((bytes[data + 3] ?? 0) & 1) === 1];
  let at = data + 8;
  while (at + long + 1 <= end) {
    const id = bytes.readUIntBE(at, long);
    const count = bytes[at + long] ?? 0;
    at += long + 1;
    const next = at + count * (wide ? 2 : 1);
    if (next > end) return [];
    if (id === item) {
      const mask = wide ? 0x7fff : 0x7f; // the highest bit only says whether it may be ignored
      return Array.from({ length: count }, (_, index) =>
        wide ? bytes.readUInt16BE(at + index * 2) & mask : (bytes[at + index] ?? 0) & mask,
      );
    }
    at = next;
  }
  return [];
}

function child(bytes: Buffer, parent: Box, name: string): Box | undefined {
  for (const box of boxes(bytes, parent)) if (box.name === name) return box;
  return undefined;
}

function* boxes(bytes: Buffer, { data, end }: Box): Generator<Box> {
  for (let at = data; at + 8 <= end;) {
    const box = boxAt(bytes, at);
    if (box === undefined || box.end <= at || box.end > end) return;
    yield box;
    at = box.end;
  }
}

/** A length of 0 reaches to the end of the file, a length of 1 stands in eight further bytes. */
function boxAt(bytes: Buffer, at: number): Box | undefined {
  if (at + 8 > bytes.length) return undefined;
  const [length, name] = [bytes.readUInt32BE(at), bytes.toString('latin1', at + 4, at + 8)];
  if (length === 0) return { name, data: at + 8, end: Infinity };
  if (length !== 1) return { name, data: at + 8, end: length < 8 ? at : at + length };
  if (at + 16 > bytes.length) return undefined;
  return { name, data: at + 16, end: at + Number(bytes.readBigUInt64BE(at + 8)) };
}
