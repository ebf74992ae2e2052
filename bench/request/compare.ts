// Request building with many media: first it is made sure that all candidates write the same media, then they are
// measured. Whoever does not write them all, or does not offer the wire, is left out of that table and named.
import { createCipheriv } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileAssets } from '../../src/index.ts';
import type { Asset } from '../../src/index.ts';
import { inFreshProcess, interleave, show, spread, verdict } from '../harness.ts';
import type { Job, Spread } from '../harness.ts';
import { peerVersions } from '../install.ts';
import type { Sample } from '../measure.ts';
import type { Comparison } from '../run.ts';
import type { Table } from '../report.ts';
import { hashOf, mediaTypes, pathOf } from './task.ts';
import type { Check, Kind, RequestInput, WireName } from './task.ts';

const mediumBytes = 2 ** 20;

const stream = 'Sightline, stream()';
const limit = 'limit: disk, Buffer base64, splice';
/** `once`: in the first scene only, for it says the same in all of them. */
const candidates: { name: string; file: string; peer?: true; once?: true }[] = [
  { name: stream, file: 'sightline-stream.ts' },
  { name: 'Sightline, as send() sends it', file: 'sightline-send.ts' },
  { name: 'Sightline, json() + stringify', file: 'sightline-json.ts', once: true },
  { name: 'AI SDK', file: 'ai-sdk.ts', peer: true },
  { name: 'pi-ai', file: 'pi-ai.ts', peer: true },
  { name: 'LangChain', file: 'langchain.ts', peer: true },
  { name: limit, file: 'limit-splice.ts' },
  { name: 'limit: bare JSON.stringify', file: 'limit-stringify.ts' },
];

type Scene = { title: string; wire: WireName; kind: Kind; count: number; calls: number };

const scenes: Scene[] = [
  { title: 'Anthropic Messages, 20 pictures', wire: 'anthropic-messages', kind: 'image', count: 20, calls: 6 },
  { title: 'OpenAI Chat Completions, 20 pictures', wire: 'openai-chat', kind: 'image', count: 20, calls: 6 },
  { title: 'OpenAI Responses, 20 pictures', wire: 'openai-responses', kind: 'image', count: 20, calls: 6 },
  // Its requests end at 20 MiB.
  { title: 'Gemini, 12 pictures', wire: 'gemini', kind: 'image', count: 12, calls: 6 },
  { title: 'Ollama, 20 pictures', wire: 'ollama', kind: 'image', count: 20, calls: 6 },
  { title: 'OpenAI Responses, 1 picture', wire: 'openai-responses', kind: 'image', count: 1, calls: 6 },
  { title: 'OpenAI Responses, 100 pictures', wire: 'openai-responses', kind: 'image', count: 100, calls: 3 },
  { title: 'OpenAI Responses, 20 PDFs', wire: 'openai-responses', kind: 'pdf', count: 20, calls: 6 },
];

type Row = {
  name: string;
  first: Spread;
  later: Spread;
  cpu: Spread;
  garbage: Spread;
  added: Spread;
  addedLater: Spread;
  base: Spread;
  bytes: number;
};

type Result = { title: string; rows: Row[]; leftOut: string[] };

export const compareRequests: Comparison = async (repetitions) => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  try {
    const stored = { image: await makeMedia(folder, 'image', 100), pdf: await makeMedia(folder, 'pdf', 20) };
    const results: Result[] = [];
    for (const { title, wire, kind, count, calls } of scenes) {
      process.stderr.write(` ${title}\n`);
      const input: RequestInput = { wire, kind, folder, assets: stored[kind].slice(0, count), calls };
      const { able, leftOut } = await doSameWork({ ...input, calls: 'check' });
      const samples = await interleave<Sample>(jobsFor(input, able), repetitions);
      results.push({ title, leftOut, rows: [...samples].map(([name, runs]) => rowOf(name, runs)) });
    }
    return {
      title: 'Building a request with many media of 1 MiB',
      about: about(repetitions),
      tables: results.map(({ title, rows }) => tableOf(title, rows)),
      notes: [...results.flatMap(notesOf), versions()],
      raw: results,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
};

const heads: Record<Kind, Buffer> = {
  image: Buffer.from('89504e470d0a1a0a', 'hex'),
  pdf: Buffer.from('%PDF-1.7', 'latin1'),
};

/** The same incompressible bytes on every run, behind the head of a PNG or a PDF. */
async function makeMedia(folder: string, kind: Kind, count: number): Promise<Asset[]> {
  const store = fileAssets(folder);
  const assets: Asset[] = [];
  for (let index = 0; index < count; index++) {
    const key = Buffer.alloc(16, index);
    const bytes = createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(mediumBytes));
    bytes.set(heads[kind]);
    assets.push(await store.put(bytes, { mediaType: mediaTypes[kind] }));
  }
  return assets;
}

function jobsFor(input: RequestInput, names: ReadonlySet<string>): Job[] {
  return candidates
    .filter(({ name }) => names.has(name))
    .map(({ name, file }) => ({ name, module: new URL(file, import.meta.url), input }));
}

