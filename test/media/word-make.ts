// A Word 97 file, as small as one can be: words with their properties in, bytes out.
import * as cfb from 'cfb';

/** Properties by their number; of one byte, for numbers of lists, styles and authors of two, for places of pictures of four. */
export type Properties = Readonly<Record<number, number>>;
export type MadeParagraph = {
  runs: readonly (readonly [text: string, own?: Properties])[];
  own?: Properties;
  style?: number;
};
/** A list: the format and the text of each of its levels; numbers in the text are written as letters below nine. */
export type MadeList = readonly (readonly [format: number, text: string])[];

type Made = {
  paragraphs: readonly MadeParagraph[];
  notes?: readonly string[];
  comments?: readonly (readonly [author: string, words: string])[];
  authors?: readonly string[];
  lists?: readonly MadeList[];
  /** where pictures lie */
  data?: Buffer;
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
      const [format, text] = list[at] ?? [255, ''];
      const head = Buffer.alloc(28);
      head.writeUInt32LE(1, 0);
      head.writeUInt8(format, 4);
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

/** Notes are referred to by the sign 2 in the text, comments by the sign 5, each in turn. */
export function madeWord({ paragraphs, notes = [], comments = [], authors = [], lists = [], data }: Made): Buffer {
  const body = paragraphs.map(({ runs }) => `${runs.map(([text]) => text).join('')}\r`).join('');
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
    for (const [words, own] of [...paragraph.runs, ['\r'] as const]) {
      const grpprl = bytesOf(own);
      runStarts.push(place((at += words.length)));
      runs.push(grpprl.length === 0 ? Buffer.alloc(0) : Buffer.concat([Buffer.from([grpprl.length]), grpprl]));
    }
    const about = Buffer.concat([u16(paragraph.style ?? 0), bytesOf(paragraph.own)]);
    const even =
      about.length % 2 === 0
        ? Buffer.concat([Buffer.from([0, about.length / 2]), about])
        : Buffer.concat([Buffer.from([(about.length + 1) / 2]), about]);
    ends.push(place(at));
    abouts.push(even);
  }
  const words = Buffer.from(text, 'utf16le');
  const pages = Math.ceil((base + words.length) / 512);
  const stream = Buffer.alloc((pages + 2) * 512);
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
  const about = comments.map((_, index) => Buffer.concat([Buffer.alloc(20), u16(index), Buffer.alloc(8)]));
  put(0xba, Buffer.concat([u32(...marks('\u0005'), body.length), ...about]));
  put(0xc2, u32(...startsOf(comments.map(([, said]) => said)), 0));
  put(0x1ba, Buffer.concat(comments.map(([author]) => counted(author))));
  put(0x232, Buffer.concat([u16(0xffff, authors.length, 0), ...authors.map(counted)]));
  const made = listTables(lists);
  put(0x2e2, made.lists, made.levels);
  put(0x2ea, made.uses);
  const whole = cfb.utils.cfb_new();
  cfb.utils.cfb_add(whole, '/WordDocument', stream);
  cfb.utils.cfb_add(whole, '/1Table', Buffer.concat(tables));
  if (data !== undefined) cfb.utils.cfb_add(whole, '/Data', data);
  return Buffer.from(cfb.write(whole, { type: 'buffer' }) as Uint8Array);
}
