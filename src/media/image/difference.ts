// Two pictures in, how many of their pixels differ, where, and a picture of it out: what both share in pale grey, what
// differs in red. Where only one of them has pixels, they differ. Runs in a child process.
import type { Encoded } from './codec.ts';
import { decoded, firstFitting } from './codec.ts';
import type { Pixels, Region, Target } from './fit.ts';
import type { ImageHeader } from './format.ts';

export type ComparedImage = { bytes: Uint8Array; header: ImageHeader };

/** `region` holds all pixels that differ; there is none when none does. */
export type Difference = { pixels: number; different: number; region?: Region; picture: Encoded };

/** How far a colour may be off before anybody could see it: codecs and smoothed type differ by less. */
const tolerance = 12;

/** Compares pixel by pixel, both from the upper left corner. */
export async function difference(
  one: ComparedImage,
  other: ComparedImage,
  { maxBase64, types }: Target,
  maxPixels: number,
): Promise<Difference | undefined> {
  const first = await decoded(one.bytes, one.header, maxPixels);
  const second = await decoded(other.bytes, other.header, maxPixels);
  const [width, height] = [Math.max(first.width, second.width), Math.max(first.height, second.height)];
  const data = new Uint8Array(width * height * 3);
  let [left, top, right, bottom, different] = [width, height, -1, -1, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [from, to] = [indexOf(first, x, y), indexOf(second, x, y)];
      const at = (y * width + x) * 3;
      if (from >= 0 && to >= 0 && isSame(first, from, second, to)) {
        data.fill(pale(first, from), at, at + 3);
        continue;
      }
      data[at] = 220;
      different++;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  const picture = await firstFitting({ data, width, height, channels: 3 }, 'image/png', maxBase64, types);
  if (!picture) return undefined;
  const region = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  return { pixels: width * height, different, ...(different > 0 && { region }), picture };
}

function indexOf({ width, height, channels }: Pixels, x: number, y: number): number {
  return x < width && y < height ? (y * width + x) * channels : -1;
}

function isSame(one: Pixels, from: number, other: Pixels, to: number): boolean {
  for (let channel = 0; channel < 3; channel++) {
    if (Math.abs((one.data[from + channel] ?? 0) - (other.data[to + channel] ?? 0)) > tolerance) return false;
  }
  return Math.abs(alpha(one, from) - alpha(other, to)) <= tolerance;
}

function alpha({ data, channels }: Pixels, at: number): number {
  return channels === 4 ? (data[at + 3] ?? 255) : 255;
}

function pale({ data }: Pixels, at: number): number {
  const grey = ((data[at] ?? 0) * 3 + (data[at + 1] ?? 0) * 6 + (data[at + 2] ?? 0)) / 10;
  return 190 + grey / 4;
}
