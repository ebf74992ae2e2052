// Finding the media in what a tool returned: against parsing the same JSON, which somebody has to do anyway.
import { interleave, show, spread } from '../harness.ts';
import type { Job, Spread } from '../harness.ts';
import type { Comparison } from '../run.ts';
import type { NormaliseInput, NormaliseResult } from './task.ts';

const jobs: { name: string; input: NormaliseInput; digits: number }[] = [
  { name: '5 MB of JSON with one picture', input: { what: 'json' }, digits: 0 },
  { name: '200 kB of text without one', input: { what: 'text' }, digits: 2 },
  { name: '50 MB with one picture in JSON', input: { what: 'huge' }, digits: 0 },
];

export const compareNormalising: Comparison = async (repetitions) => {
  const module = new URL('task.ts', import.meta.url);
  const results = await interleave<NormaliseResult>(
    jobs.map(({ name, input }): Job => ({ name, module, input })),
    repetitions,
  );
  const tables = jobs.map(({ name, digits }) => {
    const times = spreads(results.get(name) ?? []);
    return { caption: name, columns: ['', 'ms'], rows: [...times].map(([what, time]) => [what, show(time, digits)]) };
  });
  const json = spreads(results.get(jobs[0]?.name ?? '') ?? []);
  const [parse, given, value] = [...json.values()].map(({ median }) => median);
  const ratio = (time = Number.NaN): string => (time / (parse ?? Number.NaN)).toFixed(1);
  return {
    title: 'Finding media in results',
    about: [
      'What a tool returned is searched for media, its text cut to 30,720 characters and the whole kept as an asset. The ' +
        'picture is taken at its word: decoding is not counted. Above 16 MB a text is not parsed, and a value of over a ' +
        'million parts is not walked; both are kept whole, and pictures in them are found as in any text.',
    ],
    tables,
    notes: [`Times JSON.parse of the same 5 MB: ${ratio(given)} given the text, ${ratio(value)} given the value.`],
    raw: Object.fromEntries(results),
  };
};

function spreads(runs: readonly NormaliseResult[]): Map<string, Spread> {
  const names = Object.keys(runs[0] ?? {});
  return new Map(names.map((name) => [name, spread(runs.map((run) => run[name] ?? Number.NaN))]));
}
