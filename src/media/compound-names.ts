// The bytes of an OLE2 container in, the names of what lies in it out. Only its directory is read: no stream, no
// library. A damaged or cut-off container gives the names found so far.

const maxSectors = 4096;
const firstSpecial = 0xfffffffa;

/** Lower-case names of all streams and storages. */
export function compoundNames(bytes: Uint8Array): ReadonlySet<string> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names = new Set<string>();
  if (data.length < 512) return names;
  const shift = data.readUInt16LE(30);
  const size = shift === 12 ? 4096 : 512;
  const seen = new Set<number>();
  for (let sector = data.readUInt32LE(48); sector < firstSpecial; sector = nextSector(data, sector, size)) {
    const start = (sector + 1) * size;
    if (seen.has(sector) || seen.size >= maxSectors || start >= data.length) break;
    seen.add(sector);
    const end = Math.min(start + size, data.length);
    for (let entry = start; entry + 128 <= end; entry += 128) {
      const length = Math.min(data.readUInt16LE(entry + 64), 64);
      if (length >= 2) names.add(data.toString('utf16le', entry, entry + length - 2).toLowerCase());
    }
  }
  return names;
}

/** Where a chain goes on; the table of chains lies in sectors that the header lists, the first 109 of them. */
function nextSector(data: Buffer, sector: number, size: number): number {
  const perSector = size / 4;
  const listed = Math.floor(sector / perSector);
  if (listed >= 109) return firstSpecial;
  const at = (data.readUInt32LE(76 + listed * 4) + 1) * size + (sector % perSector) * 4;
  return at + 4 <= data.length ? data.readUInt32LE(at) : firstSpecial;
}
