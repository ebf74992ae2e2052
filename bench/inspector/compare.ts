// The inspector over long and heavy histories, what its records take on disk and in time, and beside it the devtools of the
// AI SDK on the same loop.
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interleave, show, spread } from '../harness.ts';
import type { Job, Spread } from '../harness.ts';
import { installPeers, peerVersions } from '../install.ts';
import type { Comparison } from '../run.ts';
import { longHistory, pictureHistory } from './history.ts';
import type { LookFigures } from './look.ts';
import type { RecordingFigures } from './recording.ts';
import { sizeOf } from './steps.ts';
import type { StepsFigures, StepsInput } from './steps.ts';

const [turns, pictureBytes, many, steps, stepBytes, recorded] = [400, 2_500_000, 10_000, 40, 250_000, 400];
const ways: StepsInput['way'][] = ['alone', 'sightline', 'devtools'];

const module = (name: string): URL => new URL(name, import.meta.url);

export const compareInspector: Comparison = async (repetitions) => {
  const trouble = installPeers();
  if (trouble !== undefined) throw new Error(trouble);
  const folder = await mkdtemp(join(tmpdir(), 'sightline-inspector-'));
  const [heavy, long, loops] = ['heavy', 'long', 'loops'].map((name) => join(folder, name)) as [string, string, string];
  mkdirSync(loops);
  const rounds = Math.min(repetitions, 5);
  try {
    process.stderr.write('  histories\n');
    const { id, pictureBytes: media } = await pictureHistory(heavy, turns, pictureBytes);
    await longHistory(long, many);
    const disk = sizeOf(heavy);
    const looks: Job[] = [
      { name: 'heavy', module: module('look.ts'), input: { home: heavy, id, visits: 20 } },
      { name: 'long', module: module('look.ts'), input: { home: long, id: 'long', visits: 5 } },
    ];
    const seen = await interleave<LookFigures>(looks, rounds);
    const all: Job = { name: 'all', module: module('look.ts'), input: { home: heavy, id, visits: turns } };
    const visited = (await interleave<LookFigures>([all], 1)).get('all') ?? [];
    const record: Job = {
      name: 'record',
      module: module('recording.ts'),
      input: { home: join(folder, 'record'), turns: recorded },
    };
    const cost = (await interleave<RecordingFigures>([record], rounds)).get('record') ?? [];
    const jobs = ways.map((way): Job => ({
      name: way,
      module: module('steps.ts'),
      input: { way, folder: loops, steps, bytes: stepBytes },
    }));
    const loop = await interleave<StepsFigures>(jobs, Math.min(rounds, 3));
    return section({ disk, media, seen, visited, cost, loop });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

type Measured = {
  disk: number;
  media: number;
  seen: Map<string, LookFigures[]>;
  visited: LookFigures[];
  cost: RecordingFigures[];
  loop: Map<string, StepsFigures[]>;
};

const requests = (rows: readonly LookFigures[]): Spread => spread(rows.flatMap(({ requestMs }) => requestMs));
const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);

function section({ disk, media, seen, visited, cost, loop }: Measured): Awaited<ReturnType<Comparison>> {
  const of = (name: string): LookFigures[] => seen.get(name) ?? [];
  const opened = (name: string): Spread => spread(of(name).map(({ openMs }) => openMs));
  const [after] = visited;
  const step = (way: string): Spread => spread((loop.get(way) ?? []).map(({ lastMs }) => lastMs));
  const stepCpu = (way: string): Spread => spread((loop.get(way) ?? []).map(({ lastCpuMs }) => lastCpuMs));
  const bytes = (way: string): number => loop.get(way)?.[0]?.diskBytes ?? 0;
  const version = peerVersions()['@ai-sdk/devtools'] ?? '';
  return {
    title: 'The inspector',
    about: [
      `An agent of ${turns} turns with ${(media / 1e9).toFixed(2)} GB of pictures of noise, two a turn, and a conversation of ${many} short requests, opened in a real Chromium whose page has seen neither. A time is counted inside the page, from the address or the key until the next frame shows it.`,
      `The loop of the AI SDK takes ${steps} steps with a picture of ${stepBytes / 1000} kB each against a server that answers at once: by itself, over \`sightlineFetch({ recorder })\`, and with \`@ai-sdk/devtools\` ${version}.`,
    ],
    tables: [
      {
        caption: 'Looking, milliseconds',
        columns: ['what', `${turns} turns, ${(media / 1e9).toFixed(1)} GB`, `${many} requests`],
        rows: [
          ['rows and chart stand there', show(opened('heavy')), show(opened('long'))],
          ['a request is opened', show(requests(of('heavy'))), show(requests(of('long')))],
          [`each of all ${turns}, one after the other`, show(requests(visited)), ''],
        ],
      },
      {
        caption: `The page after all ${turns} requests were opened, MB`,
        columns: ['heap of scripts', 'process that draws it', 'the same, empty'],
        rows: [[after?.heapMb.toFixed(1) ?? '', after?.rendererMb.toFixed(0) ?? '', after?.emptyMb.toFixed(0) ?? '']],
      },
      {
        caption: 'What it costs to record',
        columns: ['what', 'figure'],
        rows: [
          [
            `store of the ${turns} turns, MB; pictures alone`,
            `${mb(disk)}; ${mb(media)} (${(disk / media).toFixed(3)} times)`,
          ],
          [
            `preparing a request, turns ${recorded - 100} to ${recorded}, CPU ms`,
            show(spread(cost.map(({ prepareCpuMs }) => prepareCpuMs)), 2),
          ],
          ['recording it, CPU ms', show(spread(cost.map(({ recordCpuMs }) => recordCpuMs)), 2)],
        ],
      },
      {
        caption: `${steps} steps of the AI SDK`,
        columns: ['recorded by', 'last step, ms', 'last step, CPU ms', 'on disk, MB'],
        rows: ways.map((way) => [
          way === 'alone' ? 'nobody' : way,
          show(step(way)),
          show(stepCpu(way)),
          mb(bytes(way)),
        ]),
      },
    ],
    notes: [
      `Against the devtools: ${(bytes('devtools') / bytes('sightline')).toFixed(0)} times smaller, and the last step ${(step('devtools').median / step('sightline').median).toFixed(0)} times faster (${(stepCpu('devtools').median / stepCpu('sightline').median).toFixed(0)} times less CPU time).`,
      'The devtools write one JSON file with all base64 anew in each step; our records hold hashes, and each picture once.',
    ],
    raw: { disk, media, seen: [...seen], visited, cost, loop: [...loop] },
  };
}
