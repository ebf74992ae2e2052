// What a picture format is: one record, in one file of its own under `format/`, with its row in `formats.ts`. All that
// is known of a format stands there; whatever reads, checks, converts or names pictures asks the record.

/** What every API that takes pictures takes, and what we write; the rest is read and converted. */
export type CanonicalType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** `width` and `height` are as stored; `orientation` (EXIF, 1 to 8) says how to turn the picture upright. */
export type ImageShape = {
  width: number;
  height: number;
  orientation: number;
  animated: boolean;
  /** how many frames, pages of a TIFF or sizes of an icon there are, as far as the head reaches */
  frames?: number;
  pages?: number;
  /** which page of a TIFF this is about, counted from zero; the first when it does not say */
  page?: number;
  /** a coding that few programs can show, in words; such a picture has to be coded anew */
  rare?: string;
};

/** The shape of a picture and the media type of its format. */
export type ImageHeader = ImageShape & { type: string };

/** Too short a head, with the length that may do, or what is wrong. */
export type UnreadShape = { need: number } | { fault: string };

export type ShapeResult = { header: ImageShape } | UnreadShape;

/** What the image library can open: a file that it knows, one page of it, or RGBA pixels. `colours` turns, in place, what
 * the library takes for red, green and blue into these. */
export type Openable = {
  data: Uint8Array;
  raw?: { width: number; height: number; channels: 4 };
  page?: number;
  colours?: (pixels: Uint8Array, channels: number) => void;
};

export type ImageFormat = {
  /** its media type */
  type: string;
  /** its short name, as in "converted from TIFF" */
  name: string;
  /** what a file of it is, as in "a TIFF picture" */
  label: string;
  ending: string;
  /** how a file begins: hex digits (a dot is any), or a pattern over the first bytes as Latin-1 */
  magic: readonly (string | RegExp)[];
  /** every API takes it, so a picture that fits stays as it is; its type is a `CanonicalType` */
  canonical: boolean;
  /** made for photographs: coded anew it is tried lossy first */
  lossy?: true;
  /** what a file with several pictures holds */
  parts?: 'pages' | 'sizes';
  /** size and orientation from the head of a file, without decoding; a longer head when it is too short */
  header(head: Buffer, page: number): ShapeResult;
  /** what is structurally wrong with a whole file; without it the decoder finds out */
  fault?(bytes: Buffer): string | undefined;
  /** the same file without its metadata, no pixel touched */
  strip?(bytes: Buffer): Buffer;
  /** what the image library does not open itself, made such that it does, in the child process; nothing when it does */
  pixels?(bytes: Buffer, header: ImageHeader): Openable | undefined | Promise<Openable>;
};

/** More frames, chunks or blocks than any honest file has: walking on would only keep the caller busy. */
export const mostPieces = 100_000;

/** Width and height as they will be seen. */
export function upright({ width, height, orientation }: ImageShape): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** The same bytes as a Buffer, without a copy. */
export function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
