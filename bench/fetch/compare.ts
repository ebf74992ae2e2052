// What `sightlineFetch` costs under the AI SDK: a request without media, and one with twenty pictures of 1 MiB that the
// SDK puts into its tool messages as text.
import { interleave, show, spread } from '../harness.ts';
import type { Spread } from '../harness.ts';
import type { Comparison } from '../run.ts';
import type { Cost, FetchInput, FetchResult } from './task.ts';

const module = new URL('task.ts', import.meta.url);
const [small, large] = ['no media', '20 pictures of 1 MiB'] as const;
const inputs: Record<string, FetchInput> = {
  [small]: { pictures: 0, rounds: 30 },
  [large]: { pictures: 20, rounds: 5 },
};

/** The middle of one process, then the spread of all processes. */
function over(results: readonly FetchResult[], which: 'plain' | 'wrapped', unit: keyof Cost): Spread {
  return spread(results.map((result) => spread(result[which].map((cost) => cost[unit])).median));
}

function rowOf(name: string, all: readonly FetchResult[], which: 'plain' | 'wrapped', what: string): string[] {
  const times = (['ms', 'cpuMs'] as const).map((unit) => show(over(all, which, unit), 2));
  return [name, what, ...times, show(over(all, which, 'mb'))];
}

export const compareFetch: Comparison = async (repetitions) => {
  const jobs = Object.entries(inputs).map(([name, input]) => ({ name, module, input }));
  const results = await interleave<FetchResult>(jobs, repetitions);
  const rows = [...results].flatMap(([name, all]) => [
    rowOf(name, all, 'plain', 'AI SDK'),
    rowOf(name, all, 'wrapped', 'over sightlineFetch'),
    [name, 'over sightlineFetch, first time', show(spread(all.map(({ first }) => first.ms)), 2), '', ''],
  ]);
  const more = (name: string, unit: keyof Cost): number => {
    const all = results.get(name) ?? [];
    return over(all, 'wrapped', unit).median - over(all, 'plain', unit).median;
  };
  return {
    title: 'The fetch wrapper under an SDK',
    about: [
      'The same `generateText` of the AI SDK (Chat Completions) without and with `sightlineFetch()`, in turn in one process, up to ' +
        'the bytes that would be sent. Each of twenty results holds a picture; without the wrapper it goes out as base64 in a text.',
    ],
    tables: [
      {
        caption: 'One call: time, and how far memory rises above what it was',
        columns: ['request', '', 'ms', 'CPU ms', 'MB'],
        rows,
      },
    ],
    notes: [
      `A request without media takes ${more(small, 'ms').toFixed(2)} ms more.`,
      `Twenty pictures that were seen before take ${more(large, 'ms').toFixed(0)} ms (${more(large, 'cpuMs').toFixed(0)} ms of CPU) and ` +
        `${more(large, 'mb').toFixed(0)} MB more.`,
    ],
    raw: Object.fromEntries(results),
  };
};
