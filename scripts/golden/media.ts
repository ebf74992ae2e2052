// Real media, made on the spot and the same each time: in place of what was cut out of the recordings, and in transcripts.
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { memoryAssets, read } from '../../src/index.ts';
import type { AssetStore, Block, MediaBlock } from '../../src/index.ts';
import { mp4 } from '../../test/media/film-make.ts';
import { pdfSaying } from '../../test/media/make.ts';

/** One store for all cases: a medium is checked once. */
export const assets: AssetStore = memoryAssets();

/** Stripes that differ with `at`, so that no two pictures are equal. */
function picture(width: number, height: number, at: number): Sharp {
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) pixels.fill((y * (at + 3)) % 251, y * width * 3, (y + 1) * width * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

export async function png(width: number, height: number, at = 0): Promise<Buffer> {
  return picture(width, height, at).png().toBuffer();
}

function wav(seconds: number): Buffer {
  const rate = 8000;
  const data = Buffer.alloc(rate * seconds);
  for (let at = 0; at < data.length; at++) data[at] = 128 + Math.round(100 * Math.sin(at / 9));
  const head = Buffer.from('RIFF\0\0\0\0WAVEfmt \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0data\0\0\0\0', 'latin1');
  head.writeUInt32LE(36 + data.length, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

const film = { seconds: 2, width: 64, height: 48 };

/** A small medium of each kind, as base64; a recorded one of unknown kind is taken to be a picture. */
export const small: Record<'image' | 'document' | 'audio' | 'video', string> = {
  image: (await png(64, 48)).toString('base64'),
  document: pdfSaying('First page', 'Second page').toString('base64'),
  audio: wav(1).toString('base64'),
  video: mp4(film).toString('base64'),
};

/** Media for transcripts, by kind: sizes from an icon to what has to be made smaller, PDFs of few and many pages. */
export type Pool = Record<MediaBlock['type'], readonly MediaBlock[]>;

function pages(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `This is page ${at + 1}`);
}

export async function openPool(): Promise<Pool> {
  const image = await Promise.all([
    checked(await png(64, 48, 1), 'icon.png'),
    checked(await png(1280, 800, 2), 'screen.png'),
    checked(await png(2600, 1400, 3), 'wide.png'),
    checked(await picture(900, 700, 4).jpeg().toBuffer(), 'photo.jpg'),
    checked(await picture(640, 480, 5).webp().toBuffer(), 'photo.webp'),
    checked(await picture(320, 240, 6).gif().toBuffer(), 'moving.gif'),
  ]);
  return {
    image,
    document: await Promise.all([
      checked(pdfSaying(...pages(3)), 'three.pdf'),
      checked(pdfSaying(...pages(40)), 'forty.pdf'),
    ]),
    audio: [await checked(wav(1), 'beep.wav'), await checked(wav(3), 'long.wav')],
    video: [await checked(mp4(film), 'film.mp4')],
  };
}

/** A medium as it enters a message. */
export async function checked(bytes: Uint8Array, name: string): Promise<MediaBlock> {
  const reading = await read(bytes, { name, assets });
  if (!reading.ok) throw new Error(`${name}: ${reading.refusal.what}`);
  const found = reading.value.blocks.find((block: Block) => 'asset' in block);
  if (found === undefined || !('asset' in found)) throw new Error(`${name} became no medium`);
  return found;
}
