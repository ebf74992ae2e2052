// A Word 97 file, as small as one can be: words with their properties in, bytes out.
import * as cfb from 'cfb';

/** Properties by their number; of one byte, for numbers of lists, styles and authors of two, for places of pictures of four. */
export type Properties = Readonly<Record<number, number>>;
export type MadeParagraph = {
  runs: readonly (readonly [text: string, own?: Properties])[];
  own?: Properties;
  /** what is said of the sign of its end */
  ended?: Properties;
  style?: number;
  /** what ends it, when that is no line end, and where the cells end of the row that it ends */
  end?: string;
  edges?: readonly number[];
};
/** A list: the format and the text of each of its levels, and how it counts besides; numbers in the text are written as letters below nine. */
export type MadeList = readonly (readonly [format: number, text: string, flags?: number])[];

type Made = {
  paragraphs: readonly MadeParagraph[];
  notes?: readonly string[];
  comments?: readonly (readonly [author: string, words: string])[];
  authors?: readonly string[];
  lists?: readonly MadeList[];
  fonts?: readonly string[];
  /** where pictures lie */
  data?: Buffer;
  /** what is stored of the picture that each sign 8 in the text shows, words flowing around it: in the file, or in its place */
  floating?: { stored: Buffer; inPlace?: boolean; grouped?: boolean };
};

function bytesOf(own: Properties = {}): Buffer {
  return Buffer.concat(
    Object.entries(own).map(([number, value]) => {
      const size = [1, 1, 2, 4, 2, 2][Number(number) >> 13] ?? 1;
      const out = Buffer.alloc(2 + size);
      out.writeUInt16LE(Number(number), 0);
      out.writeUIntLE(value, 2, size);
      return out;
    }),
  );
}

const u32 = (...values: number[]): Buffer => Buffer.from(new Uint32Array(values).buffer);
const u16 = (...values: number[]): Buffer => Buffer.from(new Uint16Array(values).buffer);
const counted = (text: string): Buffer => Buffer.concat([u16(text.length), Buffer.from(text, 'utf16le')]);

/** One page of 512 bytes that says of each stretch what it is. */
function page(starts: readonly number[], abouts: readonly Buffer[], size: number): Buffer {
  const out = Buffer.alloc(512);
  u32(...starts).copy(out);
  let end = 510;
  for (const [at, about] of abouts.entries()) {
    if (about.length === 0) continue;
    end = (end - about.length) & ~1;
    about.copy(out, end);
    out.writeUInt8(end / 2, starts.length * 4 + at * size);
  }
  out.writeUInt8(abouts.length, 511);
  return out;
}

function listTables(lists: readonly MadeList[]): { lists: Buffer; levels: Buffer; uses: Buffer } {
  const heads = lists.map((_, at) => Buffer.concat([u32(at + 1), Buffer.alloc(24)]));
  const levels = lists.flatMap((list) =>
    Array.from({ length: 9 }, (_, at) => {
      const [format, text, flags = 0] = list[at] ?? [255, ''];
      const head = Buffer.alloc(28);
      head.writeUInt32LE(1, 0);
      head.writeUInt8(format, 4);
      head.writeUInt8(flags, 5);
      return Buffer.concat([head, counted(text)]);
    }),
  );
  const uses = lists.map((_, at) => Buffer.concat([u32(at + 1), Buffer.alloc(12)]));
  return {
    lists: Buffer.concat([u16(lists.length), ...heads]),
    levels: Buffer.concat(levels),
    uses: Buffer.concat([u32(lists.length), ...uses, Buffer.alloc(lists.length * 4, 0xff)]),
  };
}

/** Where each of the texts begins, when a sign follows each; and where the last ends. */
function startsOf(texts: readonly string[]): number[] {
  const starts = [0];
  for (const text of texts) starts.push((starts.at(-1) ?? 0) + text.length + 1);
  return starts;
}

function record(type: number, instance: number, ...content: Buffer[]): Buffer {
  const inside = Buffer.concat(content);
  const isContainer = type < 0xf005;
  return Buffer.concat([u16((instance << 4) | (isContainer ? 15 : 2), type), u32(inside.length), inside]);
}

