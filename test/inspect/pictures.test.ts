// Pictures for the screen: so many are drawn at a time, and none for somebody who has left.
import { expect, test } from 'vitest';
import type { AssetStore } from '../../src/content/asset-store.ts';
import type { AssetId } from '../../src/content/block.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { drawingOf } from '../../src/inspect/pictures.ts';
import { plain } from '../media/make.ts';

test('who leaves before the turn of a picture has cost nothing, and who stays gets it', async () => {
  const kept = memoryAssets();
  const ids: AssetId[] = [];
  for (const width of [10, 11, 12, 13, 14])
    ids.push((await kept.put(await plain(width, 10).png().toBuffer(), { mediaType: 'image/png' })).id);
  const [first, second, left, shared, last] = ids as [AssetId, AssetId, AssetId, AssetId, AssetId];
  const [gate, read]: [PromiseWithResolvers<void>, AssetId[]] = [Promise.withResolvers(), []];
  const slow: AssetStore = {
    ...kept,
    get: async (id) => {
      read.push(id);
      await gate.promise;
      return await kept.get(id);
    },
  };
  const draw = drawingOf(slow, 2);
  const leaving = new AbortController();
  const { signal } = leaving;
  const asked = [
    draw(first, { edge: 320 }),
    draw(second, { edge: 320 }),
    draw(left, { edge: 320, signal }),
    draw(shared, { edge: 320, signal }),
    draw(shared, { edge: 320 }),
    draw(last, { edge: 320 }),
  ];
  leaving.abort();
  await Promise.resolve();
  expect(read).toEqual([first, second]);
  gate.resolve();
  const shown = await Promise.all(asked);
  expect(shown.map((one) => one?.mediaType)).toEqual(['image/png', 'image/png', undefined, 'image/png', 'image/png', 'image/png']); // prettier-ignore
  expect(read).toEqual([first, second, shared, last]);
  expect(await draw(left, { edge: 320 }), 'who comes back').toBeDefined();
});

test('a picture that could not be read is asked for again', async () => {
  const kept = memoryAssets();
  const { id } = await kept.put(await plain(10, 10).png().toBuffer(), { mediaType: 'image/png' });
  let isAway = true;
  const get: AssetStore['get'] = async (one) => {
    if (isAway) throw new Error('the bucket is away');
    return await kept.get(one);
  };
  const draw = drawingOf({ ...kept, get });
  for (let round = 0; round < 2; round++) await expect(draw(id, { edge: 320 })).rejects.toThrow('is away');
  isAway = false;
  expect(await draw(id, { edge: 320 })).toMatchObject({ mediaType: 'image/png' });
});
