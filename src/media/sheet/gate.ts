// A workbook's archive in, the same archive out with its parts unpacked and checked, ready for a library that would
// otherwise believe every size in it. Parts that hold no cells stay outside. Refused: what the archive reader refuses.
import { crc32 } from 'node:zlib';
import type { Read } from '../../content/refusal.ts';
import { pictureName } from '../document/markdown.ts';
import type { InnerPicture } from '../document/reader.ts';
import type { Zip } from '../zip.ts';

const needed = /\.(?:xml|rels|vml|bin)$|^mimetype$/i;
const unneeded = /printerSettings|vbaProject|^customXml\/|\/activeX\/|\/embeddings\/|^Object |pivotCacheRecords/i;
const pictured = /^(?:xl\/media|Pictures)\/[^/]+\.(?:png|jpe?g|gif|webp)$/i;
const maxPictures = 200;

export function soundArchive(archive: Zip): Read<Uint8Array> {
  const entries: { path: string; content: Uint8Array }[] = [];
  for (const path of archive.names) {
    if (!needed.test(path) || unneeded.test(path)) continue;
    const content = archive.read(path);
    if (!content.ok) return content;
    entries.push({ path, content: content.value });
  }
  return { ok: true, value: stored(entries) };
}

/** The pictures of a workbook, wherever they stand in it. */
export function picturesIn(archive: Zip): InnerPicture[] {
  const paths = archive.names.filter((path) => pictured.test(path)).slice(0, maxPictures);
  return paths.flatMap((path) => {
    const content = archive.read(path);
    return content.ok ? [{ name: pictureName(path), bytes: content.value }] : [];
  });
}

/** An archive whose entries are not packed at all. */
function stored(entries: readonly { path: string; content: Uint8Array }[]): Uint8Array {
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
