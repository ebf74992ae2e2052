// Films and sounds made at test time: just as much of each container as says how long and how large its content is.

function box(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function numbers(size: number, ...fields: (readonly [at: number, value: number])[]): Buffer {
  const bytes = Buffer.alloc(size);
  for (const [at, value] of fields) bytes.writeUInt32BE(value, at);
  return bytes;
}

export type FilmFacts = { seconds: number; width: number; height: number };
type Mp4Form = { brand?: string; track?: string; movieLast?: boolean };

/** MP4 with one track; `movieLast` puts the pixels in front of what describes them, as cameras do. */
export function mp4(
  { seconds, width, height }: FilmFacts,
  { brand = 'isom', track = 'vide', movieLast = false }: Mp4Form = {},
): Buffer {
  const type = box('ftyp', Buffer.from(brand.padEnd(4), 'latin1'), Buffer.alloc(4));
  const head = box('mvhd', numbers(100, [12, 1000], [16, seconds * 1000]));
  const size = box('tkhd', numbers(84, [76, width * 65_536], [80, height * 65_536]));
  const media = box('mdia', box('hdlr', Buffer.concat([Buffer.alloc(8), Buffer.from(track), Buffer.alloc(13)])));
  const movie = box('moov', head, box('trak', size, media));
  const pixels = box('mdat', Buffer.alloc(5000, 7));
  return Buffer.concat(movieLast ? [type, pixels, movie] : [type, movie, pixels]);
}

function element(id: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeUInt32BE(body.length, 4);
  size.writeUInt8(1);
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}

function two(value: number): Buffer {
  return Buffer.from([value >> 8, value & 255]);
}

/** WebM; `open` leaves the length of its body unknown, as a recorder does that is still recording. */
export function webm(
  { seconds, width, height }: FilmFacts,
  { open = false, type = 'webm' }: { open?: boolean; type?: string } = {},
): Buffer {
  const length = Buffer.alloc(8);
  length.writeDoubleBE(seconds * 1000);
  const picture = element('e0', element('b0', two(width)), element('ba', two(height)));
  const body = Buffer.concat([
    element('1549a966', element('2ad7b1', Buffer.from([0x0f, 0x42, 0x40])), element('4489', length)),
    element('1654ae6b', element('ae', picture)),
    element('1f43b675', Buffer.alloc(3000, 7)),
  ]);
  const whole = open
    ? Buffer.concat([Buffer.from('1853806701ffffffffffffff', 'hex'), body])
    : element('18538067', body);
  return Buffer.concat([element('1a45dfa3', element('4282', Buffer.from(type))), whole]);
}

/** An MPEG program stream that begins its first picture. */
export function mpeg(width: number, height: number): Buffer {
  const size = (width << 12) | height;
  const header = Buffer.from([0, 0, 1, 0xb3, size >> 16, (size >> 8) & 255, size & 255, 0x33]);
  return Buffer.concat([Buffer.from('000001ba', 'hex'), Buffer.alloc(60), header, Buffer.alloc(2000, 7)]);
}

export function flac(seconds: number, rate = 44_100): Buffer {
  const bytes = Buffer.alloc(500);
  bytes.write('fLaC', 0, 'latin1');
  bytes.writeUIntBE(34, 5, 3);
  bytes.writeUIntBE(rate * 16, 18, 3);
  bytes.writeUInt32BE(seconds * rate, 22);
  return bytes;
}

function oggPage(samples: number, content: Buffer): Buffer {
  const head = Buffer.alloc(28);
  head.write('OggS', 0, 'latin1');
  head.writeUInt32LE(samples, 6);
  head.writeUInt8(1, 26);
  head.writeUInt8(Math.min(content.length, 255), 27);
  return Buffer.concat([head, content]);
}

export function ogg(seconds: number, codec = 'OpusHead'): Buffer {
  const first = Buffer.concat([Buffer.from(codec, 'latin1'), Buffer.alloc(60)]);
  return Buffer.concat([oggPage(0, first), oggPage(seconds * 48_000, Buffer.alloc(200, 7))]);
}

/** Frames of 1024 samples at 48 kHz. */
export function aac(frames: number): Buffer {
  const frame = Buffer.alloc(64, 7);
  frame.set([0xff, 0xf1, 0x4c, 0x80, 64 >> 3, 0x1f, 0xfc]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

export function aiff(seconds: number): Buffer {
  const odd = Buffer.concat([Buffer.from('NAME\u0000\u0000\u0000\u0003abc\u0000', 'latin1')]);
  const about = Buffer.alloc(26);
  about.write('COMM', 0, 'latin1');
  about.writeUInt32BE(18, 4);
  about.writeUInt32BE(seconds * 8000, 10);
  about.writeUInt16BE(16_383 + 12, 16); // 8000 = 1.953125 × 2^12
  about.writeUInt32BE(8000 * 2 ** 19, 18);
  return Buffer.concat([Buffer.from('FORM\u0000\u0000\u0000\u0064AIFF', 'latin1'), odd, about]);
}
