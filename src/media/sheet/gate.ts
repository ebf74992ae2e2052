// A workbook's archive in, the same archive out with its parts unpacked and checked, ready for a library that would
// otherwise believe every size in it. Parts that hold no cells stay outside. Refused: what the archive reader refuses.
import type { Read } from '../../content/refusal.ts';
import { pictureName } from '../document/markdown.ts';
import type { InnerPicture } from '../document/reader.ts';
import type { Zip } from '../zip/read.ts';
import { storedZip } from '../zip/write.ts';

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
  return { ok: true, value: storedZip(entries) };
}

/** The pictures of a workbook, wherever they stand in it. */
export function picturesIn(archive: Zip): InnerPicture[] {
  const paths = archive.names.filter((path) => pictured.test(path)).slice(0, maxPictures);
  return paths.flatMap((path) => {
    const content = archive.read(path);
    return content.ok ? [{ name: pictureName(path), bytes: content.value }] : [];
  });
}
