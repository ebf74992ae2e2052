// Bytes of a film in, how long and how large it is out, from the headers of its container alone: MP4, QuickTime, WebM
// and MPEG. Nothing that a file says about itself leads outside of it or round in circles. A film in which no picture
// is announced gives nothing; what its container does not tell is left out.

export type Film = { seconds?: number; width?: number; height?: number };

/** More parts than any honest header has. */
const mostParts = 10_000;

export function filmOf(mediaType: string, bytes: Uint8Array): Film | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mediaType === 'video/webm') return webmFilm(data);
  return mediaType === 'video/mpeg' ? mpegFilm(data) : boxFilm(data);
}

/** A part of a container: what it is called and where its content lies. */
type Box = { name: string; start: number; end: number };

function boxFilm(data: Buffer): Film | undefined {
  const movie = boxes(data, { name: '', start: 0, end: data.length }).find(({ name }) => name === 'moov');
  if (movie === undefined) return undefined;
  const inside = boxes(data, movie);
  for (const track of inside.filter(({ name }) => name === 'trak')) {
    const parts = boxes(data, track);
    const media = parts.find(({ name }) => name === 'mdia');
    const handler = media && boxes(data, media).find(({ name }) => name === 'hdlr');
    if (handler === undefined || data.toString('latin1', handler.start + 8, handler.start + 12) !== 'vide') continue;
    const header = parts.find(({ name, start, end }) => name === 'tkhd' && end - start >= 84);
    const size = header && sizeOf(data.readUInt32BE(header.end - 8) >>> 16, data.readUInt32BE(header.end - 4) >>> 16);
    return { ...lengthOf(data, inside), ...size };
  }
  return undefined;
}

/** Time is counted in ticks, whose number in a second stands before it; newer headers are wider. */
function lengthOf(data: Buffer, inside: readonly Box[]): Film {
  const header = inside.find(({ name, start, end }) => name === 'mvhd' && end - start >= 32);
  if (header === undefined) return {};
  const wide = data[header.start] === 1;
  const at = header.start + (wide ? 20 : 12);
  const ticks = wide ? Number(data.readBigUInt64BE(at + 4)) : data.readUInt32BE(at + 4);
  if (ticks === 0xffff_ffff) return {}; // all ones: nobody knows
  return secondsOf(ticks / data.readUInt32BE(at));
}

/** The boxes inside a box, one after another; a size of zero reaches to the end, one of one is written in 64 bits. */
function boxes(data: Buffer, { start, end }: Box): Box[] {
  const found: Box[] = [];
  for (let at = start; at + 8 <= end && found.length < mostParts;) {
    const short = data.readUInt32BE(at);
    const isLong = short === 1 && at + 16 <= end;
    const size = isLong ? Number(data.readBigUInt64BE(at + 8)) : short === 0 ? end - at : short;
    const head = isLong ? 16 : 8;
    if (size < head) break;
    const name = data.toString('latin1', at + 4, at + 8);
    found.push({ name, start: at + head, end: Math.min(at + size, end) });
    at += size;
  }
  return found;
}

const [segment, info, timeScale, duration, tracks, track, video, pixelWidth, pixelHeight] = [
  '18538067',
  '1549a966',
  '2ad7b1',
  '4489',
  '1654ae6b',
  'ae',
  'e0',
  'b0',
  'ba',
] as const;

function webmFilm(data: Buffer): Film | undefined {
  const all = { name: '', start: 0, end: data.length };
  const body = elements(data, all).find(({ name }) => name === segment);
  const parts = body === undefined ? [] : elements(data, body);
  const inside = (outer: Box[], name: string): Box[] =>
    outer.flatMap((part) => (part.name === name ? elements(data, part) : []));
  const picture = inside(inside(inside(parts, tracks), track), video);
  if (picture.length === 0) return undefined;
  const value = (among: Box[], name: string): number | undefined => {
    const part = among.find((one) => one.name === name);
    return part && numberAt(data, part);
  };
  const about = inside(parts, info);
  const nanoseconds = (value(about, duration) ?? Number.NaN) * (value(about, timeScale) ?? 1_000_000);
  return {
    ...secondsOf(nanoseconds / 1e9),
    ...sizeOf(value(picture, pixelWidth) ?? 0, value(picture, pixelHeight) ?? 0),
  };
}

/** The elements inside an element; a size of all ones is unknown and reaches to the end. */
function elements(data: Buffer, { start, end }: Box): Box[] {
  const found: Box[] = [];
  for (let at = start; at < end && found.length < mostParts;) {
    const nameBytes = widthOf(data[at]);
    const sizeAt = at + nameBytes;
    const sizeBytes = widthOf(data[sizeAt]);
    const from = sizeAt + sizeBytes;
    if (nameBytes > 4 || sizeBytes > 8 || from > end) break;
    let size = (data[sizeAt] ?? 0) & (0xff >> sizeBytes);
    let unknown = size === 0xff >> sizeBytes;
    for (let byte = sizeAt + 1; byte < from; byte += 1) {
      size = size * 256 + (data[byte] ?? 0);
      unknown &&= data[byte] === 0xff;
    }
    const until = unknown ? end : Math.min(from + size, end);
    found.push({ name: data.toString('hex', at, sizeAt), start: from, end: until });
    at = until;
  }
  return found;
}

/** Numbers of a variable width say it by the zeros they begin with. */
function widthOf(first: number | undefined): number {
  return Math.clz32(first ?? 0) - 23;
}

function numberAt(data: Buffer, { name, start, end }: Box): number | undefined {
  const size = end - start;
  if (name === duration)
    return size === 4 ? data.readFloatBE(start) : size === 8 ? data.readDoubleBE(start) : undefined;
  return size > 0 && size <= 6 ? data.readUIntBE(start, size) : undefined;
}

/** The first picture is announced by a header with its size; how long such a stream lasts, nobody wrote down. */
function mpegFilm(data: Buffer): Film | undefined {
  const at = data.subarray(0, 1024 * 1024).indexOf('000001b3', 0, 'hex');
  if (at < 0 || at + 7 > data.length) return undefined;
  const both = data.readUIntBE(at + 4, 3);
  return sizeOf(both >> 12, both & 0xfff);
}

function secondsOf(seconds: number): Film {
  return seconds > 0 && seconds < 1e7 ? { seconds } : {};
}

function sizeOf(width: number, height: number): Film {
  return width > 0 && height > 0 ? { width, height } : {};
}
