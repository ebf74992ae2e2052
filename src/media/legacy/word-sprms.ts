// The properties that Word 97 to 2003 writes beside text, one after the other: their numbers and values out.
export type Sprms = ReadonlyMap<number, number>;

/** The properties that say something here. */
export const sprm = {
  deleted: 0x0800,
  inserted: 0x0801,
  insertedBy: 0x4804,
  deletedBy: 0x4863,
  bold: 0x0835,
  italic: 0x0836,
  struck: 0x0837,
  doublyStruck: 0x2a53,
  hidden: 0x083c,
  picture: 0x6a03,
  level: 0x2a48,
  characterStyle: 0x4a30,
  listLevel: 0x260a,
  list: 0x460b,
  outline: 0x2640,
  inTable: 0x2416,
  endsRow: 0x2417,
} as const;

const sizes = [1, 1, 2, 4, 2, 2, 0, 3];
/** The one whose length takes two bytes. */
const tableDefinition = 0xd608;

/** Properties by their number, as far as each is a number of one, two or four bytes; the others are only stepped over. */
export function sprmsIn(bytes: Buffer, from: number, length: number): Sprms {
  const found = new Map<number, number>();
  const until = Math.min(from + length, bytes.length - 2);
  for (let at = from; at >= 0 && at < until;) {
    const number = bytes.readUInt16LE(at);
    at += 2;
    const size = sizes[number >> 13] ?? 1;
    if (size === 1) found.set(number, bytes[at] ?? 0);
    else if (size === 2 && at + 2 <= bytes.length) found.set(number, bytes.readUInt16LE(at));
    else if (size === 4 && at + 4 <= bytes.length) found.set(number, bytes.readUInt32LE(at));
    if (number === tableDefinition && at + 2 <= bytes.length) at += bytes.readUInt16LE(at) + 1;
    else at += size === 0 ? (bytes[at] ?? 0) + 1 : size;
  }
  return found;
}
