// Files of other people, judged by other programs: some, in the long form all. The whole walk is `node scripts/sweep.ts`.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { some } from '../some.ts';
import { corpus, disagreements, entries } from './corpus.ts';

const exceptions: { file: string; disagreement: string }[] = JSON.parse(
  readFileSync(new URL('exceptions.json', import.meta.url), 'utf8'),
);
const assets = memoryAssets();

describe.skipIf(corpus === undefined)('the intake agrees with independent programs about', () => {
  test.each(['png', 'image', 'pdf', 'office'])('files of %s', async (folder) => {
    const found: string[] = [];
    for (const entry of some(entries(folder), 40)) {
      for (const one of await disagreements(entry, { assets })) {
        const known = exceptions.some(({ file, disagreement }) => file === entry.file && one.includes(disagreement));
        if (!known) found.push(`${entry.file}: ${one}`);
      }
    }
    expect(found).toEqual([]);
  });
});
