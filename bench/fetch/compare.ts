// What `sightlineFetch` costs under the AI SDK: a request without media, and one with twenty pictures of 1 MiB that the
// SDK puts into its tool messages as text.
import { existsSync } from 'node:fs';
import { interleave, show, spread } from '../harness.ts';
import type { Spread } from '../harness.ts';
import type { Comparison } from '../run.ts';
import type { Cost, FetchInput, FetchResult } from './task.ts';

const module = new URL('task.ts', import.meta.url);
const [small, large, whole] = ['no media', '20 pictures of 1 MiB', 'a body of 30 MB'] as const;
const inputs: Record<string, FetchInput> = {
  [small]: { pictures: 0, rounds: 30 },
  [large]: { pictures: 20, rounds: 5 },
  [whole]: { pictures: 22, rounds: 5, written: true },
};

/** The middle of one process, then the spread of all processes. */
function over(results: readonly FetchResult[], which: 'plain' | 'wrapped', unit: keyof Cost): Spread {
  return spread(results.map((result) => spread(result[which].map((cost) => cost[unit])).median));
}

function rowOf(name: string, all: readonly FetchResult[], which: 'plain' | 'wrapped', what: string): string[] {
  const times = (['ms', 'cpuMs'] as const).map((unit) => show(over(all, which, unit), 2));
  return [name, what, ...times, show(over(all, which, 'mb')), show(over(all, which, 'blockMs'))];
}

function onceOf(all: readonly FetchResult[], which: 'first' | 'fresh'): string[] {
  const [ms, cpuMs, mb, blockMs] = (['ms', 'cpuMs', 'mb', 'blockMs'] as const).map((unit) =>
    spread(all.map((result) => result[which][unit])),
  ) as [Spread, Spread, Spread, Spread];
  return [show(ms, 2), show(cpuMs, 2), show(mb), show(blockMs)];
}

export const compareFetch: Comparison = async (repetitions) => {
  if (!existsSync(new URL('../../dist/fetch/index.js', import.meta.url)))
    throw new Error('There is no dist/; run `npm run build` first.');
  const jobs = Object.entries(inputs).map(([name, input]) => ({ name, module, input }));
  const results = await interleave<FetchResult>(jobs, repetitions);
  const rows = [...results].flatMap(([name, all]) => [
    rowOf(name, all, 'plain', name === whole ? 'bare fetch' : 'AI SDK'),
    rowOf(name, all, 'wrapped', 'over sightlineFetch'),
    [name, 'over sightlineFetch, other pictures', ...onceOf(all, 'fresh')],
    [name, 'over sightlineFetch, just started', ...onceOf(all, 'first')],
  ]);
  const more = (name: string, unit: keyof Cost): number => {
    const all = results.get(name) ?? [];
    return over(all, 'wrapped', unit).median - over(all, 'plain', unit).median;
  };
  const times = (name: string, which: 'first' | 'fresh' | 'wrapped'): string => {
    const ratios = (results.get(name) ?? []).map((result) => {
      const bare = spread(result.plain.map(({ ms }) => ms)).median;
      return (which === 'wrapped' ? spread(result.wrapped.map(({ ms }) => ms)).median : result[which].ms) / bare;
    });
    return show(spread(ratios), 2);
  };
  return {
    title: 'The fetch wrapper under an SDK',
    about: [
      'The same `generateText` of the AI SDK (Chat Completions) without and with `sightlineFetch()` as it is installed (`dist/`), in turn in one ' +
        'process, up to the bytes that would be sent. Each of twenty results holds a picture; without the wrapper it goes out as base64 in a text. ' +
        'Last, such a body of 22 pictures that is written already, sent over loopback by a bare fetch and by the wrapper, until the answer is there.',
    ],
    tables: [
      {
        caption:
          'One call: time, how far memory rises above what it was, and the longest time that the event loop stands still',
        columns: ['request', '', 'ms', 'CPU ms', 'MB', 'longest block, ms'],
        rows,
      },
    ],
    notes: [
      `A request without media takes ${more(small, 'ms').toFixed(2)} ms more.`,
      `Twenty pictures that were seen before take ${more(large, 'ms').toFixed(0)} ms (${more(large, 'cpuMs').toFixed(0)} ms of CPU) and ` +
        `${more(large, 'mb').toFixed(0)} MB more; twenty that were not, ${times(large, 'fresh')} times as long as without the wrapper, ${times(large, 'first')} just after the start.`,
      `A body of 30 MB takes ${times(whole, 'wrapped')} times as long as with a bare fetch, with pictures that were not seen before ${times(whole, 'fresh')} times.`,
    ],
    raw: Object.fromEntries(results),
  };
};
