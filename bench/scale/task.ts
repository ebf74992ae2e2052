// One figure of the comparison of logs, in a process of its own.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Message } from '../../src/index.ts';
import type * as Sessions from '../../src/session/store.ts';
import { openSessions } from '../../src/session/store.ts';
import type { SessionsOptions } from '../../src/session/store.ts';
import type { Task } from '../harness.ts';
import { spread } from '../harness.ts';

export type ScaleInput =
  /** With the sources of this tree and of another. */
  | { what: 'append'; now: string; before: string }
  /** So many processes count from the moment on at which all of them are there; each tells it in a folder. */
  | { what: 'write'; url: string; sessions: readonly string[]; seconds: number; folder: string; processes: number }
  | { what: 'page'; place: SessionsOptions }
  | { what: 'open'; place: SessionsOptions; id: string; messages: number };

/** Milliseconds: of processor time of an append, of a page, of opening. For who writes, how many were stored. */
export type ScaleFigure = { value: number; before?: number };

const task: Task<ScaleInput, ScaleFigure> = async (input) => {
  switch (input.what) {
    case 'append':
      return await appending(input);
    case 'write':
      return { value: await writing(input) };
    case 'page':
      return { value: await paging(input.place) };
    case 'open':
      return { value: await opening(input) };
  }
};
export default task;

export function saying(at: number): Message {
  const text = `Message ${at}. ${'The quick brown fox jumps over the lazy dog while somebody counts words. '.repeat(5)}`;
  return at % 2 === 0
    ? { role: 'user', content: [{ type: 'text', text }] }
    : { role: 'assistant', model: 'anthropic/claude-sonnet-4-5', content: [{ type: 'text', text }] };
}

/** Batches of both by turns: what else the machine does falls on both alike. The first ones warm up. */
async function appending({ now, before }: ScaleInput & { what: 'append' }): Promise<ScaleFigure> {
  const sides = await Promise.all([now, before].map(appendingIn));
  for (let batch = 0; batch < 60; batch++)
    for (const side of batch % 2 === 0 ? sides : sides.toReversed()) {
      const start = process.cpuUsage();
      for (let at = 0; at < batchSize; at++) await side.append(at);
      const { user, system } = process.cpuUsage(start);
      if (batch >= 10) side.times.push((user + system) / 1000 / batchSize);
    }
  const [ours = Number.NaN, theirs = Number.NaN] = sides.map(({ times }) => spread(times).median);
  for (const { close } of sides) await close();
  return { value: ours, before: theirs };
}

const batchSize = 50;

async function appendingIn(
  tree: string,
): Promise<{ append: (at: number) => Promise<unknown>; times: number[]; close: () => Promise<void> }> {
  const { openSessions: open } = (await import(
    pathToFileURL(join(tree, 'src/session/store.ts')).href
  )) as typeof Sessions;
  const home = mkdtempSync(join(tmpdir(), 'sightline-bench-append-'));
  const store = open({ home });
  const session = await store.create({ title: 'bench' });
  return {
    append: (at) => session.append({ type: 'message', message: saying(at) }),
    times: [],
    close: async () => {
      await store.close();
      rmSync(home, { recursive: true });
    },
  };
}

/** What a process appends before it counts: until then its code is compiled, and an append takes two to three times as long. */
const warmUp = 1000;

/** Each session appends as fast as it is answered. */
async function writing(input: ScaleInput & { what: 'write' }): Promise<number> {
  const { url, sessions, seconds } = input;
  await using store = openSessions({ url });
  const opened = await Promise.all(sessions.map((id) => store.open(id)));
  // pgbench connects before its clock runs, and has nothing to compile.
  await Promise.all(
    opened.map(async (session) => {
      for (let at = 0; at < warmUp / opened.length; at++)
        await session.append({ type: 'message', message: saying(at) });
    }),
  );
  await allThere(input);
  let stored = 0;
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    opened.map(async (session) => {
      for (let at = 0; performance.now() < end; at++) {
        await session.append({ type: 'message', message: saying(at) });
        stored += 1;
      }
    }),
  );
  return stored;
}

/** Nobody counts while another still starts. */
async function allThere({ folder, processes }: ScaleInput & { what: 'write' }): Promise<void> {
  writeFileSync(join(folder, String(process.pid)), '');
  for (let tries = 0; readdirSync(folder).length < processes; tries++) {
    if (tries > 6000) throw new Error('Not all who write have come.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function paging(place: SessionsOptions): Promise<number> {
  await using store = openSessions({ ...place, readOnly: true });
  const times: number[] = [];
  let before: Awaited<ReturnType<typeof store.list>>[number] | undefined;
  for (let page = 0; page < 60; page++) {
    const start = performance.now();
    const found = await store.list({ limit: 50, ...(before && { before }) });
    if (page >= 10) times.push(performance.now() - start); // the first ones connect and compile
    if (found.length !== 50) throw new Error('A page is too short.');
    before = found.at(-1);
  }
  return spread(times).median;
}

async function opening({ place, id, messages }: ScaleInput & { what: 'open' }): Promise<number> {
  await using store = openSessions({ ...place, readOnly: true });
  await store.list({ limit: 1 }); // connected
  const start = performance.now();
  const found = await (await store.read(id)).messages();
  if (found.length !== messages) throw new Error('Messages are missing.');
  return performance.now() - start;
}
