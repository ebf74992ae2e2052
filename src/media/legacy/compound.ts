// The bytes of an OLE2 container in, its streams by name out. Chains of sectors are followed no further than there are
// sectors, and all streams together hold no more bytes than the file. A container that is damaged gives nothing.
export type Compound = {
  names: readonly string[];
  /** Streams go by their last name, without regard to case. */
  has(name: string): boolean;
  /** Whether a stream has as many bytes as it should; some that lack their end are of use all the same. */
  isWhole(name: string): boolean;
  stream(name: string): Buffer | undefined;
  /** Streams by the whole way to them, which two of one name need: `storage/stream`. */
  paths: readonly string[];
  at(path: string): Buffer | undefined;
  /** The whole file with other bytes in streams of the same length. */
  replaced(streams: ReadonlyMap<string, Buffer>): Buffer;
};

const signature = 'd0cf11e0a1b11ae1';
const lastSector = 0xfffffff9;
const maxTables = 70_000; // enough for four gibibytes

/** Whether these bytes begin like an OLE2 container. */
export function isCompound(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 8)).toString('hex') === signature;
}

export function openCompound(bytes: Uint8Array): Compound | undefined {
  if (!isCompound(bytes) || bytes.length < 1024) return undefined;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const file = sectorsOf(data);
  const directory = file === undefined ? undefined : file.chain(data.readUInt32LE(48), Infinity);
  if (file === undefined || directory === undefined) return undefined;
  const entries = entriesIn(directory);
  const root = entries.find(({ type }) => type === 5);
  // A stream that is longer than the file is the mark of a directory that cannot be trusted in anything.
  if (root === undefined || entries.some(({ type, size }) => type === 2 && size > data.length)) return undefined;
  const small = smallSectors(file, data, root);
  const limit = data.readUInt32LE(56);
  const byPath = pathsOf(entries, root);
  const streams = new Map<string, Entry>();
  // What lies at the top is the file itself; a document inside of it has streams of the same names.
  const atTop = [...byPath].flatMap(([path, entry]) => (path.includes('/') ? [] : [entry]));
  for (const entry of [...atTop, ...entries]) {
    const key = entry.name.toLowerCase();
    if (entry.type === 2 && !streams.has(key)) streams.set(key, entry);
  }
  const entryOf = (name: string): Entry | undefined => streams.get(name.toLowerCase());
  const content = (entry: Entry | undefined): Buffer | undefined => {
    if (entry === undefined) return undefined;
    return entry.size < limit ? small.read(entry) : file.chain(entry.start, entry.size);
  };
  const stream = (name: string): Buffer | undefined => content(entryOf(name));
  return {
    paths: [...byPath.keys()],
    at: (path) => content(byPath.get(path)),
    names: [...streams.keys()],
    has: (name) => streams.has(name.toLowerCase()),
    isWhole: (name) => stream(name)?.length === entryOf(name)?.size,
    stream,
    replaced: (changed) => {
      const copy = Buffer.from(data);
      for (const [name, other] of changed) {
        const entry = entryOf(name);
        if (entry) overwrite(copy, other, entry.size < limit ? small.places(entry) : file.places(entry.start));
      }
      return copy;
    },
  };
}

/** Puts bytes where the sectors of a stream lie. */
function overwrite(copy: Buffer, bytes: Buffer, { size, starts }: Places): void {
  for (const [index, start] of starts.entries()) bytes.copy(copy, start, index * size, (index + 1) * size);
}

/** Where the sectors of a stream begin in the file, and how long each is. */
type Places = { size: number; starts: readonly number[] };

type Sectors = {
  table: readonly number[];
  /** The bytes along a chain, at most so many; fewer when the chain breaks off, nothing when it goes in a circle. */
  chain(start: number, size: number): Buffer | undefined;
  places(start: number): Places;
};

/** The numbers of the sectors along a chain. */
function sectorsFrom(table: readonly number[], start: number): number[] {
  const found: number[] = [];
  for (let at = start; at <= lastSector && found.length <= table.length; at = table[at] ?? 0xffffffff) found.push(at);
  return found;
}

