// The properties that Word 6 to 2003 writes beside text, one after the other: their numbers and values out.
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
  symbol: 0x6a09,
  font: 0x4a4f,
  position: 0x4845,
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

/** Where the cells of a row end, as the definition of the row has it. */
export function cellEdges(bytes: Buffer, from: number, length: number): number[] {
  const until = Math.min(from + length, bytes.length - 3);
  for (let at = from; at >= 0 && at < until;) {
    const number = bytes.readUInt16LE(at);
    at += 2;
    if (number === tableDefinition) {
      const count = bytes[at + 2] ?? 0;
      const places = Array.from({ length: count }, (_, cell) => at + 5 + cell * 2);
      return places.every((place) => place + 2 <= bytes.length) ? places.map((place) => bytes.readInt16LE(place)) : [];
    }
    const size = sizes[number >> 13] ?? 1;
    at += size === 0 ? (bytes[at] ?? 0) + 1 : size;
  }
  return [];
}

/** Whose change it is, also where something was deleted. */
const changedBy = 69;

/** Of Word 6 and 95: how properties are called that say something here. */
const oldNames = new Map<number, number>([
  [65, sprm.deleted],
  [66, sprm.inserted],
  [85, sprm.bold],
  [86, sprm.italic],
  [87, sprm.struck],
  [92, sprm.hidden],
  [104, sprm.level],
]);

const oneByte = [65, 66, 67, 71, 75, 85, 86, 87, 88, 89, 90, 91, 92, 94, 98, 100, 102, 104, 117, 118];
const twoBytes = [69, 72, 80, 93, 96, 97, 99, 101, 107, 109, 110];
const counted = [68, 74, 81, 82, 103, 105, 106, 108];

/** Behind its number each has so many bytes, or a byte that counts them. */
const oldSizes = new Map<number, number | 'counted'>([
  ...oneByte.map((number) => [number, 1] as const),
  ...twoBytes.map((number) => [number, 2] as const),
  ...counted.map((number) => [number, 'counted'] as const),
  [70, 4],
  [73, 3],
  [83, 0],
  [95, 3],
]);

/** The same of words in Word 6 and 95, by the numbers of later versions; behind one that is not known nothing is. */
export function oldSprmsIn(bytes: Buffer, from: number, length: number): Sprms {
  const found = new Map<number, number>();
  const until = Math.min(from + length, bytes.length);
  for (let at = from; at < until;) {
    const number = bytes[at] ?? 0;
    const size = oldSizes.get(number);
    if (size === undefined) break;
    const name = oldNames.get(number);
    if (name !== undefined) found.set(name, bytes[at + 1] ?? 0);
    if (number === changedBy && at + 3 <= bytes.length) {
      const author = bytes.readUInt16LE(at + 1);
      found.set(sprm.insertedBy, author).set(sprm.deletedBy, author);
    }
    at += size === 'counted' ? 2 + (bytes[at + 1] ?? 0) : 1 + size;
  }
  return found;
}
