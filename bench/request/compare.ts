// Request building with twenty pictures: first it is made sure that all candidates write the same pictures, then they
// are measured.
import { createCipheriv } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileAssets } from '../../src/index.ts';
import type { Asset } from '../../src/index.ts';
import { inFreshProcess, interleave, show, spread, verdict } from '../harness.ts';
import type { Job, Spread } from '../harness.ts';
import type { Sample } from '../measure.ts';
import type { Comparison } from '../run.ts';
import type { Table } from '../report.ts';
import { hashOf, pathOf } from './task.ts';
import type { Check, RequestInput, WireName } from './task.ts';

const pictures = 20;
const pictureBytes = 2 ** 20;
const callsPerProcess = 6;

const stream = 'Sightline, stream()';
const aiSdk = 'AI SDK';
const candidates: { name: string; file: string }[] = [
  { name: stream, file: 'sightline-stream.ts' },
  { name: 'Sightline, json() + stringify', file: 'sightline-json.ts' },
  { name: aiSdk, file: 'ai-sdk.ts' },
  { name: 'pi-ai', file: 'pi-ai.ts' },
  { name: 'LangChain', file: 'langchain.ts' },
  { name: 'limit: disk, Buffer base64, splice', file: 'limit-splice.ts' },
  { name: 'limit: bare JSON.stringify', file: 'limit-stringify.ts' },
];
const wires: { wire: WireName; title: string }[] = [
  { wire: 'anthropic-messages', title: 'Anthropic Messages' },
  { wire: 'openai-chat', title: 'OpenAI Chat Completions' },
];

type Row = {
  name: string;
  first: Spread;
  later: Spread;
  cpu: Spread;
  added: Spread;
  addedLater: Spread;
  base: Spread;
  bytes: number;
};

export const compareRequests: Comparison = async (repetitions) => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  try {
    const assets = await makePictures(folder);
    const results: { title: string; rows: Row[] }[] = [];
    for (const { wire, title } of wires) {
      await checkSameWork({ wire, folder, assets, calls: 'check' });
      const jobs = jobsFor({ wire, folder, assets, calls: callsPerProcess });
      const samples = await interleave<Sample>(jobs, repetitions);
      results.push({ title, rows: [...samples].map(([name, runs]) => rowOf(name, runs)) });
    }
    return {
      title: `Building a request with ${pictures} pictures of 1 MiB`,
      about: about(repetitions),
      tables: results.map(({ title, rows }) => tableOf(title, rows)),
      notes: [...results.flatMap(({ title, rows }) => notesOf(title, rows)), ...(await versions())],
      raw: results,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** The same incompressible bytes on every run, with the head of a PNG. */
async function makePictures(folder: string): Promise<Asset[]> {
  const store = fileAssets(folder);
  const assets: Asset[] = [];
  for (let index = 0; index < pictures; index++) {
    const bytes = createCipheriv('aes-128-ctr', Buffer.alloc(16, index), Buffer.alloc(16)).update(
      Buffer.alloc(pictureBytes),
    );
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    assets.push(await store.put(bytes, { mediaType: 'image/png' }));
  }
  return assets;
}

function jobsFor(input: RequestInput): Job[] {
  return candidates.map(({ name, file }) => ({ name, module: new URL(file, import.meta.url), input }));
}

/** Every body must be JSON and hold the same base64 texts in the same order. */
async function checkSameWork(input: RequestInput): Promise<void> {
  const files = await Promise.all(input.assets.map((asset) => readFile(pathOf(input.folder, asset), 'base64')));
  const expected = files.map(hashOf).join();
  for (const job of jobsFor(input)) {
    const { payloads } = await inFreshProcess<Check>(job);
    if (payloads.join() !== expected)
      throw new Error(`${job.name} does not write the ${pictures} pictures into its ${input.wire} body.`);
  }
}

function rowOf(name: string, runs: readonly Sample[]): Row {
  const laterOf = (field: 'wallMs' | 'cpuMs'): number[] =>
    runs.map((run) => spread(run.later.map((call) => call[field])).median);
  return {
    name,
    first: spread(runs.map((run) => run.first.wallMs)),
    later: spread(laterOf('wallMs')),
    cpu: spread(laterOf('cpuMs')),
    added: spread(runs.map((run) => run.first.peakMb - run.baseMb)),
    addedLater: spread(runs.map((run) => Math.max(...run.later.map((call) => call.peakMb)) - run.baseMb)),
    base: spread(runs.map((run) => run.baseMb)),
    bytes: runs[0]?.first.bytes ?? 0,
  };
}

function tableOf(title: string, rows: readonly Row[]): Table {
  return {
    caption: title,
    columns: [
      '',
      'first call, ms',
      'later calls, ms',
      'CPU of a later call, ms',
      'added memory, first call, MB',
      'added memory, all calls, MB',
      'held before, MB',
      'body, MB',
    ],
    rows: rows.map((row) => [
      row.name,
      show(row.first),
      show(row.later),
      show(row.cpu),
      show(row.added, 1),
      show(row.addedLater, 1),
      row.base.median.toFixed(0),
      (row.bytes / 1e6).toFixed(1),
    ]),
  };
}

function notesOf(title: string, rows: readonly Row[]): string[] {
  const ours = rows.find(({ name }) => name === stream);
  const theirs = rows.find(({ name }) => name === aiSdk);
  if (!ours || !theirs) return [];
  return [
    `${title}, ${stream} against the ${aiSdk}: first call ${verdict(ours.first, theirs.first)} time, later calls ` +
      `${verdict(ours.later, theirs.later)} time, CPU ${verdict(ours.cpu, theirs.cpu)}, added memory ${verdict(ours.added, theirs.added)}.`,
  ];
}

function about(repetitions: number): string[] {
  return [
    `A conversation of ${pictures} turns; in each a tool was called once and returned one sentence and one picture of 1 MiB ` +
      `(bytes that do not compress). Measured is one request with all of it, ${repetitions} processes per candidate with ` +
      `${callsPerProcess} calls each, after imports, after loading the inputs, and after one tiny request that makes all lazy imports happen. ` +
      'Before measuring, every body was parsed as JSON and found to contain the same base64 texts in the same order.',
    'Sightline starts from blocks that name assets in a store on disk (in the page cache of the system), as they stand in a ' +
      'long conversation, and ends when the last byte of the body has been handed over: reading and encoding are counted. ' +
      'Taking pictures in (checking and storing them) is not counted. The other libraries start from messages that already ' +
      'hold the base64 in memory, which is how they keep a conversation, and end when the body, a string, reaches `fetch`: ' +
      'neither reading nor encoding is counted for them, nor turning that string into bytes.',
    'Added memory is the peak of resident memory during the call over the resident memory just before the first call. ' +
      'What a library holds between calls (the base64 of the whole conversation, for all but Sightline) is in “held before”, ' +
      'together with Node itself and all imported code. Not compared: the network, the answer, and whether a provider would ' +
      'accept the body. In Chat Completions, for example, the AI SDK writes the picture as text into the tool message and ' +
      'LangChain sends its own block there, while pi-ai and Sightline put pictures into a user message.',
  ];
}

async function versions(): Promise<string[]> {
  const file = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  const { dependencies } = JSON.parse(file) as { dependencies: Record<string, string> };
  return [
    `Versions: ${Object.entries(dependencies)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
  ];
}
