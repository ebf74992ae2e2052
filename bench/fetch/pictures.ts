// Pictures of about 1 MiB each that no picture is equal to: noise, which nothing compresses.
import { randomFillSync } from 'node:crypto';
import sharp from 'sharp';

const [width, height] = [700, 500];

export async function pictures(count: number): Promise<string[]> {
  const out: string[] = [];
  for (let at = 0; at < count; at++) {
    const raw = randomFillSync(Buffer.alloc(width * height * 3));
    const png = await sharp(raw, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 1 })
      .toBuffer();
    out.push(png.toString('base64'));
  }
  return out;
}
