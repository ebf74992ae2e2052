// Runs one law on every model with random transcripts; a failure names the model and the smallest transcript.
import * as fc from 'fast-check';
import { test } from 'vitest';
import { models } from './models.ts';
import { profileOf } from './models.ts';
import { transcriptOf } from './transcripts.ts';
import type { Built, Shape } from './transcripts.ts';

export type Law = (transcript: Built, model: string) => Promise<void> | void;

/** How often each law is tried on each model; `SIGHTLINE_RUNS` tries harder. */
export const runs: number = Number(process.env['SIGHTLINE_RUNS'] ?? 10);

export function lawOnEveryModel(
  name: string,
  shape: fc.Arbitrary<Shape>,
  law: Law,
  names: readonly string[] = models,
): void {
  test.each(names)(`${name}: %s`, async (model) => {
    const profile = profileOf(model);
    const property = fc.asyncProperty(shape, async (drawn) => law(transcriptOf(drawn, profile), model));
    await fc.assert(property, { numRuns: runs, seed: 20_261_115 });
  });
}
