// Small real media, all different, and the forms in which tools hand them over.
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { AssetId } from '../../src/content/block.ts';
import { assetId } from '../../src/asset/hash.ts';
import { plainLetters } from '../../src/content/base64.ts';

export type Sample = {
  kind: 'image' | 'document' | 'audio';
  mediaType: string;
  bytes: Buffer;
  id: AssetId;
  size: string;
};

function sample(kind: Sample['kind'], mediaType: string, bytes: Buffer, size: string): Sample {
  return { kind, mediaType, bytes, id: assetId(bytes), size };
}

/** A PNG made here, byte by byte, so that its length can be chosen: `spare` bytes of a private chunk before its end. */
export function png(width: number, height: number, spare = -1): Sample {
  const pixels = Buffer.alloc((width * 3 + 1) * height, 0);
  for (let at = 0; at < pixels.length; at++) {
    if (at % (width * 3 + 1) !== 0) pixels[at] = (at * 7919 + width * 31 + height) % 256;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels))];
  if (spare >= 0) chunks.push(chunk('prVt', Buffer.alloc(spare, 0xa5)));
  const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, chunk('IEND', Buffer.alloc(0))]);
  return sample('image', 'image/png', bytes, `${width}×${height}`);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

async function drawn(format: 'jpeg' | 'gif' | 'webp', width: number, height: number): Promise<Sample> {
  const raw = Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => (at * 37 + width) % 256));
  const bytes = await sharp(raw, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer();
  return sample('image', `image/${format}`, bytes, `${width}×${height}`);
}

/** A PDF with so many empty pages. */
export function pdf(pages: number): Sample {
  const kids = Array.from({ length: pages }, (_, page) => `${page + 3} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    ...Array.from({ length: pages }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] >>'),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  text += `${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return sample('document', 'application/pdf', Buffer.from(text, 'latin1'), '');
}

/** So many samples of 8-bit sound, 8000 in a second. */
export function wav(samples: number): Sample {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples, 40);
  return sample('audio', 'audio/wav', Buffer.concat([head, Buffer.alloc(samples, 128)]), '');
}

export const picture: Sample = png(3, 2);
export const otherPicture: Sample = png(5, 4);
export const photo: Sample = await drawn('jpeg', 6, 5);
export const animation: Sample = await drawn('gif', 7, 5);
export const web: Sample = await drawn('webp', 8, 5);
export const paper: Sample = pdf(2);
export const sound: Sample = wav(800);

/** One of each kind that tools return. */
export const kinds: readonly (readonly [string, Sample])[] = [
  ['PNG', picture],
  ['JPEG', photo],
  ['GIF', animation],
  ['WebP', web],
  ['PDF', paper],
  ['WAV', sound],
];

export const base64 = ({ bytes }: Sample): string => bytes.toString('base64');
export const urlSafe = ({ bytes }: Sample): string => bytes.toString('base64url');
export const wrapped = (one: Sample, width = 76, end = '\n'): string =>
  (base64(one).match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(end);
export const dataUri = (one: Sample): string => `data:${one.mediaType};base64,${base64(one)}`;

export const uriOfCodes = (one: Sample, letters: string = base64(one)): string =>
  `data:${one.mediaType};base64,${encodeURIComponent(letters)}`;

/** Whether any of the sample's base64 can still be read in a text, however it was broken into lines. */
export function holds(text: string, one: Sample): boolean {
  const plain = plainLetters(text).replaceAll(/\\+[nr]|\\(?=\/)|[\s>]/g, '');
  return [base64(one), urlSafe(one)].some((whole) => plain.includes(whole.slice(-48, -4)));
}
