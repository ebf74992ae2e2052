// The bytes of an archive in, what its central directory says about each entry out. Nothing is inflated here and no
// size is believed: a directory that does not lie inside the bytes gives nothing.
import { isUtf8 } from 'node:buffer';

export type ZipRecord = {
  name: string;
  method: number;
  encrypted: boolean;
  crc: number;
  /** as declared, unpacked and packed */
  size: number;
  packed: number;
  /** where the packed bytes begin */
  start: number;
};

const [endMark, wideEndMark, wideLocatorMark, entryMark, localMark] = [
  0x06054b50, 0x06064b50, 0x07064b50, 0x02014b50, 0x04034b50,
];
const wide = 0xffffffff;

/** Every entry in the order of the directory; `too-many` before any of them is looked at. */
export function zipDirectory(bytes: Uint8Array, maxEntries: number): ZipRecord[] | 'too-many' | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const end = directoryEnd(data);
    if (end === undefined) return undefined;
    if (end.count > maxEntries) return 'too-many';
    // Bytes in front of the archive move everything; the directory always ends where its end record begins.
    const moved = end.at - end.size - end.offset;
    if (moved < 0) return undefined;
    const records: ZipRecord[] = [];
    for (let at = end.offset + moved; at + 46 <= end.at && data.readUInt32LE(at) === entryMark;) {
      if (records.length >= maxEntries) return 'too-many';
      const { record, next } = entryAt(data, at, moved);
      records.push(record);
      at = next;
    }
    return records.length < end.count % 0x10000 ? undefined : records;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // it points outside of itself
    throw error;
  }
}

type End = { at: number; count: number; size: number; offset: number };

/** The end record stands last, behind at most 65 535 bytes of comment. */
function directoryEnd(data: Buffer): End | undefined {
  for (let at = data.length - 22; at >= Math.max(0, data.length - 22 - 0xffff); at -= 1) {
    if (data.readUInt32LE(at) !== endMark) continue;
    const [count, size, offset] = [data.readUInt16LE(at + 10), data.readUInt32LE(at + 12), data.readUInt32LE(at + 16)];
    return wideEnd(data, at) ?? { at, count, size, offset };
  }
  return undefined;
}

const [wideEndSize, locatorSize] = [56, 20];

/** The record of 64-bit numbers before the end record. Some programs always write one, also where its numbers are small. */
function wideEnd(data: Buffer, end: number): End | undefined {
  const last = end - locatorSize - wideEndSize;
  if (last < 0 || data.readUInt32LE(end - locatorSize) !== wideLocatorMark) return undefined;
  // Bytes in front of the archive move it; then it stands where it mostly does.
  const at = [wideNumber(data, end - 12), last].find((one) => one <= last && data.readUInt32LE(one) === wideEndMark);
  if (at === undefined) return undefined;
  return { at, count: wideNumber(data, at + 32), size: wideNumber(data, at + 40), offset: wideNumber(data, at + 48) };
}

function entryAt(data: Buffer, at: number, moved: number): { record: ZipRecord; next: number } {
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => data.readUInt16LE(at + field));
  const nameEnd = at + 46 + (nameLength ?? 0);
  const extraEnd = nameEnd + (extraLength ?? 0);
  const flags = data.readUInt16LE(at + 8);
  let [size, packed, local] = [data.readUInt32LE(at + 24), data.readUInt32LE(at + 20), data.readUInt32LE(at + 42)];
  let field = size === wide || packed === wide || local === wide ? wideField(data, nameEnd, extraEnd) : undefined;
  const widened = (value: number): number => {
    if (value !== wide || field === undefined) return value;
    field += 8;
    return wideNumber(data, field - 8);
  };
  [size, packed, local] = [widened(size), widened(packed), widened(local) + moved];
  const head =
    data.readUInt32LE(local) === localMark ? data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28) : Number.NaN;
  const record = {
    name: nameIn(data.subarray(at + 46, nameEnd), (flags & 0x800) !== 0, data[at + 5] === madeOnUnix),
    method: data.readUInt16LE(at + 10),
    encrypted: (flags & 1) === 1,
    crc: data.readUInt32LE(at + 16),
    size,
    packed,
    start: local + 30 + head,
  };
  return { record, next: extraEnd + (commentLength ?? 0) };
}

const madeOnUnix = 3;
/** The upper half of code page 850: how Windows in western Europe writes the names that it does not mark as UTF-8. */
const upperHalf = Array.from(
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
);

/** A name that is not marked as UTF-8 is that on Linux and macOS all the same. */
function nameIn(bytes: Buffer, isMarked: boolean, isOfUnix: boolean): string {
  if (isMarked || isUtf8(bytes)) return bytes.toString();
  const text = bytes.toString('latin1');
  return isOfUnix
    ? text
    : text.replaceAll(/[\u0080-\u00ff]/g, (letter) => upperHalf[letter.charCodeAt(0) - 128] ?? letter);
}

/** Where the 64-bit numbers of an entry begin, in the order in which they are missed. */
function wideField(data: Buffer, from: number, until: number): number | undefined {
  for (let at = from; at + 4 <= until; at += 4 + data.readUInt16LE(at + 2)) {
    if (data.readUInt16LE(at) === 1) return at + 4;
  }
  return undefined;
}

function wideNumber(data: Buffer, at: number): number {
  return data.readUInt32LE(at) + data.readUInt32LE(at + 4) * 2 ** 32;
}
