// Bytes of a FLAC, Ogg, AAC or AIFF file in, its length in seconds out, from headers alone. What is damaged, or is
// something else in the same container, gives nothing.

/** The block of facts that every FLAC file begins with. */
export function flacSeconds(bytes: Buffer): number | undefined {
  if (bytes.length < 26 || (bytes.readUInt8(4) & 0x7f) !== 0) return undefined;
  const rate = bytes.readUIntBE(18, 3) >> 4;
  const samples = (bytes.readUInt8(21) & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22);
  return rate === 0 ? undefined : samples / rate;
}

const oggCodecs: readonly (readonly [mark: string, rateAt: number | undefined])[] = [
  ['\u0001vorbis', 12],
  ['OpusHead', undefined],
  ['Speex   ', 36],
];

/** The first page says what is inside, the last one at which sample it ends. Film in this container is no sound. */
export function oggSeconds(bytes: Buffer): number | undefined {
  const first = 27 + (bytes[26] ?? 0);
  const codec = oggCodecs.find(([mark]) => bytes.toString('latin1', first, first + mark.length) === mark);
  if (codec === undefined || bytes.length < first + 40) return undefined;
  const [, rateAt] = codec;
  const rate = rateAt === undefined ? 48_000 : bytes.readUInt32LE(first + rateAt); // Opus always counts in 48 kHz
  const last = bytes.lastIndexOf('OggS');
  if (rate === 0 || last + 14 > bytes.length) return undefined;
  const samples = bytes.readUInt32LE(last + 6) + bytes.readUInt32LE(last + 10) * 2 ** 32;
  return samples < 2 ** 53 ? samples / rate : 0; // all ones: no packet ends on that page
}

const aacRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];

/** One frame of AAC at an offset: its bytes and its rate. */
export function aacFrame(bytes: Uint8Array, at: number): { bytes: number; rate: number } | undefined {
  const [sync, second, third, fourth, fifth, sixth] = bytes.subarray(at, at + 6);
  if (sync !== 0xff || second === undefined || (second & 0xf6) !== 0xf0 || sixth === undefined) return undefined;
  const rate = aacRates[((third ?? 0) >> 2) & 15];
  const size = (((fourth ?? 0) & 3) << 11) | ((fifth ?? 0) << 3) | (sixth >> 5);
  return rate === undefined || size < 7 ? undefined : { bytes: size, rate };
}

/** Frames follow one another, each of 1024 samples; what comes after the last is a tag. */
export function aacSeconds(bytes: Buffer): number | undefined {
  let [at, seconds] = [0, 0];
  for (let frame = aacFrame(bytes, at); frame !== undefined; frame = aacFrame(bytes, at)) {
    seconds += 1024 / frame.rate;
    at += frame.bytes;
  }
  return seconds === 0 ? undefined : seconds;
}

/** Chunks with their names; one of them counts the samples and gives their rate, as a number of 80 bits. */
export function aiffSeconds(bytes: Buffer): number | undefined {
  for (let at = 12; at + 26 <= bytes.length;) {
    const size = bytes.readUInt32BE(at + 4);
    if (bytes.toString('latin1', at, at + 4) !== 'COMM') {
      at += 8 + size + (size & 1);
      continue;
    }
    const exponent = (bytes.readUInt16BE(at + 16) & 0x7fff) - 16_383 - 31;
    const rate = bytes.readUInt32BE(at + 18) * 2 ** exponent;
    return rate > 0 && rate < 1e7 ? bytes.readUInt32BE(at + 10) / rate : undefined;
  }
  return undefined;
}