/** Follows a chain through a table; `at` gives the bytes of a sector. */
function follow(
  table: readonly number[],
  start: number,
  size: number,
  at: (sector: number) => Buffer,
): Buffer | undefined {
  const parts: Buffer[] = [];
  let length = 0;
  for (let sector = start; sector <= lastSector && length < size; sector = table[sector] ?? 0xffffffff) {
    if (parts.length > table.length) return undefined;
    const part = at(sector);
    if (part.length === 0) break;
    parts.push(part);
    length += part.length;
  }
  const whole = Buffer.concat(parts);
  return whole.length > size ? whole.subarray(0, size) : whole;
}

function sectorsOf(data: Buffer): Sectors | undefined {
  const shift = data.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return undefined;
  const size = 1 << shift;
  const at = (sector: number): Buffer => data.subarray((sector + 1) * size, (sector + 2) * size);
  // Where the table of chains lies: the first 109 places in the header, the others in a chain of their own.
  const places: number[] = [];
  for (let index = 0; index < 109; index += 1) places.push(data.readUInt32LE(76 + index * 4));
  const seen = new Set<number>();
  for (let next = data.readUInt32LE(68); next <= lastSector && !seen.has(next) && seen.size < maxTables;) {
    seen.add(next);
    const list = at(next);
    if (list.length < size) break;
    for (let index = 0; index < size - 4; index += 4) places.push(list.readUInt32LE(index));
    next = list.readUInt32LE(size - 4);
  }
  const table: number[] = [];
  const used = new Set<number>();
  for (const place of places) {
    if (place > lastSector) continue;
    if (used.has(place)) return undefined;
    used.add(place);
    numbers(at(place), table);
  }
  return {
    table,
    chain: (start, length) => follow(table, start, length, at),
    places: (start) => ({ size, starts: sectorsFrom(table, start).map((sector) => (sector + 1) * size) }),
  };
}

function numbers(bytes: Buffer, into: number[]): void {
  for (let at = 0; at + 4 <= bytes.length; at += 4) into.push(bytes.readUInt32LE(at));
}

type Entry = { name: string; type: number; start: number; size: number; left: number; right: number; child: number };

function entriesIn(directory: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + 128 <= directory.length; at += 128) {
    const length = Math.min(directory.readUInt16LE(at + 64), 64);
    entries.push({
      name: directory.toString('utf16le', at, at + Math.max(0, length - 2)),
      type: directory[at + 66] ?? 0,
      left: directory.readUInt32LE(at + 68),
      right: directory.readUInt32LE(at + 72),
      child: directory.readUInt32LE(at + 76),
      start: directory.readUInt32LE(at + 116),
      size: directory.readUInt32LE(at + 120),
    });
  }
  return entries;
}

/** Streams by the storages they lie in. Each entry is visited once, whatever they say of each other. */
function pathsOf(entries: readonly Entry[], root: Entry): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  const seen = new Set<number>();
  const left: [index: number, folder: string][] = [[root.child, '']];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [index, folder] = next;
    const entry = entries[index];
    if (entry === undefined || seen.has(index)) continue;
    seen.add(index);
    left.push([entry.left, folder], [entry.right, folder]);
    if (entry.type === 2) found.set(`${folder}${entry.name}`, entry);
    else if (entry.type === 1 && folder.length < 2000) left.push([entry.child, `${folder}${entry.name}/`]);
  }
  return found;
}

type SmallSectors = { read(entry: Entry): Buffer | undefined; places(entry: Entry): Places };

/** Short streams share the stream of the root, in sectors of 64 bytes with a table of their own. */
function smallSectors(file: Sectors, data: Buffer, root: Entry): SmallSectors {
  const shared = file.chain(root.start, root.size) ?? Buffer.alloc(0);
  const table: number[] = [];
  numbers(file.chain(data.readUInt32LE(60), Infinity) ?? Buffer.alloc(0), table);
  const at = (sector: number): Buffer => shared.subarray(sector * 64, sector * 64 + 64);
  return {
    read: ({ start, size }) => follow(table, start, size, at),
    places: ({ start }) => {
      const { size, starts } = file.places(root.start);
      const placeOf = (sector: number): number =>
        (starts[Math.floor((sector * 64) / size)] ?? data.length) + ((sector * 64) % size);
      return { size: 64, starts: sectorsFrom(table, start).map(placeOf) };
    },
  };
}
