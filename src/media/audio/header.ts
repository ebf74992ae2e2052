// Bytes of a sound file in, its length in seconds out, from headers alone. What has no readable header gives nothing.
import { aacSeconds, aiffSeconds, flacSeconds, oggSeconds } from './other.ts';

type MpegFrame = { bytes: number; bitsPerSecond: number; samples: number; samplesPerSecond: number };

const rates: Record<number, readonly number[]> = {
  3: [44100, 48000, 32000],
  2: [22050, 24000, 16000],
  0: [11025, 12000, 8000],
};
const kilobits = {
  one: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  two: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** One frame of MPEG layer III at an offset, or nothing when none begins there. */
export function mpegFrame(bytes: Uint8Array, at: number): MpegFrame | undefined {
  const [sync, second, third] = bytes.subarray(at, at + 3);
  if (sync !== 0xff || second === undefined || third === undefined || (second & 0xe6) !== 0xe2) return undefined;
  const version = (second >> 3) & 3;
  const bitsPerSecond = ((version === 3 ? kilobits.one : kilobits.two)[third >> 4] ?? 0) * 1000;
  const samplesPerSecond = rates[version]?.[(third >> 2) & 3];
  if (bitsPerSecond === 0 || samplesPerSecond === undefined) return undefined;
  const samples = version === 3 ? 1152 : 576;
  const size = Math.floor(((samples / 8) * bitsPerSecond) / samplesPerSecond) + ((third >> 1) & 1);
  return { bytes: size, bitsPerSecond, samples, samplesPerSecond };
}

/** Who tells the length of which sounds; exact but for MP3 without a frame count, which is estimated from a frame. */
export const lengths: ReadonlyMap<string, (bytes: Buffer) => number | undefined> = new Map([
  ['audio/wav', wavSeconds],
  ['audio/mpeg', mpegSeconds],
  ['audio/flac', flacSeconds],
  ['audio/ogg', oggSeconds],
  ['audio/aac', aacSeconds],
  ['audio/aiff', aiffSeconds],
]);

function wavSeconds(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = view.getUint32(at);
    const size = view.getUint32(at + 4, true);
    if (name === 0x666d7420 && at + 24 <= bytes.length) bytesPerSecond = view.getUint32(at + 16, true); // "fmt "
    if (name === 0x64617461 && bytesPerSecond > 0) return Math.min(size, bytes.length - at - 8) / bytesPerSecond; // "data"
    at += 8 + size + (size & 1);
  }
  return undefined;
}

function mpegSeconds(bytes: Uint8Array): number | undefined {
  const start = tagBytes(bytes);
  const search = Math.min(bytes.length, start + 65_536);
  for (let at = start; at < search; at += 1) {
    const frame = mpegFrame(bytes, at);
    if (frame === undefined || mpegFrame(bytes, at + frame.bytes) === undefined) continue;
    const count = frameCount(bytes.subarray(at, at + frame.bytes));
    if (count !== undefined) return (count * frame.samples) / frame.samplesPerSecond;
    return ((bytes.length - at) * 8) / frame.bitsPerSecond;
  }
  return undefined;
}

/** The ID3v2 tag in front: its size is written in four bytes of seven bits. */
function tagBytes(bytes: Uint8Array): number {
  if (bytes[0] !== 0x49 || bytes[1] !== 0x44 || bytes[2] !== 0x33) return 0;
  return bytes.subarray(6, 10).reduce((size, byte) => (size << 7) | (byte & 0x7f), 0) + 10;
}

/** Variable bit rates write the number of frames into the first one, after "Xing" or "Info". */
function frameCount(frame: Uint8Array): number | undefined {
  const words = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  const at = Math.max(words.indexOf('Xing'), words.indexOf('Info'));
  if (at < 0 || at + 12 > words.length || (words.readUInt32BE(at + 4) & 1) === 0) return undefined;
  return words.readUInt32BE(at + 8);
}
