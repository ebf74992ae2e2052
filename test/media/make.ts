// Real files for the tests, made on the spot.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import type { Sharp } from 'sharp';

/** A folder of its own for each test file. */
export const folder: string = mkdtempSync(join(tmpdir(), 'sightline-media-'));

process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

export function file(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A plain picture; with `alpha` its left half is transparent. */
export function plain(width: number, height: number, alpha = false): Sharp {
  const picture = sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });
  if (!alpha) return picture;
  const channels = 4 as const;
  const pixels = new Uint8Array(width * height * channels).fill(255);
  for (let y = 0; y < height; y += 1) pixels.fill(0, y * width * 4, y * width * 4 + Math.floor(width / 2) * 4);
  return sharp(pixels, { raw: { width, height, channels } });
}

/** Noise, which no coding makes small. */
export function noise(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const pixels = new Uint8Array(width * height * channels);
  let state = 12_345;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    pixels[at] = state >>> 24;
  }
  return sharp(pixels, { raw: { width, height, channels } });
}

/** Four quarters in four colours, so that every turn and mirroring can be told from its pixels. */
export function quarters(width = 40, height = 20): Sharp {
  const pixels = new Uint8Array(width * height * 3);
  const colours = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
  ];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = colours[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] ?? [];
      pixels.set(colour, (y * width + x) * 3);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** A PNG whose header claims any size, with a right checksum and hardly any data. */
export function claimedPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.from([1, 2, 3])),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** A PDF with one page for each content stream. */
export function pdf(streams: readonly string[]): Buffer {
  const kids = streams.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${streams.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...streams.flatMap((stream, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents ${5 + at * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ]),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((body, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** A PDF whose pages say what they are told to. */
export function pdfSaying(...words: string[]): Buffer {
  return pdf(words.map((word) => (word === '' ? '' : `BT /F1 12 Tf 20 350 Td (${word}) Tj ET`)));
}

/** A PDF whose one page takes long to draw. */
export function slowPdf(strokes = 300_000): Buffer {
  let stream = '';
  for (let at = 0; at < strokes; at += 1) stream += `0 0 m ${at % 300} 400 ${(at * 7) % 300} 0 300 ${at % 400} c S\n`;
  return pdf([stream]);
}
