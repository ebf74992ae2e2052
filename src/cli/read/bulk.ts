// `sightline read --out DIR`: many files, one line of JSON for each in DIR/results.jsonl, their media in DIR/assets. Whatever ended it,
// the same command goes on: files that have a line are passed over unless they changed. Machines need no coordinator: each
// takes its share by the hash of the path.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { wholeLines } from '../../content/lines.ts';
import { programFile } from '../../config/package.ts';
import { grouped } from '../../content/figures.ts';
import { isRecord, parsed } from '../../content/json.ts';
import { SightlineError } from '../../content/refusal.ts';
import type { Refusal } from '../../content/refusal.ts';
import type { ReadOptions } from '../../media/reading.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed } from '../exit.ts';
import { busy, say, sayJson } from '../terminal.ts';
import type { NamedFile } from './files.ts';
import { makeFolder } from '../../config/make-folder.ts';

/** One share of all files: the i-th of n. */
export type Shard = { at: number; of: number };

export type BulkOptions = {
  out: string;
  jobs: number;
  shard: Shard;
  json: boolean;
  /** As a single reading has them; they are sent to other processes. */
  reading: ReadOptions;
};

/** What a process is asked, and what it answers: the rest of a line. */
export type BulkAsk = { path: string; assets: string; reading: ReadOptions };
export type BulkAnswer = { hash?: string; ok: boolean; refusal?: Refusal };

type Tally = { read: number; refused: number; before: number; all: number };

/** Whether a file belongs to a share. */
function isOfShard(key: string, { at, of }: Shard): boolean {
  return createHash('sha256').update(key).digest().readUInt32BE() % of === at - 1;
}

/** Whether an earlier run has written it: the folder of results may lie among the files. */
function isResult(path: string, out: string): boolean {
  return /^(?:results(?:-\d+-of-\d+)?\.jsonl|assets[/\\][0-9a-f]{2}[/\\][0-9a-f]{64})$/.test(relative(out, path));
}

/** Reads what is left to read; 0 when nothing was refused. */
export async function readMany(files: readonly NamedFile[], options: BulkOptions): Promise<ExitCode> {
  const { out, shard, jobs, json } = options;
  makeFolder(out);
  const name = shard.of === 1 ? 'results.jsonl' : `results-${shard.at}-of-${shard.of}.jsonl`;
  const file = join(out, name);
  const known = await linesIn(file);
  const own = files.filter(({ key, path }) => isOfShard(key, shard) && !isResult(path, out));
  const left = own.filter(({ path, key }) => known.get(key)?.stamp !== stampOf(path));
  const tally: Tally = { read: 0, refused: 0, before: own.length - left.length, all: own.length };
  for (const { key, path } of own) if (known.get(key)?.stamp === stampOf(path) && !known.get(key)?.ok) tally.refused++;
  const results = await open(file, 'a');
  try {
    await busy(() => words(tally), inChildren(left, results, options, tally, Math.min(jobs, Math.max(1, left.length))));
    await results.sync();
  } finally {
    await results.close();
  }
  if (json) sayJson({ file, ...tally });
  else say(`${words(tally)}: ${file}`);
  return tally.refused === 0 ? done : failed;
}

function words({ read, refused, before, all }: Tally): string {
  const passed = before === 0 ? '' : `, ${grouped(before)} of them before`;
  const not = refused === 0 ? '' : `, ${grouped(refused)} refused`;
  return `${grouped(read + before)} of ${grouped(all)} files read${passed}${not}`;
}

/** What tells that a file changed. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.size} ${found.mtimeMs}` : '';
}

/** The files that have a line. A line that was cut off when the process ended goes. */
async function linesIn(file: string): Promise<Map<string, { stamp: string; ok: boolean }>> {
  const known = new Map<string, { stamp: string; ok: boolean }>();
  if (!existsSync(file)) return known;
  let whole = 0;
  const { size } = statSync(file);
  for await (const line of wholeLines(createReadStream(file))) {
    const end = whole + Buffer.byteLength(line) + 1;
    const value = end <= size ? parsed(line) : undefined;
    if (!isRecord(value)) break;
    whole = end;
    known.set(String(value['file']), {
      stamp: `${String(value['bytes'])} ${String(value['modified'])}`,
      ok: value['ok'] === true,
    });
  }
  if (whole < size) truncateSync(file, whole);
  return known;
}

/** Each process has one file at a time; one that ends on a file costs this file its reading and nothing else. */
async function inChildren(
  left: readonly NamedFile[],
  results: FileHandle,
  { out, reading }: BulkOptions,
  tally: Tally,
  jobs: number,
): Promise<void> {
  const queue = left.values();
  const write = async ({ key, path }: NamedFile, answer: BulkAnswer): Promise<void> => {
    const found = statSync(path, { throwIfNoEntry: false });
    const line = { file: key, path, bytes: found?.size ?? 0, modified: found?.mtimeMs ?? 0, ...answer };
    await results.appendFile(`${JSON.stringify(line)}\n`);
    if (!answer.ok) tally.refused++;
    tally.read++;
  };
  const worker = async (): Promise<void> => {
    let child = newChild();
    for (const one of queue) {
      const answer = await answered(child, { path: one.path, assets: join(out, 'assets'), reading });
      if (!answer) child = newChild();
      await write(one, answer ?? { ok: false, refusal: ended });
    }
    child.disconnect();
  };
  await Promise.all(Array.from({ length: jobs }, worker));
}

const ended: Refusal = {
  code: 'corrupt',
  what: 'The process that read it ended',
  next: 'Read this file alone: sightline read says more.',
};

function newChild(): ChildProcess {
  return fork(programFile('cli/read/bulk-child'), [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function answered(child: ChildProcess, ask: BulkAsk): Promise<BulkAnswer | undefined> {
  return new Promise((resolve) => {
    const over = (): void => settle(undefined);
    const settle = (answer: BulkAnswer | undefined): void => {
      child.off('message', settle).off('exit', over).off('error', over);
      resolve(answer);
    };
    child.once('message', settle).once('exit', over).once('error', over);
    if (child.connected) child.send(ask, (error) => error && over());
    else over();
  });
}

/** `2/8`: the second of eight shares. */
export function shardOf(text: string | undefined): Shard {
  if (text === undefined) return { at: 1, of: 1 };
  const [, at, of] = /^(\d+)\/(\d+)$/.exec(text.trim()) ?? [];
  const shard = { at: Number(at), of: Number(of) };
  if (shard.at >= 1 && shard.at <= shard.of) return shard;
  throw new SightlineError('input', `"${text}" is no share. Write it like 2/8: the second of eight.`);
}
