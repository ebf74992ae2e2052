// Entries in, an archive out in which none of them is packed: for libraries and assets that need a whole file again.
import { crc32 } from 'node:zlib';

export function storedZip(entries: readonly { path: string; content: Uint8Array }[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { path, content } of entries) {
    const name = Buffer.from(path, 'utf8');
    const about = Buffer.alloc(26); // everything both kinds of header share, from the version on
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(0x800, 2);
    about.writeUInt32LE(crc32(content), 10);
    about.writeUInt32LE(content.length, 14);
    about.writeUInt32LE(content.length, 18);
    about.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    parts.push(Buffer.from('504b0304', 'hex'), about, name, content);
    directory.push(Buffer.from('504b01021400', 'hex'), about, place, name);
    offset += 30 + name.length + content.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
