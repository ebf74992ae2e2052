// Which part of a picture as a vendor keeps it shows the words that are looked for, and what two eyes read there. Equal
// pictures are read once, however they came about.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Delivery } from './deliver.ts';
import type { Box, Word } from './draw.ts';
import { openEyes, recallOf } from './eyes.ts';
import type { Eye } from './eyes.ts';
import { families, seenBy } from './families.ts';
import type { Family } from './families.ts';

/** Every place is brought to letters of this height before eyes see it, so that only what is left of them counts. */
const letters = 20;
const mostLarger = 8;

/** How many of the words each eye found. */
export type Reading = { recall: [number, number]; tokens: number; refused?: true };

/** What each eye said. */
type Said = [string, string];

/** What eyes said of pictures, kept from one run to the next: by their pixels, and by the way they came about. */
export type Readings = { count: () => number; read: (way: string, make: () => Promise<Buffer>) => Promise<Said> };

export function openReadings(folder: string): Readings {
  const said = kept<Said>(join(folder, 'readings.jsonl'));
  const ways = kept<string>(join(folder, 'ways.jsonl'));
  let eyes: Promise<[Eye, Eye]> | undefined;
  return {
    count: () => said.known.size,
    read: async (way, make) => {
      const before = said.known.get(ways.known.get(way) ?? '');
      if (before) return before;
      const png = await make();
      const key = createHash('sha256').update(png).digest('hex').slice(0, 32);
      const [one, other] = await (eyes ??= openEyes());
      const reading = said.known.get(key) ?? said.keep(key, await Promise.all([one(png), other(png)]));
      ways.keep(way, key);
      return reading;
    },
  };
}

function kept<Value>(file: string): { known: Map<string, Value>; keep: (key: string, value: Value) => Value } {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const known = new Map(lines.map((line) => JSON.parse(line) as [string, Value]));
  return {
    known,
    keep: (key, value) => {
      known.set(key, value);
      appendFileSync(file, `${JSON.stringify([key, value])}\n`);
      return value;
    },
  };
}

type Shown = { file: string; width: number; height: number; region: Box; gold: Word[] };

/** What is read on the picture itself. */
export async function readOriginal(item: Shown, folder: string, readings: Readings): Promise<[number, number]> {
  const { file, width, height, region } = item;
  return await recalled(
    [{ file, size: { width, height }, region, whole: { x: 0, y: 0, width, height } }],
    item,
    folder,
    readings,
  );
}

/** What is read of it behind the front end of a family, and what that costs. */
export async function readDelivered(
  item: Shown,
  delivery: Delivery,
  folder: string,
  readings: Readings,
): Promise<Reading> {
  const family = families.find(({ id }) => id === delivery.family) as Family;
  const seen = delivery.pictures.map((picture) => ({ picture, sight: seenBy(family, picture) }));
  if (seen.length === 0 || seen.some(({ sight }) => sight === undefined))
    return { recall: [0, 0], tokens: 0, refused: true };
  const tokens = seen.reduce((sum, { sight }) => sum + (sight?.tokens ?? 0), 0);
  const places = seen.flatMap(({ picture, sight }) => {
    const whole = picture.part ?? { x: 0, y: 0, width: item.width, height: item.height };
    const region = shared(whole, item.region);
    if (!region || picture.overview || !sight) return [];
    return [{ file: picture.file, size: { width: sight.width, height: sight.height }, region, whole }];
  });
  return { recall: await recalled(places, item, folder, readings), tokens };
}

function shared(one: Box, other: Box): Box | undefined {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)];
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 4 && height > 4 ? { x, y, width, height } : undefined;
}

type Place = { file: string; size: { width: number; height: number }; region: Box; whole: Box };

/** The words found on any of the places: a word may stand on either side of a cut. */
async function recalled(
  places: readonly Place[],
  { gold }: Shown,
  folder: string,
  readings: Readings,
): Promise<[number, number]> {
  const said: [string, string] = ['', ''];
  for (const place of places) {
    const size = middleSize(gold);
    const way = `${JSON.stringify(place)} ${size.toFixed(2)} ${letters}`;
    const [one, other] = await readings.read(way, () => placeOf(place, size, folder));
    said[0] += `\n${one}`;
    said[1] += `\n${other}`;
  }
  const wanted = gold.map(({ text }) => text);
  return [recallOf(wanted, said[0]), recallOf(wanted, said[1])];
}

function middleSize(gold: readonly Word[]): number {
  return gold.map(({ size }) => size).toSorted((one, other) => one - other)[gold.length >> 1] ?? letters;
}

/** The place of a picture, scaled as the vendor does, then enlarged for the eyes. */
async function placeOf({ file, size, region, whole }: Place, textSize: number, folder: string): Promise<Buffer> {
  const [across, down] = [size.width / whole.width, size.height / whole.height];
  const left = Math.max(0, Math.round((region.x - whole.x) * across));
  const top = Math.max(0, Math.round((region.y - whole.y) * down));
  const width = Math.max(2, Math.min(size.width - left, Math.round(region.width * across)));
  const height = Math.max(2, Math.min(size.height - top, Math.round(region.height * down)));
  const scaled = await sharp(join(folder, file), { limitInputPixels: false })
    .flatten({ background: 'white' })
    .resize(size.width, size.height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { channels } = scaled.info;
  const larger = Math.min(mostLarger, Math.max(1, letters / (textSize * Math.min(across, down))));
  const [tall, wide] = [height * larger, width * larger * (down / across)]; // a square front end squeezes; eyes see it as it was
  return await sharp(scaled.data, { raw: { width: size.width, height: size.height, channels } })
    .extract({ left, top, width, height })
    .resize(
      Math.max(8, Math.round(across < down ? wide : width * larger)),
      Math.max(8, Math.round(across < down ? tall : tall * (across / down))),
      { fit: 'fill', kernel: 'cubic' },
    )
    .png({ compressionLevel: 1 })
    .toBuffer();
}
