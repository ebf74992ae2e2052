// hopper.heif is from Pillow (MIT-CMU): 128×128 pixels of HEVC, as heif-enc writes them.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { cropPicture, read } from '../../src/media/index.ts';

const assets = memoryAssets();
const hopper = readFileSync(new URL('../fixtures/image/hopper.heif', import.meta.url));

async function shown(bytes: Uint8Array): Promise<{ width: number; height: number; pixels: Buffer; made?: string }> {
  const result = await read(bytes, { assets, name: 'photo.heic' });
  const block = result.ok ? result.value.blocks[0] : undefined;
  if (block?.type !== 'image') throw new Error(JSON.stringify(result));
  const pixels = await sharp(await assets.get(block.asset.id))
    .raw()
    .toBuffer();
  const { width, height, origin } = block;
  return { width, height, pixels, ...(origin?.made !== undefined && { made: origin.made }) };
}

/** The same picture with the order to turn it by a quarter: one more property, linked to the item. */
function turned(bytes: Buffer): Buffer {
  const out = [...bytes];
  const find = (name: string): number => Buffer.from(out).indexOf(name, 0, 'latin1') - 4;
  const grow = (name: string, by: number): void => {
    const at = find(name);
    const size = Buffer.from(out).readUInt32BE(at) + by;
    out.splice(at, 4, ...Buffer.from([size >>> 24, size >>> 16, size >>> 8, size]));
  };
  const list = find('ipco');
  const listEnd = list + Buffer.from(out).readUInt32BE(list);
  let properties = 0;
  for (let at = list + 8; at < listEnd; at += Buffer.from(out).readUInt32BE(at)) properties += 1;
  const links = find('ipma');
  const count = links + 8 + 4 + 4 + 2; // header, version and flags, number of items, the item's number
  const linkEnd = count + 1 + (out[count] ?? 0);
  out.splice(linkEnd, 0, 0x80 | (properties + 1));
  out[count] = (out[count] ?? 0) + 1;
  out.splice(listEnd, 0, 0, 0, 0, 9, ...Buffer.from('irot'), 1);
  grow('ipma', 1);
  grow('ipco', 9);
  grow('iprp', 10);
  grow('meta', 10);
  const places = find('iloc');
  const moved = Buffer.from(out);
  // One item with one extent: its place in the file is the last but one number.
  const placesEnd = places + moved.readUInt32BE(places);
  moved.writeUInt32BE(moved.readUInt32BE(placesEnd - 8) + 10, placesEnd - 8);
  return moved;
}

describe('a HEIC', () => {
  test('becomes a picture that every model can be shown', async () => {
    const { width, height, pixels, made } = await shown(hopper);
    expect([width, height, made]).toEqual([128, 128, 'converted from HEIC']);
    const { channels } = await sharp(pixels, { raw: { width, height, channels: 3 } }).stats();
    for (const { stdev } of channels) expect(stdev).toBeGreaterThan(30);
  });

  test('is turned as its container orders', async () => {
    const [upright, quarter] = [await shown(hopper), await shown(turned(hopper))];
    const raw = { width: 128, height: 128, channels: 3 as const };
    const expected = await sharp(upright.pixels, { raw }).rotate(-90).raw().toBuffer();
    const distance = expected.reduce((sum, value, at) => sum + Math.abs(value - (quarter.pixels[at] ?? 0)), 0);
    expect(distance / expected.length).toBeLessThan(4);
  });

  test('can be cropped', async () => {
    const region = { x: 10, y: 10, width: 20, height: 30 };
    expect(await cropPicture(hopper, { assets, region })).toMatchObject({ ok: true, value: { width: 20, height: 30 } });
  });

  test.each([
    ['is cut', hopper.subarray(0, 2000)],
    ['has nothing where its picture should be', Buffer.concat([hopper.subarray(0, 380), Buffer.alloc(3175)])],
  ])('that %s is refused, and the next one is read', async (_what, bytes) => {
    expect(await read(bytes, { assets, name: 'photo.heic' })).toMatchObject({
      ok: false,
      refusal: { code: 'corrupt', what: expect.stringContaining('photo.heic') },
    });
    expect((await read(hopper, { assets })).ok).toBe(true);
  });
});