/** The drawings of a file, with one shape for each place; `at` is where its picture lies in the stream. */
function drawings(shapes: number, at: number, { stored, inPlace, grouped }: NonNullable<Made['floating']>): Buffer {
  const head = Buffer.alloc(36);
  head.writeUInt32LE(at, 28);
  const store = record(0xf001, 1, record(0xf007, 6, head, ...(inPlace === true ? [stored] : [])));
  const shape = (number: number, ...more: Buffer[]): Buffer =>
    record(0xf004, 0, record(0xf00a, 75, u32(number, 0)), ...more);
  const shown = (number: number): Buffer => shape(number, record(0xf00b, 1, u16(0x4104), u32(1)));
  const all = Array.from({ length: shapes }, (_, index) => {
    const number = 1025 + index;
    return grouped === true ? record(0xf003, 0, shape(number), shown(2000 + index)) : shown(number);
  });
  const sheet = record(0xf002, 0, record(0xf003, 0, shape(1024), ...all));
  return Buffer.concat([record(0xf000, 0, store), Buffer.from([0]), sheet]);
}

/** A Word 6 or 95 file: stretches of text, each with its properties as they are written there. */
export function madeWord6(
  runs: readonly (readonly [text: string, own?: readonly number[]])[],
  authors: readonly string[] = [],
): Buffer {
  const base = 0x300;
  const text = Buffer.from(runs.map(([words]) => words).join(''), 'latin1');
  const pages = Math.ceil((base + text.length) / 512);
  const starts = [base];
  for (const [words] of runs) starts.push((starts.at(-1) ?? 0) + words.length);
  const abouts = runs.map(([, own = []]) => Buffer.from(own.length === 0 ? [] : [own.length, ...own]));
  const list = Buffer.concat([u32(base, starts.at(-1) ?? 0), u16(pages)]);
  const named = authors.map((name) => Buffer.from(`${String.fromCharCode(name.length)}${name}\0\0`, 'latin1'));
  const names = Buffer.concat([u16(2 + named.reduce((sum, { length }) => sum + length, 0)), ...named]);
  const stream = Buffer.concat([
    Buffer.alloc(base),
    text,
    Buffer.alloc(pages * 512 - base - text.length),
    page(starts, abouts, 1),
    names,
    list,
  ]);
  stream.writeUInt16LE(0xa5dc, 0);
  stream.writeUInt16LE(0x409, 6);
  for (const [field, value] of [
    [0x18, base],
    [0x1c, base + text.length],
    [0x34, text.length],
    [0xb8, stream.length - list.length],
    [0xbc, list.length],
    [0x1fa, stream.length - list.length - names.length],
    [0x1fe, names.length],
  ] as const)
    stream.writeUInt32LE(value, field);
  const whole = cfb.utils.cfb_new();
  cfb.utils.cfb_add(whole, '/WordDocument', stream);
  return Buffer.from(cfb.write(whole, { type: 'buffer' }) as Uint8Array);
}

/** The definition of a row of cells. */
function rowOf(edges: readonly number[] = []): Buffer {
  if (edges.length === 0) return Buffer.alloc(0);
  const places = u16(0, ...edges);
  return Buffer.concat([u16(0xd608, places.length + 2), Buffer.from([edges.length]), places]);
}

