// The names that editors offer are names that the catalog knows.
import { expect, test } from 'vitest';
import { knownModels } from '../../src/window/catalog.ts';
import { profileFor } from '../../src/window/profile.ts';

const names = Object.entries(knownModels).flatMap(([endpoint, models]) =>
  models.map((model) => `${endpoint}/${model}`),
);

test.each(names)('%s sees pictures and has a price', (name) => {
  const { media, prices } = profileFor(name);
  expect(media.image.types).toContain('image/png');
  expect(prices).toBeDefined();
});
