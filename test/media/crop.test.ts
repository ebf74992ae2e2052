// Regions of pictures, and pictures compared.
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { comparePictures, cropPicture } from '../../src/media/index.ts';
import { plain, quarters } from './make.ts';

const assets = memoryAssets();

async function middle(id: `sha256:${string}`): Promise<number[]> {
  const { data, info } = await sharp(await assets.get(id))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 3;
  return [...data.subarray(at, at + 3)].map((value) => (value > 127 ? 255 : 0));
}

describe('a region', () => {
  // Upright, the quarters of a picture that is turned by its orientation stand elsewhere.
  test.each([
    [1, { x: 0, y: 0, width: 10, height: 5 }, [255, 0, 0]],
    [6, { x: 0, y: 0, width: 5, height: 10 }, [0, 0, 255]],
    [3, { x: 0, y: 0, width: 10, height: 5 }, [255, 255, 255]],
    [2, { x: 0, y: 0, width: 10, height: 5 }, [0, 255, 0]],
  ])('of a picture with orientation %i is cut from what people see', async (orientation, region, wanted) => {
    const bytes = await quarters(40, 20).withMetadata({ orientation }).png().toBuffer();
    const cut = await cropPicture(bytes, { assets, region, name: 'q.png' });
    expect(cut).toMatchObject({ ok: true, value: { width: region.width, height: region.height } });
    if (cut.ok) expect(await middle(cut.value.asset.id)).toEqual(wanted);
  });

  test.each([
    [{ x: 40, y: 0, width: 5, height: 5 }, 'bad-range'],
    [{ x: -10, y: 0, width: 5, height: 5 }, 'bad-range'],
    [{ x: Number.NaN, y: 0, width: 5, height: 5 }, 'bad-range'],
  ])('that lies outside is refused: %j', async (region, code) => {
    const bytes = await quarters(40, 20).png().toBuffer();
    expect(await cropPicture(bytes, { assets, region })).toMatchObject({ ok: false, refusal: { code } });
  });

  test('of something that is no picture is refused', async () => {
    expect(await cropPicture(Buffer.from('%PDF-1.4 nothing'), { assets })).toMatchObject({ ok: false });
    expect(await cropPicture(new Uint8Array(), { assets })).toMatchObject({ ok: false });
  });
});

describe('two pictures', () => {
  test('differ where only one of them has pixels', async () => {
    const [one, other] = [await plain(40, 20).png().toBuffer(), await plain(30, 25).png().toBuffer()];
    expect(await comparePictures(one, other, { assets })).toMatchObject({
      ok: true,
      value: { pixels: 1000, different: 1000 - 30 * 20, region: { x: 0, y: 0, width: 40, height: 25 } },
    });
  });

  test('that differ by less than anybody sees are the same', async () => {
    const [one, other] = [await plain(40, 20).png().toBuffer(), await plain(40, 20).jpeg({ quality: 95 }).toBuffer()];
    expect(await comparePictures(one, other, { assets })).toMatchObject({ ok: true, value: { different: 0 } });
  });

  test('that are too large together are refused', async () => {
    const [one, other] = [await plain(400, 10).png().toBuffer(), await plain(10, 400).png().toBuffer()];
    const compared = await comparePictures(one, other, { assets, limits: { pixels: 100_000 } });
    expect(compared).toMatchObject({ ok: false, refusal: { code: 'too-many-pixels', limit: '100,000 pixels' } });
  });
});
