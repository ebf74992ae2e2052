// Pictures without writing, which have to reach every family byte for byte as if nobody looked for any.
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { prepare } from '../../src/index.ts';
import { read } from '../../src/media/index.ts';
import { families } from './families.ts';
import { seeded } from './items.ts';

export type Blank = { name: string; bytes: Uint8Array };

/** Skies, hills, noise and flat colours, of several sizes and types. */
export async function blankPictures(): Promise<Blank[]> {
  const sizes = [
    [400, 300],
    [1600, 1200],
    [2400, 1000],
    [900, 2600],
  ] as const;
  const all: Blank[] = [];
  for (const [width, height] of sizes)
    for (const drawing of ['hills', 'noise', 'flat'] as const) {
      const random = seeded(`${drawing} ${width}`);
      const picture =
        drawing === 'noise'
          ? noise(width, height, random)
          : sharp(Buffer.from(drawing === 'hills' ? hills(width, height, random) : flat(width, height)));
      const bytes =
        drawing === 'flat' ? await picture.png().toBuffer() : await picture.flatten().jpeg({ quality: 82 }).toBuffer();
      all.push({ name: `${drawing} ${width}×${height}`, bytes });
    }
  return all;
}

function noise(width: number, height: number, random: () => number): Sharp {
  const rough = { width: width >> 3, height: height >> 3, channels: 3 as const };
  const data = Buffer.from(Array.from({ length: rough.width * rough.height * 3 }, () => Math.floor(random() * 256)));
  return sharp(data, { raw: rough }).resize(width, height);
}

function hills(width: number, height: number, random: () => number): string {
  const hill = (at: number): string => {
    const points = Array.from(
      { length: 40 },
      (_, step) => `${(step * width) / 39},${height * (0.25 + at * 0.15 + random() * 0.12)}`,
    );
    return `<polygon points="${points.join(' ')} ${width},${height} 0,${height}" fill="hsl(${90 + at * 12},40%,${55 - at * 9}%)"/>`;
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#9ccbee"/>${[0, 1, 2, 3].map(hill).join('')}</svg>`;
}

function flat(width: number, height: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#446688"/><circle cx="50%" cy="50%" r="20%" fill="#ffcc00"/></svg>`;
}

/** Those whose request is another when writing is looked for. */
export async function movedBlanks(blanks: readonly Blank[]): Promise<{ tried: number; moved: string[] }> {
  const moved: string[] = [];
  for (const { name, bytes } of blanks) {
    const assets = memoryAssets();
    const found = await read(bytes, { assets, name: 'picture' });
    const [block] = found.ok ? found.value.blocks : [];
    if (block?.type !== 'image') throw new Error(`${name} was not read`);
    const { textPx: _, ...unread } = block;
    for (const { id, model } of families) {
      const bodyOf = async (picture: typeof block, options: object): Promise<string> => {
        const request = await prepare(
          { messages: [{ role: 'user', content: [picture] }] },
          { model, assets, ...options },
        );
        return JSON.stringify(await request.json());
      };
      const before = await bodyOf(unread, { tiles: 'off' });
      for (const options of [{}, { tiles: 'auto', legibility: 'thrifty' }])
        if ((await bodyOf(block, options)) !== before) moved.push(`${name}, ${id}`);
    }
  }
  return { tried: blanks.length * families.length, moved };
}
