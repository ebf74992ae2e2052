// Pictures that differ from each other: their bytes, and blocks that name them in a store.
import sharp from 'sharp';
import type { AssetStore } from '../../src/content/asset-store.ts';
import type { ImageBlock } from '../../src/content/block.ts';

/** Each one is a pixel wider than the one before, from `width` on. */
export function shotBytes(count: number, width = 64): Promise<Buffer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, at) =>
      sharp({ create: { width: width + at, height: 48, channels: 3, background: { r: at * 6, g: 1, b: 2 } } })
        .png()
        .toBuffer(),
    ),
  );
}

export async function shots(count: number, assets: AssetStore): Promise<{ texts: string[]; blocks: ImageBlock[] }> {
  const bytes = await shotBytes(count);
  const blocks = bytes.map(async (one, at): Promise<ImageBlock> => {
    const asset = await assets.put(one, { mediaType: 'image/png', name: `shot-${at}.png` });
    return { type: 'image', asset, width: 64 + at, height: 48 };
  });
  return { texts: bytes.map((one) => one.toString('base64')), blocks: await Promise.all(blocks) };
}
