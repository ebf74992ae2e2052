// What the catalog says, read afresh each time: nearly all of it is decided while it is loaded.
import { expect, test, vi } from 'vitest';
import { linesOf, shortHash } from '../golden/case.ts';

test('every endpoint and every name is what it was', async () => {
  vi.resetModules();
  const { catalogGroup } = await import('../golden/catalog.ts');
  const made = new Map<string, string[]>();
  for await (const { name, make } of catalogGroup.cases()) made.set(name, (await make()).map(shortHash));
  expect(made).toEqual(linesOf(catalogGroup));
});
