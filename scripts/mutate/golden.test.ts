// The golden cases in which the planner has most to decide, as tests that a mutant can fail.
import { expect, test } from 'vitest';
import { linesOf, shortHash } from '../golden/case.ts';
import { lawGroup, loopGroup } from '../golden/laws.ts';

for (const group of [lawGroup, loopGroup]) {
  const lines = linesOf(group);
  for await (const { name, make } of group.cases())
    test(`${group.name}: ${name}`, async () => {
      expect((await make()).map(shortHash)).toEqual(lines.get(name));
    });
}
