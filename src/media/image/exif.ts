// An EXIF block (a little TIFF file) in, the orientation tag out. Anything odd counts as upright, as browsers have it.

/** The orientation from 1 to 8; 1 when the block does not say or cannot be read. */
export function exifOrientation(exif: Buffer): number {
  const order = exif.toString('latin1', 0, 4);
  const little = order === 'II*\u0000';
  if ((!little && order !== 'MM\u0000*') || exif.length < 8) return 1;
  const word = (at: number): number => (little ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const directory = little ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
  if (directory + 2 > exif.length) return 1;
  const entries = word(directory);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > exif.length) return 1;
    if (word(at) !== 0x0112) continue;
    const orientation = word(at + 8);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}
