// Rich Text as Outlook packs it in, Rich Text out. Its size is bounded before anything is unpacked.

const dictionary =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';
const [packed, plain] = [0x75465a4c, 0x414c454d];
const windowSize = 4096;
const mostBytes = 64 * 1024 * 1024;

/** Nothing when there is none, or when it is packed in another way. */
export function unpackedRtf(stream: Buffer | undefined): Buffer | undefined {
  if (stream === undefined || stream.length < 16) return undefined;
  const [size, kind] = [stream.readUInt32LE(4), stream.readUInt32LE(8)];
  if (kind === plain) return stream.subarray(16, 16 + size);
  if (kind !== packed || size > Math.min(mostBytes, stream.length * 20)) return undefined;
  const window = Buffer.alloc(windowSize);
  let write = window.write(dictionary, 'latin1');
  const out: number[] = [];
  const put = (byte: number): void => {
    out.push(byte);
    window[write] = byte;
    write = (write + 1) % windowSize;
  };
  for (let at = 16; at < stream.length && out.length < size;) {
    const flags = stream[at] ?? 0;
    at += 1;
    for (let bit = 0; bit < 8 && at < stream.length && out.length < size; bit += 1) {
      if ((flags & (1 << bit)) === 0) {
        put(stream[at] ?? 0);
        at += 1;
        continue;
      }
      const pair = at + 2 <= stream.length ? stream.readUInt16BE(at) : 0;
      at += 2;
      const from = pair >> 4;
      if (from === write) return Buffer.from(out);
      for (let step = 0; step < (pair & 15) + 2; step += 1) put(window[(from + step) % windowSize] ?? 0);
    }
  }
  return Buffer.from(out);
}