/** Every body must be JSON and hold the same base64 texts in the same order. We ourselves may not be left out. */
async function doSameWork(input: RequestInput): Promise<{ able: Set<string>; leftOut: string[] }> {
  const files = await Promise.all(input.assets.map((asset) => readFile(pathOf(input.folder, asset), 'base64')));
  const expected = files.map(hashOf).join();
  const able = new Set<string>();
  const leftOut: string[] = [];
  for (const { name, peer, once } of candidates) {
    if (once && input.wire !== scenes[0]?.wire) continue;
    const [job] = jobsFor(input, new Set([name]));
    if (!job) continue;
    const payloads = await inFreshProcess<Check>(job).then(
      (check) => check.payloads,
      () => [],
    );
    if (payloads.join() === expected) able.add(name);
    else if (peer) leftOut.push(name);
    else throw new Error(`${name} does not write the ${input.assets.length} media into its ${input.wire} body.`);
  }
  return { able, leftOut };
}

function rowOf(name: string, runs: readonly Sample[]): Row {
  const laterOf = (field: 'wallMs' | 'cpuMs' | 'gcMs'): number[] =>
    runs.map((run) => spread(run.later.map((call) => call[field])).median);
  return {
    name,
    first: spread(runs.map((run) => run.first.wallMs)),
    later: spread(laterOf('wallMs')),
    cpu: spread(laterOf('cpuMs')),
    garbage: spread(laterOf('gcMs')),
    added: spread(runs.map((run) => run.first.peakMb - run.baseMb)),
    addedLater: spread(runs.map((run) => Math.max(...run.later.map((call) => call.peakMb)) - run.baseMb)),
    base: spread(runs.map((run) => run.baseMb)),
    bytes: runs[0]?.first.bytes ?? 0,
  };
}

function tableOf(title: string, rows: readonly Row[]): Table {
  const floor = rows.find(({ name }) => name === limit);
  const digits = (rows[0]?.bytes ?? 0) < 5e6 ? 1 : 0;
  return {
    caption: title,
    columns: [
      '',
      'first call, ms',
      'later calls, ms',
      'CPU of a later call, ms',
      'CPU, times the limit',
      'collecting garbage, ms',
      'added memory, first call, MB',
      'added memory, all calls, MB',
      'held before, MB',
      'body, MB',
    ],
    rows: rows.map((row) => [
      row.name,
      show(row.first, digits),
      show(row.later, digits),
      show(row.cpu, digits),
      floor ? (row.cpu.median / floor.cpu.median).toFixed(2) : '–',
      row.garbage.median.toFixed(digits),
      show(row.added, 1),
      show(row.addedLater, 1),
      row.base.median.toFixed(0),
      (row.bytes / 1e6).toFixed(1),
    ]),
  };
}

/** Against the best of the other libraries, whichever that is. */
function notesOf({ title, rows, leftOut }: Result): string[] {
  const ours = rows.find(({ name }) => name === stream);
  const peers = rows.filter(({ name }) => candidates.some((one) => one.peer && one.name === name));
  const best = peers.toSorted((one, other) => one.cpu.median - other.cpu.median)[0];
  const missing =
    leftOut.length === 0
      ? []
      : [
          `${title}: left out because not all media are in the body, or the wire is not offered: ${leftOut.join(', ')}.`,
        ];
  if (!ours || !best) return missing;
  return [
    `${title}, ${stream} against the fastest other library (${best.name}): time of the first call ${verdict(ours.first, best.first)}, ` +
      `of later calls ${verdict(ours.later, best.later)}, CPU ${verdict(ours.cpu, best.cpu)}, added memory ${verdict(ours.added, best.added)}.`,
    ...missing,
  ];
}

function about(repetitions: number): string[] {
  return [
    'A conversation in which each turn called a tool once and got one sentence and one picture or PDF of 1 MiB (bytes that do ' +
      `not compress). Measured is one request with all of it, ${repetitions} processes per candidate with several calls each, after ` +
      'imports, after loading the inputs, and after one tiny request that makes all lazy imports happen. Before measuring, every ' +
      'body was parsed as JSON and found to contain the same base64 texts in the same order.',
    'Sightline starts from blocks that name assets in a store on disk (in the page cache of the system), as they stand in a ' +
      'long conversation, and ends when the last byte of the body has been handed over: reading and encoding are counted. ' +
      'Taking media in (checking and storing them) is not counted. The other libraries start from messages that already ' +
      'hold the base64 in memory, which is how they keep a conversation, and end when the body, a string, reaches `fetch`: ' +
      'neither reading nor encoding is counted for them, nor turning that string into bytes.',
    'Added memory is the peak of resident memory during the call over the resident memory just before the first call. ' +
      'What a library holds between calls (the base64 of the whole conversation, for all but Sightline) is in “held before”, ' +
      'together with Node itself and all imported code. Not compared: the network, the answer, and whether a provider would ' +
      'accept the body; that is in [What reaches the model](matrix.md).',
  ];
}

function versions(): string {
  const all = Object.entries(peerVersions()).map(([name, version]) => `${name} ${version}`);
  return `Versions: ${all.join(', ')}.`;
}
