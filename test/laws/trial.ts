// Runs one law on every model with random transcripts; a failure names the model, the smallest transcript and the seed.
import * as fc from 'fast-check';
import { inject, test } from 'vitest';
import { effort } from '../effort.ts';
import { models } from './models.ts';
import { profileOf } from './models.ts';
import { transcriptOf } from './transcripts.ts';
import type { Built, Shape } from './transcripts.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Drawn anew for each run of the tests, unless `SIGHTLINE_SEED` repeats one. */
    seed: number;
  }
}

export type Law = (transcript: Built, model: string) => Promise<void> | void;

const { runs } = effort;

/** Tries a law with random inputs; a failure says how to see it again. */
export async function tryLaw<Input>(property: fc.IAsyncProperty<Input>): Promise<void> {
  const seed = inject('seed');
  const details = await fc.check(property, { numRuns: runs, seed });
  if (!details.failed) return;
  const again = `SIGHTLINE_SEED=${seed} SIGHTLINE_RUNS=${runs} finds it again.`;
  throw new Error(`${again}\n${fc.defaultReportMessage(details) ?? ''}`, { cause: details.errorInstance });
}

/** One of several ways for each transcript, always the same one for the same: all are tried, each in its share of runs. */
export function oneOf<Way>({ messages }: Built, ways: readonly Way[]): Way {
  return ways[JSON.stringify(messages).length % ways.length] as Way;
}

export function lawOnEveryModel(
  name: string,
  shape: fc.Arbitrary<Shape>,
  law: Law,
  names: readonly string[] = models,
): void {
  test.each(names)(`${name}: %s`, async (model) => {
    const profile = profileOf(model);
    await tryLaw(fc.asyncProperty(shape, async (drawn) => law(transcriptOf(drawn, profile), model)));
  });
}
