// How long the search for media takes in one process: JSON with a picture in it, text without one, and values that are
// far too large. The intake takes a picture at its word, so that decoding is not counted.
import { deflateSync, crc32 } from 'node:zlib';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { Intake } from '../../src/content/intake.ts';
import { refuse } from '../../src/content/refusal.ts';
import { normaliseResult } from '../../src/tool/normalise.ts';
import type { Task } from '../harness.ts';

export type NormaliseInput = { what: 'json' | 'text' | 'huge' };
/** Milliseconds by what was done. */
export type NormaliseResult = Record<string, number>;

const assets = memoryAssets();
const intake: Intake = {
  check: async (bytes) => {
    if (bytes[0] !== 0x89 || bytes[1] !== 0x50) return refuse('unsupported', 'no picture', 'nothing to do');
    const asset = await assets.put(bytes, { mediaType: 'image/png' });
    return { ok: true, value: { type: 'image', asset, width: 400, height: 300 } };
  },
  open: async () => refuse('not-allowed', 'nothing is opened', 'nothing to do'),
  keep: (bytes, about) => assets.put(bytes, about),
  stored: (id) => assets.get(id),
  at: () => intake,
};

const task: Task<NormaliseInput, NormaliseResult> = async ({ what }) => {
  if (what === 'json') return json();
  return what === 'text' ? text() : huge();
};
export default task;

async function json(): Promise<NormaliseResult> {
  const source = jsonOf(5e6);
  const value: unknown = JSON.parse(source);
  return {
    'JSON.parse of the text': await timed(() => JSON.parse(source), 9),
    'normalise, given the text': await timed(() => normaliseResult(source, intake), 9),
    'normalise, given the value': await timed(() => normaliseResult(value, intake), 9),
  };
}

async function text(): Promise<NormaliseResult> {
  const log = Array.from(
    { length: 1600 },
    (_, at) =>
      `2026-11-15T06:00:00Z INFO worker[${at}] decoded base64 payload image/png id=0123456789abcdef0123456789abcdef data:none`,
  );
  const prose = 'Some words that say nothing about pictures at all, in a sentence. '.repeat(3100);
  return {
    'a log that speaks of base64': await timed(() => normaliseResult(log.join('\n').slice(0, 200_000), intake), 51),
    prose: await timed(() => normaliseResult(prose.slice(0, 200_000), intake), 51),
  };
}

async function huge(): Promise<NormaliseResult> {
  const values: Record<string, unknown> = {
    'JSON text': jsonOf(50e6),
    'parsed JSON': JSON.parse(jsonOf(50e6)),
    'plain text': 'some words in a line of a log\n'.repeat(1_700_000),
  };
  const results: NormaliseResult = {};
  for (const [name, value] of Object.entries(values))
    results[name] = await timed(() => normaliseResult(value, intake), 1);
  return results;
}

/** Rows as tools return them, with one picture among them. */
function jsonOf(bytes: number): string {
  const rows = Array.from({ length: Math.round(bytes / 186) }, (_, id) => ({
    id,
    name: `Row number ${id}`,
    url: `https://example.com/items/${id}?page=${id % 7}`,
    tags: ['a', 'b', `t${id % 13}`],
    note: 'some words that say what this row is about, in a sentence',
    ok: id % 2 === 0,
  }));
  return JSON.stringify({ rows, shot: { base64: png().toString('base64') } });
}

/** A picture of noise, 400×300. */
function png(): Buffer {
  const pixels = Buffer.alloc(300 * 1201);
  for (let at = 0; at < pixels.length; at++) pixels[at] = at % 1201 === 0 ? 0 : (at * 7919 + (at >> 7) * 31) & 255;
  const header = Buffer.from([0, 0, 1, 144, 0, 0, 1, 44, 8, 2, 0, 0, 0]);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** The median of so many runs, after one that does not count. */
async function timed(work: () => unknown, runs: number): Promise<number> {
  if (runs > 1) await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.toSorted((one, other) => one - other)[runs >> 1] ?? Number.NaN;
}