/** Notes are referred to by the sign 2 in the text, comments by the sign 5, each in turn. */
export function madeWord({
  paragraphs,
  notes = [],
  comments = [],
  authors = [],
  lists = [],
  fonts = [],
  data,
  floating,
}: Made): Buffer {
  const body = paragraphs.map(({ runs, end = '\r' }) => `${runs.map(([text]) => text).join('')}${end}`).join('');
  const stories = [
    body,
    ...[notes, comments.map(([, words]) => words)].map((own) => own.map((one) => `${one}\r`).join('')),
  ];
  const text = stories.join('');
  const base = 0x400;
  const place = (character: number): number => base + character * 2;
  const [runStarts, runs, ends, abouts]: [number[], Buffer[], number[], Buffer[]] = [[base], [], [base], []];
  let at = 0;
  for (const paragraph of paragraphs) {
    for (const [words, own] of [...paragraph.runs, ['\r', paragraph.ended] as const]) {
      const grpprl = bytesOf(own);
      runStarts.push(place((at += words.length)));
      runs.push(grpprl.length === 0 ? Buffer.alloc(0) : Buffer.concat([Buffer.from([grpprl.length]), grpprl]));
    }
    const about = Buffer.concat([u16(paragraph.style ?? 0), bytesOf(paragraph.own), rowOf(paragraph.edges)]);
    const even =
      about.length % 2 === 0
        ? Buffer.concat([Buffer.from([0, about.length / 2]), about])
        : Buffer.concat([Buffer.from([(about.length + 1) / 2]), about]);
    ends.push(place(at));
    abouts.push(even);
  }
  const words = Buffer.from(text, 'utf16le');
  const pages = Math.ceil((base + words.length) / 512);
  const stream = Buffer.concat([Buffer.alloc((pages + 2) * 512), floating?.stored ?? Buffer.alloc(0)]);
  stream.writeUInt16LE(0xa5ec, 0);
  stream.writeUInt16LE(0x200, 10);
  for (const [field, length] of [
    [0x4c, body.length],
    [0x50, stories[1]?.length ?? 0],
    [0x5c, stories[2]?.length ?? 0],
  ] as const)
    stream.writeUInt32LE(length, field);
  words.copy(stream, base);
  page(runStarts, runs, 1).copy(stream, pages * 512);
  page(ends, abouts, 13).copy(stream, (pages + 1) * 512);

  const tables: Buffer[] = [Buffer.alloc(4)];
  const put = (field: number, content: Buffer, behind: Buffer = Buffer.alloc(0)): void => {
    stream.writeUInt32LE(Buffer.concat(tables).length, field);
    stream.writeUInt32LE(content.length, field + 4);
    tables.push(content, behind);
  };
  const piece = Buffer.concat([u32(0, text.length), u16(0), u32(base), u16(0)]);
  put(0x1a2, Buffer.concat([Buffer.from([2]), u32(piece.length), piece]));
  put(0xfa, u32(base, place(at), pages));
  put(0x102, u32(base, place(at), pages + 1));
  const marks = (sign: string): number[] => body.split('').flatMap((one, index) => (one === sign ? [index] : []));
  put(0xaa, Buffer.concat([u32(...marks('\u0002'), body.length), Buffer.alloc(notes.length * 2, 1)]));
  put(0xb2, u32(...startsOf(notes), 0));
  if (floating !== undefined) {
    const places = marks('\u0008');
    const anchors = places.map((_, index) => Buffer.concat([u32(1025 + index), Buffer.alloc(22)]));
    put(0x1da, Buffer.concat([u32(...places, body.length), ...anchors]));
    put(0x22a, drawings(places.length, (pages + 2) * 512, floating));
  }
  const about = comments.map((_, index) => Buffer.concat([Buffer.alloc(20), u16(index), Buffer.alloc(8)]));
  put(0xba, Buffer.concat([u32(...marks('\u0005'), body.length), ...about]));
  put(0xc2, u32(...startsOf(comments.map(([, said]) => said)), 0));
  put(0x1ba, Buffer.concat(comments.map(([author]) => counted(author))));
  put(0x232, Buffer.concat([u16(0xffff, authors.length, 0), ...authors.map(counted)]));
  const names = fonts.map((name) => {
    const font = Buffer.concat([Buffer.alloc(39), Buffer.from(`${name}\0`, 'utf16le')]);
    return Buffer.concat([Buffer.from([font.length]), font]);
  });
  put(0x112, Buffer.concat([u16(fonts.length, 0), ...names]));
  const made = listTables(lists);
  put(0x2e2, made.lists, made.levels);
  put(0x2ea, made.uses);
  const whole = cfb.utils.cfb_new();
  cfb.utils.cfb_add(whole, '/WordDocument', stream);
  cfb.utils.cfb_add(whole, '/1Table', Buffer.concat(tables));
  if (data !== undefined) cfb.utils.cfb_add(whole, '/Data', data);
  return Buffer.from(cfb.write(whole, { type: 'buffer' }) as Uint8Array);
}
